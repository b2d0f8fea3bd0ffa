"""Filters of templates: wording of days and times, and simple queries of lists of rows.

A filter raises ValueError with a message for the author of an overlay. Days are YYYY-MM-DD, times HH:MM.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, time
from typing import Literal

from jinja2 import Undefined, pass_context
from jinja2.filters import FILTERS as JINJA_FILTERS
from jinja2.runtime import Context

from contracts.base import Json, Value
from language.contacts.contacts import unmarked
from language.messages.formatting import compact_day_label, money_label, time_label, weekday_label
from registry.templating.datetimes import INSTANTS, is_instant, local, zone_of
from registry.templating.partial_undo_filters import OWN_PART, Row
from registry.templating.prices import PRICES
from registry.templating.sandbox import long_enough
from registry.templating.values_at import first_at, plain, values_at
from registry.text import unaccented, word_set

_FROM_JINJA = word_set("""
    abs default first int last length list lower map max min sort string title trim unique upper
""")
_MOST_PLACES = 12


@pass_context
def day(context: Context, value: Value) -> str:
    """Return a day with its weekday, in the venue's language: "2026-11-28" → "Sat 28 Nov 2026"."""
    return _day_words(_date(local(value, zone_of(context))), _locale(context))


@pass_context
def weekday(context: Context, value: Value) -> str:
    """Return the weekday of a day, in the venue's language: "2026-11-28" → "Saturday"."""
    return weekday_label(_date(local(value, zone_of(context))), _locale(context))


@pass_context
def days(context: Context, rows: Iterable[Value], path: str) -> list[str]:
    """Return the distinct local days of rows at the venue, in their order: ["2026-11-28", "2026-11-29"]."""
    zone = zone_of(context)
    return list(dict.fromkeys(str(local(at, zone))[:10] for row in rows for at in values_at(row, path) if at))


@pass_context
def at_time(context: Context, rows: Iterable[Value], path: str, start: Value) -> list[Value]:
    """Return the rows whose local time at `path` is `start`; all of them without a `start`."""
    zone = zone_of(context)
    wanted = _minutes(start) if start else None
    return [r for r in rows if wanted is None or any(_minutes(local(at, zone)) == wanted for at in values_at(r, path))]


@pass_context
def clock(context: Context, value: Value) -> str:
    """Return a time in the venue's language, an instant in its local time: "15:00" → "3pm", "15:30" → "3:30pm"."""
    return time_label(_time(local(value, zone_of(context))), _locale(context))


@pass_context
def day_and_time(context: Context, value: Value, start: Value = None) -> str:
    """Return a day and a time, without a time only the day; an instant has both: "2026-11-28" with "15:00" → "Sat 28
    Nov 2026, 3pm"."""
    value, start = _parted(context, value, start)
    return _moment_words(value, start, _locale(context))


@pass_context
def short_day_and_time(context: Context, value: Value, start: Value = None) -> str:
    """Return a day and a time for lists where the year is plain: "2026-11-28" with "15:00" → "Sat 28 Nov 3pm"."""
    locale = _locale(context)
    value, start = _parted(context, value, start)
    words = _day_words(_date(value), locale, year=False)
    return f"{words} {time_label(_time(start), locale)}" if _given(start) else words


@pass_context
def clocks(context: Context, rows: Iterable[Value], path: str, most: int, more: str) -> str:
    """Return the distinct times of rows: "9am, 9:30am and 12 more" with `most` 2 and `more` "and {} more"."""
    zone = zone_of(context)
    found = list(dict.fromkeys(str(local(t, zone)) for row in rows for t in values_at(row, path) if t))
    shown = ", ".join(time_label(_time(one), _locale(context)) for one in found[:most])
    return shown if len(found) <= most else f"{shown} {more.replace('{}', str(len(found) - most))}"


@pass_context
def moments(context: Context, rows: Iterable[Value], day_path: str, start_path: str = "") -> str:
    """Return the distinct moments of a list of rows; a day without a time is left out beside one with a time."""
    read = ((first_at(row, day_path), (first_at(row, start_path) if start_path else None) or None) for row in rows)
    pairs = list(dict.fromkeys(_parted(context, on, start) for on, start in read))
    timed = {on for on, start in pairs if start}
    shown = [(on, start) for on, start in pairs if start or on not in timed]
    return "; ".join(_moment_words(on, start, _locale(context)) for on, start in shown)


def moved(start: Value, old: Value, new: Value) -> Value:
    """Return a time shifted by the difference from `old` to `new`, so that what follows an hour later still does;
    unchanged when there is no `new`."""
    if not new:
        return start
    if not old:
        return new
    if any(map(is_instant, (start, old, new))):
        raise ValueError("`moved` is for times of day; an instant is moved by `later`, or made by `instant`")
    minutes = _minutes(start) + _minutes(new) - _minutes(old)
    if not 0 <= minutes < 24 * 60:
        raise ValueError(f"{start} moved from {old} to {new} would fall on another day")
    return f"{minutes // 60:02}:{minutes % 60:02}"


def plural(count: Value, one: str, many: str) -> str:
    """Return a count with its noun: 14 with "guest", "guests" → "14 guests"."""
    return f"{plain(count)} {one if count == 1 else many}"


def join(rows: Iterable[Value], between: str = "", attribute: str | None = None) -> str:
    """Join like Jinja's `join`, after charging for the length of the text."""
    texts = [str(row if attribute is None else first_at(row, attribute)) for row in rows]
    long_enough(sum(map(len, texts)) + len(str(between)) * len(texts))
    return str(between).join(texts)


def replace(value: Value, old: str, new: str, count: int = -1) -> str:
    """Replace like Jinja's `replace`, after charging for the length of the text."""
    text, old, new = str(value), str(old), str(new)
    times = text.count(old) if count < 0 else min(count, text.count(old))
    long_enough(len(text) + times * max(0, len(new) - len(old)))
    return text.replace(old, new, count)


def rounded(value: float, precision: int = 0, method: Literal["common", "ceil", "floor"] = "common") -> float:
    """Round like Jinja's `round`, to a limited number of places."""
    if not 0 <= precision <= _MOST_PLACES:
        raise ValueError(f"round takes 0 to {_MOST_PLACES} places")
    return float(JINJA_FILTERS["round"](value, precision, method))


def digits(value: Value) -> str:
    """Return only the digits of a text: "+61 400" → "61400"."""
    return re.sub(r"\D", "", str(value))


def total(rows: Iterable[Value], path: str) -> Value:
    """Return the sum of a number over rows: `items | total('quantity')`."""
    return sum(n for row in rows for n in values_at(row, path) if isinstance(n, int | float))


@pass_context
def money(context: Context, amount: float | str) -> str:
    """Return an amount in the venue's currency and language: 1250 → "1,250.00 AUD"."""
    venue = context.get("venue")
    currency = str(venue.get("currency") or "") if isinstance(venue, Mapping) else ""
    return money_label(float(amount), currency, _locale(context))


def less(amount: Value, *others: Value) -> Value:
    """Return an amount less others, to the cent; none when one of them is unknown."""
    known = [n for n in (amount, *others) if isinstance(n, int | float)]
    return round(known[0] - sum(known[1:]), 2) if len(known) == 1 + len(others) else None


def leading(rows: Iterable[Value], path: str) -> Value:
    """Return the first row that has a value at `path`, else the first row; none when there is no row."""
    every = list(rows)
    return next((row for row in every if first_at(row, path)), every[0] if every else None)


def leading_place(rows: Iterable[Value], path: str) -> int:
    """Return the index, from 0, of the `leading` row."""
    return next((index for index, row in enumerate(rows) if first_at(row, path)), 0)


def within(rows: Iterable[Value], path: str, values: Iterable[Value]) -> list[Value]:
    """Return the rows whose value at `path` is one of `values`, compared as text."""
    named = {plain(value) for value in values}
    return [row for row in rows if plain(first_at(row, path)) in named]


def without(rows: Iterable[Value], path: str, values: Iterable[Value]) -> list[Value]:
    """Return the rows whose value at `path` is none of `values`, compared as text."""
    named = {plain(value) for value in values}
    return [row for row in rows if plain(first_at(row, path)) not in named]


def flat(rows: Iterable[Value], path: str) -> list[Value]:
    """Return all the rows of a list inside each row: `products | flat('sessions')`."""
    found = [value for row in rows for value in values_at(row, path)]
    return [inner for value in found for inner in (value if isinstance(value, list) else [value])]


def where(rows: Iterable[Value], path: str, value: Value) -> list[Value]:
    """Return the rows that have `value` at `path` (compared as text; a path may pass through lists)."""
    return [row for row in rows if any(plain(found) == plain(value) for found in values_at(row, path))]


def narrowed(rows: Iterable[dict[str, Json]], part: str, field: str, value: Value) -> list[Value]:
    """Return the rows whose list `part` has entries with that value in `field`, reduced to those entries."""
    cut = [(row, where(row.get(part) or [], field, value)) for row in rows]
    return [{**row, part: found} for row, found in cut if found]


def any_at(rows: Iterable[Value], path: str) -> bool:
    """Return whether any row has a value at `path`."""
    return any(found for row in rows for found in values_at(row, path))


def at_least(rows: Iterable[Value], path: str, least: float) -> list[Value]:
    """Return the rows whose number at `path` is `least` or more; a missing or null number means no limit."""

    def enough(found: Json) -> bool:
        return found is None or bool(found >= least)

    return [row for row in rows if all(map(enough, values_at(row, path)))]


@pass_context
def nearest_to(context: Context, rows: Iterable[Value], path: str, start: Value) -> list[Value]:
    """Return the rows, those with a time at `path` nearest to `start`, if given, first; rows without a time last."""
    if not start:
        return list(rows)
    zone = zone_of(context)
    wanted = _minutes(local(start, zone))

    def distance(row: Value) -> int:
        times = [_minutes(local(found, zone)) for found in values_at(row, path) if found]
        return abs(times[0] - wanted) if times else 24 * 60

    return sorted(rows, key=distance)


def merged(document: Row, changes: Row) -> dict[str, Value]:
    """Return `document` with `changes` applied; a null change leaves the old value."""
    if not isinstance(document, Mapping):
        raise TypeError("merged needs a document with named fields")
    return {**document, **{name: value for name, value in changes.items() if value is not None}}


def picked(rows: Iterable[Value], *paths: str) -> list[list[str]]:
    """Return the values at `paths` of each row as text, rows in a fixed order: two lists have the same content when
    equal."""
    return sorted([",".join(plain(v) for v in values_at(row, path)) for path in paths] for row in rows)


def _locale(context: Context) -> str:
    venue = context.get("venue")
    return str(venue.get("locale") or "en") if isinstance(venue, Mapping) else "en"


def _given(value: Value) -> bool:
    return bool(value) and not isinstance(value, Undefined)


def _moment_words(value: Value, start: Value, locale: str) -> str:
    words = _day_words(_date(value), locale)
    return f"{words}, {time_label(_time(start), locale)}" if _given(start) else words


def _day_words(on: date, locale: str, *, year: bool = True) -> str:
    return compact_day_label(on, locale, year=year)


def _parted(context: Context, value: Value, start: Value) -> tuple[Value, Value]:
    """Return a day and a time, both from an instant if there is one, in the venue's local time."""
    if not is_instant(value):
        return value, str(local(start, zone_of(context))) if is_instant(start) else start
    day, _, clock = str(local(value, zone_of(context))).partition("T")
    at = str(local(start, zone_of(context))) if is_instant(start) else start
    return day, at if _given(at) else clock


def _date(value: object) -> date:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError as error:
        raise ValueError(f"{value!r} is not a day (YYYY-MM-DD)") from error


def _time(value: object) -> time:
    text = str(value)
    try:
        return time.fromisoformat(text.rsplit("T", maxsplit=1)[-1] if "T" in text else text)
    except ValueError as error:
        raise ValueError(f"{value!r} is not a time (HH:MM)") from error


def _minutes(value: object) -> int:
    moment = _time(value)
    return moment.hour * 60 + moment.minute


def mentioning(rows: Iterable[Value], words: Value, *paths: str) -> list[Value]:
    """Return the rows that have every word at any of the paths, each as the beginning of a word; all rows
    for no words.

    Case, accents and order do not matter, nor does a phone number's notation: "rossi giulia" finds Giulia Rossi, "347
    123 4567" finds +39 3471234567, "024266" a number that begins with it. The part of an e-mail address before the @
    counts as words.
    """
    wanted = str(words or "").strip()
    if not wanted:
        return list(rows)
    if "@" in wanted:
        return [row for row in rows if wanted.casefold() in (text.casefold() for text in _texts(row, paths))]
    if _is_number(wanted):
        end = _digits(wanted)[-_LAST_DIGITS:]
        begins = _digits(wanted)
        lines = ((row, list(_texts(row, paths))) for row in rows)
        return [r for r, ts in lines if any(_digits(t).endswith(end) or t.startswith(begins) for t in ts)]
    requested = _words(wanted)
    found = ((row, [w for text in _texts(row, paths) for w in _words(text.partition("@")[0])]) for row in rows)
    return [row for row, there in found if all(any(w.startswith(one) for w in there) for one in requested)]


def _texts(row: Value, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        yield from (str(text) for text in values_at(row, path) if text is not None)


def _words(text: str) -> list[str]:
    return _WORD.findall(unaccented(text.casefold()))


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdecimal())


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(unmarked(text)) is not None and len(_digits(text)) >= _FEWEST_DIGITS


FILTERS: dict[str, Callable[..., object]] = {name: JINJA_FILTERS[name] for name in _FROM_JINJA} | {
    f.__name__: f
    for f in (
        day, clock, clocks, day_and_time, short_day_and_time, moments, moved, plural, digits, total, flat, where,
        narrowed, any_at, at_least, nearest_to, merged, picked, money, less, leading, leading_place,
        weekday, days, at_time, within, without, join, replace, mentioning, *INSTANTS, *OWN_PART, *PRICES,
    )
} | {"round": rounded}  # fmt: skip
"""Every filter by name. Jinja's others are left out, because they print, group or reach attributes."""


_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\+?\d+")
_FEWEST_DIGITS, _LAST_DIGITS = 6, 9
"""Fewer digits are no phone number; digits before the last nine are a country's prefix, which people leave out."""
