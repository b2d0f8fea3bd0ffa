"""The search for bookings: look-ups, answered in the transcript, narrowed by everything the message states."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from contracts.enums import ParameterRole as Role
from language.extraction import Assertion, Mention, MentionKind
from language.numbers.numbers import place_in, select_by_comparison
from language.text.normalize import normalize_text, tokenize
from language.text.spelling import same_but_a_slip
from offline_planner.brief import Brief, Row, row_of
from offline_planner.orders.mentions import BookingMention
from offline_planner.protocol import Arguments, Call, ProtocolMessage, as_json
from offline_planner.tools import Tool, Toolbox

_ROUNDS = 3
_SHORTEST = 3


class LookUpNeeded(Exception):  # noqa: N818 - no error: a look-up must come first
    """Signal that these look-ups must be answered first."""

    def __init__(self, calls: Sequence[Call]) -> None:
        super().__init__(len(calls))
        self.calls = tuple(calls)


class AmbiguousBookingError(Exception):
    """Report that `text` means no booking, or more than one; `rows` are those that fit."""

    def __init__(self, text: str, rows: Sequence[Row] = ()) -> None:
        super().__init__(text)
        self.message = text
        self.rows = tuple(rows)


_GOES_ON = "not all of it was read"
"""The text by which a look-up marks a truncated list."""


@dataclass(frozen=True, slots=True)
class LookUpLog:
    """Hold the look-ups of this turn with their answers."""

    answers: tuple[tuple[Call, str], ...]

    @staticmethod
    def of(messages: Sequence[ProtocolMessage], brief: Brief | None = None) -> LookUpLog:
        """Return the look-ups after the last user message, those of the brief first."""
        start = max((n for n, m in enumerate(messages) if m.role == "user"), default=-1) + 1
        calls = {c.id: c for m in messages[start:] for c in m.calls}
        pairs = [(calls[m.call_id], m.content) for m in messages[start:] if m.role == "tool" and m.call_id in calls]
        return LookUpLog((*(brief.looked_up if brief is not None else ()), *pairs))

    def answer(self, call: Call) -> str | None:
        """Return the latest answer to the same call, or None."""
        same = [text for c, text in self.answers if c.name == call.name and c.arguments == call.arguments]
        return same[-1] if same else None


@dataclass(frozen=True, slots=True)
class BookingFinder:
    """Find bookings for one turn. The methods raise `LookUpNeeded` until the transcript has what they need."""

    brief: Brief
    toolbox: Toolbox
    transcript: LookUpLog

    def settle(self, mention: BookingMention, marks: Sequence[Mention] = ()) -> Row:
        """Return the one booking that a mention means. Raises `AmbiguousBookingError`."""
        known = [r for r in (*self.brief.offered, *self.brief.known) if _has_code(r, mention.code)]
        if known:
            return known[0]
        rows, question = self._candidates(mention, marks)
        for other in mention.others if not rows else []:
            if found := self._candidates(other, marks)[0]:
                rows, question, mention = found, other.words, other
                break
        rows = self._of_the_day(question or mention.words, marks) or rows
        fit = narrow(rows, mention, marks)
        if not fit:
            raise AmbiguousBookingError(mention.text)
        if len(fit) > 1:
            raise AmbiguousBookingError(mention.text, fit)
        if len(rows) > 1:
            self._alone(fit[0], mention, question)
        return fit[0]

    def fresh(self, row: Row) -> Row:
        """Return the booking as it is now."""
        if any(row == seen for _, text in self.transcript.answers for seen in rows_in(text)):
            return row
        calls = [c for c in (self._reading(row.booking_id), self._reading(row.reference)) if c is not None]
        if not calls:
            return row
        answer = next((text for call in calls if (text := self.transcript.answer(call)) is not None), None)
        if answer is None:
            raise LookUpNeeded(calls[:1])
        seen = next(iter(rows_in(answer)), row)
        return Row(row.booking_id, seen.reference or row.reference, seen.name or row.name, seen.date or row.date,
                   seen.start_time or row.start_time, row.guest_count if seen.guest_count is None else seen.guest_count,
                   seen.label or row.label)  # fmt: skip

    def search(self, arguments: Arguments) -> list[Row]:
        """Return the bookings that a search finds."""
        searcher = self.toolbox.searcher
        return self._ask([Call(searcher.name, arguments)]) if searcher else []

    def listed(self, lister: Tool, phone: str) -> list[Row]:
        """Return the bookings of a phone number, by the look-up for that."""
        spot = lister.with_role(Role.PHONE)
        assert spot is not None
        return self._ask([Call(lister.name, {spot.name: phone})])

    def by(self, **roles: str) -> Arguments:
        """Return a search's arguments by role name, without empty ones and those that the look-up does not take."""
        searcher = self.toolbox.searcher
        spots = {role: searcher.with_role(Role(role)) for role in roles} if searcher else {}
        return {spot.name: roles[role] for role, spot in spots.items() if spot is not None and roles[role]}

    def _candidates(self, mention: BookingMention, marks: Sequence[Mention]) -> tuple[list[Row], str]:
        """Return the bookings that the likeliest words find, and those words."""
        searcher = self.toolbox.searcher
        if mention.code:
            announced = self.transcript.answer(Call(searcher.name, self.by(search=mention.code))) if searcher else None
            if rows := [row for row in rows_in(announced or "") if _has_code(row, mention.code)]:
                return rows, mention.code
            rows = self._ask([c for c in [self._reading(mention.code)] if c is not None])
            return rows or self.search(self.by(search=mention.code)), mention.code
        if not mention.words and not mention.title:
            return self.search(self._days(marks)), ""
        if searcher is None:
            return self._ask([c for c in [self._reading(mention.text)] if c is not None]), mention.text
        for tried in _variants(mention)[:_ROUNDS]:
            long_enough = [t for t in tried if len(t) >= _SHORTEST]
            for text in long_enough:
                self._want([Call(searcher.name, self.by(search=t)) for t in long_enough])
                if rows := self.search(self.by(search=text)):
                    return rows, text
        return [], ""

    def _of_the_day(self, question: str, marks: Sequence[Mention]) -> list[Row]:
        """Return the bookings of the stated day where the list is truncated; [] otherwise, or without a day."""
        searcher, moment = self.toolbox.searcher, self._days(marks)
        if searcher is None or not moment or not question:
            return []
        answer = self.transcript.answer(Call(searcher.name, self.by(search=question))) or ""
        return self.search({**self.by(search=question), **moment}) if _GOES_ON in answer else []

    def _alone(self, row: Row, mention: BookingMention, question: str) -> None:
        """Search for the chosen booking by itself as well, so that the core sees that the words identify it."""
        if mention.code or not row.date:
            return
        self.search(self.by(search=question, date=row.date))

    def _days(self, marks: Sequence[Mention]) -> Arguments:
        days = [c.values[0] for c in marks if c.kind is MentionKind.DAY and c.values and len(c.values[0]) > 3]
        times = [c.values[0] for c in marks if c.kind is MentionKind.TIME and c.values]
        return self.by(date=days[0] if days else "", time=times[0] if times else "")

    def _reading(self, code: str) -> Call | None:
        reader = self.toolbox.reader
        spot = reader.with_role(Role.BOOKING) if reader else None
        return Call(reader.name, {spot.name: code}) if reader is not None and spot is not None and code else None

    def _want(self, calls: Sequence[Call]) -> None:
        missing = [c for c in calls if self.transcript.answer(c) is None]
        if missing:
            raise LookUpNeeded(missing)

    def _ask(self, calls: Sequence[Call]) -> list[Row]:
        if any(not c.arguments for c in calls):
            return []
        self._want(calls)
        return [row for call in calls for row in rows_in(self.transcript.answer(call) or "")]


def first_search(mention: BookingMention) -> str:
    """Return the text that a search for a booking begins with; "" where it is found otherwise."""
    tried = [mention.code] if mention.code else next(iter(_variants(mention)), [])
    return tried[0] if len(tried) == 1 and len(tried[0]) >= _SHORTEST else ""


def _variants(mention: BookingMention) -> list[list[str]]:
    """Return the search texts, likeliest first: the name; without plural or possessive; its words; title words."""
    rounds: list[list[str]] = []
    names, title = mention.words.split(), [t for t in mention.title if len(t) > 1 or t.isdigit()]
    if names:
        bare = [re.sub(r"(?:['’]s|['’]|(?<=\w\w\w)s)$", "", n) for n in names]
        rounds.append([" ".join(names)])
        rest = [" ".join(bare), names[-1], bare[-1], names[0]] if len(names) > 1 else [bare[0]]
        rest += [" ".join(names[:-1]), " ".join(bare[:2])] if len(names) > 2 else []
        rounds.append([t for t in dict.fromkeys(rest) if t != rounds[0][0]])
        if len(title) > 1:
            rounds.append([" ".join(title)])
    elif title:
        rounds.append([" ".join(title)])
        rounds.append(
            [
                t
                for t in dict.fromkeys([" ".join(title[:-1]), " ".join(title[1:]), *title[:-1], title[-1]])
                if t and t != rounds[0][0]
            ]
        )
    return [r for r in rounds if r]


def narrow(rows: Sequence[Row], mention: BookingMention, marks: Sequence[Mention] = ()) -> list[Row]:
    """Return the rows that fit everything stated: day and time, the name, the words of the title."""
    left = _once(rows)
    left = [r for r in left if _has_code(r, mention.code)] or left
    if len(left) > 1:
        left = [r for r in left if marks and fits(r, marks)] or left
    spoken = {w.text.removesuffix("'s") for w in tokenize(normalize_text(mention.words))}
    if len(left) > 1 and spoken:
        letters = {s for s in spoken if len(s) == 1}
        if letters:
            # "Aroha P": a single letter is the initial of another name of the same guest.
            rest = [r for r in left if all(any(w[0] == s for w in _names(r) - spoken) for s in letters)]
            left = rest if rest and spoken - letters else left
        full = [r for r in left if _words_of(r.name) == spoken or spoken == _words_of(r.label)]
        left = full or left
    title = {normalize_text(t) for t in mention.title}
    if len(left) > 1 and title:
        shared = [len(title & (_words_of(r.label) | _words_of(r.name))) for r in left]
        left = [r for n, r in zip(shared, left, strict=True) if n == max(shared)] if max(shared) else left
    return left


def fits(row: Row, marks: Sequence[Mention]) -> bool:
    """Return whether a booking is on a stated day and at a stated time."""
    own: dict[MentionKind, str | None] = {MentionKind.DAY: row.date, MentionKind.TIME: row.start_time}
    items = [c for c in marks if c.kind in own and c.values and c.assertion in (Assertion.ASSERTED, Assertion.PAST)]
    return bool(items) and all(any((own[c.kind] or "").endswith(v) for v in c.values) for c in items)


def matches(row: Row, mention: BookingMention) -> bool:
    """Return whether a known booking is the one mentioned, by name, title or number."""
    if mention.code:
        return _has_code(row, mention.code)
    own = _words_of(row.name) | _words_of(row.label)
    messages = [w.text.removesuffix("'s") for w in tokenize(normalize_text(mention.words))] or [
        normalize_text(t) for t in mention.title
    ]
    return bool(messages) and all(any(_alike(s, o) for o in own) for s in messages)


def pick(text: str, mention: BookingMention | None, marks: Sequence[Mention], rows: Sequence[Row]) -> list[Row]:
    """Return the offered bookings that an answer means: by number, name, title, day or time, or place in the list."""
    messages = [w.text for w in tokenize(normalize_text(text))]
    coded = [r for r in rows if r.reference in messages or r.booking_id in messages]
    if coded:
        return coded
    compared = select_by_comparison(messages, [(r.date or "", r.start_time or "", r.guest_count) for r in rows])
    if compared is not None:
        return [rows[compared]]
    named = [r for r in rows if mention is not None and (mention.words or mention.code) and matches(r, mention)]
    if named and len(named) < len(rows):
        return narrow(named, mention, marks) if mention else named
    if mention is not None and not named and _strange(mention, rows):
        return []
    timed = [r for r in rows if marks and fits(r, marks)]
    if timed:
        return timed
    owned = {
        r.booking_id: {w for w in _words_of(r.label) | _words_of(r.name) if w.isalpha() and len(w) > 2} for r in rows
    }
    own = [
        r
        for r in rows
        if set(messages) & (owned[r.booking_id] - set().union(*(w for i, w in owned.items() if i != r.booking_id)))
    ]
    if len(own) == 1:
        return own
    index = place_in(messages)
    if index is None and len(messages) == 1 and messages[0].isdigit() and 1 <= int(messages[0]) <= len(rows):
        index = int(messages[0]) - 1
    if index is not None and -len(rows) <= index < len(rows):
        return [rows[index]]
    return list(rows) if named else []


def _strange(mention: BookingMention, rows: Sequence[Row]) -> bool:
    """Return whether no row has the name mentioned: "the Zielinski birthday", though one is a birthday."""
    own = set().union(*(_words_of(r.name) | _words_of(r.label) for r in rows))
    messages = [w.text.removesuffix("'s") for w in tokenize(normalize_text(mention.words))]
    return any(len(s) > 2 and s.isalpha() and not any(_alike(s, o) for o in own) for s in messages)


def _alike(one: str, other: str) -> bool:
    return (
        one == other
        or (len(one) > 2 and other.startswith(one))
        or one.removesuffix("s") == other
        or same_but_a_slip(one, other)
    )


def _words_of(text: str) -> set[str]:
    return {w.text.removesuffix("'s") for w in tokenize(normalize_text(text))}


def _names(row: Row) -> set[str]:
    return {normalize_text(name) for name in re.findall(r"\b[A-Z]\w+", f"{row.label} {row.name}")}


def _has_code(row: Row, code: str) -> bool:
    return bool(code) and normalize_text(code) in (normalize_text(row.reference), normalize_text(row.booking_id))


def _once(rows: Iterable[Row]) -> list[Row]:
    return list({row.booking_id: row for row in rows}.values())


def rows_in(answer: str) -> list[Row]:
    """Return every object with a `booking_id` in a look-up's answer, also in a truncated one."""
    data = as_json(answer)
    objects = list(_objects(data)) if data is not None else list(_scraps(answer))
    return _once(row for o in objects if (row := row_of(o)) is not None)


def _objects(data: object) -> Iterable[Arguments]:
    if isinstance(data, dict):
        if data.get("booking_id"):
            yield data
            return
        data = list(data.values())
    if isinstance(data, list):
        for value in data:
            yield from _objects(value)


def _scraps(text: str) -> Iterable[Arguments]:
    decoder = json.JSONDecoder()
    for match in re.finditer(r'\{\s*"booking_id"', text):
        try:
            data, _ = decoder.raw_decode(text, match.start())
        except ValueError:
            return
        yield data
