"""Days and times as guests speak them, parsed by the Italian grammar of `language/when` and reduced as the contract
requires: one value, with a flag if another may be meant, or an error code if no value is certain."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time
from unicodedata import normalize

from language import resolve
from language.dates.resolution import OpeningHours, Resolution, Status, VenuePolicy
from restaurant import messages_it
from restaurant.errors import Code, RefusalError
from restaurant.knowledge import DAY, WEEKDAYS, KnowledgeBase

ROUNDED = 5
"""Minutes to which a relative time is rounded, to the nearest."""

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'"})
_RELATIVE = re.compile(r"\b(?:tra|fra)\b|\b(?:subito|adesso|ora)\b(?!\s*[0-9])")
_VAGUE = re.compile(
    r"\bvers[oa]\b|\bpi[uù]\s+(?:tardi|presto|avanti)\b|\bpo'?(?:\s|$|chin)|\bpoc[oh]\w*|\bcirca\b|\bintorno\b|\btardi\b"
    r"|\borett[ae]\b|\bpresto\b|\bquando\s+(?:vuoi|volete|capita)\b|\bprima\s+(?:possibile|delle)\b|\bdopo\s+(?:le|cena|pranzo)\b"
)
_MISHEARD = (
    (re.compile(r"\bun\s?ora\b|\bunora\b"), "un'ora"),
    (re.compile(r"(?<=[0-9])\s*[,:h]\s*(?=[0-5][0-9]\b)"), ":"),
    (re.compile(r"(?<=[0-9])e(?=[0-5][0-9]\b)|(?<=[0-9])\s+e\s+(?=0[0-9]\b)"), ":"),
    # Only if the text has nothing else, because two numbers of a longer text may be anything.
    (re.compile(r"^((?:alle |ore |le )*[0-9]{1,2}) (?=[0-5][0-9]$)"), r"\1:"),
)
_UNITS = "uno|due|tre|quattro|cinque|sei|sette|otto|nove"
_TEENS = "dieci|undici|dodici|tredici|quattordici|quindici|sedici|diciassette|diciotto|diciannove"
_HOUR = rf"(?:[01]?[0-9]|2[0-4]|{_UNITS}|{_TEENS}|venti|vent(?:uno|i(?:due|tr[eé]|quattro)))"
_MINUTES = (
    rf"(?:e [0-5]?[0-9]|(?:e )?(?:{_TEENS}|(?:venti|trenta|quaranta|cinquanta)(?:{_UNITS}|tré)?"
    rf"|(?:vent|trent|quarant|cinquant)(?:uno|otto))|e (?:{_UNITS}))"
)
_BARE = re.compile(rf"(?:ore )?{_HOUR}(?: {_MINUTES})?(?: in punto| precise| esatte)?")
"""A time of day without other words. The grammar of longer texts requires a word before it, such as "alle"."""
_TENS = ("venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta")


def _in_words(number: int) -> str:
    """Return 1 to 199 as one word without accents."""
    if number >= 100:
        return f"cento{_in_words(number - 100)}" if number > 100 else "cento"
    if number < 20:
        return f"{_UNITS}|{_TEENS}".split("|")[number - 1]
    tens, unit = _TENS[number // 10 - 2], number % 10
    return (tens[:-1] if unit in (1, 8) else tens) + (_UNITS.split("|")[unit - 1] if unit else "")


_LARGE = {_in_words(number): str(number) for number in range(60, 200)}
"""Numbers that the grammar reads only in digits: it reads clock times, but guests say "tra novanta minuti"."""
_LARGE |= {word.replace("centoott", "centott"): figures for word, figures in _LARGE.items()}
_LARGE |= {f"{word[:-1]}é": figures for word, figures in _LARGE.items() if word.endswith("tre")}
_LARGE_WORD = re.compile(rf"\b(?:{'|'.join(_LARGE)})\b")


@dataclass(frozen=True)
class SpokenDay:
    """A day, and whether another one may be meant."""

    day: date
    ambiguous: bool


@dataclass(frozen=True)
class SpokenTime:
    """A time by the restaurant's clock, of today or (`day_offset` 1) of tomorrow."""

    time: time
    day_offset: int
    ambiguous: bool


def spoken_day(text: str, now: datetime) -> SpokenDay:
    """Return the day of an expression. A weekday that may be in either of two weeks is the first one after today,
    flagged. Raises `RefusalError`: UNSUPPORTED_RELATIVE_DAY, also for a past day."""
    found = _resolve(_plain(text), now, "day")
    if found.status is Status.INVALID and found.error == "in_past":
        raise RefusalError(Code.UNSUPPORTED_RELATIVE_DAY, messages_it.PAST_DAY)
    day = found.date if found.status in (Status.OK, Status.VAGUE) else None
    if day is not None and day >= now.date():
        return SpokenDay(day, ambiguous=False)
    ahead = sorted({one.date for one in found.candidates if one.date is not None and one.date > now.date()})
    # Several weekdays, as of a weekend, are not one day.
    if found.status is Status.AMBIGUOUS and ahead and len({one.weekday() for one in ahead}) == 1:
        return SpokenDay(ahead[0], ambiguous=True)
    raise RefusalError(Code.UNSUPPORTED_RELATIVE_DAY, messages_it.NO_DAY)


def spoken_time(text: str, kb: KnowledgeBase, now: datetime) -> SpokenTime:
    """Return the time of an expression. A relative one is rounded to five minutes; an absolute one is of the day that
    the caller knows, `day_offset` 0. An hour that may be in the morning or the evening is the one at which the
    restaurant is bookable, flagged. Raises `RefusalError`: VAGUE_TIME, UNSUPPORTED_RELATIVE_TIME."""
    message = _plain(text)
    if _VAGUE.search(message):
        raise RefusalError(Code.VAGUE_TIME, messages_it.VAGUE_TIME)
    relative = _RELATIVE.search(message) is not None
    policy = VenuePolicy(opening=_opening(kb))
    found = _resolve(message, now, "time", policy=policy, any_day=not relative)
    if found.time is None and not found.candidates and _BARE.fullmatch(message):
        found = _resolve(f"alle {message}", now, "time", policy=policy, any_day=True)
    if found.status is Status.VAGUE:
        raise RefusalError(Code.VAGUE_TIME, messages_it.VAGUE_TIME)
    if relative and found.status is Status.OK and found.instant is not None:
        return _rounded(found.instant, now)
    at = found.time
    if at is None and found.candidates and found.status in (Status.AMBIGUOUS, Status.INVALID):
        at = found.candidates[0].time
    if at is None or relative:
        raise RefusalError(Code.UNSUPPORTED_RELATIVE_TIME, messages_it.NO_TIME)
    halves = {one.time for one in found.candidates if one.time is not None}
    # On a 24-hour clock 12 is noon.
    noon = at.hour in (0, 12) and len(halves) > 1
    return SpokenTime(at.replace(hour=12) if noon else at, _offset(found, now), ambiguous=len(halves) > 1 and not noon)


def _resolve(
    text: str, now: datetime, expect: str, *, policy: VenuePolicy | None = None, any_day: bool = False
) -> Resolution:
    zone = now.tzinfo
    assert zone is not None
    return resolve(
        text,
        now=now,
        tz=zone,
        locale="it",
        policy=policy,
        expect="day" if expect == "day" else "time",
        any_day=any_day,
    )


def _rounded(instant: datetime, now: datetime) -> SpokenTime:
    zone = now.tzinfo
    moment = instant.timestamp() / 60
    # Rounded as a timestamp, because a rounded wall time may fall into the hour that a clock change skips.
    nearest = datetime.fromtimestamp(((moment + ROUNDED / 2) // ROUNDED) * ROUNDED * 60, zone)
    offset = (nearest.date() - now.date()).days
    if offset not in (0, 1):
        raise RefusalError(Code.UNSUPPORTED_RELATIVE_TIME, messages_it.NO_TIME)
    return SpokenTime(nearest.time(), offset, ambiguous=False)


def _offset(found: Resolution, now: datetime) -> int:
    """Return 0, except for "domani alle 20", where a day is named."""
    if not found.date_stated or found.date is None or found.date < now.date():
        return 0
    days = (found.date - now.date()).days
    if days > 1:
        raise RefusalError(Code.UNSUPPORTED_RELATIVE_TIME, messages_it.NO_TIME)
    return days


def _opening(kb: KnowledgeBase) -> OpeningHours:
    """Return the hours at which guests are received on some day of the week."""
    latest = time(23, 59)
    found = []
    for name in WEEKDAYS:
        for service in getattr(kb.openings, name).services():
            closes = service.closing(kb.slot_step_minutes)
            found.append((service.first, messages_it.clock(closes) if closes < DAY else latest))
    return tuple(dict.fromkeys(found))


def _plain(text: str) -> str:
    # A letter and its accent may be two characters.
    message = normalize("NFC", text).translate(_APOSTROPHES).lower().strip(" .!?;,")
    for pattern, instead in _MISHEARD:
        message = pattern.sub(instead, message)
    return _LARGE_WORD.sub(lambda found: _LARGE[found[0]], message)
