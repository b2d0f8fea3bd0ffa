"""How many plans stand where: asked of Temporal's visibility when somebody scrapes, so that it is right after a
restart too. Bounded, and kept for a few seconds: several scrapers cost no more than one. Each tells the same."""

import asyncio
import logging
import time
from datetime import UTC, datetime

from temporalio.client import Client
from temporalio.service import RPCError

from infra.figures import Figures
from infra.outages import Outage
from infra.search_attributes import PHASE, SINCE, STATUS
from infra.temporal import QUICK

log = logging.getLogger(__name__)

_KEPT = 10.0
_WITHIN = 3.0
"""Seconds."""
_PROMPTS = 100
"""Questions whose age is looked at."""

_PLANS = 'WorkflowType = "Plan" AND ExecutionStatus = "Running"'
_ASKING = f'{_PLANS} AND {PHASE.name} = "asking"'
_ESCALATIONS = f'WorkflowType = "Escalation" AND ExecutionStatus = "Running" AND {STATUS.name} = "open"'
_PHASES = (
    "pending_confirmation",
    "confirmed",
    "executing",
    "asking",
    "rollback running",
    "rollback waiting_for_sign_in",
    "completed, can be undone",
)


class Standing:
    """Sets the gauges of this process' figures."""

    def __init__(self, client: Client, figures: Figures) -> None:
        self._client = client
        self._figures = figures
        self._looked = -_KEPT
        self._unasked = Outage(
            log, "counting open plans", "/metrics tells none of iq_plans_open and the like, and iq_standing_known is 0"
        )
        self._looking = asyncio.Lock()

    async def look(self) -> None:
        """Bring the gauges up to date. Where Temporal does not answer in time they are not told at all, and
        `iq_standing_known` is 0: an old number would be taken for a new one."""
        async with self._looking:
            if time.monotonic() - self._looked < _KEPT:
                return
            try:
                async with asyncio.timeout(_WITHIN):
                    counts = await asyncio.gather(
                        *(self._count(f'{_PLANS} AND {PHASE.name} = "{phase}"') for phase in _PHASES),
                        self._count(_ESCALATIONS),
                    )
                    oldest = await self._oldest() if counts[_PHASES.index("asking")] else 0.0
            except (TimeoutError, RPCError) as error:
                self._unasked.failed(error.status.name if isinstance(error, RPCError) else type(error).__name__)
                self._tell_nothing()
                return
            self._unasked.worked()
            self._looked = time.monotonic()
            figures = self._figures
            for phase, count in zip(_PHASES, counts, strict=False):
                figures.plans_open.labels(phase).set(count)
            figures.prompts_open.set(counts[_PHASES.index("asking")])
            figures.prompt_age.set(oldest)
            figures.escalations_open.set(counts[-1])
            figures.standing_known.set(1)

    async def _count(self, query: str) -> int:
        return (await self._client.count_workflows(query, rpc_timeout=QUICK)).count

    async def _oldest(self) -> float:
        """Seconds since the oldest open question was asked. Of plans without `IqSince` it is not known."""
        asked: list[datetime] = []
        async for row in self._client.list_workflows(_ASKING, limit=_PROMPTS, rpc_timeout=QUICK):
            since = row.typed_search_attributes.get(SINCE)
            if since is not None:
                asked.append(since)
        return max(0.0, (datetime.now(UTC) - min(asked)).total_seconds()) if asked else 0.0

    def _tell_nothing(self) -> None:
        figures = self._figures
        figures.plans_open.clear()
        for gauge in (figures.prompts_open, figures.prompt_age, figures.escalations_open):
            gauge.set(float("nan"))
        figures.standing_known.set(0)
