"""The plan in the answer to a typed yes or no whose own answer was lost: the one that committed the reply, or none.

Meanwhile another API process may have shown other plans, and this chat may have made some.
"""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import pytest
from fastapi import Response

from api.turns import TurnService
from clients.admission import AdmissionControl
from clients.commands import PlanCommands
from clients.errors import ApiError, ServiceUnavailableError
from clients.last_shown import LastShown
from clients.temporal.chats import ChatClient
from contracts.chat_messages import PlanView, SessionView
from contracts.enums import PlanStatus, ShortReply
from contracts.message_reading import MessageReading
from contracts.plan import ExecutionPlan
from contracts.turn import AnswerTurn, PlanTurn, Turn
from infra.crypto.keyring import new_key_line, parse_ring
from infra.observability.observer import Observer
from infra.stores.command_store import CommandStore
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from tests.workflows.rehearsal import USER
from tests.workflows.test_pending_plan import CONFIRMED, a_plan
from workflows.workflow_ids import chat_workflow

pytestmark = pytest.mark.asyncio

OTHER = a_plan().model_copy(update={"plan_id": "other"})
LOST = ServiceUnavailableError("slow").answer


@dataclass(frozen=True)
class Lost:
    """A reply whose chat did not answer."""

    turns: TurnService
    turn: Any

    async def outcome(self) -> Turn:
        return await self.turns.on_timeout("chat-1", self.turn, LOST, Response())


async def a_reply(word: ShortReply | None, by: str | None, shown: str | None = None) -> "Lost":
    """Return a reply that `by` committed (None: unknown), in a chat where another plan waits and was shown last."""
    plans: dict[str, ExecutionPlan] = {"old": CONFIRMED, "other": OTHER}
    look = AsyncMock(side_effect=lambda plan_id: PlanView(plan=plans[plan_id]))
    session = AsyncMock(return_value=SessionView(owner=USER, pending_plan_id="other", prompt_plan_id=None))
    client: Any = SimpleNamespace(plan=look)
    store = Store()
    claims = CommandStore(store)
    ticket = (await claims.open("a", 9)).commit_token
    if by is None:
        await store.redis.flushall()
    else:
        await claims.commit(ticket, by)
    vault, chats = Vault(Store(), parse_ring(new_key_line())), cast("ChatClient", SimpleNamespace(session=session))
    words = PlanCommands(client, vault, claims, 60)
    known = LastShown(Store())
    await known.offer("chat-1", OTHER)
    reading = MessageReading(reply=word)
    turn: Any = SimpleNamespace(
        commit_token=ticket, reply_token=ticket, user_id=USER, shown_plan_id=shown, reading=reading
    )
    places = AdmissionControl(1, "message", Observer())
    return Lost(TurnService(claims, vault, words, chats, client, known, 15, Observer(), places), turn)


async def test_a_yes_is_reported_with_the_plan_that_took_it() -> None:
    reported = await (await a_reply(ShortReply.YES, "old")).outcome()
    assert isinstance(reported, PlanTurn) and reported.plan.plan_id == "old"


async def test_a_yes_taken_by_no_one_knows_whom_names_no_plan() -> None:
    reported = await (await a_reply(ShortReply.YES, "")).outcome()
    assert isinstance(reported, AnswerTurn) and "was taken" in reported.message


async def test_an_unknown_yes_is_reported_with_the_plan_that_was_shown() -> None:
    reported = await (await a_reply(ShortReply.YES, None, shown="old")).outcome()
    assert isinstance(reported, PlanTurn) and reported.plan.plan_id == "old"


@pytest.mark.parametrize("word", [ShortReply.YES, None])
async def test_what_its_chat_has_claimed_may_have_made_a_plan(word: Any) -> None:
    saying = await a_reply(word, "chat-1")
    with pytest.raises(ApiError) as refused:
        await saying.outcome()
    assert "a plan may have been made" in refused.value.answer.message
    assert await saying.turns.last_shown.last_offered("chat-1", USER) == ""


async def test_a_plan_that_is_looked_at_while_it_waits_counts_as_shown() -> None:
    shown = LastShown(Store())
    await shown.put(OTHER)
    assert await shown.last_offered(chat_workflow(OTHER.venue_id, OTHER.session_id), USER) == "other"
    assert OTHER.status is PlanStatus.PENDING_CONFIRMATION
