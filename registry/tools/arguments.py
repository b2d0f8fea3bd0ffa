"""Checks a model's arguments for an action, with messages that let the model correct them.

Before, it converts them to the types of the action: models write `"15"` for 15, and 8231 for "8231". Only lossless
conversions are made, at every level. Any other mistake stays as written, and is reported.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from ipaddress import IPv4Address, IPv6Address
from math import isfinite
from typing import Any
from uuid import UUID

from jsonschema import validators
from jsonschema.exceptions import ValidationError

from contracts import limits
from contracts.action import ActionParameter, AtomicAction
from contracts.base import Node, Schema, Value
from contracts.enums import ParameterRole
from contracts.identifiers import step_output
from registry.errors import did_you_mean
from registry.http.coerce import converted, is_any
from registry.http.request import null_is_sent, split_path, wire_problem
from registry.openapi.regex import Validator
from registry.openapi.schema_reading import properties_of, types_of
from registry.secrets.names import Sensitivity, secrets_in

CLOCK = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_TIME = re.compile(rf"{CLOCK.pattern}(:([0-5][0-9]|60)(\.[0-9]+)?)?([zZ]|[+-]{CLOCK.pattern})?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EMAIL = re.compile(r"[^@\s,;<>]+@[^@\s.,;<>]+(\.[^@\s.,;<>]+)+")
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def is_clock(value: str) -> bool:
    """Return whether a text is HH:MM on a 24-hour clock."""
    return CLOCK.fullmatch(value) is not None


def is_day(value: str) -> bool:
    """Return whether a text is an existing day, written YYYY-MM-DD."""
    return _DAY.fullmatch(value) is not None and _read(date.fromisoformat, value)


def is_email(value: str) -> bool:
    """Return whether a text is one address with a domain that has a dot."""
    return _EMAIL.fullmatch(value) is not None


def format_problem(value: object, format_: str) -> str | None:
    """Return what violates the format of `value`, as the end of a sentence; None when nothing does, or the format is
    unknown."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        bits = {"int32": 31, "int64": 63}.get(format_)
        fits = bits is None or -(2**bits) <= value < 2**bits
        return None if fits else f"{value!r} does not fit into {format_[3:]} bits"
    check = _CHECKS.get(format_)
    if not isinstance(value, str) or check is None or check[0](value):
        return None
    return f"{value!r} is {check[1]}"


def _read(parse: Callable[[str], object], value: str) -> bool:
    try:
        parse(value)
    except ValueError:
        return False
    return True


def _is_moment(value: str) -> bool:
    # The zone may be missing, because many APIs use date-time for the venue's local time.
    day, time = value[:10], value[11:]
    well_formed = is_day(day) and value[10:11] in ("T", "t", " ") and _TIME.fullmatch(time) is not None
    return well_formed and _read(datetime.fromisoformat, f"{day}T{time[:5]}")


_CHECKS: dict[str, tuple[Callable[[str], bool], str]] = {
    "date": (is_day, "not a day; write it as YYYY-MM-DD, such as 2026-11-28"),
    "time": (
        lambda value: _TIME.fullmatch(value) is not None,
        "not a time of day; write it as HH:MM on a 24-hour clock, such as 15:00",
    ),
    "date-time": (_is_moment, "not a day and time; write it as 2026-11-28T15:00:00Z"),
    "email": (is_email, "not an e-mail address"),
    "uuid": (lambda value: _UUID.fullmatch(value) is not None and _read(UUID, value), "not a UUID"),
    "ipv4": (lambda value: _read(IPv4Address, value), "not an IPv4 address"),
    "ipv6": (lambda value: _read(IPv6Address, value), "not an IPv6 address"),
}


_STEP, _FIELD = re.compile(r"[1-9]"), re.compile(r"[A-Za-z_]")  # what they begin with


def _by_format(_validator: object, format_: str, value: Value, _schema: Schema) -> Iterator[ValidationError]:
    if isinstance(format_, str) and (problem := format_problem(value, format_)):
        yield ValidationError(problem)


_Validator: Any = validators.extend(Validator, {"format": _by_format})  # type: ignore[no-untyped-call]


def is_placeholder(value: Value) -> bool:
    """Return whether a text is one whole `{{step_N.field}}`."""
    found = step_output(value)
    return found is not None and bool(_STEP.match(found[0]) and _FIELD.match(found[1]))


def argument_problems(action: AtomicAction, arguments: Mapping[str, Value]) -> list[str]:
    """Return what is wrong with `arguments`, one sentence each; [] when nothing is.

    A null counts as not given, except where the operation requires a property that may be null.
    """
    problems = []
    names = [p.name for p in action.parameters]
    nulls = {p.name for p in action.parameters if null_is_sent(p)}
    given = {name: value for name, value in arguments.items() if value is not None or name in nulls}
    for name in arguments:
        if name not in names:
            problems.append(f"{name}: this action has no such argument; {did_you_mean(name, names)}".rstrip("; "))
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
    """Return the first violation of a schema by a value; None when there is none."""
    error = next(iter(_Validator(schema).iter_errors(value)), None)
    return _problem_text(error) if error is not None else None


def _unwritable(action: AtomicAction, parameter: ActionParameter, value: Value) -> list[str]:
    """Return problems of values that the request cannot hold, such as a line break in a header."""
    if _holds_placeholder(value):
        return []
    if _broken(value):
        return [f"{parameter.name}: holds a character or number that cannot be sent"]
    reason = wire_problem(action.operation, parameter.target, value) if parameter.target else None
    return [f"{parameter.name}: {reason}"] if reason else []


def _secret(parameter: ActionParameter, value: Value) -> list[str]:
    """Return problems of names that an open object would accept but no model may fill in."""
    least = Sensitivity.CERTAIN if parameter.sensitive is False else Sensitivity.LIKELY
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
    return [f"{_place(parameter, e)}: {_problem_text(e)}" for e in errors if not is_placeholder(e.instance)]


def _place(parameter: ActionParameter, error: ValidationError) -> str:
    return parameter.name + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)


def _problem_text(error: ValidationError) -> str:
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


def fitted_arguments(action: AtomicAction, arguments: Mapping[str, Value]) -> dict[str, Value]:
    """Return the arguments, each converted to its parameter's schema where possible."""
    schemas = {p.name: p.json_schema for p in action.parameters}
    return {name: _fitted(value, schemas.get(name)) for name, value in arguments.items()}


def _fitted(value: Value, schema: Node) -> Value:
    if not isinstance(schema, dict) or value is None or is_placeholder(value):
        return value
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        return _by_option(value, schema, options)
    types = types_of(schema)
    if isinstance(value, str) and not is_any(value, types) and {"array", "object"} & {*types}:
        value = _document(value, types)
    if isinstance(value, list):
        first, items = schema.get("prefixItems") or [], schema.get("items")
        return [_fitted(one, first[index] if index < len(first) else items) for index, one in enumerate(value)]
    if isinstance(value, dict):
        known, other = properties_of(schema), schema.get("additionalProperties")
        return {name: _fitted(one, known.get(name, other)) for name, one in value.items()}
    if not types or is_any(value, types):
        return value
    return next((found for kind in types if (found := converted(value, kind)) is not None), value)


def _by_option(value: Value, schema: Schema, options: list[Node]) -> Value:
    """Return the value converted by the first option that then accepts it; unchanged if one accepts it as it is."""
    if Validator(schema).is_valid(value):
        return value
    tries = [(fitted, option) for option in options if (fitted := _fitted(value, option)) != value]
    return next((fitted for fitted, option in tries if Validator(option).is_valid(fitted)), value)


def _document(text: str, types: list[str]) -> Value:
    """Return the list or the object that a text contains as JSON; else the text."""
    try:
        found: Value = limits.parse_json(text, limits.ARGUMENT_DEPTH)
    except ValueError:
        return text
    return found if isinstance(found, list | dict) and is_any(found, types) else text
