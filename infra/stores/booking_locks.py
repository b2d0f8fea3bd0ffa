"""Locks that serialise our writes to one resource of a venue.

A write is read, changed and sent back, and the venue's API has no conditional request ("only if unchanged"). While one
plan is between its read and its answer, no other plan writes to that resource.

The locks separate our own plans only. Changes by staff are detected by a second read just before the write. The lock of
a dead holder expires after `_EXPIRES` seconds, or once its last request can no longer take effect (`HeldLock.extend`).
A holder that was only paused for that long finds by its fencing token that it lost the lock. A store that lost its data
is recognised by a missing key (`_SINCE`): it grants locks only after every holder has had the time to acquire its own
lock again.
"""

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from uuid import uuid4

from redis.asyncio.lock import Lock
from redis.commands.core import AsyncScript
from redis.exceptions import LockError, LockNotOwnedError, RedisError

from infra.errors import DependencyUnavailableError
from infra.observability.logging import OutageLog
from infra.stores.store import CALL_TIMEOUT, Store

_EXPIRES = 6.0
"""Seconds without a renewal after which a lock expires: longer than a short outage of the store or a worker."""
_RENEWED = 1.5
"""Seconds between two renewals by the holder."""
_SINCE = "iq:locks:since"
"""The key of the time since which this store grants locks, in seconds of the store's own clock."""
_TAKEN_AGAIN_WITHIN = 2 * _RENEWED
"""Seconds in which holders acquire their locks again in a store that lost its data."""
_PAUSE = 0.05

_RELEASE_OF = """
local token = redis.call('get', KEYS[1])
if token and string.sub(token, 1, string.len(ARGV[1])) == ARGV[1] then redis.call('del', KEYS[1]) end
"""
"""Deletes a lock whose token is this one, or begins with this owner's name."""

_AWAY = OutageLog(
    logging.getLogger(__name__), "locking in Redis", "a write waits for a while, and then is not sent: its step fails"
)


class LockTimeoutError(Exception):
    """Another owner held the lock until the timeout."""


class HeldLock:
    """Locks that are held. `keep_for`: seconds for which they stay held after the block, because a request that was
    sent may still take effect."""

    keep_for: float = 0.0

    async def extend(self, seconds: float) -> bool:
        """Hold the locks for `seconds` from now, even if this process dies. Return False if another owner may have held
        one since it was acquired."""
        return True


def lock_name(*parts: str) -> str:
    """Return a lock's name: a hash, because the parts may be personal data."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


class Locks:
    """Mutual exclusion by name. A lock's token is its owner's name and a random part, which distinguishes two
    holders with the same owner's name."""

    _PREFIX = "iq:lock:"

    def __init__(self, store: Store, renewed: float = _RENEWED) -> None:
        self._redis, self._shared = store.redis, store.shared
        self._release_of = self._redis.register_script(_RELEASE_OF)
        self._renewed = renewed
        self._behind = set[asyncio.Task[None]]()
        """Tasks that outlive their block."""

    @asynccontextmanager
    async def held(self, names: Iterable[str], timeout: float, owner: str = "") -> AsyncIterator[HeldLock]:
        """Hold all these locks for a block, after waiting up to `timeout` seconds. Raises `LockTimeoutError`,
        `DependencyUnavailableError`."""
        taken: list[Lock] = []
        hold = _Hold(taken, self._renewed, self._settled, self._release_of)
        until = asyncio.get_running_loop().time() + timeout
        try:
            for name in sorted(set(names)):
                taken.append(await self._taken(name, until, owner))
            renewing = asyncio.create_task(hold.renew())
            try:
                yield hold
            finally:
                hold.over = True
                renewing.cancel()
        finally:
            if hold.keep_for:
                await hold.extend(hold.keep_for)
                self._go_on(hold.keep())
            elif not await hold.release():
                self._go_on(hold.release_later())

    def _go_on(self, doing: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(doing)
        self._behind.add(task)
        task.add_done_callback(self._behind.discard)

    async def release(self, names: Iterable[str], owner: str) -> None:
        """Release the locks that an earlier holder with this owner's name left held, here or in a process that died.
        Does not raise if the store is unavailable, because the locks expire."""
        with contextlib.suppress(RedisError, OSError):
            for name in names:
                await self._release_of(keys=[self._PREFIX + name], args=[f"{owner} "])

    async def ready(self) -> None:
        """Prepare the store when a process starts, so that its first write need not wait."""
        with contextlib.suppress(RedisError, OSError):
            await self._settled()

    async def _taken(self, name: str, until: float, owner: str) -> Lock:
        lock = self._redis.lock(self._PREFIX + name, timeout=_EXPIRES, thread_local=False)
        token, away = f"{owner} {uuid4().hex}", False
        while True:
            try:
                if await self._settled() and await lock.acquire(blocking=False, token=token):
                    if await self._settled():
                        _AWAY.success()
                        return lock
                    await lock.release()
                away = False
            except (RedisError, OSError) as error:
                _AWAY.failure(type(error).__name__)
                away = True
            if asyncio.get_running_loop().time() >= until:
                raise DependencyUnavailableError("store") if away else LockTimeoutError
            await asyncio.sleep(_PAUSE)

    async def _settled(self) -> bool:
        """Return whether the store has granted locks for long enough to contain the lock of every holder; one in memory
        has lost none."""
        if not self._shared:
            return True
        async with self._redis.pipeline(transaction=False) as both:
            both.time()
            both.get(_SINCE)
            (now, _), since = await both.execute()
        if since is None:
            await self._redis.set(_SINCE, now, nx=True)
            return False
        return bool(now - int(since) > _TAKEN_AGAIN_WITHIN)

    async def close(self) -> None:
        """End what outlives its block. Locks that are still held expire in the store."""
        while self._behind:
            for task in self._behind:
                task.cancel()
            # A task that is cancelled during a call to the store may raise the call's own error.
            await asyncio.wait(self._behind, timeout=CALL_TIMEOUT)


class _Hold(HeldLock):
    def __init__(
        self, taken: list[Lock], renewed: float, settled: Callable[[], Awaitable[bool]], release_of: AsyncScript
    ) -> None:
        self._taken, self._renewed, self._settled, self._release_of = taken, renewed, settled, release_of
        self._clock = asyncio.get_running_loop().time
        self._until = 0.0
        """The time until which the store keeps the locks, even if this process dies."""
        self.over = False
        """Whether the block has ended."""
        self._lapsed = False

    async def extend(self, seconds: float) -> bool:
        """See `HeldLock.extend`. The store compares the fencing token of each lock as it extends it. If the store does
        not answer, the result is False."""
        self._until = self._clock() + seconds
        try:
            return all([await self._extended(lock) for lock in self._taken]) and not self._lapsed
        except (RedisError, OSError):
            return False

    async def renew(self) -> None:
        """Renew every lock while the block runs."""
        while not self.over:
            await asyncio.sleep(self._renewed)
            await self._renew_all()

    async def keep(self) -> None:
        """Renew every lock until the time of the last `extend` is over."""
        while (remaining := self._until - self._clock()) > 0:
            await asyncio.sleep(min(self._renewed, remaining))
            if self._clock() < self._until:
                await self._renew_all()
        await self.release_later()

    async def release(self) -> bool:
        """Release the locks. Return False if the store is unavailable, because its last command may hold the locks for
        a long time."""
        try:
            for lock in self._taken:
                await self._release_of(keys=[lock.name], args=[lock.local.token])
        except (RedisError, OSError):
            return False
        return True

    async def release_later(self) -> None:
        """Release the locks as soon as the store answers, for as long as it may hold them."""
        until = max(self._until, self._clock() + _EXPIRES)
        while self._clock() < until:
            if await self.release():
                return
            await asyncio.sleep(self._renewed)

    async def _renew_all(self) -> None:
        for lock in self._taken:
            with contextlib.suppress(LockError, RedisError, OSError):
                self._lapsed |= not await self._extended(lock)

    async def _extended(self, lock: Lock) -> bool:
        """Extend a lock. Return False if the store lost it. A store that lost its data gets the lock again with the
        same token, unless another owner holds it by now, so a request that was sent meanwhile stays protected."""
        try:
            return await lock.extend(max(_EXPIRES, self._until - self._clock()), replace_ttl=True)
        except LockNotOwnedError:
            if not await self._settled():
                await lock.acquire(blocking=False, token=lock.local.token)
            return False
