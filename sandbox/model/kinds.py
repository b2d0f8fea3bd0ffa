"""The kinds of thing a sentence is made of, and the marked piece of text that carries one."""

from dataclasses import dataclass, replace
from enum import StrEnum


class Kind(StrEnum):
    """What a piece of a sentence is. A sentence is understood when none of its pieces is `UNKNOWN` or `NUMBER`."""

    VERB = "verb"
    TOPIC = "topic"
    BOOK = "book"
    PRON = "pron"
    CONJ = "conj"
    STOP = "stop"
    PREP = "prep"
    DET = "det"
    NEG = "neg"
    ASKING = "asking"
    OTHER = "other"
    VAGUE = "vague"
    FILL = "fill"
    TITLE = "title"
    PLACE = "place"
    MEANS = "means"
    UNKNOWN = "unknown"
    NUMBER = "number"
    TOOL = "tool"
    FLAG = "flag"
    REF = "ref"
    NAME = "name"
    WHEN = "when"
    COUNT = "count"
    EMAIL = "email"
    PHONE = "phone"
    NOTE = "note"


VALUES = frozenset({Kind.NAME, Kind.WHEN, Kind.COUNT, Kind.EMAIL, Kind.PHONE, Kind.NOTE})
"""What can fill a parameter."""


@dataclass(frozen=True, slots=True)
class Item:
    """A marked piece of the sentence. `sense` narrows the kind ("move", "phone"); `value` is what was read."""

    kind: Kind
    text: str
    start: int
    end: int
    sense: str = ""
    value: object = None
    possessive: bool = False
    capital: bool = False

    def as_(self, kind: Kind, *, sense: str = "", value: object = None) -> "Item":
        """The same piece, understood differently."""
        return replace(self, kind=kind, sense=sense, value=value)
