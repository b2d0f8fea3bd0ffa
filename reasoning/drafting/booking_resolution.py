"""Resolves the booking of a plan: a plan may change only a booking that the operator has singled out.

A booking is singled out when the operator's words name it, when it is the only match of their look-up, when their words
pick it from several, or when the chat is about it and they name no other (`docs/state-model.md`, "Never assumed").
Words pick a booking by its own data: number, guest, title, day, time, place in the list. A value that the plan sets
picks nothing: "no wait, 5:30pm" corrects a time, even if some booking starts then.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from contracts.booking import BookingSummary, FoundBookings
from contracts.enums import ShortReply
from language.extraction import Assertion, Extraction, Mention, MentionKind
from language.extraction.message import Message
from language.locales import alternatives
from language.numbers.numbers import OTHER, counts_from_the_end, place_in, select_by_comparison
from language.replies.short_replies import short_reply
from language.requests.booking_names import booking_words, means_all, own_words, strip_possessive
from language.requests.parts import find_verb, is_unknown_word
from language.text.normalize import WordToken, normalize_text
from language.text.normalize import tokenize as words_in
from reasoning.drafting.booking_list import is_past
from reasoning.drafting.booking_text import (
    _NUMBER,
    _OR,
    _SHORTEST,
    bookings_named,
    is_of,
    mentioned_bookings,
    own_words_of,
    values_named,
)

_DAY_OF_MONTH = re.compile(
    rf"\b(?:{alternatives('drafting', 'ON_THE')})\s*(\d{{1,2}})(?:{alternatives('drafting', 'ORDINAL')})?"
    r"(?![\w:.,/]*\d)"
)
"""Matches a day of the month beside a booking: "the one on the 17th", "la Rossi del 17"."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The booking is singled out."""

    booking: BookingSummary


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several bookings match, and the operator must pick one."""

    candidates: tuple[BookingSummary, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """No booking of this chat has the id, and the operator did not type it."""


@dataclass(frozen=True, slots=True)
class KnownBookings:
    """The bookings that a chat knows: `found` are the look-ups of this turn, `offered` those shown last, `known` those
    settled earlier, the latest last, `spoken` the ids that the current plan is about."""

    found: Sequence[FoundBookings] = ()
    offered: Sequence[BookingSummary] = ()
    known: Sequence[BookingSummary] = ()
    spoken: Collection[str] = ()


def resolve_booking(
    booking_id: str,
    evidence: Extraction,
    chat: KnownBookings,
    used: Collection[str] = (),
    beside: Collection[str] = (),
) -> Resolved | Ambiguous | Unknown:
    """Return whether the operator has singled out the booking that a model wants to change.

    `used` are the values that the plan sets, `beside` the ids of the plan's other bookings.
    """
    everyone = [*(b for f in chat.found for b in f.rows), *chat.offered, *chat.known]
    match = next((b for b in everyone if booking_id in (b.booking_id, b.reference) and booking_id), None)
    if match is None:
        return Unknown()
    rivals = [b for b in everyone if b.booking_id != match.booking_id]
    named = bookings_named(evidence, match, rivals, beside)
    if named:
        return Resolved(match) if match in named else Ambiguous(tuple(_once(named)))
    if _is_ruled_out(match, evidence):
        return Ambiguous(tuple(_once(rivals)) or (match,))
    if _names_an_unknown(everyone, evidence, used):
        return Ambiguous((match,))
    if others := _names_of_others(match, evidence, used):
        theirs = [b for b in rivals if others & booking_words(b)]
        return Ambiguous(tuple(_once(theirs))) if theirs else Unknown()
    return _singled_out(match, evidence, chat, used, beside)


def _singled_out(
    match: BookingSummary, evidence: Extraction, chat: KnownBookings, used: Collection[str], beside: Collection[str]
) -> Resolved | Ambiguous | Unknown:
    """Resolve a booking that the words name by no number and by no other booking's name."""
    if _found_closer(match, evidence, chat, used):
        return Resolved(match)
    crowd = _crowd(match, chat)
    listed = any(b.booking_id == match.booking_id for b in chat.offered)
    seen_in = [f for f in chat.found if any(b.booking_id == match.booking_id for b in f.rows)]
    if seen_in and all(f.more for f in seen_in) and not listed:
        # The part of the list that was not read may hold an equal match.
        return Ambiguous(tuple(narrow_candidates(crowd, evidence, listed=False, used=used)) or (match,))
    if crowd:
        if match in (_the_other(crowd, evidence, chat), *_each_by_day(crowd, evidence, used)):
            return Resolved(match)
        picked = narrow_candidates(crowd, evidence, listed=listed, used=used)
        alone = [b.booking_id for b in picked] == [match.booking_id]
        return Resolved(match) if alone or _all_meant(match, picked, evidence, beside) else Ambiguous(tuple(picked))
    before = any(b.booking_id == match.booking_id for b in chat.known)
    single = [f for f in chat.found if len(f.rows) == 1 and match in f.rows and not f.more]
    if single and any(values_named(f.asked, evidence, used) for f in single):
        return Resolved(match)
    if len(chat.offered) == 1 and chat.offered[0].booking_id == match.booking_id:
        taken = short_reply(evidence.messages[0].text) is ShortReply.YES or own_words_of(match, evidence, 0)
        return Resolved(match) if taken else Ambiguous((match,))
    if not before:
        return Ambiguous((match,))
    return _of_the_chat(match, evidence, chat, used)


def _of_the_chat(
    match: BookingSummary, evidence: Extraction, chat: KnownBookings, used: Collection[str]
) -> Resolved | Ambiguous:
    """Resolve a booking mentioned earlier: the latest or one of the plan's, unless the words name another."""
    others = [b for b in chat.known if b.booking_id != match.booking_id]
    latest = evidence.named_in(evidence.messages[0], match, others)
    own = any(s.booking == match.booking_id for s in latest) or own_words_of(match, evidence, 0)
    # A name inside a note or a new name refers to no booking: "grandma's in a wheelchair".
    text = evidence.messages[0].plain
    written = [normalize_text(value) for value in used]
    strange = any(s.booking != match.booking_id and not _is_inside(text[s.start :], written) for s in latest)
    current = match.booking_id in chat.spoken or match.booking_id == chat.known[-1].booking_id
    if own or (current and not strange):
        return Resolved(match)
    last = chat.known[-1]
    return Ambiguous((match,) if last.booking_id == match.booking_id else (last, match))


def _is_inside(rest: str, written: Sequence[str]) -> bool:
    """Return whether the first word of `rest` is part of a text that the plan writes."""
    word = next((w.text for w in words_in(rest)), "")
    return bool(word) and any(word in {w.text for w in words_in(text)} for text in written)


def _names_an_unknown(known: Sequence[BookingSummary], evidence: Extraction, used: Collection[str]) -> bool:
    """Return whether the latest message gives a booking number that no look-up has found: "it's 8371"."""
    latest = evidence.messages[0]
    own = {normalize_text(number) for b in known for number in (b.reference, b.booking_id)}
    free = [
        c
        for c in evidence.of(MentionKind.OTHER, MentionKind.NUMBER)
        if c.message == 0 and c.assertion is Assertion.ASSERTED and _NUMBER.fullmatch(latest.plain[slice(*c.span)])
    ]
    written = [normalize_text(value) for value in used if not value.isdecimal()]
    return any(
        text not in own and not {text, f"{text[:2]}:{text[2:]}"} & set(used) and not any(text in one for one in written)
        for text in (latest.plain[slice(*mention.span)] for mention in free)
    )


def _names_of_others(match: BookingSummary, evidence: Extraction, used: Collection[str]) -> set[str]:
    """Return names of others directly beside this booking's own words: "the Zielinski birthday" for Whitlock's."""
    message = evidence.messages[0]
    marks = {m for m in booking_words(match) if len(m) >= _SHORTEST}
    apart = {w.text for value in used for w in words_in(normalize_text(value))}
    claimed = [c.span for c in evidence.mentions if c.message == 0]
    short, found = len(message.words) <= _SHORTEST and len(evidence.messages) > 1, set()
    for one, other in pairwise(message.words):
        first, second = (is_of(w.text, marks, message) for w in (one, other))
        own, strange = (one, other) if first else (other, one)
        beside = first != second and message.plain[one.end : other.start] == " "
        free = strange.text not in apart and not any(a <= strange.start < b for a, b in claimed)
        # An unknown verb may be there, too ("extend voucher"): a capital or a short answer marks a name.
        tells = strange.start > 0 and message.text[strange.start].isupper()
        if (
            beside
            and free
            and (first and tells if is_unknown_word(strip_possessive(own.text), message.locale) else tells or short)
        ):
            found |= {strip_possessive(strange.text)} if _is_a_name(strange, marks, message, evidence) else set()
    return found


def _is_a_name(word: WordToken, marks: Collection[str], message: Message, evidence: Extraction) -> bool:
    name = strip_possessive(word.text)
    if any(name.startswith(mark) or mark.startswith(name) for mark in marks) or not is_unknown_word(
        name, message.locale
    ):
        return False
    return evidence.assertion_of(message, (word.start, word.end)) is Assertion.ASSERTED


def _found_closer(match: BookingSummary, evidence: Extraction, chat: KnownBookings, used: Collection[str]) -> bool:
    """Return whether a look-up by the operator's word found only this one of those shown, even if its title lacks the
    word: "Lakshmi"."""
    latest = {strip_possessive(word.text) for word in evidence.messages[0].words}
    for found in chat.found:
        requested = {
            strip_possessive(word.text)
            for text in found.asked
            for word in words_in(normalize_text(text))
            if word.text.isalpha()
        }
        alone = len(found.rows) == 1 and match in found.rows and not found.more
        if alone and requested & latest and len(chat.offered) > 1 and values_named(found.asked, evidence, used):
            return True
    return False


def _crowd(match: BookingSummary, chat: KnownBookings) -> tuple[BookingSummary, ...]:
    """Return the bookings among which the words must pick; none if the booking is the only match. A booking that a
    later, narrower look-up found alone is the only match, unless it is among several that were offered."""
    if len(chat.offered) > 1 and any(b.booking_id == match.booking_id for b in chat.offered):
        return tuple(chat.offered)
    crowds = (f.rows for f in chat.found if len(f.rows) > 1)
    return next((rows for rows in crowds if any(b.booking_id == match.booking_id for b in rows)), ())


def _each_by_day(crowd: Sequence[BookingSummary], evidence: Extraction, used: Collection[str]) -> list[BookingSummary]:
    """Return the bookings that are each named by their own day: "Rossi on the 3rd and Rossi on the 15th"."""
    days = [c for c in evidence.of(MentionKind.DAY) if c.message == 0 and _marks(c, used)]
    latest = evidence.messages[0]
    if any(_OR.search(latest.plain, a.span[1], b.span[0]) for a, b in pairwise(days)):
        return []
    by_day = [[b for b in crowd if b.date in c.values] for c in days]
    alone = _once(fits[0] for fits in by_day if len(fits) == 1)
    return alone if len(alone) == len(days) > 1 else []


def _the_other(crowd: Sequence[BookingSummary], evidence: Extraction, chat: KnownBookings) -> BookingSummary | None:
    """Return the one match that the chat has not mentioned, if the words ask for it: "the other Megan"."""
    if not OTHER & {word.text for word in evidence.messages[0].words} or not chat.known:
        return None
    spoken = set(chat.spoken) or {chat.known[-1].booking_id}
    left = [b for b in crowd if b.booking_id not in spoken]
    return left[0] if len(left) == 1 and len(left) < len(crowd) else None


def _is_ruled_out(match: BookingSummary, evidence: Extraction) -> bool:
    """Return whether the latest message says that this booking is not meant: "not Bridget, the other one"."""
    message = evidence.messages[0]
    marks = {m for m in booking_words(match) if len(m) >= _SHORTEST and is_unknown_word(m, message.locale)}
    named = [(w.start, w.end) for w in message.words if is_of(w.text, marks, message)]
    return bool(named) and all(message.cue_before(span, ("NOT",), 0) is not None for span in named)


def _all_meant(
    match: BookingSummary, picked: Sequence[BookingSummary], evidence: Extraction, beside: Collection[str]
) -> bool:
    """Return whether the plan is for all of the bookings that the words ask for: "both Petrov parties"."""
    now = evidence.setting.now.strftime("%Y-%m-%d %H:%M")
    ahead = [b for b in picked if not b.cancelled and not is_past(b, now)]
    planned = {match.booking_id, *beside}
    whole = match in ahead and all({b.booking_id, b.reference} & planned for b in ahead)
    return whole and any(means_all(m.text, ahead, m.locale) for m in evidence.messages)


def narrow_candidates(
    candidates: Sequence[BookingSummary], evidence: Extraction, *, listed: bool = True, used: Collection[str] = ()
) -> list[BookingSummary]:
    """Return the candidates that the operator's words pick, the latest message first: by number, name and title, day
    and time, and by place in the list only if it was shown (`listed`), because "the first of May" would pick one.
    A single upcoming booking is preferred to cancelled and past ones."""
    pool = list(candidates)
    for message in evidence.messages:
        pool = _by_words(pool, message, evidence)
        pool = _by_moment(pool, message, evidence, used)
        if listed and message.number == 0:
            pool = _by_place(pool, candidates, message, evidence)
        if len(pool) == 1:
            return pool
    now = evidence.setting.now.strftime("%Y-%m-%d %H:%M")
    ahead = [b for b in pool if not b.cancelled and not is_past(b, now)]
    return ahead if len(ahead) == 1 else pool


def _by_words(pool: list[BookingSummary], message: Message, evidence: Extraction) -> list[BookingSummary]:
    """Return the bookings with most distinctive words said: "callaghan family", not "Callaghan birthday"."""
    own = {b.booking_id: booking_words(b) for b in pool}
    shared = frozenset.intersection(*own.values()) if own else frozenset()
    called = frozenset().union(*(own_words(b) for b in pool))
    mentioned = [mentioned_bookings(own[b.booking_id] - shared, message, evidence, called) for b in pool]
    scores = [len(words) + _initialled(b, message) for words, b in zip(mentioned, pool, strict=True)]
    limit = max(scores, default=0)
    return [b for b, score in zip(pool, scores, strict=True) if score == limit] if limit else pool


def _initialled(booking: BookingSummary, message: Message) -> int:
    """Return 1 if the message has a name of the booking with the initial of another one, else 0: "aroha p"."""
    own = {normalize_text(name) for name in re.findall(r"\b[A-Z]\w+", f"{booking.label} {booking.guest_name}")}
    pairs = pairwise(word.text for word in message.words)
    return int(any(a in own and len(b) == 1 and any(w[0] == b for w in own - {a}) for a, b in pairs))


def _by_moment(
    pool: list[BookingSummary], message: Message, evidence: Extraction, used: Collection[str]
) -> list[BookingSummary]:
    """Return the bookings on the day and at the time that identify one; all if no reading matches any."""
    dated = False
    for kind in (MentionKind.DAY, MentionKind.TIME):
        left: list[BookingSummary] = []
        for mention in evidence.of(kind):
            if mention.message != message.number or not (_marks(mention, used) or _is_off(mention, message)):
                continue
            fits = [b for b in pool if (b.date if kind is MentionKind.DAY else b.start_time) in mention.values]
            both = [b for b in fits if b in left]
            # "The 3rd or the 15th": each day identifies one of them.
            left = both or _once([*left, *fits])
        pool = left or pool
        dated = dated or bool(left)
    gone = {v for c in evidence.of(MentionKind.NUMBER) if c.assertion is Assertion.PAST for v in c.values}
    counts = [(c.count, c.assertion) for c in evidence.of(MentionKind.COUNT) if c.count is not None]
    gone |= {str(count.previous) for count, _ in counts if count.previous}
    gone |= {str(int(count.amount)) for count, assertion in counts if assertion is Assertion.PAST}
    pool = [b for b in pool if str(b.guest_count) in gone] or pool
    for match in () if dated else _DAY_OF_MONTH.finditer(message.plain):
        day = f"-{int(match[1]):02}"
        fits = [b for b in pool if (b.date or "").endswith(day)]
        pool = fits if fits and not any(str(value).endswith(day) for value in used) else pool
    return pool


def _marks(mention: Mention, used: Collection[str]) -> bool:
    """Return whether a day or a time identifies a booking: it is the current state, or the plan does not set it."""
    if mention.assertion in (Assertion.NEGATED, Assertion.CORRECTED, Assertion.REPORTED):
        return False
    return mention.assertion is Assertion.PAST or (not mention.is_target and not set(mention.values) & set(used))


def _is_off(mention: Mention, message: Message) -> bool:
    """Return whether a message cancels that day's booking: "the one on the 6th is off", "she can't do the 18th, bin
    it"."""
    off = message.cue_after(mention.span, ("SPOILT",), 0) is not None or bool(find_verb("cancel", message.text))
    return mention.assertion is Assertion.NEGATED and off


def _by_place(
    pool: list[BookingSummary], shown: Sequence[BookingSummary], message: Message, evidence: Extraction
) -> list[BookingSummary]:
    messages = [word.text for word in message.words]
    if counts_from_the_end(messages):
        # Past bookings are at the end of the list, and are hardly meant.
        now = evidence.setting.now.strftime("%Y-%m-%d %H:%M")
        shown = [b for b in shown if not b.cancelled and not is_past(b, now)] or shown
    compared = select_by_comparison(messages, [(b.date or "", b.start_time or "", b.guest_count) for b in shown])
    if compared is not None:
        return [shown[compared]]
    index = place_in(messages)
    if index is None and len(messages) == 1 and messages[0].isdecimal() and 1 <= int(messages[0]) <= len(shown):
        index = int(messages[0]) - 1
    if index is None and len(shown) == 2 and len(pool) == 2 and OTHER & set(messages):
        index = 1
    among = pool if len(pool) < len(shown) else list(shown)
    return [among[index]] if index is not None and -len(among) <= index < len(among) else pool


def _once(bookings: Iterable[BookingSummary]) -> list[BookingSummary]:
    return list({b.booking_id: b for b in bookings}.values())
