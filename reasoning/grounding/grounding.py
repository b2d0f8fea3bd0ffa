"""Grounding: checks what a model proposes against the operator's words.

Each value of a planned step must come from the operator's words, from the booking as it was read, or from the plan
being amended (`docs/state-model.md`, "Never assumed"). This holds for every model. The words are read once into
mentions (`language.extraction`). A value is grounded by an asserted mention (`reasoning.grounding.grounding`). An
ungrounded value is asked for. It is corrected only if the words leave one reading and the model's value has no other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime

from contracts.action import ActionParameter, AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.enums import ParameterRole
from contracts.venue import VenueProfile
from language.extraction import Extraction, extract, policy_of
from language.text.invisible import invisible_in, mixed_script_words
from reasoning.execution import placeholders
from reasoning.grounding import choices, contacts, counts, dates, free_text, names
from reasoning.grounding import dates as durations
from reasoning.grounding.context import GroundingContext, Ungrounded


def not_as_it_looks(context: GroundingContext, parameter: ActionParameter, value: Json) -> Ungrounded | None:
    """Return a doubt about a value that reads differently from what is sent, None if there is none: an invisible
    character, or a word that mixes alphabets and that the operator did not write so ("pаyment" with a Cyrillic
    letter)."""
    for text in _texts(value):
        if codes := invisible_in(text, lines=parameter.role is ParameterRole.NOTE):
            return Ungrounded(parameter.role, parameter.name, label=parameter.display_name, invisible=tuple(codes))
        for word in mixed_script_words(text):
            if not any(word in message.text for message in context.evidence.messages):
                return Ungrounded(parameter.role, parameter.name, label=parameter.display_name, mixed_script=word)
    return None


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


__all__ = ["Ungrounded", "ground_arguments", "policy_of"]

_Rule = Callable[[GroundingContext, ActionParameter, Json], Json | Ungrounded]
_RULES: Mapping[ParameterRole, _Rule] = {
    ParameterRole.DATE: dates.ground_date,
    ParameterRole.TIME: dates.ground_time,
    ParameterRole.COUNT: counts.ground_count,
    ParameterRole.EMAIL: contacts.ground_email,
    ParameterRole.PHONE: contacts.ground_phone,
    ParameterRole.FIRST_NAME: names.ground_name,
    ParameterRole.LAST_NAME: names.ground_name,
    ParameterRole.CHOICE: choices.ground_choice,
    ParameterRole.NOTE: free_text.ground_text,
    ParameterRole.DURATION: durations.ground_duration,
    ParameterRole.TIME_ZONE: choices.ground_choice,
}
_ELSEWHERE = frozenset({ParameterRole.BOOKING, ParameterRole.SEARCH})
"""Roles that other rules judge: the booking, and search terms."""
_FORMATS: Mapping[str, _Rule] = {"date": dates.ground_date, "email": contacts.ground_email}


def ground_arguments(
    words: Extraction,
    action: AtomicAction,
    arguments: Mapping[str, Json],
    booking: BookingSummary | None,
    amended: Mapping[str, Json],
    *,
    others: Sequence[BookingSummary] = (),
    expected: ParameterRole | None = None,
    taken: Collection[str] = (),
) -> dict[str, Json] | Ungrounded:
    """Ground each argument in the operator's words. `amended` are the step's values in the plan being changed, `others`
    the bookings known in the chat, `expected` what our own last question asked for, `taken` the values of the plan's
    other steps."""
    # What another step writes down is that step's; a day or an hour by itself is no text.
    texts = [value for value in taken if not value.isdecimal()]
    proposed = tuple(value for value in arguments.values() if isinstance(value, str))
    evidence = words.excluding(texts)
    heads = [arguments.get(p.name) for p in action.with_role(ParameterRole.COUNT)]
    if len(heads) == 1 and isinstance(heads[0], int) and not action.with_role(ParameterRole.BOOKING):
        evidence = evidence.assume_count(heads[0])
    context = GroundingContext(
        evidence.for_booking(booking, others),
        booking,
        amended,
        expected,
        proposed,
        words.before,
        frozenset(taken),
    )
    kept: dict[str, Json] = {}
    for name, value in arguments.items():
        parameter = action.parameter(name)
        if parameter is None or value is None or placeholders.present({name: value}):
            kept[name] = value
            continue
        judged = _judged(context, parameter, value)
        if isinstance(judged, Ungrounded):
            return judged
        if parameter.role not in _ELSEWHERE and (odd := not_as_it_looks(context, parameter, judged)):
            return odd
        if judged is not None:
            kept[name] = judged
    return kept


_TYPED = frozenset(
    {ParameterRole.DATE, ParameterRole.TIME, ParameterRole.COUNT, ParameterRole.EMAIL, ParameterRole.PHONE}
)
"""Roles whose values a field cannot tell from others: each must be read as one of its kind."""


def ground_typed(
    action: AtomicAction,
    arguments: Mapping[str, Json],
    pending: Mapping[str, Json],
    now: datetime,
    profile: VenueProfile,
) -> dict[str, Json] | Ungrounded:
    """Ground arguments of which some were typed into their fields, the others as in the waiting plan. A typed value
    counts as asserted. It only has to be a valid day, head count and so on, by the rules for words."""
    kept = dict(arguments)
    for name, value in arguments.items():
        parameter = action.parameter(name)
        if parameter is None or parameter.role not in _TYPED or value is None or value == pending.get(name):
            continue
        statements = extract((str(value),), now, profile)
        judged = ground_arguments(statements, action, {name: value}, None, {}, expected=parameter.role)
        if isinstance(judged, Ungrounded):
            return judged
        kept |= judged
    return kept


def _judged(context: GroundingContext, parameter: ActionParameter, value: Json) -> Json | Ungrounded:
    if parameter.role in _ELSEWHERE:
        return value
    if context.pending(parameter) == value and parameter.role not in (ParameterRole.DATE, ParameterRole.TIME):
        return value
    rule = _RULES.get(parameter.role) if parameter.role else _rule_of(parameter, value)
    return rule(context, parameter, value) if rule else value


def _rule_of(parameter: ActionParameter, value: Json) -> _Rule | None:
    """Return the rule for a parameter without a role, by the type of its value. Lists and objects are the venue's
    own."""
    if isinstance(value, bool):
        return _yes_or_no
    if any(option is not None for option in parameter.json_schema.get("enum", ())):
        return choices.ground_choice
    if isinstance(value, int | float):
        return free_text.number
    if not isinstance(value, str):
        return None
    return _FORMATS.get(str(parameter.json_schema.get("format", "")), free_text.ground_text)


def _yes_or_no(context: GroundingContext, parameter: ActionParameter, value: Json) -> Json | Ungrounded:
    return choices.ground_flag(context, parameter, bool(value))
