"""Reading the operator's words into claims, once for all values of a plan."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import pairwise

from contracts.booking import BookingSummary
from contracts.venue import VenueProfile
from language import Count
from language.booking_names import Called, called_by, masked, names_among_values, spans_naming_any
from language.plain import plain
from language.resolution import Span
from reasoning.evidence.amounts import leaning_amount
from reasoning.evidence.claims import Claim, Kind, Standing
from reasoning.evidence.contacts import contacts
from reasoning.evidence.days_and_times import days_and_times
from reasoning.evidence.families import FAMILIES
from reasoning.evidence.message import Message, read_message
from reasoning.evidence.numbers import changes_by, numbers, owned_by_things
from reasoning.evidence.picks import picked
from reasoning.evidence.quotes import only_reported, quotes_of_others
from reasoning.evidence.setting import Setting, policy_of
from reasoning.evidence.standing import in_message, of_words
from reasoning.evidence.subjects import Subject, booking_at, bookings_behind, subjects
from reasoning.evidence.weeks import in_their_week

_RANGE = re.compile(r"(\d+)\s*(?:to|a|-|–|->)\s*(\d+)\b")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the open request says, latest message first; claims in the order of the words inside a message.

    `subjects` (one list a message) tells which booking is spoken of where, `apart` is what was said of others.
    """

    messages: tuple[Message, ...]
    claims: tuple[Claim, ...]
    setting: Setting
    subjects: tuple[tuple[Subject, ...], ...] = ()
    apart: tuple[Claim, ...] = ()

    @property
    def clauses(self) -> tuple[tuple[str, ...], ...]:
        """The clauses of each message, as written."""
        return tuple(_clauses(message) for message in self.messages)

    def of(self, *kinds: Kind) -> list[Claim]:
        """The claims of these kinds."""
        return [claim for claim in self.claims if claim.kind in kinds]

    def standing(self, *kinds: Kind) -> list[Claim]:
        """The claims of these kinds that may bear a value out."""
        return [claim for claim in self.claims if claim.kind in kinds and claim.stands]

    def with_heads(self, heads: int) -> Evidence:
        """The same words where so many people are proposed, and nothing but a bare number can have said so: that number
        is no hour then ("at what time, and how many?", "venerdì alle 20", "4")."""
        bare = [c for c in self.claims if c.kind is Kind.NUMBER and c.stands and c.values == (str(heads),)]
        if len(bare) != 1 or self.of(Kind.COUNT):
            return self
        counted = replace(bare[0], kind=Kind.COUNT, values=(), count=Count("absolute", float(heads), bare[0].span))
        return replace(self, claims=tuple(counted if c is bare[0] else c for c in self.claims))

    def about(self, booking: BookingSummary | None, others: Sequence[BookingSummary] = ()) -> Evidence:
        """The same words as evidence for one booking: what is said of another is none."""
        chosen = picked(self.claims, self.messages, self.setting.now.date())
        if booking is None:
            return replace(self, claims=tuple(_superseded(chosen, self.messages)))
        known = [tuple(self.named_in(m, booking, others)) for m in self.messages]
        named = any(s.booking == booking.booking_id for found in known for s in found)
        if not named:
            known = [tuple(s for s in found if any(s.booking == o.booking_id for o in others)) for found in known]
        claims = [replace(c, booking=self._booking_of(c, known[c.message])) for c in chosen]
        claims = [from_what_is(_counted_from(c, booking), booking.guest_count) for c in claims]
        claims = _said_alike(claims, self.messages, known, booking)
        apart = tuple(c for c in claims if c.booking not in (None, booking.booking_id))
        claims = [c for c in claims if c not in apart]
        kept = [c for c in claims if _is_own(c, booking)]
        claims = _superseded(_as_it_is(claims, booking), self.messages, kept)
        return replace(self, claims=tuple(claims), subjects=tuple(known), apart=apart)

    def without(self, texts: Sequence[str]) -> Evidence:
        """The same words, those of these texts apart: "note: the cake comes at 5" moves nothing."""
        written = [plain(text) for text in texts if len(text.split()) > 1]
        places = [
            (m.number, start, start + len(text))
            for m in self.messages
            for text in written
            if (start := m.plain.find(text)) >= 0
        ]
        claims = [
            replace(c, standing=Standing.REPORTED)
            if c.standing is Standing.SAID and any(n == c.message and a <= c.span[0] < b for n, a, b in places)
            else c
            for c in self.claims
        ]
        return replace(self, claims=tuple(claims))

    def named_in(
        self, message: Message, booking: BookingSummary, others: Sequence[BookingSummary] = ()
    ) -> list[Subject]:
        """Where a message turns to which booking, strangers included."""
        stated = self._stated(message, Kind.DAY, Kind.TIME, Kind.COUNT)
        details = [c.span for c in self.of(Kind.PHONE, Kind.EMAIL) if c.message == message.number]
        return subjects(message, booking, others, message.locale, stated, details)

    def speaks_of(self, message: Message, span: Span, booking: BookingSummary | None) -> bool:
        """Whether the words at a place speak of this booking, or of none in particular."""
        if not self.subjects or booking is None:
            return True
        return booking_at(message, span[0], self.subjects[message.number]) in (None, booking.booking_id)

    def asks_about(self, message: Message, verb: Span, booking: BookingSummary | None) -> bool:
        """Whether a verb is said of this booking, or of none in particular. "Move Ann and cancel Ben": what is named
        behind it in its clause counts before what was named earlier."""
        if not self.subjects or booking is None:
            return True
        behind = bookings_behind(message, verb, self.subjects[message.number])
        return booking.booking_id in behind if behind else self.speaks_of(message, verb, booking)

    def meant(self, message: Message, span: Span) -> Standing:
        """How words at a place are meant that are no claim by themselves."""
        around = [c for c in self.claims if c.message == message.number and not _over(c.span, span)]
        return of_words(message, span, around)

    def _stated(self, message: Message, *kinds: Kind) -> list[int]:
        return [claim.span[0] for claim in self.of(*kinds) if claim.message == message.number]

    def _booking_of(self, claim: Claim, found: Sequence[Subject]) -> str | None:
        return booking_at(self.messages[claim.message], claim.span[0], found)


def read_evidence(
    said: Sequence[str], now: datetime, profile: VenueProfile, bookings: Sequence[BookingSummary] = ()
) -> Evidence:
    """Read what was said, latest first. `now` is the venue's own time. The numbers, labels and names of `bookings` and
    of the venue name them, and are never a value; what somebody else is quoted to have said is none of the operator's.
    """
    setting = Setting(now, profile, policy_of(profile))
    called = called_by(bookings, profile.name)
    messages = tuple(
        _apart(read_message(text, number, profile.locale, profile.words), called) for number, text in enumerate(said)
    )
    claims: list[Claim] = []
    for message in messages:
        amount = leaning_amount(messages, message.number)
        if amount:
            claims.append(amount)
            continue
        numbered = _masked(message, spans_naming_any(message.text, bookings), profile)
        claims += _claims(_masked(numbered, message.names, profile), numbered, setting.spoken(message.locale))
    return Evidence(messages, tuple(in_their_week(claims, setting)), setting)


def _apart(message: Message, called: Sequence[Called]) -> Message:
    """The message with the places that are no claims of the operator's."""
    names = tuple(names_among_values(message.text, message.cues, called, message.locale))
    return replace(message, names=names, quotes=quotes_of_others(message))


def _masked(message: Message, spans: Sequence[Span], profile: VenueProfile) -> Message:
    """The message to read values from: in its own language, but without what these places say."""
    text = masked(message.text, spans)
    if text == message.text:
        return message
    read = read_message(text, message.number, message.locale, profile.words)
    return replace(read, names=message.names, quotes=message.quotes)


def _claims(message: Message, with_names: Message, setting: Setting) -> list[Claim]:
    """The claims of a message. A name is none of its values, but may well be a part of an address."""
    details = contacts(with_names, setting.locale, setting.profile.country)
    taken = [claim.span for claim in details]
    apart = [*owned_by_things(message), *changes_by(message, setting.locale)]
    read = days_and_times(message, setting, apart)
    when = [c for c in read if not any(_over(c.span, span) for span in taken)]
    counted = numbers(message, setting.locale, [*taken, *(claim.span for claim in when)])
    claims = sorted([*details, *when, *counted], key=lambda claim: claim.span)
    return in_message(
        message, [replace(c, standing=Standing.REPORTED) if only_reported(message, c.span) else c for c in claims]
    )


def _counted_from(claim: Claim, booking: BookingSummary) -> Claim:
    """ "The following Friday" as a day, for a booking whose own day is known."""
    if claim.anchor is None or not booking.date:
        return claim
    day = claim.anchor.day(date.fromisoformat(booking.date[:10])).isoformat()
    return replace(claim, values=(day,), certain=True)


def from_what_is(claim: Claim, guests: int | None) -> Claim:
    """ "11 to 13 skaters", where eleven are booked: no range, but what to change to."""
    count = claim.count
    if count is not None and claim.joined and guests is not None and 2 * count.amount >= guests:
        # "Also 20 people": as many are no more beside those that are booked.
        return replace(claim, count=replace(count, kind="absolute"), doubtful=False)
    ends = _RANGE.match(claim.text) if count is not None and count.kind == "vague" else None
    if count is None or ends is None or guests is None or int(ends[1]) != guests:
        return claim
    return replace(claim, count=Count("absolute", float(ends[2]), count.span, None, count.noun), doubtful=False)


def _said_alike(
    claims: Sequence[Claim], messages: Sequence[Message], known: Sequence[Sequence[Subject]], booking: BookingSummary
) -> list[Claim]:
    """ "And the same for the scouts": what was said last in front of that, of another booking, is said of this one."""
    for message in messages:
        for cue in message.of_kind("ALIKE"):
            behind = [s for s in known[message.number] if s.start >= cue.span[1]]
            if not behind or behind[0].booking != booking.booking_id:
                continue
            before = [c for c in claims if c.message == message.number and c.span[1] <= cue.span[0]]
            last = min((c.message for c in claims if c.message > message.number and c.stands), default=None)
            before = before or [c for c in claims if c.message == last]
            return [replace(c, booking=booking.booking_id) if c in before else c for c in claims]
    return list(claims)


def _as_it_is(claims: Sequence[Claim], booking: BookingSummary) -> list[Claim]:
    """Beside another of its family, the booking's own day, time or number is as it is: "Emma's Sat 3pm, to 4"."""
    judged = []
    for claim in claims:
        own = _is_own(claim, booking)
        rivals = [
            c
            for c in claims
            if c.message == claim.message
            and c.kind in FAMILIES[claim.kind]
            and c.stands
            and c.span != claim.span
            and not set(_values(claim)) & set(_values(c))
        ]
        if own and claim.stands and not claim.to and rivals and claim.kind is not Kind.COUNT:
            judged.append(replace(claim, standing=Standing.FORMER))
        else:
            judged.append(claim)
    return judged


def _is_own(claim: Claim, booking: BookingSummary) -> bool:
    """Whether it says what the booking has anyway, and can mean nothing else."""
    own = {
        Kind.DAY: booking.date,
        Kind.TIME: booking.start_time and booking.start_time[:5],
        Kind.COUNT: booking.guest_count,
        Kind.NUMBER: booking.guest_count,
    }
    value = own.get(claim.kind)
    return value is not None and set(_values(claim)) == {str(value)}


def _values(claim: Claim) -> tuple[str, ...]:
    if claim.count is not None:
        return (f"{claim.count.amount:g}",) if claim.count.kind == "absolute" else ()
    return claim.values


def _superseded(claims: Sequence[Claim], messages: Sequence[Message], own: Sequence[Claim] = ()) -> list[Claim]:
    """What a later message says anew gives way to it, unless that message only adds to it. A message that says what
    the booking has (`own`) may only tell which one it is, if it corrects nothing."""
    firm = {m.number for m in messages if m.of_kind("CORRECT", "NO", "INSTEAD")}
    judged = []
    for claim in claims:
        newer = [
            c
            for c in claims
            if c.message < claim.message and c.stands and c.kind in FAMILIES[claim.kind] and _replaces(c, claim)
            if c not in own or c.message in firm
        ]
        gone = any(m.number < claim.message and _retracts(m, claim, claims) for m in messages)
        adds = any(m.number < claim.message and is_addition(m) for m in messages)
        replaced = newer and not (adds and claim.kind is Kind.COUNT)
        if claim.standing is Standing.SAID and (replaced or gone):
            judged.append(replace(claim, standing=Standing.CORRECTED))
        else:
            judged.append(claim)
    return judged


def _retracts(newer: Message, claim: Claim, claims: Sequence[Claim]) -> bool:
    """ "No, not Friday", "forget that": an earlier message's value is wanted no more."""
    later = [c for c in claims if c.message == newer.number]
    denied = [c for c in later if c.kind is claim.kind and c.standing is Standing.NEGATED]
    taken_back = any(set(c.values) & set(claim.values) for c in denied)
    if claim.kind is Kind.COUNT and newer.of_kind("LEAVE_COUNT") and not any(c.kind is Kind.COUNT for c in later):
        return True
    return taken_back or (bool(newer.of_kind("RETRACT")) and not any(c.stands for c in later))


def _replaces(newer: Claim, older: Claim) -> bool:
    if newer.count is not None and newer.count.is_relative:
        return older.count is not None and older.count.is_relative
    return newer.kind is older.kind or older.doubtful or older.kind is Kind.NUMBER or newer.kind is Kind.NUMBER


def is_addition(message: Message) -> bool:
    """Whether a message begins as an addition to what was asked for before."""
    return bool(message.words) and message.words[0].text in ("and", "plus", "also", "e", "piu", "anche")


def _clauses(message: Message) -> tuple[str, ...]:
    edges = [0, *message.stops, len(message.text)]
    pieces = (message.text[start:end].strip(" ,;.:") for start, end in pairwise(edges))
    return tuple(piece for piece in pieces if piece)


def _over(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
