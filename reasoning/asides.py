"""Whether what a message says beside its reply or its answer fits the plan it is for: "yes, move the playgroup", "15
for the playgroup"."""

from collections.abc import Sequence

from contracts.aside import CANCEL, Aside
from contracts.booking import BookingSummary
from contracts.effects import DraftedStep
from contracts.enums import ParameterRole, SafetyTier
from language.alike import same_but_a_slip
from language.booking_names import marks_of
from language.plain import plain

_UNSAID = frozenset((ParameterRole.BOOKING, ParameterRole.CHOICE))


def fits(aside: Aside, steps: Sequence[DraftedStep], known: Sequence[BookingSummary]) -> bool:
    """Whether every step does what was said, on the bookings that were named, and no other booking was. `known` are
    those that the chat has spoken of."""
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


def of_another(whom: Aside, steps: Sequence[DraftedStep], known: Sequence[BookingSummary]) -> bool:
    """Whether a value is given for another booking than those of a plan. A plan that only makes something new has no
    booking yet, so any name may be its own."""
    ours = [step.booking for step in steps if step.booking is not None]
    said = (*whom.names, *whom.strange)
    if not ours or any(_names(word, booking) for word in said for booking in ours):
        return False
    return bool(whom.names) or any(_names(word, booking) for word in whom.strange for booking in known)


def _does(step: DraftedStep) -> frozenset[str]:
    if step.action.safety is SafetyTier.HIGH_RISK:
        return frozenset((CANCEL,))
    given = {p.role for p in step.action.parameters if step.parameters.get(p.name) is not None}
    return frozenset(str(role) for role in given - _UNSAID if role is not None)


def _names(word: str, booking: BookingSummary) -> bool:
    bare = plain(word).removesuffix("s")
    return any(same_but_a_slip(plain(word), mark) or bare == mark for mark in marks_of(booking))
