"""Parses the code and the text of an error response, at the paths that the pack declares or else at the usual ones."""

from collections.abc import Iterable, Mapping

from contracts.base import Answer, Value
from contracts.credentials import AuthScheme
from registry.templating.values_at import values_at

ROW_NAMES = ("errors", "error", "fault", "detail", "details")
CODE_NAMES = ("code", "name", "errorcode", "error_code", "errortype", "type", "reason", "error")
_WORDS = (
    "message", "errormessage", "error_message", "error_description", "errordescription", "msg", "detail", "details",
    "description", "title", "reason", "error",
)  # fmt: skip
_LONGEST = 300
_DEEPEST = 3


def parse_error(body: Answer, access: AuthScheme | None = None) -> tuple[str | None, str]:
    """Return (code, text) of an error body; None and "" where it has none, or none that may be repeated."""
    code, words = _guessed(body, _DEEPEST)
    if access is not None:
        code = _first(body, access.error_code) or code
        words = (_first(body, access.error_message) or words) if access.repeat else ""
    return code, words


def is_error_response(body: Answer, access: AuthScheme | None) -> bool:
    """Return whether a response with a 2xx status is an error by the rules of the pack."""
    return access is not None and any(
        type(found) is type(value) and found == value
        for path, values in access.refused.items()
        for found in values_at(body, path)
        for value in values
    )


def _first(body: Answer, paths: Iterable[str]) -> str:
    found = (value for path in paths for value in values_at(body, path))
    return next((str(v)[:_LONGEST] for v in found if isinstance(v, str | int) and str(v).strip()), "")


def _guessed(body: Answer, deep: int) -> tuple[str | None, str]:
    if isinstance(body, str):
        return None, body[:_LONGEST]
    if isinstance(body, list):
        return _guessed(body[0], deep) if body and deep else (None, "")
    if not isinstance(body, Mapping):
        return None, ""
    names = {str(name).lower(): value for name, value in body.items()}
    words = _first_text(names, _WORDS)
    code = _first_text(names, CODE_NAMES)
    if " " in code or code == words:
        code = ""
    for name in ROW_NAMES if deep else ():
        if isinstance(names.get(name), dict | list) and names[name]:
            inner, more = _guessed(names[name], deep - 1)
            return inner or code or None, more or words
    return code or None, words


def _first_text(names: Mapping[str, Value], keys: Iterable[str]) -> str:
    found = (names.get(key) for key in keys)
    plain = (str(v)[:_LONGEST] for v in found if isinstance(v, str | int) and not isinstance(v, bool))
    return next((text for text in plain if text), "")
