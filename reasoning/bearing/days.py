"""Days and times: a value stands when it is one reading of what was said and still stands.

A shift ("an hour later") counts from the pending plan, else from what an earlier message said, else from the booking.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language import Shift
from language.lexer import lex
from language.locales import get_locale
from reasoning.bearing.context import Context, Doubt, Held, doubt
from reasoning.evidence import Claim, Kind, Standing

_ANY_DAY = date(2000, 1, 3)
_FIGURES = re.compile(r"([0-9]{1,2})[:.]?([0-9]{2})?")
_LEANING = {"HALF_PAST": (0, 30), "QUARTER_PAST": (0, 15), "QUARTER_TO": (-1, 45), "ON_THE_HOUR": (0, 0)}


def day(context: Context, parameter: ActionParameter, value: Json) -> Held | Doubt:
    """A day, YYYY-MM-DD."""
    own = context.booking.date if context.booking else None
    return _agreed(context, parameter, str(value), ParameterRole.DATE, own)


def hour(context: Context, parameter: ActionParameter, value: Json) -> Held | Doubt:
    """A time of day, HH:MM."""
    own = context.booking.start_time[:5] if context.booking and context.booking.start_time else None
    return _agreed(context, parameter, str(value), ParameterRole.TIME, own)


def _agreed(
    context: Context, parameter: ActionParameter, value: str, role: ParameterRole, own: str | None
) -> Held | Doubt:
    left_alone = _left_alone(context, role)
    base = None if left_alone else context.pending(parameter)
    about = [c for c in context.evidence.of(*_KINDS[role]) if c.kind is not Kind.SHIFT or _shifts(c.shift, role)]
    readings = [(c, _readings(context, c, role, _base(context, base, own, c, role))) for c in about]
    said = [(c, values) for c, values in readings if c.stands and values and not _counted_on(c, about)]
    if left_alone:
        said = [(c, values) for c, values in said if c.message == 0]
    leaning = _leaning(context, str(base or own or "")) if role is ParameterRole.TIME else ()
    if role is ParameterRole.DATE:
        leaning = _week_on(context, about, str(base or own or ""))
    if value in leaning or any(value in values for _, values in said):
        return Held(value)
    spoiled = [c for c in about if c.doubtful]
    contrary = [(c, values) for c, values in said if own not in values and not _is_taken(context, c)]
    if value == own and not contrary and not spoiled:
        return Held(value)
    if value == base and not any(c.message == 0 for c, _ in contrary):
        return Held(value)
    only = [(c, values) for c, values in readings if values and not (left_alone and c.message)]
    elsewhere = value == base or any(value in c.values for c in context.evidence.apart)
    if (
        len(only) == 1
        and not elsewhere
        and not spoiled
        and not leaning
        and only[0][0].stands
        and _is_sure(only[0][0], only[0][1], base)
    ):
        return Held(only[0][1][0])
    options = [option for c, values in readings if c.stands or c.doubtful for option in values]
    return doubt(parameter, tuple(options), role)


def _is_taken(context: Context, claim: Claim) -> bool:
    """Whether a bare number is another step's value: "no, 22" beside an hour that stays."""
    return claim.kind is Kind.NUMBER and claim.values[0] in context.taken


_LEFT = {ParameterRole.DATE: ("LEAVE_DAY", "SAME_DAY"), ParameterRole.TIME: ("LEAVE_TIME", "SAME_TIME")}


def _left_alone(context: Context, role: ParameterRole) -> bool:
    """ "No, leave the time, it's the day": what an earlier message said of the time is taken back."""
    if not context.evidence.messages:
        return False
    latest = context.evidence.messages[0]
    leave, same = _LEFT[role]
    return bool(latest.of_kind(leave) or (latest.of_kind(same) and latest.of_kind("NO", "CORRECT")))


def _counted_on(claim: Claim, about: list[Claim]) -> bool:
    """ "Half an hour before that": what was said before is only what a later shift counts from."""
    shifts = [c.message for c in about if c.kind is Kind.SHIFT and c.stands]
    return claim.kind is not Kind.SHIFT and bool(shifts) and claim.message > min(shifts)


_KINDS = {
    ParameterRole.DATE: (Kind.DAY, Kind.SHIFT),
    ParameterRole.TIME: (Kind.TIME, Kind.SHIFT, Kind.NUMBER),
}


def _is_sure(claim: Claim, values: tuple[str, ...], base: Json) -> bool:
    """Whether the words leave one value only, so that they may win over the model's."""
    return claim.certain and len(values) == 1 and (claim.kind is not Kind.SHIFT or base is None)


def _shifts(shift: Shift | None, role: ParameterRole) -> bool:
    return shift is not None and bool(shift.days if role is ParameterRole.DATE else shift.minutes)


def _base(context: Context, pending: Json, own: str | None, claim: Claim, role: ParameterRole) -> str | None:
    """What a shift counts from."""
    if pending is not None:
        return str(pending)
    kind = Kind.DAY if role is ParameterRole.DATE else Kind.TIME
    earlier = [c for c in context.evidence.of(kind) if c.message > claim.message and c.certain and len(c.values) == 1]
    return earlier[0].values[0] if earlier else own


def _readings(context: Context, claim: Claim, role: ParameterRole, base: str | None) -> tuple[str, ...]:
    if claim.kind is Kind.SHIFT:
        return _shifted(claim.shift, role, base) if claim.shift is not None and base else ()
    if claim.kind is Kind.NUMBER:
        return tuple(_hours(context, claim)) if context.answers(claim, role) else ()
    if claim.kind is Kind.TIME and not context.answers(claim, role) and _FIGURES.fullmatch(claim.text):
        return ()
    if claim.kind is Kind.DAY and base and _of_a_move(context, claim, base):
        return tuple(dict.fromkeys((*claim.values, *_on_from(claim, base))))
    return claim.values


def _of_a_move(context: Context, claim: Claim, base: str) -> bool:
    """ "Sat -> mon": a weekday beside the booking's own weekday."""
    own = date.fromisoformat(base).weekday()
    former = [
        value
        for c in context.evidence.of(Kind.DAY)
        if c.message == claim.message and c.standing is Standing.FORMER
        for value in c.values
    ]
    locale = get_locale(context.evidence.setting.locale)
    symbols = [token.symbol for token in lex(claim.text, locale).tokens]
    bare = len([s for s in symbols if s[0] in "Ww"]) == 1 and {s for s in symbols if s[0] not in "Ww"} <= _ARTICLES
    return bare and any(date.fromisoformat(value).weekday() == own for value in former)


_ARTICLES = frozenset(("THE", "ON", "TO", "AT", ",", "->"))


def _on_from(claim: Claim, base: str) -> Iterator[str]:
    """The weekday that comes next after the booking's own day."""
    start = date.fromisoformat(base)
    for value in claim.values:
        ahead = (date.fromisoformat(value).weekday() - start.weekday()) % 7
        if ahead:
            yield (start + timedelta(days=ahead)).isoformat()


def _shifted(shift: Shift, role: ParameterRole, base: str) -> tuple[str, ...]:
    try:
        if role is ParameterRole.DATE:
            return ((date.fromisoformat(base) + timedelta(days=shift.days)).isoformat(),)
        at = datetime.combine(_ANY_DAY, time.fromisoformat(base)) + timedelta(minutes=shift.minutes)
    except (ValueError, OverflowError):
        return ()
    return (at.strftime("%H:%M"),)


def _hours(context: Context, claim: Claim) -> Iterator[str]:
    """What a bare number is as a time: "4", "1530", "four"."""
    figures = claim.values[0]
    written = f"{figures[:-2]}:{figures[-2:]}" if len(figures) > 2 else figures
    said = context.evidence.setting.time_alone(written)
    hours = context.evidence.setting.profile.opening_hours
    times = [at for at in (said.time, *(c.time for c in said.candidates)) if at is not None]
    is_open = [at for at in times if hours.opens <= at < hours.closes] if hours.opens < hours.closes else []
    for at in is_open or times:
        yield at.strftime("%H:%M")


def _week_on(context: Context, said: list[Claim], base: str) -> tuple[str, ...]:
    """ "Next week, same day": the booking's own weekday, a week on or in the week after this one."""
    locale = get_locale(context.evidence.setting.locale)
    own_day = any(m.of_kind("SAME_DAY", "SAME_TIME") for m in context.evidence.messages)
    weeks = [(c, {t.symbol for t in lex(c.text, locale).tokens}) for c in said if c.doubtful]
    after_next = any({"AFTERNEXT", "Uw"} <= symbols for _, symbols in weeks)
    weeks = [(c, symbols) for c, symbols in weeks if after_next or {"NEXT", "Uw"} <= symbols]
    if not (own_day and weeks and base):
        return ()
    day = date.fromisoformat(base)
    monday = context.evidence.setting.now.date() - timedelta(days=context.evidence.setting.now.weekday())
    if after_next:
        return ((monday + timedelta(days=14 + day.weekday())).isoformat(),)
    in_week = monday + timedelta(days=7 + day.weekday())
    return tuple(d.isoformat() for d in dict.fromkeys((day + timedelta(days=7), in_week)) if d != day)


def _leaning(context: Context, base: str) -> tuple[str, ...]:
    """ "Half past" without an hour leans on the booking's own."""
    match = re.match(r"(\d\d):\d\d", base)
    latest = context.evidence.messages[0] if context.evidence.messages else None
    if match is None or latest is None:
        return ()
    timed = [c.span for c in context.evidence.of(Kind.TIME, Kind.SHIFT) if c.message == 0]
    times = []
    for cue in latest.of_kind(*_LEANING):
        if any(start <= cue.span[0] < end for start, end in timed):
            continue
        hours, minute = _LEANING[cue.kind]
        times.append(f"{(int(match[1]) + hours) % 24:02}:{minute:02}")
        if hours:
            times.append(f"{int(match[1]):02}:{minute:02}")
    return tuple(times)
