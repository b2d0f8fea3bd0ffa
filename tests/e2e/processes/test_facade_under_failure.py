"""The API when a part behind it is gone: Temporal killed, or no worker alive.

- Every route answers meanwhile, as documented: 503 where it needs the missing part (`/readyz` names that part, since
  when, and what is unknown without it); a known plan is still shown, marked `stale`, when only the worker is gone.
- A confirm that was answered with 503 never takes effect later: without a worker for 1 s and for 20 s, and with
  Temporal killed and restarted, the plan stays pending, the booking as it was, and a new confirm works.
- A confirm whose answer is lost, because Temporal dies once it has it, is settled through Redis: 503 and never, or 200
  and executed.
- A request repeated with the same `request_id` after a failure gives one turn and one plan.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from temporalio.client import (
    Client,
    Interceptor,
    OutboundInterceptor,
    StartWorkflowUpdateInput,
    WorkflowUpdateHandle,
)
from temporalio.worker import Worker

from clients.commands import PlanCommands
from clients.errors import ApiError
from clients.temporal.plans import PlanClient
from contracts.chat_messages import PlanView
from contracts.commands import ConfirmPlan
from contracts.plan import ExecutionPlan
from infra.stores.command_store import CommandStore
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from tests.support import needs
from tests.support.afterwards import another_plan_ends, at_rest
from tests.support.operator import Operator
from tests.support.process_stack import ProcessStack, own_redis
from tests.support.roller import Roller, a_name, content
from tests.support.scripted_model import look_up, obey, then
from tests.support.waiting import STARTING, soon
from workflows.plan.workflow import PlanWorkflow

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

ACCEPTED = "workflow_execution_update_accepted_event_attributes"


@pytest.fixture(scope="module")
async def process_stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ProcessStack]:
    """A stack with each part in its own process."""
    needs.redis()
    async with own_redis() as url, ProcessStack(tmp_path_factory.mktemp("failing"), url) as running:
        yield running


@pytest.fixture(autouse=True)
async def whole(process_stack: ProcessStack) -> AsyncIterator[None]:
    """Restarts every part before a test and after it."""
    yield
    await process_stack.start_temporal()
    await process_stack.start_worker()
    await process_stack.ready()


@dataclass
class Pending:
    """A plan that waits for its confirmation, and the booking it is about."""

    plan: dict[str, Any]
    booking: dict[str, Any]


@pytest.fixture
async def pending(process_stack: ProcessStack, operator: Operator, venue: Roller) -> Pending:
    """A plan to put a note on a fresh booking."""
    guest = a_name()
    booking = await venue.book(guest)
    process_stack.scripted.script(guest, look_up(guest), then(("edit_note", {"note": "Cake at noon"})), obey)
    return Pending(await operator.plan_for(f"a note for {guest}: Cake at noon"), booking)


async def every_route(operator: Operator, plan_id: str) -> dict[str, httpx.Response]:
    """Call every route at once; each must answer and, unless it is 2xx, with the documented body."""
    user, plan = {"user_id": operator.user}, f"/v1/plans/{plan_id}"
    asked: dict[str, tuple[str, str, dict[str, Any]]] = {
        "request": ("POST", "/v1/requests", {"user_message": "hello", "session_id": operator.session, **user}),
        "confirm": ("POST", f"{plan}/confirm", user),
        "look": ("GET", plan, user),
        "answer": ("POST", f"{plan}/answers", {"user_message": "yes", **user}),
        "cancel": ("POST", f"{plan}/cancel", user),
        "undo": ("POST", f"{plan}/undo", user),
        "session": ("GET", f"/v1/sessions/{operator.session}", user),
        "actions": ("GET", "/v1/actions", {}),
        "refresh": ("POST", "/v1/actions/refresh", {}),
    }
    return dict(zip(asked, await asyncio.gather(*(_ask(operator, *a) for a in asked.values())), strict=True))


async def _ask(operator: Operator, method: str, path: str, given: dict[str, Any]) -> httpx.Response:
    asks = operator.http.get(path, params=given) if method == "GET" else operator.http.post(path, json=given)
    answer = await asks
    if not answer.is_success:
        body = answer.json()
        assert body["type"] == "error" and body["error"]["message"], body
        assert set(body["error"]) >= {"error_type", "message", "suggestions"}, body
        assert answer.status_code in (409, 503), answer.text
    return answer


async def test_with_temporal_dead_every_route_answers_in_time(
    process_stack: ProcessStack, operator: Operator, pending: Pending
) -> None:
    stopped = datetime.now(UTC)
    await process_stack.stop_temporal()
    answers = await every_route(operator, pending.plan["plan_id"])
    assert {name: a.status_code for name, a in answers.items()} == {
        "request": 503, "confirm": 503, "look": 503, "answer": 503, "cancel": 503, "undo": 503, "session": 503,
        "actions": 200, "refresh": 200,
    }  # fmt: skip
    shown = answers["request"].json()["error"]
    assert (shown["error_type"], shown["retry_after_seconds"] > 0) == ("service_unavailable", True)
    assert int(answers["request"].headers["Retry-After"]) > 0
    assert (await operator.http.get("/healthz")).status_code == 200
    first, *_, last = [await operator.http.get("/readyz") for _ in range(3)]
    assert (first.status_code, last.status_code) == (503, 503)
    shown = first.json()
    assert shown["parts"]["temporal"].startswith("no answer at TEMPORAL_ADDRESS ("), shown
    assert shown["parts"]["worker"].startswith("not known: Temporal does not say ("), shown
    assert shown["parts"]["vault"] == "ok" and shown["since"].keys() == {"temporal", "worker", "search_attributes"}
    assert stopped <= datetime.fromisoformat(shown["since"]["temporal"]) <= datetime.now(UTC)
    assert last.json()["since"] == shown["since"], "each look begins no new absence"


async def test_with_no_worker_every_route_answers_in_time_and_a_known_plan_is_shown(
    process_stack: ProcessStack, operator: Operator, pending: Pending
) -> None:
    await process_stack.kill_worker()
    answers = await every_route(operator, pending.plan["plan_id"])
    assert {name: a.status_code for name, a in answers.items()} == {
        "request": 503, "confirm": 503, "look": 200, "answer": 409, "cancel": 503, "undo": 409, "session": 503,
        "actions": 200, "refresh": 200,
    }  # fmt: skip
    seen = answers["look"].json()
    assert seen["stale"] is True
    assert (seen["status"], seen["actions"]) == ("pending_confirmation", pending.plan["actions"])


@pytest.mark.parametrize("away", [1, 20])
async def test_a_confirm_answered_503_without_a_worker_never_takes_effect_later(
    process_stack: ProcessStack, operator: Operator, venue: Roller, pending: Pending, away: float
) -> None:
    await process_stack.kill_worker()
    await refused(operator, pending.plan)
    await asyncio.sleep(away)
    await process_stack.start_worker()
    await still_pending(process_stack, operator, venue, pending)


async def test_a_confirm_answered_503_without_temporal_never_takes_effect_later(
    process_stack: ProcessStack, operator: Operator, venue: Roller, pending: Pending
) -> None:
    await process_stack.stop_temporal()
    await refused(operator, pending.plan)
    await process_stack.start_temporal()
    await still_pending(process_stack, operator, venue, pending)


async def test_a_confirm_during_which_temporal_comes_back_is_what_it_was_answered(
    process_stack: ProcessStack, operator: Operator, venue: Roller, pending: Pending
) -> None:
    await process_stack.stop_temporal()
    confirming = asyncio.create_task(
        operator.post(f"/v1/plans/{pending.plan['plan_id']}/confirm", user_id=operator.user)
    )
    await process_stack.start_temporal()
    answer = await confirming
    if answer.status_code == 200:
        assert (await operator.settled(pending.plan))["status"] == "completed"
        return
    assert answer.status_code == 503, answer.text
    await still_pending(process_stack, operator, venue, pending)


class AnswersLost(Interceptor):
    """Delivers every update to Temporal, but its caller gets no answer."""

    def intercept_client(self, next: OutboundInterceptor) -> OutboundInterceptor:
        """See the base class."""
        return _AnswersLost(next)


class _AnswersLost(OutboundInterceptor):
    async def start_workflow_update(self, input: StartWorkflowUpdateInput) -> WorkflowUpdateHandle[Any]:
        await super().start_workflow_update(input)
        await asyncio.sleep(60)
        raise AssertionError("waited out")


@pytest.fixture
async def deaf(process_stack: ProcessStack) -> AsyncIterator[Callable[[dict[str, Any]], Awaitable[PlanView]]]:
    """A confirm as the API sends it, by an API that receives no answer."""
    config = process_stack.client.config()
    own = Store(process_stack.redis_url)
    claims = CommandStore(own)
    plans = PlanClient(Client(**{**config, "interceptors": [AnswersLost()]}))
    vault = Vault(own, process_stack.settings.ring())
    words = PlanCommands(plans, vault, claims, 60)

    async def confirm(plan: dict[str, Any]) -> PlanView:
        view = PlanView(plan=ExecutionPlan.model_validate(plan))
        text = await words.execute(view, ConfirmPlan(user_id=view.plan.user_id, request_id="unheard"), "demo-operator")
        assert text.certain
        return PlanView(plan=text.plan)

    yield confirm
    await own.close()


async def test_a_confirm_that_is_taken_but_not_begun_when_its_answer_is_lost_never_takes_effect(
    process_stack: ProcessStack,
    operator: Operator,
    venue: Roller,
    pending: Pending,
    deaf: Callable[..., Awaitable[PlanView]],
) -> None:
    await process_stack.kill_worker()
    handle = process_stack.client.get_workflow_handle(f"plan-{pending.plan['plan_id']}")
    async with Worker(process_stack.client, task_queue=process_stack.settings.task_queue, workflows=[PlanWorkflow]):
        await handle.query("plan")
        with pytest.raises(ApiError) as error:
            await deaf(pending.plan)
    assert error.value.kind == "service_unavailable"
    taken = [e async for e in handle.fetch_history_events() if e.HasField(ACCEPTED)]
    assert len(taken) == 1, "else this shows nothing"
    await process_stack.start_worker()
    await still_pending(process_stack, operator, venue, pending)


async def test_a_confirm_that_has_begun_when_its_answer_is_lost_is_reported_as_confirmed(
    process_stack: ProcessStack,
    operator: Operator,
    venue: Roller,
    pending: Pending,
    deaf: Callable[..., Awaitable[PlanView]],
) -> None:
    shown = await deaf(pending.plan)
    assert (shown.plan.status, shown.plan.stale) == ("confirmed", True)
    assert (await operator.settled(pending.plan))["status"] == "completed"
    assert len(await venue.journal(pending.booking)) == 1


async def refused(operator: Operator, plan: dict[str, Any]) -> None:
    """Confirm, and check for a 503 that reports no effect."""
    answer = await operator.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id=operator.user)
    assert answer.status_code == 503, answer.text
    assert answer.json()["error"]["error_type"] == "service_unavailable"


async def still_pending(process_stack: ProcessStack, operator: Operator, venue: Roller, pending: Pending) -> None:
    """Check that nothing happens to the plan by itself, that no token is kept for it, and that a new confirm executes
    it."""
    await process_stack.ready()
    await live(operator, pending.plan)
    await at_rest(process_stack, pending.plan["plan_id"])
    await another_plan_ends(process_stack)
    assert (await operator.look(pending.plan))["status"] == "pending_confirmation"
    assert await process_stack.tokens_kept() == []
    assert content(await venue.booking(pending.booking["uniqueId"])) == content(pending.booking)
    assert await venue.journal(pending.booking) == []
    await operator.confirm(pending.plan)
    assert (await operator.settled(pending.plan))["status"] == "completed"
    assert len(await venue.journal(pending.booking)) == 1


async def live(operator: Operator, plan: dict[str, Any]) -> None:
    """Wait until a worker answers for the plan, not its record."""

    async def answered() -> bool:
        answer = await operator.http.get(f"/v1/plans/{plan['plan_id']}", params={"user_id": operator.user})
        return answer.status_code == 200 and not answer.json().get("stale")

    await soon(answered)


@pytest.mark.parametrize("gone", ["worker away", "temporal dead", "worker killed in mid-turn"])
async def test_a_request_repeated_after_a_failure_gives_one_turn(
    process_stack: ProcessStack, operator: Operator, venue: Roller, gone: str
) -> None:
    guest, asked = a_name(), 0
    booking = await venue.book(guest)

    async def plan_it(body: dict[str, Any]) -> Any:
        nonlocal asked
        asked += 1
        if gone == "worker killed in mid-turn" and asked == 1:
            await process_stack.kill_worker()
            await process_stack.start_worker()
        planned: Any = then(("edit_note", {"note": "Cake at noon"}))
        return planned(body) if body["messages"][-1]["role"] == "tool" else look_up(guest)

    process_stack.scripted.script(guest, plan_it)
    if gone == "worker away":
        await process_stack.kill_worker()
    elif gone == "temporal dead":
        await process_stack.stop_temporal()
    text = {
        "user_message": f"a note for {guest}: Cake at noon",
        "session_id": operator.session,
        "user_id": operator.user,
    }
    first = await operator.post("/v1/requests", **text, request_id="the-same")
    assert first.status_code == 503 or gone == "worker killed in mid-turn", first.text
    await process_stack.start_temporal()
    await process_stack.start_worker()
    await process_stack.ready()
    turns = [first.json()] if first.status_code == 200 else []
    async with asyncio.timeout(STARTING):
        while len(turns) < 3:
            answer = await operator.post("/v1/requests", **text, request_id="the-same")
            assert answer.status_code in (200, 503), answer.text
            turns += [answer.json()] if answer.status_code == 200 else []
    assert turns[0]["type"] == "plan" and turns[1:] == turns[:1] * 2
    session = await operator.http.get(f"/v1/sessions/{operator.session}", params={"user_id": operator.user})
    kinds = [message["kind"] for message in session.json()["messages"]]
    # A lost worker may use up the first attempt's time: the operator got that answer, and the chat shows it.
    shown = ["error"] if first.status_code == 503 and gone == "worker killed in mid-turn" else []
    assert kinds in (["message", "plan"], ["message", *shown, "plan"]), "the operator's message and the answer, once"
    mine = [
        w.id async for w in process_stack.client.list_workflows('WorkflowType = "Plan" AND ExecutionStatus = "Running"')
    ]
    assert f"plan-{turns[0]['plan']['plan_id']}" in mine
    assert await venue.journal(booking) == []
