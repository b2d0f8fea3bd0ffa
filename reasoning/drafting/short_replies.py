"""The meaning of a short reply: which command it is to a plan in each state, and whether the words beside it fit the
plan ("yes, move the playgroup", "15 for the playgroup").

    reply       a plan is pending       a plan runs             the last one is done
    yes         confirm it              -                       -
    no, drop    drop it                 stop it                 -
    wait        keep it pending         stop it                 -
    undo        drop it                 stop it                 undo it
    cancel      drop it                 stop it                 ask: undo the change, or cancel the booking?
"""

from collections.abc import Iterable, Sequence

from contracts.base import QuickAction
from contracts.booking import BookingSummary
from contracts.commands import CommandKind
from contracts.enums import CANCEL, ParameterRole, SafetyTier, ShortReply
from contracts.message_reading import ReplyQualifiers
from contracts.step_activities import DraftedStep
from language.messages.catalogue import translate
from language.requests.booking_names import booking_words
from language.text.normalize import normalize_text
from language.text.spelling import same_but_a_slip
from reasoning.drafting.preflight import booking_label

TO_PENDING = {
    ShortReply.YES: CommandKind.CONFIRM,
    ShortReply.NO: CommandKind.CANCEL,
    ShortReply.STOP: CommandKind.CANCEL,
    ShortReply.UNDO: CommandKind.CANCEL,
    ShortReply.CANCEL: CommandKind.CANCEL,
}
TO_RUNNING = {reply: CommandKind.CANCEL for reply in (*TO_PENDING, ShortReply.WAIT) if reply is not ShortReply.YES}
COMMANDS = {**TO_RUNNING, **TO_PENDING, ShortReply.YES_CANCEL: CommandKind.CONFIRM, ShortReply.UNDO: CommandKind.UNDO}
"""The command that a reply is most likely to be, where the state of its plan is not known. Every other reply only reads
or asks."""


def undo_or_cancel(bookings: Iterable[BookingSummary | None]) -> tuple[QuickAction, ...]:
    """Return the quick actions to undo the last change or to cancel one of the bookings."""
    ways = {"": QuickAction(label=translate("quick.undo"), say=translate("quick.undo_say"))}
    for booking in bookings:
        if booking is not None:
            reference = booking.reference or booking.booking_id
            label = translate("quick.cancel", whom=booking_label(booking) or reference)
            ways[booking.booking_id] = QuickAction(label=label, say=translate("quick.cancel_say", reference=reference))
    return tuple(ways.values())


_UNSAID = frozenset((ParameterRole.BOOKING, ParameterRole.CHOICE))


def reply_fits_plan(aside: ReplyQualifiers, steps: Sequence[DraftedStep], known: Sequence[BookingSummary]) -> bool:
    """Return whether every step does what the reply describes, on the bookings it names and on no other. `known` are
    those that the chat is about."""
    own = [step.booking for step in steps]
    ours = [booking for booking in own if booking is not None]
    if aside.does and not all(_does(step) and _does(step).issubset(aside.does) for step in steps):
        return False
    for word in (*aside.names, *aside.strange):
        named = {b.booking_id for b in (*ours, *known) if _names(word, b)}
        all_named = bool(own) and len(ours) == len(own) and all(b.booking_id in named for b in ours)
        if (named or word in aside.names) and not all_named:
            return False
    return True


def of_another(whom: ReplyQualifiers, steps: Sequence[DraftedStep], known: Sequence[BookingSummary]) -> bool:
    """Return whether a value is for a booking outside the plan. A plan that only creates something has no booking yet,
    so any name may be its own."""
    ours = [step.booking for step in steps if step.booking is not None]
    messages = (*whom.names, *whom.strange)
    if not ours or any(_names(word, booking) for word in messages for booking in ours):
        return False
    return bool(whom.names) or any(_names(word, booking) for word in whom.strange for booking in known)


def _does(step: DraftedStep) -> frozenset[str]:
    if step.action.safety is SafetyTier.HIGH_RISK:
        return frozenset((CANCEL,))
    given = {p.role for p in step.action.parameters if step.parameters.get(p.name) is not None}
    return frozenset(str(role) for role in given - _UNSAID if role is not None)


def _names(word: str, booking: BookingSummary) -> bool:
    bare = normalize_text(word).removesuffix("s")
    return any(same_but_a_slip(normalize_text(word), mark) or bare == mark for mark in booking_words(booking))
