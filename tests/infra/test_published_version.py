"""Which registry version is published.

Guarantees: nothing is published at first; the last one published is what everybody reads, within a process and across.
"""

from collections.abc import AsyncIterator

import pytest
import redis.asyncio

from infra.published_version import MemoryPublishedVersion, RedisPublishedVersion, open_published_version
from tests.infra.test_vault import redis_url


@pytest.fixture
async def url() -> AsyncIterator[str]:
    """A Redis database of our own."""
    client = redis.asyncio.from_url(redis_url())
    yield redis_url()
    await client.flushdb()
    await client.aclose()


async def test_in_one_process_the_last_word_counts() -> None:
    board = open_published_version(None)
    assert isinstance(board, MemoryPublishedVersion)
    assert await board.published() is None

    await board.publish("v1")
    await board.publish("v2")

    assert await board.published() == "v2"


async def test_across_processes_the_last_word_counts(url: str) -> None:
    one, two = open_published_version(url), open_published_version(url)
    assert isinstance(one, RedisPublishedVersion)
    assert await two.published() is None

    await one.publish("v1")
    assert await two.published() == "v1"
    await two.publish("v2")
    assert await one.published() == "v2"
