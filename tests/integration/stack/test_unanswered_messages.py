"""The answer to a message or a command whose outcome did not arrive in time (over HTTP, on the running stack).
Guarantees:

- An aborted message made no plan, and the answer says so. A committed one may have made a plan, and a bare yes then
  shows the waiting plan instead of confirming it.
- With an id, the answer to an attempt that was not passed on says nothing about earlier attempts.
- A committed yes is answered with the plan that took it, never with another.
- A plan whose workflow was terminated from outside is shown as ended, and waits for no operator. Where its history
  cannot be read, the notice says that more may have been done than is shown.
"""

from typing import Any
from unittest.mock import AsyncMock, patch

import pytest

from cli.stack.dev import Stack
from clients.errors import ServiceUnavailableError
from clients.services import Services
from clients.temporal.executions import WorkflowInspector
from infra.errors import DependencyUnavailableError
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.waiting import LIMIT, soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

NOTE = ("edit_note", {"note": "Cake at noon"})


@pytest.fixture
def services(stack: Stack) -> Services:
    """The services behind the API."""
    assert stack.services is not None
    return stack.services


async def wording(operator: Operator, message: str, **extra: Any) -> Any:
    """Send a message; return the response, whatever it is."""
    who = {"session_id": operator.session, "user_id": operator.user}
    return await operator.post("/v1/requests", user_message=message, **who, **extra)


async def scripted_note(roller: Roller, scripted: ScriptedModel) -> str:
    """Return a message that leads to a plan."""
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), then(NOTE), obey)
    return f"note: Cake at noon, for {guest}"


async def test_a_withdrawn_message_made_no_plan(operator: Operator, services: Services) -> None:
    with patch.object(services.chats, "turn", AsyncMock(side_effect=ServiceUnavailableError("slow"))):
        error = expect_error(await wording(operator, "a note"), 503, "service_unavailable")
    assert "It made no plan and replaced none" in error["message"]


async def test_a_plan_made_untold_is_not_confirmed_unseen(
    operator: Operator, roller: Roller, scripted: ScriptedModel, services: Services
) -> None:
    text, turn = await scripted_note(roller, scripted), services.chats.turn

    async def unheard(*given: Any) -> Any:
        await turn(*given)
        raise ServiceUnavailableError("slow")

    with patch.object(services.chats, "turn", unheard):
        error = expect_error(await wording(operator, text), 503, "service_unavailable")
    assert "a plan may have been made or replaced" in error["message"]
    shown = (await wording(operator, "yes")).json()
    assert (shown["type"], shown["plan"]["status"]) == ("plan", "pending_confirmation"), shown
    assert "Look at it" in shown["message"]
    assert (await wording(operator, "yes")).json()["plan"]["status"] != "pending_confirmation"
    assert (await operator.settled(shown["plan"]))["status"] == "completed"


async def test_a_yes_that_was_taken_is_reported_with_its_own_plan(
    operator: Operator, roller: Roller, scripted: ScriptedModel, services: Services
) -> None:
    plan, turn = await operator.plan_for(await scripted_note(roller, scripted)), services.chats.turn

    async def unheard(*given: Any) -> Any:
        await turn(*given)
        raise ServiceUnavailableError("slow")

    with (
        patch.object(services.chats, "turn", unheard),
        patch.object(services.chats, "session", AsyncMock(return_value=None)),
    ):
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
    operator: Operator, services: Services, message: str, key: str | None, reported: str
) -> None:
    with patch.object(services.command_store, "open", AsyncMock(side_effect=DependencyUnavailableError("store"))):
        answer = await wording(operator, message, **({"request_id": key} if key else {}))
    assert reported in expect_error(answer, 503, "service_unavailable")["message"]


@pytest.mark.parametrize("away", ["open", "plan"])
@pytest.mark.parametrize("key", [None, "r1"])
async def test_a_word_that_was_not_passed_on_says_nothing_of_earlier_tries(
    operator: Operator, roller: Roller, scripted: ScriptedModel, services: Services, away: str, key: str | None
) -> None:
    plan = await operator.plan_for(await scripted_note(roller, scripted))
    owner = services.plans if away == "plan" else services.command_store
    broken = ServiceUnavailableError("temporal") if away == "plan" else DependencyUnavailableError("store")
    extra = {"request_id": key} if key else {}
    with patch.object(owner, away, AsyncMock(side_effect=broken)):
        answer = await operator.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id=operator.user, **extra)
    message = expect_error(answer, 503, "service_unavailable")["message"]
    assert ("may have taken effect" in message, "has no effect" in message) == (key is not None, key is None)


async def test_a_plan_that_was_terminated_is_reported_as_ended(
    operator: Operator, roller: Roller, scripted: ScriptedModel, services: Services
) -> None:
    plan = await operator.plan_for(await scripted_note(roller, scripted))
    await services.plans.client.get_workflow_handle(f"plan-{plan['plan_id']}").terminate()
    seen = await operator.look(plan)
    assert seen["status"] == "cancelled" and "ended unexpectedly" in seen["notice"]
    session = await operator.http.get(f"/v1/sessions/{operator.session}", params={"user_id": operator.user})
    assert session.json()["pending_plan_id"] is None
    refused = await operator.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id=operator.user)
    assert refused.status_code == 409


async def test_a_plan_that_was_terminated_at_work_is_reported_though_its_history_cannot_be_read(
    operator: Operator, roller: Roller, scripted: ScriptedModel, services: Services
) -> None:
    plan = await operator.plan_for(await scripted_note(roller, scripted))
    await roller.fault("update-a-booking", "delay", seconds=LIMIT, times=1)
    await operator.confirm(plan)
    executions, name = WorkflowInspector(services.plans.client), f"plan-{plan['plan_id']}"

    async def acts() -> bool:
        return any(call.name == "act" for call in (await executions.describe(name)).calls)

    await soon(acts)
    await services.plans.client.get_workflow_handle(name).terminate()
    with patch.object(services.plans, "as_left", AsyncMock(side_effect=ServiceUnavailableError("temporal"))):
        behind = await operator.look(plan)
    assert (behind["status"], behind["actions"][0]["status"]) == ("failed", "pending")
    seen = await operator.look(plan)
    assert (seen["status"], seen["actions"][0]["status"]) == ("failed", "unknown")
    for reported in (behind, seen):
        assert "More of it may have been done than is shown here" in reported["notice"], reported
        assert "as it was last seen" not in reported["notice"], reported
