"""Claims about days and times: each phrase by itself, and the pieces of a phrase that is no single point."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, time
from typing import TypeVar

from language import Resolution, Shift, Status, When
from language.anchored import anchored_days
from language.resolution import Span
from reasoning.evidence.claims import Claim, Kind, Standing, stated
from reasoning.evidence.message import Message
from reasoning.evidence.setting import Setting
from reasoning.evidence.weeks import beside_week

_SPLIT = re.compile(
    r"\s*(?:,|;|:(?=\s)|/|->|=>|→|\s[-–—]+\s|\b(?:and|or|to|until|e|ed|o|oppure|a|ad|al|not|non|no|from|between|dal|dalle|tra)\b)"
    r"\s*"
)
_Point = TypeVar("_Point", date, time)
_ARROW = re.compile(r"->|=>|→")
_MEAL = re.compile(
    r"(?:lunch|dinner|tea|breakfast|midday|school|work|pranzo|cena)\s+(?=(?:on|di|del)\b)", re.IGNORECASE
)
_STOPS = re.compile(r"[,;]|:(?=\s)")
_TO = frozenset(("TO",))
_OF = frozenset(("FROM", "OF"))
_SHIFTS = {
    "DAY_LATER": Shift(days=1),
    "DAY_EARLIER": Shift(days=-1),
    "WEEK_LATER": Shift(days=7),
    "WEEK_EARLIER": Shift(days=-7),
    "FORTNIGHT_LATER": Shift(days=14),
    "HOUR_LATER": Shift(minutes=60),
    "HOUR_EARLIER": Shift(minutes=-60),
    "HALF_HOUR_LATER": Shift(minutes=30),
    "HALF_HOUR_EARLIER": Shift(minutes=-30),
}
_REFUSED = (Status.INVALID, Status.VAGUE, Status.NOT_UNDERSTOOD)


def days_and_times(message: Message, setting: Setting, apart: Sequence[Span]) -> list[Claim]:
    """Every claim about a day, a time or a shift from the booking's own, left to right. `apart` are numbers of
    something else, which are not read: an age, a room."""
    anchored = [
        stated(message, Kind.DAY, span, anchor=anchor) for span, anchor in anchored_days(message.text, message.locale)
    ]
    phrases = setting.phrases(_without(message.text, [*apart, *(claim.span for claim in anchored)]))
    shifts = [claim for claim in _leaning_shifts(message) if not any(_counted_on(claim, p) for p in phrases)]
    shifts = [c for c in shifts if not any(a.span[0] <= c.span[0] < a.span[1] for a in anchored)]
    found = [*anchored, *shifts]
    taken = [claim.span for claim in found]
    for phrase in phrases:
        if not any(start < phrase.span[1] and phrase.span[0] < end for start, end in taken):
            found += _claims(message, phrase, setting)
    return sorted((c for c in found if not _calls_it(message, c)), key=lambda claim: claim.span)


def _calls_it(message: Message, claim: Claim) -> bool:
    """ "The staff christmas party": a feast that a booking is called by is no day to go to."""
    symbols = [t.symbol for t in message.tokens if claim.span[0] <= t.start < claim.span[1]]
    feast = symbols[:1] != [] and symbols[0].startswith("H") and all(s[0] in "HP" for s in symbols)
    named = message.cue_after(claim.span, ("BOOKING",), 0) is not None or len(symbols) > 1
    return claim.kind is Kind.DAY and feast and named and not claim.to


def _counted_on(claim: Claim, phrase: When) -> bool:
    """ "The day before Christmas" is counted from the day that was said, "the day before" from the booking's own."""
    over = phrase.span[0] < claim.span[1] < phrase.span[1]
    said = phrase.resolution
    return over and (said.date is not None if said.shift is None else said.time is not None)


def _without(text: str, apart: Sequence[Span]) -> str:
    """The text with these places made unreadable; all others stay where they are."""
    letters = list(text)
    for start, end in apart:
        letters[start:end] = "x" * (end - start)
    return "".join(letters)


def _leaning_shifts(message: Message) -> Iterator[Claim]:
    for cue in message.cues:
        longer = any(
            o.kind in _SHIFTS and o.span != cue.span and o.span[0] <= cue.span[0] and cue.span[1] <= o.span[1]
            for o in message.cues
        )
        # "A week after Friday" is counted from the Friday that was said.
        rest = message.plain[cue.span[1] :].lstrip()
        if cue.kind in _SHIFTS and not longer and not re.match(r"(?:\d|tomorrow|domani|next\b)", rest):
            yield stated(message, Kind.SHIFT, cue.span, shift=_SHIFTS[cue.kind], certain=True)


def _claims(message: Message, phrase: When, setting: Setting) -> Iterator[Claim]:
    said = phrase.resolution
    meal = _MEAL.match(phrase.text) if phrase.marker in ("AFTER", "BEFORE") else None
    if meal is not None:
        # "After lunch on the 4th" leaves the hour open, and not the day.
        day = (phrase.span[0] + meal.end(), phrase.span[1])
        yield from _points(message, day, setting.alone(message.text[slice(*day)]), None, setting)
    elif said.shift is not None:
        yield stated(message, Kind.SHIFT, phrase.span, shift=said.shift, certain=True)
        if said.time is not None:
            times = _open_times([said.time], setting)
            yield stated(message, Kind.TIME, phrase.span, values=times, certain=True)
    elif phrase.ends and message.cue_before(phrase.span, ("PREFER",), 2):
        for end in phrase.ends:
            yield from _points(message, end.span, end.resolution, None, setting)
    elif phrase.ends and phrase.marker == "FROM":
        for end, marker in zip(phrase.ends, ("FROM", "TO"), strict=True):
            yield from _points(message, end.span, end.resolution, marker, setting)
    elif not said.shift and (parted := _sentences(message, phrase.span)):
        day, hour = parted
        yield from _points(message, day, setting.alone(message.text[slice(*day)]), phrase.marker, setting)
        yield from _points(message, hour, setting.time_alone(message.text[slice(*hour)]), None, setting)
    elif said.error == "vague_day" and said.time_stated and (week := beside_week(message, phrase.span)):
        yield from _points(message, week[0], setting.alone(message.text[slice(*week[0])]), phrase.marker, setting)
        yield from _points(message, week[1], setting.time_alone(message.text[slice(*week[1])]), None, setting)
    elif _ARROW.search(phrase.text) or (said.error in _VAGUE_PARTS and _STOPS.search(phrase.text)):
        yield from _pieces(message, phrase, setting)
    elif said.error == "vague_time" and _begins_anew(message, phrase.span[0]):
        yield from _points(message, phrase.span, setting.alone(phrase.text), phrase.marker, setting)
    elif said.date_stated and said.date is None and not said.candidates and _STOPS.search(phrase.text):
        yield from _pieces(message, phrase, setting)
    elif said.status in (Status.OK, Status.AMBIGUOUS, Status.INVALID) or said.error in _VAGUE_PARTS:
        yield from _points(message, phrase.span, said, phrase.marker, setting)
    else:
        yield from _pieces(message, phrase, setting)


def _sentences(message: Message, span: Span) -> tuple[Span, Span] | None:
    """ "Friday. 4": a number in a sentence of its own is no day of the month."""
    stop = _SENTENCE.search(message.text[: span[1]], span[0])
    return ((span[0], stop.start()), (stop.end(), span[1])) if stop else None


_SENTENCE = re.compile(r"[.;!\n]\s+(?=\d{1,2}$)|\n(?=\d{1,2}$)")
_VAGUE_PARTS = frozenset(("vague_time", "vague_day"))


def _begins_anew(message: Message, place: int) -> bool:
    """ "2ish, 2pm exactly": what is vague before a comma leaves what comes behind it exact."""
    return message.plain[:place].rstrip().endswith((",", ";", "."))


def _pieces(message: Message, phrase: When, setting: Setting) -> Iterator[Claim]:
    """What a refused phrase holds: each of its points, in its own place."""
    is_range = phrase.resolution.error == "range_not_supported"
    position, first = phrase.span[0], phrase.marker
    while position < phrase.span[1]:
        gap = _SPLIT.search(message.plain, position, phrase.span[1])
        end = gap.start() if gap else phrase.span[1]
        if end > position:
            said = setting.time_alone(message.text[position:end])
            marker = "TO" if _arrow_before(message, position) else first
            for claim in _points(message, (position, end), said, marker, setting):
                yield _vague(claim) if is_range else claim
            first = None
        position = max(gap.end(), position + 1) if gap else phrase.span[1]


def _arrow_before(message: Message, place: int) -> bool:
    return re.search(r"(?:->|=>|→|\bto|\ba|\bad|\bal)\s*$", message.plain[:place]) is not None


def _points(message: Message, span: Span, said: Resolution, marker: str | None, setting: Setting) -> Iterator[Claim]:
    """The day and the time of one phrase, as claims of the same place."""
    refused = said.status in _REFUSED
    if said.date_stated:
        days = _distinct([said.date, *(c.date for c in said.candidates)])
        gone = bool(days) and all(day < setting.now.date() for day in days)
        # A vague hour leaves an exact day exact: "Monday afternoon".
        # "Fri wk after" is counted from what is not said.
        cut = re.match(r"\s+(?:after|before|dopo|prima)\s*(?:[,.;!?]|$)", message.plain[span[1] :]) is not None
        doubtful = cut or (refused and not (said.error == "vague_time" and said.date is not None))
        yield stated(
            message,
            Kind.DAY,
            span,
            values=tuple(day.isoformat() for day in days),
            doubtful=doubtful,
            certain=said.date is not None,
            standing=Standing.REPORTED if gone and not refused else Standing.SAID,
            to=marker in _TO,
            of=marker in _OF,
        )
    either = _is_either(said)
    if said.time_stated and (said.error != "which_reading" or either) and not _is_bare(message, span):
        times = _open_times([said.time] if said.ok else [said.time, *(c.time for c in said.candidates)], setting)
        yield stated(
            message,
            Kind.TIME,
            span,
            values=times,
            doubtful=refused or either,
            certain=said.time is not None and not refused,
            to=marker in _TO,
            of=marker in _OF,
        )


def _is_either(said: Resolution) -> bool:
    """ "At 2 or at 4": one of several hours, which is no hour before one is picked."""
    hours = {c.time for c in said.candidates}
    return len(hours) > 1 and None not in hours and all(c.reason == "alternative" for c in said.candidates)


def _is_bare(message: Message, span: Span) -> bool:
    """ "From 9 to 12": numbers that may as well be of people. "At 9" is none."""
    symbols = [token.symbol for token in message.tokens if span[0] <= token.start < span[1]]
    before = [token.symbol for token in message.tokens if token.end <= span[0]]
    is_number = len(symbols) == 1 and re.fullmatch(r"[0-9]{1,2}w?", symbols[0]) is not None
    return is_number and before[-1:] in ([], ["FROM"], ["TO"], ["-"], [","])


def _open_times(times: list[time | None], setting: Setting) -> tuple[str, ...]:
    """The readings of an hour; where the venue is open at one of them, those at which it is closed are none."""
    read = _distinct(times)
    hours = setting.profile.opening_hours
    is_open = [at for at in read if hours.opens <= at < hours.closes] if hours.opens < hours.closes else []
    return tuple(at.strftime("%H:%M") for at in is_open or read)


def _distinct(values: list[_Point | None]) -> list[_Point]:
    return list(dict.fromkeys(value for value in values if value is not None))


def _vague(claim: Claim) -> Claim:
    return replace(claim, doubtful=True, certain=False)
