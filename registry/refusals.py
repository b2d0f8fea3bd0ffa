"""What a refusal says: its code and its words, from where the pack says they stand, else from where most have them."""

from collections.abc import Iterable, Mapping

from contracts.access import Access
from contracts.base import Answer, Value
from registry.filters import values_at

ROW_NAMES = ("errors", "error", "fault", "detail", "details")
CODE_NAMES = ("code", "name", "errorcode", "error_code", "errortype", "type", "reason", "error")
_WORDS = (
    "message", "errormessage", "error_message", "error_description", "errordescription", "msg", "detail", "details",
    "description", "title", "reason", "error",
)  # fmt: skip
_LONGEST = 300
_DEEPEST = 3


def reason_of(body: Answer, access: Access | None = None) -> tuple[str | None, str]:
    """(code, words) of the body of a refusal; None and "" where it says nothing, or nothing that may be repeated."""
    code, words = _guessed(body, _DEEPEST)
    if access is not None:
        code = _first(body, access.error_code) or code
        words = (_first(body, access.error_message) or words) if access.repeat else ""
    return code, words


def says_no(body: Answer, access: Access | None) -> bool:
    """Whether an answer that came with a 2xx status is a refusal by what the pack says of its API."""
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
    words = _said(names, _WORDS)
    code = _said(names, CODE_NAMES)
    if " " in code or code == words:
        code = ""
    for name in ROW_NAMES if deep else ():
        if isinstance(names.get(name), dict | list) and names[name]:
            inner, more = _guessed(names[name], deep - 1)
            return inner or code or None, more or words
    return code or None, words


def _said(names: Mapping[str, Value], keys: Iterable[str]) -> str:
    found = (names.get(key) for key in keys)
    plain = (str(v)[:_LONGEST] for v in found if isinstance(v, str | int) and not isinstance(v, bool))
    return next((text for text in plain if text), "")
