"""Whether a model's arguments may go into an action, said so that the model can put them right."""

import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from jsonschema import validators
from jsonschema.exceptions import ValidationError

from contracts.action import ActionParameter, AtomicAction
from contracts.base import Schema, Value
from contracts.enums import ParameterRole
from contracts.placeholder import step_output
from registry.faults import nearest
from registry.formats import format_problem, is_clock, is_day, is_email
from registry.request import null_is_sent, wire_problem
from registry.sensitive import Grade, secrets_in
from registry.targets import split_path
from registry.validation import Validator

_STEP, _FIELD = re.compile(r"[1-9]"), re.compile(r"[A-Za-z_]")  # what they begin with


def _by_format(_validator: object, format_: str, value: Value, _schema: Schema) -> Iterator[ValidationError]:
    if isinstance(format_, str) and (problem := format_problem(value, format_)):
        yield ValidationError(problem)


_Validator: Any = validators.extend(Validator, {"format": _by_format})  # type: ignore[no-untyped-call]


def is_placeholder(value: Value) -> bool:
    """True for a text that is one whole `{{step_N.field}}`."""
    found = step_output(value)
    return found is not None and bool(_STEP.match(found[0]) and _FIELD.match(found[1]))


def argument_problems(action: AtomicAction, arguments: Mapping[str, Value]) -> list[str]:
    """What is wrong with `arguments`, one sentence each; [] when nothing is.

    A null counts as not given, except where the operation requires a property that may be null.
    """
    problems = []
    names = [p.name for p in action.parameters]
    nulls = {p.name for p in action.parameters if null_is_sent(p)}
    given = {name: value for name, value in arguments.items() if value is not None or name in nulls}
    for name in arguments:
        if name not in names:
            problems.append(f"{name}: this action has no such argument; {nearest(name, names)}".rstrip("; "))
    for parameter in action.parameters:
        if parameter.name in given:
            value = given[parameter.name]
            problems += _secret(parameter, value)
            problems += _value_problems(parameter, value) or _unwritable(action, parameter, value)
        elif parameter.required:
            problems.append(f"{parameter.name}: is required ({parameter.description})")
    if action.require_any and not any(name in given for name in action.require_any):
        problems.append(f"give at least one of {', '.join(action.require_any)}")
    return problems


def schema_problem(schema: Schema, value: Value) -> str | None:
    """What is wrong with a value by a schema, the first of it; None when nothing is."""
    error = next(iter(_Validator(schema).iter_errors(value)), None)
    return _said(error) if error is not None else None


def _unwritable(action: AtomicAction, parameter: ActionParameter, value: Value) -> list[str]:
    """A value of the right kind that the request cannot hold, such as a line break in a header."""
    if _holds_placeholder(value):
        return []
    if _broken(value):
        return [f"{parameter.name}: holds a character or number that cannot be sent"]
    reason = wire_problem(action.operation, parameter.target, value) if parameter.target else None
    return [f"{parameter.name}: {reason}"] if reason else []


def _secret(parameter: ActionParameter, value: Value) -> list[str]:
    """Names that an open object would take and no model may fill in."""
    least = Grade.CERTAIN if parameter.sensitive is False else Grade.LIKELY
    within = split_path(parameter.target or "")[1:] or [parameter.name]
    found = secrets_in(value, parameter.json_schema, within, least)
    return [f"{parameter.name}: {name} looks like a secret, which no model may give" for name in found]


def _holds_placeholder(value: Value) -> bool:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return is_placeholder(value) or any(map(_holds_placeholder, inside))


def _broken(value: Value) -> bool:
    if isinstance(value, dict):
        return any(_broken(k) or _broken(v) for k, v in value.items())
    if isinstance(value, list):
        return any(map(_broken, value))
    if isinstance(value, str):
        return any("\ud800" <= character <= "\udfff" for character in value)
    return isinstance(value, float) and not isfinite(value)


def _value_problems(parameter: ActionParameter, value: Value) -> list[str]:
    if is_placeholder(value):
        return []
    wrong = _role_problem(parameter, value)
    if wrong:
        return [f"{parameter.name}: {wrong}"]
    errors = _Validator(parameter.json_schema).iter_errors(value)
    return [f"{_place(parameter, e)}: {_said(e)}" for e in errors if not is_placeholder(e.instance)]


def _place(parameter: ActionParameter, error: ValidationError) -> str:
    return parameter.name + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)


def _said(error: ValidationError) -> str:
    rule: Any = error.validator_value
    value: Any = error.instance
    match str(error.validator):
        case "type":
            return f"{value!r} must be {_article(rule)}"
        case "enum":
            return f"{value!r} must be one of {', '.join(map(str, rule))}"
        case "minLength":
            return f"{value!r} is too short: at least {rule} characters"
        case "maxLength":
            return f"is too long: {len(value)} characters, at most {rule}"
        case "minimum":
            return f"{value!r} is too small: at least {rule}"
        case "maximum":
            return f"{value!r} is too large: at most {rule}"
    return error.message


def _article(kind: str | list[str]) -> str:
    words = {"integer": "a whole number", "number": "a number", "boolean": "true or false"}
    words |= {"array": "a list", "object": "an object", "string": "text"}
    kinds = [kind] if isinstance(kind, str) else kind
    return " or ".join(words.get(k, k) for k in kinds)


def _role_problem(parameter: ActionParameter, value: Value) -> str | None:
    if parameter.role is ParameterRole.COUNT and isinstance(value, int) and value < 1:
        return f"{value} must be 1 or more"
    if not isinstance(value, str):
        return None
    if parameter.role is ParameterRole.DATE and not is_day(value):
        return format_problem(value, "date")
    if parameter.role is ParameterRole.TIME and not is_clock(value):
        return f"{value!r} is not a time of day; write it as HH:MM on a 24-hour clock, such as 15:00"
    if parameter.role is ParameterRole.EMAIL and not is_email(value):
        return format_problem(value, "email")
    return None
