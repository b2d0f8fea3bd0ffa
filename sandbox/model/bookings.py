"""Which booking: from what the chat already knows, else by a look-up whose answer comes back in the transcript."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from contracts.enums import ParameterRole as Role
from language import Resolution
from sandbox.model.arguments import UnclearError
from sandbox.model.clauses import Ref
from sandbox.model.prompt import Brief, Row, row_of
from sandbox.model.protocol import Arguments, Call, Message, as_json
from sandbox.model.tools import Tool, Toolbox
from sandbox.model.words import fold


@dataclass(frozen=True, slots=True)
class LookUp:
    """What has to be looked up before the booking is known."""

    call: Call


class SeveralError(Exception):
    """More than one booking matches."""

    def __init__(self, rows: Sequence[Row]) -> None:
        super().__init__(len(rows))
        self.rows = rows


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


def settle(ref: Ref, brief: Brief, toolbox: Toolbox, transcript: Transcript) -> Row | LookUp:
    """The booking that `ref` speaks of. Raises `SeveralError`, and `UnclearError` when nothing matches."""
    known = [r for r in (*brief.offered, *brief.known) if _has_code(r, ref.code)]
    if known:
        return known[0]
    calls = _look_ups(ref, toolbox)
    for call in calls:
        answer = transcript.answer(call)
        if answer is None:
            return LookUp(call)
        rows = narrow(rows_in(answer), ref)
        if len(rows) > 1:
            raise SeveralError(rows)
        if rows:
            return rows[0]
    raise UnclearError("nobody" if calls else "too_short", ref.said)


def refreshed(row: Row, toolbox: Toolbox, transcript: Transcript) -> Row | LookUp:
    """The booking as it is now: what a change relative to it must start from."""
    calls = [call for code in (row.booking_id, row.reference) if (call := _reading(code, toolbox)) is not None]
    if not calls:
        return row
    answer = next((text for call in calls if (text := transcript.answer(call)) is not None), None)
    return LookUp(calls[0]) if answer is None else next(iter(rows_in(answer)), row)


def _reading(code: str, toolbox: Toolbox) -> Call | None:
    reader = toolbox.reader
    spot = reader.with_role(Role.BOOKING) if reader else None
    return Call(reader.name, {spot.name: code}) if reader is not None and spot is not None else None


def rows_in(answer: str) -> list[Row]:
    """Every object with a `booking_id` in a look-up's answer, also in one that was cut short."""
    data = as_json(answer)
    objects = list(_objects(data)) if data is not None else list(_scraps(answer))
    rows = {row.booking_id: row for o in objects if (row := row_of(o)) is not None}
    return list(rows.values())


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


def narrow(rows: Sequence[Row], ref: Ref) -> list[Row]:
    """The rows that fit all that was said: day and time, then the very name."""
    left = list(rows)
    if ref.when is not None:
        left = [r for r in left if fits(r, ref.when.resolution)] or left
    if ref.words:
        left = [r for r in left if plain(r.name) == plain(ref.words)] or left
    return [r for r in left if _has_code(r, ref.code)] or left


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


def _has_code(row: Row, code: str) -> bool:
    """Whether a booking's own id or reference was said."""
    return bool(code) and plain(code) in (plain(row.reference), plain(row.booking_id))


def _look_ups(ref: Ref, toolbox: Toolbox) -> list[Call]:
    """The calls that may find it, likeliest first."""
    searcher = toolbox.searcher
    search = Call(searcher.name, arguments) if searcher and (arguments := _search(searcher, ref)) else None
    codes = [code for code in (ref.code, "" if searcher else ref.words) if code]
    return [call for call in (*(_reading(code, toolbox) for code in codes), search) if call is not None]


def _search(searcher: Tool, ref: Ref) -> Arguments:
    words = ref.code or ref.words
    spot = searcher.with_role(Role.SEARCH)
    assert spot is not None
    if words:
        least = spot.schema.get("minLength")
        return {spot.name: words} if not isinstance(least, int) or len(words) >= least else {}
    arguments: Arguments = {}
    if ref.when is not None:
        when = ref.when.resolution
        day, hour = searcher.with_role(Role.DATE), searcher.with_role(Role.TIME)
        if day is not None and when.date_stated and when.date is not None:
            arguments[day.name] = when.date.isoformat()
        if hour is not None and when.time_stated and when.time is not None:
            arguments[hour.name] = when.time.strftime("%H:%M")
    return arguments


_PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}


def pick(ref: Ref | None, text: str, place: str, rows: Sequence[Row]) -> list[Row]:
    """The offered bookings that an answer means: by place in the list, by name, by day or time."""
    if place in _PLACES:
        n = _PLACES[place]
        return [rows[n]] if -len(rows) <= n < len(rows) else list(rows)
    if ref is not None and ref.code:
        return [r for r in rows if _has_code(r, ref.code)]
    when = ref.when if ref is not None else None
    left = [r for r in rows if when is None or fits(r, when.resolution)]
    said = set(plain(text).split())
    shared = [len(said & set(plain(r.name).split())) for r in left]
    if any(shared):
        return [r for n, r in zip(shared, left, strict=True) if n == max(shared)]
    return left if when is not None else []
