"""Compose parts into a resolution: days and times combined, or the reason why they do not combine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from language.dates.candidates import DateContext, ambiguous, choose, from_instant, refuse, with_time
from language.dates.days import DAY_KINDS, DayReading, add_units, read_days
from language.dates.disambiguation import (
    APPROXIMATE,
    BOUNDS,
    JOINERS,
    POINT_KINDS,
    has_dropped_duration,
    leftover,
    marker_before,
    unknown_day,
)
from language.dates.relative_to_booking import from_booking
from language.dates.resolution import Candidate, Resolution, Status
from language.dates.rules import DatePart
from language.dates.times import ELAPSED, after, fraction, minutes_of
from language.text.lexer import ARROW, Lexed

_SKIP_MODIFIERS = JOINERS | APPROXIMATE
_CLOCK = re.compile(r"(?P<h>[0-9]{1,2})(?:[:.](?P<m>[0-9]{2}))?w?")


def compose(lexed: Lexed, parts: Sequence[DatePart], context: DateContext, *, check: bool = True) -> Resolution:
    """Return one resolution for parts that describe one point; `check` refuses when the text holds anything unread."""
    points = [part for part in parts if part.kind in POINT_KINDS]
    if not points:
        durations = [part for part in parts if part.kind == "duration"]
        if durations:
            return refuse(lexed, durations, context, Status.NOT_UNDERSTOOD, "duration_only")
        error = "unexplained" if check and leftover(lexed, parts) else "not_found"
        return Resolution(Status.NOT_UNDERSTOOD, error, suggestions=context.locale.suggestions.get(error, ()))
    refusal = _refused(lexed, points, context)
    if refusal is not None:
        return refusal
    if check and leftover(lexed, parts):
        return refuse(lexed, points, context, Status.NOT_UNDERSTOOD, "unexplained")
    if unknown_day(lexed, points, context.locale) or has_dropped_duration(lexed, parts):
        return refuse(lexed, points, context, Status.NOT_UNDERSTOOD, "unexplained")
    result = _alternatives(lexed, points, context) or _point(lexed, points, context)
    if _is_approximate(lexed, points) and result.status in (Status.OK, Status.AMBIGUOUS):
        near = tuple(replace(choice, reason="approximate") for choice in result.candidates[:2])
        finest = "vague_time" if result.grain == "minute" else "vague_day"
        result = replace(
            result,
            status=Status.VAGUE,
            error=finest,
            instant=None,
            candidates=near,
            time=None,
            suggestions=context.locale.suggestions.get(finest, ()),
        )
    durations = [part for part in parts if part.kind == "duration"]
    if durations:
        result = replace(result, duration=timedelta(minutes=minutes_of(durations[0])))
    return result


def _refused(lexed: Lexed, points: Sequence[DatePart], context: DateContext) -> Resolution | None:
    kinds = {part.kind for part in points}
    if "recurring" in kinds:
        return refuse(lexed, points, context, Status.INVALID, "recurring_not_supported")
    if any(marker_before(lexed, part.first, _SKIP_MODIFIERS, points) == "NOT" for part in points):
        return refuse(lexed, points, context, Status.NOT_UNDERSTOOD, "negated")
    if "range" in kinds or _bounded(lexed, points):
        return refuse(lexed, points, context, Status.VAGUE, "range_not_supported", _range_ends(lexed, points, context))
    if "vague_time" in kinds:
        days = [part for part in points if part.kind in DAY_KINDS and part.kind != "week"]
        reading = read_days(days, context.today, context.policy, context.zone)
        day = reading.days[0][0] if reading and len(reading.days) == 1 and not reading.error else None
        return refuse(lexed, points, context, Status.VAGUE, "vague_time", day=day)
    if "vague_day" in kinds:
        return refuse(lexed, points, context, Status.VAGUE, "vague_day")
    return None


def _bounded(lexed: Lexed, points: Sequence[DatePart]) -> bool:
    for left, right in pairwise(points):
        between = {lexed.tokens[index].symbol for index in range(left.last, right.first)}
        alike = left.kind == right.kind == "time" or (
            left.kind in DAY_KINDS and right.kind in DAY_KINDS and "shift" not in (left.kind, right.kind)
        )
        if alike and (between & {"TO", "UNTIL", ARROW} or (between == {"-"} and left.kind == right.kind)):
            return True
    for part in points:
        if part.kind in ("shift", "offset", "delta", "duration", "adjust"):
            continue
        if marker_before(lexed, part.first, _SKIP_MODIFIERS, points) in BOUNDS | {"BETWEEN"}:
            return True
        if lexed.tokens[part.first].symbol in BOUNDS:
            return True
    return any(
        lexed.tokens[part.first].symbol == "WITHIN"
        or (part.last < len(lexed.tokens) and lexed.tokens[part.last].symbol == "ONWARDS")
        for part in points
    )


def _range_ends(lexed: Lexed, points: Sequence[DatePart], context: DateContext) -> tuple[Candidate, ...]:
    times = [part for part in points if part.kind == "time"]
    times += [piece for part in points if part.kind == "range" for piece in time_pieces(lexed, part)]
    days = [part for part in points if part.kind in DAY_KINDS]
    ends: list[Candidate] = []
    if len(times) == 2 and len(days) <= 1:
        pairs = [[*days, times[0]], [*days, times[1]]]
    elif len(days) == 2 and not times:
        pairs = [[days[0]], [days[1]]]
    else:
        return ()
    for pair, reason in zip(pairs, ("range_start", "range_end"), strict=True):
        resolved = _point(lexed, pair, context)
        if resolved.candidates:
            ends.append(replace(resolved.candidates[0], reason=reason))
    return tuple(ends)


def time_pieces(lexed: Lexed, part: DatePart) -> list[DatePart]:
    """Return the times inside a range, each with the am or pm of the last: "from 3 to 5pm"."""
    pieces: list[DatePart] = []
    for index in range(part.first, part.last):
        symbol = lexed.tokens[index].symbol
        figures = _CLOCK.fullmatch(symbol)
        if figures:
            values = {"h": figures["h"], **({"m": figures["m"]} if figures["m"] else {})}
            pieces.append(DatePart("time", index, index + 1, values))
        elif symbol in ("am", "pm") and pieces:
            pieces[-1].last = index + 1
            last = int(pieces[-1].values["h"]) % 12
            for piece in pieces:
                # In "11-2pm" the first hour is in the morning.
                if int(piece.values["h"]) % 12 <= last:
                    piece.values.setdefault("ap", symbol[0])
        elif symbol == "ON" or (symbol[0] in "Mm0123456789" and symbol[1:2].isdigit()):
            return []
    return pieces


def _is_approximate(lexed: Lexed, points: Sequence[DatePart]) -> bool:
    for part in points:
        before = marker_before(lexed, part.first, taken=points)
        rest = next((token.symbol for token in lexed.tokens[part.last :] if token.symbol != "-"), "")
        if before in ("AROUND", "ISH") or rest == "ISH" or (before == "ABOUT" and part.kind == "time"):
            return True
        if any(lexed.tokens[index].symbol in ("AROUND", "ISH") for index in range(part.first, part.last)):
            return True
    return False


def _alternatives(lexed: Lexed, points: Sequence[DatePart], context: DateContext) -> Resolution | None:
    """Return the alternatives, each with the rest of the phrase: "Friday or Saturday at 3"."""
    for left, right in pairwise(points):
        between = [lexed.tokens[index].symbol for index in range(left.last, right.first)]
        if "OR" not in between:
            continue
        choices: list[Candidate] = []
        for dropped in (right, left):
            kept = [part for part in points if part is not dropped]
            choices.extend(replace(choice, reason="alternative") for choice in _point(lexed, kept, context).candidates)
        return ambiguous(lexed, points, context, choices, "which_reading")
    return None


def _point(  # noqa: PLR0911 - one return a kind
    lexed: Lexed, points: Sequence[DatePart], context: DateContext
) -> Resolution:
    if any(part.kind == "delta" for part in points):
        return from_booking(lexed, points, context)
    if any(part.kind == "now" for part in points):
        if len(points) > 1:
            return refuse(lexed, points, context, Status.NOT_UNDERSTOOD, "several_times")
        return from_instant(lexed, points, context, after(context.now, 0))
    elapsed = [part for part in points if part.kind == "offset" and _is_elapsed(part)]
    if elapsed:
        return _elapsed(lexed, points, elapsed[0], context)
    lone = [part for part in points if part.kind == "lone"]
    if lone:
        return _day_or_hour(lexed, points, lone[0], context)
    dotted = [part for part in points if part.kind == "dotted"]
    if dotted:
        return _dotted(lexed, points, dotted[0], context)
    times = [part for part in points if part.kind == "time"]
    reading = read_days(points, context.today, context.policy, context.zone)
    if reading is not None and reading.error and reading.error != "in_past":
        return _day_error(lexed, points, context, reading)
    periods = [part.values["period"] for part in points if "period" in part.values]
    if any(part.kind == "period" and part.values.get("mod") == "THIS" for part in points) and reading is None:
        reading = DayReading([(context.today, "stated")])
    if times:
        return with_time(lexed, points, times, periods, reading, context)
    vague = any(period not in "ldb" for period in periods) and not _same_time(lexed, points)
    if reading is None or vague:
        days = reading.days if reading else []
        if reading and reading.error:
            return _day_error(lexed, points, context, reading)
        return refuse(lexed, points, context, Status.VAGUE, "vague_time", day=days[0][0] if len(days) == 1 else None)
    if reading.error:
        return _day_error(lexed, points, context, reading)
    choices = [Candidate(day, None, None, reason, day < context.today) for day, reason in reading.days]
    hidden = [part for part in points if part.kind == "day" and "wd" in part.values and "ord" not in part.values]
    if hidden and (len(choices) > 1 or _may_be_hour(hidden[0])) and int(hidden[0].values["day"]) <= 24:
        return _day_or_hour(lexed, points, hidden[0], context)
    return choose(lexed, points, context, choices, "which_day")


def _same_time(lexed: Lexed, points: Sequence[DatePart]) -> bool:
    """Return whether the booking keeps its hour, so that the part of the day is not vague: "Monday arvo, same time"."""
    around = (lexed.tokens[: points[0].first][::-1], lexed.tokens[points[-1].last :])
    within = lexed.tokens[points[0].first : points[-1].last]
    nearest = [next((t.symbol for t in side if t.symbol not in JOINERS), "") for side in around]
    return "SAMETIME" in (*nearest, *(token.symbol for token in within))


def _may_be_hour(part: DatePart) -> bool:
    """Return whether a day may be an hour as well: "Fri, 4", even if the 4th is a Friday. An hour after twelve has
    another form."""
    return "plain" in part.values and 1 <= int(part.values["day"]) <= 12


def _day_or_hour(lexed: Lexed, points: Sequence[DatePart], part: DatePart, context: DateContext) -> Resolution:
    """Return both readings of a number that is an hour or a day: "Saturday 3" when the 3rd is no Saturday for months,
    or "21" alone. The day comes first where the next such day falls on the named weekday and nothing is between the
    two."""
    others = [other for other in points if other is not part]
    weekday = [DatePart("wd", part.first, part.last, {"wd": part.values["wd"]})] if "wd" in part.values else []
    hour = DatePart("time", part.first, part.last, {"h": part.values["day"]})
    dated = DatePart("day", part.first, part.last, {**part.values, "ord": "o"})
    timed = _point(lexed, [*others, *weekday, hour], context).candidates
    found = _point(lexed, [*others, dated], context)
    dates = found.candidates[:1]
    choices = [*(replace(at, reason="hour") for at in timed), *(replace(day, reason="day_of_month") for day in dates)]
    fits = found.ok and not part.values.get("plain")
    if weekday and (fits or int(part.values["day"]) > 12):
        choices = [*choices[-1:], *choices[:-1]]
    if not choices:
        return refuse(lexed, points, context, Status.NOT_UNDERSTOOD, "unexplained")
    return ambiguous(lexed, points, context, choices, "which_reading")


def _day_error(lexed: Lexed, points: Sequence[DatePart], context: DateContext, reading: DayReading) -> Resolution:
    assert reading.error is not None
    status = {
        "vague_day": Status.VAGUE,
        "several_dates": Status.NOT_UNDERSTOOD,
        "not_found": Status.NOT_UNDERSTOOD,
    }.get(reading.error, Status.INVALID)
    choices = tuple(Candidate(day, None, None, reason, day < context.today) for day, reason in reading.days)
    times = [part for part in points if part.kind == "time"]
    resolution = refuse(lexed, points, context, status, reading.error, choices)
    if times and reading.error == "weekday_mismatch":
        at = with_time(
            lexed,
            points,
            times,
            [part.values["period"] for part in points if "period" in part.values],
            DayReading([(day, reason) for day, reason in reading.days if day >= context.today]),
            context,
        )
        if at.candidates:
            resolution = replace(resolution, candidates=at.candidates, time=at.time)
    return resolution


def _is_elapsed(part: DatePart) -> bool:
    return part.values.get("unit") in ELAPSED or "unit2" in part.values or "frac" in part.values


def _elapsed(lexed: Lexed, points: Sequence[DatePart], part: DatePart, context: DateContext) -> Resolution:
    others = [other for other in points if other is not part]
    values = part.values
    if any(other.kind != "rel" or other.values.get("rel") != "0" for other in others):
        return refuse(lexed, points, context, Status.NOT_UNDERSTOOD, "several_times")
    start, minutes = context.now, 0.0
    if values["unit"] in ELAPSED:
        minutes = (
            fraction(values["frac"]) * ELAPSED[values["unit"]]
            if "frac" in values
            else (part.number * ELAPSED[values["unit"]])
        )
    elif "frac" in values:
        return refuse(lexed, points, context, Status.NOT_UNDERSTOOD, "unexplained")
    else:
        day = add_units(context.today, part.number, values["unit"])
        start = start.replace(year=day.year, month=day.month, day=day.day)
    if "n2" in values and values.get("unit2") == "d" and values["unit"] not in ELAPSED:
        later = add_units(start.date(), 1 if values["n2"] == "A" else int(values["n2"].rstrip("w")), "d")
        return choose(lexed, points, context, [Candidate(later, None, None, "stated")], "which_day")
    if "n2" in values:
        count = values["n2"]
        unit = ELAPSED.get(values.get("unit2", "mi"), 1440.0)
        minutes += (1 if count == "A" else int(count.rstrip("w"))) * unit
    return from_instant(lexed, points, context, after(start, minutes))


def _dotted(lexed: Lexed, points: Sequence[DatePart], part: DatePart, context: DateContext) -> Resolution:
    """Return the reading of "9.10" (9 October or ten past nine) that the words beside it decide, else both."""
    others = [other for other in points if other is not part]
    for other in others:
        if other.kind == "time":
            other.values["continental"] = "yes"
    as_day = DatePart("numeric", part.first, part.last, part.values)
    as_time = DatePart("time", part.first, part.last, {"h": part.values["a"], "m": part.values["b"]})
    can_be_time = len(part.values["b"]) == 2 and int(part.values["b"]) < 60 and int(part.values["a"]) < 25
    can_be_day = int(part.values["b"]) in range(1, 13) and int(part.values["a"]) in range(1, 32)
    day_parts = [other for other in others if other.kind in DAY_KINDS]
    if any(other.kind == "time" for other in others) or not can_be_time:
        return _point(lexed, _swap(points, part, as_day), context)
    if not can_be_day:
        return _point(lexed, _swap(points, part, as_time), context)
    first = _point(lexed, _swap(points, part, as_day), context)
    second = _point(lexed, _swap(points, part, as_time), context)
    if day_parts and first.status in (Status.INVALID, Status.NOT_UNDERSTOOD):
        return second
    if any(other.kind == "period" for other in others):
        return second
    choices = [
        *(replace(choice, reason="day_of_month") for choice in first.candidates),
        *(replace(choice, reason="hour") for choice in second.candidates),
    ]
    return ambiguous(lexed, points, context, choices, "which_reading")


def _swap(points: Sequence[DatePart], old: DatePart, new: DatePart) -> list[DatePart]:
    return [new if part is old else part for part in points]


_LAST_HOUR = 24


def hours_or_date(lexed: Lexed, parts: Sequence[DatePart], context: DateContext) -> list[DatePart]:
    """Return the parts, with a pair that is no date on the weekday beside it as a range of hours. A date has no spaces
    around its dash."""
    return [
        DatePart("range", part.first, part.last, {})
        if _is_hours(lexed, part, parts[index - 1 : index], context)
        else part
        for index, part in enumerate(parts)
    ]


def _is_hours(lexed: Lexed, part: DatePart, before: Sequence[DatePart], context: DateContext) -> bool:
    if part.kind != "numeric" or part.values.get("sep") != "-" or "year" in part.values or not before:
        return False
    if before[0].kind != "wd" or max(int(part.values["a"]), int(part.values["b"])) > _LAST_HOUR:
        return False
    if lexed.tokens[part.first].end < lexed.tokens[part.first + 1].start:
        return True
    dated = read_days([before[0], part], context.today, context.policy, context.zone)
    return dated is None or dated.error is not None


_NUMBER = re.compile(r"([0-9]{1,2})w?")


def repeated_days(lexed: Lexed, parts: Sequence[DatePart], context: DateContext) -> list[DatePart]:
    """Return the parts. A number directly after a complete day ("next Saturday twelve", "tomorrow 27") is the day of
    the month if it matches that day; otherwise it remains an hour."""
    again = [day for part in parts if (day := _repeated_day(lexed, part, context))]
    indexes = {day.first for day in again}
    kept = [part for part in parts if not (_is_lone_hour(part) and part.first in indexes)]
    taken = {index for part in kept for index in range(part.first, part.last)}
    return sorted([*kept, *(day for day in again if day.first not in taken)], key=lambda part: part.first)


def _is_lone_hour(part: DatePart) -> bool:
    return part.kind == "time" and part.values.keys() == {"h"} and part.last - part.first == 1


def _repeated_day(lexed: Lexed, named: DatePart, context: DateContext) -> DatePart | None:
    if named.kind != "rel" and not (named.kind == "wd" and named.values.keys() & {"mod", "wk"}):
        return None
    symbols = [token.symbol for token in lexed.tokens[named.last :]]
    skipped = symbols[:1] == [","]
    number = _NUMBER.fullmatch(symbols[skipped]) if len(symbols) > skipped else None
    reading = read_days([named], context.today, context.policy, context.zone)
    same = [day for day, _ in reading.days if number and day.day == int(number[1])] if reading else []
    if not number or not same:
        return None
    index = named.last + skipped
    return DatePart("day", index, index + 1, {"day": number[1], "wd": str(same[0].weekday()), "plain": ""})
