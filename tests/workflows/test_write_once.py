"""A write is sent once: the plan looks for a lost one, and retries one that never started. Guarantees:

- Temporal may attempt `act` once, and gives it up if no worker starts it in time.
- The plan reads back a write that was lost with its worker, and tries it again only when it can no longer land.
- A call that ends in an error of its own is read back and never sent again, because its worker is alive.
- A write that no worker started was certainly not sent: its step reads the booking again and retries a bounded number
  of times, then fails with a message that gives the reason. Nothing is undone for it.
- A step whose first attempt was lost is never reported as not sent, whatever stops its next one.
"""

from typing import Any

import pytest
from temporalio.api.enums.v1 import EventType
from temporalio.exceptions import ActivityError, ApplicationError, RetryState, TimeoutError, TimeoutType

from contracts.enums import ErrorType, PlanStatus, StepStatus
from contracts.step_activities import ActReply, ActRequest, SnapshotReply, WriteOutcome
from reasoning import error_messages
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import Play, Stage, a_step
from tests.workflows.test_cancellation import LANDED, LOST
from workflows.plan.activities import PlanActivities

pytestmark = pytest.mark.asyncio


def not_started() -> ActivityError:
    """Return the error that the workflow gets when no worker started a call."""
    error = ActivityError(
        "act", scheduled_event_id=1, started_event_id=0, identity="", activity_type="act", activity_id="1",
        retry_state=RetryState.TIMEOUT,
    )  # fmt: skip
    error.__cause__ = TimeoutError("late", type=TimeoutType.SCHEDULE_TO_START, last_heartbeat_details=[])
    return error


async def scheduled(play: Play, name: str) -> list[Any]:
    """Return how each call of an activity was scheduled."""
    return [
        event.activity_task_scheduled_event_attributes
        async for event in play.handle.fetch_history_events()
        if event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED
        and event.activity_task_scheduled_event_attributes.activity_type.name == name
    ]


async def test_the_service_tries_it_once_and_does_not_start_it_late(stage: Stage, effects: Effects) -> None:
    effects.script("act 1", LOST)
    effects.script("read_back 1", LANDED)
    play = await stage.confirmed(a_step(1), undo_window=0)
    assert (await play.ended()).status is PlanStatus.COMPLETED
    assert effects.made("act") == ["act 1"]
    assert effects.made("read_back") == ["read_back 1"]
    [act] = await scheduled(play, "act")
    assert act.retry_policy.maximum_attempts == 1
    assert 0 < act.schedule_to_start_timeout.ToTimedelta().total_seconds() <= 30
    assert act.heartbeat_timeout.ToTimedelta().total_seconds() >= 4


@pytest.mark.parametrize(("late", "ends"), [(1, PlanStatus.COMPLETED), (9, PlanStatus.FAILED)])
async def test_what_never_started_is_tried_on_a_fresh_snapshot(
    stage: Stage, effects: Effects, monkeypatch: pytest.MonkeyPatch, late: int, ends: PlanStatus
) -> None:
    send, tried = PlanActivities.act, []

    async def act(self: PlanActivities, request: ActRequest) -> ActReply:
        tried.append(request)
        if len(tried) <= late:
            raise not_started()
        return await send(self, request)

    monkeypatch.setattr(PlanActivities, "act", act)
    play = await stage.confirmed(a_step(1), undo_window=0)
    ended = await play.ended()
    assert ended.status is ends
    assert len(tried) == min(late + 1, 3)
    assert effects.made("snapshot") == ["snapshot 1"] * len(tried)
    assert effects.made("undo") == effects.made("read_back") == []
    if ends is PlanStatus.FAILED:
        assert ended.failure is not None and ended.rollback_report is None
        assert ended.failure.error_type is ErrorType.TIMEOUT
        assert "was not sent" in ended.failure.message


@pytest.mark.parametrize(("times", "ends"), [(1, PlanStatus.COMPLETED), (9, PlanStatus.FAILED)])
async def test_what_was_lost_and_can_no_longer_land_is_tried_on_a_fresh_snapshot(
    stage: Stage, effects: Effects, times: int, ends: PlanStatus
) -> None:
    effects.script("act 1", *[LOST] * times)
    ended = await (await stage.confirmed(a_step(1), undo_window=0)).ended()
    assert ended.status is ends
    tries = min(times + 1, 3)
    assert effects.made("act") == ["act 1"] * tries
    assert effects.made("snapshot") == ["snapshot 1"] * tries
    assert effects.made("read_back") == ["read_back 1"] * min(times, 3), "each loss is looked into first"
    if ends is PlanStatus.FAILED:
        assert ended.failure is not None and "Nothing of this change shows" in ended.failure.message


async def test_what_ended_in_an_error_of_its_own_is_not_sent_again(stage: Stage, effects: Effects) -> None:
    broken = ApplicationError("record layer failure", type="SSLError", non_retryable=True)
    effects.script("act 1", *[broken] * 3)
    ended = await (await stage.confirmed(a_step(1), undo_window=0)).ended()
    assert (ended.status, effects.made("act"), effects.made("read_back")) == (
        PlanStatus.FAILED, ["act 1"], ["read_back 1"],
    )  # fmt: skip
    assert ended.failure is not None and "was not sent" not in ended.failure.message


async def test_what_was_lost_and_may_still_land_is_not_tried_again(stage: Stage, effects: Effects) -> None:
    effects.script("act 1", LOST)
    effects.script("read_back 1", ActReply(write_outcome=WriteOutcome.UNKNOWN))
    ended = await (await stage.confirmed(a_step(1))).ended()
    assert effects.made("act") == ["act 1"]
    assert ended.failure is not None and ended.failure.error_type is ErrorType.UNKNOWN_OUTCOME


BUSY = ActReply(write_outcome=WriteOutcome.NOT_APPLIED, sent=False, failure=error_messages.lock_error())
CHANGED = ActReply(write_outcome=WriteOutcome.NOT_APPLIED, sent=False, failure=error_messages.drift_error())


@pytest.mark.parametrize("next_try", [BUSY, CHANGED, "no worker", "drift", "cancel"])
async def test_a_step_that_was_lost_is_not_stated_to_be_unsent(
    stage: Stage, effects: Effects, monkeypatch: pytest.MonkeyPatch, next_try: ActReply | str
) -> None:
    send, tried = PlanActivities.act, []

    async def act(self: PlanActivities, request: ActRequest) -> ActReply:
        tried.append(request)
        if len(tried) > 1 and next_try == "no worker":
            raise not_started()
        return await send(self, request)

    monkeypatch.setattr(PlanActivities, "act", act)
    effects.script("act 1", LOST, next_try if isinstance(next_try, ActReply) else LOST)
    looking = effects.hold("read_back 1")
    play = await stage.confirmed(a_step(1), a_step(2), undo_window=0)
    await looking.reached.wait()
    if next_try == "drift":
        effects.script("snapshot 1", SnapshotReply(drifted=(1,)))
    if next_try == "cancel":
        await play.cancel()
    looking.let_go()
    ended = await play.ended()
    [first, *_] = ended.results
    shown = " ".join([ended.failure.message if ended.failure else "", first.message or ""])
    assert "not sent" not in shown and first.status in (StepStatus.FAILED, StepStatus.UNKNOWN), ended
