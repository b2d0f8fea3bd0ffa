"""Claims: what the operator's words state, each with its place and with how it is meant."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from language import Count, Shift
from language.anchored import Anchor
from language.resolution import Span
from reasoning.evidence.message import Message


class Kind(StrEnum):
    """What a claim is about. OTHER is a number of something else: an age, a price, a class, a reference."""

    DAY = "day"
    TIME = "time"
    SHIFT = "shift"
    COUNT = "count"
    NUMBER = "number"
    EMAIL = "email"
    PHONE = "phone"
    OTHER = "other"


class Standing(StrEnum):
    """How a claim is meant; only what is SAID bears a value out."""

    SAID = "said"
    NEGATED = "negated"
    CORRECTED = "corrected"
    FORMER = "former"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing stated. `values` are its readings: days YYYY-MM-DD, times HH:MM, numbers, addresses, phones in E.164.

    `message` counts back from the latest (0), `clause` forward inside the message. `doubtful`: said too vaguely, or
    against the calendar, to bear anything out; its values are what it could mean. `certain`: it can mean nothing else.
    `to` and `of` say that the words in front make it a target ("to 5pm") or a mark of what is there ("from 5pm").
    NUMBER is one without anything that says what it counts. `booking` is the id of the booking that its clause
    speaks of, OTHER_BOOKING for one that nobody knows, None where the clause names none. `anchor` is a day that
    counts from the booking's own, which has no values before the booking is known. `joined`: a number that "also"
    puts beside what was asked before, which is a total or more people.
    """

    kind: Kind
    span: Span
    text: str
    message: int
    clause: int
    values: tuple[str, ...] = ()
    standing: Standing = Standing.SAID
    booking: str | None = None
    shift: Shift | None = None
    count: Count | None = None
    doubtful: bool = False
    certain: bool = False
    to: bool = False
    of: bool = False
    anchor: Anchor | None = None
    joined: bool = False

    @property
    def stands(self) -> bool:
        """Whether it may bear a value out."""
        return self.standing is Standing.SAID and not self.doubtful


def stated(
    message: Message,
    kind: Kind,
    span: Span,
    *,
    values: tuple[str, ...] = (),
    standing: Standing = Standing.SAID,
    shift: Shift | None = None,
    count: Count | None = None,
    doubtful: bool = False,
    certain: bool = False,
    to: bool = False,
    of: bool = False,
    anchor: Anchor | None = None,
) -> Claim:
    """What a place in a message states."""
    return Claim(
        kind=kind,
        span=span,
        text=message.text[slice(*span)],
        message=message.number,
        clause=message.clause_at(span[0]),
        values=values,
        standing=standing,
        shift=shift,
        count=count,
        doubtful=doubtful,
        certain=certain,
        to=to,
        of=of,
        anchor=anchor,
    )


OTHER_BOOKING = "another"
"""The booking of a clause that names one which nobody has looked up."""
