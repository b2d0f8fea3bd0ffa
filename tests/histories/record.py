"""Records one history of every path that a plan or a chat can take: `python -m tests.histories.record [NAME …]`.

The real stack runs in a temporary folder with the scripted model, and each workflow's history is written beside this
file as `NAME.json.gz`, as the Temporal UI downloads it (`gunzip -k` one for `iq replay FILE`). Payloads are encrypted
with the key in `test-only.keys`, which was made for these files and protects nothing. Nothing is released before 1.0:
where a workflow changes so that a history does not replay, record it again.
"""

import asyncio
import gzip
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, patch

from temporalio.client import WorkflowExecutionStatus, WorkflowHandle

import offline_planner
from cli.stack.dev import Stack
from contracts.chat_messages import ChatStart
from contracts.enums import EscalationStatus, RollbackState
from contracts.escalation import Resolve, StaffReplySignal
from infra.http.http_server import http_server
from tests.support.asking import asking
from tests.support.escalating import ASKS, people_are_asked
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, busy, decides, look_up, obey, says, then
from tests.support.stacks import a_stack
from tests.support.waiting import soon
from workflows.workflow_ids import chat_workflow, escalation_of_workflow, escalation_workflow

HERE = Path(__file__).parent
KEYS = HERE / "test-only.keys"

NOTE = ("edit_note", {"note": "Cake at noon"})
GUESTS = ("change_guest_count", {"guest_count": 14})
ASK: dict[str, Any] = {"ask_operator": {"question": "Which cake?"}}
CONFLICT = {"errors": [{"name": "X", "message": "no"}]}


@dataclass
class Set:
    """The stack, operator and venue of a path."""

    stack: Stack
    scripted: ScriptedModel
    operator: Operator
    roller: Roller
    guest: str
    booking: dict[str, Any]

    async def drafted(self, *calls: tuple[str, dict[str, Any]], then_model: tuple[Any, ...] = (obey,)) -> Any:
        """Draft a plan of these calls; `then_model` is the model's behaviour while it runs."""
        self.scripted.script(self.guest, look_up(self.guest), then(*calls), *then_model)
        return await self.operator.plan_for(asking(self.guest, *calls))

    async def ended(self, plan: dict[str, Any]) -> "Recorded":
        """Wait until its workflow has closed."""
        return await self._closed(f"plan-{plan['plan_id']}")

    async def confirmed(self, plan: dict[str, Any]) -> "Recorded":
        """Confirm it, and wait for the end."""
        await self.operator.confirm(plan)
        return await self.ended(plan)

    async def chat(self) -> "Recorded":
        """Wait until the first run of this chat has closed or continued as another."""
        return await self._closed(chat_workflow("roller-demo", self.operator.session))

    async def handed_over(self) -> "Recorded":
        """Return the workflow of an escalated message."""
        assert self.stack.services is not None
        with people_are_asked():
            turn = await self.operator.say(f"{ASKS} can {self.guest} bring a cake?")
        escalations = self.stack.services.escalations
        while True:
            starts = [view.start for view in (await escalations.list_page(tuple(EscalationStatus))).views]
            if found := [one.escalation_id for one in starts if one.reference == turn["reference"]]:
                return escalations.client.get_workflow_handle(escalation_workflow(found[0]))
            await asyncio.sleep(0.1)

    async def _closed(self, workflow_id: str) -> "Recorded":
        assert self.stack.services is not None
        client = self.stack.services.plans.client
        while True:
            runs = [r async for r in client.list_workflows(f'WorkflowId = "{workflow_id}"')]
            first = min(runs, key=lambda r: r.start_time, default=None)
            if first is not None and first.status is not WorkflowExecutionStatus.RUNNING:
                return client.get_workflow_handle(workflow_id, run_id=first.run_id)
            await asyncio.sleep(0.1)


Recorded = WorkflowHandle[Any, Any]
Path_ = Callable[[Set], Awaitable[Recorded]]


async def plan_completed(on: Set) -> Recorded:
    return await on.confirmed(await on.drafted(NOTE, GUESTS))


async def plan_undone(on: Set) -> Recorded:
    plan = await on.drafted(NOTE, GUESTS)
    await on.operator.confirm(plan)
    await on.operator.settled(plan)
    assert (await on.operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=on.operator.user)).status_code == 202
    return await on.ended(plan)


async def plan_failed_before_anything(on: Set) -> Recorded:
    await on.roller.fault("update-a-booking", "status", status=409, body=CONFLICT)
    return await on.confirmed(await on.drafted(NOTE))


async def plan_rolled_back(on: Set) -> Recorded:
    await on.roller.fault("update-a-booking", "status", status=409, skip=1, body=CONFLICT)
    await on.roller.fault("update-a-booking", "rate_limit", seconds=1, skip=1)
    return await on.confirmed(await on.drafted(NOTE, GUESTS))


async def plan_partly_rolled_back(on: Set) -> Recorded:
    other = await on.roller.book(f"{on.guest} Second")

    def both(_: dict[str, Any]) -> Any:
        note = {"booking_id": other["uniqueId"], "note": "Cake at noon"}
        return [{"cancel_booking": {"booking_id": on.booking["uniqueId"]}}, {"edit_note": note}]

    on.scripted.script(on.guest, look_up(on.guest), both, obey)
    first, second = on.booking["bookingReference"], other["bookingReference"]
    text = f"{on.guest}: cancel {first}, and add a note to {second}: Cake at noon"
    plan = await on.operator.plan_for(text)
    await on.roller.fault("update-a-booking", "status", status=409, body=CONFLICT)
    return await on.confirmed(plan)


async def plan_asked_and_answered(on: Set) -> Recorded:
    plan = await on.drafted(NOTE, then_model=(ASK, obey))
    await on.operator.confirm(plan)
    await on.operator.asked(plan)
    assert (await on.operator.answer(plan, "chocolate")).status_code == 200
    return await on.ended(plan)


async def plan_not_answered(on: Set) -> Recorded:
    return await on.confirmed(await on.drafted(NOTE, GUESTS, then_model=(obey, ASK)))


async def plan_expired(on: Set) -> Recorded:
    return await on.ended(await on.drafted(NOTE))


async def plan_cancelled_while_pending(on: Set) -> Recorded:
    plan = await on.drafted(NOTE)
    assert (await on.operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=on.operator.user)).status_code == 202
    return await on.ended(plan)


async def plan_superseded(on: Set) -> Recorded:
    plan = await on.drafted(GUESTS)
    amended = {"change_guest_count": {"booking_id": on.booking["uniqueId"], "guest_count": 15}}
    on.scripted.script(on.guest, amended)
    await on.operator.plan_for("make it 15 guests")
    return await on.ended(plan)


async def plan_cancelled_while_executing(on: Set) -> Recorded:
    plan = await on.drafted(NOTE, GUESTS)
    await on.roller.fault("update-a-booking", "delay", seconds=1)
    await on.operator.confirm(plan)
    await on.operator.until(plan, lambda p: p["actions"][0]["status"] == "running", 10)
    assert (await on.operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=on.operator.user)).status_code == 202
    return await on.ended(plan)


async def plan_widened(on: Set) -> Recorded:
    return await on.confirmed(await on.drafted(NOTE, GUESTS, then_model=(obey, {"cancel_booking": {}})))


async def plan_waited_for_model(on: Set) -> Recorded:
    return await on.confirmed(await on.drafted(NOTE, GUESTS, then_model=(obey, busy(retry_after="3"), obey)))


async def plan_unknown_outcome(on: Set) -> Recorded:
    plan = await on.drafted(NOTE, GUESTS)
    await on.roller.fault("update-a-booking", "drop_after")
    return await on.confirmed(plan)


async def plan_signed_in_again(on: Set) -> Recorded:
    token = f"token-{on.guest.replace(' ', '-')}"
    await on.roller.http.post("/_sandbox/tokens", json={"token": token})
    on.operator.http.headers["Authorization"] = f"Bearer {token}"
    plan = await on.drafted(NOTE, GUESTS)
    await on.roller.fault("update-a-booking", "status", status=409, body=CONFLICT, skip=1)
    await on.roller.fault("update-a-booking", "expire_token", skip=1)
    await on.operator.confirm(plan)

    async def waits() -> bool:
        assert on.stack.services is not None
        rollback = (await on.stack.services.plans.plan(plan["plan_id"])).plan.rollback
        return rollback is not None and rollback.state is RollbackState.WAITING_FOR_SIGN_IN

    await soon(waits)
    on.operator.http.headers["Authorization"] = "Bearer demo-operator"
    await on.operator.look(plan)
    return await on.ended(plan)


async def plan_confirm_withdrawn(on: Set) -> Recorded:
    assert on.stack.services is not None
    plan = await on.drafted(NOTE)
    with patch.object(on.stack.services.command_store, "commit", AsyncMock(return_value=False)):
        refused = await on.operator.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id=on.operator.user)
    assert refused.status_code == 503, refused.text
    return await on.confirmed(plan)


async def chat_plan_replaced(on: Set) -> Recorded:
    plan = await on.drafted(GUESTS)
    amended = {"change_guest_count": {"booking_id": on.booking["uniqueId"], "guest_count": 15}}
    on.scripted.script(on.guest, amended)
    other = await on.operator.plan_for("make it 15 guests")
    assert other["plan_id"] != plan["plan_id"]
    await on.operator.say("yes")
    return await on.chat()


async def chat_plan_drafted(on: Set) -> Recorded:
    await on.drafted(NOTE)
    await on.operator.say("yes")
    return await on.chat()


async def chat_clarified(on: Set) -> Recorded:
    family = on.guest.split()[1]
    await on.roller.book(f"Anna {family}")
    on.scripted.script(family, look_up(family), then(NOTE))
    turn = await on.operator.say(f"note: Cake at noon, for {family}")
    assert turn["type"] == "clarification", turn
    on.scripted.script(family, {"edit_note": {"booking_id": on.booking["uniqueId"], "note": "Cake at noon"}})
    await on.operator.say(on.guest.split()[0])
    return await on.chat()


async def chat_request_dropped(on: Set) -> Recorded:
    """A value corrects the pending plan, which stays; a request for something else drops it."""
    await on.drafted(GUESTS)
    on.scripted.script("16 guests", "Hello there.")
    await on.operator.say("scrap that, 16 guests")
    on.scripted.script("on Friday", "Hello there.")
    await on.operator.say("scrap that, on Friday")
    return await on.chat()


async def chat_undo_typed(on: Set) -> Recorded:
    plan = await on.drafted(NOTE, GUESTS)
    await on.operator.say("yes")
    await on.operator.settled(plan)
    assert on.guest in (await on.operator.say("what did you just change?"))["message"]
    assert (await on.operator.say("cancel that"))["type"] == "clarification"
    assert (await on.operator.say("the first one"))["plan"]["plan_id"] == plan["plan_id"]
    assert (await on.operator.settled(plan))["status"] == "rolled_back"
    return await on.chat()


async def chat_undo_chosen(on: Set) -> Recorded:
    """The draft asks which one is meant, so the question comes from an activity."""
    plan = await on.drafted(NOTE)
    await on.operator.say("yes")
    await on.operator.settled(plan)
    on.scripted.script(on.guest, {"cancel_booking": {"booking_id": on.booking["uniqueId"]}})
    assert (await on.operator.say("cancel the whole thing, please"))["type"] == "clarification"
    assert (await on.operator.say("the first one"))["plan"]["plan_id"] == plan["plan_id"]
    return await on.chat()


async def chat_answer_typed(on: Set) -> Recorded:
    plan = await on.drafted(NOTE, then_model=(ASK, obey))
    await on.operator.say("yes")
    await on.operator.asked(plan)
    assert (await on.operator.say("chocolate"))["plan"]["plan_id"] == plan["plan_id"]
    return await on.chat()


async def chat_critiqued(on: Set) -> Recorded:
    """Take a turn in adaptive mode: further context, a critique that fails once and asks, and one that escalates."""
    cancels = then(("cancel_booking", {}))
    on.scripted.script(on.guest, look_up(on.guest), cancels)
    on.scripted.critique(on.guest, says(500), decides("ASK_USER", "Which one of them?"))
    assert (await on.operator.say(f"cancel {on.guest}"))["type"] == "clarification"
    on.scripted.script(on.guest, look_up(on.guest), cancels)
    on.scripted.critique(on.guest, decides("ESCALATE", "unclear"))
    assert (await on.operator.say(f"cancel {on.guest}, I said"))["type"] == "escalation"
    return await on.chat()


async def chat_continued(on: Set) -> Recorded:
    on.scripted.script(on.guest, "Hello there.")
    for n in range(12):
        await on.operator.say(f"{on.guest} {n}")
    return await on.chat()


async def chat_closed_idle(on: Set) -> Recorded:
    on.scripted.script(on.guest, "Hello there.")
    await on.operator.say(on.guest)
    return await on.chat()


async def chat_person_answered(on: Set) -> Recorded:
    """Deliver a staff reply that wakes the chat after it has closed."""
    on.scripted.script(on.guest, "Hello there.")
    await on.operator.say(on.guest)
    await on.chat()
    assert on.stack.services is not None
    name = chat_workflow("roller-demo", on.operator.session)
    start = ChatStart(venue_id="roller-demo", session_id=on.operator.session, policy=on.stack.settings.chat_policy())
    says = StaffReplySignal(
        escalation_id="e-1", reference="1A2B3C4D", user_id=on.operator.user, message="Any cake.", by="Anna"
    )
    await on.stack.services.chats.staff_reply(name, start, says)
    client = on.stack.services.plans.client
    woken = client.get_workflow_handle(name, run_id=(await client.get_workflow_handle(name).describe()).run_id)
    await woken.result()
    return woken


async def escalation_resolved(on: Set) -> Recorded:
    """Let the venue's staff answer it, and refuse a second answer."""
    handle = await on.handed_over()
    assert on.stack.services is not None
    escalations, name = on.stack.services.escalations, escalation_of_workflow(handle.id)
    await escalations.resolve(name, Resolve(request_id="r-1", message="Any cake.", by="Anna"))
    await handle.result()
    return handle


async def escalation_lapsed(on: Set) -> Recorded:
    await (handle := await on.handed_over()).result()
    return handle


PATIENT: tuple[Path_, ...] = (
    plan_completed, plan_undone, plan_failed_before_anything, plan_rolled_back, plan_partly_rolled_back,
    plan_asked_and_answered, plan_cancelled_while_pending, plan_superseded, plan_cancelled_while_executing,
    plan_widened, plan_unknown_outcome, plan_signed_in_again, plan_confirm_withdrawn, chat_undo_typed,
    chat_undo_chosen, chat_answer_typed, escalation_resolved, plan_waited_for_model,
)  # fmt: skip
HASTY: tuple[Path_, ...] = (
    plan_not_answered, plan_expired, chat_plan_replaced, chat_plan_drafted, chat_clarified, chat_continued,
    chat_closed_idle, chat_request_dropped, chat_critiqued, chat_person_answered, escalation_lapsed,
)  # fmt: skip
"""Paths that a timer ends: on a stack whose timers run out in a second or two."""


@asynccontextmanager
async def _stack(data: Path, model_url: str, **settings: Any) -> AsyncIterator[Stack]:
    settings |= {"venue": {"undo_window_seconds: 900": "undo_window_seconds: 3"}, "key_file": KEYS}
    async with a_stack(data, model_base_url=model_url, **settings) as running:
        yield running


async def _play(stack: Stack, scripted: ScriptedModel, path: Path_) -> None:
    async with (
        Operator(f"http://127.0.0.1:{stack.ports.facade}") as operator,
        Roller(f"http://127.0.0.1:{stack.ports.roller}") as roller,
    ):
        guest = a_name()
        handle = await path(Set(stack, scripted, operator, roller, guest, await roller.book(guest)))
        await roller.clear_faults()
    # No time stamp in the file: recorded again, only real differences change it.
    packed = gzip.compress((await handle.fetch_history()).to_json().encode(), 9, mtime=0)
    await asyncio.to_thread((HERE / f"{path.__name__}.json.gz").write_bytes, packed)
    print(f"{path.__name__}: {len(packed) // 1024} KiB")


async def record(names: set[str]) -> None:
    """Play these paths, or all, and write their histories."""
    scripted = ScriptedModel(offline_planner.create_app())
    server = http_server(scripted.app, "127.0.0.1", 0)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    model_url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/v1"
    hasty = {"confirm_timeout": 2, "answer_timeout": 1, "chat_idle": 1.5, "chat_max_events": 60, "escalation_ttl": 2}
    for paths, settings in ((PATIENT, {"chat_idle": 5}), (HASTY, hasty)):
        with tempfile.TemporaryDirectory(prefix="iq-record-") as data:
            async with _stack(Path(data), model_url, **settings) as stack:
                for path in paths:
                    if not names or path.__name__ in names:
                        await _play(stack, scripted, path)
    server.should_exit = True
    await task


if __name__ == "__main__":
    asyncio.run(record(set(sys.argv[1:])))
