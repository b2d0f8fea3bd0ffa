"""The two questions: what does this phrase mean, and where in this text are such phrases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from language.dates.candidates import DateContext, span_of, unparsed
from language.dates.compose import compose, hours_or_date, repeated_days, time_pieces
from language.dates.days import DAY_KINDS
from language.dates.disambiguation import (
    JOINERS,
    POINT_KINDS,
    Expected,
    adjacent,
    leftover,
    marker_before,
    parse_parts,
    stray_neighbour,
)
from language.dates.resolution import Resolution, VenuePolicy, When
from language.dates.rules import DatePart
from language.locales import get_locale
from language.text.lexer import ARROW, MAX_CHARACTERS, Lexed, lex

_CONNECTING = frozenset((",", "ON", "THE", "AT"))


def resolve(
    text: str,
    *,
    now: datetime,
    tz: str | tzinfo,
    locale: str,
    policy: VenuePolicy | None = None,
    expect: Expected = "any",
    any_day: bool = False,
) -> Resolution:
    """Return what one phrase means, with whatever polite words surround it.

    `now`: an aware instant, or naive wall time in `tz` (an IANA name or a tzinfo). Any digit or date word that the
    grammar cannot place makes the whole text not understood. `expect`: what the phrase answers, so that "21" alone is
    an hour (`time`) or a day of the month (`day`); otherwise it is ambiguous. `any_day`: a time said without a day is
    for a day that the caller knows, such as a booking's: opening hours alone decide AM or PM, and the resolution's date
    means nothing.
    """
    context = _context(now, tz, locale, policy, any_day)
    lexed = lex(text[:MAX_CHARACTERS], context.locale)
    return compose(lexed, _parts(lexed, context, expect), context)


def find_when(
    text: str,
    *,
    now: datetime,
    tz: str | tzinfo,
    locale: str,
    policy: VenuePolicy | None = None,
    any_day: bool = False,
) -> list[When]:
    """Return every phrase about a day or a time in a longer text, left to right, each with its span and resolution.

    Counts, phones, prices, references and e-mail addresses are passed over. "From Friday to Saturday" is one phrase,
    refused as a range, whose `ends` are the two days; "3pm -> 4pm" is such a move too, marked `FROM`. `any_day` as for
    `resolve`.
    """
    context = _context(now, tz, locale, policy, any_day)
    lexed = lex(text[:MAX_CHARACTERS], context.locale)
    parts = _parts(lexed, context, "any")
    groups = _groups([part for part in parts if part.kind in POINT_KINDS], lexed)
    found = [_when(lexed, group, context, [p for g in groups if g is not group for p in g]) for group in groups]
    return _join_ranges(found, groups, lexed, context)


def _parts(lexed: Lexed, context: DateContext, expect: Expected) -> list[DatePart]:
    parts = hours_or_date(lexed, parse_parts(lexed, context.locale, expect), context)
    return repeated_days(lexed, parts, context)


def _context(now: datetime, tz: str | tzinfo, locale: str, policy: VenuePolicy | None, any_day: bool) -> DateContext:
    zone = ZoneInfo(tz) if isinstance(tz, str) else tz
    local = now.replace(tzinfo=zone) if now.tzinfo is None else now.astimezone(zone)
    return DateContext(local, policy or VenuePolicy(), get_locale(locale), any_day)


def _groups(parts: Sequence[DatePart], lexed: Lexed) -> list[list[DatePart]]:
    """Neighbours that describe one point: nothing but joiners between them and no second time or day."""
    groups: list[list[DatePart]] = []
    for part in parts:
        if groups and _joins(groups[-1], part, lexed):
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def _joins(group: Sequence[DatePart], part: DatePart, lexed: Lexed) -> bool:
    if lexed.tokens[part.first].start < lexed.tokens[group[-1].last - 1].end:
        return True  # Both come of one phrase: of "1.5 ora e mezza" one reads the hour, the other the half.
    if "delta" in (group[-1].kind, part.kind):
        return False
    between = [lexed.tokens[index].symbol for index in range(group[-1].last, part.first)]
    if "OR" in between:
        # "Friday at 4 or Sunday at 5": the second is a point of its own.
        if part.kind in DAY_KINDS and {"time"} < {other.kind for other in group}:
            return False
        return all(symbol == "OR" or symbol in JOINERS for symbol in between)
    return adjacent(group[-1], part, lexed) and _fits(group, part)


def _fits(group: Sequence[DatePart], part: DatePart) -> bool:
    if part.kind == "time":
        return all(other.kind != "time" for other in group)
    if part.kind in DAY_KINDS and any(other.kind == "time" for other in group):
        times = [index for index, other in enumerate(group) if other.kind == "time"]
        return not any(other.kind in DAY_KINDS for other in group[: times[0]])
    return True


def _when(lexed: Lexed, group: Sequence[DatePart], context: DateContext, others: Sequence[DatePart]) -> When:
    start, end = span_of(lexed, group)
    resolution = replace(compose(lexed, group, context, check=False), span=(start, end))
    # "Friday, an hour later": hours step from whatever day is said beside them.
    hours = resolution.shift is not None and not resolution.shift.days
    beside = others if hours else ()
    if leftover(lexed, group, group[0].first, group[-1].last) or stray_neighbour(lexed, group, beside):
        resolution = replace(unparsed(lexed, group, context), span=(start, end))
    ends = _spoken_ends(lexed, group, context)
    return When(lexed.text[start:end], (start, end), resolution, _marker(lexed, group[0]), ends)


def _spoken_ends(lexed: Lexed, group: Sequence[DatePart], context: DateContext) -> tuple[When, ...]:
    """Return the two times of a range that one rule read whole: "from 10am to 11", "dalle 15 alle 17"."""
    ranges = [part for part in group if part.kind == "range"]
    pieces = time_pieces(lexed, ranges[0]) if ranges else []
    if len(pieces) != 2:
        return ()
    return tuple(_when_alone(lexed, [piece], context, piece.values.get("ap", "")) for piece in pieces)


def _marker(lexed: Lexed, part: DatePart) -> str | None:
    for symbol in (lexed.tokens[part.first].symbol, marker_before(lexed, part.first, frozenset(("THE", ",")))):
        if symbol == ARROW:
            return "TO"
        if symbol in ("AT", "ON", "FOR", "TO", "FROM", "BY", "UNTIL", "BEFORE", "AFTER"):
            return symbol
    return None


def _join_ranges(
    found: list[When], groups: Sequence[Sequence[DatePart]], lexed: Lexed, context: DateContext
) -> list[When]:
    joined: list[When] = []
    index = 0
    while index < len(found):
        here = found[index]
        if index + 1 < len(found) and _is_range(groups[index], groups[index + 1], lexed, here.marker):
            both = [*groups[index], *groups[index + 1]]
            span = (here.span[0], found[index + 1].span[1])
            ends = tuple(_when_alone(lexed, group, context) for group in (groups[index], groups[index + 1]))
            resolution = replace(compose(lexed, both, context, check=False), span=span)
            moved = ARROW in [
                token.symbol for token in lexed.tokens[groups[index][-1].last : groups[index + 1][0].first]
            ]
            marker = "FROM" if moved else here.marker
            joined.append(When(lexed.text[slice(*span)], span, resolution, marker, ends))
            index += 2
        else:
            joined.append(here)
            index += 1
    return joined


def _is_range(left: Sequence[DatePart], right: Sequence[DatePart], lexed: Lexed, marker: str | None) -> bool:
    between = [lexed.tokens[index].symbol for index in range(left[-1].last, right[0].first)]
    core = [symbol for symbol in between if symbol not in _CONNECTING]
    before = marker_before(lexed, left[0].first, frozenset(("AT", "THE", "ON")))
    if before == "BETWEEN" and core == ["AND"]:
        return True
    return core in (["UNTIL"], ["-"], [ARROW]) or (core == ["TO"] and "FROM" in (before, marker))


def _when_alone(lexed: Lexed, group: Sequence[DatePart], context: DateContext, half: str = "") -> When:
    """Return an end of a range read without the words around it, which would refuse it as open-ended. `half`: "a" or
    "p" where the other end says it for both: "9-11am"."""
    start, end = span_of(lexed, group)
    alone = lex(lexed.text[start:end], context.locale)
    parts = parse_parts(alone, context.locale, "time")
    for part in parts:
        if half and part.kind == "time":
            part.values.setdefault("ap", half)
    inner = compose(alone, parts, context)
    return When(lexed.text[start:end], (start, end), replace(inner, span=(start, end)))
