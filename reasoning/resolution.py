"""Which booking: a plan may only touch a booking that the operator has singled out.

A booking counts as singled out when the operator's words name it, when it was the only match of what they looked for,
when their words pick it from several, or when the chat speaks of it and they name no other
(`docs/state-model.md`, "Never assumed"). What picks is a booking's own: number, guest, title, day, time, place in the
list. A value that the plan sets picks nothing: "no wait, 5:30pm" corrects a time, though some booking starts then.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from contracts.booking import BookingSummary, FoundBookings
from contracts.enums import ShortReply
from language.alike import same_but_a_slip
from language.booking_names import bare, called_words, marks_of, spans_naming
from language.hurried import full_form
from language.locales import get_locale
from language.places import OTHER, counts_from_the_end, picked_by, place_in
from language.plain import Word, plain
from language.plain import words as words_in
from language.replies import short_reply
from language.verbs import said_of
from reasoning.bookings import is_past
from reasoning.evidence import Claim, Evidence, Kind, Standing
from reasoning.evidence.message import Message
from reasoning.evidence.subjects import is_no_word

_SHORTEST = 3
_DAY_OF_MONTH = re.compile(
    r"\b(?:of the|on the|the one on|del|dell'|quella dell?'?)\s*(\d{1,2})(?:st|nd|rd|th)?(?![\w:.,/]*\d)"
)
"""A day of the month beside a booking: "the one on the 17th", "la Rossi del 17"."""
_OR = re.compile(r"\b(?:or|oppure|o)\b")
_NUMBER = re.compile(r"[0-9]{4,6}")
"""What a booking's number looks like among other figures."""
_ALIKE = 0.75
"""How alike two words must be to count as the same one, mistyped: "Smth" and "Smith" are 0.89."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The booking is singled out."""

    booking: BookingSummary


@dataclass(frozen=True, slots=True)
class WhichOne:
    """Several bookings match: the operator must pick."""

    candidates: tuple[BookingSummary, ...]


@dataclass(frozen=True, slots=True)
class NotSeen:
    """The id was neither found in this chat nor typed by the operator."""


@dataclass(frozen=True, slots=True)
class Chat:
    """What a chat knows of bookings: `found` the look-ups of this turn, `offered` what was shown last, `known` those
    settled earlier, the latest last, `spoken` the ids that the plan at hand is about."""

    found: Sequence[FoundBookings] = ()
    offered: Sequence[BookingSummary] = ()
    known: Sequence[BookingSummary] = ()
    spoken: Collection[str] = ()


def settle(
    booking_id: str,
    evidence: Evidence,
    chat: Chat,
    used: Collection[str] = (),
    beside: Collection[str] = (),
) -> Settled | WhichOne | NotSeen:
    """Judge a booking id that a model wants to change. `used` are the values that the plan sets, `beside` the ids of
    the plan's other bookings."""
    everyone = [*(b for f in chat.found for b in f.rows), *chat.offered, *chat.known]
    match = next((b for b in everyone if booking_id in (b.booking_id, b.reference) and booking_id), None)
    if match is None:
        return NotSeen()
    rivals = [b for b in everyone if b.booking_id != match.booking_id]
    named = _named(evidence, match, rivals, beside)
    if named:
        return Settled(match) if match in named else WhichOne(tuple(_once(named)))
    if _names_an_unknown(everyone, evidence, used):
        return WhichOne((match,))
    if others := _names_of_others(match, evidence, used):
        theirs = [b for b in rivals if others & marks_of(b)]
        return WhichOne(tuple(_once(theirs))) if theirs else NotSeen()
    return _singled_out(match, evidence, chat, used)


def _singled_out(
    match: BookingSummary, evidence: Evidence, chat: Chat, used: Collection[str]
) -> Settled | WhichOne | NotSeen:
    """Whether words pick a booking that is called by no number, and by nobody else's name."""
    if _found_closer(match, evidence, chat, used):
        return Settled(match)
    crowd = _crowd(match, chat)
    listed = any(b.booking_id == match.booking_id for b in chat.offered)
    seen_in = [f for f in chat.found if any(b.booking_id == match.booking_id for b in f.rows)]
    if seen_in and all(f.more for f in seen_in) and not listed:
        # What fits just as well may stand where nobody has looked.
        return WhichOne(tuple(narrow(crowd, evidence, listed=False, used=used)) or (match,))
    if crowd:
        if match in (_the_other(crowd, evidence, chat), *_each_by_day(crowd, evidence, used)):
            return Settled(match)
        picked = narrow(crowd, evidence, listed=listed, used=used)
        alone = [b.booking_id for b in picked] == [match.booking_id]
        return Settled(match) if alone else WhichOne(tuple(picked))
    before = any(b.booking_id == match.booking_id for b in chat.known)
    single = [f for f in chat.found if len(f.rows) == 1 and match in f.rows and not f.more]
    if single and any(_borne_out(f.asked, evidence, used) for f in single):
        return Settled(match)
    if len(chat.offered) == 1 and chat.offered[0].booking_id == match.booking_id:
        taken = short_reply(evidence.messages[0].text) is ShortReply.YES or _own_words(match, evidence, 0)
        return Settled(match) if taken else WhichOne((match,))
    if not before:
        return WhichOne((match,))
    return _of_the_chat(match, evidence, chat, used)


def _of_the_chat(match: BookingSummary, evidence: Evidence, chat: Chat, used: Collection[str]) -> Settled | WhichOne:
    """A booking that the chat has spoken of: the latest one or one of the plan's, while the words name no other."""
    others = [b for b in chat.known if b.booking_id != match.booking_id]
    latest = evidence.named_in(evidence.messages[0], match, others)
    own = any(s.booking == match.booking_id for s in latest) or _own_words(match, evidence, 0)
    # A name inside a note or a new name is whoever it is: "grandma's in a wheelchair".
    said = evidence.messages[0].plain
    written = [plain(value) for value in used]
    strange = any(s.booking != match.booking_id and not _is_inside(said[s.start :], written) for s in latest)
    current = match.booking_id in chat.spoken or match.booking_id == chat.known[-1].booking_id
    if own or (current and not strange):
        return Settled(match)
    last = chat.known[-1]
    return WhichOne((match,) if last.booking_id == match.booking_id else (last, match))


def _is_inside(rest: str, written: Sequence[str]) -> bool:
    """Whether the word at the beginning of `rest` is part of a text that the plan writes."""
    word = next((w.text for w in words_in(rest)), "")
    return bool(word) and any(word in {w.text for w in words_in(text)} for text in written)


def _names_an_unknown(known: Sequence[BookingSummary], evidence: Evidence, used: Collection[str]) -> bool:
    """Whether the latest message gives a booking number that nobody has looked up: "it's 8371"."""
    latest = evidence.messages[0]
    own = {plain(number) for b in known for number in (b.reference, b.booking_id)}
    free = [
        c
        for c in evidence.of(Kind.OTHER, Kind.NUMBER)
        if c.message == 0 and c.standing is Standing.SAID and _NUMBER.fullmatch(latest.plain[slice(*c.span)])
    ]
    written = [plain(value) for value in used if not value.isdecimal()]
    return any(
        text not in own and not {text, f"{text[:2]}:{text[2:]}"} & set(used) and not any(text in one for one in written)
        for text in (latest.plain[slice(*claim.span)] for claim in free)
    )


def _names_of_others(match: BookingSummary, evidence: Evidence, used: Collection[str]) -> set[str]:
    """The names of others right beside what is said of this booking: "the Zielinski birthday", of Whitlock's."""
    message = evidence.messages[0]
    marks = {m for m in marks_of(match) if len(m) >= _SHORTEST}
    apart = {w.text for value in used for w in words_in(plain(value))}
    claimed = [c.span for c in evidence.claims if c.message == 0]
    short, found = len(message.words) <= _SHORTEST and len(evidence.messages) > 1, set()
    for one, other in pairwise(message.words):
        first, second = (_is_of(w.text, marks, message) for w in (one, other))
        own, strange = (one, other) if first else (other, one)
        beside = first != second and message.plain[one.end : other.start] == " "
        free = strange.text not in apart and not any(a <= strange.start < b for a, b in claimed)
        # A verb that nobody knows stands there, too ("extend voucher"): a capital tells, and so does a short answer.
        tells = strange.start > 0 and message.text[strange.start].isupper()
        if beside and free and (first and tells if is_no_word(bare(own.text), message.locale) else tells or short):
            found |= {bare(strange.text)} if _is_a_name(strange, marks, message, evidence) else set()
    return found


def _is_a_name(word: Word, marks: Collection[str], message: Message, evidence: Evidence) -> bool:
    name = bare(word.text)
    if any(name.startswith(mark) or mark.startswith(name) for mark in marks) or not is_no_word(name, message.locale):
        return False
    return evidence.meant(message, (word.start, word.end)) is Standing.SAID


def _is_of(word: str, marks: Collection[str], message: Message) -> bool:
    full = full_form(word, get_locale(message.locale).code)
    return any(same_but_a_slip(bare(word), mark) or full == mark for mark in marks)


def _found_closer(match: BookingSummary, evidence: Evidence, chat: Chat, used: Collection[str]) -> bool:
    """ "Lakshmi", said of two that were shown: a look-up by that word found one, though its title does not hold it."""
    latest = {bare(word.text) for word in evidence.messages[0].words}
    for found in chat.found:
        asked = {bare(word.text) for text in found.asked for word in words_in(plain(text)) if word.text.isalpha()}
        alone = len(found.rows) == 1 and match in found.rows and not found.more
        if alone and asked & latest and len(chat.offered) > 1 and _borne_out(found.asked, evidence, used):
            return True
    return False


def _crowd(match: BookingSummary, chat: Chat) -> tuple[BookingSummary, ...]:
    """The bookings among which the words must pick; none where it stands alone. Found alone afterwards, by a closer
    look, it stands alone, unless it was picked from what was offered."""
    if len(chat.offered) > 1 and any(b.booking_id == match.booking_id for b in chat.offered):
        return tuple(chat.offered)
    crowds = (f.rows for f in chat.found if len(f.rows) > 1)
    return next((rows for rows in crowds if any(b.booking_id == match.booking_id for b in rows)), ())


def _each_by_day(crowd: Sequence[BookingSummary], evidence: Evidence, used: Collection[str]) -> list[BookingSummary]:
    """ "Rossi on the 3rd and Rossi on the 15th": several, each by its own day; none where one is spoken of."""
    days = [c for c in evidence.of(Kind.DAY) if c.message == 0 and _marks(c, used)]
    latest = evidence.messages[0]
    if any(_OR.search(latest.plain, a.span[1], b.span[0]) for a, b in pairwise(days)):
        return []
    by_day = [[b for b in crowd if b.date in c.values] for c in days]
    alone = _once(fits[0] for fits in by_day if len(fits) == 1)
    return alone if len(alone) == len(days) > 1 else []


def _the_other(crowd: Sequence[BookingSummary], evidence: Evidence, chat: Chat) -> BookingSummary | None:
    """ "The other Megan": of those that fit, the one that the chat has not spoken of."""
    if not OTHER & {word.text for word in evidence.messages[0].words} or not chat.known:
        return None
    spoken = set(chat.spoken) or {chat.known[-1].booking_id}
    left = [b for b in crowd if b.booking_id not in spoken]
    return left[0] if len(left) == 1 and len(left) < len(crowd) else None


def narrow(
    candidates: Sequence[BookingSummary], evidence: Evidence, *, listed: bool = True, used: Collection[str] = ()
) -> list[BookingSummary]:
    """The candidates that the operator's words pick, the latest message first: by number, name and title, day and time,
    and by place in the list where the operator was shown it (`listed`): else "the first of May" would pick one. What is
    cancelled or past gives way to what is ahead."""
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


def _by_words(pool: list[BookingSummary], message: Message, evidence: Evidence) -> list[BookingSummary]:
    """Those with the most words said that not all of them have: "callaghan family", not "Callaghan birthday"."""
    own = {b.booking_id: marks_of(b) for b in pool}
    shared = frozenset.intersection(*own.values()) if own else frozenset()
    called = frozenset().union(*(called_words(b) for b in pool))
    said = [_said(own[b.booking_id] - shared, message, evidence, called) for b in pool]
    scores = [len(words) + _initialled(b, message) for words, b in zip(said, pool, strict=True)]
    most = max(scores, default=0)
    return [b for b, score in zip(pool, scores, strict=True) if score == most] if most else pool


def _initialled(booking: BookingSummary, message: Message) -> int:
    """Whether a name is said with the letter of another of the booking's own: "aroha p"."""
    own = {plain(name) for name in re.findall(r"\b[A-Z]\w+", f"{booking.label} {booking.guest_name}")}
    pairs = pairwise(word.text for word in message.words)
    return int(any(a in own and len(b) == 1 and any(w[0] == b for w in own - {a}) for a, b in pairs))


def _by_moment(
    pool: list[BookingSummary], message: Message, evidence: Evidence, used: Collection[str]
) -> list[BookingSummary]:
    """Those on the day and at the time that mark a booking, by a reading that leaves some."""
    dated = False
    for kind in (Kind.DAY, Kind.TIME):
        left: list[BookingSummary] = []
        for claim in evidence.of(kind):
            if claim.message != message.number or not (_marks(claim, used) or _is_off(claim, message)):
                continue
            fits = [b for b in pool if (b.date if kind is Kind.DAY else b.start_time) in claim.values]
            both = [b for b in fits if b in left]
            # "The 3rd or the 15th": each day tells one of them.
            left = both or _once([*left, *fits])
        pool = left or pool
        dated = dated or bool(left)
    gone = {v for c in evidence.of(Kind.NUMBER) if c.standing is Standing.FORMER for v in c.values}
    gone |= {str(c.count.previous) for c in evidence.of(Kind.COUNT) if c.count is not None and c.count.previous}
    pool = [b for b in pool if str(b.guest_count) in gone] or pool
    for match in () if dated else _DAY_OF_MONTH.finditer(message.plain):
        day = f"-{int(match[1]):02}"
        fits = [b for b in pool if (b.date or "").endswith(day)]
        pool = fits if fits and not any(str(value).endswith(day) for value in used) else pool
    return pool


def _marks(claim: Claim, used: Collection[str]) -> bool:
    """Whether a day or a time tells which booking is meant: it is how things are, or the plan does not set it."""
    if claim.standing in (Standing.NEGATED, Standing.CORRECTED, Standing.REPORTED):
        return False
    return claim.standing is Standing.FORMER or (not claim.to and not set(claim.values) & set(used))


def _is_off(claim: Claim, message: Message) -> bool:
    """ "The one on the 6th is off", "she can't do the 18th, bin it": what does not take place is that day's booking."""
    off = message.cue_after(claim.span, ("SPOILT",), 0) is not None or bool(said_of("cancel", message.text))
    return claim.standing is Standing.NEGATED and off


def _by_place(
    pool: list[BookingSummary], shown: Sequence[BookingSummary], message: Message, evidence: Evidence
) -> list[BookingSummary]:
    said = [word.text for word in message.words]
    if counts_from_the_end(said):
        # What is past stands at the end of the list, and is hardly what is meant.
        now = evidence.setting.now.strftime("%Y-%m-%d %H:%M")
        shown = [b for b in shown if not b.cancelled and not is_past(b, now)] or shown
    compared = picked_by(said, [(b.date or "", b.start_time or "", b.guest_count) for b in shown])
    if compared is not None:
        return [shown[compared]]
    place = place_in(said)
    if place is None and len(said) == 1 and said[0].isdecimal() and 1 <= int(said[0]) <= len(shown):
        place = int(said[0]) - 1
    if place is None and len(shown) == 2 and len(pool) == 2 and OTHER & set(said):
        place = 1
    among = pool if len(pool) < len(shown) else list(shown)
    return [among[place]] if place is not None and -len(among) <= place < len(among) else pool


def _named(
    evidence: Evidence, match: BookingSummary, rivals: Sequence[BookingSummary], beside: Collection[str]
) -> list[BookingSummary]:
    """Those that the latest message with a number in it names by their number or id; none where the match has been
    called by a name since. What the plan is about `beside` is no rival, unless the message puts something right."""
    for message in evidence.messages:
        named = [b for b in (match, *rivals) if _is_named(message, evidence, b)]
        if match not in named and not message.of_kind("CORRECT", "NO", "INSTEAD"):
            named = [b for b in named if not {b.booking_id, b.reference} & set(beside)]
        names = {m for m in marks_of(match) if len(m) >= _SHORTEST and is_no_word(m, message.locale)}
        if named or _said(names, message, evidence):
            return named
    return []


def _is_named(message: Message, evidence: Evidence, booking: BookingSummary) -> bool:
    named = spans_naming(message.text, booking)
    return any(evidence.meant(message, span) is not Standing.NEGATED for span in named)


def _said(
    marks: Iterable[str], message: Message, evidence: Evidence, called: Collection[str] = frozenset()
) -> set[str]:
    """Which of these a message says, and does not deny. A word that somebody is `called` is no slip of another's name:
    "Clarke" does not say "Clark" where there are both."""
    return {
        mark
        for word in message.words
        for mark in marks
        if (mark == said if (said := bare(word.text)) in called else _is_of(word.text, (mark,), message))
        and evidence.meant(message, (word.start, word.end)) is not Standing.NEGATED
    }


def _own_words(booking: BookingSummary, evidence: Evidence, number: int) -> bool:
    return bool(_said({m for m in marks_of(booking) if len(m) >= _SHORTEST}, evidence.messages[number], evidence))


def _borne_out(asked: Sequence[str], evidence: Evidence, used: Collection[str]) -> bool:
    """Whether the operator said what was looked for; a slip of the keyboard is forgiven, an invention is not. A day or
    a time that was looked for must be among those said, and not be one that the plan sets where it was all there was.
    """
    said = {bare(word.text) for message in evidence.messages for word in message.words}
    digits = "".join(re.sub(r"\D", "", message.text) for message in evidence.messages)
    stated = {value for claim in evidence.of(Kind.DAY, Kind.TIME) for value in claim.values}
    emails = {value.casefold() for claim in evidence.of(Kind.EMAIL) for value in claim.values}
    only_moment = True
    for text in asked:
        if re.fullmatch(r"\d{4}-\d\d-\d\d|\d\d:\d\d", text):
            if text not in stated or (text in used and only_moment):
                return False
            continue
        only_moment = False
        if text.casefold() in emails:
            continue
        for word in words_in(plain(text)):
            number = re.sub(r"\D", "", word.text)
            if len(number) >= 4 and number[-8:] in digits:
                continue
            if not any(_alike(bare(word.text), one) for one in said):
                return False
    return bool(asked)


def _alike(wanted: str, said: str) -> bool:
    """Looser than where words pick: the venue has found nobody else by it."""
    inside = len(wanted) >= _SHORTEST and wanted in said
    return inside or same_but_a_slip(wanted, said) or SequenceMatcher(None, wanted, said).ratio() >= _ALIKE


def _once(bookings: Iterable[BookingSummary]) -> list[BookingSummary]:
    return list({b.booking_id: b for b in bookings}.values())
