"""Grounding: what a model proposes, held against what the operator said.

Whatever the model is, each value of a planned step must come from the operator's words, from the booking as it was
looked up, or from the plan being amended (`docs/state-model.md`, "Never assumed"). The words are read once into claims
(`reasoning.evidence`); a value stands when a claim that is meant bears it out (`reasoning.bearing`). What nothing bears
out is asked for; it is put right only where the words leave one reading and the model's value has no other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from contracts.action import ActionParameter, AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.enums import ParameterRole
from contracts.venue import VenueProfile
from reasoning import placeholders
from reasoning.bearing import choices, contacts, days, durations, letters, names, notes, people
from reasoning.bearing.context import Context, Doubt, Held
from reasoning.evidence import policy_of, read_evidence

__all__ = ["Doubt", "Grounded", "Words", "policy_of"]


@dataclass(frozen=True, slots=True)
class Grounded:
    """The arguments, each of which the operator's words bear out."""

    arguments: dict[str, Json]


_Rule = Callable[[Context, ActionParameter, Json], Held | Doubt]
_RULES: Mapping[ParameterRole, _Rule] = {
    ParameterRole.DATE: days.day,
    ParameterRole.TIME: days.hour,
    ParameterRole.COUNT: people.heads,
    ParameterRole.EMAIL: contacts.email,
    ParameterRole.PHONE: contacts.phone,
    ParameterRole.FIRST_NAME: names.name,
    ParameterRole.LAST_NAME: names.name,
    ParameterRole.CHOICE: choices.choice,
    ParameterRole.NOTE: notes.text,
    ParameterRole.DURATION: durations.minutes,
    ParameterRole.TIME_ZONE: choices.choice,
}
_ELSEWHERE = frozenset({ParameterRole.BOOKING, ParameterRole.SEARCH})
"""Roles that other rules judge: which booking is meant, and what is only looked for."""
_FORMATS: Mapping[str, _Rule] = {"date": days.day, "email": contacts.email}


class Words:
    """What the operator said in the open request, latest first, with the venue's clock and habits; `before` is what was
    said for the plan that waits, `bookings` are those that the chat has shown."""

    def __init__(
        self,
        said: Sequence[str],
        now: datetime,
        profile: VenueProfile,
        before: Sequence[str] = (),
        bookings: Sequence[BookingSummary] = (),
    ) -> None:
        self.evidence = read_evidence(said, now, profile, bookings)
        self._before = read_evidence(before, now, profile, bookings) if before else None

    def ground(
        self,
        action: AtomicAction,
        arguments: Mapping[str, Json],
        booking: BookingSummary | None,
        amended: Mapping[str, Json],
        *,
        others: Sequence[BookingSummary] = (),
        expected: ParameterRole | None = None,
        taken: Collection[str] = (),
    ) -> Grounded | Doubt:
        """Bear out each argument by what was said. `amended` are the step's values in the plan being changed, `others`
        the bookings known in the chat, `expected` what our own last question asked for, `taken` the values of the
        plan's other steps."""
        # What another step writes down is that step's; a day or an hour by itself is no text.
        texts = [value for value in taken if not value.isdecimal()]
        proposed = tuple(value for value in arguments.values() if isinstance(value, str))
        evidence = self.evidence.without(texts)
        heads = [arguments.get(p.name) for p in action.with_role(ParameterRole.COUNT)]
        if len(heads) == 1 and isinstance(heads[0], int) and not action.with_role(ParameterRole.BOOKING):
            evidence = evidence.with_heads(heads[0])
        context = Context(
            evidence.about(booking, others),
            booking,
            amended,
            expected,
            proposed,
            self._before,
            frozenset(taken),
        )
        kept: dict[str, Json] = {}
        for name, value in arguments.items():
            parameter = action.parameter(name)
            if parameter is None or value is None or placeholders.present({name: value}):
                kept[name] = value
                continue
            judged = _judged(context, parameter, value)
            if isinstance(judged, Doubt):
                return judged
            if parameter.role not in _ELSEWHERE and (odd := letters.not_as_it_looks(context, parameter, judged.value)):
                return odd
            if judged.value is not None:
                kept[name] = judged.value
        return Grounded(kept)


_TYPED = frozenset(
    {ParameterRole.DATE, ParameterRole.TIME, ParameterRole.COUNT, ParameterRole.EMAIL, ParameterRole.PHONE}
)
"""Roles whose values a field cannot tell from others: each must be read as one of its kind."""


def typed(
    action: AtomicAction,
    arguments: Mapping[str, Json],
    pending: Mapping[str, Json],
    now: datetime,
    profile: VenueProfile,
) -> Grounded | Doubt:
    """Arguments of which some were typed into their fields, the others as in the plan that waits. What was typed is
    what was said; it only has to be a day, a number of heads and so on, as the rules for words read it."""
    kept = dict(arguments)
    for name, value in arguments.items():
        parameter = action.parameter(name)
        if parameter is None or parameter.role not in _TYPED or value is None or value == pending.get(name):
            continue
        said = Words((str(value),), now, profile)
        judged = said.ground(action, {name: value}, None, {}, expected=parameter.role)
        if isinstance(judged, Doubt):
            return judged
        kept |= judged.arguments
    return Grounded(kept)


def _judged(context: Context, parameter: ActionParameter, value: Json) -> Held | Doubt:
    if parameter.role in _ELSEWHERE:
        return Held(value)
    if context.pending(parameter) == value and parameter.role not in (ParameterRole.DATE, ParameterRole.TIME):
        return Held(value)
    rule = _RULES.get(parameter.role) if parameter.role else _rule_of(parameter, value)
    return rule(context, parameter, value) if rule else Held(value)


def _rule_of(parameter: ActionParameter, value: Json) -> _Rule | None:
    """The rule for a parameter without a role, by what its value is; lists and objects are the venue's own."""
    if isinstance(value, bool):
        return _yes_or_no
    if any(option is not None for option in parameter.json_schema.get("enum", ())):
        return choices.choice
    if isinstance(value, int | float):
        return notes.number
    if not isinstance(value, str):
        return None
    return _FORMATS.get(str(parameter.json_schema.get("format", "")), notes.text)


def _yes_or_no(context: Context, parameter: ActionParameter, value: Json) -> Held | Doubt:
    return choices.yes_or_no(context, parameter, bool(value))
