"""Whether a word that may take effect does: a small state of each attempt, kept where every process sees it.

    (nothing) ──open──▶ OPEN ──claim, by the plan──▶ STARTED
                         │  └──withdraw, by the facade──▶ WITHDRAWN ──open──▶ OPEN, with another ticket
                         └──its time is up──▶ (nothing)

A plan acts on a word only once it has claimed it, and the facade says "this has no effect" only once it has withdrawn
it; whoever comes second hears what stands. Only the store's clock judges whether a word is still open, so no two
machines' clocks are ever compared. Opened again after it was withdrawn or forgotten, an attempt gets a new ticket: a
message that was sent with the old one stays without effect for good.
"""

import time
from dataclasses import dataclass
from typing import Protocol
from uuid import uuid4

from redis.exceptions import RedisError

from infra.store import connections

_KEPT = 24 * 3600
"""Seconds for which what became of a word is known: longer than anybody retries a request."""

_PATIENCE = 1.0
"""Seconds for one call. A Redis that hangs is then reported as away; what it was told may still come to pass."""

_BEHIND = "|"
"""Behind the content in a ticket."""

OPEN = "open"
STARTED = "started"
WITHDRAWN = "withdrawn"

AWAY = (OSError, TimeoutError, RedisError)
"""What a call raises when the store cannot be reached."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What stands after `Claims.open`. The ticket goes with the word to whoever claims it."""

    word: str
    ticket: str


class Claims(Protocol):
    """The state of words. Every call raises one of `AWAY` when the store cannot be reached."""

    async def open(self, attempt: str, seconds: float, content: str = "") -> Opened:
        """Let an attempt be claimed for so long: `OPEN`, or `STARTED` when it has been claimed already. `content` is
        what is said by it, without "#", "|" and spaces; an attempt that stands already keeps the first one
        (`content_in`), and nothing else may be sent under its ticket."""

    async def claim(self, ticket: str, by: str = "") -> bool:
        """Whether the word takes effect. Once granted it is granted again, whenever it is asked. `by`: who asks."""

    async def withdraw(self, ticket: str) -> str | None:
        """See to it that the word never takes effect: `WITHDRAWN`, or `STARTED` when it has. None when the store knows
        nothing of it: its time is up, or the store has lost it."""

    async def standing(self, ticket: str) -> str | None:
        """What stands, without changing it; None as for `withdraw`."""

    async def claimant(self, ticket: str) -> str:
        """Who claimed it first, as far as that was said: known whenever the word stands as `STARTED`."""

    async def close(self) -> None:
        """Let go of connections."""


def content_in(ticket: str) -> str:
    """What the attempt of this ticket was opened with; "" where that was nothing."""
    return ticket.rpartition("#")[2].rpartition(_BEHIND)[0]


def _attempt(ticket: str) -> str:
    return ticket.rpartition("#")[0]


def _new_ticket(attempt: str, content: str) -> str:
    return f"{attempt}#{content}{_BEHIND}{uuid4().hex}"


class MemoryClaims:
    """For a single process."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, str, float]] = {}
        self._claimants: dict[str, str] = {}

    async def open(self, attempt: str, seconds: float, content: str = "") -> Opened:
        """See `Claims.open`."""
        now = time.monotonic()
        self._kept = {a: row for a, row in self._kept.items() if row[2] > now}
        self._claimants = {t: by for t, by in self._claimants.items() if _attempt(t) in self._kept}
        word, ticket, _ = self._kept.get(attempt, (WITHDRAWN, "", 0.0))
        if word == STARTED:
            return Opened(STARTED, ticket)
        ticket = ticket if word == OPEN else _new_ticket(attempt, content)
        self._kept[attempt] = (OPEN, ticket, now + seconds)
        return Opened(OPEN, ticket)

    async def claim(self, ticket: str, by: str = "") -> bool:
        """See `Claims.claim`."""
        granted = self._settle(ticket, STARTED) == STARTED
        if granted and by:
            self._claimants.setdefault(ticket, by)
        return granted

    async def claimant(self, ticket: str) -> str:
        """See `Claims.claimant`."""
        return self._claimants.get(ticket, "")

    async def withdraw(self, ticket: str) -> str | None:
        """See `Claims.withdraw`."""
        return self._settle(ticket, WITHDRAWN)

    async def standing(self, ticket: str) -> str | None:
        """See `Claims.standing`."""
        return self._settle(ticket, OPEN)

    def _settle(self, ticket: str, word: str) -> str | None:
        stands, holder, until = self._kept.get(_attempt(ticket), ("", "", 0.0))
        if holder != ticket or until <= time.monotonic():
            return None
        if stands == OPEN != word:
            self._kept[_attempt(ticket)] = (word, ticket, time.monotonic() + _KEPT)
            return word
        return stands

    async def close(self) -> None:
        """See `Claims.close`."""
        self._kept.clear()


_OPEN_SCRIPT = """
local stands = redis.call('GET', KEYS[1])
if stands and string.sub(stands, 1, 8) == 'started ' then return stands end
if not (stands and string.sub(stands, 1, 5) == 'open ') then stands = 'open ' .. ARGV[1] end
redis.call('SET', KEYS[1], stands, 'PX', ARGV[2])
return stands
"""

_SETTLE_SCRIPT = """
local stands = redis.call('GET', KEYS[1])
if not stands then return false end
local word, ticket = string.match(stands, '^(%a+) (.*)$')
if ticket ~= ARGV[1] then return false end
if word ~= 'open' or ARGV[2] == 'open' then return word end
redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. ticket, 'EX', ARGV[3])
if ARGV[4] ~= '' then redis.call('SET', KEYS[2], ARGV[4], 'EX', ARGV[3]) end
return ARGV[2]
"""
"""Scripts run at once or not at all. Both may be repeated: the second run finds what the first one left."""


class RedisClaims:
    """For several processes."""

    _PREFIX = "iq:claim:"
    _CLAIMANT = "iq:claimant:"

    def __init__(self, url: str) -> None:
        self._redis = connections(url, _PATIENCE, text=True)

    async def open(self, attempt: str, seconds: float, content: str = "") -> Opened:
        """See `Claims.open`."""
        milliseconds = max(1, int(seconds * 1000))
        ticket = _new_ticket(attempt, content)
        found = await self._redis.eval(_OPEN_SCRIPT, 1, self._PREFIX + attempt, ticket, str(milliseconds))
        word, _, ticket = str(found).partition(" ")
        return Opened(word, ticket)

    async def claim(self, ticket: str, by: str = "") -> bool:
        """See `Claims.claim`."""
        return await self._settle(ticket, STARTED, by) == STARTED

    async def claimant(self, ticket: str) -> str:
        """See `Claims.claimant`."""
        return str(await self._redis.get(self._CLAIMANT + ticket) or "")

    async def withdraw(self, ticket: str) -> str | None:
        """See `Claims.withdraw`."""
        return await self._settle(ticket, WITHDRAWN)

    async def standing(self, ticket: str) -> str | None:
        """See `Claims.standing`."""
        return await self._settle(ticket, OPEN)

    async def _settle(self, ticket: str, word: str, by: str = "") -> str | None:
        keys = self._PREFIX + _attempt(ticket), self._CLAIMANT + ticket
        found = await self._redis.eval(_SETTLE_SCRIPT, 2, *keys, ticket, word, str(_KEPT), by)
        return None if found is None else str(found)

    async def close(self) -> None:
        """See `Claims.close`."""
        await self._redis.aclose()


def open_claims(redis_url: str | None) -> Claims:
    """The claims that the settings call for."""
    return RedisClaims(redis_url) if redis_url else MemoryClaims()
