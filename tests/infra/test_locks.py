"""One write at a time to one thing (`infra/locks.py`), in memory and in Redis alike.

- Of many that want the same name one has it at a time; other names are free meanwhile.
- Whoever waits too long is told that it is busy. A holder that died is out after a few seconds.
- A hold may outlive its block for as long as what was sent may still land.
- What cannot be reached is told as away, not as busy.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from infra.locks import BusyError, Locks, LocksAwayError, MemoryLocks, RedisLocks, name_of
from tests.support import needs

pytestmark = pytest.mark.asyncio


@pytest.fixture(params=["memory", "redis"])
async def locks(request: pytest.FixtureRequest) -> AsyncIterator[Locks]:
    """Each kind."""
    one: Locks = MemoryLocks() if request.param == "memory" else RedisLocks(needs.redis())
    yield one
    await one.close()


@pytest.fixture
def name() -> str:
    """A fresh name."""
    return name_of("http://venue", uuid4().hex)


async def test_one_at_a_time(locks: Locks, name: str) -> None:
    inside, most = 0, 0

    async def work(names: list[str]) -> None:
        nonlocal inside, most
        async with locks.held(names, 5):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.01)
            inside -= 1

    await asyncio.gather(*(work([name, f"{name}-{n}"] if n % 2 else [f"{name}-{n}", name]) for n in range(12)))
    assert most == 1


async def test_other_names_are_free(locks: Locks, name: str) -> None:
    got = []
    async with locks.held([name], 1):
        for names in ([f"{name}-other"], [], [name]):
            with contextlib.suppress(BusyError):
                async with locks.held(names, 0.2):
                    got.append(names)
    assert got == [[f"{name}-other"], []]


async def test_whoever_waits_too_long_is_told(locks: Locks, name: str) -> None:
    async with locks.held([name], 1):
        with pytest.raises(BusyError):
            async with locks.held([name], 0.2):
                pytest.fail("it was held")
    async with locks.held([name], 0.2):
        pass


async def test_a_hold_may_outlive_its_block(locks: Locks, name: str) -> None:
    async with locks.held([name], 1) as hold:
        hold.keep_for = 0.4
    began = time.monotonic()
    async with locks.held([name], 2):
        assert time.monotonic() - began > 0.25


async def test_a_block_that_fails_lets_go(locks: Locks, name: str) -> None:
    with pytest.raises(TimeoutError, match="mine"):
        async with locks.held([name], 1):
            raise TimeoutError("mine")
    async with locks.held([name], 0.2):
        pass


async def test_a_redis_that_is_away_is_told_as_away(name: str) -> None:
    locks = RedisLocks("redis://127.0.0.1:1/0")
    with pytest.raises(LocksAwayError):
        async with locks.held([name], 0.3):
            pytest.fail("nobody can be kept out")
    await locks.close()
