"""A plan that waits, with values that its operator typed into it. Nothing else of it changes."""

import contextlib
import math
import re
from collections.abc import Sequence
from datetime import date, time

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.drafting import Arrangement
from contracts.effects import DraftedStep
from contracts.enums import ParameterRole
from contracts.messages import EditedValue
from contracts.model import ToolCall
from language.catalogue import say
from language.invisible import invisible_in

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_TIME = re.compile(r"\d{1,2}:\d{2}")
_FEW = 8
"""Choices that are told one by one."""


def edited_calls(steps: Sequence[DraftedStep], values: Sequence[EditedValue], behind: int = 0) -> tuple[ToolCall, ...]:
    """The calls of these steps with the typed values in their places; none where a value has no place: a step or a
    parameter that there is not, or which booking is meant, which is another request. An empty text takes an optional
    value out. The steps are told `behind` so many looks, which are counted with them and have no value to type."""
    arguments = [dict(step.parameters) for step in steps]
    for typed in values:
        place = typed.step - behind
        parameter = steps[place - 1].action.parameter(typed.parameter) if 1 <= place <= len(steps) else None
        if parameter is None or parameter.role is ParameterRole.BOOKING:
            return ()
        value = _as_it_is_sent(parameter, typed.value)
        if value == "" and not parameter.required:
            arguments[place - 1].pop(typed.parameter, None)
        else:
            arguments[place - 1][typed.parameter] = value
    return tuple(
        ToolCall(
            id=f"edited-{number}",
            name=step.action.name,
            arguments=given,
            kind="write",
            bookings=tuple(p.name for p in step.action.with_role(ParameterRole.BOOKING)),
        )
        for number, (step, given) in enumerate(zip(steps, arguments, strict=True), 1)
    )


def misfit(steps: Sequence[DraftedStep], values: Sequence[EditedValue], today: date | None, behind: int = 0) -> str:
    """Why a typed value does not fit, as far as its parameter tells: in words, "" where nothing is known. `today` is
    the venue's, if that is known."""
    for typed in values:
        number = typed.step - behind
        parameter = steps[number - 1].action.parameter(typed.parameter) if 1 <= number <= len(steps) else None
        if parameter is None or parameter in steps[number - 1].action.with_role(ParameterRole.BOOKING):
            return say("edit.no_such_value", name=typed.parameter, step=typed.step)
        if why := _why_not(parameter, _as_it_is_sent(parameter, typed.value), today):
            return why
    return ""


def _why_not(parameter: ActionParameter, value: Json, today: date | None) -> str:
    schema, name = parameter.json_schema, parameter.told
    if schema.get("type") in ("integer", "number"):
        if isinstance(value, bool) or not isinstance(value, int | float):
            return say("edit.no_number", name=_head(name))
        least, most = schema.get("minimum"), schema.get("maximum")
        if isinstance(least, int | float) and value < least:
            return say("edit.least", name=_head(name), least=_plain(least))
        if isinstance(most, int | float) and value > most:
            return say("edit.most", name=_head(name), most=_plain(most))
    return _why_no_text(parameter, value, today) if isinstance(value, str) else ""


def _why_no_text(parameter: ActionParameter, value: str, today: date | None) -> str:
    schema, name = parameter.json_schema, _head(parameter.told)
    longest, choices = schema.get("maxLength"), schema.get("enum")
    codes = invisible_in(value, lines=parameter.role is ParameterRole.NOTE)
    # A phone number that was copied may have marks around it, and is kept without them.
    if codes and parameter.role is not ParameterRole.PHONE:
        return say("ask.invisible", name=name, codes=codes)
    if isinstance(longest, int) and len(value) > longest:
        return say("edit.too_long", name=name, most=longest)
    match parameter.role:
        case ParameterRole.DATE:
            try:
                past = today is not None and date.fromisoformat(value) < today
            except ValueError:
                return say("edit.no_day" if _DAY.fullmatch(value) else "edit.day_form", name=name)
            return say("edit.past", name=name) if past else ""
        case ParameterRole.TIME:
            try:
                time.fromisoformat(value)
            except ValueError:
                return say("edit.no_time" if _TIME.fullmatch(value) else "edit.time_form", name=name)
    if isinstance(choices, list) and value not in choices:
        if parameter.role is ParameterRole.TIME_ZONE:
            return say("edit.no_zone", name=name)
        return say("edit.no_choice", name=name, choices=[str(c) for c in choices] if len(choices) <= _FEW else [])
    return ""


def _plain(bound: float) -> str:
    return f"{bound:.0f}" if float(bound).is_integer() else str(bound)


def _head(name: str) -> str:
    return name[:1].upper() + name[1:]


def _as_it_is_sent(parameter: ActionParameter, value: str | bool | int | float) -> Json:
    """A number typed as text is the number, where the operation wants one."""
    wanted = parameter.json_schema.get("type")
    if isinstance(value, str):
        text = value.strip()
        with contextlib.suppress(ValueError, OverflowError):
            if wanted == "integer":
                return int(text)
            if wanted == "number" and math.isfinite(float(text)):
                return float(text)
        return text
    return str(value) if wanted == "string" and not isinstance(value, bool) else value


def arranged_again(steps: Sequence[DraftedStep]) -> tuple[Arrangement, ...]:
    """How the steps of a plan stand to one another, as a model would say it."""
    found = []
    for number, step in enumerate(steps, 1):
        on = step.when
        found.append(
            Arrangement(
                step=number,
                optional=step.action.required and not step.required and not _stood_in_for(number, steps),
                only_if_failed=on.step if on is not None and on.ended == "failed" else None,
                only_if_done=on.step if on is not None and on.ended == "completed" else None,
            )
        )
    return tuple(one for one in found if one != Arrangement(step=one.step))


def _stood_in_for(number: int, steps: Sequence[DraftedStep]) -> bool:
    return any(s.when is not None and s.when.step == number and s.when.ended == "failed" for s in steps)
