"""Escalations by guided reasoning, end to end over HTTP, and their rows in the ledger. Guarantees:

- A critique that says ESCALATE creates one open escalation, listed with its reason and the message. The reply of the
  signed-in staff member comes into the chat under their name.
- The ledger has it open, then resolved or lapsed, without any text. When no one replied in time, the chat and
  `iq escalations` say so; a later reply is refused with a message.
- A stalled ledger delays neither the escalation nor the reply, and has both rows once it works again.
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from cli.commands import escalations as inbox
from cli.stack.dev import Stack
from contracts.enums import EscalationReason, EscalationStatus
from contracts.usage import EscalationRow
from infra.errors import DependencyUnavailableError
from tests.integration.stack.test_escalations import from_people, messages
from tests.support.errors import expect_error
from tests.support.ledgers import Line, a_database
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, assessed, decides, found, look_up
from tests.support.stacks import a_stack
from tests.support.staff import Staff
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

OURS = {"Sec-Fetch-Site": "same-origin"}
WHY = "A second look at what the assistant was about to propose found that a person should decide."


@pytest.fixture
async def staff(stack: Stack) -> AsyncIterator[Staff]:
    """Staff of the running stack."""
    async with Staff(f"http://127.0.0.1:{stack.ports.facade}") as one:
        yield one


async def handed_over(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Escalate a cancellation that the critique rejects; return the booking and the turn."""
    guest = a_name()
    booking = await roller.book(guest)
    cancels = lambda body: assessed({"cancel_booking": {"booking_id": found(body)}})  # noqa: E731
    scripted.script(guest, look_up(guest), cancels)
    scripted.critique(guest, decides("ESCALATE", "the booking looks like somebody else's"))
    turn = await operator.say(f"cancel {guest}")
    assert turn["type"] == "escalation", turn
    return booking, turn


async def kept(stack: Stack, escalation_id: str, status: EscalationStatus) -> EscalationRow:
    """Return the ledger's row once it has this status."""
    rows: list[EscalationRow] = []
    assert stack.services is not None
    ledger = stack.services.escalation_ledger

    async def there() -> bool:
        try:
            row = await ledger.find(escalation_id)
        except DependencyUnavailableError:
            return False
        rows[:] = [row] if row is not None else []
        return row is not None and row.status is status

    await soon(there)
    return rows[0]


async def test_from_a_second_look_to_a_persons_words_in_the_chat(
    operator: Operator, roller: Roller, scripted: ScriptedModel, staff: Staff, stack: Stack
) -> None:
    booking, turn = await handed_over(operator, roller, scripted)
    row = await staff.find(turn["reference"])
    assert (row["reason"], row["why"], row["status"]) == ("critique", WHY, "open")
    assert row["asked"].startswith("cancel ")
    assert row["reply"] == turn["message"] and row["session_id"] == operator.session
    opened = await kept(stack, row["escalation_id"], EscalationStatus.OPEN)
    assert (opened.reason, opened.reference) == (EscalationReason.CRITIQUE, turn["reference"])
    assert (opened.venue_id, opened.resolved_at) == ("roller-demo", None)

    entered = await staff.http.post("/staff/session", json={"name": " Ada "}, headers=OURS)
    assert entered.json()["name"] == "Ada"
    path = f"/v1/escalations/{row['escalation_id']}/resolve"
    nothing = await staff.http.post(path, json={"message": "\x07\u202e"}, headers=OURS)
    assert nothing.status_code == 422, "what nobody can see is no answer"
    taken = await staff.http.post(path, json={"message": "It is hers:\x1b \u202ego ahead."}, headers=OURS)
    assert taken.status_code == 200 and taken.json()["answer"]["by"] == "Ada", taken.text

    [shown] = await from_people(operator, 1)
    assert (shown["role"], shown["reference"]) == ("person", turn["reference"])
    assert shown["text"] == f"Ada, a person, answers (reference {turn['reference']}): It is hers: go ahead."
    ended = await kept(stack, row["escalation_id"], EscalationStatus.RESOLVED)
    assert ended.created_at == opened.created_at and ended.resolved_at is not None
    # A staff reply is a message: it cancels nothing.
    assert (await roller.booking(booking["uniqueId"]))["items"] == booking["items"]


async def test_what_no_one_answered_is_reported_to_the_operator_and_stands_as_lapsed(
    model_url: str, tmp_path: Any, scripted: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    async with a_stack(tmp_path, model_base_url=model_url, escalation_ttl=3) as running:
        base = f"http://127.0.0.1:{running.ports.facade}"
        async with (
            Operator(base) as one,
            Staff(base) as staff,
            Roller(f"http://127.0.0.1:{running.ports.roller}") as venue,
        ):
            _, turn = await handed_over(one, venue, scripted)
            row = await staff.find(turn["reference"], "open,lapsed")
            lapsed = await kept(running, row["escalation_id"], EscalationStatus.LAPSED)
            assert lapsed.resolved_at is not None
            assert 3 <= (lapsed.resolved_at - lapsed.created_at).total_seconds() < 10
            reported: list[dict[str, Any]] = []

            async def there() -> bool:
                reported[:] = [m for m in await messages(one) if m["kind"] == "lapsed"]
                return bool(reported)

            await soon(there)
            [message] = reported
            assert (message["role"], message["reference"]) == ("assistant", turn["reference"])
            assert f"(reference {turn['reference']}): “{row['asked']}”. It is closed" in message["text"]
            expect_error(await staff.send(row["escalation_id"], "Too late."), 409, "conflict")
            await staff.find(turn["reference"], "lapsed")
            assert await inbox.listed(running.settings, (EscalationStatus.LAPSED,), as_json=False) == 0
            listed = capsys.readouterr().out
            assert turn["reference"] in listed and "  lapsed  " in listed
            assert "none came in time; the operator was informed" in listed


async def test_a_stalled_ledger_holds_up_no_one_and_has_it_all_afterwards(
    model_url: str, tmp_path: Any, scripted: ScriptedModel
) -> None:
    with a_database() as url:
        line = Line()
        async with a_stack(tmp_path, model_base_url=model_url, ledger_url=line.through(url)) as running:
            base = f"http://127.0.0.1:{running.ports.facade}"
            async with (
                Operator(base) as one,
                Staff(base) as staff,
                Roller(f"http://127.0.0.1:{running.ports.roller}") as venue,
            ):
                assert running.services is not None
                await running.services.escalation_ledger.list()
                line.stall()
                _, turn = await handed_over(one, venue, scripted)
                row = await staff.find(turn["reference"])
                await staff.answer(row["escalation_id"], "Tomorrow.", by="Ada")
                await from_people(one, 1)
                line.go_on()
                ended = await kept(running, row["escalation_id"], EscalationStatus.RESOLVED)
                assert ended.resolved_at is not None and ended.created_at <= ended.resolved_at
        line.cut()
