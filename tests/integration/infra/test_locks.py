"""One write at a time to one booking (`infra/stores/booking_locks.py`), in memory and in Redis alike. Guarantees:

- Of many that want the same name one has it at a time; other names are free meanwhile.
- A waiter that waits too long gets `LockTimeoutError`. The lock of a holder that died expires after a few seconds.
- A lock may outlive its block, and its process, for as long as the write may still take effect. Its owner's name
  releases it earlier, and no other's does.
- Two waiters that want the same names in another order never deadlock.
- An unreachable store is reported as unavailable, not as busy.
- A holder whose lock expired, or belongs to another by now, learns so; one whose store was emptied takes its lock again
  before any other gets it.
- A lock that was released while the store hung is free as soon as it answers, however long it was to be held.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
import redis.asyncio

from infra.stores.booking_locks import DependencyUnavailableError, Locks, LockTimeoutError, lock_name
from infra.stores.store import Store
from tests.integration.infra.conftest import OpenStore
from tests.support import needs
from tests.support.redis_server import RedisServer
from tests.support.stacks import free_base
from tests.support.waiting import soon

pytestmark = pytest.mark.asyncio


@pytest.fixture
async def locks(store: Store) -> AsyncIterator[Locks]:
    """The locks of each kind."""
    one = Locks(store)
    await store.redis.set("iq:locks:since", 0)
    yield one
    await one.close()


async def given_out_for_long(url: str) -> None:
    """Make the store look as if it had given out locks for a long time."""
    client = redis.asyncio.from_url(url)
    await client.set("iq:locks:since", 0)
    await client.aclose()


class Own:
    """A store of the test's own, a holder that renews its locks all the time, and another."""

    def __init__(self, store: RedisServer) -> None:
        self.store = store
        self.connection = Store(store.url)
        self.quick, self.other = Locks(self.connection, renewed=0.02), Locks(self.connection)
        self.client = redis.asyncio.from_url(store.url)

    async def renewals(self, number: int) -> None:
        """Wait for this many more renewals."""
        before = await self._calls()

        async def made() -> bool:
            return await self._calls() >= before + number

        await soon(made)

    async def _calls(self) -> int:
        return int((await self.client.info("commandstats")).get("cmdstat_evalsha", {}).get("calls", 0))


@pytest.fixture
async def own() -> AsyncIterator[Own]:
    needs.redis_server()
    async with RedisServer(free_base(1)) as store:
        await given_out_for_long(store.url)
        one = Own(store)
        yield one
        await one.quick.close()
        await one.other.close()
        await one.connection.close()
        await one.client.aclose()


@pytest.fixture
def name() -> str:
    """A fresh lock name."""
    return lock_name("http://venue", uuid4().hex)


async def test_one_at_a_time(locks: Locks, name: str) -> None:
    inside, most = 0, 0

    async def work(names: list[str]) -> None:
        nonlocal inside, most
        async with locks.held(names, 60):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.01)
            inside -= 1

    await asyncio.gather(*(work([name, f"{name}-{n}"] if n % 2 else [f"{name}-{n}", name]) for n in range(12)))
    assert most == 1


async def test_other_names_are_free(locks: Locks, name: str) -> None:
    got = []
    async with locks.held([name], 60):
        for names, patience in (([f"{name}-other"], 60), ([], 60), ([name], 0.2)):
            with contextlib.suppress(LockTimeoutError):
                async with locks.held(names, patience):
                    got.append(names)
    assert got == [[f"{name}-other"], []]


async def test_anyone_waits_too_long_is_reported(locks: Locks, name: str) -> None:
    async with locks.held([name], 60):
        with pytest.raises(LockTimeoutError):
            async with locks.held([name], 0.2):
                pytest.fail("it was held")
    async with locks.held([name], 60):
        pass


async def test_a_hold_may_outlive_its_block(locks: Locks, name: str) -> None:
    async with locks.held([name], 60) as hold:
        hold.keep_for = 0.4
        began = time.monotonic()
    async with locks.held([name], 60):
        assert time.monotonic() - began > 0.35


async def test_what_outlived_its_block_is_ended_by_its_owners_name(locks: Locks, name: str) -> None:
    async with locks.held([name], 60, "step-1") as hold:
        hold.keep_for = 3600
    for owner in ("step-10", "step", ""):
        await locks.release([name], owner)
    with pytest.raises(LockTimeoutError):
        async with locks.held([name], 0.2):
            pytest.fail("it is kept")
    await locks.release([name], "step-1")
    async with locks.held([name], 60):
        await locks.release([name], "step-1")


async def test_what_a_process_held_when_it_died_is_held_until_its_write_can_no_longer_land(
    pair: tuple[Store, Store], name: str
) -> None:
    (died, after), store = (Locks(one) for one in pair), pair[0].redis
    await store.set("iq:locks:since", 0)
    async with died.held([name], 60, "step-1") as hold:
        assert await hold.extend(60)
        # The store's state as a process that ends here leaves it.
        left = await store.dump(f"iq:lock:{name}")
        expires = await store.pttl(f"iq:lock:{name}")
    await store.restore(f"iq:lock:{name}", expires, left)
    assert 50_000 < expires <= 60_000
    with pytest.raises(LockTimeoutError):
        async with after.held([name], 0.2):
            pytest.fail("its write may still land")
    await after.release([name], "step-1")
    async with after.held([name], 60):
        pass
    for one in (died, after):
        await one.close()


async def test_a_renewal_does_not_cut_short_what_was_extended(own: Own, name: str) -> None:
    async with own.quick.held([name], 60) as hold:
        assert await hold.extend(60)
        await own.renewals(3)
        assert await own.client.pttl(f"iq:lock:{name}") > 50_000


async def test_a_kept_lock_is_taken_again_in_a_store_that_was_emptied(own: Own, name: str) -> None:
    async with own.quick.held([name], 1) as hold:
        hold.keep_for = 3600
    await own.client.flushall()
    with pytest.raises(LockTimeoutError):
        async with own.other.held([name], 6):
            pytest.fail("what the first one sent may still land")


@pytest.mark.parametrize("extended", ["before", "while the store hangs"])
async def test_what_was_let_go_while_the_store_hung_is_free_once_it_answers(own: Own, name: str, extended: str) -> None:
    async with own.quick.held([name], 60) as hold:
        if extended == "before":
            assert await hold.extend(3600)
        own.store.stall()
        if extended != "before":
            assert not await hold.extend(3600)
    own.store.go_on()
    async with own.other.held([name], 60):
        pass


async def test_what_was_ended_by_its_owners_name_is_not_taken_again(own: Own, name: str) -> None:
    async with own.quick.held([name], 60, "step-1") as hold:
        hold.keep_for = 3600
    await own.other.release([name], "step-1")
    await own.renewals(3)
    assert not await own.client.exists(f"iq:lock:{name}")


async def test_a_block_that_fails_lets_go(locks: Locks, name: str) -> None:
    with pytest.raises(TimeoutError, match="mine"):
        async with locks.held([name], 60):
            raise TimeoutError("mine")
    async with locks.held([name], 60):
        pass


async def test_what_is_held_is_known_to_be_held(locks: Locks, name: str) -> None:
    async with locks.held([name, f"{name}-2"], 1) as hold:
        assert await hold.extend(1)


@pytest.mark.parametrize("since", ["expired", "somebody else's"])
async def test_a_holder_that_was_stopped_for_too_long_finds_that_out(
    locks: Locks, store: Store, name: str, since: str
) -> None:
    async with locks.held([name], 60) as hold:
        key = f"iq:lock:{name}"
        await (store.redis.delete(key) if since == "expired" else store.redis.set(key, "another token", px=2000))
        assert not await hold.extend(1)


async def test_a_lock_that_had_to_be_taken_again_is_not_taken_for_held(own: Own, name: str) -> None:
    """In between, another holder may have had it."""
    async with own.quick.held([name], 60) as hold:
        await own.client.flushall()
        await soon(lambda: own.client.exists(f"iq:lock:{name}"))
        assert not await hold.extend(1)


async def test_an_emptied_store_gives_no_lock_to_a_second_holder(own: Own, name: str) -> None:
    async with own.quick.held([name], 1):
        await own.client.flushall()
        with pytest.raises(LockTimeoutError):
            async with own.other.held([name], 6):
                pytest.fail("the first one still writes")
    async with own.other.held([name], 6):
        pass


async def test_a_redis_that_is_away_is_reported_as_away(open_store: OpenStore, name: str) -> None:
    locks = Locks(open_store("redis://127.0.0.1:1/0"))
    with pytest.raises(DependencyUnavailableError):
        async with locks.held([name], 0.3):
            pytest.fail("nobody can be kept out")


async def test_names_are_taken_in_one_order(locks: Locks) -> None:
    """A waiter for its first name holds none of the later ones, whatever the order of its names."""
    first, second = sorted(f"{uuid4()}" for _ in range(2))
    async with locks.held([first], 5):
        waits = asyncio.create_task(_held_once(locks, [second, first]))
        for _ in range(20):
            await asyncio.sleep(0.01)
            async with locks.held([second], 5):
                assert not waits.done()
    await waits


async def _held_once(locks: Locks, names: list[str]) -> None:
    async with locks.held(names, 60):
        pass
