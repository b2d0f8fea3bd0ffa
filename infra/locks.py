"""One write at a time to one thing: what a write is made of is read, changed and sent back, and the venue's API has no
word for "only if it is still so". While one plan is between its read and its answer, no other plan writes there.

This keeps our own plans apart, not staff at the venue: for those a write is read again just before it is sent. A holder
that dies is out after `_EXPIRES` seconds; one that was only stopped for that long finds by its fencing token that it is
out (`Hold.still_held`). A store that was emptied is known by a key of its own that is gone (`_SINCE`): locks are then
given out only after every holder has had the time to take its own again.
"""

import asyncio
import contextlib
import hashlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

from redis.asyncio.lock import Lock
from redis.exceptions import LockError, LockNotOwnedError, RedisError

from infra.outages import Outage
from infra.store import connections

_EXPIRES = 6.0
"""Seconds after which a holder that no longer says that it lives is out: longer than a store's or a worker's blip."""
_RENEWED = 1.5
"""Seconds between two words of a holder that it lives."""
_SINCE = "iq:locks:since"
"""The key that says since when this store gives out locks, in seconds of the store's own clock."""
_TAKEN_AGAIN_WITHIN = 2 * _RENEWED
"""Seconds in which holders take their locks again in a store that was emptied."""
_ANSWER_WITHIN = 1.0
_PAUSE = 0.05

_AWAY = Outage(
    logging.getLogger(__name__), "locking in Redis", "a write waits for a while, and then is not sent: its step fails"
)


class BusyError(Exception):
    """Somebody else has held it for all the time that there was."""


class LocksAwayError(ConnectionError):
    """The store does not answer, so nobody can be kept out."""


class Hold:
    """What is held. `keep_for`: seconds for which it stays held after the block, because what was sent may still
    land."""

    keep_for: float = 0.0

    async def still_held(self) -> bool:
        """Whether nobody else can have had it since it was taken."""
        return True


class Locks(Protocol):
    """Mutual exclusion by name."""

    def held(self, names: Iterable[str], patience: float) -> AbstractAsyncContextManager[Hold]:
        """Hold all these for a block, waiting up to `patience` seconds. Raises `BusyError`, `LocksAwayError`."""

    async def ready(self) -> None:
        """Prepare the store for a process that starts, so that its first write need not wait."""

    async def close(self) -> None:
        """Let go of connections."""


def name_of(*parts: str) -> str:
    """A lock's name, which tells nothing."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


class MemoryLocks:
    """For a single process."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._wanted: Counter[str] = Counter()

    @asynccontextmanager
    async def held(self, names: Iterable[str], patience: float) -> AsyncIterator[Hold]:
        """See `Locks.held`."""
        hold, wanted, taken = Hold(), sorted(set(names)), []
        self._wanted.update(wanted)
        try:
            async with asyncio.timeout(patience):
                for name in wanted:
                    await self._locks.setdefault(name, asyncio.Lock()).acquire()
                    taken.append(name)
            yield hold
        except TimeoutError:
            if len(taken) == len(wanted):
                raise
            raise BusyError from None
        finally:
            if hold.keep_for:
                asyncio.get_running_loop().call_later(hold.keep_for, self._let_go, wanted, taken)
            else:
                self._let_go(wanted, taken)

    def _let_go(self, wanted: list[str], taken: list[str]) -> None:
        for name in taken:
            self._locks[name].release()
        self._wanted.subtract(wanted)
        for name in wanted:
            if not self._wanted[name]:
                del self._wanted[name]
                self._locks.pop(name, None)

    async def ready(self) -> None:
        """See `Locks.ready`."""

    async def close(self) -> None:
        """See `Locks.close`."""


class RedisLocks:
    """For several processes."""

    _PREFIX = "iq:lock:"

    def __init__(self, url: str, renewed: float = _RENEWED) -> None:
        self._redis = connections(url, _ANSWER_WITHIN, text=False)
        self._renewed = renewed

    @asynccontextmanager
    async def held(self, names: Iterable[str], patience: float) -> AsyncIterator[Hold]:
        """See `Locks.held`."""
        taken: list[Lock] = []
        hold = _RedisHold(taken, self._renewed)
        until = asyncio.get_running_loop().time() + patience
        try:
            for name in sorted(set(names)):
                taken.append(await self._taken(name, until))
            renewing = asyncio.create_task(hold.renew())
            try:
                yield hold
            finally:
                renewing.cancel()
        finally:
            for lock in taken:
                await _end(lock, hold.keep_for)

    async def ready(self) -> None:
        """See `Locks.ready`."""
        with contextlib.suppress(RedisError, OSError):
            await self._settled()

    async def _taken(self, name: str, until: float) -> Lock:
        lock = self._redis.lock(self._PREFIX + name, timeout=_EXPIRES, thread_local=False)
        away = False
        while True:
            try:
                if await self._settled() and await lock.acquire(blocking=False):
                    if await self._settled():
                        _AWAY.worked()
                        return lock
                    await lock.release()
                away = False
            except (RedisError, OSError) as error:
                _AWAY.failed(type(error).__name__)
                away = True
            if asyncio.get_running_loop().time() >= until:
                raise LocksAwayError if away else BusyError
            await asyncio.sleep(_PAUSE)

    async def _settled(self) -> bool:
        """Whether the store has given out locks for long enough that every holder's own is in it."""
        async with self._redis.pipeline(transaction=False) as both:
            both.time()
            both.get(_SINCE)
            (now, _), since = await both.execute()
        if since is None:
            await self._redis.set(_SINCE, now, nx=True)
            return False
        return bool(now - int(since) > _TAKEN_AGAIN_WITHIN)

    async def close(self) -> None:
        """See `Locks.close`."""
        await self._redis.aclose()


class _RedisHold(Hold):
    def __init__(self, taken: list[Lock], renewed: float) -> None:
        self._taken, self._renewed = taken, renewed
        self._lapsed = False

    async def still_held(self) -> bool:
        """See `Hold.still_held`. Compares the fencing token of each lock with the one in the store; a store that does
        not answer proves nothing."""
        try:
            return all([await lock.owned() for lock in self._taken]) and not self._lapsed
        except (RedisError, OSError):
            return False

    async def renew(self) -> None:
        """Keep every lock while the block runs. One that the store has lost is taken again with the same token, unless
        somebody else has it by now: what was sent meanwhile is protected as before."""
        while True:
            await asyncio.sleep(self._renewed)
            for lock in self._taken:
                with contextlib.suppress(LockError, RedisError, OSError):
                    self._lapsed |= not await _extended(lock, _EXPIRES)


async def _extended(lock: Lock, seconds: float) -> bool:
    """Hold on to a lock; False where it had to be taken again, or could not be."""
    try:
        return await lock.extend(seconds, replace_ttl=True)
    except LockNotOwnedError:
        await lock.acquire(blocking=False, token=lock.local.token)
        return False


async def _end(lock: Lock, keep_for: float) -> None:
    # Where the store is away now, the lock's own end frees it.
    with contextlib.suppress(LockError, RedisError, OSError):
        if keep_for:
            await _extended(lock, keep_for)
        else:
            await lock.release()


def open_locks(redis_url: str | None) -> Locks:
    """The locks that the settings call for."""
    return RedisLocks(redis_url) if redis_url else MemoryLocks()
