"""One write at a time to one thing: what a write is made of is read, changed and sent back, and the venue's API has no
word for "only if it is still so". While one plan is between its read and its answer, no other plan writes there.

This keeps our own plans apart, not staff at the venue: for those a write is read again just before it is sent. The lock
of a holder that died expires after `_EXPIRES` seconds, or once what it had sent can no longer take effect
(`Hold.extend`). A holder that was only stopped for that long finds by its fencing token that it lost the lock. A store
that was emptied is known by a key of its own that is gone (`_SINCE`): locks are then given out only after every holder
has had the time to take its own again.
"""

import asyncio
import contextlib
import hashlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol
from uuid import uuid4

from redis.asyncio.lock import Lock
from redis.commands.core import AsyncScript
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

_RELEASE_OF = """
local token = redis.call('get', KEYS[1])
if token and string.sub(token, 1, string.len(ARGV[1])) == ARGV[1] then redis.call('del', KEYS[1]) end
"""
"""Deletes a lock whose token is this, or begins with this owner's name."""

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

    async def extend(self, seconds: float) -> bool:
        """Hold it for `seconds` from now, also if this process dies. False where somebody else can have had it since
        it was taken."""
        return True


class Locks(Protocol):
    """Mutual exclusion by name."""

    def held(self, names: Iterable[str], patience: float, owner: str = "") -> AbstractAsyncContextManager[Hold]:
        """Hold all these for a block, waiting up to `patience` seconds. Raises `BusyError`, `LocksAwayError`."""

    async def release(self, names: Iterable[str], owner: str) -> None:
        """End what an earlier holder with this owner's name left held, here or in a process that has died. A store that
        is away is no error: the locks expire."""

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
        self._kept: dict[str, list[Callable[[], None]]] = {}
        """By owner, what ends a hold that has outlived its block."""

    @asynccontextmanager
    async def held(self, names: Iterable[str], patience: float, owner: str = "") -> AsyncIterator[Hold]:
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
                self._keep(hold.keep_for, owner, lambda: self._let_go(wanted, taken))
            else:
                self._let_go(wanted, taken)

    def _keep(self, seconds: float, owner: str, let_go: Callable[[], None]) -> None:
        def end() -> None:
            timer.cancel()
            kept.remove(end)
            if not kept:
                del self._kept[owner]
            let_go()

        kept = self._kept.setdefault(owner, [])
        kept.append(end)
        timer = asyncio.get_running_loop().call_later(seconds, end)

    def _let_go(self, wanted: list[str], taken: list[str]) -> None:
        for name in taken:
            self._locks[name].release()
        self._wanted.subtract(wanted)
        for name in wanted:
            if not self._wanted[name]:
                del self._wanted[name]
                self._locks.pop(name, None)

    async def release(self, names: Iterable[str], owner: str) -> None:
        """See `Locks.release`."""
        for end in list(self._kept.get(owner, ())):
            end()

    async def ready(self) -> None:
        """See `Locks.ready`."""

    async def close(self) -> None:
        """See `Locks.close`."""


class RedisLocks:
    """For several processes. A lock's token in the store is its owner's name and a random part, by which two holders
    with one owner's name are told apart."""

    _PREFIX = "iq:lock:"

    def __init__(self, url: str, renewed: float = _RENEWED) -> None:
        self._redis = connections(url, _ANSWER_WITHIN, text=False)
        self._release_of = self._redis.register_script(_RELEASE_OF)
        self._renewed = renewed
        self._behind = set[asyncio.Task[None]]()
        """What goes on behind blocks that have ended."""

    @asynccontextmanager
    async def held(self, names: Iterable[str], patience: float, owner: str = "") -> AsyncIterator[Hold]:
        """See `Locks.held`."""
        taken: list[Lock] = []
        hold = _RedisHold(taken, self._renewed, self._settled, self._release_of)
        until = asyncio.get_running_loop().time() + patience
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
        """See `Locks.release`."""
        with contextlib.suppress(RedisError, OSError):
            for name in names:
                await self._release_of(keys=[self._PREFIX + name], args=[f"{owner} "])

    async def ready(self) -> None:
        """See `Locks.ready`."""
        with contextlib.suppress(RedisError, OSError):
            await self._settled()

    async def _taken(self, name: str, until: float, owner: str) -> Lock:
        lock = self._redis.lock(self._PREFIX + name, timeout=_EXPIRES, thread_local=False)
        token, away = f"{owner} {uuid4().hex}", False
        while True:
            try:
                if await self._settled() and await lock.acquire(blocking=False, token=token):
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
        """See `Locks.close`. What is kept expires in the store."""
        while self._behind:
            for task in self._behind:
                task.cancel()
            # One that is cancelled in a call to the store may come back with the call's own error.
            await asyncio.wait(self._behind, timeout=_ANSWER_WITHIN)
        await self._redis.aclose()


class _RedisHold(Hold):
    def __init__(
        self, taken: list[Lock], renewed: float, settled: Callable[[], Awaitable[bool]], release_of: AsyncScript
    ) -> None:
        self._taken, self._renewed, self._settled, self._release_of = taken, renewed, settled, release_of
        self._clock = asyncio.get_running_loop().time
        self._until = 0.0
        """The time until which the store keeps it, also if this process dies."""
        self.over = False
        """Whether the block has ended."""
        self._lapsed = False

    async def extend(self, seconds: float) -> bool:
        """See `Hold.extend`. The store compares the fencing token of each lock as it extends it; a store that does not
        answer proves nothing."""
        self._until = self._clock() + seconds
        try:
            return all([await self._extended(lock) for lock in self._taken]) and not self._lapsed
        except (RedisError, OSError):
            return False

    async def renew(self) -> None:
        """Hold every lock while the block runs."""
        while not self.over:
            await asyncio.sleep(self._renewed)
            await self._renew_all()

    async def keep(self) -> None:
        """Hold every lock until the time of the last `extend` is over."""
        while (left := self._until - self._clock()) > 0:
            await asyncio.sleep(min(self._renewed, left))
            if self._clock() < self._until:
                await self._renew_all()
        await self.release_later()

    async def release(self) -> bool:
        """Let go. False where the store is away: what it was asked last may hold the locks for a long time."""
        try:
            for lock in self._taken:
                await self._release_of(keys=[lock.name], args=[lock.local.token])
        except (RedisError, OSError):
            return False
        return True

    async def release_later(self) -> None:
        """Let go as soon as the store answers, for as long as it may hold the locks."""
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
        """Hold on to a lock; False where the store has lost it. A store that was emptied gets it again with the same
        token, unless somebody else has it by now: what was sent meanwhile is protected as before."""
        try:
            return await lock.extend(max(_EXPIRES, self._until - self._clock()), replace_ttl=True)
        except LockNotOwnedError:
            if not await self._settled():
                await lock.acquire(blocking=False, token=lock.local.token)
            return False


def open_locks(redis_url: str | None) -> Locks:
    """The locks that the settings call for."""
    return RedisLocks(redis_url) if redis_url else MemoryLocks()
