"""Which plan was offered last (`infra/stores/last_shown_plan.py`): what one facade showed, every facade knows.

- By chat and user; the last one counts; "" stands for "another one may wait".
- A store that is away takes nothing from what a facade knows itself, and stops nobody.
"""

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from infra.stores.last_shown_plan import MemoryLastShownPlans, RedisLastShownPlans, open_offers
from tests.support import needs

pytestmark = pytest.mark.asyncio


@pytest.fixture
async def facades() -> AsyncIterator[tuple[RedisLastShownPlans, RedisLastShownPlans]]:
    """Two facades' own."""
    pair = RedisLastShownPlans(needs.redis()), RedisLastShownPlans(needs.redis())
    yield pair
    for one in pair:
        await one.close()


async def test_the_settings_choose() -> None:
    assert type(open_offers(None)) is MemoryLastShownPlans
    assert type(open_offers("redis://127.0.0.1:1/0")) is RedisLastShownPlans


async def test_what_one_facade_showed_the_other_knows(facades: tuple[RedisLastShownPlans, RedisLastShownPlans]) -> None:
    one, other = facades
    chat = uuid4().hex
    assert await other.get(chat, "u") is None
    await one.put(chat, "u", "p1")
    await other.put(chat, "u", "p2")
    assert (await one.get(chat, "u"), await one.get(chat, "another")) == ("p2", None)
    await one.put(chat, "u", "")
    assert await other.get(chat, "u") == ""


async def test_away_it_knows_what_it_showed_itself() -> None:
    offers = RedisLastShownPlans("redis://127.0.0.1:1/0")
    await offers.put("chat", "u", "p1")
    assert (await offers.get("chat", "u"), await offers.get("other", "u")) == ("p1", None)
    await offers.close()


async def test_in_memory_the_oldest_chats_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.stores.last_shown_plan._CHATS", 2)
    offers = MemoryLastShownPlans()
    for chat in ("a", "b", "c"):
        await offers.put(chat, "u", "p")
    assert [await offers.get(chat, "u") for chat in ("a", "b", "c")] == [None, "p", "p"]
