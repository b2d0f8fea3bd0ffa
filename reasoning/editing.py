"""A plan that waits, with values that its operator typed into it. Nothing else of it changes."""

import contextlib
import math
from collections.abc import Sequence
from datetime import date

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.drafting import Arrangement
from contracts.effects import DraftedStep
from contracts.enums import ParameterRole
from contracts.messages import EditedValue
from contracts.model import ToolCall
from language.catalogue import say


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
        if parameter is not None and (why := _why_not(parameter, _as_it_is_sent(parameter, typed.value), today)):
            return why
    return ""


def _why_not(parameter: ActionParameter, value: Json, today: date | None) -> str:
    schema, name = parameter.json_schema, parameter.told
    if schema.get("type") in ("integer", "number"):
        if isinstance(value, bool) or not isinstance(value, int | float):
            return say("edit.no_number", name=_head(name))
        least, most = schema.get("minimum"), schema.get("maximum")
        if isinstance(least, int | float) and value < least:
            return say("edit.least", name=_head(name), least=least)
        if isinstance(most, int | float) and value > most:
            return say("edit.most", name=_head(name), most=most)
    if parameter.role is ParameterRole.DATE and isinstance(value, str) and today is not None:
        with contextlib.suppress(ValueError):
            if date.fromisoformat(value) < today:
                return say("edit.past", name=_head(name))
    return ""


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
