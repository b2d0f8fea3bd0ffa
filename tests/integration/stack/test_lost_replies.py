"""With which plan a typed yes or no is told when its answer was lost: with the one that took it, or with none.

Another facade may have shown, and this chat may have made, other plans meanwhile.
"""

from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import pytest
from fastapi import Response

from api.last_shown import LastShown
from api.turns import TurnService, TurnSubmission
from clients.admission import AdmissionControl
from clients.commands import PlanCommands
from clients.errors import ApiError, DependencyUnavailableError
from clients.temporal.chats import ChatClient
from contracts.chat_messages import PlanView, SessionView
from contracts.enums import PlanStatus, ShortReply
from contracts.plan import ExecutionPlan
from contracts.turn import AnswerTurn, PlanTurn
from infra.crypto.keyring import new_key_line, parse_ring
from infra.observability.observer import Observer
from infra.stores.command_store import MemoryCommandStore
from infra.stores.last_shown_plan import MemoryLastShownPlans
from infra.stores.token_vault import MemoryVault
from tests.workflows.rehearsal import USER
from tests.workflows.test_pending_plan import CONFIRMED, a_plan
from workflows.ids import chat_workflow

pytestmark = pytest.mark.asyncio

OTHER = a_plan().model_copy(update={"plan_id": "other"})
LOST = DependencyUnavailableError("slow").answer


async def a_reply(word: ShortReply | None, by: str | None, shown: str | None = None) -> TurnSubmission:
    """A reply that `by` claimed (None: nobody knows), in a chat where another plan waits and was shown last."""
    plans: dict[str, ExecutionPlan] = {"old": CONFIRMED, "other": OTHER}
    look = AsyncMock(side_effect=lambda plan_id: PlanView(plan=plans[plan_id]))
    session = AsyncMock(return_value=SessionView(owner=USER, pending_plan_id="other", prompt_plan_id=None))
    client: Any = SimpleNamespace(plan=look)
    claims = MemoryCommandStore()
    ticket = (await claims.open("a", 9)).commit_token
    if by is None:
        claims._commands.clear()
    else:
        await claims.commit(ticket, by)
    vault, chats = MemoryVault(parse_ring(new_key_line())), cast("ChatClient", SimpleNamespace(session=session))
    words = PlanCommands(client, vault, claims, 60)
    known = LastShown(MemoryLastShownPlans())
    await known.offer("chat-1", OTHER)
    turn: Any = SimpleNamespace(commit_token=ticket, reply_token=ticket, user_id=USER, shown_plan_id=shown)
    places = AdmissionControl(1, "message", Observer())
    return TurnSubmission(
        TurnService(claims, vault, words, chats, client, known, 15, Observer(), places), "chat-1", turn, word
    )


async def test_a_yes_is_reported_with_the_plan_that_took_it() -> None:
    reported = await (await a_reply(ShortReply.YES, "old")).on_timeout(LOST, Response())
    assert isinstance(reported, PlanTurn) and reported.plan.plan_id == "old"


async def test_a_yes_taken_by_no_one_knows_whom_names_no_plan() -> None:
    reported = await (await a_reply(ShortReply.YES, "")).on_timeout(LOST, Response())
    assert isinstance(reported, AnswerTurn) and "was taken" in reported.message


async def test_an_unknown_yes_is_reported_with_the_plan_that_was_shown() -> None:
    reported = await (await a_reply(ShortReply.YES, None, shown="old")).on_timeout(LOST, Response())
    assert isinstance(reported, PlanTurn) and reported.plan.plan_id == "old"


@pytest.mark.parametrize("word", [ShortReply.YES, None])
async def test_what_its_chat_has_claimed_may_have_made_a_plan(word: Any) -> None:
    saying = await a_reply(word, "chat-1")
    with pytest.raises(ApiError) as refused:
        await saying.on_timeout(LOST, Response())
    assert "a plan may have been made" in refused.value.answer.message
    assert await saying.by.last_shown.last_offered("chat-1", USER) == ""


async def test_a_plan_that_is_looked_at_while_it_waits_counts_as_shown() -> None:
    shown = LastShown(MemoryLastShownPlans())
    await shown.put(OTHER)
    assert await shown.last_offered(chat_workflow(OTHER.venue_id, OTHER.session_id), USER) == "other"
    assert OTHER.status is PlanStatus.PENDING_CONFIRMATION
