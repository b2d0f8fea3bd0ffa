"""The parts of a chaos run: a stack with a Redis of its own, a line between facade and Temporal that can fail, and one
proxy before the venue that several scenarios watch at once, each its own operator's calls.
"""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from infra.stores.token_vault import TokenMissingError, open_vault
from tests.support.redis_server import RedisServer
from tests.support.separate import HURRIED, Separate
from tests.support.temporal_line import TemporalLine
from tests.support.venue_proxy import Call, Hook
from tests.support.waiting import answered
from tests.support.webhook import SECRET


class ChaosStack(Separate):
    """A running stack, every part of which may be killed or stalled; `together`: its venue lets steps act at the same
    time; `environment` as of `Separate`."""

    def __init__(self, data: Path, *, together: bool = False, **environment: str) -> None:
        super().__init__(data, "redis://127.0.0.1:0", **{**HURRIED, **environment})
        self.venue_says = "parallel_steps: true\n" if together else ""
        self.store = RedisServer(self.port_of_store)
        self.use_redis(self.store.url)
        self.line = TemporalLine(self.port_of_line, self.port_of_temporal)
        self._of_facade = {"TEMPORAL_ADDRESS": f"127.0.0.1:{self.port_of_line}"}
        self._watching: dict[str, tuple[Hook, Hook]] = {}
        self.proxy.before, self.proxy.after = self._before, self._after

    def hands_over_to(self, address: str) -> None:
        """Have the venue told of what is handed to a person, at a webhook of this machine; before it is started."""
        self._environment |= {"IQ_WEBHOOK_PRIVATE": "true", "DESK_SECRET": SECRET}
        self.venue_says += f'\nescalation: {{webhook: "{address}", secret: "${{DESK_SECRET}}"}}\n'

    @property
    def ledger(self) -> Path:
        """The ledger's file."""
        return self._data / "ledger.db"

    async def _start(self) -> None:
        await self._closing.enter_async_context(self.store)
        await self._closing.enter_async_context(self.line)
        await super()._start()

    def watch(self, token: str, before: Hook, after: Hook) -> None:
        """Call these around every call made with the operator's token."""
        self._watching[token] = (before, after)

    def forget(self, tokens: Iterable[str]) -> None:
        """Watch them no more."""
        for token in tokens:
            self._watching.pop(token, None)

    async def tokens_held(self, tokens: Iterable[str]) -> list[str]:
        """References under which the vault holds one of these operators' tokens."""
        vault, held = open_vault(self.redis_url, self.settings.ring()), []
        try:
            for key in await self.tokens_kept():
                reference = key.rpartition(":")[2]
                with suppress(TokenMissingError):
                    if await answered(partial(vault.get, reference)) in tokens:
                        held.append(reference)
        finally:
            await vault.close()
        return held

    async def all_up(self) -> None:
        """Every part runs and answers, whatever was done to it."""
        self.store.go_on()
        await self.store.start()
        self.temporal_goes_on()
        await self.start_temporal()
        await self.temporal_answers()
        await self.start_worker()
        await self.ready()

    async def _before(self, call: Call) -> None:
        if call.token in self._watching:
            await self._watching[call.token][0](call)

    async def _after(self, call: Call) -> None:
        if call.token in self._watching:
            await self._watching[call.token][1](call)


@asynccontextmanager
async def a_chaos_stack(data: Path) -> AsyncIterator[ChaosStack]:
    """One in the folder `data`."""
    async with ChaosStack(data) as stack:
        yield stack
