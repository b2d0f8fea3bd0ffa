"""Grounds days and times: a value is accepted if it is one reading of a mention that was not corrected.

A shift ("an hour later") counts from the pending plan, else from an earlier message, else from the booking.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

from contracts.action import ActionParameter
from contracts.base import Json
from contracts.enums import ParameterRole
from language import Shift
from language.dates.times import find_durations
from language.extraction import Assertion, Mention, MentionKind
from language.extraction.quotes import inside, only_reported
from language.locales import get_locale
from language.text.lexer import lex
from reasoning.grounding.context import GroundingContext, Ungrounded, ungrounded

_ANY_DAY = date(2000, 1, 3)
_FIGURES = re.compile(r"([0-9]{1,2})[:.]?([0-9]{2})?")
_LEANING = {"HALF_PAST": (0, 30), "QUARTER_PAST": (0, 15), "QUARTER_TO": (-1, 45), "ON_THE_HOUR": (0, 0)}


def ground_date(context: GroundingContext, parameter: ActionParameter, value: Json) -> Json | Ungrounded:
    """Ground a day, YYYY-MM-DD."""
    own = context.booking.date if context.booking else None
    return _agreed(context, parameter, str(value), ParameterRole.DATE, own)


def ground_time(context: GroundingContext, parameter: ActionParameter, value: Json) -> Json | Ungrounded:
    """Ground a time of day, HH:MM."""
    own = context.booking.start_time[:5] if context.booking and context.booking.start_time else None
    return _agreed(context, parameter, str(value), ParameterRole.TIME, own)


def _agreed(
    context: GroundingContext, parameter: ActionParameter, value: str, role: ParameterRole, own: str | None
) -> Json | Ungrounded:
    left_alone = _left_alone(context, role)
    base = None if left_alone else context.pending(parameter)
    about = [c for c in context.evidence.of(*_KINDS[role]) if c.kind is not MentionKind.SHIFT or _shifts(c.shift, role)]
    readings = [(c, _readings(context, c, role, _base(context, base, own, c, role))) for c in about]
    messages = [(c, values) for c, values in readings if c.is_asserted and values and not _counted_on(c, about)]
    if left_alone:
        messages = [(c, values) for c, values in messages if c.message == 0]
    leaning = _leaning(context, str(base or own or "")) if role is ParameterRole.TIME else ()
    if role is ParameterRole.DATE:
        leaning = _week_on(context, about, str(base or own or ""))
    if value in leaning or any(value in values for _, values in messages):
        return value
    spoiled = [c for c in about if c.vague]
    contrary = [(c, values) for c, values in messages if own not in values and not _is_taken(context, c)]
    if value == own and not contrary and not spoiled:
        return value
    if value == base and not any(c.message == 0 for c, _ in contrary):
        return value
    only = [(c, values) for c, values in readings if values and not (left_alone and c.message)]
    elsewhere = value == base or any(value in c.values for c in context.evidence.apart)
    if (
        len(only) == 1
        and not elsewhere
        and not spoiled
        and not leaning
        and only[0][0].is_asserted
        and _is_sure(only[0][0], only[0][1], base)
    ):
        return only[0][1][0]
    options = [option for c, values in readings if c.is_asserted or c.vague for option in values]
    return ungrounded(parameter, tuple(options), role)


def _is_taken(context: GroundingContext, mention: Mention) -> bool:
    """Return whether a bare number is another step's value: "no, 22" beside an hour that stays."""
    return mention.kind is MentionKind.NUMBER and mention.values[0] in context.taken


_LEFT = {ParameterRole.DATE: ("LEAVE_DAY", "SAME_DAY"), ParameterRole.TIME: ("LEAVE_TIME", "SAME_TIME")}


def _left_alone(context: GroundingContext, role: ParameterRole) -> bool:
    """Return whether a message revokes the time of an earlier one: "no, leave the time, it's the day"."""
    if not context.evidence.messages:
        return False
    latest = context.evidence.messages[0]
    leave, same = _LEFT[role]
    return bool(latest.of_kind(leave) or (latest.of_kind(same) and latest.of_kind("NO", "CORRECT")))


def _counted_on(mention: Mention, about: list[Mention]) -> bool:
    """Return whether an earlier mention is only the base of a later shift: "half an hour before that"."""
    shifts = [c.message for c in about if c.kind is MentionKind.SHIFT and c.is_asserted]
    return mention.kind is not MentionKind.SHIFT and bool(shifts) and mention.message > min(shifts)


_KINDS = {
    ParameterRole.DATE: (MentionKind.DAY, MentionKind.SHIFT),
    ParameterRole.TIME: (MentionKind.TIME, MentionKind.SHIFT, MentionKind.NUMBER),
}


def _is_sure(mention: Mention, values: tuple[str, ...], base: Json) -> bool:
    """Return whether the words leave only one value, so that it may replace the model's."""
    return mention.unambiguous and len(values) == 1 and (mention.kind is not MentionKind.SHIFT or base is None)


def _shifts(shift: Shift | None, role: ParameterRole) -> bool:
    return shift is not None and bool(shift.days if role is ParameterRole.DATE else shift.minutes)


def _base(
    context: GroundingContext, pending: Json, own: str | None, mention: Mention, role: ParameterRole
) -> str | None:
    """Return the value that a shift counts from."""
    if pending is not None:
        return str(pending)
    kind = MentionKind.DAY if role is ParameterRole.DATE else MentionKind.TIME
    earlier = [
        c for c in context.evidence.of(kind) if c.message > mention.message and c.unambiguous and len(c.values) == 1
    ]
    return earlier[0].values[0] if earlier else own


def _readings(context: GroundingContext, mention: Mention, role: ParameterRole, base: str | None) -> tuple[str, ...]:
    if mention.kind is MentionKind.SHIFT:
        return _shifted(mention.shift, role, base) if mention.shift is not None and base else ()
    if mention.kind is MentionKind.NUMBER:
        return tuple(_hours(context, mention)) if context.answers(mention, role) else ()
    if mention.kind is MentionKind.TIME and not context.answers(mention, role) and _FIGURES.fullmatch(mention.text):
        return ()
    if mention.kind is MentionKind.DAY and base and _of_a_move(context, mention, base):
        return tuple(dict.fromkeys((*mention.values, *_on_from(mention, base))))
    return mention.values


def _of_a_move(context: GroundingContext, mention: Mention, base: str) -> bool:
    """Return whether a weekday follows the booking's own weekday: "Sat -> mon"."""
    own = date.fromisoformat(base).weekday()
    former = [
        value
        for c in context.evidence.of(MentionKind.DAY)
        if c.message == mention.message and c.assertion is Assertion.PAST
        for value in c.values
    ]
    locale = get_locale(context.evidence.setting.locale)
    symbols = [token.symbol for token in lex(mention.text, locale).tokens]
    bare = len([s for s in symbols if s[0] in "Ww"]) == 1 and {s for s in symbols if s[0] not in "Ww"} <= _ARTICLES
    return bare and any(date.fromisoformat(value).weekday() == own for value in former)


_ARTICLES = frozenset(("THE", "ON", "TO", "AT", ",", "->"))


def _on_from(mention: Mention, base: str) -> Iterator[str]:
    """Return the next such weekday after the booking's own day."""
    start = date.fromisoformat(base)
    for value in mention.values:
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


def _hours(context: GroundingContext, mention: Mention) -> Iterator[str]:
    """Return a bare number as times: "4", "1530", "four"."""
    figures = mention.values[0]
    written = f"{figures[:-2]}:{figures[-2:]}" if len(figures) > 2 else figures
    resolution = context.evidence.setting.time_alone(written)
    hours = context.evidence.setting.profile.opening_hours
    times = [at for at in (resolution.time, *(c.time for c in resolution.candidates)) if at is not None]
    is_open = [at for at in times if hours.opens <= at < hours.closes] if hours.opens < hours.closes else []
    for at in is_open or times:
        yield at.strftime("%H:%M")


def _week_on(context: GroundingContext, mentions: list[Mention], base: str) -> tuple[str, ...]:
    """Return the booking's own weekday, a week later or in the week after this one: "next week, same day"."""
    locale = get_locale(context.evidence.setting.locale)
    own_day = any(m.of_kind("SAME_DAY", "SAME_TIME") for m in context.evidence.messages)
    weeks = [(c, {t.symbol for t in lex(c.text, locale).tokens}) for c in mentions if c.vague]
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


def _leaning(context: GroundingContext, base: str) -> tuple[str, ...]:
    """Return "half past" without an hour as times, by the booking's own hour."""
    match = re.match(r"(\d\d):\d\d", base)
    latest = context.evidence.messages[0] if context.evidence.messages else None
    if match is None or latest is None:
        return ()
    timed = [c.span for c in context.evidence.of(MentionKind.TIME, MentionKind.SHIFT) if c.message == 0]
    times = []
    for cue in latest.of_kind(*_LEANING):
        if any(start <= cue.span[0] < end for start, end in timed):
            continue
        hours, minute = _LEANING[cue.kind]
        times.append(f"{(int(match[1]) + hours) % 24:02}:{minute:02}")
        if hours:
            times.append(f"{int(match[1]):02}:{minute:02}")
    return tuple(times)


def ground_duration(context: GroundingContext, parameter: ActionParameter, value: Json) -> Json | Ungrounded:
    """Ground a duration in whole minutes, from the latest message that mentions one; without a mention it is
    omitted."""
    for message in context.evidence.messages:
        spoken = [
            found
            for found, span in find_durations(message.text)
            if context.evidence.assertion_of(message, span) is Assertion.ASSERTED
            and not inside(span, message.names)
            and not only_reported(message, span)
        ]
        if value in spoken:
            return value if len(set(spoken)) == 1 else ungrounded(parameter, tuple(str(one) for one in spoken))
        if spoken:
            return ungrounded(parameter, tuple(str(one) for one in spoken))
    return ungrounded(parameter) if parameter.required else None
