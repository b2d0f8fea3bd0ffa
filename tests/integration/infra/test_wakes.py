"""Wake-ups (`infra.wakes`, `infra.redis_wakes`). Guarantees:

- who listens is woken, from whatever thread, and nobody else; after the context nobody is;
- a workflow wakes all services that its process holds;
- over Redis another process is woken, and one that could not hear for a moment is woken when it hears again;
- a Redis that is away fails nobody: a workflow says it.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from infra.redis_wakes import RedisWakes
from infra.wakes import ThisProcessWakes, Wakes
from tests.support import needs

pytestmark = pytest.mark.asyncio


async def rung(event: asyncio.Event, within: float = 60) -> bool:
    try:
        async with asyncio.timeout(within):
            await event.wait()
    except TimeoutError:
        return False
    return True


async def test_who_listens_is_woken_from_any_thread() -> None:
    wakes = Wakes()
    with wakes.listen("a") as one, wakes.listen("b") as other:
        thread = threading.Thread(target=wakes.wake, args=("a",))
        thread.start()
        assert await rung(one) and not other.is_set()
        thread.join()
    one.clear()
    with wakes.listen("c") as later:
        wakes.wake("a")
        wakes.wake("c")
        assert await rung(later) and not one.is_set()


async def test_before_a_loop_runs_and_after_it_is_closed_nothing_happens() -> None:
    made = await asyncio.to_thread(Wakes)
    made.wake("a")
    wakes = Wakes()
    with wakes.listen("a") as event:
        await wakes.close()
        wakes.wake("a")
        assert not await rung(event, 0.1)


@asynccontextmanager
async def two_processes() -> AsyncIterator[tuple[RedisWakes, RedisWakes]]:
    url = needs.redis()
    one, other = RedisWakes(url), RedisWakes(url)
    yield one, other
    await one.close()
    await other.close()


async def test_another_process_is_woken() -> None:
    async with two_processes() as (one, other):
        with other.listen("plan-1") as event:
            assert await rung(event), "who begins to listen looks at once"
            event.clear()
            one.wake("plan-2")
            one.wake("plan-1")
            assert await rung(event)


async def test_who_lost_the_line_is_woken_when_it_hears_again() -> None:
    async with two_processes() as (one, other):
        with other.listen("plan-1") as event:
            assert await rung(event)
            event.clear()
            killed = 0
            for client in await one._redis.client_list(_type="pubsub"):
                killed += await one._redis.client_kill_filter(_id=client["id"])
            assert killed and await rung(event)


async def test_a_redis_that_is_away_fails_nobody(unused_tcp_port_factory: Callable[[], int]) -> None:
    wakes = RedisWakes(f"redis://127.0.0.1:{unused_tcp_port_factory()}/0")
    with wakes.listen("plan-1") as event:
        wakes.wake("plan-1")
        assert not await rung(event, 0.3)
    await wakes.close()


async def test_workflows_wake_all_services_of_a_process_until_they_close() -> None:
    one, other = Wakes(), Wakes()
    with one.listen("a") as first, other.listen("a") as second:
        for wakes in (one, other):
            ThisProcessWakes.begin(wakes)
        ThisProcessWakes.wake("a")
        assert await rung(first) and await rung(second)
        first.clear()
        second.clear()
        ThisProcessWakes.end(other)
        ThisProcessWakes.end(other)
        ThisProcessWakes.wake("a")
        assert await rung(first)
        one.wake("a")
        first.clear()
        assert await rung(first) and not second.is_set()
        ThisProcessWakes.end(one)
