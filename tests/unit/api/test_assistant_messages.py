"""A message by an assistant (MCP, AG-UI) decides nothing: in the form that its chat gets, it confirms no plan, undoes
none, and answers no running plan's question, whatever its text is. The same text by a person does."""

from typing import Any

import pytest

from api.schemas import RequestBody
from api.turns import TurnService
from clients.last_shown import LastShown
from contracts.chat_messages import TurnRequest
from contracts.enums import ShortReply
from contracts.message_reading import MessageTrait
from infra.crypto.keyring import new_key_line, parse_ring
from infra.observability.observer import Observer
from infra.stores.command_store import CommandStore
from infra.stores.store import Store
from infra.stores.token_vault import Vault


async def sent(message: str, *, decides: bool) -> TurnRequest:
    """Return the message as the chat gets it."""
    unused: Any = None
    sayings = TurnService(
        CommandStore(Store()),
        Vault(Store(), parse_ring(new_key_line())),
        unused,
        unused,
        unused,
        LastShown(Store()),
        30.0,
        Observer(),
        unused,
    )
    body = RequestBody(user_message=message, session_id="s", user_id="u")
    return await sayings.open("chat", body, "r", "token", decides=decides)


@pytest.mark.parametrize(("message", "reply"), [
    ("yes", ShortReply.YES), ("yes, cancel it", ShortReply.YES_CANCEL), ("undo that", ShortReply.UNDO),
])  # fmt: skip
async def test_it_neither_confirms_nor_undoes(message: str, reply: ShortReply) -> None:
    assert (await sent(message, decides=True)).reading.reply is reply
    assistants = await sent(message, decides=False)
    assert (assistants.reading.reply, assistants.reply_token) == (None, "")


async def test_it_chooses_no_undo() -> None:
    assert (await sent("The change", decides=True)).reading.has(MessageTrait.CHOSE_UNDO)
    assert not (await sent("The change", decides=False)).reading.has(MessageTrait.CHOSE_UNDO)


@pytest.mark.parametrize("message", ["cash", "in cash", "yes, in cash"])
async def test_it_answers_no_question(message: str) -> None:
    """A chat takes as an answer only what asks for no change (tests/workflows/test_verdicts.py)."""
    assert (await sent(message, decides=True)).reading.has(MessageTrait.MAY_ANSWER)
    assert not (await sent(message, decides=False)).reading.has(MessageTrait.MAY_ANSWER)


async def test_it_may_stop_what_waits() -> None:
    assert (await sent("no", decides=False)).reading.reply is ShortReply.NO
