"""The guard: checks each call of a model before it reaches the venue while a confirmed plan runs.

A call passes only if it is the plan's next action with the values the operator confirmed. It is sent with the values
in the confirmed form, however the model writes them. The model may resolve placeholders and fill a gap from the
operator's answer to its question (`reasoning/grounding/answers.py`). The guard is at the point of the effect, because
approval in one place is bypassed through another.

A step whose values are all confirmed, or outputs of earlier steps, needs no model; the same guard judges its call.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from phonenumbers import (
    COUNTRY_CODE_TO_REGION_CODE,
    NumberParseException,
    PhoneNumberFormat,
    format_number,
    is_valid_number,
    parse,
    region_code_for_country_code,
)

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.chat_completion import ChatMessage, ToolCall
from contracts.enums import ParameterRole
from contracts.step_activities import ActReply
from language.contacts.contacts import unmarked
from reasoning.critique.triggers import CheckItem
from reasoning.execution import placeholders

_DECISIVE = frozenset({ParameterRole.BOOKING, ParameterRole.DATE, ParameterRole.TIME, ParameterRole.COUNT})
"""Roles whose values are the substance of a plan: filling one in later would change what was confirmed."""


@dataclass(frozen=True, slots=True)
class Allow:
    """The call may run, with these values."""

    parameters: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Correct:
    """The call is not right yet. The model gets the reason and may try again. `point` of the checklist does not
    hold."""

    problem: str
    point: CheckItem = field(default=CheckItem.VALID, compare=False)


@dataclass(frozen=True, slots=True)
class ExceedsPlan:
    """The call would do more or other than was confirmed: the plan fails. `point` of the checklist does not hold."""

    reason: str
    point: CheckItem = field(default=CheckItem.CONFIRMED, compare=False)


Verdict = Allow | Correct | ExceedsPlan


def judge(
    call: ToolCall,
    action: AtomicAction,
    confirmed: Mapping[str, Json],
    plan_actions: frozenset[str],
    outputs: Mapping[int, Json],
    *,
    answered: bool,
) -> Verdict:
    """Judge a model's call against the plan's next step.

    `confirmed` are the step's values as confirmed, `outputs` what earlier steps put out, `answered` whether the
    operator has answered a question during this execution.
    """
    if call.name != action.name:
        if call.name in plan_actions:
            return Correct(f"The next step of the confirmed plan is {action.name}; call it first.", CheckItem.FITTING)
        return ExceedsPlan(f"“{call.name}” is not part of the plan that was confirmed", CheckItem.REQUESTED)
    try:
        wanted = placeholders.resolve(confirmed, outputs)
    except placeholders.UnresolvedError as missing:
        return ExceedsPlan(f"a value is missing: {missing}", CheckItem.COMPLETE)
    values = dict(wanted)
    for name, given in call.arguments.items():
        parameter = action.parameter(name)
        if parameter is None:
            return Correct(f"{action.name} has no parameter {name}.")
        if given is None or placeholders.present({name: given}):
            continue
        if name in wanted:
            if not same_meaning(parameter.role, wanted[name], given):
                return ExceedsPlan(f"{parameter.name} would become {given} instead of {wanted[name]}")
            values[name] = wanted[name]
        elif parameter.role in _DECISIVE:
            return ExceedsPlan(f"{parameter.name} = {given} was not part of the plan that was confirmed")
        elif name in call.filled:
            values[name] = call.filled[name]
        elif not answered:
            text = f"{name} was not confirmed: ask the operator for it with ask_operator, or leave it out."
            return Correct(text, CheckItem.REQUESTED)
        else:
            text = f"The operator's answer does not say that {name} is {given}: ask about {name}, or leave it out."
            return Correct(text, CheckItem.UNAMBIGUOUS)
    if call.problems:
        return Correct(" ".join(call.problems))
    return Allow(values)


def is_later_step(call: ToolCall, action: AtomicAction, later: Sequence[Mapping[str, Json]]) -> bool:
    """Return whether a call is that of a later step of the same action, with all of its confirmed values and no others.
    Such a call is early but does not exceed the plan."""
    given = {name: value for name, value in call.arguments.items() if value is not None}
    roles = {p.name: p.role for p in action.parameters}
    return call.name == action.name and any(
        given.keys() == confirmed.keys()
        and all(same_meaning(roles.get(name), value, given[name]) for name, value in confirmed.items())
        for confirmed in later
    )


def same_meaning(role: ParameterRole | None, confirmed: Json, given: Json) -> bool:
    """Return whether two spellings of a value mean the same for a parameter of this role."""
    if not _written(confirmed) or not _written(given):
        return type(confirmed) is type(given) and json.dumps(confirmed) == json.dumps(given)
    if confirmed == given:
        return True
    a, b = str(confirmed).strip(), str(given).strip()
    match role:
        case ParameterRole.TIME:
            return _minutes(a) is not None and _minutes(a) == _minutes(b)
        case ParameterRole.PHONE:
            return _same_phone(a, b)
        case ParameterRole.COUNT:
            return a.isdecimal() and b.isdecimal() and int(a) == int(b)
        case ParameterRole.BOOKING:
            return a == b
        case ParameterRole.DATE:
            return _day(a) is not None and _day(a) == _day(b)
        case _:
            return " ".join(a.split()).casefold() == " ".join(b.split()).casefold()


def _written(value: Json) -> bool:
    """Return whether a value has more than one spelling: text and numbers, but not true, null, lists and objects."""
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _minutes(text: str) -> int | None:
    match = re.fullmatch(r"(\d{1,2})(?:[:.h](\d{2}))?(?::00)?\s*([ap])?\.?m?\.?", text.casefold())
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2] or 0)
    if match[3]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match[3] == "p" else 0)
    return hour * 60 + minute if hour < 24 and minute < 60 else None


def _same_phone(a: str, b: str) -> bool:
    """Return whether two numbers are the same subscriber. If only one names a country, it counts for both.

    Two numbers in service are compared by the country's own plan, which knows where a zero is part of the number
    (Italy) and where figures in front are a country's and where not. Where the plan does not know one of them, zeros in
    front and "00" are a matter of form; `phonenumbers.is_number_match` would tell such spellings apart.
    """
    (country, number), (other_country, other_number) = _phone(a), _phone(b)
    if not number or not other_number:
        return False
    named = country or other_country
    first, second = (_in_service(text, named) if named else None for text in (a, b))
    if first and second:
        return first == second
    if any(known and known.startswith(f"+{named}0") for known in (first, second)):
        # The zero is part of this number, and the other has none in service that it could be.
        return False
    if bool(country) == bool(other_country):
        return (country, number) == (other_country, other_number)
    if number == other_number:
        return True
    # Figures that are a number of the country as they stand do not begin with the country's own.
    bare_is_known = second if country else first
    return bare_is_known is None and (number == other_country + other_number or country + number == other_number)


def _in_service(text: str, country: str) -> str | None:
    """Return the number in E.164 by the plan of its own country, else of this one (a calling code); None if it has
    none."""
    text = unmarked(text)
    text = f"+{text[2:]}" if text.startswith("00") else text
    try:
        number = parse(text, region_code_for_country_code(int(country)))
    except NumberParseException:
        return None
    return format_number(number, PhoneNumberFormat.E164) if is_valid_number(number) else None


def _phone(text: str) -> tuple[str, str]:
    """(country calling code, digits without a trunk zero); the code is "" where none is written."""
    text = unmarked(text.replace("(0)", ""))
    digits = re.sub(r"[^0-9]", "", text)
    if not text.startswith("+") and not digits.startswith("00"):
        return "", digits.lstrip("0")
    digits = digits if text.startswith("+") else digits[2:]
    for length in (1, 2, 3):
        if digits[:length] and int(digits[:length]) in COUNTRY_CODE_TO_REGION_CODE:
            return digits[:length], digits[length:].lstrip("0")
    return digits, ""


def _day(text: str) -> tuple[int, int, int] | None:
    match = re.fullmatch(r"(\d{4})-?(\d{2})-?(\d{2})(?:T00:00(?::00)?Z?)?", text)
    if match:
        return int(match[1]), int(match[2]), int(match[3])
    match = re.fullmatch(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})", text)
    return (int(match[3]), int(match[2]), int(match[1])) if match else None


_SAME_TWICE = frozenset({"PUT", "DELETE"})


def may_be_sent_again(action: AtomicAction, refused: ActReply) -> bool:
    """Return whether a second request is safe whatever the outcome of the first. A rejection that proves that nothing
    was processed is enough for a change. A creation also needs an idempotency key. A read that shows nothing proves
    nothing: a gateway may pass a rejected request on, late, and a second one would create a second booking."""
    if not refused.sent:
        return True
    if _makes_new(action):
        return refused.unprocessed and (action.marker is not None or action.idempotency_header is not None)
    return refused.unprocessed or action.idempotent or action.operation.method.upper() in _SAME_TWICE


def _makes_new(action: AtomicAction) -> bool:
    reads = action.verify.reads if action.verify is not None else ()
    return bool(reads) or not action.with_role(ParameterRole.BOOKING)


def certain(action: AtomicAction, confirmed: Mapping[str, Json], outputs: Mapping[int, Json]) -> bool:
    """Return whether a step can be sent as it was confirmed; `outputs` are those of earlier steps, by index."""
    try:
        values = placeholders.resolve(confirmed, outputs)
    except placeholders.UnresolvedError:
        return False
    return all(values.get(p.name) is not None for p in action.parameters if p.required)


_OWN = "direct-"


def direct_call(step: int, action: AtomicAction, confirmed: Mapping[str, Json]) -> ToolCall:
    """Return the call with its confirmed values; placeholders for another step's output stay."""
    return ToolCall(id=f"{_OWN}{step}", name=action.name, arguments=dict(confirmed), kind="write")


def ends_with_own(talk: Sequence[ChatMessage]) -> bool:
    """Return whether the last calls of a conversation were made by code. A model with signed calls rejects unsigned
    ones in the current turn, so a new turn must begin before the model is called."""
    last = next((m for m in reversed(talk) if m.role != "tool"), None)
    return last is not None and any(one.id.startswith(_OWN) for one in last.tool_calls)
