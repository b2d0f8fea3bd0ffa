"""Scores the core's grounding on a case file: proposals of a model, checked against the operator's text.

Each case is one step on one booking, in a venue of its language (`../shared/cases/README.md` has the form; `booking`
gives that booking another `guest_name` and `label`). No model is called: the score is of the core's result for a
proposal.
"""

from dataclasses import dataclass
from datetime import datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.venue import OpeningHours, VenueProfile
from evals.scorecard import Row, ScoreCard, read_cases
from language.extraction import extract
from reasoning.execution.guard import same_meaning
from reasoning.grounding.grounding import Ungrounded, ground_arguments
from registry import Pack

_ZONES = {"en": ("en-AU", "Australia/Melbourne", "AU"), "it": ("it-IT", "Europe/Rome", "IT")}
_NOW = datetime(2026, 11, 22, 15, 30)
_BOOKING = BookingSummary(
    booking_id="8340",
    reference="8340",
    guest_name="Emma Clarke",
    date="2026-11-28",
    start_time="15:00",
    guest_count=9,
    label="Emma Clarke 8th birthday",
)


@dataclass(frozen=True, slots=True)
class _Judged:
    """The core's result for a proposal."""

    outcome: str
    text: str


def evaluate(pack: Pack, path: Path) -> ScoreCard:
    """Score every row. Raises `BadCasesError`."""
    tally = ScoreCard()
    for row in read_cases(path, needs=("messages", "action", "proposed", "expect")):
        action = pack.actions[row["action"]]
        judged = _score(row["expect"], row["proposed"], action, _grounded(row, action, pack.profile))
        note = f"{row.get('id', '')}  {row['messages'][-1]!r} {row['proposed']}: {judged.text}, not {row['expect']}"
        tally.count(("all", row.get("lang", "en"), row["expect"]), judged.outcome, note)
    return tally


def _grounded(row: Row, action: AtomicAction, profile: VenueProfile) -> dict[str, Json] | Ungrounded:
    locale, zone, country = _ZONES[row.get("lang", "en")]
    hours = OpeningHours(opens=time(9), closes=time(21))
    venue = profile.model_copy(update={"locale": locale, "time_zone": zone, "country": country, "opening_hours": hours})
    booking = _BOOKING.model_copy(update=row.get("booking") or {})
    statements = extract(tuple(reversed(row["messages"])), _NOW.replace(tzinfo=ZoneInfo(zone)), venue, (booking,))
    return ground_arguments(statements, action, row["proposed"], booking, row.get("pending") or {})


def _score(expect: str, proposed: Row, action: AtomicAction, found: dict[str, Json] | Ungrounded) -> _Judged:
    if isinstance(found, Ungrounded):
        return _Judged("asked" if expect == "pass" else "right", f"asked about {found.parameter}")
    changed = [
        name
        for name, value in proposed.items()
        if value is not None
        and not same_meaning(parameter.role if (parameter := action.parameter(name)) else None, found.get(name), value)
    ]
    if changed:
        text = f"made {', '.join(f'{n} {found.get(n)}' for n in changed)} of it"
        return _Judged("right" if expect == "refuse" else "wrong", text)
    return _Judged("wrong" if expect == "refuse" else "right", "passed")
