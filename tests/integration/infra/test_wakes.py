"""Wake-ups (`infra.stores.notifications`, `infra.stores.notifications`). Guarantees:

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

from infra.stores.notifications import Notifications, ProcessNotifications
from infra.stores.redis_notifications import RedisNotifications
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
    wakes = Notifications()
    with wakes.listen("a") as one, wakes.listen("b") as other:
        thread = threading.Thread(target=wakes.notify, args=("a",))
        thread.start()
        assert await rung(one) and not other.is_set()
        thread.join()
    one.clear()
    with wakes.listen("c") as later:
        wakes.notify("a")
        wakes.notify("c")
        assert await rung(later) and not one.is_set()


async def test_before_a_loop_runs_and_after_it_is_closed_nothing_happens() -> None:
    made = await asyncio.to_thread(Notifications)
    made.notify("a")
    wakes = Notifications()
    with wakes.listen("a") as event:
        await wakes.close()
        wakes.notify("a")
        assert not await rung(event, 0.1)


@asynccontextmanager
async def two_processes() -> AsyncIterator[tuple[RedisNotifications, RedisNotifications]]:
    url = needs.redis()
    one, other = RedisNotifications(url), RedisNotifications(url)
    yield one, other
    await one.close()
    await other.close()


async def test_another_process_is_woken() -> None:
    async with two_processes() as (one, other):
        with other.listen("plan-1") as event:
            assert await rung(event), "who begins to listen looks at once"
            event.clear()
            one.notify("plan-2")
            one.notify("plan-1")
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


async def test_a_redis_that_is_away_fails_no_one(unused_tcp_port_factory: Callable[[], int]) -> None:
    wakes = RedisNotifications(f"redis://127.0.0.1:{unused_tcp_port_factory()}/0")
    with wakes.listen("plan-1") as event:
        wakes.notify("plan-1")
        assert not await rung(event, 0.3)
    await wakes.close()


async def test_workflows_wake_all_services_of_a_process_until_they_close() -> None:
    one, other = Notifications(), Notifications()
    with one.listen("a") as first, other.listen("a") as second:
        for wakes in (one, other):
            ProcessNotifications.begin(wakes)
        ProcessNotifications.notify("a")
        assert await rung(first) and await rung(second)
        first.clear()
        second.clear()
        ProcessNotifications.end(other)
        ProcessNotifications.end(other)
        ProcessNotifications.notify("a")
        assert await rung(first)
        one.notify("a")
        first.clear()
        assert await rung(first) and not second.is_set()
        ProcessNotifications.end(one)
