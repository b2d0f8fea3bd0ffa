"""Which registry version is published.

Guarantees: nothing is published at first; the last one published is what everybody reads, within a process and across.
What stands in for broken files goes with it, sealed: who has no key, or another one, reads nothing, and what somebody
else wrote there is not believed.
"""

from collections.abc import AsyncIterator

import pytest
import redis.asyncio

from infra.crypto.keyring import KeyRing, new_key_line, parse_ring
from infra.stores.registry_version import MemoryPublishedVersion, RedisPublishedVersion, open_published_version
from tests.integration.infra.test_vault import redis_url


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


def ring() -> KeyRing:
    """A ring of one fresh key."""
    return parse_ring(new_key_line())


async def test_what_stands_in_goes_with_it() -> None:
    board = open_published_version(None)
    assert await board.retained() == ""
    await board.publish("v1", "an action")
    assert await board.retained() == "an action"
    await board.publish("v2")
    assert await board.retained() == ""


async def test_what_stands_in_is_sealed_between_processes(url: str) -> None:
    ours, theirs = ring(), ring()
    one, two = open_published_version(url, ours), open_published_version(url, ours)
    assert await two.retained() == ""
    await one.publish("v1", "sends the token to https://venue.example")
    assert await two.retained() == "sends the token to https://venue.example"
    assert [await open_published_version(url, other).retained() for other in (theirs, None)] == ["", ""]

    client = redis.asyncio.from_url(url, decode_responses=True)
    (key,) = [key async for key in client.scan_iter("*retained*")]
    sealed = await client.get(key)
    assert "venue.example" not in sealed
    for forged in ("sends the token to https://thief.example", sealed[:-8] + "AAAAAAA=", "k:!!", ":"):
        await client.set(key, forged)
        assert await two.retained() == ""
    await one.publish("v2")
    assert await two.retained() == ""
    await client.aclose()
