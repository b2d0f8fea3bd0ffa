"""Messages about invalid values and about rejections by the calendar give the known reason. Guarantees:

- For a typed value that does not fit, iQ says why: the allowed length, no such day, hour or zone, or no such value of
  the step. Bounds are written as people write numbers.
- When the calendar answers "not found" to a create, iQ does not say that the meeting no longer exists.
"""

from typing import Any

import pytest

from tests.support.calendar import Calendar
from tests.support.operator import Operator

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WHY = {
    ("title", "x" * 200): "Title: this is too long; the most are 100 characters.",
    ("timezone", "Mars/Base"): "no time zone of that name can be sent.",
    ("date", "2027-02-30"): "there is no such day.",
    ("date", "soon"): "a day is written like 2026-12-31.",
    ("start_time", "99:00"): "there is no such time.",
    ("start_time", "noon"): "a time is written like 14:30.",
    ("nothing", "x"): "“nothing” is no value of step 2 that can be typed.",
    ("duration_minutes", 1): "the least is 5.",
}


async def test_a_typed_value_that_cannot_be_is_reported_why(colleague: Operator, calendar: Calendar) -> None:
    plan = await colleague.plan_for("schedule a meeting with Dana Levi on March 16 at 10am")
    for (parameter, value), why in WHY.items():
        values: list[dict[str, Any]] = [{"step": 2, "parameter": parameter, "value": value}]
        turn = await colleague.say(f"{parameter}: {value}", edit={"plan_id": plan["plan_id"], "values": values})
        assert turn["type"] == "answer" and why in turn["message"], (parameter, turn)
        assert "So this value was not taken" in turn["message"]
    assert (await colleague.look(plan))["status"] == "pending_confirmation"


async def test_what_was_never_made_is_not_stated_to_be_gone(colleague: Operator, calendar: Calendar) -> None:
    await calendar.fault("create-event", "status", status=404)
    done = await colleague.do("schedule a meeting with Priya Raman on March 16 at 2pm")
    shown = next(r["message"] for r in done["results"] if r["status"] == "failed")
    assert "no longer exists" not in str(done)
    assert shown.startswith("The calendar answered that something which this step needs is not there.")
