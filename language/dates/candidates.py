"""Turn days and times into candidates, and candidates into a resolution: past, closed, skipped or repeated times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, timezone

from language.dates.days import DAY_KINDS, DayReading
from language.dates.resolution import Candidate, Resolution, Span, Status, VenuePolicy
from language.dates.rules import DatePart
from language.dates.times import DAY, NOON, TimeReading, at_minute, instants, moved, read_time
from language.locales import Locale
from language.text.lexer import Lexed


@dataclass(frozen=True, slots=True)
class DateContext:
    """Where and when a phrase was written; `now` is aware, in the venue's zone. With `any_day`, a time without a day is
    for a day that the caller knows."""

    now: datetime
    policy: VenuePolicy
    locale: Locale
    any_day: bool = False

    @property
    def today(self) -> date:
        """Return the calendar day of `now`."""
        return self.now.date()

    @property
    def zone(self) -> str:
        """Return the IANA name of the venue's zone; "" for a fixed offset."""
        return str(getattr(self.now.tzinfo, "key", ""))


def span_of(lexed: Lexed, parts: Sequence[DatePart]) -> Span:
    """Return the characters that parts cover, from the first to the last; a leading preposition is left out."""
    first = min(part.first for part in parts)
    end = max(part.last for part in parts)
    while first < end - 1 and lexed.tokens[first].symbol in ("AT", "ON", "FOR", "THE", "OF"):
        first += 1
    while first > 0 and lexed.tokens[first - 1].symbol in ("ABOUT", "AROUND"):
        first -= 1
    tail = lexed.tokens[end].symbol if end < len(lexed.tokens) else ""
    return lexed.tokens[first].start, lexed.tokens[end if tail == "ISH" else end - 1].end


def refuse(
    lexed: Lexed,
    parts: Sequence[DatePart],
    context: DateContext,
    status: Status,
    error: str,
    candidates: tuple[Candidate, ...] = (),
    day: date | None = None,
) -> Resolution:
    """Return a resolution without a value, with the data that helps to ask."""
    return Resolution(
        status,
        error,
        date=day,
        day_offset=(day - context.today).days if day else None,
        candidates=candidates,
        span=span_of(lexed, parts),
        suggestions=context.locale.suggestions.get(error, ()),
        date_stated=any(part.kind in DAY_KINDS for part in parts),
        time_stated=any(part.kind == "time" for part in parts),
    )


def unparsed(lexed: Lexed, parts: Sequence[DatePart], context: DateContext) -> Resolution:
    """Return a resolution without a value, because something that looks like part of the phrase was not read."""
    return refuse(lexed, parts, context, Status.NOT_UNDERSTOOD, "unexplained")


def from_instant(lexed: Lexed, points: Sequence[DatePart], context: DateContext, instant: datetime) -> Resolution:
    """Return an instant that the words fix without a wall time: "in two hours", "now"."""
    instant = fixed_offset(instant)
    only = Candidate(instant.date(), instant.time(), instant, "stated")
    return Resolution(
        Status.OK,
        date=only.date,
        time=only.time,
        instant=instant,
        grain="minute",
        candidates=(only,),
        day_offset=(instant.date() - context.today).days,
        span=span_of(lexed, points),
        date_stated=True,
        time_stated=True,
    )


def ambiguous(
    lexed: Lexed, points: Sequence[DatePart], context: DateContext, choices: Sequence[Candidate], error: str
) -> Resolution:
    """Return several readings, with the day and the time where all of them agree."""
    choices = list({(choice.date, choice.time, choice.instant): choice for choice in reversed(choices)}.values())[::-1]
    days = {choice.date for choice in choices}
    times = {choice.time for choice in choices}
    agreed = days.pop() if len(days) == 1 else None
    return replace(
        refuse(lexed, points, context, Status.AMBIGUOUS, error, tuple(choices), agreed),
        time=times.pop() if len(times) == 1 else None,
        grain="minute" if any(choice.time for choice in choices) else "day",
    )


def choose(
    lexed: Lexed,
    points: Sequence[DatePart],
    context: DateContext,
    choices: Sequence[Candidate],
    error: str,
    spare: Sequence[Candidate] = (),
) -> Resolution:
    """Return a value for one choice and a question for several; `spare` readings are shown but do not count."""
    if not choices:
        return refuse(lexed, points, context, Status.INVALID, "in_past")
    if len(choices) > 1:
        return ambiguous(lexed, points, context, [*choices, *spare], error)
    only = choices[0]
    if only.past:
        return refuse(lexed, points, context, Status.INVALID, "in_past", (only,))
    resolution = refuse(lexed, points, context, Status.OK, "", (only, *spare), only.date)
    return replace(
        resolution,
        error=None,
        suggestions=(),
        time=only.time,
        instant=only.instant,
        grain="day" if only.time is None else "minute",
    )


def with_time(
    lexed: Lexed,
    points: Sequence[DatePart],
    times: Sequence[DatePart],
    periods: Sequence[str],
    reading: DayReading | None,
    context: DateContext,
) -> Resolution:
    """Combine a time with the days mentioned, or with today or tomorrow if the phrase mentions none."""
    clock = moved(_one_time(times, periods, context), [part for part in points if part.kind == "adjust"])
    if clock.error:
        status = Status.INVALID if clock.error == "invalid_time" else Status.NOT_UNDERSTOOD
        return refuse(lexed, points, context, status, clock.error)
    if reading is None:
        return _without_day(lexed, points, clock, context)
    tonight = any(period in "en" for period in periods) and [day for day, _ in reading.days] == [context.today]
    if clock.midnight:
        return _midnight(lexed, points, reading, tonight or bool(set(periods) & {"e", "n"}), context)
    timed: list[Candidate] = []
    spare: list[Candidate] = []
    skipped = False
    for day, reason in reading.days:
        kept, other, gap = _on_day(day, reason, clock, tonight, context)
        timed += kept
        spare += other
        skipped = skipped or gap
    if not timed and skipped:
        return refuse(lexed, points, context, Status.INVALID, "nonexistent_time")
    ahead = [choice for choice in timed if not choice.past]
    if not ahead:
        return refuse(lexed, points, context, Status.INVALID, "in_past", tuple(timed))
    if any(choice.reason == "recent" for choice in timed):
        return ambiguous(lexed, points, context, [*ahead, *(choice for choice in timed if choice.past)], "which_day")
    if (
        len({choice.date for choice in ahead}) > 1
        and ahead[0].reason == "next_occurrence"
        and (ahead[-1].reason == "today")
    ):
        ahead.reverse()
    if _is_odd(clock, reading.days[0][0], ahead, context):
        return ambiguous(lexed, points, context, ahead, "which_time")
    return choose(lexed, points, context, ahead, _why(ahead), spare)


def _is_odd(clock: TimeReading, day: date, ahead: Sequence[Candidate], context: DateContext) -> bool:
    """Return whether an hour hardly fits the part of the day while the venue is closed then: "tonight at 3:20"."""
    return bool(clock.contrary) and len(ahead) == 1 and not context.policy.is_open(*at_minute(day, clock.minutes[0]))


def _why(choices: Sequence[Candidate]) -> str:
    if {choice.reason for choice in choices} & {"before_change", "after_change"}:
        return "repeated_time"
    return "which_day" if len({choice.date for choice in choices}) > 1 else "which_time"


def _one_time(times: Sequence[DatePart], periods: Sequence[str], context: DateContext) -> TimeReading:
    """Return the reading on which all mentioned times agree ("8pm at 20:00" is one time)."""
    decisive = [period for period in periods if period not in "ldb"] or list(periods)
    readings = [read_time(part, decisive[0] if decisive else None, context.policy) for part in times]
    for reading in readings:
        if reading.error:
            return reading
    shared = [minute for minute in readings[0].minutes if all(minute in other.minutes for other in readings)]
    if not shared:
        return TimeReading(error="several_times")
    return replace(readings[0], minutes=shared)


def _on_day(
    day: date, reason: str, clock: TimeReading, tonight: bool, context: DateContext
) -> tuple[list[Candidate], list[Candidate], bool]:
    """Return the readings of a time on one day: those that count, those when the venue is closed, and whether one is
    skipped."""
    minutes = clock.minutes
    if tonight and minutes[0] >= DAY and context.now.time() < context.policy.after_midnight_until:
        earlier = [minute - DAY for minute in minutes]
        if any(_moment(day, minute) >= context.now.replace(tzinfo=None) for minute in earlier):
            minutes = earlier
    options = list(minutes)
    if day == context.today and len(options) > 1 and clock.style != "digital":
        ahead = [m for m in options if _moment(day, m) >= context.now.replace(tzinfo=None)]
        # An hour at which the venue is closed is not meant just because 11 in the morning has passed.
        open_at_all = [m for m in options if context.policy.is_open(*at_minute(day, m))]
        options = ahead if ahead and (not open_at_all or set(ahead) & set(open_at_all)) else options
    opened = [minute for minute in options if context.policy.is_open(*at_minute(day, minute))]
    if clock.contrary and not opened:
        # "Saturday morning at 12" mostly means noon, "tonight at 3" the night that follows.
        return _contrary(day, clock, context)
    if clock.style == "continental":
        opened = []
    kept = opened if len(options) > 1 and opened else options
    if clock.style == "digital":
        kept = kept[:1]
    candidates: list[Candidate] = []
    gap = False
    for minute in kept:
        label = reason
        if len(kept) > 1:
            label = "morning" if minute < NOON else "afternoon"
        elif len(options) > 1 and reason == "stated":
            label = "opening_hours"
        found = candidates_at(day, minute, label, context)
        gap = gap or not found
        candidates += found
    closed = [minute for minute in options if minute not in kept]
    spare = [choice for minute in closed for choice in candidates_at(day, minute, "outside_opening_hours", context)]
    return candidates, spare, gap


def _contrary(day: date, clock: TimeReading, context: DateContext) -> tuple[list[Candidate], list[Candidate], bool]:
    minutes = [*clock.minutes, *clock.contrary]
    if not any(minute >= NOON for minute in clock.minutes):
        minutes.sort(key=lambda minute: minute // 60 != 12)
    found = [
        candidates_at(day, minute, "morning" if minute % DAY < NOON else "afternoon", context) for minute in minutes
    ]
    return [choice for choices in found for choice in choices], [], not all(found)


def candidates_at(day: date, minute: int, reason: str, context: DateContext) -> list[Candidate]:
    """Return the candidates for a number of minutes after a day's midnight: none in a clock gap, two in a fold."""
    on, at = at_minute(day, minute)
    tz = context.now.tzinfo
    assert tz is not None
    found = instants(on, at, tz)
    reasons = [reason] if len(found) == 1 else ["before_change", "after_change"]
    return [
        Candidate(on, at, fixed_offset(instant), why, fixed_offset(instant) < context.now)
        for instant, why in zip(found, reasons, strict=False)
    ]


def fixed_offset(instant: datetime) -> datetime:
    """Return the same instant with its offset frozen: times inside a fold never equal those of another zone (PEP
    495)."""
    offset = instant.utcoffset()
    assert offset is not None
    return instant.replace(tzinfo=timezone(offset), fold=0)


def _moment(day: date, minute: int) -> datetime:
    return datetime.combine(day, time()) + timedelta(minutes=minute)


def _midnight(
    lexed: Lexed, points: Sequence[DatePart], reading: DayReading, at_end: bool, context: DateContext
) -> Resolution:
    choices: list[Candidate] = []
    for day, _ in reading.days:
        end = candidates_at(day, DAY, "end_of_day", context)
        start = candidates_at(day, 0, "start_of_day", context)
        choices += [choice for choice in (end if at_end else start + end) if not choice.past]
    return choose(lexed, points, context, choices, "which_day")


def _without_day(lexed: Lexed, points: Sequence[DatePart], clock: TimeReading, context: DateContext) -> Resolution:
    """Return the resolution of a time alone: the next time the clock shows it, as a question when that is not today."""
    if clock.midnight:
        tomorrow = candidates_at(context.today, DAY, "next_occurrence", context)
        return choose(lexed, points, context, tomorrow, _why(tomorrow))
    if context.any_day:
        return _as_clock(lexed, points, clock, context)
    kept, spare, gap = _on_day(context.today, "stated", clock, False, context)
    ahead = [choice for choice in kept if not choice.past]
    if ahead and not (clock.contrary and len(ahead) < len(kept)):
        return choose(lexed, points, context, ahead, _why(ahead), spare)
    if gap and not kept:
        return refuse(lexed, points, context, Status.INVALID, "nonexistent_time")
    later, spare, gap = _on_day(context.today + timedelta(days=1), "past_today", clock, False, context)
    if not later:
        return refuse(lexed, points, context, Status.INVALID, "nonexistent_time")
    relabelled = [replace(choice, reason="past_today") if len(later) == 1 else choice for choice in later]
    asked = ambiguous(lexed, points, context, [*relabelled, *spare], "which_day")
    return replace(asked, time=relabelled[0].time) if len(relabelled) == 1 else asked


def _as_clock(lexed: Lexed, points: Sequence[DatePart], clock: TimeReading, context: DateContext) -> Resolution:
    """Return the resolution of a time for a day that the caller knows. The next day without a clock change replaces
    that day, so that neither `now` nor a change excludes an hour."""
    for days in (1, 2):
        kept, spare, gap = _on_day(context.today + timedelta(days=days), "stated", clock, False, context)
        if not gap and not {choice.reason for choice in kept} & {"before_change", "after_change"}:
            break
    return choose(lexed, points, context, kept, _why(kept), spare)
