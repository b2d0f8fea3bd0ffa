"""Plans of a user or of a venue, newest first, page by page.

Temporal's visibility finds them. It is eventually consistent and does not sort by start time, so the search goes back
in ever longer time spans. The content of each plan is queried from the plan.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from clients.errors import ApiError
from clients.temporal.calls import with_deadline
from clients.temporal.plans import PlanClient
from contracts.enums import PlanStatus, ServiceErrorType
from contracts.plan import ExecutionPlan
from infra.crypto.keyring import KeyRing, KeyringError
from infra.temporal.client import QUICK
from infra.temporal.search_attributes import STATUS, USER, VENUE
from workflows.workflow_ids import plan_of_workflow

log = logging.getLogger(__name__)

_FIRST, _FURTHER = timedelta(minutes=10), 8
"""The first time span, and the factor by which each next one is longer. The first contains a page of a busy venue;
seven days take four more."""
_LONGEST = timedelta(days=30)
"""The limit after which a single span covers the rest. Little or nothing is kept that long."""
_AT_ONCE = 8
"""Plans that are queried concurrently."""
_SEARCH_WITHIN = 2.0
_ROWS = 500


@dataclass(frozen=True, order=True)
class PageCursor:
    """A plan's position in the list: its start time, and its id for equal start times."""

    at: datetime
    plan_id: str


@dataclass(frozen=True)
class PlanFilter:
    """Selects plans: of a venue, of one user or of all (None), in any of these states (empty: in any state)."""

    venue_id: str
    user_id: str | None = None
    statuses: Collection[PlanStatus] = ()


@dataclass(frozen=True)
class Page:
    """A page of plans, and the start of the next page; None if there is none."""

    plans: list[ExecutionPlan]
    next: PageCursor | None


class PlanList:
    """Lists plans by the Temporal service. Raises `ApiError`, and `ServiceUnavailableError` if no answer came in
    time."""

    def __init__(self, plans: PlanClient, ring: KeyRing) -> None:
        self._plans = plans
        self._ring = ring

    async def page(self, criteria: PlanFilter, after: PageCursor | None, limit: int) -> Page:
        """Return at most `limit` plans after a position. There may be fewer although more follow, because deleted and
        non-matching plans are left out."""
        found = await with_deadline(
            self._places(self._query(criteria), after, limit + 1), _SEARCH_WITHIN, part="temporal"
        )
        shown = found[:limit]
        gate = asyncio.Semaphore(_AT_ONCE)
        plans = await asyncio.gather(*(self._plan(cursor.plan_id, criteria, gate) for cursor in shown))
        return Page([plan for plan in plans if plan is not None], shown[-1] if len(found) > limit else None)

    def _query(self, criteria: PlanFilter) -> str:
        parts = ['WorkflowType = "Plan"', f'{VENUE.name} = "{criteria.venue_id}"']
        if criteria.user_id is not None:
            # All keys are searched, because plans from before a key rotation are tagged with an older one.
            parts.append(_among(USER.name, self._ring.pseudonyms(criteria.venue_id, criteria.user_id)))
        if criteria.statuses:
            parts.append(_among(STATUS.name, [status.value for status in criteria.statuses]))
        return " AND ".join(parts)

    async def _places(self, query: str, after: PageCursor | None, enough: int) -> list[PageCursor]:
        """Return the first positions after another one, newest first."""
        # A plan may have a start time ahead of this machine's clock, and two plans may have the same.
        until = after.at + timedelta(microseconds=1) if after else datetime.now(UTC) + timedelta(minutes=5)
        found: list[PageCursor] = []
        span = _FIRST
        while len(found) < enough:
            last = span > _LONGEST
            since = "" if last else f' AND StartTime >= "{(until - span).isoformat()}"'
            rows = self._rows(f'{query} AND StartTime < "{until.isoformat()}"{since}')
            here = sorted([cursor async for cursor in rows if after is None or cursor < after], reverse=True)
            found += here
            if last:
                break
            until, span = until - span, span * _FURTHER
        return found[:enough]

    async def _rows(self, query: str) -> AsyncIterator[PageCursor]:
        async for row in self._plans.client.list_workflows(query, page_size=_ROWS, rpc_timeout=QUICK):
            yield PageCursor(row.start_time, plan_of_workflow(row.id))

    async def _plan(self, plan_id: str, criteria: PlanFilter, gate: asyncio.Semaphore) -> ExecutionPlan | None:
        """Return the current plan; None if it is gone or does not match."""
        async with gate:
            try:
                plan = (await self._plans.plan(plan_id)).plan
            except ApiError as error:
                if error.kind is ServiceErrorType.NOT_FOUND:
                    return None
                raise
            except KeyringError:
                log.warning("plan %s is left out of a list: its key is not on the ring any more", plan_id)
                return None
        # Visibility data is slightly older than the plan, and no proof of its owner.
        if plan.venue_id != criteria.venue_id or criteria.user_id not in (None, plan.user_id):
            return None
        return plan if not criteria.statuses or plan.status in criteria.statuses else None


def _among(name: str, values: Collection[str]) -> str:
    listed = '", "'.join(values)
    return f'{name} IN ("{listed}")'
