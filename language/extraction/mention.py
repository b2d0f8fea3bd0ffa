"""Claims in the operator's words, each with its place and its assertion, and the families of kinds that compete."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from language import Count, Shift, check_email, find_emails, find_phones, to_e164
from language.contacts.contacts import spoken_emails, spoken_phones
from language.dates.relative_to_booking import Anchor
from language.dates.resolution import Span
from language.extraction.message import Message


class MentionKind(StrEnum):
    """The subject of a claim. OTHER is a number of something else: an age, a price, a class, a reference."""

    DAY = "day"
    TIME = "time"
    SHIFT = "shift"
    COUNT = "count"
    NUMBER = "number"
    EMAIL = "email"
    PHONE = "phone"
    OTHER = "other"


class Assertion(StrEnum):
    """How a mention is meant. Only an ASSERTED mention grounds a value."""

    ASSERTED = "said"
    NEGATED = "negated"
    CORRECTED = "corrected"
    PAST = "former"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class Mention:
    """One claim. `values` are its readings: days YYYY-MM-DD, times HH:MM, numbers, addresses, phones in E.164.

    `message` counts back from the latest (0), `clause` forward inside the message. `vague`: too vague, or against the
    calendar, to support a value; `values` are what it could mean. `unambiguous`: it can mean nothing else. `is_target`
    and `is_current`: the words in front make it a target ("to 5pm") or the current value ("from 5pm"). NUMBER is a
    number without anything it counts. `booking` is the id of the booking its clause refers to, OTHER_BOOKING for an
    unknown one, None where the clause names none. `anchor` is a day that counts from the booking's own, without values
    until the booking is known. `joined`: a number that "also" adds to an earlier request, which is a total or more
    people.
    """

    kind: MentionKind
    span: Span
    text: str
    message: int
    clause: int
    values: tuple[str, ...] = ()
    assertion: Assertion = Assertion.ASSERTED
    booking: str | None = None
    shift: Shift | None = None
    count: Count | None = None
    vague: bool = False
    unambiguous: bool = False
    is_target: bool = False
    is_current: bool = False
    anchor: Anchor | None = None
    joined: bool = False

    @property
    def is_asserted(self) -> bool:
        """Return whether the mention may ground a value."""
        return self.assertion is Assertion.ASSERTED and not self.vague


def stated(
    message: Message,
    kind: MentionKind,
    span: Span,
    *,
    values: tuple[str, ...] = (),
    assertion: Assertion = Assertion.ASSERTED,
    shift: Shift | None = None,
    count: Count | None = None,
    doubtful: bool = False,
    certain: bool = False,
    to: bool = False,
    of: bool = False,
    anchor: Anchor | None = None,
) -> Mention:
    """Return the mention for a place in a message."""
    return Mention(
        kind=kind,
        span=span,
        text=message.text[slice(*span)],
        message=message.number,
        clause=message.clause_at(span[0]),
        values=values,
        assertion=assertion,
        shift=shift,
        count=count,
        vague=doubtful,
        unambiguous=certain,
        is_target=to,
        is_current=of,
        anchor=anchor,
    )


OTHER_BOOKING = "another"
"""The booking of a clause that names a booking which has not been looked up."""


FAMILIES: Mapping[MentionKind, frozenset[MentionKind]] = {
    MentionKind.DAY: frozenset({MentionKind.DAY}),
    MentionKind.TIME: frozenset({MentionKind.TIME, MentionKind.NUMBER}),
    MentionKind.COUNT: frozenset({MentionKind.COUNT, MentionKind.NUMBER}),
    MentionKind.NUMBER: frozenset({MentionKind.TIME, MentionKind.COUNT, MentionKind.NUMBER}),
    MentionKind.EMAIL: frozenset({MentionKind.EMAIL}),
    MentionKind.PHONE: frozenset({MentionKind.PHONE}),
    MentionKind.SHIFT: frozenset({MentionKind.SHIFT}),
    MentionKind.OTHER: frozenset(),
}
"""The kinds of which one mention can replace another."""


def contacts(message: Message, locale: str, country: str) -> list[Mention]:
    """Return every address and phone number. `values`: the form that the venue keeps, or the digits of an invalid
    number."""
    claims = []
    for email in find_emails(message.text):
        claims.append(
            _contact(message, MentionKind.EMAIL, email.span, check_email(email.text).normalised or email.text)
        )
    for spoken in spoken_emails(message.text, locale):
        if not _over(spoken.span, claims) and (normalised := check_email(spoken.written).normalised):
            claims.append(_contact(message, MentionKind.EMAIL, spoken.span, normalised))
    for phone in find_phones(message.text, country):
        if not _over(phone.span, claims):
            claims.append(_contact(message, MentionKind.PHONE, phone.span, phone.phone.e164 or phone.phone.text))
    for spoken in spoken_phones(message.text, locale):
        if not _over(spoken.span, claims):
            reading = to_e164(spoken.written, country)
            claims.append(_contact(message, MentionKind.PHONE, spoken.span, reading.e164 or reading.digits))
    return sorted(claims, key=lambda claim: claim.span)


def _over(span: Span, mentions: list[Mention]) -> bool:
    return any(mention.span[0] < span[1] and span[0] < mention.span[1] for mention in mentions)


def _contact(message: Message, kind: MentionKind, span: Span, value: str) -> Mention:
    return stated(message, kind, span, values=(value,), certain=True)
