"""The machine-readable part of a prompt: one JSON object in a fence, at the top. The prose is for models and may be
rewritten freely; the offline planner (`docs/offline-planner.md`) reads only this.

The first fence counts, because no external text precedes it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from contracts.base import Json
from contracts.chat_completion import CritiqueRequest, PlanningContext
from contracts.plan import PlannedAction
from contracts.venue import VenueProfile

FENCE = "```"


def planning_brief(
    venue: VenueProfile, now: datetime, reads: Sequence[str], context: PlanningContext, can: Sequence[str]
) -> dict[str, Json]:
    """Return the brief of a planning turn: the clock, the look-ups, what can be changed (in the venue's language),
    bookings found and offered in this chat, the steps of the plan that waits or has just failed, which plan was just
    undone, and how many of our questions the open request has had. Empty lists are omitted."""
    lists: dict[str, list[Json]] = {
        "look_ups": list(reads),
        "can": list(can),
        "known": [b.model_dump(mode="json", exclude_defaults=True) for b in context.known],
        "offered": [b.model_dump(mode="json", exclude_defaults=True) for b in context.offered],
        "pending": [{"tool": a.action_id, "arguments": a.parameters} for a in context.pending],
        "failed": [{"tool": a.action_id, "arguments": a.parameters} for a in context.failed],
        "taken_back": list(context.undone_bookings),
    }
    fields: dict[str, Json] = {name: rows for name, rows in lists.items() if rows}
    fields |= {"open": context.open} if context.open else {}
    return {"task": "plan", "clock": _clock(venue, now), **fields}


def critique_brief(venue: VenueProfile, now: datetime, request: CritiqueRequest) -> dict[str, Json]:
    """Return the brief of a critique: the clock, the planned calls in order, and the reasons for the critique."""
    steps: list[Json] = [{"step": s.step, "tool": s.action_id, "arguments": s.parameters} for s in request.steps]
    judged = request.assessed.assessment
    fields: dict[str, Json] = {"triggers": [t.value for t in request.triggers]}
    fields |= {"missing": list(judged.missing_params)} if judged is not None and judged.missing_params else {}
    fields |= {"confidence": judged.confidence} if judged is not None else {}
    return {"task": "critique", "clock": _clock(venue, now), **fields, "steps": steps}


def executing_brief(venue: VenueProfile, now: datetime, goal: Iterable[PlannedAction]) -> dict[str, Json]:
    """Return the brief of a running plan: the clock, and the confirmed steps in order with their status."""
    steps: list[Json] = [
        {"step": a.step, "tool": a.action_id, "arguments": a.parameters, "status": a.status.value} for a in goal
    ]
    return {"task": "execute", "clock": _clock(venue, now), "steps": steps}


def fenced(brief: Mapping[str, Json]) -> str:
    """Return the brief as it appears in a prompt: a line for each entry, and for each row of a list of objects."""
    lines = [f"{json.dumps(name)}: {_value(value)}" for name, value in brief.items()]
    return f"{FENCE}json\n{{\n" + ",\n".join(lines) + f"\n}}\n{FENCE}"


def _value(value: Json) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in value) + "\n]"
    return json.dumps(value, ensure_ascii=False)


def _clock(venue: VenueProfile, now: datetime) -> dict[str, Json]:
    hours = venue.opening_hours
    words = {kind: {code: noun.model_dump() for code, noun in own.items()} for kind, own in venue.words.items()}
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
