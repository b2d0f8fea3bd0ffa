"""`iq stuck` over a running stack, its printed commands typed into a real shell.

- It names each planted kind of what needs a person, with its age and the reason, and once the command it prints was
  typed that is gone.
- It is silent on what waits for its operator or for its time: ten kinds of that stand beside.
- The exit code is 0, 1 or 2; what a person has seen to stays seen to, and stands on the plan's page and with its
  operator.
- A decision that nobody asked for is refused, and changes nothing.
"""

import asyncio
import contextlib
import os
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from temporalio.api.operatorservice.v1 import RemoveSearchAttributesRequest

from cli.dev import Stack
from clients.executions import Executions
from contracts.messages import PlanStart
from infra.keyring import add_to_file, new_key_line, parse_ring
from infra.ledger.database import LedgerAwayError
from infra.search_attributes import USER
from tests.support.escalating import ASKS, people_are_asked
from tests.support.oncall import Terminal
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.stacks import a_stack, free_base, own_token
from tests.support.waiting import soon
from tests.support.webhook import SECRET, Receiver, hears, refuses, served
from workflows.ids import escalation_workflow, plan_workflow
from workflows.plan import PlanWorkflow
from workflows.questions import Questions

pytestmark = pytest.mark.asyncio

NOTE = ("edit_note", {"note": "Cake at noon"})
GUESTS = ("change_guest_count", {"guest_count": 14})
CONFLICT = {"errors": [{"name": "X", "message": "no"}]}
ASK = {"ask_operator": {"question": "Which cake?"}}
SOON = ("--minutes", "0.05")


@pytest.fixture(autouse=True, scope="module")
def _asked() -> Iterator[None]:
    with people_are_asked():
        yield


@pytest.fixture(scope="module")
def desk() -> Receiver:
    """The venue's webhook."""
    return Receiver(free_base(1))


@pytest.fixture(scope="module")
async def hall(model_url: str, desk: Receiver, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """A stack of this file's own: everything in it is planted here."""
    says = f'tariff: pro\nescalation: {{webhook: "{desk.address}", secret: "${{DESK_SECRET}}"}}\n'
    data = tmp_path_factory.mktemp("hall")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DESK_SECRET", SECRET)
        async with (
            served(desk),
            a_stack(
                data,
                venue={"tariff: pro\n": says},
                model_base_url=model_url,
                webhook_private=True,
                rollback_within=300,
                call_timeout=2,
            ) as running,
        ):
            yield running


@pytest.fixture(scope="module")
def terminal(hall: Stack) -> Terminal:
    """On-call's."""
    return Terminal(hall, DESK_SECRET=SECRET)


class Planted:
    """The stage: operators each with a chat of their own, and what was planted by kind."""

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
        """Temporal's."""
        assert self.stack.services is not None
        return self.stack.services.plans.client

    async def operator(self) -> Operator:
        """Somebody with a fresh chat and a token of their own."""
        one = Operator(f"http://127.0.0.1:{self.stack.ports.facade}", token=await own_token(self.stack))
        self.operators.append(one)
        return one

    async def drafted(self, *calls: Any, model: tuple[Any, ...] = (obey,)) -> tuple[Operator, Any, Any]:
        """(operator, plan, booking) of a plan that waits."""
        guest, one = a_name(), await self.operator()
        booking = await self.roller.book(guest)
        self.scripted.script(guest, look_up(guest), then(*calls), *model)
        said = " and ".join("note: Cake at noon" if name == "edit_note" else "14 guests" for name, _ in calls)
        return one, await one.plan_for(f"{said}, for {guest}"), booking

    async def confirmed(self, *calls: Any, model: tuple[Any, ...] = (obey,)) -> tuple[Operator, Any]:
        """The same, confirmed."""
        one, plan, _ = await self.drafted(*calls, model=model)
        await one.confirm(plan)
        return one, plan

    async def cancels(self) -> tuple[Operator, Any, Any]:
        """(operator, plan, booking): a cancellation, which nothing brings back, and then a note for another."""
        guest, one = a_name(), await self.operator()
        first, other = await self.roller.book(guest), await self.roller.book(f"{guest} Second")

        def both(_: dict[str, Any]) -> Any:
            note = {"booking_id": other["uniqueId"], "note": "moved"}
            return [{"cancel_booking": {"booking_id": first["uniqueId"]}}, {"edit_note": note}]

        self.scripted.script(guest, look_up(guest), both, obey)
        said = f"cancel {first['bookingReference']}, and on {other['bookingReference']} for {guest} the note: moved"
        return one, await one.plan_for(said), first

    async def handed_over(self) -> str:
        """The workflow of a message that was handed to a person."""
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


@pytest.fixture(scope="module")
async def stage(hall: Stack, scripted: ScriptedModel, desk: Receiver) -> AsyncIterator[Planted]:
    """All of it, planted once."""
    async with Roller(f"http://127.0.0.1:{hall.ports.roller}") as roller:
        found = Planted(hall, roller, scripted, desk)
        try:
            yield found
        finally:
            for one in found.operators:
                await one.http.aclose()


async def healthy(on: Planted) -> list[str]:
    """What waits for somebody else, or is over and done with."""
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
    await five.until(undone, lambda p: p["status"] == "rolled_back", 20)
    await on.roller.fault("update-a-booking", "expire_token", skip=1)
    _, signed_out = await on.confirmed(NOTE, GUESTS)
    assert on.stack.services is not None
    services = on.stack.services

    async def waits() -> bool:
        plan = (await services.plans.plan(signed_out["plan_id"])).plan
        return plan.rollback is not None and plan.rollback.state == "waiting_for_sign_in"

    await soon(waits)
    fresh = await on.handed_over()
    plans = (pending, undoable, asking, dropped, failed, rolled_back, undone, signed_out)
    return [plan_workflow(p["plan_id"]) for p in plans] + [fresh]


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_what_needs_a_person_is_named_and_its_command_settles_it(
    stage: Planted, terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    waits = await healthy(stage)
    assert await terminal.stuck(*SOON) == [], "it is silent on healthy waits"
    code, said, _ = await terminal.run("iq stuck --minutes 0.05")
    assert (code, "Nothing needs a person" in said) == (0, True), said
    await stage.roller.clear_faults()

    planted = {
        "unknown_outcome": await unknown_outcome(stage),
        "manual_steps": await manual_steps(stage),
        "cut_off": await cut_off(stage),
        "no_worker": await no_worker(stage),
        "retrying": await retrying(stage, monkeypatch),
        "webhook": await webhook(stage),
        "rollback_retrying": await rollback_retrying(stage),
        "task_fails": await task_fails(stage, monkeypatch),
    }
    found: dict[str, dict[str, Any]] = {}

    async def all_of_them() -> bool:
        rows = await terminal.stuck(*SOON)
        found.clear()
        found.update({row["kind"]: row for row in rows})
        assert len(found) == len(rows), rows
        return found.keys() >= planted.keys()

    try:
        await soon(all_of_them, 60)
    except TimeoutError:
        raise AssertionError(f"{planted.keys() - found.keys()} not among {found}") from None
    assert found.keys() == planted.keys(), found
    code, said, _ = await terminal.run("iq stuck --minutes 0.05")
    assert code == 1 and all(row["commands"][0] in said for row in found.values()), said
    for kind, subject in planted.items():
        assert subject in f"{found[kind]['subject']} {found[kind]['reason']}", found[kind]
        assert found[kind]["age_seconds"] >= 0 and len(found[kind]["reason"]) > 30, found[kind]
    assert not {row["subject"] for row in found.values()} & set(waits)
    assert "ledger" in found["retrying"]["reason"].lower(), "with its last error"
    assert "a defect" in found["task_fails"]["reason"], "with what it failed on"

    # A workflow that can never be mended is ended while it fails.
    code, said, errors = await terminal.run(found["task_fails"]["commands"][0])
    assert code == 0, (said, errors)
    # Of the others what the reasons tell is seen to first; then what is printed is typed.
    monkeypatch.undo()
    await stage.roller.clear_faults()
    stage.desk.usual = hears
    at_once = ("unknown_outcome", "manual_steps", "cut_off", "retrying", "webhook", "rollback_retrying")
    typed = await asyncio.gather(*(terminal.run(found[kind]["commands"][0]) for kind in at_once))
    assert [code for code, *_ in typed] == [0] * len(at_once), typed
    await typed_worker(terminal, found["no_worker"]["commands"][0], stage, planted["no_worker"], tmp_path)

    async def nothing() -> bool:
        return await terminal.stuck(*SOON) == []

    await soon(nothing, 30)
    await seen_to(stage, terminal, planted)


async def seen_to(on: Planted, terminal: Terminal, planted: dict[str, str]) -> None:
    """A decision stands on the plan's page and with its operator, and none is taken that nobody asked for."""
    one, plan = on.plans["unknown_outcome"]
    shown = (await one.look(plan))["decisions"]
    assert [(d["decision"], d["step"]) for d in shown] == [("applied", 1)]
    _, page, _ = await terminal.run(f"iq plan {plan['plan_id']}")
    assert "decided    step 1: applied – " in page
    pending = (await on.drafted(NOTE))[1]
    refused = (
        (f"iq resolve {planted['unknown_outcome']} --step 2 --applied", "is not one of unknown outcome"),
        (f"iq resolve {planted['manual_steps']} --done", "leaves nothing to a person"),
        (f"iq resolve {planted['cut_off']} --end", "has ended"),
        ("iq resolve plan-nowhere --done", "no such plan"),
        (f"iq resolve {planted['manual_steps']}", "say one of"),
        (f"iq resolve {planted['manual_steps']} --done --step 1", "--step goes with"),
        (f"iq resolve {pending['plan_id']} --done", "still runs"),
        (f"iq resolve {pending['plan_id']} --end", "do not fail"),
    )
    said = await asyncio.gather(*(terminal.run(command) for command, _ in refused))
    for (command, why), (code, output, errors) in zip(refused, said, strict=True):
        assert code == 1 and why in output + errors, (command, output, errors)


async def unknown_outcome(on: Planted) -> str:
    """A cancellation whose answer is lost, and a booking that cannot be read any more."""
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
    """A cancellation that stands, before a step that the venue refused."""
    one, plan, _ = await on.cancels()
    await on.roller.fault("update-a-booking", "status", status=409, body=CONFLICT)
    await one.confirm(plan)
    assert (await one.settled(plan))["rollback_report"]["outcome"] == "partial"
    return plan_workflow(plan["plan_id"])


async def cut_off(on: Planted) -> str:
    """A plan that was terminated while it asked."""
    one, plan = await on.confirmed(NOTE, model=(ASK,))
    await one.asked(plan)
    name = plan_workflow(plan["plan_id"])
    await on.client.get_workflow_handle(name).terminate("by mistake")
    return name


async def no_worker(on: Planted) -> str:
    """A plan on a queue that nobody polls."""
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


async def typed_worker(terminal: Terminal, command: str, on: Planted, name: str, data: Path) -> None:
    """A worker is started as printed, until it has taken the plan up."""
    process = await terminal.start(command, IQ_DATA=str(data))
    handle = on.client.get_workflow_handle(name)

    async def taken_up() -> bool:
        return bool((await handle.describe()).history_length > 3)

    try:
        await soon(taken_up, 30)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        await process.wait()
        await handle.terminate("its worker is gone again")


async def retrying(on: Planted, patch: pytest.MonkeyPatch) -> str:
    """The ledger is away."""
    assert on.stack.services is not None

    async def away(_: Any) -> None:
        raise LedgerAwayError("the ledger did not answer in time")

    patch.setattr(on.stack.services.escalation_ledger, "note", away)
    name = await on.handed_over()

    async def told() -> bool:
        return any(body["escalation_id"] in name for body in on.desk.bodies)

    await soon(told)
    return name


async def webhook(on: Planted) -> str:
    """The venue's receiver is broken. What is noted of it in the ledger goes well."""
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
    """A step is refused, and the one before it cannot be looked at while it is undone."""
    one, plan, booking = await on.drafted(NOTE, GUESTS)
    await on.roller.fault("update-a-booking", "status", status=409, skip=1, body=CONFLICT)
    await one.confirm(plan)
    await one.until(plan, lambda p: p["actions"][0]["status"] == "completed", 15)
    reads = {"status": 503, "times": 500, "path": f"/bookings/{booking['uniqueId']}"}
    await on.roller.fault("get-booking-detail", "status", **reads)
    on.plans["rollback_retrying"] = (one, plan)
    return plan_workflow(plan["plan_id"])


def broken(*_: Any) -> None:
    """What a deploy broke."""
    raise RuntimeError("a defect")


async def task_fails(on: Planted, patch: pytest.MonkeyPatch) -> str:
    """A signal that the workflow's code falls over."""
    one, plan = await on.confirmed(NOTE, model=(ASK,))
    await one.asked(plan)
    patch.setattr(Questions, "receive", broken)
    await one.answer(plan, "chocolate")
    return plan_workflow(plan["plan_id"])


async def test_a_plan_that_was_cut_off_in_the_middle_of_a_write_says_so(stage: Planted, terminal: Terminal) -> None:
    one, plan, booking = await stage.drafted(NOTE)
    name, executions = plan_workflow(plan["plan_id"]), Executions(stage.client)
    await stage.roller.fault("update-a-booking", "delay", seconds=1.5, path=f"/bookings/{booking['uniqueId']}")
    await one.confirm(plan)

    async def acts() -> bool:
        return any(call.name == "act" for call in (await executions.look(name)).calls)

    await soon(acts)
    await stage.client.get_workflow_handle(name).terminate("by mistake")

    async def rows() -> list[dict[str, Any]]:
        return [row for row in await terminal.stuck() if row["subject"] == name]

    await soon(rows)
    [row] = await rows()
    assert row["kind"] == "cut_off" and "act was under way, and nobody knows" in row["reason"], row
    while left := await rows():
        code, said, errors = await terminal.run(left[0]["commands"][0])
        assert code == 0, (said, errors)


async def test_a_key_that_is_not_here_is_named_and_comes_back_from_a_backup(
    stage: Planted, terminal: Terminal, tmp_path: Path
) -> None:
    await stage.drafted(NOTE)
    mine, theirs = tmp_path / "keys", stage.stack.settings.data / "keys"
    mine.write_text(new_key_line() + "\n")
    here = {"IQ_KEY_FILE": str(mine)}
    rows = [row for row in await terminal.stuck(**here) if row["kind"] == "unreadable"]
    [row] = rows
    assert row["subject"] == f"key {parse_ring(theirs.read_text()).primary}"
    [command] = row["commands"]
    backup = shutil.copy(theirs, tmp_path / "backup")
    code, said, _ = await terminal.run(command.replace("BACKUP-OF-KEYS", str(backup)), **here)
    assert code == 0, said
    assert parse_ring(mine.read_text()).primary != parse_ring(theirs.read_text()).primary, "it is added behind"
    assert [row for row in await terminal.stuck(**here) if row["kind"] == "unreadable"] == []
    assert add_to_file(mine, theirs) == [], "added twice is there once"


async def test_what_nobody_has_answered_is_named_and_answering_settles_it(stage: Planted, terminal: Terminal) -> None:
    name = await stage.handed_over()

    async def named() -> list[dict[str, Any]]:
        return [row for row in await terminal.stuck("--hours", "0") if row["kind"] == "unanswered"]

    rows = await named()
    assert name in {row["subject"] for row in rows}
    for row in rows:
        [command] = row["commands"]
        code, said, errors = await terminal.run(command)
        assert code == 0, (said, errors)

    async def nobody_waits() -> bool:
        return not await named()

    await soon(nobody_waits)


async def test_an_attribute_that_the_cluster_does_not_know_is_named_and_registered(
    stage: Planted, terminal: Terminal
) -> None:
    request = RemoveSearchAttributesRequest(search_attributes=[USER.name], namespace=stage.client.namespace)
    await stage.client.operator_service.remove_search_attributes(request)
    found: list[dict[str, Any]] = []

    async def named() -> bool:
        found[:] = [row for row in await terminal.stuck() if row["kind"] == "attribute_missing"]
        return bool(found)

    await soon(named, 40)
    [row] = found
    assert row["subject"] == "search attribute IqUser"
    code, said, errors = await terminal.run(row["commands"][0])
    assert code == 0, (said, errors)

    async def known() -> bool:
        return not await named()

    await soon(known, 40)


async def test_what_cannot_be_looked_at_is_told_by_the_exit_code(terminal: Terminal) -> None:
    code, said, errors = await terminal.run("iq stuck --json", TEMPORAL_ADDRESS="127.0.0.1:9")
    assert (code, said) == (2, "")
    assert "iq dev" in errors and "Traceback" not in errors
