"""Words spoken once.

Guarantees, in one process and across: the first word under a key stands and is what every later one hears, also when
many speak at once; a key that nobody wrote has none.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest
import redis.asyncio

from infra.claims import STARTED, WITHDRAWN, Claims, open_claims
from tests.infra.test_vault import redis_url


@pytest.fixture(params=["memory", "redis"])
async def two(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Claims, Claims]]:
    """The claims as two parties see them."""
    if request.param == "memory":
        one = open_claims(None)
        yield one, one
        return
    url = redis_url()
    first, second = open_claims(url), open_claims(url)
    yield first, second
    await first.close()
    await second.close()
    async with redis.asyncio.from_url(url) as client:
        await client.flushdb()


async def test_the_first_word_stands(two: tuple[Claims, Claims]) -> None:
    plan, facade = two
    assert await plan.standing("a") is None
    assert await plan.settle("a", STARTED) == STARTED
    assert await facade.settle("a", WITHDRAWN) == STARTED
    assert await plan.settle("a", STARTED) == STARTED, "a retry hears the same"
    assert await facade.settle("b", WITHDRAWN) == WITHDRAWN
    assert await plan.settle("b", STARTED) == WITHDRAWN
    assert (await facade.standing("a"), await plan.standing("b")) == (STARTED, WITHDRAWN)


async def test_of_many_at_once_one_wins(two: tuple[Claims, Claims]) -> None:
    heard = await asyncio.gather(*(one.settle("c", str(n)) for n, one in enumerate(two * 10)))
    assert len(set(heard)) == 1
