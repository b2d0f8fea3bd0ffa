"""Read the operator's words into claims, once for all values of a plan."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import chain, pairwise

from contracts.booking import BookingSummary
from contracts.venue import VenueProfile
from language import Count, Shift
from language.dates.relative_to_booking import amount_alone
from language.dates.resolution import Span
from language.extraction.assertion import classify_assertions, classify_span
from language.extraction.booking_references import BookingReference, bookings_behind, find_references, reference_at
from language.extraction.dates import apply_selection, days_and_times, in_their_week
from language.extraction.mention import FAMILIES, Assertion, Mention, MentionKind, contacts, stated
from language.extraction.message import ExtractionContext, Message, policy_of, read_message
from language.extraction.numbers import change_amounts, non_head_counts, numbers
from language.extraction.quotes import only_reported, quotes_of_others
from language.locales import alternatives, in_all
from language.requests.booking_names import BookingName, called_by, masked, names_among_values, spans_naming_any
from language.text.normalize import normalize_text

_RANGE = re.compile(rf"(\d+)\s*(?:{alternatives('extraction', 'RANGE_TO')}|-|–|->)\s*(\d+)\b")
_ADDS = frozenset[str](chain(*in_all("extraction", "ADDS")))


@dataclass(frozen=True, slots=True)
class Extraction:
    """The claims of the open request, latest message first, in the order of the words inside a message.

    `subjects` (one list a message) holds which booking the words refer to where, `apart` the claims on others. `before`
    are the words for the waiting plan.
    """

    messages: tuple[Message, ...]
    mentions: tuple[Mention, ...]
    setting: ExtractionContext
    subjects: tuple[tuple[BookingReference, ...], ...] = ()
    apart: tuple[Mention, ...] = ()
    before: Extraction | None = None

    @property
    def clauses(self) -> tuple[tuple[str, ...], ...]:
        """Return the clauses of each message, as written."""
        return tuple(_clauses(message) for message in self.messages)

    def of(self, *kinds: MentionKind) -> list[Mention]:
        """Return the mentions of these kinds."""
        return [mention for mention in self.mentions if mention.kind in kinds]

    def asserted(self, *kinds: MentionKind) -> list[Mention]:
        """Return the mentions of these kinds that may ground a value."""
        return [mention for mention in self.mentions if mention.kind in kinds and mention.is_asserted]

    def assume_count(self, heads: int) -> Extraction:
        """Return the same words with a bare number read as a head count, if this count is proposed and nothing else
        mentions it. That number is then no hour ("at what time, and how many?", "venerdì alle 20", "4")."""
        bare = [
            c for c in self.mentions if c.kind is MentionKind.NUMBER and c.is_asserted and c.values == (str(heads),)
        ]
        if len(bare) != 1 or self.of(MentionKind.COUNT):
            return self
        counted = replace(
            bare[0], kind=MentionKind.COUNT, values=(), count=Count("absolute", float(heads), bare[0].span)
        )
        return replace(self, mentions=tuple(counted if c is bare[0] else c for c in self.mentions))

    def for_booking(self, booking: BookingSummary | None, others: Sequence[BookingSummary] = ()) -> Extraction:
        """Return the extraction for one booking, without mentions of other bookings."""
        chosen = apply_selection(self.mentions, self.messages, self.setting.now.date())
        if booking is None:
            return replace(self, mentions=tuple(_superseded(chosen, self.messages)))
        known = [tuple(self.named_in(m, booking, others)) for m in self.messages]
        named = any(s.booking == booking.booking_id for found in known for s in found)
        if not named:
            known = [tuple(s for s in found if any(s.booking == o.booking_id for o in others)) for found in known]
        mentions = [replace(c, booking=self._booking_of(c, known[c.message])) for c in chosen]
        mentions = [change_target(_counted_from(c, booking), booking.guest_count) for c in mentions]
        mentions = _alike(mentions, self.messages, known, booking)
        apart = tuple(c for c in mentions if c.booking not in (None, booking.booking_id))
        mentions = [c for c in mentions if c not in apart]
        kept = [c for c in mentions if _is_own(c, booking)]
        mentions = _superseded(_as_it_is(mentions, booking), self.messages, kept)
        return replace(self, mentions=tuple(mentions), subjects=tuple(known), apart=apart)

    def excluding(self, texts: Sequence[str]) -> Extraction:
        """Return the extraction without the words of these texts: "note: the cake comes at 5" moves nothing."""
        written = [normalize_text(text) for text in texts if len(text.split()) > 1]
        indexes = [
            (m.number, start, start + len(text))
            for m in self.messages
            for text in written
            if (start := m.plain.find(text)) >= 0
        ]
        mentions = [
            replace(c, assertion=Assertion.REPORTED)
            if c.assertion is Assertion.ASSERTED and any(n == c.message and a <= c.span[0] < b for n, a, b in indexes)
            else c
            for c in self.mentions
        ]
        return replace(self, mentions=tuple(mentions))

    def named_in(
        self, message: Message, booking: BookingSummary, others: Sequence[BookingSummary] = ()
    ) -> list[BookingReference]:
        """Return the places where a message turns to a booking, unknown ones included."""
        stated = self._stated(message, MentionKind.DAY, MentionKind.TIME, MentionKind.COUNT)
        details = [c.span for c in self.of(MentionKind.PHONE, MentionKind.EMAIL) if c.message == message.number]
        return find_references(message, booking, others, message.locale, stated, details)

    def refers_to(self, message: Message, span: Span, booking: BookingSummary | None) -> bool:
        """Return whether the words at a place refer to this booking, or to none in particular."""
        if not self.subjects or booking is None:
            return True
        return reference_at(message, span[0], self.subjects[message.number]) in (None, booking.booking_id)

    def asks_about(self, message: Message, verb: Span, booking: BookingSummary | None) -> bool:
        """Return whether a verb applies to this booking, or to none in particular. A name after the verb in its clause
        takes precedence over an earlier one: "move Ann and cancel Ben"."""
        if not self.subjects or booking is None:
            return True
        behind = bookings_behind(message, verb, self.subjects[message.number])
        return booking.booking_id in behind if behind else self.refers_to(message, verb, booking)

    def assertion_of(self, message: Message, span: Span) -> Assertion:
        """Return the assertion of words at a place that are no mention by themselves."""
        around = [c for c in self.mentions if c.message == message.number and not _over(c.span, span)]
        return classify_span(message, span, around)

    def _stated(self, message: Message, *kinds: MentionKind) -> list[int]:
        return [mention.span[0] for mention in self.of(*kinds) if mention.message == message.number]

    def _booking_of(self, mention: Mention, found: Sequence[BookingReference]) -> str | None:
        return reference_at(self.messages[mention.message], mention.span[0], found)


def extract(
    texts: Sequence[str],
    now: datetime,
    profile: VenueProfile,
    bookings: Sequence[BookingSummary] = (),
    before: Sequence[str] = (),
) -> Extraction:
    """Extract mentions from messages, latest first. `now` is the venue's own time. The numbers, labels and names of
    `bookings` and of the venue are never values. Quotes of other people are not the operator's mentions. `before` are
    the messages for the waiting plan."""
    setting = ExtractionContext(now, profile, policy_of(profile))
    called = called_by(bookings, profile.name)
    messages = tuple(
        _apart(read_message(text, number, profile.locale, profile.words), called) for number, text in enumerate(texts)
    )
    mentions: list[Mention] = []
    for message in messages:
        amount = leaning_amount(messages, message.number)
        if amount:
            mentions.append(amount)
            continue
        numbered = _masked(message, spans_naming_any(message.text, bookings), profile)
        mentions += _claims(_masked(numbered, message.names, profile), numbered, setting.spoken(message.locale))
    waiting = extract(before, now, profile, bookings) if before else None
    return Extraction(messages, tuple(in_their_week(mentions, setting)), setting, before=waiting)


def _apart(message: Message, called: Sequence[BookingName]) -> Message:
    """Return the message with the places that hold no mentions of the operator's."""
    names = tuple(names_among_values(message.text, message.cues, called, message.locale))
    return replace(message, names=names, quotes=quotes_of_others(message))


def _masked(message: Message, spans: Sequence[Span], profile: VenueProfile) -> Message:
    """Return the message from which values are read: in its own language, without the text at these places."""
    text = masked(message.text, spans)
    if text == message.text:
        return message
    read = read_message(text, message.number, message.locale, profile.words)
    return replace(read, names=message.names, quotes=message.quotes)


def _claims(message: Message, with_names: Message, setting: ExtractionContext) -> list[Mention]:
    """Return the mentions of a message. A name is never a value, but may be part of an address."""
    details = contacts(with_names, setting.locale, setting.profile.country)
    taken = [mention.span for mention in details]
    apart = [*non_head_counts(message), *change_amounts(message, setting.locale)]
    read = days_and_times(message, setting, apart)
    when = [c for c in read if not any(_over(c.span, span) for span in taken)]
    counted = numbers(message, setting.locale, [*taken, *(claim.span for claim in when)])
    mentions = sorted([*details, *when, *counted], key=lambda claim: claim.span)
    return classify_assertions(
        message, [replace(c, assertion=Assertion.REPORTED) if only_reported(message, c.span) else c for c in mentions]
    )


def _counted_from(mention: Mention, booking: BookingSummary) -> Mention:
    """Return "the following Friday" as a day, for a booking whose own day is known."""
    if mention.anchor is None or not booking.date:
        return mention
    day = mention.anchor.day(date.fromisoformat(booking.date[:10])).isoformat()
    return replace(mention, values=(day,), unambiguous=True)


def change_target(mention: Mention, guests: int | None) -> Mention:
    """Return the mention, as a total if it is a change and no range: "11 to 13 skaters" for a booking of eleven."""
    count = mention.count
    if count is not None and mention.joined and guests is not None and 2 * count.amount >= guests:
        # "Also 20 people" is a total if it is at least half of the booked number.
        return replace(mention, count=replace(count, kind="absolute"), vague=False)
    ends = _RANGE.match(mention.text) if count is not None and count.kind == "vague" else None
    if count is None or ends is None or guests is None or int(ends[1]) != guests:
        return mention
    return replace(mention, count=Count("absolute", float(ends[2]), count.span, None, count.noun), vague=False)


def _alike(
    mentions: Sequence[Mention],
    messages: Sequence[Message],
    known: Sequence[Sequence[BookingReference]],
    booking: BookingSummary,
) -> list[Mention]:
    """Return the mentions, with the last statement on another booking applied to this one: "and the same for the
    scouts"."""
    for message in messages:
        for cue in message.of_kind("ALIKE"):
            behind = [s for s in known[message.number] if s.start >= cue.span[1]]
            if not behind or behind[0].booking != booking.booking_id:
                continue
            before = [c for c in mentions if c.message == message.number and c.span[1] <= cue.span[0]]
            last = min((c.message for c in mentions if c.message > message.number and c.is_asserted), default=None)
            before = before or [c for c in mentions if c.message == last]
            return [replace(c, booking=booking.booking_id) if c in before else c for c in mentions]
    return list(mentions)


def _as_it_is(mentions: Sequence[Mention], booking: BookingSummary) -> list[Mention]:
    """Return the mentions, with the booking's own day, time or number as current if another of its family is beside it:
    "Emma's Sat 3pm, to 4"."""
    judged = []
    for mention in mentions:
        own = _is_own(mention, booking)
        rivals = [
            c
            for c in mentions
            if c.message == mention.message
            and c.kind in FAMILIES[mention.kind]
            and c.is_asserted
            and c.span != mention.span
            and not set(_values(mention)) & set(_values(c))
        ]
        if own and mention.is_asserted and not mention.is_target and rivals and mention.kind is not MentionKind.COUNT:
            judged.append(replace(mention, assertion=Assertion.PAST))
        else:
            judged.append(mention)
    return judged


def _is_own(mention: Mention, booking: BookingSummary) -> bool:
    """Return whether the mention only states the booking's present value, and can mean nothing else."""
    own = {
        MentionKind.DAY: booking.date,
        MentionKind.TIME: booking.start_time and booking.start_time[:5],
        MentionKind.COUNT: booking.guest_count,
        MentionKind.NUMBER: booking.guest_count,
    }
    value = own.get(mention.kind)
    return value is not None and set(_values(mention)) == {str(value)}


def _values(mention: Mention) -> tuple[str, ...]:
    if mention.count is not None:
        return (f"{mention.count.amount:g}",) if mention.count.kind == "absolute" else ()
    return mention.values


def _superseded(mentions: Sequence[Mention], messages: Sequence[Message], own: Sequence[Mention] = ()) -> list[Mention]:
    """Return the mentions, as corrected where a later message replaces them and does not only add to them. A message
    with the booking's current values (`own`) may only identify it, if it corrects nothing."""
    firm = {m.number for m in messages if m.of_kind("CORRECT", "NO", "INSTEAD")}
    judged = []
    for mention in mentions:
        newer = [
            c
            for c in mentions
            if c.message < mention.message
            and c.is_asserted
            and c.kind in FAMILIES[mention.kind]
            and _replaces(c, mention)
            if c not in own or c.message in firm
        ]
        gone = any(m.number < mention.message and _retracts(m, mention, mentions) for m in messages)
        adds = any(m.number < mention.message and is_addition(m) for m in messages)
        replaced = newer and not (adds and mention.kind is MentionKind.COUNT)
        if mention.assertion is Assertion.ASSERTED and (replaced or gone):
            judged.append(replace(mention, assertion=Assertion.CORRECTED))
        else:
            judged.append(mention)
    return judged


def _retracts(newer: Message, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Return whether a newer message withdraws an earlier message's value: "no, not Friday", "forget that"."""
    later = [c for c in mentions if c.message == newer.number]
    denied = [c for c in later if c.kind is mention.kind and c.assertion is Assertion.NEGATED]
    taken_back = any(set(c.values) & set(mention.values) for c in denied)
    if (
        mention.kind is MentionKind.COUNT
        and newer.of_kind("LEAVE_COUNT")
        and not any(c.kind is MentionKind.COUNT for c in later)
    ):
        return True
    return taken_back or drops_all(newer) or (bool(newer.of_kind("RETRACT")) and not any(c.is_asserted for c in later))


def drops_all(message: Message) -> bool:
    """Return whether a message begins by dropping what was asked for before, whatever it asks for then: "forget that,
    just move it to 4pm"."""
    return any(message.distance(0, cue.span[0]) <= _OPENING for cue in message.of_kind("RETRACT"))


def _replaces(newer: Mention, older: Mention) -> bool:
    if newer.count is not None and newer.count.is_relative:
        return older.count is not None and older.count.is_relative
    return (
        newer.kind is older.kind or older.vague or older.kind is MentionKind.NUMBER or newer.kind is MentionKind.NUMBER
    )


def is_addition(message: Message) -> bool:
    """Return whether a message begins as an addition to an earlier request."""
    return bool(message.words) and message.words[0].text in _ADDS


def _clauses(message: Message) -> tuple[str, ...]:
    edges = [0, *message.stops, len(message.text)]
    pieces = (message.text[start:end].strip(" ,;.:") for start, end in pairwise(edges))
    return tuple(piece for piece in pieces if piece)


def _over(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


_WAYS = {"POSTPONE": 1, "LATER": 1, "ADVANCE": -1, "EARLIER": -1}
_OPENING = 2
"""Words that may stand before a retraction at the beginning: "oh no, forget that"."""
_LONGEST = 9
"""The most words of a message that may be an amount alone."""


def leaning_amount(messages: Sequence[Message], number: int) -> Mention | None:
    """Return the shift that a message states by an amount alone, in the direction of the message before or after it."""
    message = messages[number]
    around = (*messages[number + 1 : number + 2], *messages[max(0, number - 1) : number])
    sign = next((way for other in around if (way := _way(other))), 0)
    found = amount_alone(message.text, message.locale) if sign and len(message.words) <= _LONGEST else None
    if found is None:
        return None
    shift, span = found
    towards = Shift(sign * shift.days, sign * shift.minutes)
    return stated(message, MentionKind.SHIFT, span, shift=towards, certain=True)


def _way(message: Message) -> int:
    """Return later (1), earlier (-1) or neither (0), by the last word that states a direction."""
    directions = [(token.start, _WAYS[token.symbol]) for token in message.tokens if token.symbol in _WAYS]
    directions += [(cue.span[0], _WAYS[cue.kind]) for cue in message.of_kind("LATER", "EARLIER")]
    return max(directions)[1] if directions else 0
