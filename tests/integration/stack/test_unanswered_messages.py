"""What is said of a message, or a word, of which nobody could answer in time (over HTTP, on the running stack).

- A message that was withdrawn made no plan, and the answer says so; one that was claimed may have made one, and a bare
  yes then shows what waits instead of confirming it.
- With an id, a try that was not passed on says nothing of the tries before it.
- A yes that was taken is told with the plan that took it, never with another.
- A plan whose workflow was ended from outside is told as ended, and waits for nobody. Where its history cannot be read,
  it is told that more may have been done than is shown.
"""

from typing import Any
from unittest.mock import AsyncMock, patch

import pytest

from cli.stack.dev import Stack
from clients.errors import DependencyUnavailableError
from clients.services import Services
from clients.temporal.executions import WorkflowInspector
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.waiting import LIMIT, soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

NOTE = ("edit_note", {"note": "Cake at noon"})


@pytest.fixture
def parts(stack: Stack) -> Services:
    """What the facade is made of."""
    assert stack.services is not None
    return stack.services


async def wording(operator: Operator, message: str, **extra: Any) -> Any:
    """The answer to a message, whatever it is."""
    who = {"session_id": operator.session, "user_id": operator.user}
    return await operator.post("/v1/requests", user_message=message, **who, **extra)


async def scripted_note(roller: Roller, scripted: ScriptedModel) -> str:
    """What to say for a plan."""
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), then(NOTE), obey)
    return f"note: Cake at noon, for {guest}"


async def test_a_withdrawn_message_made_no_plan(operator: Operator, parts: Services) -> None:
    with patch.object(parts.chats, "turn", AsyncMock(side_effect=DependencyUnavailableError("slow"))):
        error = expect_error(await wording(operator, "a note"), 503, "service_unavailable")
    assert "It made no plan and replaced none" in error["message"]


async def test_a_plan_made_untold_is_not_confirmed_unseen(
    operator: Operator, roller: Roller, scripted: ScriptedModel, parts: Services
) -> None:
    text, turn = await scripted_note(roller, scripted), parts.chats.turn

    async def unheard(*given: Any) -> Any:
        await turn(*given)
        raise DependencyUnavailableError("slow")

    with patch.object(parts.chats, "turn", unheard):
        error = expect_error(await wording(operator, text), 503, "service_unavailable")
    assert "a plan may have been made or replaced" in error["message"]
    shown = (await wording(operator, "yes")).json()
    assert (shown["type"], shown["plan"]["status"]) == ("plan", "pending_confirmation"), shown
    assert "Look at it" in shown["message"]
    assert (await wording(operator, "yes")).json()["plan"]["status"] != "pending_confirmation"
    assert (await operator.settled(shown["plan"]))["status"] == "completed"


async def test_a_yes_that_was_taken_is_reported_with_its_own_plan(
    operator: Operator, roller: Roller, scripted: ScriptedModel, parts: Services
) -> None:
    plan, turn = await operator.plan_for(await scripted_note(roller, scripted)), parts.chats.turn

    async def unheard(*given: Any) -> Any:
        await turn(*given)
        raise DependencyUnavailableError("slow")

    with patch.object(parts.chats, "turn", unheard), patch.object(parts.chats, "session", AsyncMock(return_value=None)):
        reported = await wording(operator, "yes")
    assert reported.json()["plan"]["plan_id"] == plan["plan_id"], reported.text
    await operator.settled(plan)


@pytest.mark.parametrize(
    ("message", "key", "reported"),
    [
        ("a note", None, "No booking was changed"),
        ("a note", "r1", "that one may have taken effect"),
        ("yes", None, "No booking was changed"),
        ("yes", "r1", "that one may have taken effect"),
    ],
)
async def test_a_message_that_was_not_passed_on_says_nothing_of_earlier_tries(
    operator: Operator, parts: Services, message: str, key: str | None, reported: str
) -> None:
    with patch.object(parts.command_store, "open", AsyncMock(side_effect=ConnectionError)):
        answer = await wording(operator, message, **({"request_id": key} if key else {}))
    assert reported in expect_error(answer, 503, "service_unavailable")["message"]


@pytest.mark.parametrize("away", ["open", "put", "plan"])
@pytest.mark.parametrize("key", [None, "r1"])
async def test_a_word_that_was_not_passed_on_says_nothing_of_earlier_tries(
    operator: Operator, roller: Roller, scripted: ScriptedModel, parts: Services, away: str, key: str | None
) -> None:
    plan = await operator.plan_for(await scripted_note(roller, scripted))
    owner = {"open": parts.command_store, "put": parts.vault, "plan": parts.plans}[away]
    broken = DependencyUnavailableError("temporal") if away == "plan" else ConnectionError()
    extra = {"request_id": key} if key else {}
    with patch.object(owner, away, AsyncMock(side_effect=broken)):
        answer = await operator.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id=operator.user, **extra)
    message = expect_error(answer, 503, "service_unavailable")["message"]
    assert ("may have taken effect" in message, "has no effect" in message) == (key is not None, key is None)


async def test_a_plan_that_was_terminated_is_reported_as_ended(
    operator: Operator, roller: Roller, scripted: ScriptedModel, parts: Services
) -> None:
    plan = await operator.plan_for(await scripted_note(roller, scripted))
    await parts.plans.client.get_workflow_handle(f"plan-{plan['plan_id']}").terminate()
    seen = await operator.look(plan)
    assert seen["status"] == "cancelled" and "ended unexpectedly" in seen["notice"]
    session = await operator.http.get(f"/v1/sessions/{operator.session}", params={"user_id": operator.user})
    assert session.json()["pending_plan_id"] is None
    refused = await operator.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id=operator.user)
    assert refused.status_code == 409


async def test_a_plan_that_was_terminated_at_work_is_reported_though_its_history_cannot_be_read(
    operator: Operator, roller: Roller, scripted: ScriptedModel, parts: Services
) -> None:
    plan = await operator.plan_for(await scripted_note(roller, scripted))
    await roller.fault("update-a-booking", "delay", seconds=LIMIT, times=1)
    await operator.confirm(plan)
    executions, name = WorkflowInspector(parts.plans.client), f"plan-{plan['plan_id']}"

    async def acts() -> bool:
        return any(call.name == "act" for call in (await executions.describe(name)).calls)

    await soon(acts)
    await parts.plans.client.get_workflow_handle(name).terminate()
    with patch.object(parts.plans, "as_left", AsyncMock(side_effect=DependencyUnavailableError("temporal"))):
        behind = await operator.look(plan)
    assert (behind["status"], behind["actions"][0]["status"]) == ("failed", "pending")
    seen = await operator.look(plan)
    assert (seen["status"], seen["actions"][0]["status"]) == ("failed", "unknown")
    for reported in (behind, seen):
        assert "More of it may have been done than is shown here" in reported["notice"], reported
        assert "as it was last seen" not in reported["notice"], reported
