"""Scores the day-and-time resolver against case rows as `../shared/cases/README.md` defines."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from evals.scorecard import ScoreCard, read_cases
from language import Candidate, Resolution, Status, VenuePolicy, resolve

Score = Literal["right", "asked", "wrong"]
_REFUSED_KINDS = ("vague", "none", "invalid", "mismatch")


def zone_of(case: Mapping[str, Any]) -> tzinfo:
    """Return the zone of a row: an IANA name, an offset such as "-02:00", or UTC if the row has none."""
    name = case.get("tz")
    if not name:
        return UTC
    if name[0] in "+-":
        hours, minutes = int(name[1:3]), int(name[4:6])
        shift = timedelta(hours=hours, minutes=minutes)
        return timezone(shift if name[0] == "+" else -shift)
    return ZoneInfo(name)


def now_of(case: Mapping[str, Any]) -> datetime:
    """Return the reference of a row as an aware time in its zone."""
    reference = datetime.fromisoformat(case["reference"])
    zone = zone_of(case)
    return reference.replace(tzinfo=zone) if reference.tzinfo is None else reference.astimezone(zone)


def score_case(case: Mapping[str, Any], resolution: Resolution) -> Score:
    """Return right, asked or wrong."""
    expected = str(case.get("expected") or "")
    if case.get("kind") in _REFUSED_KINDS or expected.startswith("error:"):
        return "wrong" if resolution.status is Status.OK else "right"
    accepted = list(case.get("accept") or expected.removeprefix("ambiguous:").split("|"))
    if resolution.status is Status.OK:
        return "right" if _accepts(resolution.date, resolution.time, resolution.instant, accepted) else "wrong"
    if resolution.status is Status.AMBIGUOUS and resolution.candidates:
        first: Candidate = resolution.candidates[0]
        if _accepts(first.date, first.time, first.instant, accepted):
            return "right"
    return "asked"


def _accepts(day: date | None, at: time | None, instant: datetime | None, accepted: list[str]) -> bool:
    return any(_matches(day, at, instant, answer) for answer in accepted)


def _matches(day: date | None, at: time | None, instant: datetime | None, answer: str) -> bool:
    if answer.startswith("T"):
        return at is not None and f"T{at:%H:%M}" == answer
    if "T" not in answer:
        return day is not None and day.isoformat() == answer
    point = datetime.fromisoformat(answer)
    if point.tzinfo is not None:
        return instant == point
    return day == point.date() and at == point.time()


POLICY = VenuePolicy(opening=((time(9), time(23)),))
"""British date order, opening hours 09:00 to 23:00, as the cases' own README defines."""


def evaluate(path: Path) -> ScoreCard:
    """Score every row. Raises `BadCasesError`."""
    tally = ScoreCard()
    for row in read_cases(path, needs=("text", "reference")):
        language = row.get("lang", "en")
        locale = "it-IT" if language == "it" else "en-GB"
        found = resolve(row["text"], now=now_of(row), tz=zone_of(row), locale=locale, policy=POLICY)
        outcome = score_case(row, found)
        value = found.instant or found.date or found.time
        note = f"{row.get('id', '')}  {row['text']!r}: {found.status} {value or found.error}, not {row.get('expected')}"
        tally.count(("all", language, str(row.get("kind") or "other")), outcome, note)
    return tally
