"""Which booking, as chats judged it themselves before the draft did (`reasoning.resolution`): for replaying turns from
before that alone, and gone once none is kept any more.

A booking counts as singled out when it was found in this chat and either it was the only match, or the operator's words
pick it from the matches (`docs/state-model.md`, "Never assumed").
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from contracts.booking import BookingSummary, FoundBookings
from language.places import PLACES
from reasoning.resolution import NotSeen, Settled, WhichOne

_ALIKE = 0.75
"""How alike two words must be to count as the same one, mistyped: "Smth" and "Smith" are 0.89."""


def settle(
    booking_id: str,
    *,
    said: str,
    found: Sequence[FoundBookings],
    offered: Sequence[BookingSummary],
    known: Sequence[BookingSummary],
) -> Settled | WhichOne | NotSeen:
    """Judge a booking id that a model wants to change.

    `said` is the operator's message, `found` the look-ups of this turn, `offered` the candidates of the last
    question, `known` the bookings settled earlier in this chat.
    """
    everyone = [*(b for f in found for b in f.rows), *offered, *known]
    match = next((b for b in everyone if booking_id in (b.booking_id, b.reference) and booking_id), None)
    if match is None:
        return NotSeen()
    if _names(said, match):
        return Settled(match)
    if len(offered) > 1 and [b.booking_id for b in narrow(offered, said)] == [match.booking_id]:
        return Settled(match)
    alone = [f for f in found if len(f.rows) == 1 and match in f.rows]
    # Looked at afresh, a booking known from earlier may differ in what it holds; its id does not.
    settled_before = any(b.booking_id == match.booking_id for b in known)
    if alone and (settled_before or any(_borne_out(f.asked, said) for f in alone)):
        return Settled(match)
    if alone and not any(match in f.rows for f in found if len(f.rows) > 1):
        return WhichOne((match,))
    if any(match.booking_id == b.booking_id for b in offered):
        picked = narrow(offered, said)
        return Settled(match) if [b.booking_id for b in picked] == [match.booking_id] else WhichOne(tuple(offered))
    crowd = next((f.rows for f in found if match in f.rows), None)
    if crowd is not None:
        picked = narrow(crowd, said, listed=False)
        return (
            Settled(match) if [b.booking_id for b in picked] == [match.booking_id] else WhichOne(tuple(picked or crowd))
        )
    return Settled(match)


def narrow(candidates: Sequence[BookingSummary], said: str, *, listed: bool = True) -> list[BookingSummary]:
    """The candidates that the operator's words pick: by reference, full name, day or time, and by place in the list
    where the operator was shown it (`listed`): else "the first of May" would pick one."""
    by_reference = [b for b in candidates if _names(said, b)]
    if by_reference:
        return by_reference
    words = _words(said)
    full = [b for b in candidates if b.guest_name and set(_words(b.guest_name)) <= set(words)]
    if len(full) == 1:
        return full
    pool = full or list(candidates)
    place = next((PLACES[w] for w in words if w in PLACES), None) if listed else None
    if listed and place is None and len(words) == 1 and words[0].isdecimal() and 1 <= int(words[0]) <= len(candidates):
        place = int(words[0]) - 1
    if place is not None and -len(pool) <= place < len(pool):
        return [pool[place]]
    partial = [b for b in pool if set(_distinctive(b, pool)) & set(words)]
    return partial if len(partial) == 1 else pool


def _borne_out(asked: tuple[str, ...], said: str) -> bool:
    """Whether the operator said what was looked for; a slip of the keyboard is forgiven, an invention is not. Days and
    times were worked out from the words, so they are not looked for among them."""
    words = _words(said)
    digits = re.sub(r"\D", "", said)
    for text in asked:
        for word in _words(text):
            number = re.sub(r"\D", "", word)
            if re.fullmatch(r"\d{4}-\d\d-\d\d|\d\d:\d\d", word) or (len(number) >= 4 and number[-8:] in digits):
                continue
            if not any(word in w or SequenceMatcher(None, word, w).ratio() >= _ALIKE for w in words):
                return False
    return True


def _names(said: str, booking: BookingSummary) -> bool:
    return any(
        len(r) >= 3 and re.search(rf"(?<![\w-]){re.escape(r)}(?![\w-])", said, re.IGNORECASE)
        for r in (booking.reference, booking.booking_id)
    )


def _distinctive(booking: BookingSummary, pool: Iterable[BookingSummary]) -> list[str]:
    """Words of this candidate that no other has: a surname, a day's number, an hour."""
    own = _marks(booking)
    others = {w for b in pool if b.booking_id != booking.booking_id for w in _marks(b)}
    return [w for w in own if w not in others]


def _marks(booking: BookingSummary) -> list[str]:
    marks = _words(f"{booking.guest_name} {booking.label} {booking.reference}")
    if booking.start_time:
        hour, minute = (int(p) for p in booking.start_time.split(":")[:2])
        tail = f":{minute:02}" if minute else ""
        marks += _words(f"{booking.start_time} {hour % 12 or 12}{tail}{'pm' if hour >= 12 else 'am'}")
    if booking.date:
        marks.append(booking.date)
    return marks


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFD", text.casefold())
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    found = re.findall(r"\d{4}-\d\d-\d\d|[\w@.+:'-]*\w", plain.replace("’", "'"))
    return [word.removesuffix("'s") for word in found]
