"""The stack of a chaos run: it has its own Redis, a connection between API and Temporal that can fail, and one proxy
before the venue that several scenarios watch at once, each its own operator's calls."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from infra.stores.store import Store
from infra.stores.token_vault import TokenMissingError, Vault
from tests.support.process_stack import HURRIED, ProcessStack
from tests.support.redis_server import RedisServer
from tests.support.temporal_line import TemporalLine
from tests.support.venue_proxy import Call, Hook
from tests.support.waiting import answered
from tests.support.webhook import SECRET


class ChaosStack(ProcessStack):
    """A running stack whose every part may be killed or stalled; `together`: its venue allows parallel steps;
    `environment` as of `ProcessStack`."""

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
        """Send the venue's escalations to a webhook of this machine; call it before the start."""
        self._environment |= {"IQ_WEBHOOK_PRIVATE": "true", "DESK_SECRET": SECRET}
        self.venue_says += f'\nescalation: {{webhook: "{address}", secret: "${{DESK_SECRET}}"}}\n'

    @property
    def ledger(self) -> Path:
        """Return the ledger's file."""
        return self._data / "ledger.db"

    async def _start(self) -> None:
        await self._closing.enter_async_context(self.store)
        await self._closing.enter_async_context(self.line)
        await super()._start()

    def watch(self, token: str, before: Hook, after: Hook) -> None:
        """Call these around every call made with the operator's token."""
        self._watching[token] = (before, after)

    def forget(self, tokens: Iterable[str]) -> None:
        """Stop watching them."""
        for token in tokens:
            self._watching.pop(token, None)

    async def tokens_held(self, tokens: Iterable[str]) -> list[str]:
        """Return references under which the vault holds one of these operators' tokens."""
        store = Store(self.redis_url)
        vault, held = Vault(store, self.settings.ring()), []
        try:
            for key in await self.tokens_kept():
                reference = key.rpartition(":")[2]
                with suppress(TokenMissingError):
                    if await answered(partial(vault.get, reference)) in tokens:
                        held.append(reference)
        finally:
            await store.close()
        return held

    async def all_up(self) -> None:
        """Wait until every part runs and answers, whatever was done to it."""
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
    """Start one in the folder `data`."""
    async with ChaosStack(data) as stack:
        yield stack
