"""What is said of something new besides its day and time: texts behind the words that lead to them, how long, whose
clock; and what nothing explains."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from contracts.enums import ParameterRole as Role
from language.durations import find_durations
from language.making import says_to_make
from language.plain import plain
from language.resolution import Span
from reasoning.evidence import Claim, Kind
from sandbox.model.said import Said
from sandbox.model.tools import Param, Tool

_GLUE = re.compile(
    r"[,.;:!?]|(?:^|\s)(?:on|at|in|by|to|from|da|dal|il|alle|alla|ore|and|e|my|please|pls|grazie|thanks|ok)(?=\s|$)",
    re.IGNORECASE,
)
_TO = re.compile(r"\s*(?:to|through|thru|until|till|-|–|a|al|fino a|fino al)\s*", re.IGNORECASE)
_CLOCK = re.compile(
    r"\b(?P<en>[a-z]+(?: [a-z]+)?) time\b|\bora (?:di|del|della) (?P<it>[a-z]+(?: [a-z]+)?)\b|\b(?:utc|gmt)\b"
)
_ZONES = {
    "eastern": "America/New_York", "central": "America/Chicago", "mountain": "America/Denver",
    "pacific": "America/Los_Angeles", "uk": "Europe/London", "israel": "Asia/Jerusalem", "italian": "Europe/Rome",
    "londra": "Europe/London", "roma": "Europe/Rome", "gerusalemme": "Asia/Jerusalem", "utc": "UTC", "gmt": "UTC",
}  # fmt: skip
"""What people call a clock, where it is not by the city that the zone is named after."""
_QUIET = (
    "function", "polite", "want", "booking", "event", "pronoun", "add", "day", "time", "state", "report", "look",
    "hedge", "now", "room",
)  # fmt: skip
_HOW_LONG = re.compile(
    r"\b(?:hours?|minutes?|mins?|while|bit|days?|weeks?|or[ae]|minut[oi]|giorn[oi])\b", re.IGNORECASE
)
"""A stretch of time that was not read is no text: "for a couple of hours"."""
_ARTICLE = re.compile(r"^(?:(?:the|a|an|my|our|il|lo|la|i|le|un|una)\s+|l')", re.IGNORECASE)

_ARTICLE_BEHIND = re.compile(r"\s+(?:the|this|il|lo|la|questa)$")
"""What leads to a day that is no part of its claim: "con Aviad la settimana prossima"."""


@dataclass(frozen=True, slots=True)
class Told:
    """The values by parameter, and the first words that nothing explains."""

    values: dict[str, object]
    unclear: str


def told_of(said: Said, tool: Tool, whens: Sequence[Claim]) -> Told:
    """What a message says of something new; `whens` are its days and times."""
    taken = [c.span for c in whens]
    values: dict[str, object] = {}
    long = list(find_durations(said.text))
    taken += [span for _, span in long]
    spot = tool.with_role(Role.DURATION)
    if spot is not None and len({minutes for minutes, _ in long}) == 1:
        values[spot.name] = long[0][0]
    elif long:
        return Told({}, said.text[slice(*long[-1][1])])
    zone = tool.with_role(Role.TIME_ZONE)
    found = _zone(said, zone) if zone is not None else None
    if found is not None and zone is not None:
        values[zone.name] = found[0]
        taken.append(found[1])
    for name, text, span in _led(said.text, tool, taken):
        values.setdefault(name, text)
        taken.append(span)
    return Told(values, _unexplained(said, taken))


def several_days(said: Said) -> str:
    """ "Monday to Wednesday": the words of a stretch of days; "" for none."""
    days = [c for c in said.claims if c.kind is Kind.DAY]
    for one, other in pairwise(days):
        if _TO.fullmatch(said.text[one.span[1] : other.span[0]]):
            return said.text[one.span[0] : other.span[1]]
    return ""


def _zone(said: Said, zone: Param) -> tuple[str, Span] | None:
    """The zone whose clock is named, and where."""
    letters = plain(said.text)
    cities = {choice.rpartition("/")[2].replace("_", " ").lower(): choice for choice in map(str, zone.choices)}
    names = {**_ZONES, **cities}
    for match in _CLOCK.finditer(letters):
        name = match["en"] or match["it"] or match.group()
        start = match.start("en") if match["en"] else match.start()
        while name not in names and " " in name:
            start, name = start + name.index(" ") + 1, name.partition(" ")[2]
        if names.get(name) in zone.choices:
            return names[name], (start, match.end())
    return None


def is_a_clock(said: Said, span: Span) -> bool:
    """Whether words name the clock that an hour is read by, and nobody: "1:30am Los Angeles time"."""
    return any(m.start() <= span[0] and span[1] <= m.end() for m in _CLOCK.finditer(plain(said.text)))


def _led(text: str, tool: Tool, taken: list[Span]) -> Iterator[tuple[str, str, Span]]:
    """(parameter, text, place) of each text behind a word that leads to it, as in the tool's examples."""
    leads = {word: p.name for p in tool.params for word in _leads(tool, p)}
    pattern = "|".join(sorted(map(re.escape, leads), key=len, reverse=True))
    places = list(re.finditer(rf"(?<!\w)({pattern})\s+", text, re.IGNORECASE)) if leads else []
    for match in places:
        if any(start <= match.start() < end for start, end in taken):
            continue
        ends = [start for start, _ in taken if start >= match.end()]
        ends += [other.start() for other in places if other.start() >= match.end()]
        rest = text[match.end() : min(ends, default=len(text))]
        stop = _GLUE.search(rest)
        value = _ARTICLE.sub("", (rest[: stop.start()] if stop else rest).strip(" '’\"“”"))
        value = _ARTICLE_BEHIND.sub("", value)
        if value and not _HOW_LONG.search(value):
            start = text.index(value, match.end())
            yield leads[match[1].lower()], value, (match.start(), start + len(value))


def _leads(tool: Tool, param: Param) -> Iterator[str]:
    """The words in front of a text parameter's values in the examples."""
    if param.role is not None or param.type != "string" or param.choices:
        return
    for say, call in tool.examples:
        value = call.get(param.name)
        if isinstance(value, str) and value in say:
            before = [w.lower() for w in re.findall(r"[^\W\d_]+", say[: say.index(value)])]
            yield " ".join(before[-2:] if before[-1:] == ["to"] else before[-1:])


def _unexplained(said: Said, taken: list[Span]) -> str:
    for part in said.parts:
        inside = any(start < part.span[1] and part.span[0] < end for start, end in taken)
        if inside or part.does(*_QUIET) or says_to_make(plain(part.text)):
            continue
        return part.text
    return ""
