"""The state of each command, by idempotency key, in a store that every process shares.

    (nothing) ──open──▶ OPEN ──commit, by the plan──▶ COMMITTED
                         │  └──abort, by the API──▶ ABORTED ──open──▶ OPEN, with another commit token
                         └──timeout──▶ (nothing)

A plan acts on a command only after it has committed it. The API answers "this has no effect" only after it has aborted
it. The second of the two calls gets the existing state. Only the store's clock decides whether a command is still open,
so two machines' clocks are never compared. A command that is opened again after an abort or a timeout gets a new commit
token, so a message that was sent with the old token never takes effect.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID, uuid4, uuid5

from contracts.plan import ExecutionPlan
from infra.stores.store import Store, answer_within
from infra.stores.token_vault import SealedToken

_TTL = 24 * 3600
"""Seconds for which a command's outcome is kept: longer than any client retries a request."""

_BEHIND = "|"
"""Separates the content from the random part of a commit token."""

OPEN = "open"
COMMITTED = "started"
ABORTED = "withdrawn"


@dataclass(frozen=True, slots=True)
class OpenCommand:
    """The state after `CommandStore.open`. The commit token is sent with the command to the plan that commits it."""

    state: str
    commit_token: str


def content_in(ticket: str) -> str:
    """Return the content that the command of this token was opened with; "" if it had none."""
    return ticket.rpartition("#")[2].rpartition(_BEHIND)[0]


def _idempotency_key(ticket: str) -> str:
    return ticket.rpartition("#")[0]


def _new_commit_token(attempt: str, content: str) -> str:
    return f"{attempt}#{content}{_BEHIND}{uuid4().hex}"


_OPEN_SCRIPT = """
local state = redis.call('GET', KEYS[1])
if state and string.sub(state, 1, 8) == 'started ' then return state end
if not (state and string.sub(state, 1, 5) == 'open ') then state = 'open ' .. ARGV[1] end
redis.call('SET', KEYS[1], state, 'PX', ARGV[2])
if KEYS[2] then redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4]) end
return state
"""

_STATE_SCRIPT = """
local state = redis.call('GET', KEYS[1])
local word, ticket = string.match(state or '', '^(%a+) (.*)$')
if ticket ~= ARGV[1] then return false end
if word == 'open' and KEYS[2] then redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) end
return word
"""

_SETTLE_SCRIPT = """
local state = redis.call('GET', KEYS[1])
local word, ticket = string.match(state or '', '^(%a+) (.*)$')
if ticket ~= ARGV[1] then return false end
if word ~= 'open' then return word end
redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. ticket, 'EX', ARGV[3])
if ARGV[4] ~= '' then redis.call('SET', KEYS[2], ARGV[4], 'EX', ARGV[3]) end
return ARGV[2]
"""
"""The store runs a script atomically. Each can be retried: the second run finds the result of the first. The last key
of the first two is a token's: while the command is open, it is stored in the same call."""


class CommandStore:
    """The state of commands. Every call raises `DependencyUnavailableError` when the store cannot be reached."""

    _PREFIX = "iq:claim:"
    _CLAIMANT = "iq:claimant:"

    def __init__(self, store: Store) -> None:
        self._redis = store.redis

    async def open(
        self, attempt: str, seconds: float, content: str = "", token: SealedToken | None = None
    ) -> OpenCommand:
        """Open a command for `seconds`: `OPEN`, or `COMMITTED` if it is already committed. `content` is the
        command's content, without "#", "|" and spaces. An existing command keeps its first content
        (`content_in`), and nothing else may be sent with its commit token. `token` is stored unless it is committed."""
        milliseconds = max(1, int(seconds * 1000))
        ticket = _new_commit_token(attempt, content)
        found = await self._run(_OPEN_SCRIPT, [self._PREFIX + attempt], [ticket, str(milliseconds)], token)
        word, _, ticket = str(found).partition(" ")
        return OpenCommand(word, ticket)

    async def state(self, ticket: str, token: SealedToken | None = None) -> str | None:
        """Return the state without changing it; None as for `abort`. `token` is stored if the command is open."""
        return await self._run(_STATE_SCRIPT, [self._PREFIX + _idempotency_key(ticket)], [ticket], token)

    async def commit(self, ticket: str, by: str = "") -> bool:
        """Return whether the command takes effect. A granted commit is granted again every time. `by`: the caller."""
        return await self._settle(ticket, COMMITTED, by) == COMMITTED

    async def abort(self, ticket: str) -> str | None:
        """Abort the command, so that it never takes effect: `ABORTED`, or `COMMITTED` if it has taken effect. None if
        the store does not know it, because it timed out or the store lost it."""
        return await self._settle(ticket, ABORTED)

    async def committed_by(self, ticket: str) -> str:
        """Return the first committer, if it was given. It is known whenever the state is `COMMITTED`."""
        async with answer_within():
            return str(await self._redis.get(self._CLAIMANT + ticket) or "")

    async def _settle(self, ticket: str, word: str, by: str = "") -> str | None:
        keys = [self._PREFIX + _idempotency_key(ticket), self._CLAIMANT + ticket]
        return await self._run(_SETTLE_SCRIPT, keys, [ticket, word, str(_TTL), by])

    async def _run(
        self, script: str, keys: list[str], values: list[str], token: SealedToken | None = None
    ) -> str | None:
        if token is not None:
            keys, values = [*keys, token.key], [*values, token.value, str(token.milliseconds)]
        async with answer_within():
            found = await self._redis.eval(script, len(keys), *keys, *values)
        return None if found is None else str(found)


_NAMESPACE = UUID("b0f6a0c1-6c61-4a8c-8f0a-2f8a1f1f4f52")


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The plan after a command, and whether the command's outcome is known; if not, the plan carries a notice."""

    plan: ExecutionPlan
    certain: bool = True


def idempotency_key(scope: str, kind: str, user_id: str, request_id: str | None) -> str:
    """Return the key of a request's attempt: the same for each retry of a request that has an id."""
    return str(uuid5(_NAMESPACE, f"{scope}\n{kind}\n{user_id}\n{request_id}") if request_id else uuid4())


_BETWEEN = "/"


def content_of(plan_id: str, prompt_id: str | None, text: str) -> str:
    """Return the content of an answer: hashes of its question, as far as it is known, and of its text. It is stored
    with the idempotency key (`infra.stores.command_store`) and with the plan that accepted it."""
    return f"{_hash(plan_id, prompt_id) if prompt_id else ''}{_BETWEEN}{_hash(plan_id, text)}"


def answer_id(attempt: str, content: str) -> str:
    """Return the id under which a plan records the answer."""
    return f"{attempt}{_BETWEEN}{content}"


def taken_under(attempt: str, answers: Iterable[str]) -> str:
    """Return the content of the answer that a plan recorded under an idempotency key; "" if there is none."""
    return next((a.partition(_BETWEEN)[2] for a in answers if a.partition(_BETWEEN)[0] == attempt), "")


def says_other(known: str, plan_id: str, prompt_id: str | None, text: str) -> bool:
    """Return whether an answer differs from the `known` one with the same request id. An answer without a question id
    is for the known one's question."""
    question, _, message = known.rpartition(_BETWEEN)
    asked, _, says = content_of(plan_id, prompt_id, text).rpartition(_BETWEEN)
    return bool(known) and (message != says or bool(asked and question and asked != question))


def _hash(plan_id: str, text: str) -> str:
    return hashlib.sha256(f"{plan_id}\n{text}".encode()).hexdigest()[:32]
