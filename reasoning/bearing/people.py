"""Head counts: totals, sums of totals, and changes to the number that is pending or booked."""

from __future__ import annotations

import re
from dataclasses import replace

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language import Count, CountError
from language.quantities import nearer_to_step
from reasoning.bearing.context import Context, Doubt, Held, doubt
from reasoning.evidence import Claim, Kind

_CLOCK = re.compile(r"(?:0?[6-9]|1\d|2[0-3])[0-5][05]")
"""An hour without a colon: "so start 1015"."""
_HALF_HOURS = re.compile(r"(?:[1-9]|1\d|2[0-3])[0-5][05]")
"""One beside another hour: "4 o'clock, no, 430"."""


def heads(context: Context, parameter: ActionParameter, value: Json) -> Held | Doubt:
    """A head count. A change that is taken for the total is put right; else nothing is replaced."""
    number = int(value) if isinstance(value, int | float) and not isinstance(value, bool) else _figure(value)
    own = context.booking.guest_count if context.booking else None
    pending = _figure(context.pending(parameter))
    said = [c for c in context.evidence.standing(Kind.COUNT, Kind.NUMBER) if _may_count(context, c)]
    anew = _stepped_anew(context, said, own)
    if anew is not None:
        return Held(value) if number == anew else doubt(parameter, (), ParameterRole.COUNT)
    totals = _totals(said)
    changes = [c.count for c in said if c.count is not None and c.count.is_relative]
    changed = _changed(changes, _bases(context, pending, own, totals))
    if number in totals or number in changed:
        return Held(value)
    if number is not None and not said and number in (own, pending):
        return Held(value)
    if len(said) == 1 and len(changed) == 1 and changes and number == int(changes[0].amount):
        return Held(changed[0])
    return doubt(parameter, (), ParameterRole.COUNT)


def _stepped_anew(context: Context, said: list[Claim], own: int | None) -> int | None:
    """ "Take two off", then "three, sorry": what the number booked comes to by that step instead; None where a total
    is likelier."""
    bare = [c for c in said if c.message == 0 and c.kind is Kind.NUMBER]
    earlier = [c for c in context.evidence.of(Kind.COUNT) if c.message == 1]
    earlier = earlier or [c for c in (context.before.of(Kind.COUNT) if context.before else ()) if c.message == 0]
    steps = [c.count for c in earlier if c.count is not None and not c.doubtful]
    if own is None or len(bare) != 1 or len(said) != 1 or len(steps) != 1 or not steps[0].is_relative:
        return None
    number = int(bare[0].values[0])
    try:
        total = steps[0].apply(own)
        meant = replace(steps[0], amount=float(number)).apply(own)
    except CountError:
        return None
    return meant if nearer_to_step(number, int(steps[0].amount), total) else None


def _figure(value: Json) -> int | None:
    return int(str(value)) if value is not None and str(value).isdecimal() else None


def _may_count(context: Context, claim: Claim) -> bool:
    """A bare number counts people unless it answers another question, or is where a booking moves: a time, a day."""
    if claim.kind is Kind.COUNT:
        return True
    message = context.evidence.messages[claim.message]
    if _CLOCK.fullmatch(claim.values[0]) and message.cue_before(claim.span, ("MOVE",), 1):
        return False
    timed = any(c.kind is Kind.TIME and c.message == claim.message for c in context.evidence.claims)
    if timed and _HALF_HOURS.fullmatch(claim.values[0]):
        return False
    moved = message.cue_before(claim.span, ("MOVE",), 6) and message.cue_before(claim.span, ("TO",), 0)
    dated = message.cue_before(claim.span, ("DATED",), 0)
    return not moved and not dated and context.answers(claim, ParameterRole.COUNT)


def _totals(said: list[Claim]) -> list[int]:
    """Each number of people said, and all that were said with their nouns together: "12 kids and 3 adults"."""
    counts = [c.count for c in said if c.count is not None and c.count.kind == "absolute"]
    bare = [int(c.values[0]) for c in said if c.kind is Kind.NUMBER]
    each = [int(c.amount) for c in counts]
    return [*each, *bare, *([sum(each)] if len(each) > 1 else []), *([sum(each) + sum(bare)] if bare and each else [])]


def _bases(context: Context, pending: int | None, own: int | None, totals: list[int]) -> list[int]:
    """What "two more" is more than: the pending number, else one that was said, else the one booked. "Make that +3"
    corrects the change itself, so it counts from the one booked."""
    corrects = any(cue.kind == "CORRECT" for cue in context.evidence.messages[0].cues) if own is not None else False
    if pending is not None and not corrects:
        return [pending, *totals]
    counts = [c.count for c in context.evidence.of(Kind.COUNT) if c.count is not None]
    former = [count.previous for count in counts if count.previous is not None]
    return [*totals, *([own] if own is not None else []), *former]


def _changed(changes: list[Count], bases: list[int]) -> list[int]:
    """Every base with each change, and with all of them one after the other."""
    found: list[int] = []
    for base in bases:
        for some in [changes, *([change] for change in changes)]:
            number = base
            try:
                for change in some:
                    number = change.apply(number)
            except CountError:
                found += [_halved(number) + more for more in (0, 1) if any(_is_half(change) for change in some)]
                continue
            if some:
                found.append(number)
    return list(dict.fromkeys(found))


def _is_half(change: Count) -> bool:
    return change.kind == "multiply" and change.amount < 1


def _halved(number: int) -> int:
    """Half of an odd number of people is one of two."""
    return number // 2
