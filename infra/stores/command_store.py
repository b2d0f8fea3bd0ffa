"""The state of each command, by idempotency key, in a store that every process shares.

    (nothing) ──open──▶ OPEN ──commit, by the plan──▶ COMMITTED
                         │  └──abort, by the API──▶ ABORTED ──open──▶ OPEN, with another commit token
                         └──timeout──▶ (nothing)

A plan acts on a command only after it has committed it. The API answers "this has no effect" only after it has aborted
it. The second of the two calls gets the existing state. Only the store's clock decides whether a command is still open,
so two machines' clocks are never compared. A command that is opened again after an abort or a timeout gets a new commit
token, so a message that was sent with the old token never takes effect.
"""

import time
from dataclasses import dataclass
from typing import Protocol
from uuid import uuid4

from redis.exceptions import RedisError

from infra.stores.redis import create_redis

_TTL = 24 * 3600
"""Seconds for which a command's outcome is kept: longer than any client retries a request."""

_CALL_TIMEOUT = 1.0
"""Seconds for one call. A Redis that hangs is then reported as unavailable. The call may still be applied."""

_BEHIND = "|"
"""Separates the content from the random part of a commit token."""

OPEN = "open"
COMMITTED = "started"
ABORTED = "withdrawn"

STORE_ERRORS = (OSError, TimeoutError, RedisError)
"""What a call raises when the store cannot be reached."""


@dataclass(frozen=True, slots=True)
class OpenCommand:
    """The state after `CommandStore.open`. The commit token is sent with the command to the plan that commits it."""

    state: str
    commit_token: str


class CommandStore(Protocol):
    """The state of commands. Every call raises one of `STORE_ERRORS` when the store cannot be reached."""

    async def open(self, attempt: str, seconds: float, content: str = "") -> OpenCommand:
        """Open a command for `seconds`: `OPEN`, or `COMMITTED` if it is already committed. `content` is the
        command's content, without "#", "|" and spaces. An existing command keeps its first content
        (`content_in`), and nothing else may be sent with its commit token."""

    async def commit(self, ticket: str, by: str = "") -> bool:
        """Return whether the command takes effect. A granted commit is granted again every time. `by`: the caller."""

    async def abort(self, ticket: str) -> str | None:
        """Abort the command, so that it never takes effect: `ABORTED`, or `COMMITTED` if it has taken effect. None if
        the store does not know it, because it timed out or the store lost it."""

    async def state(self, ticket: str) -> str | None:
        """Return the state without changing it; None as for `abort`."""

    async def committed_by(self, ticket: str) -> str:
        """Return the first committer, if it was given. It is known whenever the state is `COMMITTED`."""

    async def close(self) -> None:
        """Close the connections."""


def content_in(ticket: str) -> str:
    """Return the content that the command of this token was opened with; "" if it had none."""
    return ticket.rpartition("#")[2].rpartition(_BEHIND)[0]


def _idempotency_key(ticket: str) -> str:
    return ticket.rpartition("#")[0]


def _new_commit_token(attempt: str, content: str) -> str:
    return f"{attempt}#{content}{_BEHIND}{uuid4().hex}"


class MemoryCommandStore:
    """The command store of a single process."""

    def __init__(self) -> None:
        self._commands: dict[str, tuple[str, str, float]] = {}
        self._committed_by: dict[str, str] = {}

    async def open(self, attempt: str, seconds: float, content: str = "") -> OpenCommand:
        """See `CommandStore.open`."""
        now = time.monotonic()
        self._commands = {a: row for a, row in self._commands.items() if row[2] > now}
        self._committed_by = {t: by for t, by in self._committed_by.items() if _idempotency_key(t) in self._commands}
        word, ticket, _ = self._commands.get(attempt, (ABORTED, "", 0.0))
        if word == COMMITTED:
            return OpenCommand(COMMITTED, ticket)
        ticket = ticket if word == OPEN else _new_commit_token(attempt, content)
        self._commands[attempt] = (OPEN, ticket, now + seconds)
        return OpenCommand(OPEN, ticket)

    async def commit(self, ticket: str, by: str = "") -> bool:
        """See `CommandStore.commit`."""
        granted = self._settle(ticket, COMMITTED) == COMMITTED
        if granted and by:
            self._committed_by.setdefault(ticket, by)
        return granted

    async def committed_by(self, ticket: str) -> str:
        """See `CommandStore.committed_by`."""
        return self._committed_by.get(ticket, "")

    async def abort(self, ticket: str) -> str | None:
        """See `CommandStore.abort`."""
        return self._settle(ticket, ABORTED)

    async def state(self, ticket: str) -> str | None:
        """See `CommandStore.state`."""
        return self._settle(ticket, OPEN)

    def _settle(self, ticket: str, word: str) -> str | None:
        state, holder, until = self._commands.get(_idempotency_key(ticket), ("", "", 0.0))
        if holder != ticket or until <= time.monotonic():
            return None
        if state == OPEN != word:
            self._commands[_idempotency_key(ticket)] = (word, ticket, time.monotonic() + _TTL)
            return word
        return state

    async def close(self) -> None:
        """See `CommandStore.close`."""
        self._commands.clear()


_OPEN_SCRIPT = """
local state = redis.call('GET', KEYS[1])
if state and string.sub(state, 1, 8) == 'started ' then return state end
if not (state and string.sub(state, 1, 5) == 'open ') then state = 'open ' .. ARGV[1] end
redis.call('SET', KEYS[1], state, 'PX', ARGV[2])
return state
"""

_SETTLE_SCRIPT = """
local state = redis.call('GET', KEYS[1])
if not state then return false end
local word, ticket = string.match(state, '^(%a+) (.*)$')
if ticket ~= ARGV[1] then return false end
if word ~= 'open' or ARGV[2] == 'open' then return word end
redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. ticket, 'EX', ARGV[3])
if ARGV[4] ~= '' then redis.call('SET', KEYS[2], ARGV[4], 'EX', ARGV[3]) end
return ARGV[2]
"""
"""Redis runs a script atomically. Both scripts can be retried: the second run finds the result of the first."""


class RedisCommandStore:
    """The command store of several processes, in Redis."""

    _PREFIX = "iq:claim:"
    _CLAIMANT = "iq:claimant:"

    def __init__(self, url: str) -> None:
        self._redis = create_redis(url, _CALL_TIMEOUT, text=True)

    async def open(self, attempt: str, seconds: float, content: str = "") -> OpenCommand:
        """See `CommandStore.open`."""
        milliseconds = max(1, int(seconds * 1000))
        ticket = _new_commit_token(attempt, content)
        found = await self._redis.eval(_OPEN_SCRIPT, 1, self._PREFIX + attempt, ticket, str(milliseconds))
        word, _, ticket = str(found).partition(" ")
        return OpenCommand(word, ticket)

    async def commit(self, ticket: str, by: str = "") -> bool:
        """See `CommandStore.commit`."""
        return await self._settle(ticket, COMMITTED, by) == COMMITTED

    async def committed_by(self, ticket: str) -> str:
        """See `CommandStore.committed_by`."""
        return str(await self._redis.get(self._CLAIMANT + ticket) or "")

    async def abort(self, ticket: str) -> str | None:
        """See `CommandStore.abort`."""
        return await self._settle(ticket, ABORTED)

    async def state(self, ticket: str) -> str | None:
        """See `CommandStore.state`."""
        return await self._settle(ticket, OPEN)

    async def _settle(self, ticket: str, word: str, by: str = "") -> str | None:
        keys = self._PREFIX + _idempotency_key(ticket), self._CLAIMANT + ticket
        found = await self._redis.eval(_SETTLE_SCRIPT, 2, *keys, ticket, word, str(_TTL), by)
        return None if found is None else str(found)

    async def close(self) -> None:
        """See `CommandStore.close`."""
        await self._redis.aclose()


def open_command_store(redis_url: str | None) -> CommandStore:
    """Return the command store for these settings: in Redis if `redis_url` is set, otherwise in memory."""
    return RedisCommandStore(redis_url) if redis_url else MemoryCommandStore()
