"""The noticeboard: which registry version is published.

Guarantees: nothing is published at first; the last one published is what everybody reads, within a process and across.
"""

from collections.abc import AsyncIterator

import pytest
import redis.asyncio

from infra.shared import MemoryNoticeboard, RedisNoticeboard, open_noticeboard
from tests.infra.test_vault import redis_url


@pytest.fixture
async def url() -> AsyncIterator[str]:
    """A Redis database of our own."""
    client = redis.asyncio.from_url(redis_url())
    yield redis_url()
    await client.flushdb()
    await client.aclose()


async def test_in_one_process_the_last_word_counts() -> None:
    board = open_noticeboard(None)
    assert isinstance(board, MemoryNoticeboard)
    assert await board.published() is None

    await board.publish("v1")
    await board.publish("v2")

    assert await board.published() == "v2"


async def test_across_processes_the_last_word_counts(url: str) -> None:
    one, two = open_noticeboard(url), open_noticeboard(url)
    assert isinstance(one, RedisNoticeboard)
    assert await two.published() is None

    await one.publish("v1")
    assert await two.published() == "v1"
    await two.publish("v2")
    assert await one.published() == "v2"
