"""A Redis that restarts between two calls, one of the run's own: each store continues with its first call, without an
error. Its data is gone, as without `appendonly`; every pooled connection is dead. Guarantees:

- It covers the command store, the vault, locks, the rate limiter, presence, setups, the published version and the last
  shown plans; the counted limits start again from nothing.
- Several connections of each pool are open before, and all are used at once after it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import uuid4

import pytest

from api.auth.rate_limits import RateLimits
from clients.last_shown import LastShown
from clients.venue.rate_limit import VenueRateLimiter
from infra.config.settings import Settings
from infra.crypto.keyring import new_key_line, parse_ring
from infra.stores.booking_locks import Locks
from infra.stores.command_store import COMMITTED, OPEN, CommandStore
from infra.stores.registry_version import PublishedVersion
from infra.stores.token_vault import Vault
from infra.stores.worker_config import WorkerConfig, WorkerConfigs
from infra.stores.worker_presence import WorkerPresence
from tests.integration.infra.conftest import OpenStore
from tests.support import needs
from tests.support.redis_server import RedisServer
from tests.support.stacks import free_base

pytestmark = pytest.mark.asyncio

AT_ONCE = 5


@pytest.fixture
async def server() -> AsyncIterator[RedisServer]:
    needs.redis()
    async with RedisServer(free_base(1)) as one:
        yield one


async def goes_on(server: RedisServer, ask: Callable[[], Awaitable[object]]) -> None:
    """Call several times at once, restart the store, and call again."""
    await asyncio.gather(*(ask() for _ in range(AT_ONCE)))
    await server.kill()
    await server.start()
    await asyncio.gather(*(ask() for _ in range(AT_ONCE)))


async def test_claims(server: RedisServer, open_store: OpenStore) -> None:
    claims = CommandStore(open_store(server.url))

    async def word() -> None:
        opened = await claims.open(uuid4().hex, 5)
        assert opened.state == OPEN
        assert await claims.commit(opened.commit_token, "plan")
        assert await claims.abort(opened.commit_token) == COMMITTED
        assert await claims.committed_by(opened.commit_token) == "plan"

    await goes_on(server, word)


@pytest.mark.parametrize("first", ["put", "get", "take", "wipe"])
async def test_the_vault(server: RedisServer, first: str, open_store: OpenStore) -> None:
    """Whichever call comes first; another process puts the token after the restart."""
    vault = Vault(open_store(server.url), ring := parse_ring(new_key_line()))

    async def token() -> None:
        fresh = Vault(open_store(server.url), ring)
        reference = await fresh.put("secret", 5)
        match first:
            case "put":
                assert await vault.put("secret", 5)
            case "get":
                assert await vault.get(reference) == "secret"
            case "take":
                assert await vault.take(reference) == "secret"
            case _:
                await vault.wipe(reference)

    await goes_on(server, token)


async def test_locks(server: RedisServer, open_store: OpenStore) -> None:
    locks = Locks(open_store(server.url))

    async def write() -> None:
        # A store that comes back empty gives out locks only after every holder could take its own again.
        async with locks.held([uuid4().hex, uuid4().hex], 10):
            pass

    await goes_on(server, write)


async def test_the_pace(server: RedisServer, caplog: pytest.LogCaptureFixture, open_store: OpenStore) -> None:
    pace = VenueRateLimiter(open_store(server.url))

    async def call() -> None:
        assert (await pace.place(uuid4().hex, 1, 1, 1)).taken

    with caplog.at_level(logging.WARNING):
        await goes_on(server, call)
    assert caplog.messages == [], "each process did not fall back to a pace of its own"


async def test_presence(server: RedisServer, open_store: OpenStore) -> None:
    presence = WorkerPresence(open_store(server.url))

    async def worker() -> None:
        queue = uuid4().hex
        await presence.heartbeat([queue])
        assert await presence.is_alive(queue)

    await goes_on(server, worker)


async def test_the_published_version(server: RedisServer, open_store: OpenStore) -> None:
    board = PublishedVersion(open_store(server.url))

    async def refresh() -> None:
        await board.publish("v1")
        assert await board.published() == "v1"

    await goes_on(server, refresh)


async def test_setups(server: RedisServer, open_store: OpenStore) -> None:
    setups = WorkerConfigs(open_store(server.url), WorkerConfig(("a",), "x"), uuid4().hex)

    async def worker() -> None:
        await setups.published("one", calls_venues=True)
        assert await setups.workers() == [setups.own]

    await goes_on(server, worker)


async def test_offers(server: RedisServer, open_store: OpenStore) -> None:
    offers = LastShown(open_store(server.url))

    async def shown() -> None:
        chat = uuid4().hex
        await offers.note(chat, "u", "plan")
        assert await offers.last_offered(chat, "u") == "plan"

    await goes_on(server, shown)


async def test_the_limits_are_counted(server: RedisServer, caplog: pytest.LogCaptureFixture) -> None:
    limits = RateLimits(Settings(_env_file=None, redis_url=server.url))

    async def message() -> None:
        await limits.count(venue="v", user="u")

    with caplog.at_level(logging.WARNING):
        await goes_on(server, message)
    assert caplog.messages == [], "a message was let through uncounted"
