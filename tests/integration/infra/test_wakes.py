"""Notifications (`infra.stores.notifications`), in memory and over Redis. Guarantees:

- A listener is notified, from any thread, and no other; after its context it is not.
- A workflow notifies all services of its process.
- Another process is notified, and one that lost the connection is notified when it listens again.
- An unavailable store fails no notification.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable

import pytest

from infra.stores.notifications import Notifications
from infra.stores.process_notifications import ProcessNotifications
from infra.stores.store import Store
from tests.integration.infra.conftest import OpenStore

pytestmark = pytest.mark.asyncio


async def rung(event: asyncio.Event, within: float = 60) -> bool:
    try:
        async with asyncio.timeout(within):
            await event.wait()
    except TimeoutError:
        return False
    return True


async def heard(*events: asyncio.Event) -> None:
    """Wait until the subscription has begun: who begins to listen looks at once."""
    for event in events:
        assert await rung(event)
    for event in events:
        event.clear()


@pytest.fixture
async def two(pair: tuple[Store, Store]) -> AsyncIterator[tuple[Notifications, Notifications]]:
    """The notifications of two processes."""
    one, other = map(Notifications, pair)
    yield one, other
    await one.close()
    await other.close()


async def test_who_listens_is_woken_from_any_thread(two: tuple[Notifications, Notifications]) -> None:
    wakes = two[0]
    with wakes.listen("a") as one, wakes.listen("b") as other:
        await heard(one, other)
        thread = threading.Thread(target=wakes.notify, args=("a",))
        thread.start()
        assert await rung(one) and not other.is_set()
        thread.join()
    one.clear()
    with wakes.listen("c") as later:
        wakes.notify("a")
        wakes.notify("c")
        assert await rung(later) and not one.is_set()


async def test_before_a_loop_runs_and_after_it_is_closed_nothing_happens(open_store: OpenStore) -> None:
    made = await asyncio.to_thread(Notifications, open_store(None))
    made.notify("a")
    wakes = Notifications(open_store(None))
    with wakes.listen("a") as event:
        await heard(event)
        await wakes.close()
        wakes.notify("a")
        assert not await rung(event, 0.1)


async def test_another_process_is_woken(two: tuple[Notifications, Notifications]) -> None:
    one, other = two
    with other.listen("plan-1") as event:
        await heard(event)
        one.notify("plan-2")
        one.notify("plan-1")
        assert await rung(event)


async def test_who_lost_the_line_is_woken_when_it_hears_again(open_store: OpenStore, url: str) -> None:
    store = open_store(url)
    other = Notifications(store)
    with other.listen("plan-1") as event:
        await heard(event)
        killed = 0
        for client in await store.redis.client_list(_type="pubsub"):
            killed += await store.redis.client_kill_filter(_id=client["id"])
        assert killed and await rung(event)
    await other.close()


async def test_a_redis_that_is_away_fails_no_one(
    open_store: OpenStore, unused_tcp_port_factory: Callable[[], int]
) -> None:
    wakes = Notifications(open_store(f"redis://127.0.0.1:{unused_tcp_port_factory()}/0"))
    with wakes.listen("plan-1") as event:
        wakes.notify("plan-1")
        assert not await rung(event, 0.3)
    await wakes.close()


async def test_workflows_wake_all_services_of_a_process_until_they_close(open_store: OpenStore) -> None:
    one, other = Notifications(open_store(None)), Notifications(open_store(None))
    with one.listen("a") as first, other.listen("a") as second:
        await heard(first, second)
        for wakes in (one, other):
            ProcessNotifications.begin(wakes.notify)
        ProcessNotifications.notify("a")
        await heard(first, second)
        ProcessNotifications.end(other.notify)
        ProcessNotifications.end(other.notify)
        ProcessNotifications.notify("a")
        await heard(first)
        one.notify("a")
        assert await rung(first) and not second.is_set()
        ProcessNotifications.end(one.notify)
    for wakes in (one, other):
        await wakes.close()
