"""A Redis that is started again between two calls, one of the run's own: each store goes on with its first call, and
nobody sees an error. What it held is gone, as without `appendonly`; every pooled connection is dead.

- Claims, the vault, locks, the pace, presence, setups, the published version and offers; the limits count on from
  nothing.
- Several connections of each pool are open before, and all are used at once after it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import uuid4

import pytest

from api.auth.rate_limits import RateLimits
from infra.config.settings import Settings
from infra.crypto.keyring import new_key_line, parse_ring
from infra.stores.command_store import COMMITTED, OPEN, RedisCommandStore
from infra.stores.last_shown_plan import open_offers
from infra.stores.locks import RedisLocks
from infra.stores.rate_limiter import RedisRateLimiter
from infra.stores.registry_version import RedisPublishedVersion
from infra.stores.token_vault import RedisVault
from infra.stores.worker_config import RedisWorkerConfigs, WorkerConfig
from infra.stores.worker_presence import RedisWorkerPresence
from tests.support import needs
from tests.support.redis_server import RedisServer
from tests.support.stacks import free_base

pytestmark = pytest.mark.asyncio

AT_ONCE = 5


@pytest.fixture
async def store() -> AsyncIterator[RedisServer]:
    needs.redis()
    async with RedisServer(free_base(1)) as one:
        yield one


async def goes_on(store: RedisServer, ask: Callable[[], Awaitable[object]]) -> None:
    """Ask several times at once, start the store again, and ask again."""
    await asyncio.gather(*(ask() for _ in range(AT_ONCE)))
    await store.kill()
    await store.start()
    await asyncio.gather(*(ask() for _ in range(AT_ONCE)))


async def test_claims(store: RedisServer) -> None:
    claims = RedisCommandStore(store.url)

    async def word() -> None:
        opened = await claims.open(uuid4().hex, 5)
        assert opened.state == OPEN
        assert await claims.commit(opened.commit_token, "plan")
        assert await claims.abort(opened.commit_token) == COMMITTED
        assert await claims.committed_by(opened.commit_token) == "plan"

    await goes_on(store, word)
    await claims.close()


@pytest.mark.parametrize("first", ["put", "get", "take", "wipe"])
async def test_the_vault(store: RedisServer, first: str) -> None:
    """Whichever call comes first; the token is one that was put by another process after the restart."""
    vault = RedisVault(store.url, ring := parse_ring(new_key_line()))

    async def token() -> None:
        fresh = RedisVault(store.url, ring)
        reference = await fresh.put("secret", 5)
        await fresh.close()
        match first:
            case "put":
                assert await vault.put("secret", 5)
            case "get":
                assert await vault.get(reference) == "secret"
            case "take":
                assert await vault.take(reference) == "secret"
            case _:
                await vault.wipe(reference)

    await goes_on(store, token)
    await vault.close()


async def test_locks(store: RedisServer) -> None:
    locks = RedisLocks(store.url)

    async def write() -> None:
        # A store that comes back empty gives out locks only after every holder could take its own again.
        async with locks.held([uuid4().hex, uuid4().hex], 10):
            pass

    await goes_on(store, write)
    await locks.close()


async def test_the_pace(store: RedisServer, caplog: pytest.LogCaptureFixture) -> None:
    pace = RedisRateLimiter(store.url)

    async def call() -> None:
        assert (await pace.place(uuid4().hex, 1, 1, 1)).taken

    with caplog.at_level(logging.WARNING):
        await goes_on(store, call)
    assert caplog.messages == [], "each process did not fall back to a pace of its own"
    await pace.close()


async def test_presence(store: RedisServer) -> None:
    presence = RedisWorkerPresence(store.url)

    async def worker() -> None:
        queue = uuid4().hex
        await presence.heartbeat([queue])
        assert await presence.is_alive(queue)

    await goes_on(store, worker)
    await presence.close()


async def test_the_published_version(store: RedisServer) -> None:
    board = RedisPublishedVersion(store.url)

    async def refresh() -> None:
        await board.publish("v1")
        assert await board.published() == "v1"

    await goes_on(store, refresh)
    await board.close()


async def test_setups(store: RedisServer) -> None:
    setups = RedisWorkerConfigs(store.url, WorkerConfig(("a",), "x"), uuid4().hex)

    async def worker() -> None:
        await setups.published("one", calls_venues=True)
        assert await setups.workers() == [setups.own]

    await goes_on(store, worker)
    await setups.close()


async def test_offers(store: RedisServer) -> None:
    offers = open_offers(store.url)

    async def shown() -> None:
        chat = uuid4().hex
        await offers.put(chat, "u", "plan")
        assert await offers.get(chat, "u") == "plan"

    await goes_on(store, shown)
    await offers.close()


async def test_the_limits_are_counted(store: RedisServer, caplog: pytest.LogCaptureFixture) -> None:
    limits = RateLimits(Settings(_env_file=None, redis_url=store.url))

    async def message() -> None:
        await limits.count(venue="v", user="u")

    with caplog.at_level(logging.WARNING):
        await goes_on(store, message)
    assert caplog.messages == [], "a message was let through uncounted"
