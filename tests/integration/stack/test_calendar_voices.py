"""Meeting requests in another person's style (`evals/cases/calendar/meetings_1.jsonl`), through the whole stack with
the offline planner: none becomes a wrong plan, and the number of right plans does not drop.

`docs/grounding.md` has the first figure. A case has the plan that was meant, or `ask` where it takes a question.
"""

import json
from datetime import timedelta
from typing import Any

import pytest

from cli.stack.dev import Stack
from infra.config.settings import ROOT
from tests.support.calendar import TOKEN, Calendar, next_, today
from tests.support.operator import Operator

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

CASES = ROOT / "evals" / "cases" / "calendar" / "meetings_1.jsonl"
RIGHT = 25
NAMES = {
    "person": "person",
    "time": "start_time",
    "minutes": "duration_minutes",
    "title": "title",
    "for": "external_user_name",
    "zone": "timezone",
}


def meant(case: dict[str, Any]) -> dict[str, Any]:
    """Return the call that a case asks for."""
    day = today() + timedelta(days=int(case["day"])) if case["day"].startswith("+") else next_(case["day"])
    return {"date": str(day), **{ours: case[name] for name, ours in NAMES.items() if name in case}}


def same(planned: dict[str, Any], wanted: dict[str, Any]) -> bool:
    """Return whether a call is what was meant. Naming the default length is as good as leaving it out."""
    planned = {"duration_minutes": 30, **planned}
    wanted = {"duration_minutes": 30, **wanted}
    return {k: str(v).lower() for k, v in planned.items()} == {k: str(v).lower() for k, v in wanted.items()}


async def test_a_strangers_requests(team: Stack, calendar: Calendar) -> None:
    await calendar.reset(seed=False)
    scores: dict[str, list[str]] = {"right": [], "asked": [], "wrong": []}
    for case in map(json.loads, CASES.read_text().splitlines()):
        async with Operator(f"http://127.0.0.1:{team.ports.facade}", token=TOKEN) as one:
            turn = await one.say(case["say"])
        made = [a for a in turn["plan"]["actions"] if not a["read_only"]] if turn["type"] == "plan" else []
        if "ask" in case:
            kind = "wrong" if made else "right"
        elif not made:
            kind = "asked"
        else:
            ours = len(made) == 1 and made[0]["action_id"] == "schedule_meeting"
            kind = "right" if ours and same(made[0]["parameters"], meant(case)) else "wrong"
        scores[kind].append(
            f"{case['id']}: {turn.get('question') or turn.get('message') or [m['parameters'] for m in made]}"
        )
    assert scores["wrong"] == []
    assert len(scores["right"]) >= RIGHT, scores["asked"]
