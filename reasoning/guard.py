"""The guard: what stands between a model and the venue while a confirmed plan runs.

A call passes only if it is the plan's next action with the values the operator confirmed. The model
may fill gaps, resolve placeholders and change how a value is written, never what it means (design,
"Two workflows", 1; the guard stands where the effect happens, since approval in one place is bypassed through another).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.effects import ToolCall
from contracts.enums import ParameterRole
from reasoning import placeholders

_DECISIVE = frozenset({ParameterRole.BOOKING, ParameterRole.DATE, ParameterRole.TIME, ParameterRole.COUNT})
"""Roles whose values are the substance of a plan: filling one in later would change what was confirmed."""


@dataclass(frozen=True, slots=True)
class Go:
    """The call may run, with these values."""

    parameters: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Mend:
    """The call is not right yet; the model is told why and may try again."""

    problem: str


@dataclass(frozen=True, slots=True)
class Widens:
    """The call would do more or other than was confirmed: the plan fails."""

    reason: str


Verdict = Go | Mend | Widens


def judge(
    call: ToolCall,
    action: AtomicAction,
    confirmed: Mapping[str, Json],
    plan_actions: frozenset[str],
    outputs: Mapping[int, Json],
    answered: bool,
) -> Verdict:
    """Judge a model's call against the plan's next step.

    `confirmed` are the step's values as confirmed, `outputs` what earlier steps put out, `answered` whether the
    operator has answered a question during this execution.
    """
    if call.name != action.name:
        if call.name in plan_actions:
            return Mend(f"The next step of the confirmed plan is {action.name}; call it first.")
        return Widens(f"“{call.name}” is not part of the plan that was confirmed")
    try:
        wanted = placeholders.resolve(confirmed, outputs)
    except placeholders.Unresolved as missing:
        return Widens(f"a value is missing: {missing}")
    values = dict(wanted)
    for name, given in call.arguments.items():
        parameter = action.parameter(name)
        if parameter is None:
            return Mend(f"{action.name} has no parameter {name}.")
        if given is None or placeholders.reference(given) is not None:
            continue
        if name in wanted:
            if not same_meaning(parameter.role, wanted[name], given):
                return Widens(f"{parameter.name} would become {given} instead of {wanted[name]}")
            values[name] = given
        elif parameter.role in _DECISIVE:
            return Widens(f"{parameter.name} = {given} was not part of the plan that was confirmed")
        elif not answered:
            return Mend(f"{name} was not confirmed: ask the operator for it with ask_operator, or leave it out.")
        else:
            values[name] = given
    if call.problems:
        return Mend(" ".join(call.problems))
    return Go(values)


def same_meaning(role: ParameterRole | None, confirmed: Json, given: Json) -> bool:
    """Whether two ways of writing a value mean the same for a parameter of this role."""
    if confirmed == given:
        return True
    if isinstance(confirmed, bool) or isinstance(given, bool):
        return False
    a, b = str(confirmed).strip(), str(given).strip()
    match role:
        case ParameterRole.TIME:
            return _minutes(a) is not None and _minutes(a) == _minutes(b)
        case ParameterRole.PHONE:
            return _digits(a) != "" and _digits(a) == _digits(b)
        case ParameterRole.COUNT:
            return a.isdigit() and b.isdigit() and int(a) == int(b)
        case ParameterRole.DATE:
            return _day(a) is not None and _day(a) == _day(b)
        case _:
            return " ".join(a.split()).casefold() == " ".join(b.split()).casefold()


def _minutes(text: str) -> int | None:
    match = re.fullmatch(r"(\d{1,2})(?:[:.h](\d{2}))?(?::00)?\s*([ap])?\.?m?\.?", text.casefold())
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2] or 0)
    if match[3]:
        hour = hour % 12 + (12 if match[3] == "p" else 0)
    return hour * 60 + minute if hour < 24 and minute < 60 else None


def _digits(text: str) -> str:
    """National digits: without a country prefix's plus, a trunk zero or punctuation, the last nine at most."""
    return re.sub(r"\D", "", text).lstrip("0")[-9:]


def _day(text: str) -> tuple[int, int, int] | None:
    match = re.fullmatch(r"(\d{4})-?(\d{2})-?(\d{2})(?:T00:00(?::00)?Z?)?", text)
    if match:
        return int(match[1]), int(match[2]), int(match[3])
    match = re.fullmatch(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})", text)
    return (int(match[3]), int(match[2]), int(match[1])) if match else None
