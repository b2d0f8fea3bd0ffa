"""A message by an assistant (MCP, AG-UI) decides nothing: as its chat is sent it, it confirms no plan, undoes none, and
answers no running plan's question, whatever its words are. The same words by a person do.
"""

from typing import Any

import pytest

from api.last_shown import LastShown
from api.schemas import RequestBody
from api.turns import TurnService
from contracts.chat_messages import TurnRequest
from contracts.enums import ShortReply
from infra.crypto.keyring import new_key_line, parse_ring
from infra.observability.observer import Observer
from infra.stores.command_store import MemoryCommandStore
from infra.stores.last_shown_plan import MemoryLastShownPlans
from infra.stores.token_vault import MemoryVault


async def sent(message: str, *, decides: bool) -> TurnRequest:
    """The message as the chat gets it."""
    unused: Any = None
    sayings = TurnService(
        MemoryCommandStore(),
        MemoryVault(parse_ring(new_key_line())),
        unused,
        unused,
        unused,
        LastShown(MemoryLastShownPlans()),
        30.0,
        Observer(),
        unused,
    )
    body = RequestBody(user_message=message, session_id="s", user_id="u")
    return (await sayings.submit("chat", body, "r", "token", decides=decides)).turn


@pytest.mark.parametrize(("message", "reply"), [
    ("yes", ShortReply.YES), ("yes, cancel it", ShortReply.YES_CANCEL), ("undo that", ShortReply.UNDO),
])  # fmt: skip
async def test_it_neither_confirms_nor_undoes(message: str, reply: ShortReply) -> None:
    assert (await sent(message, decides=True)).reply is reply
    assistants = await sent(message, decides=False)
    assert (assistants.reply, assistants.reply_token) == (None, "")


async def test_it_chooses_no_undo() -> None:
    assert (await sent("The change", decides=True)).chose_undo
    assert not (await sent("The change", decides=False)).chose_undo


@pytest.mark.parametrize("message", ["cash", "in cash", "yes, in cash"])
async def test_it_answers_no_question(message: str) -> None:
    """A chat takes as an answer only what asks for no change (tests/workflows/test_verdicts.py)."""
    assert (await sent(message, decides=True)).wants_change is False
    assert (await sent(message, decides=False)).wants_change is True


async def test_it_may_stop_what_waits() -> None:
    assert (await sent("no", decides=False)).reply is ShortReply.NO
