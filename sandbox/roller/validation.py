"""Malformed requests in ROLLER's error form: each names its field and the expected value."""

from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from sandbox.roller.errors import BadRequestError, ErrorItem, RollerErrorBody
from sandbox.roller.schemas import FORMAT_ERROR, Day, Time

_WORDS = {
    "missing": "is required",
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "json_invalid": "must be valid JSON",
    "string_too_long": "must be at most {max_length} characters",
    "string_too_short": "must be at least {min_length} characters",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "too_short": "must have at least {min_length} entries",
    "literal_error": "must be one of {expected}",
}
_DAY: TypeAdapter[str] = TypeAdapter(Day)
_TIME: TypeAdapter[str] = TypeAdapter(Time)


def malformed(errors: Sequence[Any]) -> RollerErrorBody:
    """Return the 400 body for pydantic's error list, one entry for each field."""
    return {"errors": [_explain(error) for error in errors]}


def require_day(name: str, value: str) -> str:
    """Return a query value that is a day. Raises `BadRequestError` that names it."""
    return _require(_DAY, name, value)


def require_time(name: str, value: str) -> str:
    """Return a query value that is a time of day. Raises `BadRequestError` that names it."""
    return _require(_TIME, name, value)


def require_ids(name: str, value: str) -> set[int]:
    """Return a query value that is a comma separated list of ids. Raises `BadRequestError` that names it."""
    parts = [part.strip() for part in value.split(",") if part.strip()]
    if not parts or not all(part.isascii() and part.isdigit() for part in parts):
        raise BadRequestError(name, f"{name} must be ids separated by commas, for example 61001,61002")
    return {int(part) for part in parts}


def _require(adapter: TypeAdapter[str], name: str, value: str) -> str:
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        raise BadRequestError(name, f"{name} {error.errors()[0]['msg']}") from error


def _explain(error: Any) -> ErrorItem:
    location = list(error["loc"][1:]) or ["body"]
    # A body that is not JSON has the offset where reading stopped, not a field.
    if error["type"] == "json_invalid":
        location = ["body"]
    names = [part for part in location if isinstance(part, str)]
    words = error["msg"] if error["type"] == FORMAT_ERROR else _WORDS.get(error["type"], error["msg"])
    if error["type"] != FORMAT_ERROR:
        words = words.format(**error.get("ctx", {}))
    # The keys of metadata are the caller's own names, not fields.
    name = "metadata" if "metadata" in names else names[-1] if names else "body"
    return {"name": name, "message": f"{_path(location)} {words}"}


def _path(location: list[Any]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path
