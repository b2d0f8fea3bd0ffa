"""Which booking: from what the chat already knows, else by a look-up whose answer comes back in the transcript."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from contracts.enums import ParameterRole as Role
from language import Resolution
from sandbox.model.clauses import Ref
from sandbox.model.prompt import Brief, Row, row_of
from sandbox.model.protocol import Call, Message, as_json
from sandbox.model.tools import Tool, Toolbox
from sandbox.model.words import fold


@dataclass(frozen=True, slots=True)
class Settled:
    """The booking is known."""

    row: Row


@dataclass(frozen=True, slots=True)
class LookUp:
    """It has to be looked up first."""

    call: Call


@dataclass(frozen=True, slots=True)
class Nobody:
    """Nothing matches."""

    said: str


@dataclass(frozen=True, slots=True)
class Several:
    """More than one matches."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class TooShort:
    """Too little to search with."""

    said: str


Finding = Settled | LookUp | Nobody | Several | TooShort


@dataclass(frozen=True, slots=True)
class Transcript:
    """The look-ups of this turn with their answers."""

    answers: tuple[tuple[Call, str], ...]

    @staticmethod
    def of(messages: Sequence[Message]) -> "Transcript":
        """Those after the last user message."""
        start = max((n for n, m in enumerate(messages) if m.role == "user"), default=-1) + 1
        turn = messages[start:]
        calls = {c.id: c for m in turn for c in m.calls}
        return Transcript(tuple((calls[m.call_id], m.content) for m in turn if m.role == "tool" and m.call_id in calls))

    def shows(self, row: Row) -> bool:
        """Whether this turn's look-ups have already read this booking."""
        return any(row == r for _, text in self.answers for r in rows_in(text))

    def answer(self, call: Call) -> str | None:
        """What was answered to the same call, the last time it was made."""
        same = [text for c, text in self.answers if c.name == call.name and c.arguments == call.arguments]
        return same[-1] if same else None


def settle(ref: Ref, brief: Brief, toolbox: Toolbox, transcript: Transcript) -> Finding:
    """The booking that `ref` speaks of, or what stands in the way."""
    chosen = _already(ref, (*brief.offered, *brief.known))
    if chosen is not None:
        return Settled(chosen)
    calls = _look_ups(ref, toolbox)
    if not calls:
        return TooShort(ref.said)
    for call in calls:
        answer = transcript.answer(call)
        if answer is None:
            return LookUp(call)
        rows = narrow(rows_in(answer), ref)
        if len(rows) == 1:
            return Settled(rows[0])
        if rows:
            return Several(tuple(rows))
    return Nobody(ref.said)


def refreshed(row: Row, toolbox: Toolbox, transcript: Transcript) -> Row | LookUp:
    """The booking as it is now: what a change relative to it must start from."""
    reader = toolbox.reader
    spot = reader.with_role(Role.BOOKING) if reader else None
    if reader is None or spot is None:
        return row
    call = Call(reader.name, {spot.name: row.booking_id})
    answer = transcript.answer(call)
    if answer is None:
        by_reference = transcript.answer(Call(reader.name, {spot.name: row.reference}))
        if by_reference is None:
            return LookUp(call)
        answer = by_reference
    rows = rows_in(answer)
    return rows[0] if rows else row


def rows_in(answer: str) -> list[Row]:
    """Every object with a `booking_id` in a look-up's answer, also in one that was cut short."""
    data = as_json(answer)
    objects = list(_objects(data)) if data is not None else list(_scraps(answer))
    rows = {row.booking_id: row for o in objects if (row := row_of(o)) is not None}
    return list(rows.values())


def _objects(data: object) -> Iterable[dict[str, Any]]:
    if isinstance(data, dict):
        if data.get("booking_id"):
            yield data
            return
        data = list(data.values())
    if isinstance(data, list):
        for value in data:
            yield from _objects(value)


def _scraps(text: str) -> Iterable[dict[str, Any]]:
    decoder = json.JSONDecoder()
    for match in re.finditer(r'\{\s*"booking_id"', text):
        try:
            data, _ = decoder.raw_decode(text, match.start())
        except ValueError:
            return
        yield data


def narrow(rows: Sequence[Row], ref: Ref) -> list[Row]:
    """The rows that fit all that was said: day and time, then the very name."""
    if len(rows) < 2:
        return list(rows)
    left = list(rows)
    if ref.when is not None:
        left = [r for r in left if fits(r, ref.when.resolution)] or left
    if ref.words:
        exact = [r for r in left if plain(r.name) == plain(ref.words)]
        left = exact or left
    if ref.code:
        left = [r for r in left if plain(ref.code) in (plain(r.reference), plain(r.booking_id))] or left
    return left


def fits(row: Row, when: Resolution) -> bool:
    """Whether a booking is on the day and at the time said; a day that could be two fits either."""
    days = {c.date.isoformat() for c in when.candidates if c.date} | ({when.date.isoformat()} if when.date else set())
    if when.date_stated and days and row.date not in days:
        return False
    if when.time_stated and when.time is not None:
        return row.start_time == when.time.strftime("%H:%M")
    return True


def plain(text: str) -> str:
    """Letters and figures only, folded."""
    return re.sub(r"[\W_]+", " ", fold(text)).strip()


def _already(ref: Ref, rows: Sequence[Row]) -> Row | None:
    """A booking of this chat whose own id or reference was said."""
    if not ref.code:
        return None
    code = plain(ref.code)
    return next((r for r in rows if code in (plain(r.reference), plain(r.booking_id))), None)


def _look_ups(ref: Ref, toolbox: Toolbox) -> list[Call]:
    """The calls that may find it, likeliest first."""
    calls: list[Call] = []
    reader, searcher = toolbox.reader, toolbox.searcher
    spot = reader.with_role(Role.BOOKING) if reader else None
    if ref.code and reader is not None and spot is not None:
        calls.append(Call(reader.name, {spot.name: ref.code}))
    if searcher is not None:
        arguments = _search(searcher, ref)
        if arguments:
            calls.append(Call(searcher.name, arguments))
    elif reader is not None and spot is not None and ref.words:
        calls.append(Call(reader.name, {spot.name: ref.words}))
    return calls


def _search(searcher: Tool, ref: Ref) -> dict[str, Any]:
    words = ref.code or ref.words
    spot = searcher.with_role(Role.SEARCH)
    assert spot is not None
    if words:
        least = spot.schema.get("minLength")
        return {spot.name: words} if not isinstance(least, int) or len(words) >= least else {}
    arguments: dict[str, Any] = {}
    if ref.when is not None:
        when = ref.when.resolution
        day, hour = searcher.with_role(Role.DATE), searcher.with_role(Role.TIME)
        if day is not None and when.date_stated and when.date is not None:
            arguments[day.name] = when.date.isoformat()
        if hour is not None and when.time_stated and when.time is not None:
            arguments[hour.name] = when.time.strftime("%H:%M")
    return arguments


def pick(clauses_ref: Ref | None, text: str, place: str, rows: Sequence[Row]) -> list[Row]:
    """The offered bookings that an answer means: by place in the list, by name, by day or time."""
    places = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
    if place in places:
        n = places[place]
        return [rows[n]] if -len(rows) <= n < len(rows) else list(rows)
    if clauses_ref is not None and clauses_ref.code:
        code = plain(clauses_ref.code)
        return [r for r in rows if code in (plain(r.reference), plain(r.booking_id))]
    left = list(rows)
    if clauses_ref is not None and clauses_ref.when is not None:
        left = [r for r in left if fits(r, clauses_ref.when.resolution)]
    said = set(plain(text).split())
    scored = [(len(said & set(plain(r.name).split())), r) for r in left]
    best = max((s for s, _ in scored), default=0)
    if best:
        return [r for s, r in scored if s == best]
    return left if clauses_ref is not None and clauses_ref.when is not None else []
