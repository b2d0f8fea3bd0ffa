"""With which plan a typed yes or no is told when its answer was lost: with the one that took it, or with none.

Another facade may have shown, and this chat may have made, other plans meanwhile.
"""

from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import pytest
from fastapi import Response

from api.saying import Saying, Sayings
from api.shown import Shown
from clients.chats import ChatClient
from clients.errors import RequestError, UnansweredError
from clients.places import Places
from clients.words import Words
from contracts.enums import PlanStatus, ShortReply
from contracts.messages import PlanView, SessionView
from contracts.plan import ExecutionPlan
from contracts.turn import AnswerTurn, PlanTurn
from infra.claims import MemoryClaims
from infra.keyring import new_key_line, parse_ring
from infra.observe import Observer
from infra.offers import MemoryOffers
from infra.vault import MemoryVault
from tests.workflows.rehearsal import USER
from tests.workflows.test_pending_plan import CONFIRMED, a_plan
from workflows.ids import chat_workflow

pytestmark = pytest.mark.asyncio

OTHER = a_plan().model_copy(update={"plan_id": "other"})
LOST = UnansweredError("slow").answer


async def a_reply(word: ShortReply | None, by: str | None, shown: str | None = None) -> Saying:
    """A reply that `by` claimed (None: nobody knows), in a chat where another plan waits and was shown last."""
    plans: dict[str, ExecutionPlan] = {"old": CONFIRMED, "other": OTHER}
    look = AsyncMock(side_effect=lambda plan_id: PlanView(plan=plans[plan_id]))
    session = AsyncMock(return_value=SessionView(owner=USER, pending_plan_id="other", prompt_plan_id=None))
    client: Any = SimpleNamespace(plan=look)
    claims = MemoryClaims()
    ticket = (await claims.open("a", 9)).ticket
    if by is None:
        claims._kept.clear()
    else:
        await claims.claim(ticket, by)
    vault, chats = MemoryVault(parse_ring(new_key_line())), cast("ChatClient", SimpleNamespace(session=session))
    words = Words(client, vault, claims, 60)
    known = Shown(MemoryOffers())
    await known.offer("chat-1", OTHER)
    turn: Any = SimpleNamespace(ticket=ticket, attempt=ticket, user_id=USER, shown_plan_id=shown)
    places = Places(1, "message", Observer())
    return Saying(Sayings(claims, vault, words, chats, client, known, 15, Observer(), places), "chat-1", turn, word)


async def test_a_yes_is_told_with_the_plan_that_took_it() -> None:
    told = await (await a_reply(ShortReply.YES, "old")).unanswered(LOST, Response())
    assert isinstance(told, PlanTurn) and told.plan.plan_id == "old"


async def test_a_yes_taken_by_nobody_knows_whom_names_no_plan() -> None:
    told = await (await a_reply(ShortReply.YES, "")).unanswered(LOST, Response())
    assert isinstance(told, AnswerTurn) and "was taken" in told.message


async def test_an_unknown_yes_is_told_with_the_plan_that_was_shown() -> None:
    told = await (await a_reply(ShortReply.YES, None, shown="old")).unanswered(LOST, Response())
    assert isinstance(told, PlanTurn) and told.plan.plan_id == "old"


@pytest.mark.parametrize("word", [ShortReply.YES, None])
async def test_what_its_chat_has_claimed_may_have_made_a_plan(word: Any) -> None:
    saying = await a_reply(word, "chat-1")
    with pytest.raises(RequestError) as refused:
        await saying.unanswered(LOST, Response())
    assert "a plan may have been made" in refused.value.answer.message
    assert await saying.by.shown.offered("chat-1", USER) == ""


async def test_a_plan_that_is_looked_at_while_it_waits_counts_as_shown() -> None:
    shown = Shown(MemoryOffers())
    await shown.keep(OTHER)
    assert await shown.offered(chat_workflow(OTHER.venue_id, OTHER.session_id), USER) == "other"
    assert OTHER.status is PlanStatus.PENDING_CONFIRMATION
