"""`iq stuck` over a running stack, its printed commands typed into a real shell. Guarantees:

- It names each planted kind of problem that needs a person, with its age and the reason; typing the printed command
  settles it.
- It is silent on plans that wait for their operator or for their time: ten kinds of these run beside.
- The exit code is 0, 1 or 2. What a person has settled stays settled, and is on the plan's page and in the operator's
  view.
- It names a wait for a sign-in when its time is nearly over; the plan's page says until when, and for which user.
- A decision on what needs none is refused, and changes nothing.
"""

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from temporalio.api.operatorservice.v1 import RemoveSearchAttributesRequest
from temporalio.client import WorkflowExecutionStatus

from cli.oncall.issue import Issue, IssueKind
from cli.oncall.open_workflows import OpenWorkflow
from cli.stack.dev import Stack
from clients.temporal.executions import WorkflowInspector
from infra.crypto.keyring import add_to_file, new_key_line, parse_ring
from infra.temporal.search_attributes import USER
from reasoning.execution import guard
from tests.support import http
from tests.support.escalating import people_are_asked
from tests.support.oncall import Terminal, typed_worker
from tests.support.planted import GUESTS, NOTE, Planted, healthy, no_worker, one_of_each
from tests.support.roller import Roller
from tests.support.scripted_model import ScriptedModel
from tests.support.stacks import a_stack, free_base, own_token
from tests.support.waiting import LIMIT, soon
from tests.support.webhook import SECRET, Receiver, hears, served
from workflows.workflow_ids import plan_workflow

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

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
    """A stack of this file's own, in which every problem is planted."""
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
                rollback_timeout=300,
                call_timeout=LIMIT,
            ) as running,
        ):
            yield running


@pytest.fixture(scope="module")
def terminal(hall: Stack) -> Terminal:
    """The terminal of the on-call engineer."""
    return Terminal(hall, DESK_SECRET=SECRET)


@pytest.fixture(scope="module")
async def stage(hall: Stack, scripted: ScriptedModel, desk: Receiver) -> AsyncIterator[Planted]:
    """The planted problems and healthy plans, once for the file."""
    async with Roller(f"http://127.0.0.1:{hall.ports.roller}") as roller:
        found = Planted(hall, roller, scripted, desk)
        try:
            yield found
        finally:
            for one in found.operators:
                await one.http.aclose()


@pytest.mark.slow
async def test_what_needs_a_person_is_named_and_its_command_settles_it(
    stage: Planted, terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    waits = await healthy(stage)

    async def nothing() -> bool:
        return await terminal.stuck(*SOON) == []

    await soon(nothing)  # it is silent on healthy waits
    code, text, _ = await terminal.run("iq stuck --minutes 0.05")
    assert (code, "Nothing needs a person" in text) == (0, True), text
    await stage.roller.clear_faults()

    planted = await one_of_each(stage, monkeypatch)
    found: dict[str, dict[str, Any]] = {}

    async def all_of_them() -> bool:
        rows = await terminal.stuck(*SOON)
        found.clear()
        found.update({row["kind"]: row for row in rows})
        assert len(found) == len(rows), rows
        return found.keys() >= planted.keys()

    try:
        await soon(all_of_them)
    except TimeoutError:
        raise AssertionError(f"{planted.keys() - found.keys()} not among {found}") from None
    assert found.keys() == planted.keys(), found
    code, text, _ = await terminal.run("iq stuck --minutes 0.05")
    assert code == 1 and all(row["commands"][0] in text for row in found.values()), text
    for kind, subject in planted.items():
        assert subject in f"{found[kind]['subject']} {found[kind]['reason']}", found[kind]
        assert found[kind]["age_seconds"] >= 0 and len(found[kind]["reason"]) > 30, found[kind]
    assert not {row["subject"] for row in found.values()} & set(waits)
    assert "ledger" in found["retrying"]["reason"].lower(), "with its last error"
    assert "If it was: " in found["unknown_outcome"]["reason"], "what was never done is not put back"
    assert "a defect" in found["task_fails"]["reason"], "with what it failed on"

    await settle(stage, terminal, found, planted, monkeypatch, tmp_path)
    await soon(nothing)
    await seen_to(stage, terminal, planted)


async def settle(
    stage: Planted,
    terminal: Terminal,
    found: dict[str, dict[str, Any]],
    planted: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Type each printed command, and check that it works."""
    # A workflow that can never succeed is ended while it fails.
    code, text, errors = await terminal.run(found["task_fails"]["commands"][0])
    assert code == 0, (text, errors)
    # For the others the causes in the reasons are removed first; then the printed commands are typed.
    monkeypatch.undo()
    await stage.roller.clear_faults()
    stage.desk.usual = hears
    at_once = ("unknown_outcome", "manual_steps", "cut_off", "retrying", "webhook", "rollback_retrying")
    typed = await asyncio.gather(*(terminal.run(found[kind]["commands"][0]) for kind in at_once))
    assert [code for code, *_ in typed] == [0] * len(at_once), typed
    await typed_worker(terminal, found["no_worker"]["commands"][0], stage.client, planted["no_worker"], tmp_path)

    # A step that a person now knows was applied must still be undone by hand.
    [stands] = [row for row in await terminal.stuck(*SOON) if row["subject"] == planted["unknown_outcome"]]
    assert stands["kind"] == "manual_steps", stands
    code, text, errors = await terminal.run(stands["commands"][0])
    assert code == 0, (text, errors)


async def seen_to(on: Planted, terminal: Terminal, planted: dict[str, str]) -> None:
    """Check that decisions are on the plan's page and in the operator's view, and that unneeded ones are refused."""
    one, plan = on.plans["unknown_outcome"]
    shown = (await one.look(plan))["decisions"]
    assert [(d["decision"], d.get("step")) for d in shown] == [("applied", 1), ("done", None)]
    _, page, _ = await terminal.run(f"iq plan {plan['plan_id']}")
    assert "decided    step 1: applied – " in page
    pending = (await on.drafted(NOTE))[1]
    refused = (
        (f"iq resolve {planted['unknown_outcome']} --step 2 --applied", "is not one of unknown outcome"),
        (f"iq resolve {planted['manual_steps']} --done", "leaves nothing to a person"),
        (f"iq resolve {planted['cut_off']} --done", "is marked as done already"),
        (f"iq resolve {planted['cut_off']} --end", "has ended"),
        ("iq resolve plan-nowhere --done", "no such plan"),
        (f"iq resolve {planted['manual_steps']}", "say one of"),
        (f"iq resolve {planted['manual_steps']} --done --step 1", "--step goes with"),
        (f"iq resolve {pending['plan_id']} --done", "still runs"),
        (f"iq resolve {pending['plan_id']} --end", "do not fail"),
    )
    text = await asyncio.gather(*(terminal.run(command) for command, _ in refused))
    for (command, why), (code, output, errors) in zip(refused, text, strict=True):
        assert code == 1 and why in output + errors, (command, output, errors)


async def test_a_plan_that_was_cut_off_in_the_middle_of_a_write_says_how_far_it_came(
    stage: Planted, terminal: Terminal
) -> None:
    one, plan, booking = await stage.drafted(NOTE, GUESTS)
    name, executions = plan_workflow(plan["plan_id"]), WorkflowInspector(stage.client)
    held = {"seconds": LIMIT, "path": f"/bookings/{booking['uniqueId']}", "skip": 1}
    await stage.roller.fault("update-a-booking", "delay", **held)
    await one.confirm(plan)

    async def acts_again() -> bool:
        steps = [action["status"] for action in (await one.look(plan))["actions"]]
        return steps[0] == "completed" and any(call.name == "act" for call in (await executions.describe(name)).calls)

    await soon(acts_again)
    await stage.client.get_workflow_handle(name).terminate("by mistake")

    async def rows() -> list[dict[str, Any]]:
        return [row for row in await terminal.stuck() if row["subject"] == name]

    await soon(rows)
    [row] = await rows()
    assert row["kind"] == "cut_off" and "It is unknown whether step 2 was applied" in row["reason"], row
    seen = await one.look(plan)
    assert [action["status"] for action in seen["actions"]] == ["completed", "unknown"], seen
    assert "More of it may have been done than is shown here" in seen["notice"], seen["notice"]
    _, page, _ = await terminal.run(f"iq plan {name}")
    assert page.startswith(f"{name}  failed, workflow terminated"), page
    assert "1. completed" in page and "2. unknown" in page and "under way" not in page, page
    assert ", act 2\n" in page, page
    assert f"next       iq resolve {name} --step 2 --applied" in page, page
    typed = []
    while left := await rows():
        typed.append(left[0]["commands"][0])
        code, text, errors = await terminal.run(typed[-1])
        assert code == 0, (text, errors)
    assert [command.split()[-1] for command in typed] == ["--applied", "--done"]


async def test_what_a_mistake_of_ours_leaves_is_named(
    stage: Planted, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, plan, _ = await stage.cancels()
    name, executions, judge = plan_workflow(plan["plan_id"]), WorkflowInspector(stage.client), guard.judge

    def mistaken(call: Any, action: Any, *rest: Any, **more: Any) -> guard.Verdict:
        if action.name == "edit_note":
            raise KeyError("a mistake")
        return judge(call, action, *rest, **more)

    monkeypatch.setattr(guard, "judge", mistaken)
    await one.confirm(plan)

    async def over() -> bool:
        found = await executions.describe(name)
        return not found.open and found.status == "rolled_back"

    await soon(over)
    assert (await executions.describe(name)).state is WorkflowExecutionStatus.FAILED

    async def rows() -> list[dict[str, Any]]:
        return [row for row in await terminal.stuck() if row["subject"] == name]

    await soon(rows)
    [row] = await rows()
    assert row["kind"] == "manual_steps" and "step 1 was carried out" in row["reason"], row
    _, page, _ = await terminal.run(f"iq plan {plan['plan_id']}")
    assert f"next       {row['commands'][0]}" in page, page
    code, text, errors = await terminal.run(row["commands"][0])
    assert (code, await rows()) == (0, []), (text, errors)


async def test_a_wait_for_a_sign_in_is_named_when_its_time_is_nearly_over(stage: Planted, terminal: Terminal) -> None:
    await stage.roller.fault("update-a-booking", "expire_token", skip=1)
    one, plan = await stage.confirmed(NOTE, GUESTS)
    name, executions = plan_workflow(plan["plan_id"]), WorkflowInspector(stage.client)

    async def waits() -> bool:
        return (await executions.describe(name)).phase == "rollback waiting_for_sign_in"

    await soon(waits)
    assert name not in {row["subject"] for row in await terminal.stuck()}, "it has just begun"
    code, page, errors = await terminal.run(f"iq plan {plan['plan_id']}")
    assert code == 0 and "min left: waits for the operator to sign in again" in page, (page, errors)
    assert f"fresh token of {one.user}" in page, page

    async def found(minutes: float) -> list[Issue]:
        queue, later = stage.stack.settings.task_queue, datetime.now(UTC) + timedelta(minutes=minutes)
        rows = [row async for row in stage.client.list_workflows(f'WorkflowId = "{name}"')]
        named = await OpenWorkflow(executions, queue, later, timedelta(minutes=5)).findings(rows)
        # By a clock that is ahead, every open workflow has waited long.
        return [one for one in named if one.kind is IssueKind.SIGN_IN]

    assert await found(4) == []
    [finding] = await found(6)
    assert finding.commands == (f"iq plan {name}",)
    assert "until " in finding.reason and "Call them" in finding.reason
    one.http.headers["Authorization"] = f"Bearer {await own_token(stage.stack)}"
    await one.look(plan)
    await one.until(plan, lambda p: p["status"] == "rolled_back")
    assert await found(6) == [], "what was told to do settles it"


async def test_a_worker_with_other_keys_is_reported_as_that(stage: Planted, terminal: Terminal, tmp_path: Path) -> None:
    theirs, ours = new_key_line(), (stage.stack.settings.data / "keys").read_text()
    name, executions = await no_worker(stage), WorkflowInspector(stage.client)
    worker = await terminal.start("iq worker", IQ_KEYS=theirs, IQ_TASK_QUEUE="nobody", IQ_DATA=str(tmp_path))

    async def fails_again() -> bool:
        task = (await executions.describe(name)).task
        return task is not None and task.attempt > 1

    async def reported(**environment: str) -> str:
        rows = await terminal.stuck("--minutes", "0", **environment)
        [row] = [row for row in rows if row["subject"] == name]
        assert row["kind"] == "unreadable", row
        return str(row["reason"])

    try:
        await soon(fails_again)
        here = await reported()
        assert "at a worker whose keys are not those of this environment" in here, here
        assert parse_ring(theirs).primary in here and "cannot open it" not in here, "its own key is not what it lacks"
        # An environment that can read the worker's error names the key that the worker lacks.
        both = tmp_path / "both"
        both.write_text(f"{ours.strip()}\n{theirs}\n")
        there = await reported(IQ_KEY_FILE=str(both))
        assert "its workers cannot open it" in there and parse_ring(ours).primary in there, there
    finally:
        os.killpg(worker.pid, signal.SIGKILL)
        await worker.wait()
        await stage.client.get_workflow_handle(name).terminate("its worker is gone again")


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
    code, text, _ = await terminal.run(command.replace("BACKUP-OF-KEYS", str(backup)), **here)
    assert code == 0, text
    assert parse_ring(mine.read_text()).primary != parse_ring(theirs.read_text()).primary, "it is added behind"
    assert [row for row in await terminal.stuck(**here) if row["kind"] == "unreadable"] == []
    assert add_to_file(mine, theirs) == [], "added twice is there once"


async def test_what_no_one_has_answered_is_named_and_answering_settles_it(stage: Planted, terminal: Terminal) -> None:
    name = await stage.handed_over()

    async def named() -> list[dict[str, Any]]:
        return [row for row in await terminal.stuck("--hours", "0") if row["kind"] == "unanswered"]

    rows = await named()
    assert name in {row["subject"] for row in rows}
    for row in rows:
        [command] = row["commands"]
        code, text, errors = await terminal.run(command)
        assert code == 0, (text, errors)

    async def no_one_waits() -> bool:
        return not await named()

    await soon(no_one_waits)


async def test_an_attribute_that_the_cluster_does_not_know_is_named_and_registered(
    stage: Planted, terminal: Terminal
) -> None:
    request = RemoveSearchAttributesRequest(search_attributes=[USER.name], namespace=stage.client.namespace)
    await stage.client.operator_service.remove_search_attributes(request)
    found: list[dict[str, Any]] = []

    async def named() -> bool:
        found[:] = [row for row in await terminal.stuck() if row["kind"] == "attribute_missing"]
        return bool(found)

    await soon(named)
    [row] = found
    assert row["subject"] == "search attribute IqUser"
    async with http.client(base_url=f"http://127.0.0.1:{stage.stack.ports.facade}") as anybody:
        ready = await anybody.get("/readyz")
    assert ready.status_code == 503 and "IqUser" in ready.text, "though it was known before"
    one = await stage.operator()
    listed = await one.http.get("/v1/plans", params={"user_id": one.user})
    assert listed.status_code == 503 and "Temporal" not in listed.text, "the part that is away is another"
    code, text, errors = await terminal.run(row["commands"][0])
    assert code == 0, (text, errors)

    async def known() -> bool:
        return not await named()

    await soon(known)


async def test_what_cannot_be_looked_at_is_reported_by_the_exit_code(terminal: Terminal) -> None:
    code, text, errors = await terminal.run("iq stuck --json", TEMPORAL_ADDRESS="127.0.0.1:9")
    assert (code, text) == (2, "")
    assert "iq dev" in errors and "Traceback" not in errors
