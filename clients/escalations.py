"""Escalations as seen from outside their workflows: which there are, how one stands, a person's answer.

Temporal's visibility finds them by status and venue. It is a moment behind; what is shown of one is asked of itself.
"""

import asyncio
import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from uuid import UUID

from temporalio.client import Client, WorkflowExecution, WorkflowHandle

from clients.errors import RequestError, UnansweredError, refuse
from clients.temporal import bounded, unbuffered
from contracts.enums import EscalationStatus
from contracts.enums import ServiceErrorType as E
from contracts.escalation import EscalationView, Resolve
from infra.keyring import KeyringError
from infra.search_attributes import STATUS, VENUE
from infra.temporal import QUICK
from language.catalogue import say
from workflows.escalation import EscalationWorkflow
from workflows.ids import escalation_of_workflow, escalation_workflow

log = logging.getLogger(__name__)

_SEARCH_WITHIN, _LOOK_WITHIN, _RESOLVE_WITHIN = 2.0, 1.5, 5.0
"""Seconds."""
_AT_ONCE = 8
"""Escalations that are asked at the same time."""
MOST = 200
"""Escalations of a list: the newest ones."""


class EscalationClient:
    """Talks to escalations through the Temporal service. Every method raises `RequestError`, and `UnansweredError` when
    nobody answered in time."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def some(
        self, statuses: Collection[EscalationStatus], venue_id: str | None = None, most: int = MOST
    ) -> list[EscalationView]:
        """Those in any of these states, at a venue or at all (None), the newest first. A closed one is there for as
        long as Temporal keeps it."""
        rows = await bounded(self._rows(statuses, venue_id), _SEARCH_WITHIN, part="temporal")
        rows.sort(key=lambda row: row.start_time, reverse=True)
        gate = asyncio.Semaphore(_AT_ONCE)
        found = await asyncio.gather(*(self._in_turn(escalation_of_workflow(row.id), gate) for row in rows[:most]))
        # What visibility says is a little older than the escalation.
        return [view for view in found if view is not None and view.status in statuses]

    async def older_than(self, at: datetime) -> list[WorkflowExecution]:
        """Open ones from before a moment, as visibility tells of them: nothing of what is in them."""
        rows = await bounded(self._rows((EscalationStatus.OPEN,), None), _SEARCH_WITHIN, part="temporal")
        return sorted((row for row in rows if row.start_time < at), key=lambda row: row.start_time)

    async def _rows(self, statuses: Collection[EscalationStatus], venue_id: str | None) -> list[WorkflowExecution]:
        listed = '", "'.join(statuses)
        query = f'WorkflowType = "Escalation" AND {STATUS.name} IN ("{listed}")'
        if venue_id is not None:
            query += f' AND {VENUE.name} = "{venue_id}"'
        return [row async for row in self.client.list_workflows(query, page_size=500, rpc_timeout=QUICK)]

    async def _in_turn(self, escalation_id: str, gate: asyncio.Semaphore) -> EscalationView | None:
        async with gate:
            try:
                return await self.view(escalation_id)
            except RequestError as error:
                if error.kind is E.NOT_FOUND:
                    return None
                raise
            except KeyringError:
                log.warning("escalation %s is left out of a list: its key is not on the ring any more", escalation_id)
                return None

    async def view(self, escalation_id: str) -> EscalationView:
        """How one stands. Raises not_found for one that there is not, or that is no longer kept."""
        handle = self._handle(escalation_id)
        ask = unbuffered(lambda: handle.query(EscalationWorkflow.escalation, rpc_timeout=QUICK))
        with _named():
            return await bounded(ask, _LOOK_WITHIN)

    async def resolve(self, escalation_id: str, answer: Resolve) -> EscalationView:
        """A person's answer. Raises invalid_request, not_found, and conflict where it was answered or has lapsed; the
        retry of an answer that was taken is told so."""
        handle = self._handle(escalation_id)
        update = handle.execute_update(
            EscalationWorkflow.resolve, answer, rpc_timeout=timedelta(seconds=_RESOLVE_WITHIN + 1)
        )
        try:
            with _named():
                return await bounded(update, _RESOLVE_WITHIN)
        except UnansweredError as away:
            raise UnansweredError(away.part, "escalation.unknown") from None
        except RequestError as error:
            # Its workflow has closed, or says that it is over: by this very answer, perhaps.
            if error.kind is not E.CONFLICT:
                raise
        try:
            view = await self.view(escalation_id)
        except UnansweredError as away:
            raise UnansweredError(away.part, "escalation.unknown") from None
        return self._as_it_ended(view, answer)

    @staticmethod
    def _as_it_ended(view: EscalationView, answer: Resolve) -> EscalationView:
        if view.answer is not None and view.answer.request_id == answer.request_id:
            return view
        raise refuse(E.CONFLICT, say(f"escalation.already_{view.status}"))

    def _handle(self, escalation_id: str) -> WorkflowHandle[EscalationWorkflow, EscalationView]:
        try:
            name = str(UUID(escalation_id))
        except ValueError:
            raise _gone() from None
        return self.client.get_workflow_handle_for(EscalationWorkflow.run, escalation_workflow(name))


@contextmanager
def _named() -> Iterator[None]:
    """Let what is not there be an escalation that is not there."""
    try:
        yield
    except RequestError as error:
        raise _gone() if error.kind is E.NOT_FOUND else error from None


def _gone() -> RequestError:
    return refuse(E.NOT_FOUND, say("escalation.gone"), say("escalation.gone_next"))
