"""The API's answer to a confirm, answer, cancel, undo or typed yes is true while the worker is killed, Temporal or
Redis hangs, or the venue is too slow for an undo's read (real processes). A 503 names the unavailable part, and the
command never takes effect; sent again with its `request_id` it works. A command that took effect though its answer was
lost is reported as accepted, also to a retry of the chat's activity. An outcome that is unknown in time is a 202 with
the plan, `stale`, and a notice; nothing contradicts it later: no plan fails because its token was wiped. A read never
claims that nothing was changed, and shows the plan as last seen."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from temporalio.client import Client, Interceptor, OutboundInterceptor, SignalWorkflowInput
from temporalio.testing import ActivityEnvironment

from activities.chat_plan_bridge import ChatPlanActivities
from clients.commands import PlanCommands
from clients.temporal.chats import ChatClient
from clients.temporal.plans import PlanClient
from contracts.chat_messages import ConfirmRequest, PlanView
from contracts.commands import AnswerPrompt, ConfirmPlan
from contracts.plan import ExecutionPlan
from contracts.step_activities import ChatCommand
from infra.stores.command_store import CommandStore
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from tests.e2e.processes.test_facade_under_failure import live
from tests.support.afterwards import another_plan_ends, at_rest
from tests.support.operator import Operator
from tests.support.process_stack import ProcessStack, RedisProcess, redis_process
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

NOTE = ("edit_note", {"note": "Cake at noon"})
ASK: dict[str, Any] = {"ask_operator": {"question": "Cash or card?"}}


@pytest.fixture(scope="module")
async def store(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RedisProcess]:
    """A Redis of this module."""
    async with redis_process(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture(scope="module")
async def process_stack(store: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ProcessStack]:
    """A stack with each part in its own process."""
    async with ProcessStack(tmp_path_factory.mktemp("words"), store.url, IQ_CALL_TIMEOUT="20") as running:
        yield running


@pytest.fixture(autouse=True)
async def whole(process_stack: ProcessStack, store: RedisProcess) -> AsyncIterator[None]:
    """Restarts every part after a test."""
    yield
    store.thaw()
    process_stack.thaw_temporal()
    await process_stack.start_temporal()
    await process_stack.start_worker()
    await process_stack.ready()


class Scene:
    """One plan about one booking, and its operator."""

    def __init__(self, process_stack: ProcessStack, operator: Operator, venue: Roller) -> None:
        self.parts, self.operator, self.venue = process_stack, operator, venue
        self.booking: dict[str, Any] = {}
        self.plan: dict[str, Any] = {}

    async def pending(self, *model: Any) -> "Scene":
        """Draft a plan to put a note on a fresh booking."""
        guest = a_name()
        self.booking = await self.venue.book(guest)
        self.parts.scripted.script(guest, look_up(guest), then(NOTE), *(model or (obey,)))
        self.plan = await self.operator.plan_for(f"note: Cake at noon, for {guest}")
        return self

    async def asking(self) -> "Scene":
        """Run the plan until it asks."""
        await self.pending(ASK, obey)
        await self.operator.confirm(self.plan)
        await self.operator.asked(self.plan)
        return self

    async def completed(self) -> "Scene":
        """Run the plan until it is completed and can be undone."""
        await self.pending()
        await self.operator.confirm(self.plan)
        assert (await self.operator.settled(self.plan))["status"] == "completed"
        return self

    async def word(self, kind: str, **extra: Any) -> httpx.Response:
        """Send a command about it over HTTP."""
        text = {"user_message": "Cash"} if kind == "answers" else {}
        return await self.operator.post(
            f"/v1/plans/{self.plan['plan_id']}/{kind}", user_id=self.operator.user, **text, **extra
        )

    async def writes(self) -> int:
        """Return how many writes the venue has applied to the booking."""
        return len(await self.venue.journal(self.booking))

    async def ready(self) -> None:
        """Restart everything, and wait until the plan's workflow answers."""
        await self.parts.start_worker()
        await self.parts.ready()
        await live(self.operator, self.plan)

    async def and_then(self) -> None:
        """Wait until nothing more can come of the command: a plan that began later has ended."""
        await at_rest(self.parts, self.plan["plan_id"])
        await another_plan_ends(self.parts)
        await at_rest(self.parts, self.plan["plan_id"])

    @property
    def view(self) -> PlanView:
        """Return the plan as the API sees it."""
        return PlanView(plan=ExecutionPlan.model_validate(self.plan))


@pytest.fixture
async def scene(process_stack: ProcessStack, operator: Operator, venue: Roller) -> Scene:
    """The scene of one test."""
    return Scene(process_stack, operator, venue)


def no_effect(answer: httpx.Response, *named: str) -> None:
    """Check for a 503 that names the part and is certain."""
    assert answer.status_code == 503, answer.text
    message = answer.json()["error"]["message"]
    assert "no effect" in message, message
    assert any(name in message for name in named), message


async def test_an_answer_refused_while_the_workers_are_dead_is_never_taken(scene: Scene) -> None:
    await scene.asking()
    await scene.parts.kill_worker()
    no_effect(await scene.word("answers", request_id="a1"), "workers")
    await scene.ready()
    await scene.and_then()
    plan = await scene.operator.look(scene.plan)
    assert plan["blocking_prompt"]["question"] == "Cash or card?"
    assert await scene.writes() == 0
    taken = await scene.word("answers", request_id="a1")
    assert taken.status_code == 200 and "blocking_prompt" not in taken.json(), taken.text
    assert (await scene.operator.settled(scene.plan))["status"] == "completed"
    assert await scene.writes() == 1
    assert (await scene.word("answers", request_id="a1")).status_code == 200, "a retry hears the same"


@pytest.mark.parametrize("kind", ["confirm", "answers", "cancel", "undo"])
async def test_a_word_that_meets_a_hanging_temporal_is_what_it_was_answered(scene: Scene, kind: str) -> None:
    await {"answers": scene.asking, "undo": scene.completed}.get(kind, scene.pending)()
    before, writes = (await scene.operator.look(scene.plan))["status"], await scene.writes()
    await scene.parts.kill_worker()
    saying = asyncio.create_task(scene.word(kind, request_id="the-same"))
    await asyncio.sleep(1.2)
    scene.parts.freeze_temporal()
    no_effect(await saying, "Temporal", "workers")
    scene.parts.thaw_temporal()
    await scene.ready()
    await scene.and_then()
    after = await scene.operator.look(scene.plan)
    assert (after["status"], await scene.writes()) == (before, writes)
    assert after.get("rollback") is None
    again = await scene.word(kind, request_id="the-same")
    assert again.status_code in (200, 202) and "notice" not in again.json(), again.text
    if kind != "answers":
        await scene.operator.settled(scene.plan)
        assert (await scene.word(kind, request_id="the-same")).status_code in (200, 202), "a retry hears the same"


async def test_an_undo_that_a_slow_venue_holds_up_never_begins(scene: Scene) -> None:
    await scene.completed()
    await scene.venue.fault("get-booking-detail", "delay", seconds=12, times=20)
    no_effect(await scene.word("undo", request_id="u1"), "booking system")
    await scene.venue.clear_faults()
    await scene.and_then()
    plan = await scene.operator.look(scene.plan)
    assert (plan["status"], plan.get("rollback")) == ("completed", None)
    assert await scene.writes() == 1
    again = await scene.word("undo", request_id="u1")
    assert again.status_code == 202, again.text
    ended = await scene.operator.settled(scene.plan)
    assert ended["rollback_report"]["outcome"] == "complete", ended


async def test_a_redis_that_hangs_before_a_confirm_lets_nothing_out(scene: Scene, store: RedisProcess) -> None:
    await scene.pending()
    store.freeze()
    no_effect(await scene.word("confirm"), "Redis")
    store.thaw()
    await scene.and_then()
    assert (await scene.operator.look(scene.plan))["status"] == "pending_confirmation"
    assert await scene.writes() == 0
    await scene.operator.confirm(scene.plan)
    assert (await scene.operator.settled(scene.plan))["status"] == "completed"


async def test_a_confirm_during_which_redis_hangs_is_reported_as_not_known(scene: Scene, store: RedisProcess) -> None:
    await scene.pending()
    await scene.parts.kill_worker()
    confirming = asyncio.create_task(scene.word("confirm", request_id="c1"))
    await soon(scene.parts.tokens_kept)
    await asyncio.sleep(0.5)  # Temporal has it, or will in a moment; Redis is asked again only afterwards
    store.freeze()
    answer = await confirming
    assert answer.status_code == 202, answer.text
    shown = answer.json()
    assert shown["stale"] is True and "not known" in shown["notice"]
    store.thaw()
    await scene.ready()
    again = await scene.word("confirm", request_id="c1")
    assert again.status_code == 200, again.text
    ended = await scene.operator.settled(scene.plan)
    assert ended["status"] == "completed", ended
    assert await scene.writes() == 1


class Freezing(PlanClient):
    """Sends a confirm just when the store begins to hang."""

    def __init__(self, client: Client, store: RedisProcess) -> None:
        super().__init__(client)
        self._store = store

    async def confirm(self, plan_id: str, request: ConfirmRequest, within: float) -> PlanView:
        """See the base class."""
        self._store.freeze()
        return await super().confirm(plan_id, request, within)


async def test_a_confirm_that_redis_hangs_on_for_3_s_is_not_cut_off_from_its_token(
    scene: Scene, store: RedisProcess
) -> None:
    parts = scene.parts
    await scene.pending()
    own = Store(parts.redis_url)
    claims, vault = CommandStore(own), Vault(own, parts.settings.ring())
    words = PlanCommands(Freezing(parts.client, store), vault, claims, 60)
    wording = await words.execute(
        scene.view, ConfirmPlan(user_id=scene.operator.user, request_id="c1"), "demo-operator"
    )
    assert not wording.certain and wording.plan.notice is not None
    await asyncio.sleep(0.7)
    store.thaw()
    await scene.and_then()
    plan = await scene.operator.look(scene.plan)
    if plan["status"] == "pending_confirmation":
        await scene.and_then()
        assert (await scene.operator.look(scene.plan))["status"] == "pending_confirmation"
        await scene.operator.confirm(scene.plan)
    ended = await scene.operator.settled(scene.plan)
    assert ended["status"] == "completed", ended
    assert await scene.writes() == 1
    await own.close()


class SignalsUnheard(Interceptor):
    """Delivers every signal to Temporal, but its caller gets no answer."""

    def intercept_client(self, next: OutboundInterceptor) -> OutboundInterceptor:
        """See the base class."""
        return _SignalsUnheard(next)


class _SignalsUnheard(OutboundInterceptor):
    async def signal_workflow(self, input: SignalWorkflowInput) -> None:
        await super().signal_workflow(input)
        await asyncio.sleep(60)


@pytest.fixture
async def words(process_stack: ProcessStack) -> AsyncIterator[PlanCommands]:
    """The commands of an API that receives no answer to a signal."""
    client = Client(**{**process_stack.client.config(), "interceptors": [SignalsUnheard()]})
    own = Store(process_stack.redis_url)
    claims, vault = CommandStore(own), Vault(own, process_stack.settings.ring())
    yield PlanCommands(PlanClient(client), vault, claims, 60)
    await own.close()


async def test_an_answer_that_was_taken_unheard_is_reported_as_taken(scene: Scene, words: PlanCommands) -> None:
    await scene.asking()
    scene.plan = await scene.operator.look(scene.plan)
    view = scene.view.model_copy(update={"prompts_asked": 1})
    wording = await words.execute(view, AnswerPrompt(user_id=scene.operator.user, request_id="a1", text="Cash"))
    assert wording.certain and wording.plan.notice is not None and "was taken" in wording.plan.notice
    assert (await scene.operator.settled(scene.plan))["status"] == "completed"


async def test_a_typed_yes_whose_worker_died_after_it_was_taken(process_stack: ProcessStack, scene: Scene) -> None:
    """A retry of the activity, as Temporal starts it after the first attempt's worker is gone."""
    await scene.pending()
    own = Store(process_stack.redis_url)
    vault, claims = Vault(own, process_stack.settings.ring()), CommandStore(own)
    plans, chats_client = (
        PlanClient(process_stack.client),
        ChatClient(process_stack.client, process_stack.settings.task_queue),
    )
    chats = ChatPlanActivities(
        process_stack.settings, plans, chats_client, PlanCommands(plans, vault, claims, 60), vault, claims
    )
    await process_stack.forget_tokens()
    call = ChatCommand(
        plan_id=scene.plan["plan_id"],
        command=ConfirmPlan(
            user_id=scene.operator.user, request_id="y1", commit_token=(await claims.open("y1", 10)).commit_token
        ),
        token_ref=await vault.put("demo-operator", 60),
    )
    first = await ActivityEnvironment().run(chats.execute_command, call)
    assert first.plan is not None and first.plan.status == "confirmed"
    assert (await scene.operator.settled(scene.plan))["status"] == "completed"
    await vault.wipe(call.token_ref)
    second = await ActivityEnvironment().run(chats.execute_command, call)
    assert second.error is None and second.plan is not None, second
    assert await scene.writes() == 1 and await process_stack.tokens_kept() == []
    await own.close()


async def test_a_typed_yes_with_its_worker_killed_is_what_it_was_answered(scene: Scene) -> None:
    await scene.pending()
    user, session = scene.operator.user, scene.operator.session
    wording = {"user_message": "yes", "session_id": session, "user_id": user, "request_id": "y1"}
    saying = asyncio.create_task(scene.operator.post("/v1/requests", **wording))
    await asyncio.sleep(0.15)
    await scene.parts.kill_worker()
    await scene.parts.start_worker()
    answer = await saying
    if answer.status_code == 503:
        assert "no effect" in answer.json()["error"]["message"], answer.text
        await scene.and_then()
        assert (await scene.operator.look(scene.plan))["status"] == "pending_confirmation"
        answer = await scene.operator.post("/v1/requests", **wording)
    assert answer.status_code in (200, 202) and answer.json()["type"] == "plan", answer.text
    assert answer.json()["plan"]["plan_id"] == scene.plan["plan_id"]
    assert (await scene.operator.settled(scene.plan))["status"] == "completed"
    assert await scene.writes() == 1


async def test_with_temporal_dead_every_503_is_true(scene: Scene) -> None:
    await scene.asking()
    await scene.parts.stop_temporal()
    look = await scene.operator.http.get(f"/v1/plans/{scene.plan['plan_id']}", params={"user_id": scene.operator.user})
    error = look.json()["error"]
    assert look.status_code == 503 and "Temporal" in error["message"] and "not known" in error["message"]
    assert "hanged" not in error["message"] and "no effect" not in error["message"]
    assert (error["plan"]["status"], error["plan"]["stale"]) == ("executing", True)
    stranger = await scene.operator.http.get(f"/v1/plans/{scene.plan['plan_id']}", params={"user_id": "somebody"})
    assert stranger.status_code == 503 and "plan" not in stranger.json()["error"]
    cancel = await scene.word("cancel")
    no_effect(cancel, "Temporal")
    assert "Nothing was changed" not in cancel.text and cancel.json()["error"]["plan"]["status"] == "executing"
    session = await scene.operator.http.get(
        f"/v1/sessions/{scene.operator.session}", params={"user_id": scene.operator.user}
    )
    assert session.status_code == 503 and "hanged" not in session.text
    who = {"session_id": scene.operator.session, "user_id": scene.operator.user}
    yes = await scene.operator.post("/v1/requests", user_message="yes", **who)
    no_effect(yes, "Temporal")
    other = await scene.operator.post("/v1/requests", user_message="move it to noon", **who)
    assert "No booking was changed by this message" in other.json()["error"]["message"]


async def test_a_hanging_redis_is_named_also_to_who_looks(scene: Scene, store: RedisProcess) -> None:
    await scene.asking()
    store.freeze()
    look = await scene.operator.http.get(f"/v1/plans/{scene.plan['plan_id']}", params={"user_id": scene.operator.user})
    assert look.status_code == 503, look.text
    assert "Redis" in look.text and "hanged" not in look.text
    wording = {"user_message": "hello", "session_id": scene.operator.session, "user_id": scene.operator.user}
    message = await scene.operator.post("/v1/requests", **wording)
    assert message.status_code == 503 and "Redis" in message.text, message.text
