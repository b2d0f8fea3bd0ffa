"""A venue's webhook (`docs/escalation.md`), a real HTTP server on loopback, beside a running stack. Guarantees:

- It receives an escalation with a signature. The documented check accepts it, and rejects a call that was altered, is
  old, or was accepted before.
- iQ retries while it is down, rejects or redirects, or its answer is lost; never after staff have answered.
- Its answer resolves the escalation once, whatever was lost on the way; one that makes no sense resolves nothing.
- iQ follows no redirect, reaches no private network unless that is allowed, and logs nothing of what it sends.
"""

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from starlette.responses import Response
from temporalio.client import WorkflowExecutionStatus, WorkflowHandle

from cli.stack.dev import Stack
from clients.webhooks import WebhookClient, WebhookError, signed_headers
from contracts.enums import EscalationReason
from contracts.escalation import WebhookCall, WebhookReply
from contracts.venue import Webhook
from infra.config.pack_variables import override
from infra.config.settings import ROOT
from tests.integration.stack.test_escalations import ASKED, from_people
from tests.support.escalating import people_are_asked
from tests.support.operator import Operator
from tests.support.stacks import a_stack, free_base, own_token
from tests.support.staff import Staff
from tests.support.waiting import soon
from tests.support.webhook import SECRET, Receiver, a_webhook, refuses, resolves, served
from workflows.workflow_ids import escalation_workflow

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

EXAMPLE = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "escalation.md").read_text(), re.DOTALL)[-1]


@pytest.fixture(autouse=True, scope="module")
def _asked() -> Iterator[None]:
    with people_are_asked(), override({"DESK_SECRET": SECRET}):
        yield


@pytest.fixture(scope="module")
def desk() -> Receiver:
    """The venue's webhook at a fixed address; each test decides whether it is up."""
    return Receiver(free_base(1))


@pytest.fixture(scope="module")
async def venue(model_url: str, desk: Receiver, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """A stack whose venue has this webhook."""
    says = f'tariff: pro\nescalation: {{webhook: "{desk.address}", secret: "${{DESK_SECRET}}"}}\n'
    data = tmp_path_factory.mktemp("desk")
    async with a_stack(data, venue={"tariff: pro\n": says}, model_base_url=model_url, webhook_private=True) as running:
        yield running


@pytest.fixture
async def operator(venue: Stack) -> AsyncIterator[Operator]:
    """An operator with a fresh chat."""
    async with Operator(f"http://127.0.0.1:{venue.ports.facade}", token=await own_token(venue)) as found:
        yield found


@pytest.fixture
async def staff(venue: Stack) -> AsyncIterator[Staff]:
    """The staff of the venue."""
    async with Staff(f"http://127.0.0.1:{venue.ports.facade}") as found:
        yield found


def run_of(venue: Stack, row: dict[str, Any]) -> WorkflowHandle[Any, Any]:
    """Return the escalation's workflow."""
    assert venue.services is not None
    return venue.services.escalations.client.get_workflow_handle(escalation_workflow(row["escalation_id"]))


async def over(venue: Stack, row: dict[str, Any]) -> bool:
    """Return whether its workflow has closed, after which it calls no webhook."""
    return (await run_of(venue, row).describe()).status is WorkflowExecutionStatus.COMPLETED


async def read(venue: Stack, row: dict[str, Any]) -> bool:
    """Return whether the webhook's answer has reached the escalation."""
    events = (await run_of(venue, row).fetch_history()).events
    calls = {
        event.event_id
        for event in events
        if event.activity_task_scheduled_event_attributes.activity_type.name == "call_webhook"
    }
    return any(event.activity_task_completed_event_attributes.scheduled_event_id in calls for event in events)


async def heard(desk: Receiver, reference: str, count: int = 1) -> list[dict[str, Any]]:
    """Wait until the desk got this many calls about one escalation; return them."""

    async def enough() -> bool:
        return len(desk.of(reference)) >= count

    await soon(enough)
    return desk.of(reference)


def documented() -> Any:
    """Return the receiver's check as documented."""
    scope: dict[str, Any] = {}
    exec(EXAMPLE, scope)
    return scope["verified"]


async def test_it_is_reported_and_can_verify_it(desk: Receiver, operator: Operator, staff: Staff) -> None:
    async with served(desk):
        turn = await operator.say(ASKED)
        [shown] = await heard(desk, turn["reference"])
    row = await staff.find(turn["reference"])
    assert shown == {
        "escalation_id": row["escalation_id"],
        "reference": turn["reference"],
        "venue_id": "roller-demo",
        "session_id": operator.session,
        "reason": "low_confidence",
        "question": ASKED,
        "opened_at": row["opened_at"],
    }
    headers, body = desk.raw[-1]
    assert headers["webhook-id"] == row["escalation_id"]
    verified, seen = documented(), set[str]()
    assert verified(SECRET, headers, body, seen)
    assert not verified(SECRET, headers, body, seen), "taken before"
    for altered in (
        (headers, body.replace(b"cake", b"dog!")),
        ({**headers, "webhook-timestamp": str(int(headers["webhook-timestamp"]) + 1)}, body),
        ({**headers, "webhook-id": str(uuid4())}, body),
        ({**headers, "webhook-signature": "v1,"}, body),
    ):
        assert not verified(SECRET, *altered, set())
    assert not verified("another secret", headers, body, set())
    old = signed_headers(SECRET, row["escalation_id"], int(time.time()) - 400, body)
    assert not verified(SECRET, old, body, set()), "signed, and played again"
    assert verified(SECRET, signed_headers(SECRET, row["escalation_id"], int(time.time()) - 200, body), body, set())
    assert row["status"] == "open", "heard is not answered"


async def test_one_that_was_down_is_reported_once_it_is_up(
    desk: Receiver, operator: Operator, staff: Staff, caplog: pytest.LogCaptureFixture
) -> None:
    turn = await operator.say(ASKED)
    row = await staff.find(turn["reference"])

    async def tried() -> bool:
        return f"did not accept escalation {row['escalation_id']}" in caplog.text

    await soon(tried)
    assert desk.of(turn["reference"]) == []
    desk.replies.append(resolves("Any cake.", "Anna"))
    async with served(desk):
        assert len(await heard(desk, turn["reference"])) == 1
        done = await staff.until(row["escalation_id"], lambda found: found["status"] == "resolved")
    assert (done["answer"]["message"], done["answer"]["by"]) == ("Any cake.", "Anna")
    [message] = await from_people(operator, 1)
    assert message["text"].endswith("Any cake.")


async def test_a_lost_answer_is_asked_for_again_and_comes_once(
    desk: Receiver, operator: Operator, staff: Staff, venue: Stack
) -> None:
    desk.replies.extend([None, refuses(500), refuses(307), resolves("Any cake.")])
    async with served(desk):
        turn = await operator.say(ASKED)
        shown = await heard(desk, turn["reference"], 4)
        row = await staff.find(turn["reference"], "resolved")
        await staff.until(row["escalation_id"], lambda found: found["answer"]["in_chat"])
        await soon(lambda: over(venue, row))
        assert len(desk.of(turn["reference"])) == 4, "nobody is called who has answered"
    assert all(body == shown[0] for body in shown), "each try says the same"
    stamps = [headers["webhook-timestamp"] for headers, body in desk.raw if turn["reference"].encode() in body]
    assert len(set(stamps)) > 1, "and is signed again"
    assert set(desk.paths) == {"/hook"}, "no redirect was followed"
    assert len(await from_people(operator, 1)) == 1


async def test_once_staff_have_answered_it_is_not_called_any_more(
    desk: Receiver, operator: Operator, staff: Staff, venue: Stack
) -> None:
    turn = await operator.say(ASKED)
    row = await staff.find(turn["reference"])
    await staff.answer(row["escalation_id"], "From the inbox.")
    await staff.until(row["escalation_id"], lambda found: found["answer"]["in_chat"])
    desk.usual = resolves("From the webhook.")
    async with served(desk):
        await soon(lambda: over(venue, row))
    assert desk.of(turn["reference"]) == []
    assert len(await from_people(operator, 1)) == 1


async def test_what_makes_no_sense_resolves_nothing(
    desk: Receiver, operator: Operator, staff: Staff, venue: Stack
) -> None:
    odd = ('{"resolve": {"message": ""}}', '{"resolve": "yes"}', '{"resolve": {"message": 7}}', "[[[", '"x"')
    for text in odd:
        desk.replies.append(lambda _, text=text: Response(text, media_type="application/json"))  # type: ignore[misc]
        async with served(desk):
            turn = await operator.say(ASKED)
            await heard(desk, turn["reference"])
            row = await staff.find(turn["reference"])
            await soon(partial(read, venue, row))
            assert (await staff.look(row["escalation_id"]))["status"] == "open", text


def a_call() -> WebhookCall:
    return WebhookCall(
        escalation_id=str(uuid4()), reference="1A2B3C4D", venue_id="v", session_id="s",
        reason=EscalationReason.CRITIQUE, question="Mrs Smith?", opened_at=datetime.now(UTC),
    )  # fmt: skip


async def called(address: str, *, private: bool = True, secret: str = SECRET, **how: float) -> WebhookReply:
    """Call the webhook once."""
    client = WebhookClient(private=private, lookup={"S": secret}.__getitem__, **how)
    try:
        return await client.call(Webhook(address=address, secret="S"), a_call())
    finally:
        await client.close()


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "10.1.2.3", "192.168.0.7", "169.254.169.254", "[::1]", "[fd00::1]", "0.0.0.0"]
)
async def test_a_private_network_is_not_reached(host: str) -> None:
    with pytest.raises(WebhookError, match="private network"):
        await called(f"https://{host}/hook", private=False)


async def test_an_answer_has_bounds() -> None:
    async with a_webhook() as desk:
        desk.usual = lambda _: Response("x" * 100_000)
        # The venue has received it, but an answer of this length resolves nothing.
        reply = await called(desk.address)
        assert (reply.called, reply.message) == (True, None)
        desk.usual = resolves("x" * 1801)
        assert (await called(desk.address)).message is None
        desk.usual = resolves("hello", "y" * 500)
        assert len((await called(desk.address)).by) == 60
        desk.usual = resolves("yes\x07\u202esey\nfine\x1b[31m")
        assert (await called(desk.address)).message == "yessey\nfine[31m"
        desk.usual = resolves("\x07\u202e")
        assert (await called(desk.address)).message is None
        desk.usual = refuses(302)
        with pytest.raises(WebhookError, match="answered 302"):
            await called(desk.address)
        assert set(desk.paths) == {"/hook"}


async def test_one_that_never_answers_is_given_up() -> None:
    given_up = asyncio.Event()

    async def silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await given_up.wait()
        writer.close()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(WebhookError, match="no answer"):
            await called(f"http://127.0.0.1:{port}/hook", timeout=0.5)
        given_up.set()


async def test_logs_hold_nothing_of_what_was_sent(
    desk: Receiver, operator: Operator, staff: Staff, caplog: pytest.LogCaptureFixture
) -> None:
    desk.replies.append(refuses(500))
    desk.usual = resolves("The secret cake of Mrs Smith.")
    with caplog.at_level(logging.INFO):
        async with served(desk):
            turn = await operator.say(ASKED)
            await heard(desk, turn["reference"], 2)
            await from_people(operator, 1)
    # The test's own client logs its requests; the product's logs nothing at this level
    # (`infra/observability/logging.py`).
    ours = "\n".join(r.getMessage() for r in caplog.records if not r.name.startswith("http"))
    assert "did not accept escalation" in ours and "answered 500" in ours
    for private in ("Smith", "cake", SECRET, operator.user, operator.session):
        assert private not in ours, [r for r in caplog.records if private in r.getMessage()]
