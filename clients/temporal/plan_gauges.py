"""Prometheus gauges of open plans, prompts and escalations, counted by Temporal's visibility at each scrape, so that
they are right after a restart, too. The count has a time limit and is cached for a few seconds, so several scrapers
cost no more than a single one. Every process reports the same values."""

import asyncio
import logging
import time
from datetime import UTC, datetime

from temporalio.client import Client
from temporalio.service import RPCError

from infra.observability.logging import OutageLog
from infra.observability.prometheus import PrometheusMetrics
from infra.temporal.client import QUICK
from infra.temporal.search_attributes import PHASE, SINCE, STATUS

log = logging.getLogger(__name__)

_KEPT = 10.0
_WITHIN = 3.0
"""Seconds."""
_PROMPTS = 100
"""The maximum number of prompts whose age is read."""

_PLANS = 'WorkflowType = "Plan" AND ExecutionStatus = "Running"'
_ASKING = f'{_PLANS} AND {PHASE.name} = "asking"'
_ESCALATIONS = f'WorkflowType = "Escalation" AND ExecutionStatus = "Running" AND {STATUS.name} = "open"'
_PHASES = (
    "pending_confirmation",
    "confirmed",
    "executing",
    "asking",
    "waiting_for_model",
    "rollback running",
    "rollback waiting_for_sign_in",
    "completed, can be undone",
)


class PlanGauges:
    """Sets the gauges of this process."""

    def __init__(self, client: Client, figures: PrometheusMetrics) -> None:
        self._client = client
        self._prometheus = figures
        self._looked = -_KEPT
        self._unasked = OutageLog(
            log,
            "counting open plans",
            "/metrics tells none of iq_plans_open and the like, and iq_plan_counts_known is 0",
        )
        self._looking = asyncio.Lock()

    async def refresh(self) -> None:
        """Update the gauges. If Temporal does not answer in time, they are left out and `iq_plan_counts_known` is 0,
        because an outdated number would look current."""
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
                self._unasked.failure(error.status.name if isinstance(error, RPCError) else type(error).__name__)
                self._tell_nothing()
                return
            self._unasked.success()
            self._looked = time.monotonic()
            figures = self._prometheus
            for phase, count in zip(_PHASES, counts, strict=False):
                figures.plans_open.labels(phase).set(count)
            figures.prompts_open.set(counts[_PHASES.index("asking")])
            figures.prompt_age.set(oldest)
            figures.escalations_open.set(counts[-1])
            figures.plan_counts_known.set(1)

    async def _count(self, query: str) -> int:
        return (await self._client.count_workflows(query, rpc_timeout=QUICK)).count

    async def _oldest(self) -> float:
        """Return the seconds since the oldest open prompt was asked. Plans without `IqSince` are left out."""
        asked: list[datetime] = []
        async for row in self._client.list_workflows(_ASKING, limit=_PROMPTS, rpc_timeout=QUICK):
            since = row.typed_search_attributes.get(SINCE)
            if since is not None:
                asked.append(since)
        return max(0.0, (datetime.now(UTC) - min(asked)).total_seconds()) if asked else 0.0

    def _tell_nothing(self) -> None:
        figures = self._prometheus
        figures.plans_open.clear()
        for gauge in (figures.prompts_open, figures.prompt_age, figures.escalations_open):
            gauge.set(float("nan"))
        figures.plan_counts_known.set(0)
