"""Escalations with each part in its own process, and the only worker killed with SIGKILL.

- Killed while it calls the webhook and the message is about to be answered: the webhook is called again with the same
  id, a reply that came in before or after is not lost, and the chat shows it once.
- While no worker runs, a staff reply is neither accepted nor refused: the API answers that its outcome is unknown, and
  the same one sent again counts once.
- The command line lists and answers, and `iq stuck` reports what has waited for long.
"""

import asyncio
import os
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import WorkflowExecutionStatus

from tests.support import needs
from tests.support.errors import expect_error
from tests.support.escalating import ASKS
from tests.support.operator import Operator
from tests.support.process_stack import ProcessStack, own_redis
from tests.support.processes import ROOT, iq
from tests.support.stacks import free_base
from tests.support.staff import Staff
from tests.support.waiting import STARTING, soon
from tests.support.webhook import SECRET, Receiver, hears, served
from workflows.workflow_ids import escalation_workflow

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

ASKED = f"{ASKS} can Mrs Smith bring her own cake?"


class EscalatingStack(ProcessStack):
    """A stack with a worker whose chats escalate."""

    async def _iq(self, name: str, *arguments: str) -> Process:
        if name != "worker":
            return await super()._iq(name, *arguments)
        with (self._data / f"{name}.log").open("ab") as log:
            return await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.support.escalating_worker", cwd=ROOT,
                env={**os.environ, **self._environment}, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    async def run(self, *arguments: str) -> tuple[int, str]:
        """Run an `iq` command beside it. Return its exit code and output."""
        async with iq(*arguments, **self._environment) as process:
            output, _ = await asyncio.wait_for(process.communicate(), STARTING)
        return process.returncode or 0, output.decode()


@pytest.fixture(scope="module")
def desk() -> Receiver:
    """The venue's webhook."""
    return Receiver(free_base(1))


@pytest.fixture(scope="module")
async def process_stack(desk: Receiver, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[EscalatingStack]:
    """A stack with each part in its own process."""
    needs.redis()
    async with own_redis() as url:
        stack = EscalatingStack(
            Path(tmp_path_factory.mktemp("escalated")), url, IQ_WEBHOOK_PRIVATE="true", DESK_SECRET=SECRET
        )
        stack.venue_says = f'\nescalation: {{webhook: "{desk.address}", secret: "${{DESK_SECRET}}"}}\n'
        async with stack as running:
            yield running


@pytest.fixture
async def operator(process_stack: EscalatingStack) -> AsyncIterator[Operator]:
    """An operator with a fresh chat."""
    async with process_stack.operator() as one:
        yield one


async def people_in(operator: Operator) -> list[str]:
    """Return the staff replies in a chat, as a page shows them after a reload."""
    found = await operator.http.get(f"/v1/sessions/{operator.session}", params={"user_id": operator.user})
    return [m["text"] for m in found.json()["messages"] if m["kind"] == "person"] if found.status_code == 200 else []


async def test_a_worker_that_is_killed_loses_and_doubles_nothing(
    process_stack: EscalatingStack, operator: Operator, desk: Receiver
) -> None:
    def hold(_: dict[str, Any]) -> Any:
        asyncio.get_running_loop().create_task(process_stack.kill_worker())
        return hears(_)

    desk.replies.append(hold)
    async with served(desk), Staff(process_stack.facade_url) as staff:
        turn = await operator.say(ASKED)

        async def gone() -> bool:
            return process_stack._worker is None

        await soon(gone)
        # No worker can take it: the API answers that the outcome is unknown.
        escalation = desk.of(turn["reference"])[0]["escalation_id"]
        sent = await staff.send(escalation, "Any cake.", request_id="r-1", by="Anna")
        assert "not known whether" in expect_error(sent, 503, "service_unavailable")["message"]
        await process_stack.start_worker()
        await process_stack.ready()
        taken = await staff.answer(escalation, "Any cake.", request_id="r-1", by="Anna")
        assert taken["answer"]["message"] == "Any cake."
        refused = await staff.send(escalation, "Another.", request_id="r-2")
        if refused.status_code == 503:  # a busy machine; the way out is to send the same again
            refused = await staff.send(escalation, "Another.", request_id="r-2")
        expect_error(refused, 409, "conflict")

        async def there() -> bool:
            return bool(await people_in(operator))

        async def over() -> bool:
            run = process_stack.client.get_workflow_handle(escalation_workflow(escalation))
            return (await run.describe()).status is WorkflowExecutionStatus.COMPLETED

        await soon(there)
        await soon(over)
        assert await people_in(operator) == [f"Anna, a person, answers (reference {turn['reference']}): Any cake."]
    ids = {headers["webhook-id"] for headers, body in desk.raw if turn["reference"].encode() in body}
    assert ids == {escalation}


async def test_the_command_line_lists_and_answers(
    process_stack: EscalatingStack, operator: Operator, desk: Receiver
) -> None:
    async with served(desk):
        turn = await operator.say(ASKED)
        async with Staff(process_stack.facade_url) as staff:
            row = await staff.find(turn["reference"])
        code, listed = await process_stack.run("escalations")
        assert code == 0, listed
        assert turn["reference"] in listed and ASKED in listed and "not sure enough" in listed
        code, quiet = await process_stack.run("stuck")
        assert row["escalation_id"] not in quiet, "it has only just been handed over"
        code, refused = await process_stack.run("escalations", "--resolve", turn["reference"], "--message", " ")
        assert code == 1 and "empty" in refused
        code, message = await process_stack.run(
            "escalations", "--resolve", turn["reference"].lower(), "--message", "Any cake.", "--by", "Ben"
        )
        assert (code, "is taken" in message) == (0, True), message
        code, message = await process_stack.run(
            "escalations", "--resolve", row["escalation_id"], "--message", "Me, too."
        )
        assert code == 1 and "answered already" in message

        async def there() -> bool:
            return bool(await people_in(operator))

        await soon(there)
        assert [text for text in await people_in(operator) if text.startswith("Ben, a person,")]
        code, done = await process_stack.run("escalations", "--status", "resolved", "--json")
        assert code == 0 and row["escalation_id"] in done
        code, unknown = await process_stack.run("escalations", "--status", "lost")
        assert code == 1 and "no status lost" in unknown
        code, replayed = await process_stack.run("replay", f"escalation-{row['escalation_id']}")
        assert (code, "replay as they were recorded" in replayed) == (0, True), replayed
