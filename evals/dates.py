"""Scores the day-and-time resolver on a case file."""

from datetime import time
from pathlib import Path

from evals.scorecard import ScoreCard, read_cases
from evals.scoring import now_of, score_case, zone_of
from language import VenuePolicy, resolve

POLICY = VenuePolicy(opening=((time(9), time(23)),))
"""British date order, opening hours 09:00 to 23:00, as the cases' own README defines."""


def evaluate(path: Path) -> ScoreCard:
    """Score every row. Raises `BadCasesError`."""
    tally = ScoreCard()
    for row in read_cases(path):
        language = row.get("lang", "en")
        locale = "it-IT" if language == "it" else "en-GB"
        found = resolve(row["text"], now=now_of(row), tz=zone_of(row), locale=locale, policy=POLICY)
        outcome = score_case(row, found)
        value = found.instant or found.date or found.time
        note = f"{row.get('id', '')}  {row['text']!r}: {found.status} {value or found.error}, not {row.get('expected')}"
        tally.count(("all", language, str(row.get("kind") or "other")), outcome, note)
    return tally
