"""The operator's commands to one plan, one at a time: each is checked, committed with its caller, and carried out, and
nothing of the plan moves in between. So a command that is committed has taken effect, and one that comes too late is
refused before it is committed.

    command ──▶ its turn ──▶ allowed? ──no──▶ refused (409), never committed
                                │yes
                                ▼
                             commit (the store decides, `infra/claims.py`) ──aborted──▶ 503, no effect
                                │committed
                                ▼
                             its effect, before any step starts, any question is given up or the plan ends
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.effects import ClaimCall
    from contracts.enums import ServiceErrorType
    from language.catalogue import say
    from workflows.calls import Calls
    from workflows.refusals import refusal


class AbortedError(Exception):
    """The caller of a command has given it up, or the store has lost it: it never takes effect."""


class Commands:
    """Commits commands to one plan."""

    def __init__(self, calls: Calls, plan_id: str) -> None:
        self._calls = calls
        self._plan_id = plan_id
        self._turn = asyncio.Lock()
        self._pending = 0

    @property
    def pending(self) -> bool:
        """Whether a command is being committed."""
        return self._pending > 0

    async def settled(self) -> None:
        """Wait until no command is being committed."""
        if self._pending:
            await workflow.wait_condition(lambda: not self._pending)

    @asynccontextmanager
    async def committed(self, attempt: str, allowed: Callable[[], object]) -> AsyncIterator[None]:
        """Hold the plan as it is while a command is committed and then carried out by the body. `allowed` raises where
        the plan is past it. Raises `AbortedError`. A command without an attempt is its own commit."""
        async with self._turn:
            allowed()
            self._pending += 1
            try:
                if attempt and not await self._calls.claim(ClaimCall(attempt=attempt, by=self._plan_id)):
                    raise AbortedError(attempt)
                yield
            finally:
                self._pending -= 1


def given_up() -> Exception:
    """How an update answers whose caller has given it up, or which the store has lost."""
    return refusal(ServiceErrorType.SERVICE_UNAVAILABLE, say("refuse.given_up"), say("refuse.given_up_next"))
