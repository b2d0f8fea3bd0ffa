"""Client of escalation workflows: lists them, reads one, resolves one.

Temporal's visibility finds them by status and venue. It lags a moment, so each escalation is then queried itself.
"""

import asyncio
import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from temporalio.client import Client, WorkflowExecution, WorkflowHandle, WorkflowQueryFailedError

from clients.errors import ApiError, ServiceUnavailableError, api_error, service_unavailable
from clients.temporal.calls import query_with_retry, with_deadline
from contracts.enums import EscalationStatus
from contracts.enums import ServiceErrorType as E
from contracts.escalation import EscalationView, OmittedEscalation, Resolve
from infra.crypto.keyring import KeyringError
from infra.temporal.client import QUICK
from infra.temporal.search_attributes import STATUS, VENUE
from language.messages.catalogue import translate
from workflows.escalation.workflow import EscalationWorkflow
from workflows.workflow_ids import escalation_of_workflow, escalation_workflow

log = logging.getLogger(__name__)

_SEARCH_WITHIN, _LOOK_WITHIN, _RESOLVE_WITHIN = 2.0, 1.5, 5.0
"""Seconds for a search, for one query, and for resolving."""
_LIST_WITHIN = 6.0
"""Seconds for a whole list. If many escalations do not answer, the others are still shown."""
_ESSENTIAL = frozenset({"temporal", "worker"})
"""Dependencies without which no escalation of a list answers."""
_AT_ONCE = 8
"""Escalations that are queried concurrently."""
MOST = 200
"""The maximum number of escalations in a list: the newest ones."""


@dataclass(frozen=True)
class EscalationPage:
    """The result of a list: the escalations found, newest first, those omitted, and the number of older ones not
    queried."""

    views: list[EscalationView] = field(default_factory=list)
    left_out: list[OmittedEscalation] = field(default_factory=list)
    more: int = 0


class EscalationClient:
    """Calls escalations through the Temporal service. Every method raises `ApiError`, and `ServiceUnavailableError`
    if no answer came in time."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def list_page(
        self,
        statuses: Collection[EscalationStatus],
        venue_id: str | None = None,
        limit: int = MOST,
        timeout: float = _LIST_WITHIN,
    ) -> EscalationPage:
        """Return the escalations in any of these states, of a venue or of all venues (None). A closed one is listed for
        as long as Temporal keeps it. `timeout`: seconds for the whole list. Raises `ServiceUnavailableError` if no
        escalation answers."""
        rows = await with_deadline(self._rows(statuses, venue_id), _SEARCH_WITHIN, part="temporal")
        rows.sort(key=lambda row: row.start_time, reverse=True)
        gate = asyncio.Semaphore(_AT_ONCE)
        asked = [asyncio.create_task(self._in_turn(row, gate)) for row in rows[:limit]]
        try:
            if asked:
                await asyncio.wait(asked, timeout=timeout)
        finally:
            for task in asked:
                task.cancel()
        found: list[EscalationView | OmittedEscalation | None] = []
        answers = await asyncio.gather(*asked, return_exceptions=True)
        # If one escalation answered, a worker polls. An error of another one is then transient and does not fail the
        # list.
        alive = any(isinstance(one, EscalationView) for one in answers)
        for row, one in zip(rows, answers, strict=False):
            if isinstance(one, Exception) and not (alive and isinstance(one, ServiceUnavailableError)):
                raise one
            found.append(_left(row, "unanswered") if isinstance(one, BaseException) else one)
        # Visibility data is slightly older than the escalation.
        views = [one for one in found if isinstance(one, EscalationView) and one.status in statuses]
        left_out = [one for one in found if isinstance(one, OmittedEscalation)]
        return EscalationPage(views, left_out, more=max(0, len(rows) - limit))

    async def of_reference(self, reference: str) -> list[str]:
        """Return the ids that begin with these eight characters, of all that Temporal keeps. Raises
        `ServiceUnavailableError`."""
        rows = await with_deadline(self._rows(tuple(EscalationStatus), None), _SEARCH_WITHIN, part="temporal")
        ids = [escalation_of_workflow(row.id) for row in rows]
        return [one for one in ids if one[:8].upper() == reference.upper()]

    async def list_older(self, at: datetime) -> list[WorkflowExecution]:
        """Return the open escalations from before a moment, from visibility only, without their content."""
        rows = await with_deadline(self._rows((EscalationStatus.OPEN,), None), _SEARCH_WITHIN, part="temporal")
        return sorted((row for row in rows if row.start_time < at), key=lambda row: row.start_time)

    async def _rows(self, statuses: Collection[EscalationStatus], venue_id: str | None) -> list[WorkflowExecution]:
        listed = '", "'.join(statuses)
        query = f'WorkflowType = "Escalation" AND {STATUS.name} IN ("{listed}")'
        if venue_id is not None:
            query += f' AND {VENUE.name} = "{venue_id}"'
        return [row async for row in self.client.list_workflows(query, page_size=500, rpc_timeout=QUICK)]

    async def _in_turn(
        self, row: WorkflowExecution, gate: asyncio.Semaphore
    ) -> EscalationView | OmittedEscalation | None:
        escalation_id = escalation_of_workflow(row.id)
        async with gate:
            try:
                return await self.view(escalation_id)
            except ApiError as error:
                if error.kind is E.NOT_FOUND:
                    return None
                if isinstance(error, ServiceUnavailableError) and error.part in _ESSENTIAL:
                    raise
                log.warning("escalation %s is left out of a list: it did not answer", escalation_id)
                return _left(row, "unanswered")
            except WorkflowQueryFailedError:
                log.warning("escalation %s is left out of a list: it could not answer", escalation_id)
                return _left(row, "unanswered")
            except Exception as error:
                # Any exception type: a payload of another key or another service fails in its decoder.
                text = "its key is not on the ring" if isinstance(error, KeyringError) else type(error).__name__
                log.warning("escalation %s is left out of a list, it cannot be opened: %s", escalation_id, text)
                return _left(row, "unreadable")

    async def view(self, escalation_id: str) -> EscalationView:
        """Return the state of an escalation. Raises not_found if it does not exist or is no longer kept."""
        handle = self._handle(escalation_id)
        ask = query_with_retry(lambda: handle.query(EscalationWorkflow.escalation, rpc_timeout=QUICK))
        with _named():
            return await with_deadline(ask, _LOOK_WITHIN)

    async def resolve(self, escalation_id: str, answer: Resolve) -> EscalationView:
        """Resolve an escalation with an answer. Raises invalid_request, not_found, and conflict if it was answered or
        has lapsed; a retry of the accepted answer gets the same result."""
        handle = self._handle(escalation_id)
        update = handle.execute_update(
            EscalationWorkflow.resolve, answer, rpc_timeout=timedelta(seconds=_RESOLVE_WITHIN + 1)
        )
        try:
            with _named(), service_unavailable("escalation.unknown"):
                return await with_deadline(update, _RESOLVE_WITHIN)
        except ApiError as error:
            # The workflow has closed or reports that it is over, perhaps because of this very answer.
            if error.kind is not E.CONFLICT:
                raise
        with service_unavailable("escalation.unknown"):
            view = await self.view(escalation_id)
        return self._as_it_ended(view, answer)

    @staticmethod
    def _as_it_ended(view: EscalationView, answer: Resolve) -> EscalationView:
        if view.answer is not None and view.answer.request_id == answer.request_id:
            if view.answer.message != answer.message.strip():
                raise api_error(
                    E.INVALID_REQUEST, translate("refuse.reused_answer"), translate("refuse.reused_answer_next")
                )
            return view
        raise api_error(E.CONFLICT, translate(f"escalation.already_{view.status}"))

    def _handle(self, escalation_id: str) -> WorkflowHandle[EscalationWorkflow, EscalationView]:
        try:
            name = str(UUID(escalation_id))
        except ValueError:
            raise _gone() from None
        return self.client.get_workflow_handle_for(EscalationWorkflow.run, escalation_workflow(name))


def _left(row: WorkflowExecution, why: Literal["unanswered", "unreadable"]) -> OmittedEscalation:
    venue = row.typed_search_attributes.get(VENUE) or ""
    return OmittedEscalation(
        escalation_id=escalation_of_workflow(row.id), venue_id=venue, opened_at=row.start_time, why=why
    )


@contextmanager
def _named() -> Iterator[None]:
    """Convert a missing workflow into a missing escalation."""
    try:
        yield
    except ApiError as error:
        raise _gone() if error.kind is E.NOT_FOUND else error from None


def _gone() -> ApiError:
    return api_error(E.NOT_FOUND, translate("escalation.gone"), translate("escalation.gone_next"))
