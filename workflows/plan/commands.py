"""The operator's commands to one plan, one at a time: each is checked, committed with its caller, and carried out. The
plan does not change in between. So a committed command has taken effect, and a late one is rejected before it is
committed.

    command ──▶ its turn ──▶ allowed? ──no──▶ rejected (409), never committed
                                │yes
                                ▼
                             commit (the store decides, `infra/stores/command_store.py`) ──aborted──▶ 503, no effect
                                │committed
                                ▼
                             its effect, before any step starts, a prompt is given up or the plan ends
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.enums import ServiceErrorType
    from contracts.step_activities import CommitCommand
    from language.messages.catalogue import translate
    from workflows.plan.activities import PlanActivities
    from workflows.update_errors import refusal


class AbortedError(Exception):
    """The caller has aborted the command, or the store has lost it: it never takes effect."""


class CommandCommits:
    """Commits commands to one plan."""

    def __init__(self, calls: PlanActivities, plan_id: str) -> None:
        self._activities = calls
        self._plan_id = plan_id
        self._turn = asyncio.Lock()
        self._pending = 0

    @property
    def pending(self) -> bool:
        """Return whether a command is being committed."""
        return self._pending > 0

    async def settled(self) -> None:
        """Wait until no command is being committed."""
        if self._pending:
            await workflow.wait_condition(lambda: not self._pending)

    @asynccontextmanager
    async def committed(self, attempt: str, allowed: Callable[[], object]) -> AsyncIterator[None]:
        """Block other changes of the plan while a command is committed and then carried out by the body. `allowed`
        raises if the plan no longer accepts it. Raises `AbortedError`."""
        async with self._turn:
            allowed()
            self._pending += 1
            try:
                if not await self._activities.claim(CommitCommand(commit_token=attempt, by=self._plan_id)):
                    raise AbortedError(attempt)
                yield
            finally:
                self._pending -= 1


def given_up() -> Exception:
    """Return the error for an update that its caller has aborted, or that the store has lost."""
    return refusal(
        ServiceErrorType.SERVICE_UNAVAILABLE, translate("refuse.given_up"), translate("refuse.given_up_next")
    )
