"""What an operation takes that no operator says: a key against doing it twice, the version that is changed, which
fields are answered. A draft gives it itself, or leaves it out."""

from contracts.base import Schema
from registry.neutral import types_of
from registry.words import words_of

KEY, VERSION, FIELDS = "key", "version", "fields"

WHY = {
    KEY: "a key against doing it twice",
    VERSION: "which version of it is changed",
    FIELDS: "which fields are answered",
}
"""What each kind is, in a comment of the draft."""

_VERSIONS = frozenset({"etag", "revision", "lockversion"})
_OF_FIELDS = frozenset({"expand", "expands", "expansion", "expansions", "embed"})
_OF_FIELDS_IN_QUERY = frozenset({"fields", "include", "includes", "select"})


def kept_of(name: str, schema: Schema, place: str) -> str:
    """Which of them an input is by its name; "" for what a person may say."""
    words = words_of(name)
    known, last = {*words}, words[-1] if words else ""
    if place == "path":
        return ""
    if "idempotency" in known or "idempotent" in known or words in (["request", "id"], ["x", "request", "id"]):
        return KEY
    counted = last == "version" and "integer" in types_of(schema) and "api" not in known
    if words == ["if", "match"] or (place != "header" and (counted or last in _VERSIONS)):
        return VERSION
    if known & _OF_FIELDS and len(words) == 1:
        return FIELDS
    return FIELDS if place == "query" and len(words) == 1 and last in _OF_FIELDS_IN_QUERY else ""
