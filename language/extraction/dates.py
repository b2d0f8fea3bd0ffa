"""Extract claims about days and times: each phrase by itself, and the pieces of a phrase that is no single point.

Weeks may be named without a day ("next week at 2pm"), and a later message may give the weekday. A pick ("the second"
after several days or hours, or after a vague one) chooses among those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import TypeVar

from language import Resolution, Shift, Status, When
from language.dates.relative_to_booking import anchored_days
from language.dates.resolution import Span
from language.extraction.mention import Assertion, Mention, MentionKind, stated
from language.extraction.message import ExtractionContext, Message
from language.locales import alternatives, get_locale
from language.numbers.numbers import IN_TIME, PLACES
from language.requests.cues import function_words, ordinary_words
from language.text.lexer import lex

_AHEAD = {"THIS": 0, "NEXT": 1, "AFTERNEXT": 2}
_WEEK = 7


def week_named(text: str, now: datetime, locale: str) -> tuple[date, date] | None:
    """Return the first and the last day of "this week", "next week", "the week after next"; None for anything else."""
    symbols = [token.symbol for token in lex(text, get_locale(locale)).tokens]
    ahead = next((weeks for symbol, weeks in _AHEAD.items() if symbol in symbols), None)
    if "Uw" not in symbols or ahead is None:
        return None
    today = now.date()
    monday = today - timedelta(days=today.weekday()) + timedelta(days=_WEEK * ahead)
    return monday, monday + timedelta(days=_WEEK - 1)


def beside_week(message: Message, span: Span) -> tuple[Span, Span] | None:
    """Return the places of the week and of the words after it, usually an hour; None if there are none."""
    tokens = [t for t in message.tokens if span[0] <= t.start < span[1]]
    ends = [
        after.end if after is not None and after.symbol in _AHEAD else token.end
        for token, after in zip(tokens, [*tokens[1:], None], strict=True)
        if token.symbol == "Uw"
    ]
    if not ends or not message.text[ends[-1] : span[1]].strip():
        return None
    return (span[0], ends[-1]), (ends[-1] + 1, span[1])


def in_their_week(mentions: Sequence[Mention], setting: ExtractionContext) -> list[Mention]:
    """Return the mentions, with a weekday moved into a week named before: "next week", and then "Friday"."""
    return [_moved(mention, mentions, setting) for mention in mentions]


def _moved(mention: Mention, mentions: Sequence[Mention], setting: ExtractionContext) -> Mention:
    if mention.kind is not MentionKind.DAY or not mention.values or mention.vague or not _is_weekday(mention, setting):
        return mention
    older = [c for c in mentions if c.kind is MentionKind.DAY and c.message > mention.message]
    nearest = min((c.message for c in older), default=0)
    mentions = [c for c in older if c.message == nearest]
    week = (
        week_named(mentions[0].text, setting.now, setting.locale)
        if len(mentions) == 1 and not mentions[0].values
        else None
    )
    if week is None:
        bare = len(mention.text.split()) == 1
        meant = _near_an_open_date(date.fromisoformat(mention.values[0]), mentions) if bare else None
        return replace(mention, values=(meant.isoformat(),), unambiguous=True) if meant else mention
    day = week[0] + timedelta(days=date.fromisoformat(mention.values[0]).weekday())
    return replace(mention, values=(day.isoformat(),), unambiguous=True) if day >= setting.now.date() else mention


def _near_an_open_date(day: date, older: Sequence[Mention]) -> date | None:
    """Return the day of the same weekday beside the date that an earlier message named with a wrong weekday: "Thursday
    16 December", and then "Thursday is right"."""
    values = [date.fromisoformat(v) for c in older if len(older) == 1 and len(c.values) > 1 for v in c.values]
    same = [v for v in values if v.weekday() == day.weekday()]
    near = [v for v in same if any(0 < abs((v - other).days) < _WEEK // 2 for other in values if other not in same)]
    return near[0] if len(near) == 1 else None


def _is_weekday(mention: Mention, setting: ExtractionContext) -> bool:
    """Return whether a phrase names a weekday, possibly with an hour, and no other day: "Friday", "on Friday at 2"."""
    days = {date.fromisoformat(value).weekday() for value in mention.values}
    symbols = [token.symbol for token in lex(mention.text, get_locale(setting.locale)).tokens]
    weekdays = [s for s in symbols if s[:1] in "Ww" and s[1:].rstrip("w").isdigit()]
    return len(days) == 1 == len(weekdays) and not {"NEXT", "LAST", "AFTERNEXT"} & set(symbols)


_of = partial(alternatives, "extraction")
_SPLIT = re.compile(rf"\s*(?:,|;|:(?=\s)|/|->|=>|→|\s[-–—]+\s|\b(?:{_of('SPLITS')})\b)\s*")
_Point = TypeVar("_Point", date, time)
_ARROW = re.compile(r"->|=>|→")
_MEAL = re.compile(rf"(?:{_of('MEAL')})\s+(?=(?:{_of('MEAL_ON')})\b)", re.IGNORECASE)
_COUNTED_FROM = re.compile(rf"\d|{_of('COUNTED_FROM')}")
_TO_BEFORE = re.compile(rf"(?:->|=>|→|\b(?:{_of('TO')}))\s*$")
_CUT = re.compile(rf"\s+(?:{_of('AFTER_OR_BEFORE')})\s*(?:[,.;!?]|$)")
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


def days_and_times(message: Message, setting: ExtractionContext, apart: Sequence[Span]) -> list[Mention]:
    """Return every mention of a day, a time or a shift from the booking's own, left to right. `apart` are numbers of
    something else, which are not read: an age, a room."""
    anchored = [
        stated(message, MentionKind.DAY, span, anchor=anchor)
        for span, anchor in anchored_days(message.text, message.locale)
    ]
    phrases = setting.phrases(_without(message.text, [*apart, *(claim.span for claim in anchored)]))
    shifts = [mention for mention in _leaning_shifts(message) if not any(_counted_on(mention, p) for p in phrases)]
    shifts = [c for c in shifts if not any(a.span[0] <= c.span[0] < a.span[1] for a in anchored)]
    found = [*anchored, *shifts]
    taken = [claim.span for claim in found]
    for phrase in phrases:
        if not any(start < phrase.span[1] and phrase.span[0] < end for start, end in taken):
            found += _claims(message, phrase, setting)
    return sorted((c for c in found if not _calls_it(message, c)), key=lambda claim: claim.span)


def _calls_it(message: Message, mention: Mention) -> bool:
    """Return whether a feast is part of a booking's name, and so no target day: "the staff christmas party"."""
    symbols = [t.symbol for t in message.tokens if mention.span[0] <= t.start < mention.span[1]]
    feast = symbols[:1] != [] and symbols[0].startswith("H") and all(s[0] in "HP" for s in symbols)
    named = message.cue_after(mention.span, ("BOOKING",), 0) is not None or len(symbols) > 1
    return mention.kind is MentionKind.DAY and feast and named and not mention.is_target


def _counted_on(mention: Mention, phrase: When) -> bool:
    """Return whether a phrase counts from a mentioned day: "the day before Christmas" does, "the day before" counts
    from the booking's own."""
    over = phrase.span[0] < mention.span[1] < phrase.span[1]
    resolution = phrase.resolution
    return over and (resolution.date is not None if resolution.shift is None else resolution.time is not None)


def _without(text: str, apart: Sequence[Span]) -> str:
    """Return the text with these places made unreadable; all other places keep their position."""
    letters = list(text)
    for start, end in apart:
        letters[start:end] = "x" * (end - start)
    return "".join(letters)


def _leaning_shifts(message: Message) -> Iterator[Mention]:
    for cue in message.cues:
        longer = any(
            o.kind in _SHIFTS and o.span != cue.span and o.span[0] <= cue.span[0] and cue.span[1] <= o.span[1]
            for o in message.cues
        )
        # "A week after Friday" counts from the mentioned Friday.
        rest = message.plain[cue.span[1] :].lstrip()
        if cue.kind in _SHIFTS and not longer and not _COUNTED_FROM.match(rest):
            yield stated(message, MentionKind.SHIFT, cue.span, shift=_SHIFTS[cue.kind], certain=True)


def _claims(message: Message, phrase: When, setting: ExtractionContext) -> Iterator[Mention]:
    resolution = phrase.resolution
    meal = _MEAL.match(phrase.text) if phrase.marker in ("AFTER", "BEFORE") else None
    if meal is not None:
        # "After lunch on the 4th" leaves the hour open, but not the day.
        day = (phrase.span[0] + meal.end(), phrase.span[1])
        yield from _points(message, day, setting.alone(message.text[slice(*day)]), None, setting)
    elif resolution.shift is not None:
        yield stated(message, MentionKind.SHIFT, phrase.span, shift=resolution.shift, certain=True)
        if resolution.time is not None:
            times = _open_times([resolution.time], setting)
            yield stated(message, MentionKind.TIME, phrase.span, values=times, certain=True)
    elif phrase.ends and message.cue_before(phrase.span, ("PREFER",), 2):
        for end in phrase.ends:
            yield from _points(message, end.span, end.resolution, None, setting)
    elif phrase.ends and phrase.marker == "FROM":
        for end, marker in zip(phrase.ends, ("FROM", "TO"), strict=True):
            yield from _points(message, end.span, end.resolution, marker, setting)
    elif not resolution.shift and (parted := _sentences(message, phrase.span)):
        day, hour = parted
        yield from _points(message, day, setting.alone(message.text[slice(*day)]), phrase.marker, setting)
        yield from _points(message, hour, setting.time_alone(message.text[slice(*hour)]), None, setting)
    elif resolution.error == "vague_day" and resolution.time_stated and (week := beside_week(message, phrase.span)):
        yield from _points(message, week[0], setting.alone(message.text[slice(*week[0])]), phrase.marker, setting)
        yield from _points(message, week[1], setting.time_alone(message.text[slice(*week[1])]), None, setting)
    elif _ARROW.search(phrase.text) or (resolution.error in _VAGUE_PARTS and _STOPS.search(phrase.text)):
        yield from _pieces(message, phrase, setting)
    elif resolution.error == "vague_time" and _begins_a_phrase(message, phrase.span[0]):
        yield from _points(message, phrase.span, setting.alone(phrase.text), phrase.marker, setting)
    elif (
        resolution.date_stated and resolution.date is None and not resolution.candidates and _STOPS.search(phrase.text)
    ):
        yield from _pieces(message, phrase, setting)
    elif resolution.status in (Status.OK, Status.AMBIGUOUS, Status.INVALID) or resolution.error in _VAGUE_PARTS:
        yield from _points(message, phrase.span, resolution, phrase.marker, setting)
    else:
        yield from _pieces(message, phrase, setting)


def _sentences(message: Message, span: Span) -> tuple[Span, Span] | None:
    """Return the places of two sentences if a number is a sentence of its own, and so no day of the month: "Friday.
    4"."""
    stop = _SENTENCE.search(message.text[: span[1]], span[0])
    return ((span[0], stop.start()), (stop.end(), span[1])) if stop else None


_SENTENCE = re.compile(r"[.;!\n]\s+(?=\d{1,2}$)|\n(?=\d{1,2}$)")
_VAGUE_PARTS = frozenset(("vague_time", "vague_day"))


def _begins_a_phrase(message: Message, index: int) -> bool:
    """Return whether a phrase begins here, so that a vague time before it leaves it exact: "2ish, 2pm exactly"."""
    return message.plain[:index].rstrip().endswith((",", ";", "."))


def _pieces(message: Message, phrase: When, setting: ExtractionContext) -> Iterator[Mention]:
    """Yield the points of a refused phrase, each in its own place."""
    is_range = phrase.resolution.error == "range_not_supported"
    position, first = phrase.span[0], phrase.marker
    while position < phrase.span[1]:
        gap = _SPLIT.search(message.plain, position, phrase.span[1])
        end = gap.start() if gap else phrase.span[1]
        if end > position:
            resolution = setting.time_alone(message.text[position:end])
            marker = "TO" if _arrow_before(message, position) else first
            for mention in _points(message, (position, end), resolution, marker, setting):
                yield _vague(mention) if is_range else mention
            first = None
        position = max(gap.end(), position + 1) if gap else phrase.span[1]


def _arrow_before(message: Message, index: int) -> bool:
    return _TO_BEFORE.search(message.plain[:index]) is not None


def _points(
    message: Message, span: Span, resolution: Resolution, marker: str | None, setting: ExtractionContext
) -> Iterator[Mention]:
    """Yield the day and the time of one phrase, as mentions of the same place."""
    refused = resolution.status in _REFUSED
    if resolution.date_stated:
        days = _distinct([resolution.date, *(c.date for c in resolution.candidates)])
        gone = bool(days) and all(day < setting.now.date() for day in days)
        # A vague hour leaves an exact day exact: "Monday afternoon".
        # "Fri wk after" counts from a day that the message does not mention.
        cut = _CUT.match(message.plain, span[1]) is not None
        doubtful = cut or (refused and not (resolution.error == "vague_time" and resolution.date is not None))
        yield stated(
            message,
            MentionKind.DAY,
            span,
            values=tuple(day.isoformat() for day in days),
            doubtful=doubtful,
            certain=resolution.date is not None,
            assertion=Assertion.REPORTED if gone and not refused else Assertion.ASSERTED,
            to=marker in _TO,
            of=marker in _OF,
        )
    either = _is_either(resolution)
    if resolution.time_stated and (resolution.error != "which_reading" or either) and not _is_bare(message, span):
        times = _open_times(
            [resolution.time] if resolution.ok else [resolution.time, *(c.time for c in resolution.candidates)], setting
        )
        yield stated(
            message,
            MentionKind.TIME,
            span,
            values=times,
            doubtful=refused or either,
            certain=resolution.time is not None and not refused,
            to=marker in _TO,
            of=marker in _OF,
        )


def _is_either(resolution: Resolution) -> bool:
    """Return whether the phrase offers several hours, which give no hour until one is picked: "at 2 or at 4"."""
    hours = {c.time for c in resolution.candidates}
    return len(hours) > 1 and None not in hours and all(c.reason == "alternative" for c in resolution.candidates)


def _is_bare(message: Message, span: Span) -> bool:
    """Return whether a number may as well count people: "from 9 to 12", but not "at 9"."""
    symbols = [token.symbol for token in message.tokens if span[0] <= token.start < span[1]]
    before = [token.symbol for token in message.tokens if token.end <= span[0]]
    is_number = len(symbols) == 1 and re.fullmatch(r"[0-9]{1,2}w?", symbols[0]) is not None
    return is_number and before[-1:] in ([], ["FROM"], ["TO"], ["-"], [","])


def _open_times(times: list[time | None], setting: ExtractionContext) -> tuple[str, ...]:
    """Return the readings of an hour; if the venue is open at one of them, without those at which it is closed."""
    read = _distinct(times)
    hours = setting.profile.opening_hours
    is_open = [at for at in read if hours.opens <= at < hours.closes] if hours.opens < hours.closes else []
    return tuple(at.strftime("%H:%M") for at in is_open or read)


def _distinct(values: list[_Point | None]) -> list[_Point]:
    return list(dict.fromkeys(value for value in values if value is not None))


def _vague(mention: Mention) -> Mention:
    return replace(mention, vague=True, unambiguous=False)


_TWO = 2
_LONGEST, _AT_MOST = 3, 7
"""Words of a message that only picks: any, and those among which all others are ordinary ones."""


def apply_selection(mentions: Sequence[Mention], messages: Sequence[Message], today: date) -> list[Mention]:
    """Return the mentions, those that the latest message picks from put in their place and what it picks made
    certain."""
    word = _pick(messages[0]) if messages else None
    if word is None:
        return list(mentions)
    left, taken = list(mentions), set()
    # "Sunday at 2 or 4": where the hours of a phrase are to choose from, its day is not.
    for kind in (MentionKind.TIME, MentionKind.DAY):
        older = [
            c for c in mentions if c.kind is kind and c.message == 1 and c.assertion is Assertion.ASSERTED and c.values
        ]
        older = [c for c in older if c.span not in taken]
        chosen = _chosen(older, word, today)
        if chosen is None:
            continue
        taken |= {mention.span for mention in older}
        left = [c for c in left if c not in older and not (c.kind is kind and c.message == 0)] + [chosen]
    return left


def _chosen(older: Sequence[Mention], word: str, today: date) -> Mention | None:
    """Return what the word picks from these mentions of a kind; None if they leave nothing open."""
    values = list(dict.fromkeys(value for mention in older for value in mention.values))
    # "The weekend" mentioned on a Sunday excludes today.
    if len(values) > _TWO and today.isoformat() in values:
        values.remove(today.isoformat())
    if word not in PLACES:
        values.sort()
    index = PLACES.get(word, IN_TIME.get(word, 0))
    open_question = len(values) > 1 or any(claim.vague for claim in older)
    if not open_question or not -len(values) <= index < len(values):
        return None
    return replace(older[0], values=(values[index],), vague=False, unambiguous=True, message=0)


def _pick(message: Message) -> str | None:
    """Return the word that picks, in a message that does nothing else."""
    words = [word.text for word in message.words]
    places = [word for word in words if word in PLACES or word in IN_TIME]
    ordinary = ordinary_words(message.locale) | function_words(message.locale) | PLACES.keys() | IN_TIME.keys()
    only = len(words) <= _LONGEST or (
        len(words) <= _AT_MOST
        and not message.of_kind("MOVE")
        and all(word.replace("'", "") in ordinary for word in words)
    )
    return places[0] if only and len(places) == 1 else None
