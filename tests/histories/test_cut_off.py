"""The step statuses of a plan whose workflow was cut off, at every event of every recorded plan
(`clients/temporal/plans.py`).

- A step whose write was sent is never shown as one that has not begun, whatever the plan had published by then.
- While a write or its compensation is under way, that step is unknown; every other step has its known status.
- What the plan has published is shown once nothing is under way.
- The result of a completed step is not shown while the step is in doubt again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from temporalio.api.enums.v1 import EventType, TimeoutType
from temporalio.api.history.v1 import HistoryEvent

from clients.temporal.plans import as_history_tells
from contracts.chat_messages import PlanStart
from contracts.enums import StepStatus
from contracts.plan import ExecutionPlan
from tests.histories.test_replay import CONVERTER, PLANS, name_of, recorded

pytestmark = pytest.mark.asyncio

S = StepStatus


@dataclass
class Until:
    """A history up to one event: what the plan had published, and what was sent for which step."""

    events: list[HistoryEvent] = field(default_factory=list)
    plan: ExecutionPlan | None = None
    open: dict[int, int] = field(default_factory=dict)
    sent: set[int] = field(default_factory=set)

    async def add(self, event: HistoryEvent) -> None:
        self.events.append(event)
        if event.event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED:
            given = event.workflow_execution_started_event_attributes.input
            [start] = await CONVERTER.decode_wrapper(given, [PlanStart])
            self.plan = start.plan
        elif event.event_type == EventType.EVENT_TYPE_WORKFLOW_PROPERTIES_MODIFIED:
            memo = event.workflow_properties_modified_event_attributes.upserted_memo.fields["plan"]
            [self.plan] = await CONVERTER.decode([memo], [ExecutionPlan])
        elif event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
            await self._scheduled(event)
        else:
            ended = getattr(event, event.WhichOneof("attributes") or "", None)
            self.open.pop(getattr(ended, "scheduled_event_id", 0), None)

    async def _scheduled(self, event: HistoryEvent) -> None:
        scheduled = event.activity_task_scheduled_event_attributes
        if scheduled.activity_type.name not in ("act", "read_back", "undo_step"):
            return
        [request] = await CONVERTER.decode_wrapper(scheduled.input)
        if not request.get("look_only"):
            step = int(request["scope"]["idempotency_key"].split("-")[-1])
            self.open[event.event_id] = step
            self.sent.add(step)


async def shown(events: Sequence[HistoryEvent], plan: ExecutionPlan) -> dict[int, StepStatus]:
    """Return each step's status as it is shown."""
    seen = await as_history_tells(CONVERTER, events, plan)
    was = {action.step: action.status for action in plan.actions}
    doubted = {action.step for action in seen.actions if action.status is S.UNKNOWN is not was[action.step]}
    assert {result.step for result in seen.results} == {result.step for result in plan.results} - doubted
    return {action.step: action.status for action in seen.actions}


@pytest.mark.parametrize("path", PLANS, ids=name_of)
async def test_each_step_is_reported_as_far_as_it_came(path: Path) -> None:
    until = Until()
    for event in recorded(path).events:
        await until.add(event)
        plan = until.plan
        assert plan is not None
        steps, where = await shown(until.events, plan), f"{name_of(path)} at event {event.event_id}"
        assert S.RUNNING not in steps.values(), where
        assert {step for step in until.sent if steps[step] is S.PENDING} == set(), where
        under_way = set(until.open.values())
        assert {step for step in under_way if steps[step] is not S.UNKNOWN} == set(), where
        if event.event_type == EventType.EVENT_TYPE_WORKFLOW_PROPERTIES_MODIFIED:
            published = {a.step: a.status for a in plan.actions if a.status is not S.RUNNING}
            assert {k: v for k, v in published.items() if k not in under_way and steps[k] is not v} == {}, where


async def ways(name: str) -> list[str]:
    """Return the statuses of the steps, each time that they change."""
    [path] = [path for path in PLANS if name_of(path) == name]
    until, seen = Until(), list[str]()
    for event in recorded(path).events:
        await until.add(event)
        assert until.plan is not None
        steps = " ".join((await shown(until.events, until.plan)).values())
        if steps not in seen[-1:]:
            seen.append(steps)
    return seen


async def test_what_was_done_is_reported_before_the_plan_has_published_it() -> None:
    assert await ways("plan_rolled_back") == [
        "pending pending",
        "unknown pending",
        "completed pending",
        "completed unknown",
        "completed failed",
        "unknown failed",
        "reversed failed",
    ]
    undone = ["completed completed", "completed unknown", "completed reversed", "unknown reversed", "reversed reversed"]
    assert (await ways("plan_undone"))[-5:] == undone
    # A compensation that the venue refused for lack of a valid token has changed nothing.
    assert (await ways("plan_signed_in_again"))[-4:-1] == ["unknown failed", "completed failed", "unknown failed"]


@pytest.mark.parametrize(
    ("how", "known"),
    [
        (TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START, S.PENDING),
        (TimeoutType.TIMEOUT_TYPE_HEARTBEAT, S.UNKNOWN),
        (TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE, S.UNKNOWN),
    ],
)
async def test_a_call_that_was_lost_says_nothing_unless_no_worker_took_it_up(how: Any, known: StepStatus) -> None:
    until = Until()
    for event in recorded(PLANS[0]).events:
        await until.add(event)
        if until.open:
            break
    late = HistoryEvent(event_id=event.event_id + 1, event_type=EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT)
    late.activity_task_timed_out_event_attributes.scheduled_event_id = event.event_id
    late.activity_task_timed_out_event_attributes.failure.timeout_failure_info.timeout_type = how
    assert until.plan is not None
    assert (await shown([*until.events, late], until.plan))[1] is known
