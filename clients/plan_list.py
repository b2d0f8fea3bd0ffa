"""Plans of a user or of a venue, newest first, a page at a time.

Temporal's visibility finds them. It is eventually consistent and does not sort by when they were started, so they are
looked for in spans of time that reach back further and further. What is shown of a plan is asked of the plan.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from clients.attributes import Attributes, told_missing
from clients.errors import RequestError, UnansweredError
from clients.plans import PlanClient
from clients.temporal import bounded
from contracts.enums import PlanStatus, ServiceErrorType
from contracts.plan import ExecutionPlan
from infra.keyring import KeyRing, KeyringError
from infra.search_attributes import STATUS, USER, VENUE
from infra.temporal import QUICK
from workflows.ids import plan_of_workflow

log = logging.getLogger(__name__)

_FIRST, _FURTHER = timedelta(minutes=10), 8
"""The first span, and how much longer each is than the one after it: a busy venue's page is found in the first, and
seven days take four more."""
_LONGEST = timedelta(days=30)
"""Behind this span everything is one: nothing is kept that long, or there is little of it."""
_AT_ONCE = 8
"""Plans that are asked at the same time."""
_SEARCH_WITHIN = 2.0
_ROWS = 500


@dataclass(frozen=True, order=True)
class Place:
    """Where a plan stands in the list: when it was started, and its id where two were at the same moment."""

    at: datetime
    plan_id: str


@dataclass(frozen=True)
class Wanted:
    """Which plans: a venue's, of one user or of all (None), in any of these states (none: in any)."""

    venue_id: str
    user_id: str | None = None
    statuses: Collection[PlanStatus] = ()


@dataclass(frozen=True)
class Page:
    """Some plans, and where the next page begins; None when there is none."""

    plans: list[ExecutionPlan]
    next: Place | None


class PlanList:
    """Finds plans by the Temporal service. Raises `RequestError`, and `UnansweredError` when nobody answered in
    time."""

    def __init__(self, plans: PlanClient, attributes: Attributes, ring: KeyRing) -> None:
        self._plans = plans
        self._attributes = attributes
        self._ring = ring

    async def page(self, wanted: Wanted, behind: Place | None, most: int) -> Page:
        """At most so many plans from behind a place on. There may be fewer though others follow: what is gone is left
        out, and what is not as wanted."""
        if wanted.user_id is not None and not await self._attributes.has(USER):
            log.error("plans of a user cannot be listed: %s", told_missing(USER))
            raise UnansweredError("service")
        try:
            found = await bounded(self._places(self._query(wanted), behind, most + 1), _SEARCH_WITHIN, part="temporal")
        except UnansweredError:
            # Temporal refuses a query by an attribute that was taken away since it was known.
            if wanted.user_id is not None and await self._attributes.lost(USER):
                raise UnansweredError("service") from None
            raise
        shown = found[:most]
        gate = asyncio.Semaphore(_AT_ONCE)
        plans = await asyncio.gather(*(self._plan(place.plan_id, wanted, gate) for place in shown))
        return Page([plan for plan in plans if plan is not None], shown[-1] if len(found) > most else None)

    def _query(self, wanted: Wanted) -> str:
        parts = ['WorkflowType = "Plan"', f'{VENUE.name} = "{wanted.venue_id}"']
        if wanted.user_id is not None:
            # By every key, since plans from before a rotation are marked with an older one.
            parts.append(_among(USER.name, self._ring.pseudonyms(wanted.venue_id, wanted.user_id)))
        if wanted.statuses:
            parts.append(_among(STATUS.name, [status.value for status in wanted.statuses]))
        return " AND ".join(parts)

    async def _places(self, query: str, behind: Place | None, enough: int) -> list[Place]:
        """The first places behind one, newest first."""
        # What has just been started may be ahead of this machine's clock; and two may stand at the same moment.
        until = behind.at + timedelta(microseconds=1) if behind else datetime.now(UTC) + timedelta(minutes=5)
        found: list[Place] = []
        span = _FIRST
        while len(found) < enough:
            last = span > _LONGEST
            since = "" if last else f' AND StartTime >= "{(until - span).isoformat()}"'
            rows = self._rows(f'{query} AND StartTime < "{until.isoformat()}"{since}')
            here = sorted([place async for place in rows if behind is None or place < behind], reverse=True)
            found += here
            if last:
                break
            until, span = until - span, span * _FURTHER
        return found[:enough]

    async def _rows(self, query: str) -> AsyncIterator[Place]:
        async for row in self._plans.client.list_workflows(query, page_size=_ROWS, rpc_timeout=QUICK):
            yield Place(row.start_time, plan_of_workflow(row.id))

    async def _plan(self, plan_id: str, wanted: Wanted, gate: asyncio.Semaphore) -> ExecutionPlan | None:
        """The plan as it stands; None when it is gone, or is not what is wanted."""
        async with gate:
            try:
                plan = (await self._plans.plan(plan_id)).plan
            except RequestError as error:
                if error.kind is ServiceErrorType.NOT_FOUND:
                    return None
                raise
            except KeyringError:
                log.warning("plan %s is left out of a list: its key is not on the ring any more", plan_id)
                return None
        # What visibility says is a little older than the plan, and no proof of whose it is.
        if plan.venue_id != wanted.venue_id or wanted.user_id not in (None, plan.user_id):
            return None
        return plan if not wanted.statuses or plan.status in wanted.statuses else None


def _among(name: str, values: Collection[str]) -> str:
    listed = '", "'.join(values)
    return f'{name} IN ("{listed}")'
