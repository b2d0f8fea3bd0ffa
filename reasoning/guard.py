"""The guard: what stands between a model and the venue while a confirmed plan runs.

A call passes only if it is the plan's next action with the values the operator confirmed, which are sent in the form
that was confirmed, however the model writes them. The model may resolve placeholders and fill a gap with what the
operator's answer to its question says (`reasoning/answers.py`). The guard stands where the effect happens, since
approval in one place is bypassed through another.
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
from contracts.enums import ParameterRole
from contracts.model import ToolCall
from language.contacts import unmarked
from reasoning import placeholders
from reasoning.checklist import Point

_DECISIVE = frozenset({ParameterRole.BOOKING, ParameterRole.DATE, ParameterRole.TIME, ParameterRole.COUNT})
"""Roles whose values are the substance of a plan: filling one in later would change what was confirmed."""


@dataclass(frozen=True, slots=True)
class Go:
    """The call may run, with these values."""

    parameters: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Mend:
    """The call is not right yet; the model is told why and may try again. `point` of the checklist does not hold."""

    problem: str
    point: Point = field(default=Point.VALID, compare=False)


@dataclass(frozen=True, slots=True)
class Widens:
    """The call would do more or other than was confirmed: the plan fails. `point` of the checklist does not hold."""

    reason: str
    point: Point = field(default=Point.CONFIRMED, compare=False)


Verdict = Go | Mend | Widens


def judge(
    call: ToolCall,
    action: AtomicAction,
    confirmed: Mapping[str, Json],
    plan_actions: frozenset[str],
    outputs: Mapping[int, Json],
    *,
    answered: bool,
    judged: bool = True,
) -> Verdict:
    """Judge a model's call against the plan's next step.

    `confirmed` are the step's values as confirmed, `outputs` what earlier steps put out, `answered` whether the
    operator has answered a question during this execution. `judged` is False for replies from before values were held
    against answers (`ToolCall.filled`).
    """
    if call.name != action.name:
        if call.name in plan_actions:
            return Mend(f"The next step of the confirmed plan is {action.name}; call it first.", Point.FITTING)
        return Widens(f"“{call.name}” is not part of the plan that was confirmed", Point.REQUESTED)
    try:
        wanted = placeholders.resolve(confirmed, outputs)
    except placeholders.UnresolvedError as missing:
        return Widens(f"a value is missing: {missing}", Point.COMPLETE)
    values = dict(wanted)
    for name, given in call.arguments.items():
        parameter = action.parameter(name)
        if parameter is None:
            return Mend(f"{action.name} has no parameter {name}.")
        if given is None or placeholders.present({name: given}):
            continue
        if name in wanted:
            if not same_meaning(parameter.role, wanted[name], given):
                return Widens(f"{parameter.name} would become {given} instead of {wanted[name]}")
            values[name] = wanted[name]
        elif parameter.role in _DECISIVE:
            return Widens(f"{parameter.name} = {given} was not part of the plan that was confirmed")
        elif name in call.filled:
            values[name] = call.filled[name]
        elif not answered:
            told = f"{name} was not confirmed: ask the operator for it with ask_operator, or leave it out."
            return Mend(told, Point.REQUESTED)
        elif judged:
            told = f"The operator's answer does not say that {name} is {given}: ask about {name}, or leave it out."
            return Mend(told, Point.UNAMBIGUOUS)
        else:
            values[name] = given
    if call.problems:
        return Mend(" ".join(call.problems))
    return Go(values)


def too_soon(call: ToolCall, action: AtomicAction, later: Sequence[Mapping[str, Json]]) -> bool:
    """Whether a call is that of a step of the same action that is still to come, by all of its confirmed values and no
    other: called before its turn, it widens nothing."""
    given = {name: value for name, value in call.arguments.items() if value is not None}
    roles = {p.name: p.role for p in action.parameters}
    return call.name == action.name and any(
        given.keys() == confirmed.keys()
        and all(same_meaning(roles.get(name), value, given[name]) for name, value in confirmed.items())
        for confirmed in later
    )


def same_meaning(role: ParameterRole | None, confirmed: Json, given: Json) -> bool:
    """Whether two ways of writing a value mean the same for a parameter of this role."""
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
    """Whether there is more than one way to write it: text and numbers, but not true, null, lists and objects."""
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
    """The same subscriber. Where only one of them names a country, the other is taken to be of that country.

    Two numbers in service are compared by the country's own plan, which knows where a zero is part of the number
    (Italy) and where figures in front are a country's and where not. Where the plan does not know one of them, zeros in
    front and "00" are a matter of form; `phonenumbers.is_number_match` would tell such spellings apart."""
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
    """The number in E.164 by the plan of its own country, else of this one (a calling code); None where it has none."""
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
