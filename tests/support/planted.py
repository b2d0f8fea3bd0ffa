"""Situations for on-call, planted on a running stack: kinds that `iq stuck` names, and waits that are healthy."""

from typing import Any
from uuid import uuid4

import pytest

from cli.stack.dev import Stack
from contracts.chat_messages import PlanStart
from infra.errors import DependencyUnavailableError
from tests.support.escalating import ASKS
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.stacks import own_token
from tests.support.waiting import answered, soon
from tests.support.webhook import Receiver, refuses
from workflows.plan.prompts import Prompts
from workflows.plan.workflow import PlanWorkflow
from workflows.workflow_ids import escalation_workflow, plan_workflow

NOTE = ("edit_note", {"note": "Cake at noon"})
GUESTS = ("change_guest_count", {"guest_count": 14})
CONFLICT = {"errors": [{"name": "X", "message": "no"}]}
ASK = {"ask_operator": {"question": "Which cake?"}}


class Planted:
    """Operators each with a separate chat, and the planted workflows by kind."""

    def __init__(self, stack: Stack, roller: Roller, scripted: ScriptedModel, desk: Receiver) -> None:
        self.stack = stack
        self.roller = roller
        self.scripted = scripted
        self.desk = desk
        self.operators: list[Operator] = []
        self.kinds: dict[str, str] = {}
        self.plans: dict[str, tuple[Operator, dict[str, Any]]] = {}

    @property
    def client(self) -> Any:
        """Return Temporal's client."""
        assert self.stack.services is not None
        return self.stack.services.plans.client

    async def operator(self) -> Operator:
        """Return an operator with a fresh chat and a separate token."""
        one = Operator(f"http://127.0.0.1:{self.stack.ports.facade}", token=await own_token(self.stack))
        self.operators.append(one)
        return one

    async def drafted(self, *calls: Any, model: tuple[Any, ...] = (obey,)) -> tuple[Operator, Any, Any]:
        """Return (operator, plan, booking) of a pending plan."""
        guest, one = a_name(), await self.operator()
        booking = await self.roller.book(guest)
        self.scripted.script(guest, look_up(guest), then(*calls), *model)
        text = " and ".join("note: Cake at noon" if name == "edit_note" else "14 guests" for name, _ in calls)
        return one, await one.plan_for(f"{text}, for {guest}"), booking

    async def confirmed(self, *calls: Any, model: tuple[Any, ...] = (obey,)) -> tuple[Operator, Any]:
        """Return (operator, plan) of a confirmed plan."""
        one, plan, _ = await self.drafted(*calls, model=model)
        await one.confirm(plan)
        return one, plan

    async def cancels(self) -> tuple[Operator, Any, Any]:
        """Return (operator, plan, booking): an irreversible cancellation, and then a note for another."""
        guest, one = a_name(), await self.operator()
        first, other = await self.roller.book(guest), await self.roller.book(f"{guest} Second")

        def both(_: dict[str, Any]) -> Any:
            note = {"booking_id": other["uniqueId"], "note": "moved"}
            return [{"cancel_booking": {"booking_id": first["uniqueId"]}}, {"edit_note": note}]

        self.scripted.script(guest, look_up(guest), both, obey)
        text = f"cancel {first['bookingReference']}, and on {other['bookingReference']} for {guest} the note: moved"
        return one, await one.plan_for(text), first

    async def handed_over(self) -> str:
        """Return the workflow of an escalated message."""
        one = await self.operator()
        turn = await one.say(f"{ASKS} can they bring a cake?")
        assert self.stack.services is not None
        found: list[str] = []

        async def there() -> bool:
            async for row in self.client.list_workflows('WorkflowType = "Escalation"'):
                if row.id.removeprefix("escalation-")[:8].upper() == turn["reference"]:
                    found.append(row.id)
            return bool(found)

        await soon(there)
        return escalation_workflow(found[0].removeprefix("escalation-"))


async def healthy(on: Planted) -> list[str]:
    """Plant workflows that wait for an operator or staff, or that have ended."""
    _, pending, _ = await on.drafted(NOTE)
    _, undoable = await on.confirmed(NOTE)
    one, asking = await on.confirmed(NOTE, model=(ASK,))
    await one.asked(asking)
    two, dropped, _ = await on.drafted(NOTE)
    await two.post(f"/v1/plans/{dropped['plan_id']}/cancel", user_id=two.user)
    await on.roller.fault("update-a-booking", "status", status=409, body=CONFLICT)
    three, failed = await on.confirmed(NOTE)
    await three.settled(failed)
    await on.roller.fault("update-a-booking", "status", status=409, skip=1, body=CONFLICT)
    four, rolled_back = await on.confirmed(NOTE, GUESTS)
    assert (await four.settled(rolled_back))["rollback_report"]["outcome"] == "complete"
    five, undone = await on.confirmed(NOTE)
    await five.settled(undone)
    assert (await five.post(f"/v1/plans/{undone['plan_id']}/undo", user_id=five.user)).status_code == 202
    await five.until(undone, lambda p: p["status"] == "rolled_back")
    await on.roller.fault("update-a-booking", "expire_token", skip=1)
    _, signed_out = await on.confirmed(NOTE, GUESTS)
    assert on.stack.services is not None
    services = on.stack.services

    async def waits() -> bool:
        plan = (await answered(lambda: services.plans.plan(signed_out["plan_id"]))).plan
        return plan.rollback is not None and plan.rollback.state == "waiting_for_sign_in"

    await soon(waits)
    fresh = await on.handed_over()
    plans = (pending, undoable, asking, dropped, failed, rolled_back, undone, signed_out)
    return [plan_workflow(p["plan_id"]) for p in plans] + [fresh]


async def unknown_outcome(on: Planted) -> str:
    """Plant a cancellation whose answer is lost, and a booking that cannot be read any more."""
    one, plan, booking = await on.cancels()
    await on.roller.fault("cancel-a-booking", "drop_before")
    reads = {"status": 403, "times": 200, "path": f"/bookings/{booking['uniqueId']}"}
    await on.roller.fault("get-booking-detail", "status", skip=2, **reads)
    await one.confirm(plan)
    ended = await one.settled(plan)
    assert ended["actions"][0]["status"] == "unknown", ended
    on.plans["unknown_outcome"] = (one, plan)
    return plan_workflow(plan["plan_id"])


async def manual_steps(on: Planted) -> str:
    """Plant a cancellation that stays applied, before a step that the venue refused."""
    one, plan, _ = await on.cancels()
    await on.roller.fault("update-a-booking", "status", status=409, body=CONFLICT)
    await one.confirm(plan)
    assert (await one.settled(plan))["rollback_report"]["outcome"] == "partial"
    return plan_workflow(plan["plan_id"])


async def cut_off(on: Planted) -> str:
    """Plant a plan that was terminated while it asked."""
    one, plan = await on.confirmed(NOTE, model=(ASK,))
    await one.asked(plan)
    name = plan_workflow(plan["plan_id"])
    await on.client.get_workflow_handle(name).terminate("by mistake")
    return name


async def no_worker(on: Planted) -> str:
    """Plant a plan on a queue without a worker."""
    _, plan, _ = await on.drafted(NOTE)
    handle = on.client.get_workflow_handle(plan_workflow(plan["plan_id"]))
    async for event in handle.fetch_history_events():
        given = event.workflow_execution_started_event_attributes.input
        [start] = await on.client.data_converter.decode_wrapper(given, [PlanStart])
        break
    other = str(uuid4())
    copy = start.model_copy(update={"plan": start.plan.model_copy(update={"plan_id": other})})
    await on.client.start_workflow(PlanWorkflow.run, copy, id=plan_workflow(other), task_queue="nobody")
    return plan_workflow(other)


async def retrying(on: Planted, patch: pytest.MonkeyPatch) -> str:
    """Make the ledger unavailable."""
    assert on.stack.services is not None

    async def away(_: Any) -> None:
        raise DependencyUnavailableError("ledger", "the ledger did not answer in time")

    patch.setattr(on.stack.services.escalation_ledger, "note", away)
    name = await on.handed_over()

    async def shown() -> bool:
        return any(body["escalation_id"] in name for body in on.desk.bodies)

    await soon(shown)
    return name


async def webhook(on: Planted) -> str:
    """Break the venue's webhook receiver. Its notes in the ledger succeed."""
    on.desk.usual = refuses(500)
    assert on.stack.services is not None
    ledger = on.stack.services.escalation_ledger
    broken_note = ledger.note
    del ledger.__dict__["note"]
    try:
        name = await on.handed_over()

        async def noted() -> bool:
            return await ledger.find(name.removeprefix("escalation-")) is not None

        await soon(noted)
        return name
    finally:
        ledger.note = broken_note  # type: ignore[method-assign]


async def rollback_retrying(on: Planted) -> str:
    """Let the venue refuse a step, while the one before it cannot be read for its undo."""
    one, plan, booking = await on.drafted(NOTE, GUESTS)
    await on.roller.fault("update-a-booking", "status", status=409, skip=1, body=CONFLICT)
    await one.confirm(plan)
    await one.until(plan, lambda p: p["actions"][0]["status"] == "completed")
    reads = {"status": 503, "times": 500, "path": f"/bookings/{booking['uniqueId']}"}
    await on.roller.fault("get-booking-detail", "status", **reads)
    on.plans["rollback_retrying"] = (one, plan)
    return plan_workflow(plan["plan_id"])


def broken(*_: Any) -> None:
    """Raise, like code that a deploy broke."""
    raise RuntimeError("a defect")


async def task_fails(on: Planted, patch: pytest.MonkeyPatch) -> str:
    """Send a signal that the workflow's code fails on."""
    one, plan = await on.confirmed(NOTE, model=(ASK,))
    await one.asked(plan)
    patch.setattr(Prompts, "receive_answer", broken)
    await one.answer(plan, "chocolate")
    return plan_workflow(plan["plan_id"])


async def one_of_each(on: Planted, patch: pytest.MonkeyPatch) -> dict[str, str]:
    """Plant each kind that needs an engineer, with the id of its workflow or task queue."""
    return {
        "unknown_outcome": await unknown_outcome(on),
        "manual_steps": await manual_steps(on),
        "cut_off": await cut_off(on),
        "no_worker": await no_worker(on),
        "retrying": await retrying(on, patch),
        "webhook": await webhook(on),
        "rollback_retrying": await rollback_retrying(on),
        "task_fails": await task_fails(on, patch),
    }
