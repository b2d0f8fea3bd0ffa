"""Find which booking a clause refers to: the current one, another known one, or one that is only named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import zip_longest

from contracts.booking import BookingSummary
from language.dates.resolution import Span
from language.extraction.mention import OTHER_BOOKING, Mention
from language.extraction.message import Message
from language.locales import alternatives
from language.requests.parts import find_verb, is_unknown_word
from language.text.normalize import WordToken, normalize_text, tokenize

_SHORTEST = 2
_of = partial(alternatives, "extraction")
_CHANGED = re.compile(rf"\s+(?:(?:{_of('CHANGED')}|->|=>)\b|\d)")
_IS = re.compile(rf"\s+(?:{_of('IS')})\b", re.IGNORECASE)
_REFERENCE = re.compile(r"(?<![\w.+/-])\d{4,6}(?![\w./-])")
_JOINED = re.compile(
    rf"(?:(?!(?:{_of('NO_NAME')})\b)[\w']+\s+){{0,3}}[\w']+\s*(?:,|&|\+|\b(?:{_of('AND_NEXT')})\b)\s*"
    rf"(?:(?:{_of('THE')})\s+)?"
)
"""A booking's name and the words that join the next one to it."""
_TWO = re.compile(rf"[\w']+(?:\s+[\w']+)?\s+(?:{_of('AND_NEXT')}|&|\+)\s+(?:(?:{_of('THE')})\s+)?")
"""The first of two bookings, with nothing but "and" behind it."""
_ONE_WORD = re.compile(r"[\w']+\s+")
_BESIDE_VERBS = re.compile(rf"(?:{_of('BESIDE_VERBS')})\s+$")
"""Words in front of a verb, where no name is possible: "they've picked"."""
_LINK = re.compile(rf"[,;.:]\s*|\b(?:{_of('AND_NEXT')})\b")
_OPENS = re.compile(rf"(?:[,;.:&?!]|\b(?:{_of('OPENS')}))$")
_ASKS = re.compile(rf"\W*(?:{_of('ASKS')})\b")
_NUMBERED = re.compile(rf"\d|\b(?:{_of('ONE')})\b")


@dataclass(frozen=True, slots=True)
class BookingReference:
    """A place from which the words refer to a booking (an id, or OTHER_BOOKING)."""

    start: int
    booking: str


def find_references(
    message: Message,
    booking: BookingSummary,
    others: Sequence[BookingSummary],
    locale: str,
    stated: Sequence[int],
    details: Sequence[Span] = (),
) -> list[BookingReference]:
    """Return the places where the words turn to a booking, left to right. `stated` are the places of claims: an unknown
    name in front of one is its owner. `details` are phone numbers and addresses, whose digits name no booking."""
    found = [BookingReference(word.start, booking.booking_id) for word in _naming(message, booking, ())]
    for other in others:
        if other.booking_id != booking.booking_id:
            found += [BookingReference(word.start, other.booking_id) for word in _naming(message, other, (booking,))]
    known = {subject.start for subject in found}
    found += [
        BookingReference(span[0], OTHER_BOOKING)
        for span in _strangers(message, booking, locale, stated)
        if not any(span[0] <= start < span[1] for start in known)
        if not any(start <= span[0] < end for start, end in details)
        if not _inside_a_note(message, span[0])
    ]
    found += [BookingReference(cue.span[0], OTHER_BOOKING) for cue in message.of_kind("OTHER")]
    ordered = sorted(found, key=lambda subject: subject.start)
    return _coordinated(message, booking, _whole_names(message, ordered), stated)


def _whole_names(message: Message, found: Sequence[BookingReference]) -> list[BookingReference]:
    """Return the references with a first name joined to the name directly behind it: of "Zara Hill and Zara Bell" the
    second Zara is Bell's."""
    whole: list[BookingReference] = []
    for subject, behind in zip_longest(found, found[1:]):
        beside = behind is not None and _ONE_WORD.fullmatch(message.plain, subject.start, behind.start)
        whole.append(BookingReference(subject.start, behind.booking) if beside else subject)
    return whole


def _coordinated(
    message: Message, booking: BookingSummary, found: Sequence[BookingReference], stated: Sequence[int]
) -> list[BookingReference]:
    """Return the references with a statement on two joined bookings applied to both: "2001 and 2002 to Sunday", "a note
    on john and emma"."""
    joined: list[BookingReference] = []
    same = ""
    own = booking.booking_id
    for index, subject in enumerate(found):
        behind = found[index + 1] if index + 1 < len(found) else None
        if behind is not None and subject.booking != own == behind.booking and not joined:
            between = message.plain[subject.start : behind.start]
            if _TWO.fullmatch(between) and not any(subject.start <= at < behind.start for at in stated):
                joined.append(BookingReference(subject.start, own))
                continue
        before = joined[-1] if joined else None
        if before is not None and before.booking == booking.booking_id != subject.booking:
            between = message.plain[before.start : subject.start]
            apart = any(before.start <= place < subject.start for place in stated)
            # The second word of "emma brown" belongs to the same booking as the first.
            goes_on = subject.booking == same and _ONE_WORD.fullmatch(between)
            if (_JOINED.fullmatch(between) or goes_on) and not apart:
                joined.append(BookingReference(subject.start, booking.booking_id))
                same = subject.booking
                continue
        same = ""
        joined.append(subject)
    return joined


def reference_at(message: Message, index: int, found: Sequence[BookingReference]) -> str | None:
    """Return the booking referred to at a place; None before the message names one."""
    before = [subject for subject in found if subject.start <= index]
    if before:
        return before[-1].booking
    # "5pm for Emma": the name may follow, in the same clause.
    behind = next((s for s in found if not message.parted(index, s.start) and not _link(message, index, s.start)), None)
    return behind.booking if behind else None


def bookings_behind(message: Message, verb: Span, found: Sequence[BookingReference]) -> list[str]:
    """Return the bookings named behind a verb in its own clause, with those joined to them: of "cancel Ann and Ben"
    both, of "cancel Ann and Ben to 4pm" Ann."""
    objects: list[BookingReference] = []
    for subject in found:
        if subject.start < verb[1]:
            continue
        if not objects:
            if message.parted(verb[1], subject.start) or _link(message, verb[1], subject.start):
                break
        elif subject.booking != objects[-1].booking and not (
            _JOINED.fullmatch(message.plain, objects[-1].start, subject.start)
            and not _has_its_own_words(message, subject, found)
        ):
            break
        objects.append(subject)
    return [subject.booking for subject in objects]


def _has_its_own_words(message: Message, subject: BookingReference, found: Sequence[BookingReference]) -> bool:
    """Return whether words about a booking follow directly behind its name: "to 4pm"."""
    starts = [subject.start]
    starts += [s.start for s in found if s.booking == subject.booking and s.start > subject.start]
    ends = {word.start: word.end for word in message.words}
    return any(_CHANGED.match(message.plain, ends[start]) for start in starts if start in ends)


def _link(message: Message, start: int, end: int) -> bool:
    return _LINK.search(message.plain, start, end) is not None


def _naming(message: Message, booking: BookingSummary, apart: Sequence[BookingSummary]) -> Iterator[WordToken]:
    """Yield the words that name this booking: of its guest, its label, its number; without those that another booking
    has too."""
    own = name_words(booking)
    for other in apart:
        own -= name_words(other)
    for word in message.words:
        if word.text.removesuffix("'s") in own or word.text in own:
            yield word


def name_words(booking: BookingSummary) -> set[str]:
    """Return the words and numbers that name a booking."""
    called = f"{booking.guest_name} {booking.found_by}"
    named = [word.text for word in tokenize(normalize_text(called)) if len(word.text) >= _SHORTEST]
    return {
        *named,
        *(normalize_text(name) for name in (booking.reference, booking.booking_id) if len(name) >= _SHORTEST),
    }


def _strangers(message: Message, booking: BookingSummary, locale: str, stated: Sequence[int]) -> Iterator[Span]:
    """Yield unknown names where a booking would be named: "… and john smith to sunday", "john's party"."""
    own = name_words(booking) | {word.text for word in tokenize(normalize_text(booking.label))}
    for match in _REFERENCE.finditer(message.plain):
        if match.group() not in own and _CHANGED.match(message.plain, match.end()) and _opens(message, match.start()):
            yield match.span()
    names = [word for word in message.words if _may_name(message, word, own, locale)]
    for index, word in enumerate(names):
        if index and names[index - 1].end == word.start - 1:
            continue
        last = word
        for following in names[index + 1 :]:
            if following.start != last.end + 1:
                break
            last = following
        owner = last.text.endswith("'s") and not message.plain[last.end :].lstrip().startswith("@")
        end, start = _family_behind(message, last.end), _before_family(message, word.start)
        changed = _CHANGED.match(message.plain, end) or _IS.match(message.text, end) or end + 1 in stated
        if owner or _asked_about(message, start, own) or (changed and _opens(message, start)):
            yield word.start, last.end


def _family_behind(message: Message, end: int) -> int:
    """Return where a name ends, with the noun it belongs to: "wilson family", "patel crew"."""
    cue = message.cue_after((end, end), ("FAMILY",), 0)
    return cue.span[1] if cue else end


def _before_family(message: Message, start: int) -> int:
    """Return where a name begins, with the words that lead to it: "the wilsons", "la famiglia rossi"."""
    cue = message.cue_before((start, start), ("FAMILY_OF",), 0)
    return cue.span[0] if cue else start


def _asked_about(message: Message, start: int, own: set[str]) -> bool:
    """Return whether a name is in a question about another guest, which does not concern this booking: "is john smith
    still coming friday? …"."""
    cue = message.cue_before((start, start), ("ASKS",), 0)
    if cue is None or not (_opens(message, cue.span[0]) or not message.plain[: cue.span[0]].strip()):
        return False
    mark = message.plain.find("?", start)
    question = message.plain[start:mark] if mark >= 0 else ""
    return bool(question) and not own & {word.text.removesuffix("'s") for word in tokenize(question)}


def _inside_a_note(message: Message, index: int) -> bool:
    """Return whether a place is in the text of a note: "add a note: Tommy is allergic" names a guest, and no
    booking."""
    noted = next((end for _, end in find_verb("note", message.plain)), None)
    colon = message.plain.find(":", noted) if noted is not None else -1
    return -1 < colon < index


def _opens(message: Message, index: int) -> bool:
    """Return whether a name here is the object of a change: behind a link, or behind a verb that follows one."""
    before = message.plain[:index].rstrip()
    return not before or _OPENS.search(before) is not None


def _may_name(message: Message, word: WordToken, own: set[str], locale: str) -> bool:
    bare = word.text.removesuffix("'s")
    if _ASKS.match(message.plain) is None and _BESIDE_VERBS.search(message.plain[: word.start]):
        return False
    return bare not in own and is_unknown_word(bare, locale)


@lru_cache(maxsize=4096)
def says_why(mention: Mention, message: Message, verb: Span) -> bool:
    """Return whether a person after the request to cancel is only the reason, which does not change the head count:
    "cancel Rossi pls kid is sick"."""
    between = [w.text for w in message.words if verb[1] <= w.start < mention.span[0]]
    numbered = _NUMBERED.search(message.plain[max(0, mention.span[0] - 4) : mention.span[1]])
    return numbered is None and any(is_unknown_word(w.removesuffix("'s"), message.locale) for w in between)
