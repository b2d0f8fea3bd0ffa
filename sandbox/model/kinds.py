"""The kinds of thing a sentence is made of, and the marked piece of text that carries one."""

from collections.abc import Callable, Iterable, Sequence
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

    def is_a(self, kind: Kind, *senses: str) -> bool:
        """Whether it is of that kind, and in one of the senses."""
        return self.kind is kind and self.sense in senses


Pass = Callable[[Sequence[Item]], list[Item]]
"""Reads a sentence once more: the same pieces, some of them understood differently."""


def each(rule: Callable[[Sequence[Item], int], Item | None]) -> Pass:
    """The pass of a rule for one piece among its neighbours: what it becomes, None where it stays."""

    def one(items: Sequence[Item]) -> list[Item]:
        return [rule(items, n) or item for n, item in enumerate(items)]

    return one


def at(items: Sequence[Item], n: int) -> Item | None:
    """The piece at a place, None beyond either end."""
    return items[n] if 0 <= n < len(items) else None


def has(items: Iterable[Item], *kinds: Kind) -> bool:
    """Whether a piece of one of these kinds is there."""
    return any(i.kind in kinds for i in items)


def first_but(items: Iterable[Item], *kinds: Kind) -> Item | None:
    """The first piece of none of these kinds."""
    return next((i for i in items if i.kind not in kinds), None)


def names_booking(item: Item) -> bool:
    """Whether a booking is spoken of by its number or by a name."""
    return item.kind is Kind.REF or item.is_a(Kind.NAME, "ref")
