"""A waiting plan with values that its operator typed into it. Nothing else in the plan changes."""

import contextlib
import math
import re
from collections.abc import Sequence
from datetime import date, time

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.chat_completion import ToolCall
from contracts.chat_messages import EditedValue
from contracts.drafting import StepDependency
from contracts.enums import ParameterRole
from contracts.step_activities import DraftedStep
from language.messages.catalogue import translate
from language.text.invisible import invisible_in

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_TIME = re.compile(r"\d{1,2}:\d{2}")
_FEW = 8
"""The most choices that are listed one by one."""


def edited_calls(steps: Sequence[DraftedStep], values: Sequence[EditedValue], offset: int = 0) -> tuple[ToolCall, ...]:
    """Return the calls of these steps with the typed values; none if a value fits nowhere: an unknown step or
    parameter, or the booking itself, which is another request. An empty text removes an optional value. Step numbers
    are shown `offset` higher because look-ups are counted with them and have no value to type."""
    arguments = [dict(step.parameters) for step in steps]
    for typed in values:
        index = typed.step - offset
        parameter = steps[index - 1].action.parameter(typed.parameter) if 1 <= index <= len(steps) else None
        if parameter is None or parameter.role is ParameterRole.BOOKING:
            return ()
        value = _as_it_is_sent(parameter, typed.value)
        if value == "" and not parameter.required:
            arguments[index - 1].pop(typed.parameter, None)
        else:
            arguments[index - 1][typed.parameter] = value
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


def misfit(steps: Sequence[DraftedStep], values: Sequence[EditedValue], today: date | None, offset: int = 0) -> str:
    """Return why a typed value does not fit its parameter, in words; "" if no reason is known. `today` is the venue's
    date, if known."""
    for typed in values:
        number = typed.step - offset
        parameter = steps[number - 1].action.parameter(typed.parameter) if 1 <= number <= len(steps) else None
        if parameter is None or parameter in steps[number - 1].action.with_role(ParameterRole.BOOKING):
            return translate("edit.no_such_value", name=typed.parameter, step=typed.step)
        if why := _why_not(parameter, _as_it_is_sent(parameter, typed.value), today):
            return why
    return ""


def _why_not(parameter: ActionParameter, value: Json, today: date | None) -> str:
    schema, name = parameter.json_schema, parameter.display_name
    if schema.get("type") in ("integer", "number"):
        if isinstance(value, bool) or not isinstance(value, int | float):
            return translate("edit.no_number", name=_head(name))
        least, most = schema.get("minimum"), schema.get("maximum")
        if isinstance(least, int | float) and value < least:
            return translate("edit.least", name=_head(name), least=_plain(least))
        if isinstance(most, int | float) and value > most:
            return translate("edit.most", name=_head(name), most=_plain(most))
    return _why_no_text(parameter, value, today) if isinstance(value, str) else ""


def _why_no_text(parameter: ActionParameter, value: str, today: date | None) -> str:
    schema, name = parameter.json_schema, _head(parameter.display_name)
    longest, choices = schema.get("maxLength"), schema.get("enum")
    codes = invisible_in(value, lines=parameter.role is ParameterRole.NOTE)
    # A copied phone number may have marks around it. They are removed.
    if codes and parameter.role is not ParameterRole.PHONE:
        return translate("ask.invisible", name=name, codes=codes)
    if isinstance(longest, int) and len(value) > longest:
        return translate("edit.too_long", name=name, most=longest)
    match parameter.role:
        case ParameterRole.DATE:
            try:
                past = today is not None and date.fromisoformat(value) < today
            except ValueError:
                return translate("edit.no_day" if _DAY.fullmatch(value) else "edit.day_form", name=name)
            return translate("edit.past", name=name) if past else ""
        case ParameterRole.TIME:
            try:
                time.fromisoformat(value)
            except ValueError:
                return translate("edit.no_time" if _TIME.fullmatch(value) else "edit.time_form", name=name)
    if isinstance(choices, list) and value not in choices:
        if parameter.role is ParameterRole.TIME_ZONE:
            return translate("edit.no_zone", name=name)
        return translate("edit.no_choice", name=name, choices=[str(c) for c in choices] if len(choices) <= _FEW else [])
    return ""


def _plain(bound: float) -> str:
    return f"{bound:.0f}" if float(bound).is_integer() else str(bound)


def _head(name: str) -> str:
    return name[:1].upper() + name[1:]


def _as_it_is_sent(parameter: ActionParameter, value: str | bool | int | float) -> Json:
    """Convert a number typed as text, if the operation needs a number."""
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


def arranged_again(steps: Sequence[DraftedStep]) -> tuple[StepDependency, ...]:
    """Return the dependencies of a plan's steps in the form a model uses."""
    found = []
    for number, step in enumerate(steps, 1):
        on = step.when
        found.append(
            StepDependency(
                step=number,
                optional=step.action.required and not step.required and not _stood_in_for(number, steps),
                only_if_failed=on.step if on is not None and on.ended == "failed" else None,
                only_if_done=on.step if on is not None and on.ended == "completed" else None,
            )
        )
    return tuple(one for one in found if one != StepDependency(step=one.step))


def _stood_in_for(number: int, steps: Sequence[DraftedStep]) -> bool:
    return any(s.when is not None and s.when.step == number and s.when.ended == "failed" for s in steps)
