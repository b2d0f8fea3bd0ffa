"""Details of a new booking besides its day and time: texts behind the words that lead to them, the duration, the time
zone; and what nothing explains."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from contracts.enums import ParameterRole as Role
from language.dates.resolution import Span
from language.dates.times import find_durations
from language.extraction import Mention, MentionKind
from language.locales import alternatives, in_all, words_in_all
from language.requests.creation import says_to_make
from language.text.normalize import normalize_text
from offline_planner.message import ParsedMessage
from offline_planner.tools import Param, Tool

_GLUE = re.compile(rf"[,.;:!?]|(?:^|\s)(?:{alternatives('planner_creation', 'GLUE')})(?=\s|$)", re.IGNORECASE)
_TO = re.compile(rf"\s*(?:-|–|{alternatives('planner_creation', 'TO')})\s*", re.IGNORECASE)
_CLOCK = re.compile(rf"{alternatives('planner_creation', 'CLOCK')}|\b(?:utc|gmt)\b")
_ZONES = {"utc": "UTC", "gmt": "UTC"} | dict(ChainMap(*in_all("planner_creation", "ZONES")))
_QUIET = (
    "function", "polite", "want", "booking", "event", "pronoun", "add", "day", "time", "state", "report", "look",
    "hedge", "now", "room",
)  # fmt: skip
_HOW_LONG = re.compile(rf"\b(?:{alternatives('planner_creation', 'HOW_LONG')})\b", re.IGNORECASE)
"""A duration that was not read is no text: "for a couple of hours"."""
_ARTICLE = re.compile(rf"^(?:{alternatives('planner_creation', 'ARTICLE')})", re.IGNORECASE)
_ARTICLE_BEHIND = re.compile(rf"\s+(?:{alternatives('planner_creation', 'ARTICLE_BEHIND')})$")
_LEADS_ON = words_in_all("planner_creation", "LEADS_ON")


@dataclass(frozen=True, slots=True)
class CreationDetails:
    """Hold the values by parameter, and the first words that nothing explains."""

    values: dict[str, object]
    unclear: str


def details_of(message: ParsedMessage, tool: Tool, whens: Sequence[Mention]) -> CreationDetails:
    """Return what a message states about a new booking; `whens` are its days and times."""
    taken = [c.span for c in whens]
    values: dict[str, object] = {}
    long = list(find_durations(message.text))
    taken += [span for _, span in long]
    spot = tool.with_role(Role.DURATION)
    if spot is not None and len({minutes for minutes, _ in long}) == 1:
        values[spot.name] = long[0][0]
    elif long:
        return CreationDetails({}, message.text[slice(*long[-1][1])])
    zone = tool.with_role(Role.TIME_ZONE)
    found = _zone(message, zone) if zone is not None else None
    if found is not None and zone is not None:
        values[zone.name] = found[0]
        taken.append(found[1])
    for name, text, span in _led(message.text, tool, taken):
        values.setdefault(name, text)
        taken.append(span)
    return CreationDetails(values, _unexplained(message, taken))


def several_days(message: ParsedMessage) -> str:
    """Return the words of a range of days, "Monday to Wednesday"; "" for none."""
    days = [c for c in message.mentions if c.kind is MentionKind.DAY]
    for one, other in pairwise(days):
        if _TO.fullmatch(message.text[one.span[1] : other.span[0]]):
            return message.text[one.span[0] : other.span[1]]
    return ""


def _zone(message: ParsedMessage, zone: Param) -> tuple[str, Span] | None:
    """Return the time zone that the message names and its place, or None."""
    letters = normalize_text(message.text)
    cities = {choice.rpartition("/")[2].replace("_", " ").lower(): choice for choice in map(str, zone.choices)}
    names = {**_ZONES, **cities}
    for match in _CLOCK.finditer(letters):
        start, name = match.start(), next(filter(None, match.groups()), match.group())
        while name not in names and " " in name:
            start, name = start + name.index(" ") + 1, name.partition(" ")[2]
        if names.get(name) in zone.choices:
            return names[name], (start, match.end())
    return None


def is_a_clock(message: ParsedMessage, span: Span) -> bool:
    """Return whether words name the time zone of an hour, and no person: "1:30am Los Angeles time"."""
    return any(m.start() <= span[0] and span[1] <= m.end() for m in _CLOCK.finditer(normalize_text(message.text)))


def _led(text: str, tool: Tool, taken: list[Span]) -> Iterator[tuple[str, str, Span]]:
    """Yield (parameter, text, place) of each text behind a word that leads to it, as in the tool's examples."""
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
    """Yield the words in front of a text parameter's values in the examples."""
    if param.role is not None or param.type != "string" or param.choices:
        return
    for say, call in tool.examples:
        value = call.get(param.name)
        if isinstance(value, str) and value in say:
            before = [w.lower() for w in re.findall(r"[^\W\d_]+", say[: say.index(value)])]
            yield " ".join(before[-1:] if _LEADS_ON.isdisjoint(before[-1:]) else before[-2:])


def _unexplained(message: ParsedMessage, taken: list[Span]) -> str:
    for part in message.parts:
        inside = any(start < part.span[1] and part.span[0] < end for start, end in taken)
        if inside or part.does(*_QUIET) or says_to_make(normalize_text(part.text)):
            continue
        return part.text
    return ""
