"""The plan that was shown last (`clients/last_shown.py`): what one API process showed, every process knows.
Guarantees:

- It is stored by chat and user; the last one counts; "" means "another one may wait".
- An unavailable store takes nothing from what a process knows itself, and blocks no request.
"""

from uuid import uuid4

import pytest

from clients.last_shown import LastShown
from infra.stores.store import Store
from tests.integration.infra.conftest import OpenStore

pytestmark = pytest.mark.asyncio


async def test_what_one_facade_showed_the_other_knows(pair: tuple[Store, Store]) -> None:
    one, other = map(LastShown, pair)
    chat = uuid4().hex
    assert await other.last_offered(chat, "u") is None
    await one.note(chat, "u", "p1")
    await other.note(chat, "u", "p2")
    assert (await one.last_offered(chat, "u"), await one.last_offered(chat, "another")) == ("p2", None)
    await one.note(chat, "u", "")
    assert await other.last_offered(chat, "u") == ""


async def test_away_it_knows_what_it_showed_itself(open_store: OpenStore) -> None:
    offers = LastShown(open_store("redis://127.0.0.1:1/0"))
    await offers.note("chat", "u", "p1")
    assert (await offers.last_offered("chat", "u"), await offers.last_offered("other", "u")) == ("p1", None)


async def test_away_the_oldest_chats_are_forgotten(open_store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clients.last_shown._CHATS", 2)
    offers = LastShown(open_store("redis://127.0.0.1:1/0"))
    for chat in ("a", "b", "c"):
        await offers.note(chat, "u", "p")
    assert [await offers.last_offered(chat, "u") for chat in ("a", "b", "c")] == [None, "p", "p"]
