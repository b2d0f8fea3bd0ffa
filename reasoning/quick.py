"""Things to tap that a chat offers by itself: each says all that it means."""

from collections.abc import Iterable

from contracts.booking import BookingSummary
from contracts.quick import QuickAction
from language.catalogue import say
from reasoning.knowable import name_of


def undo_or_cancel(bookings: Iterable[BookingSummary | None]) -> tuple[QuickAction, ...]:
    """Undo the change just made, or cancel one of the bookings themselves."""
    ways = {"": QuickAction(label=say("quick.undo"), say=say("quick.undo_say"))}
    for booking in bookings:
        if booking is not None:
            reference = booking.reference or booking.booking_id
            label = say("quick.cancel", whom=name_of(booking) or reference)
            ways[booking.booking_id] = QuickAction(label=label, say=say("quick.cancel_say", reference=reference))
    return tuple(ways.values())
