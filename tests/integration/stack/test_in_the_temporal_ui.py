"""What engineers read in the Temporal UI, queried from the real server. Guarantees:

- The current details show the plan as a table: each step, its state, the known outcome, what it waits for and until
  when. A venue's text adds no markup of its own.
- Each timer and each activity has a summary. A write that did not do what was asked is a failed activity, and the
  venue's message is nowhere in plain text.
- The list tells a plan that can still be undone from one that is over, and one that was undone from one that failed,
  and since when a plan is in its phase.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from temporalio.api.enums.v1 import EventType
from temporalio.client import Client, WorkflowExecutionDescription, WorkflowHandle

from cli.stack.dev import Stack
from infra.temporal.client import data_converter
from infra.temporal.search_attributes import PHASE, SINCE
from tests.support.asking import asking
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_day, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.waiting import answered, soon
from workflows.plan.reports import details_of, phase_of

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

NOTE = ("edit_note", {"note": "Cake at noon"})
FULL = "18:00"


def handle(stack: Stack, plan: dict[str, Any]) -> WorkflowHandle[Any, Any]:
    assert stack.services is not None
    return stack.services.plans.client.get_workflow_handle(f"plan-{plan['plan_id']}")


async def details(stack: Stack, plan: dict[str, Any]) -> str:
    """Return the details as the UI queries them."""
    found = await handle(stack, plan).query("__temporal_workflow_metadata")
    return str(found["currentDetails"] if isinstance(found, dict) else found.current_details)


async def labelled(stack: Stack, plan: dict[str, Any], phase: str) -> WorkflowExecutionDescription:
    """Wait until the plan's label shows this phase; return its description."""

    async def says_so() -> bool:
        return (await handle(stack, plan).describe()).typed_search_attributes.get(PHASE) == phase

    await soon(says_so)
    return await handle(stack, plan).describe()


async def test_a_plan_that_waits_says_for_what_and_until_when(operator: Operator, party: Party, stack: Stack) -> None:
    guest, _ = await party(NOTE)
    plan = await operator.plan_for(asking(guest, NOTE))
    shown = await details(stack, plan)
    until = datetime.fromisoformat(plan["expires_at"]).astimezone(UTC)
    assert f"Waits for the operator to confirm, until {until:%Y-%m-%d %H:%M:%S} UTC; then it expires." in shown
    assert "| 1 | Edit booking note | pending | – | – | – |" in shown, shown


async def test_a_plan_that_is_done_can_be_undone_and_says_so(operator: Operator, party: Party, stack: Stack) -> None:
    guest, _ = await party(NOTE)
    before = datetime.now(UTC) - timedelta(seconds=2)
    plan = await operator.do(asking(guest, NOTE))
    shown = await details(stack, plan)
    assert "**completed**" in shown and "so that it can be undone" in shown
    assert "| 1 | Edit booking note | completed |" in shown
    found = await labelled(stack, plan, "completed, can be undone")
    since = found.typed_search_attributes.get(SINCE)
    assert since is not None and before < since < datetime.now(UTC) + timedelta(seconds=2)


async def test_a_failed_write_is_a_failed_activity_and_unreadable_without_the_keys(
    operator: Operator, roller: Roller, scripted: ScriptedModel, stack: Stack
) -> None:
    guest, day = a_name(), a_day()
    await roller.book(guest)
    calls = [NOTE, ("reschedule_booking", {"new_date": day, "new_start_time": FULL})]
    scripted.script(guest, look_up(guest), then(*calls), obey)
    pending = await operator.plan_for(asking(guest, *calls))
    await roller.fill(day, FULL)
    await operator.confirm(pending)
    plan = await operator.settled(pending)
    assert plan["status"] == "rolled_back", plan
    raw = (
        await (await Client.connect(stack.settings.temporal_address))
        .get_workflow_handle(f"plan-{plan['plan_id']}")
        .fetch_history()
    )
    names = {
        e.event_id: e.activity_task_scheduled_event_attributes.activity_type.name
        for e in raw.events
        if e.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED
    }
    failed = [e for e in raw.events if e.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED]
    assert [names[e.activity_task_failed_event_attributes.scheduled_event_id] for e in failed] == ["act"]
    failure = failed[0].activity_task_failed_event_attributes.failure
    assert failure.application_failure_info.type == "not_done"
    assert failure.message == "Encoded failure", "what the venue said is a secret of the keys"
    assert guest.encode() not in raw.to_json().encode()
    [converter] = [data_converter(stack.settings.ring())]
    error = await converter.decode_failure(failure)
    assert str(error.__cause__ or error), "and whoever has them can read it"


async def test_every_timer_and_activity_has_words(operator: Operator, party: Party, stack: Stack) -> None:
    guest, _ = await party(NOTE)
    plan = await operator.do(asking(guest, NOTE))
    history = await handle(stack, plan).fetch_history()
    wordless = []
    for event in history.events:
        timer = event.event_type == EventType.EVENT_TYPE_TIMER_STARTED
        if (
            timer or event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED
        ) and not event.user_metadata.summary.data:
            wordless.append(event.activity_task_scheduled_event_attributes.activity_type.name or "timer")
    assert wordless == []


async def test_what_a_venue_says_brings_no_markup(operator: Operator, party: Party, stack: Stack) -> None:
    assert stack.services is not None
    guest, _ = await party(NOTE)
    plan = await operator.plan_for(asking(guest, NOTE))
    plans = stack.services.plans
    view = await answered(lambda: plans.plan(plan["plan_id"]))
    hostile = view.plan.model_copy(update={"intent": "![x](http://evil.test) <b>| a `b`\n# c"})
    events = (await answered(lambda: plans.events(plan["plan_id"], 0))).events
    reported = details_of(hostile, events[-1]).splitlines()[0]
    assert reported == r"**pending confirmation**: \!\[x\]\(http://evil.test\) \<b\>\| a \`b\` \# c"


async def test_a_plan_that_is_past_undoing_is_not_stated_to_be_undoable(
    operator: Operator, party: Party, stack: Stack
) -> None:
    assert stack.services is not None
    guest, _ = await party(NOTE)
    plan = await operator.do(asking(guest, NOTE))
    plans = stack.services.plans
    live = (await answered(lambda: plans.plan(plan["plan_id"]))).plan
    assert live.undo_until is not None
    assert phase_of(live, live.undo_until - timedelta(seconds=1)) == "completed, can be undone"
    assert phase_of(live, live.undo_until) == "completed"


async def test_what_its_operator_took_back_is_reported(operator: Operator, party: Party, stack: Stack) -> None:
    guest, _ = await party(NOTE)
    plan = await operator.do(asking(guest, NOTE))
    await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)
    await labelled(stack, plan, "undone")


async def test_from_what_failed_and_was_put_back(
    operator: Operator, roller: Roller, party: Party, stack: Stack
) -> None:
    guest, _ = await party(NOTE, ("change_guest_count", {"guest_count": 14}))
    plan = await operator.plan_for(f"note: Cake at noon, and 14 guests, for {guest}")
    await roller.fault("update-a-booking", "status", status=409, skip=1)
    await operator.confirm(plan)
    await labelled(stack, plan, "rolled_back")
