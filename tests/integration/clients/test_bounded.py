"""Every wait for Temporal is bounded (design, "HTTP contract": every route answers in time). Guarantees:

- A cancellation is never swallowed, at whatever moment it comes: a bound within a bound ends with the outer one. In
  Python 3.11 `asyncio.wait_for` returns a result that is ready just then and forgets that it was cancelled.
- A query that Temporal rejects, because another one waits already, is repeated until the bound.
"""

import asyncio

import pytest
from temporalio.service import RPCError, RPCStatusCode

from clients.errors import ServiceUnavailableError
from clients.temporal.calls import query_with_retry, with_deadline


@pytest.mark.parametrize("later", range(6))
async def test_a_cancellation_is_never_swallowed(later: int) -> None:
    answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    asking = asyncio.Event()

    async def asked() -> int:
        asking.set()
        return await asyncio.shield(answer)

    async def looks_again_and_again() -> None:
        while True:
            await with_deadline(asked(), 60)
            await asyncio.sleep(0.01)

    looking = asyncio.create_task(looks_again_and_again())
    await asking.wait()
    answer.set_result(1)
    for _ in range(later):
        await asyncio.sleep(0)
    looking.cancel()
    done, _ = await asyncio.wait([looking], timeout=60)
    looking.cancel()
    assert done and looking.cancelled()


async def test_a_query_that_is_turned_away_is_asked_again_until_the_bound() -> None:
    asked = 0

    async def turned_away() -> int:
        nonlocal asked
        asked += 1
        if asked < 3:
            raise RPCError("consistent query buffer is full", RPCStatusCode.RESOURCE_EXHAUSTED, b"")
        return 7

    assert await with_deadline(query_with_retry(turned_away), 60) == 7
    asked = -1000
    with pytest.raises(ServiceUnavailableError):
        await with_deadline(query_with_retry(turned_away), 0.2)
