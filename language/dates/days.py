"""Which calendar days a phrase can mean. No clock here: days are dates in the venue's zone."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from language.dates.holidays import holiday_on
from language.dates.resolution import VenuePolicy
from language.dates.rules import DatePart

RECENT = timedelta(days=14)
"""A day and month this recently past may be a slip, so the year ahead is not taken without asking."""

ANCHORS = frozenset(("ymd", "numeric", "dotted", "dm", "rel", "offset", "nth", "lastday", "holiday", "ago"))
DAY_KINDS = ANCHORS | {"day", "wd", "shift", "weekend", "week", "closest", "beside"}

Choice = tuple[date, str]
"""A day and the reason it is offered."""


@dataclass(slots=True)
class DayReading:
    """The days a phrase can mean, best first; several mean that it is ambiguous, none that `error` says why."""

    days: list[Choice] = field(default_factory=list)
    error: str | None = None


def read_days(parts: Sequence[DatePart], today: date, policy: VenuePolicy, zone: str) -> DayReading | None:
    """Combine every part about days into one reading; None when there is none. `zone`: whose holidays are meant."""
    parts = [part for part in parts if part.kind in DAY_KINDS]
    if not parts:
        return None
    shifts = [part for part in parts if part.kind == "shift"]
    closest = [part for part in parts if part.kind in ("closest", "beside")]
    rest = [part for part in parts if part.kind not in ("shift", "closest", "beside")]
    reading = _combine(rest, today, policy, zone) if rest else DayReading(error="not_found")
    if reading.error not in (None, "in_past") or not (shifts or closest):
        return reading
    if shifts:
        count, unit = shifts[0].number, shifts[0].values["unit"]
        if _goes_back(shifts[0]):
            count = -count
        return _ahead([(add_units(day, count, unit), reason) for day, reason in reading.days], today)
    if closest[0].kind == "beside":
        return _ahead([(_beside(closest[0], day), reason) for day, reason in reading.days], today)
    return _closest(closest[0], reading.days)


def add_units(day: date, count: int, unit: str) -> date:
    """Calendar addition: d, w, f (fortnight), mo, y; a month keeps the day where it exists, else its last day."""
    if unit in ("mo", "y"):
        months = day.year * 12 + day.month - 1 + count * (12 if unit == "y" else 1)
        year, month = divmod(months, 12)
        if not 1 <= year <= 9999:
            return day
        return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))
    return day + timedelta(days=count * {"d": 1, "w": 7, "f": 14}[unit])


def _combine(parts: Sequence[DatePart], today: date, policy: VenuePolicy, zone: str) -> DayReading:
    anchors = [part for part in parts if part.kind in ANCHORS]
    weekdays = [part for part in parts if part.kind == "wd"]
    numbered = [part for part in parts if part.kind == "day"]
    spans = [part for part in parts if part.kind in ("week", "weekend")]
    if len({part.values["wd"] for part in parts if "wd" in part.values and part.kind != "nth"}) > 1:
        return DayReading(error="several_dates")
    if anchors:
        return _anchored(anchors, weekdays, numbered, spans, today, policy, zone)
    if numbered:
        return _numbered(numbered, weekdays, spans, today)
    if weekdays:
        return _weekday(weekdays, spans, today, policy)
    if len(spans) == 1 and spans[0].kind == "weekend":
        return DayReading(_weekend(spans[0], today))
    return DayReading(error="vague_day")


def _anchored(
    anchors: Sequence[DatePart],
    weekdays: Sequence[DatePart],
    numbered: Sequence[DatePart],
    spans: Sequence[DatePart],
    today: date,
    policy: VenuePolicy,
    zone: str,
) -> DayReading:
    if spans:
        return DayReading(error="several_dates")
    chosen: list[Choice] | None = None
    for part in anchors:
        days = _anchor_days(part, today, policy, zone)
        if not days:
            return DayReading(error="vague_day" if part.kind == "holiday" else "invalid_date")
        if chosen is None:
            chosen = days
        else:
            same = {day for day, _ in days}
            chosen = [choice for choice in chosen if choice[0] in same]
    assert chosen is not None
    for part in numbered:
        chosen = [choice for choice in chosen if choice[0].day == int(part.values["day"])]
    if not chosen:
        return DayReading(error="several_dates")
    wanted = {int(part.values["wd"]) for part in (*weekdays, *numbered) if "wd" in part.values}
    if not wanted:
        return DayReading(chosen, error="in_past" if chosen[0][0] < today else None)
    weekday = wanted.pop()
    fitting = [choice for choice in chosen if choice[0].weekday() == weekday]
    if fitting:
        return DayReading(fitting, error="in_past" if fitting[0][0] < today else None)
    if any(part.values.get("unit") in ("w", "mo", "y", "f") for part in anchors if part.kind == "offset"):
        start = chosen[0][0]
        after = start + timedelta(days=(weekday - start.weekday()) % 7)
        same_week = start + timedelta(days=weekday - start.weekday())
        return DayReading([(after, "stated"), *([(same_week, "nearest")] if same_week != after else [])])
    return DayReading(mismatch_choices(chosen[0][0], weekday, today), error="weekday_mismatch")


def mismatch_choices(stated: date, weekday: int, today: date) -> list[Choice]:
    """Return the three ways out of "Monday 24 November" when that is a Tuesday, in the order of the tools contract.

    The nearest one is left out where it is also the first.
    """
    first = today + timedelta(days=(weekday - today.weekday()) % 7)
    ahead = (weekday - stated.weekday()) % 7
    nearest = stated + timedelta(days=ahead if ahead <= 3 else ahead - 7)
    near = [] if nearest == first else [(nearest, "nearest_weekday")]
    return [(first, "first_weekday"), *near, (stated, "stated_date")]


def _anchor_days(part: DatePart, today: date, policy: VenuePolicy, zone: str) -> list[Choice]:
    values = part.values
    match part.kind:
        case "rel":
            shift = {"NEXT": 1, "THIS": 0}.get(values.get("mod", ""), 0)
            return [(today + timedelta(days=int(values.get("rel", shift))), "stated")]
        case "offset":
            return [(add_units(today, part.number, _unit(values)), "stated")]
        case "ago":
            return [(add_units(today, -part.number, _unit(values)), "stated")]
        case "holiday" if "year" in values:
            named = holiday_on(values["hol"], int(values["year"]), zone)
            return [(named, "stated")] if named else []
        case "holiday":
            return _next_years(today, lambda year: holiday_on(values["hol"], year, zone))
        case "lastday":
            return _last_day(values, today)
        case "nth":
            return _nth_weekday(values, today)
        case "numeric" | "dotted":
            return _numeric(values, today, policy)
        case _:
            return _day_and_month(int(values["day"]), int(values["mon"]), values.get("year"), today)


def _unit(values: dict[str, str]) -> str:
    unit = values.get("unit", "mo")
    return unit if unit in ("d", "w", "f", "mo", "y") else "d" if unit != "W0" else "mo"


def _numeric(values: dict[str, str], today: date, policy: VenuePolicy) -> list[Choice]:
    first, second = int(values["a"]), int(values["b"])
    day, month = (first, second) if policy.date_order == "dmy" else (second, first)
    if month > 12 >= day:
        day, month = month, day
    return _day_and_month(day, month, values.get("year"), today)


def _day_and_month(day: int, month: int, year: str | None, today: date) -> list[Choice]:
    if year is not None:
        number = int(year) + (2000 if len(year) == 2 else 0)
        return [(found, "stated")] if (found := make_date(number, month, day)) else []
    return _next_years(today, lambda number: make_date(number, month, day))


def make_date(year: int, month: int, day: int) -> date | None:
    """Return the date, or None if the calendar has no such day."""
    if 1 <= month <= 12 and 1 <= year <= 9999 and 1 <= day <= calendar.monthrange(year, month)[1]:
        return date(year, month, day)
    return None


def _next_years(today: date, in_year: Callable[[int], date | None]) -> list[Choice]:
    """Return the next time a yearly day comes round (29 February: within eight years), the one just past as second."""
    for year in range(today.year, min(today.year + 9, 10000)):
        found = in_year(year)
        if found is not None and found >= today:
            recent = in_year(year - 1) if year > 1 else None
            if recent is not None and today - recent <= RECENT:
                return [(found, "next_occurrence"), (recent, "recent")]
            return [(found, "stated")]
    return []


def _nth_weekday(values: dict[str, str], today: date) -> list[Choice]:
    weekday = int(values["wd"])

    def in_month(year: int, month: int) -> date | None:
        length = calendar.monthrange(year, month)[1]
        days = [day for day in range(1, length + 1) if date(year, month, day).weekday() == weekday]
        rank = len(days) if "last" in values else int(values["nth"])
        return date(year, month, days[rank - 1]) if 1 <= rank <= len(days) else None

    if "mon" in values:
        month = int(values["mon"])
        if not 1 <= month <= 12:
            return []
        if "year" in values:
            found = in_month(int(values["year"]), month)
            return [(found, "stated")] if found else []
        return _next_years(today, lambda year: in_month(year, month))
    base = add_units(today.replace(day=1), 1 if values.get("mod") == "NEXT" else 0, "mo")
    found = in_month(base.year, base.month)
    return [(found, "stated")] if found else []


def _last_day(values: dict[str, str], today: date) -> list[Choice]:
    def in_month(year: int, month: int) -> date:
        return date(year, month, calendar.monthrange(year, month)[1])

    if "mon" not in values:
        base = add_units(today.replace(day=1), 1 if values.get("mod") == "NEXT" else 0, "mo")
        return [(in_month(base.year, base.month), "stated")]
    month = int(values["mon"])
    if "year" in values:
        return [(in_month(int(values["year"]), month), "stated")]
    return _next_years(today, lambda year: in_month(year, month))


def _numbered(
    numbered: Sequence[DatePart], weekdays: Sequence[DatePart], spans: Sequence[DatePart], today: date
) -> DayReading:
    days = {int(part.values["day"]) for part in numbered}
    if len(days) > 1:
        return DayReading(error="several_dates")
    day = days.pop()
    if not 1 <= day <= 31:
        return DayReading(error="invalid_date")
    months = [part for part in spans if "mon" in part.values]
    if months:
        dated = _day_and_month(day, int(months[0].values["mon"]), months[0].values.get("year"), today)
        return DayReading(dated, error=None if dated else "invalid_date")
    shifted = [part for part in (*numbered, *spans) if part.values.get("mod") in ("NEXT", "THIS")]
    if shifted:
        if shifted[0].values.get("unit", "mo") != "mo":
            return DayReading(error="several_dates")
        base = add_units(today.replace(day=1), 1 if shifted[0].values["mod"] == "NEXT" else 0, "mo")
        found = make_date(base.year, base.month, day)
        return DayReading([(found, "stated")]) if found else DayReading(error="invalid_date")
    wanted = {int(part.values["wd"]) for part in (*numbered, *weekdays) if "wd" in part.values}
    first = next(months_with(day, today))
    if not wanted or first.weekday() in wanted:
        return DayReading([(first, "stated")])
    weekday = wanted.pop()
    fitting = next((found for found in months_with(day, today) if found.weekday() == weekday), first)
    return DayReading([(fitting, "next_occurrence"), *mismatch_choices(first, weekday, today)])


def months_with(day: int, today: date) -> Iterator[date]:
    """Return each date ahead (today included) that falls on this day of a month, for four years."""
    start = today.replace(day=1)
    for count in range(49):
        base = add_units(start, count, "mo")
        found = make_date(base.year, base.month, day)
        if found and found >= today:
            yield found


def _weekday(weekdays: Sequence[DatePart], spans: Sequence[DatePart], today: date, policy: VenuePolicy) -> DayReading:
    values = weekdays[0].values
    weekday = int(values["wd"])
    mods = {part.values.get("mod", "").strip() for part in weekdays} - {""}
    spoken_weeks = [part.values.get("mod", "") for part in spans if part.values.get("unit") == "w"]
    week = values.get("wk") or next(iter(spoken_weeks), "")
    if any(part.kind == "week" and part.values.get("unit") != "w" for part in spans):
        return DayReading(error="vague_day")
    monday = today - timedelta(days=today.weekday())
    if week:
        found = monday + timedelta(days=weekday + (7 if week == "NEXT" else -7 if week == "LAST" else 0))
        return DayReading([(found, "stated")], error="in_past" if found < today else None)
    if any(part.kind == "weekend" for part in spans):
        chosen = [choice for choice in _weekend(spans[0], today) if choice[0].weekday() == weekday]
        return DayReading([(day, "stated") for day, _ in chosen], error=None if chosen else "weekday_mismatch")
    if "count" in values:
        ahead = (weekday - today.weekday()) % 7 or 7
        return DayReading([(today + timedelta(days=ahead + 7 * (int(values["count"]) - 1)), "stated")])
    return weekday_choices(weekday, mods.pop() if mods else "", today, policy)


def weekday_choices(weekday: int, mod: str, today: date, policy: VenuePolicy) -> DayReading:
    """Return the readings of a weekday by the modifier beside it: none, THIS, NEXT, AFTERNEXT, LAST, Uw, Uf."""
    ahead = (weekday - today.weekday()) % 7
    nearest = today + timedelta(days=ahead or 7)
    week = timedelta(days=7)
    following = today + timedelta(days=7 - today.weekday() + weekday)
    match mod:
        case "LAST":
            return DayReading([(nearest - week if ahead else today - week, "stated")], error="in_past")
        case "Uw":
            return DayReading([(nearest + week if ahead else today + week, "stated")])
        case "Uf":
            return DayReading([(nearest + 2 * week if ahead else today + 2 * week, "stated")])
        case "AFTERNEXT":
            days = [(nearest + week, "week_after")]
            return DayReading(days if following == nearest else [*days, (following + week, "following_week")])
        case "NEXT":
            if following == nearest:
                return DayReading([(nearest, "stated")])
            both = [(following, "following_week"), (nearest, "nearest")]
            return DayReading(both if policy.next_weekday == "following_week" else both[::-1])
        case _ if ahead:
            return DayReading([(nearest, "stated")])
        case "THIS":
            return DayReading([(today, "today"), (nearest, "week_after")])
        case _:
            return DayReading([(nearest, "next_occurrence"), (today, "today")])


def _weekend(part: DatePart, today: date) -> list[Choice]:
    """Both days of a weekend; what is left of the one that ends today is never taken without asking."""
    saturday = today + timedelta(days=5 - today.weekday())
    mod = part.values.get("mod", "")
    saturday += timedelta(days={"NEXT": 7, "AFTER": 7, "AFTERNEXT": 14}.get(mod, 0))
    both = [(day, "weekend") for day in (saturday, saturday + timedelta(days=1)) if day >= today]
    if len(both) == 2:
        return both
    following = [(saturday + timedelta(days=days), "weekend") for days in (7, 8)]
    return [(today, "today"), *following] if mod == "THIS" else [*following, (today, "today")]


def _goes_back(part: DatePart) -> bool:
    return part.values.get("way", "").startswith(("BEFORE", "EARLIER"))


def _ahead(days: list[Choice], today: date) -> DayReading:
    """Days counted from others; those that are gone are no choice while one is ahead."""
    ahead = [choice for choice in days if choice[0] >= today]
    return DayReading(ahead) if ahead else DayReading(days, error="in_past")


def _beside(part: DatePart, anchor: date) -> date:
    """Return the last such weekday before a day, or the first (second …) after it: "the Friday before Christmas"."""
    weekday = int(part.values["wd"])
    if _goes_back(part):
        return anchor - timedelta(days=(anchor.weekday() - weekday) % 7 or 7)
    ahead = (weekday - anchor.weekday()) % 7 or 7
    return anchor + timedelta(days=ahead + 7 * (int(part.values.get("nth", "1")) - 1))


def _closest(part: DatePart, anchors: Sequence[Choice]) -> DayReading:
    if not anchors:
        return DayReading(error="not_found")
    anchor, weekday = anchors[0][0], int(part.values["wd"])
    near = sorted(
        (
            anchor + timedelta(days=shift)
            for shift in range(-21, 22)
            if (anchor + timedelta(days=shift)).weekday() == weekday
        ),
        key=lambda day: abs(day - anchor),
    )
    return DayReading([(near[int(part.values.get("nth", "1")) - 1], "stated")])
