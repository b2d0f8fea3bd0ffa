"""Escalations as seen from outside their workflows: which there are, how one stands, a person's answer.

Temporal's visibility finds them by status and venue. It is a moment behind; what is shown of one is asked of itself.
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

from clients.errors import RequestError, UnansweredError, refuse
from clients.temporal import bounded, unbuffered
from contracts.enums import EscalationStatus
from contracts.enums import ServiceErrorType as E
from contracts.escalation import EscalationView, LeftOut, Resolve
from infra.keyring import KeyringError
from infra.search_attributes import STATUS, VENUE
from infra.temporal import QUICK
from language.catalogue import say
from workflows.escalation import EscalationWorkflow
from workflows.ids import escalation_of_workflow, escalation_workflow

log = logging.getLogger(__name__)

_SEARCH_WITHIN, _LOOK_WITHIN, _RESOLVE_WITHIN = 2.0, 1.5, 5.0
"""Seconds."""
_LIST_WITHIN = 6.0
"""Seconds for all of a list: where many do not answer, the others are shown nevertheless."""
_NOBODY = frozenset({"temporal", "worker"})
"""Parts without which none of a list answers."""
_AT_ONCE = 8
"""Escalations that are asked at the same time."""
MOST = 200
"""Escalations of a list: the newest ones."""


@dataclass(frozen=True)
class FoundEscalations:
    """What a list found, the newest first, what is missing from it, and how many older ones were not asked."""

    views: list[EscalationView] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    more: int = 0


class EscalationClient:
    """Talks to escalations through the Temporal service. Every method raises `RequestError`, and `UnansweredError` when
    nobody answered in time."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def some(
        self,
        statuses: Collection[EscalationStatus],
        venue_id: str | None = None,
        most: int = MOST,
        within: float = _LIST_WITHIN,
    ) -> FoundEscalations:
        """Those in any of these states, at a venue or at all (None). A closed one is there for as long as Temporal
        keeps it. `within`: seconds for all of them. Raises `UnansweredError` where nobody answers for any."""
        rows = await bounded(self._rows(statuses, venue_id), _SEARCH_WITHIN, part="temporal")
        rows.sort(key=lambda row: row.start_time, reverse=True)
        gate = asyncio.Semaphore(_AT_ONCE)
        asked = [asyncio.create_task(self._in_turn(row, gate)) for row in rows[:most]]
        try:
            if asked:
                await asyncio.wait(asked, timeout=within)
        finally:
            for task in asked:
                task.cancel()
        found: list[EscalationView | LeftOut | None] = []
        answers = await asyncio.gather(*asked, return_exceptions=True)
        # Where one answered somebody polls: what another was told is of that moment, and takes no list away.
        alive = any(isinstance(one, EscalationView) for one in answers)
        for row, one in zip(rows, answers, strict=False):
            if isinstance(one, Exception) and not (alive and isinstance(one, UnansweredError)):
                raise one
            found.append(_left(row, "unanswered") if isinstance(one, BaseException) else one)
        # What visibility says is a little older than the escalation.
        views = [one for one in found if isinstance(one, EscalationView) and one.status in statuses]
        left_out = [one for one in found if isinstance(one, LeftOut)]
        return FoundEscalations(views, left_out, more=max(0, len(rows) - most))

    async def of_reference(self, reference: str) -> list[str]:
        """The ids that begin with these eight characters, of all that Temporal keeps. Raises `UnansweredError`."""
        rows = await bounded(self._rows(tuple(EscalationStatus), None), _SEARCH_WITHIN, part="temporal")
        ids = [escalation_of_workflow(row.id) for row in rows]
        return [one for one in ids if one[:8].upper() == reference.upper()]

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

    async def _in_turn(self, row: WorkflowExecution, gate: asyncio.Semaphore) -> EscalationView | LeftOut | None:
        escalation_id = escalation_of_workflow(row.id)
        async with gate:
            try:
                return await self.view(escalation_id)
            except RequestError as error:
                if error.kind is E.NOT_FOUND:
                    return None
                if isinstance(error, UnansweredError) and error.part in _NOBODY:
                    raise
                log.warning("escalation %s is left out of a list: it did not answer", escalation_id)
                return _left(row, "unanswered")
            except WorkflowQueryFailedError:
                log.warning("escalation %s is left out of a list: it could not answer", escalation_id)
                return _left(row, "unanswered")
            except Exception as error:
                # Of any kind: a payload of another key, or of none of ours, fails in whatever reads it.
                told = "its key is not on the ring" if isinstance(error, KeyringError) else type(error).__name__
                log.warning("escalation %s is left out of a list, it cannot be opened: %s", escalation_id, told)
                return _left(row, "unreadable")

    async def view(self, escalation_id: str) -> EscalationView:
        """How one stands. Raises not_found for one that there is not, or that is no longer kept."""
        handle = self._handle(escalation_id)
        ask = unbuffered(lambda: handle.query(EscalationWorkflow.escalation, rpc_timeout=QUICK))
        with _named():
            return await bounded(ask, _LOOK_WITHIN)

    async def resolve(self, escalation_id: str, answer: Resolve) -> EscalationView:
        """A person's answer. Raises invalid_request, not_found, and conflict where it was answered or has lapsed; the
        retry of an answer that was taken gets the same."""
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
            if view.answer.message != answer.message.strip():
                raise refuse(E.INVALID_REQUEST, say("refuse.reused_answer"), say("refuse.reused_answer_next"))
            return view
        raise refuse(E.CONFLICT, say(f"escalation.already_{view.status}"))

    def _handle(self, escalation_id: str) -> WorkflowHandle[EscalationWorkflow, EscalationView]:
        try:
            name = str(UUID(escalation_id))
        except ValueError:
            raise _gone() from None
        return self.client.get_workflow_handle_for(EscalationWorkflow.run, escalation_workflow(name))


def _left(row: WorkflowExecution, why: Literal["unanswered", "unreadable"]) -> LeftOut:
    venue = row.typed_search_attributes.get(VENUE) or ""
    return LeftOut(escalation_id=escalation_of_workflow(row.id), venue_id=venue, opened_at=row.start_time, why=why)


@contextmanager
def _named() -> Iterator[None]:
    """Let what is not there be an escalation that is not there."""
    try:
        yield
    except RequestError as error:
        raise _gone() if error.kind is E.NOT_FOUND else error from None


def _gone() -> RequestError:
    return refuse(E.NOT_FOUND, say("escalation.gone"), say("escalation.gone_next"))
