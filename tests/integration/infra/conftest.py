"""Stores that are closed after their test."""

from collections.abc import AsyncIterator, Callable

import pytest
import redis.asyncio

from infra.stores.store import Store
from tests.support import needs

OpenStore = Callable[[str | None], Store]


@pytest.fixture
async def open_store() -> AsyncIterator[OpenStore]:
    """Opens the store at an address; without one, a new one in memory."""
    opened: list[Store] = []

    def one(url: str | None) -> Store:
        opened.append(Store(url))
        return opened[-1]

    yield one
    for store in opened:
        await store.close()


@pytest.fixture
async def url() -> AsyncIterator[str]:
    """A Redis database of the test, emptied after it."""
    found = needs.redis().rsplit("/", 1)[0] + "/11"
    yield found
    async with redis.asyncio.from_url(found) as client:
        await client.flushdb()


@pytest.fixture(params=["memory", "redis"])
def pair(request: pytest.FixtureRequest, open_store: OpenStore) -> tuple[Store, Store]:
    """Two connections to one store, in memory and in Redis."""
    if request.param == "memory":
        return (open_store(None),) * 2
    found = request.getfixturevalue("url")
    return open_store(found), open_store(found)


@pytest.fixture
def store(pair: tuple[Store, Store]) -> Store:
    """A store, in memory and in Redis."""
    return pair[0]
