"""Drafting is a pipeline whose stages read only through `DraftReads`, in this order: bookings again, then for each call
the state that it depends on, then availability.

- Nothing is read for a call whose values are not grounded, and no availability is checked for a plan that differs from
  the message: what can be asked or corrected without the venue comes first.
- A check of availability that is a step of the plan is announced once, after all previews are read and before it.
- The same state gives the same reply: a stage changes no state that it was given.
- The confidence in a plan depends on whether the message names the booking of each step.
- A check that is no step may fail or take too long; the plan is drafted without it. One that is a step ends the draft.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from activities.drafting.pipeline import run_pipeline
from activities.drafting.state import DraftState
from activities.look_up import detail_look_ups
from clients.venue.errors import VenueError
from clients.venue.reads import Snapshot
from contracts.action import AtomicAction, PlannedReadTemplate
from contracts.base import Json
from contracts.booking import BookingSummary, FoundBookings
from contracts.chat_completion import ToolCall
from contracts.drafting import DraftReply, DraftRequest
from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from reasoning.drafting.alternatives import ConditionalRequest
from registry import BoundAction
from tests.support.shipped import shipped

pytestmark = pytest.mark.asyncio

PACK = shipped("roller")
NOW = datetime.now(ZoneInfo(PACK.profile.time_zone)).replace(hour=9, minute=0, second=0, microsecond=0)
DAY = (NOW + timedelta(days=3)).date().isoformat()
JONES = BookingSummary(
    booking_id="4711", reference="8084", guest_name="Jones", date=DAY, start_time="14:00", guest_count=4
)
ITEM = {
    "bookingItemId": "1",
    "productId": 9,
    "bookingDate": DAY,
    "sessionStartTime": "14:00",
    "sessionEndTime": "15:00",
    "quantity": 4,
    "cost": 10,
    "tickets": [],
}
BOOKING: dict[str, Json] = {
    "uniqueId": "4711",
    "bookingReference": "8084",
    "name": "Jones",
    "status": "Confirmed",
    "customerId": 5,
    "total": 40,
    "items": [ITEM],  # type: ignore[dict-item]
}
STEP = PlannedReadTemplate(name="check_sessions", title="Check sessions", done="free", lacking="Full then.")


class Reads:
    """Reads that answer at once, and note what was read. `room` is the answer about availability."""

    def __init__(self, room: VenueFailure | str | Exception = "free") -> None:
        self.room, self.made, self.announced = room, list[str](), list[DraftReply]()

    async def bookings(
        self, look_ups: Mapping[str, AtomicAction], known: tuple[BookingSummary, ...]
    ) -> dict[str, BookingSummary | None]:
        self.made.append("bookings")
        return {}

    async def snapshot(self, bound: BoundAction) -> Snapshot:
        self.made.append(f"snapshot of {bound.action.name}")
        return Snapshot(document=BOOKING, answers=[("", "key", BOOKING)])

    async def preview(self, bound: BoundAction) -> dict[str, Json]:
        return {read.name: None for read in bound.action.preview_reads}

    async def availability(self, bound: BoundAction) -> VenueFailure | str:
        self.made.append(f"availability for {bound.action.name}")
        if isinstance(self.room, Exception):
            raise self.room
        return self.room

    async def announce(self, draft: DraftReply) -> None:
        self.made.append("announced")
        self.announced.append(draft)


def state_of(message: str, *calls: ToolCall, as_step: bool = False) -> DraftState:
    """Return the state of a draft at its start, with Jones's booking just looked up. `as_step`: availability is a step
    of each move."""
    actions = dict(PACK.actions)
    if as_step:
        move = actions["reschedule_booking"]
        assert move.availability is not None
        actions[move.name] = move.model_copy(
            update={"availability": move.availability.model_copy(update={"step": STEP})}
        )
    found = (FoundBookings(rows=(JONES,), asked=("Jones",)),)
    request = DraftRequest(
        venue_id="v", token_ref="t", calls=calls, now=NOW, operator_messages=(message,), found=found, request_id="r"
    )
    return DraftState(
        request=request,
        profile=PACK.profile,
        now=NOW,
        actions=actions,
        detail_look_ups=detail_look_ups(actions),
        creating_actions=frozenset(),
        conditional=ConditionalRequest((message,), calls, (), NOW, PACK.profile, (), (JONES,)),
    )


def move(to: str) -> ToolCall:
    return ToolCall(
        id="1",
        name="reschedule_booking",
        kind="write",
        arguments={"booking_id": "4711", "new_start_time": to},
        bookings=("booking_id",),
    )


async def test_a_plan_is_read_for_in_order() -> None:
    reads = Reads()
    reply = await run_pipeline(state_of("move Jones to 4pm", move("16:00")), reads)
    assert [step.action.name for step in reply.steps] == ["reschedule_booking"], reply
    assert reads.made == ["bookings", "snapshot of reschedule_booking", "availability for reschedule_booking"]


@pytest.mark.parametrize(("message", "confidence"), [("move Jones to 4pm", 10), ("move it to 4pm", 8)])
async def test_a_booking_that_the_message_does_not_name_lowers_the_confidence(message: str, confidence: int) -> None:
    state = state_of(message, move("16:00"))
    spoken = {"known": (JONES,), "spoken": (JONES.booking_id,), "found": ()}
    state = replace(state, request=state.request.model_copy(update=spoken))
    assert (await run_pipeline(state, Reads())).confidence == confidence


async def test_values_are_asked_for_before_anything_is_read_for_them() -> None:
    reads = Reads()
    reply = await run_pipeline(state_of("move Jones to another time", move("16:00")), reads)
    assert reply.question and not reply.steps
    assert reads.made == ["bookings"]


async def test_a_plan_that_differs_is_corrected_before_availability_is_checked() -> None:
    reads = Reads()
    reply = await run_pipeline(state_of("move Jones to 4pm and make it 6 people", move("16:00")), reads)
    assert reply.difference and reply.problems
    assert reads.made == ["bookings", "snapshot of reschedule_booking"]


async def test_a_check_that_is_a_step_is_announced_once_before_it() -> None:
    reads = Reads(room="16:00 has room.")
    reply = await run_pipeline(state_of("move Jones to 4pm", move("16:00"), as_step=True), reads)
    assert reads.made[-2:] == ["announced", "availability for reschedule_booking"]
    [announced] = reads.announced
    assert [(r.title, r.result) for r in announced.reads] == [("Check sessions", None)]
    assert [(r.title, r.result, r.error_type) for r in reply.reads] == [("Check sessions", "16:00 has room.", None)]
    assert len(announced.steps) == len(reply.steps) == 1


async def test_no_availability_ends_the_draft() -> None:
    full = VenueFailure(error_type=ErrorType.CONFLICT, message="That session is full.")
    reply = await run_pipeline(state_of("move Jones to 4pm", move("16:00"), as_step=True), Reads(full))
    assert reply.question == "That session is full." and reply.no_availability and not reply.steps
    assert [(r.result, r.error_type) for r in reply.reads] == [("Full then.", ErrorType.CONFLICT)]


@pytest.mark.parametrize(
    "error", [TimeoutError(), VenueError(VenueFailure(error_type=ErrorType.TIMEOUT, message="x"), sent=True)]
)
async def test_a_check_that_fails_is_passed_over_unless_it_is_a_step(error: Exception) -> None:
    message = "move Jones to 4pm"
    assert (await run_pipeline(state_of(message, move("16:00")), Reads(error))).steps
    ended = await run_pipeline(state_of(message, move("16:00"), as_step=True), Reads(error))
    assert ended.failure is not None and not ended.steps


async def test_no_stage_changes_the_state_that_it_was_given() -> None:
    state = state_of("move Jones to 4pm", move("16:00"), as_step=True)
    before = replace(state)
    first, second = [await run_pipeline(state, Reads("16:00 has room.")) for _ in range(2)]
    assert state == before
    times = {"reads": ()}
    assert first.model_copy(update=times) == second.model_copy(update=times)
