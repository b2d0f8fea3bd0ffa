"""An answer under a `request_id` that was used before (HTTP contract): the same answer to the same question gets the
same outcome; another text, or another question, is refused with the way out, and nothing is sent to the plan.

This holds while the first one is on its way, once it was taken, and where the store has lost it and only the plan
knows. An aborted answer does not count: another one may use its id.
"""

import pytest

from clients.commands import PlanCommands
from clients.errors import ApiError
from contracts.chat_messages import PlanView, PromptAnswer
from contracts.commands import AnswerPrompt
from contracts.enums import PlanStatus, ServiceErrorType
from contracts.plan import BlockingPrompt, ExecutionPlan
from infra.crypto.keyring import new_key_line, parse_ring
from infra.stores.command_store import CommandResult, CommandStore
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from tests.unit.reasoning.test_drafting import a_plan

USER = "operator-1"


class Asking:
    """A plan that asks one question after another, and accepts each answer to the open one."""

    def __init__(self, claims: CommandStore) -> None:
        self.claims = claims
        self.answers: list[PromptAnswer] = []
        self.taken: tuple[str, ...] = ()
        self.asked = 1
        self.deaf = False

    async def answer(self, plan_id: str, given: PromptAnswer) -> None:
        """See `PlanClient.answer`."""
        self.answers.append(given)
        if not self.deaf and await self.claims.commit(given.commit_token):
            self.taken, self.asked = (*self.taken, given.answer_id), self.asked + 1

    async def plan(self, plan_id: str = "") -> PlanView:
        """See `PlanClient.plan`."""
        prompt = BlockingPrompt(prompt_id=f"q{self.asked}", question="Which?", choices=(), expires_at=PLAN.expires_at)
        running = {"status": PlanStatus.EXECUTING, "confirmed_at": PLAN.created_at, "blocking_prompt": prompt}
        plan = PLAN.model_copy(update=running)
        return PlanView(plan=plan, prompts_asked=self.asked, taken_answers=self.taken)


PLAN: ExecutionPlan = a_plan(user_id=USER)


class Scene:
    """The plan, and an operator who answers it."""

    def __init__(self) -> None:
        self.store = Store()
        self.claims = CommandStore(self.store)
        self.plan = Asking(self.claims)
        vault = Vault(Store(), parse_ring(new_key_line()))
        self.words = PlanCommands(self.plan, vault, self.claims, 60)  # type: ignore[arg-type]

    async def answer(self, text: str, prompt_id: str | None, ticket: str = "") -> CommandResult:
        """Answer, always under the same id."""
        command = AnswerPrompt(user_id=USER, request_id="X", commit_token=ticket, text=text, prompt_id=prompt_id)
        return await self.words.execute(await self.plan.plan(), command)

    async def refused(self, text: str, prompt_id: str | None) -> None:
        """Send an answer that must be refused as a different one."""
        sent = len(self.plan.answers)
        with pytest.raises(ApiError) as refused:
            await self.answer(text, prompt_id)
        assert refused.value.kind is ServiceErrorType.INVALID_REQUEST and refused.value.answer.suggestions
        assert len(self.plan.answers) == sent, "nothing is sent"


@pytest.mark.parametrize("lost", [False, True], ids=["on record", "the store was emptied"])
async def test_only_the_same_answer_gets_the_same_outcome(lost: bool) -> None:
    scene = Scene()
    await scene.answer("Cash", "q1")
    if lost:
        await scene.store.redis.flushall()
    for text, prompt_id in (("Cash", "q1"), ("Cash", None)):
        again = await scene.answer(text, prompt_id)
        assert (again.certain, again.plan.notice) == (True, None)
    for text, prompt_id in (("Blue", "q2"), ("Card", "q1"), ("Card", None), ("Cash", "q2"), ("Cash", "nonsense")):
        await scene.refused(text, prompt_id)
    assert (await scene.answer("Cash", "q1")).certain
    assert len(scene.plan.taken) == 1


async def test_another_answer_is_refused_while_the_first_is_on_its_way() -> None:
    scene = Scene()
    word = AnswerPrompt(user_id=USER, request_id="X", text="")
    # It was opened, and is still under way.
    await scene.words._open(await scene.plan.plan(), word, 60, content="q/h")
    await scene.refused("Card", "q1")


async def test_another_answer_may_come_where_the_first_was_withdrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene()
    scene.plan.deaf = True
    monkeypatch.setattr("clients.commands._WITHIN", 0.05)
    with pytest.raises(ApiError) as refused:
        await scene.answer("Cash", "q1")
    assert refused.value.kind is ServiceErrorType.SERVICE_UNAVAILABLE
    scene.plan.deaf = False
    await scene.answer("Card", "q1")
    assert len(scene.plan.taken) == 1


async def test_what_comes_in_a_message_was_compared_by_its_chat() -> None:
    """Its activity may run twice, and the second run finds another question open."""
    scene = Scene()
    ticket = (await scene.claims.open("message", 60)).commit_token
    await scene.answer("Cash", "q1", ticket)
    again = await scene.answer("Cash", "q2", ticket)
    assert (again.certain, len(scene.plan.taken)) == (True, 1)
