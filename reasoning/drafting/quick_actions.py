"""Quick actions that a chat offers by itself. Each is a complete message."""

from collections.abc import Iterable

from contracts.base import QuickAction
from contracts.booking import BookingSummary
from language.messages.catalogue import translate
from reasoning.drafting.preflight import booking_label


def undo_or_cancel(bookings: Iterable[BookingSummary | None]) -> tuple[QuickAction, ...]:
    """Return the quick actions to undo the last change or to cancel one of the bookings."""
    ways = {"": QuickAction(label=translate("quick.undo"), say=translate("quick.undo_say"))}
    for booking in bookings:
        if booking is not None:
            reference = booking.reference or booking.booking_id
            label = translate("quick.cancel", whom=booking_label(booking) or reference)
            ways[booking.booking_id] = QuickAction(label=label, say=translate("quick.cancel_say", reference=reference))
    return tuple(ways.values())
