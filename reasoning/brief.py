"""What a prompt tells a program: one JSON object in a fence, at the top of the prompt. Its prose is for models and may
be rewritten freely; the offline planner (`docs/offline-planner.md`) reads this and nothing else.

The first fence counts: nothing that comes from outside stands before it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from contracts.assessment import CritiqueRequest
from contracts.base import Json
from contracts.model import PlanningContext
from contracts.plan import PlannedAction
from contracts.venue import VenueProfile

FENCE = "```"


def planning_brief(
    venue: VenueProfile, now: datetime, reads: Sequence[str], context: PlanningContext, can: Sequence[str]
) -> dict[str, Json]:
    """For a planning turn: the clock, the look-ups, what can be changed (in the venue's language), bookings found and
    offered in this chat, the steps of the plan that waits or has just failed, what one is of that was just undone, and
    how many questions of ours the open request has met with. Empty lists are left out."""
    lists: dict[str, list[Json]] = {
        "look_ups": list(reads),
        "can": list(can),
        "known": [b.model_dump(mode="json", exclude_defaults=True) for b in context.known],
        "offered": [b.model_dump(mode="json", exclude_defaults=True) for b in context.offered],
        "pending": [{"tool": a.action_id, "arguments": a.parameters} for a in context.pending],
        "failed": [{"tool": a.action_id, "arguments": a.parameters} for a in context.failed],
        "taken_back": list(context.taken_back),
    }
    told: dict[str, Json] = {name: rows for name, rows in lists.items() if rows}
    told |= {"open": context.open} if context.open else {}
    return {"task": "plan", "clock": _clock(venue, now), **told}


def critique_brief(venue: VenueProfile, now: datetime, request: CritiqueRequest) -> dict[str, Json]:
    """For a second look: the clock, the planned calls in order, and why they are looked at."""
    steps: list[Json] = [{"step": s.step, "tool": s.action_id, "arguments": s.parameters} for s in request.steps]
    judged = request.assessed.assessment
    told: dict[str, Json] = {"triggers": [t.value for t in request.triggers]}
    told |= {"missing": list(judged.missing_params)} if judged is not None and judged.missing_params else {}
    told |= {"confidence": judged.confidence} if judged is not None else {}
    return {"task": "critique", "clock": _clock(venue, now), **told, "steps": steps}


def executing_brief(venue: VenueProfile, now: datetime, goal: Iterable[PlannedAction]) -> dict[str, Json]:
    """For a plan that is carried out: the clock, and the confirmed steps in order with their status."""
    steps: list[Json] = [
        {"step": a.step, "tool": a.action_id, "arguments": a.parameters, "status": a.status.value} for a in goal
    ]
    return {"task": "execute", "clock": _clock(venue, now), "steps": steps}


def fenced(brief: Mapping[str, Json]) -> str:
    """The brief as it stands in a prompt: a line for each entry, and for each row of a list of objects."""
    lines = [f"{json.dumps(name)}: {_value(value)}" for name, value in brief.items()]
    return f"{FENCE}json\n{{\n" + ",\n".join(lines) + f"\n}}\n{FENCE}"


def _value(value: Json) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in value) + "\n]"
    return json.dumps(value, ensure_ascii=False)


def _clock(venue: VenueProfile, now: datetime) -> dict[str, Json]:
    hours = venue.opening_hours
    words = {kind: {code: word.model_dump() for code, word in own.items()} for kind, own in venue.words.items()}
    return {
        "now": now.strftime("%Y-%m-%d %H:%M"),
        "weekday": now.strftime("%A"),
        "zone": venue.time_zone,
        "locale": venue.locale,
        "country": venue.country,
        "opens": hours.opens.strftime("%H:%M"),
        "closes": hours.closes.strftime("%H:%M"),
        **({"words": words} if words else {}),
    }
