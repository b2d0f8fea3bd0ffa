"""Stuck workflows among the open ones. The data comes from the Temporal service, because workers may be down."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from temporalio.client import WorkflowExecution

from cli.oncall.issue import Issue, IssueKind, iq
from clients.errors import ApiError
from clients.temporal.executions import UNREAD, ExecutionInfo, PendingCall, PendingTimer, WorkflowInspector
from contracts.enums import ServiceErrorType
from workflows.plan.credentials import WAITS_FOR_SIGN_IN

OPEN = 'ExecutionStatus = "Running" AND WorkflowType IN ("Plan", "Conversation", "Escalation")'

_AT_ONCE = 8
_FAILED_AGAIN = 2
"""Attempts from which a workflow task counts as failing, because any worker restart loses one."""
_SHOWN = 3
"""Workflows that are named if many wait for the same."""
_SIGN_IN = "rollback waiting_for_sign_in"
_OF_NAME = {"undo_step": IssueKind.ROLLBACK_RETRYING, "call_webhook": IssueKind.WEBHOOK}


class OpenWorkflow:
    """Checks open workflows one by one. `timeout`: how long something may wait that should continue by itself."""

    def __init__(self, executions: WorkflowInspector, queue: str, now: datetime, timeout: timedelta) -> None:
        self._executions = executions
        self._queue = queue
        self._now = now
        self._timeout = timeout

    async def findings(self, rows: Iterable[WorkflowExecution]) -> list[Issue]:
        """Return the issues. Raises `ApiError` if Temporal does not answer."""
        gate = asyncio.Semaphore(_AT_ONCE)
        seen = await asyncio.gather(*(self._look(row.id, gate) for row in rows))
        found, waiting = [], defaultdict(list)
        for one in seen:
            if one is None or not one.open:
                continue
            if self._lacks_worker(one):
                waiting[one.queue].append(one)
            found += await self._of(one)
        return [*[await self._no_worker(queue, those) for queue, those in waiting.items()], *found]

    async def _look(self, workflow_id: str, gate: asyncio.Semaphore) -> ExecutionInfo | None:
        async with gate:
            try:
                return await self._executions.describe(workflow_id)
            except ApiError as error:
                if error.kind is ServiceErrorType.NOT_FOUND:
                    return None
                raise

    def _long(self, since: datetime) -> bool:
        return self._now - since >= self._timeout

    def _lacks_worker(self, one: ExecutionInfo) -> bool:
        task = one.task
        if task is not None and not task.taken_up and task.attempt < _FAILED_AGAIN and self._long(task.since):
            return True
        return any(not c.runs and c.attempt < _FAILED_AGAIN and self._long(c.since) for c in one.calls)

    async def _no_worker(self, queue: str, those: Sequence[ExecutionInfo]) -> Issue:
        last = await self._executions.has_pollers(queue)
        question = (
            f"a worker last asked for work at {last:%H:%M:%S} UTC" if last else "no worker has asked for work lately"
        )
        names = ", ".join(one.workflow_id for one in those[:_SHOWN])
        more = f" and {len(those) - _SHOWN} more" if len(those) > _SHOWN else ""
        return Issue(
            kind=IssueKind.NO_WORKER,
            subject=f"task queue {queue}",
            since=min(self._waits_since(one) for one in those),
            reason=f"{names}{more} wait for a worker that takes them up; {question}",
            commands=(iq("worker") if queue == self._queue else f"IQ_TASK_QUEUE={queue} {iq('worker')}",),
        )

    def _waits_since(self, one: ExecutionInfo) -> datetime:
        return min([one.task.since] if one.task else [c.since for c in one.calls], default=one.started)

    async def _of(self, one: ExecutionInfo) -> list[Issue]:
        found = [self._retrying(one, call) for call in one.calls if self._is_retried(call)]
        task = one.task
        if task is not None and task.attempt >= _FAILED_AGAIN and self._long(task.since):
            found.append(await self._failing(one, task.attempt, task.since))
        if one.phase == _SIGN_IN:
            timers = await self._executions.timers(one.workflow_id)
            found += [self._signed_out(one, t) for t in timers if t.why == WAITS_FOR_SIGN_IN and self._nearly_over(t)]
        return found

    def _nearly_over(self, timer: PendingTimer) -> bool:
        # A wait shorter than our timeout would be reported from its first moment on.
        return timer.ends - self._now <= min(self._timeout, (timer.ends - timer.since) / 2)

    def _signed_out(self, one: ExecutionInfo, timer: PendingTimer) -> Issue:
        return Issue(
            kind=IssueKind.SIGN_IN,
            subject=one.workflow_id,
            since=timer.since,
            venue=one.venue,
            reason=f"it is undone only once its operator has signed in again, and waits for that until "
            f"{timer.ends:%H:%M:%S} UTC; then a person must undo what was applied. Call them: they open the page, or "
            "send anything with a fresh token",
            commands=(iq("plan", one.workflow_id),),
        )

    def _is_retried(self, call: PendingCall) -> bool:
        return call.attempt >= _FAILED_AGAIN and self._long(call.since)

    def _retrying(self, one: ExecutionInfo, call: PendingCall) -> Issue:
        most = f" of {call.most}" if call.most else ""
        when = f"next at {call.next_try:%H:%M:%S} UTC" if call.next_try and not call.runs else "under way"
        ends = f", given up at {call.gives_up:%Y-%m-%d %H:%M} UTC" if call.gives_up else ", never given up"
        return Issue(
            kind=_OF_NAME.get(call.name, IssueKind.RETRYING),
            subject=one.workflow_id,
            since=call.since,
            venue=one.venue,
            reason=f"{call.name} fails: attempt {call.attempt}{most} {when}{ends}; last: {call.last_error or '–'}. It "
            "is tried again by itself; once the cause is gone, it need not wait",
            commands=(iq("resolve", one.workflow_id, "--retry"),),
        )

    async def _failing(self, one: ExecutionInfo, attempt: int, since: datetime) -> Issue:
        why = await self._executions.last_failed_task(one.workflow_id) or "its last events do not say why"
        if why.startswith(UNREAD):
            return Issue(
                kind=IssueKind.UNREADABLE,
                subject=one.workflow_id,
                since=since,
                venue=one.venue,
                reason=f"its workflow task fails, attempt {attempt}, at a worker whose keys are not those of this "
                f"environment: {why}. One of the two lacks keys: where it is the worker, which says so at its start, "
                "give it these and restart it; where it is this environment, add that one here",
                commands=(add_key(),),
            )
        if "not on the ring" in why:
            return Issue(
                kind=IssueKind.UNREADABLE,
                subject=one.workflow_id,
                since=since,
                venue=one.venue,
                reason=f"its workers cannot open it: {why} Add the key, and restart them",
                commands=(add_key(),),
            )
        return Issue(
            kind=IssueKind.TASK_FAILS,
            subject=one.workflow_id,
            since=since,
            venue=one.venue,
            reason=f"its workflow task fails, attempt {attempt}: {why}. It goes on by itself once workers run code "
            f"that takes its way (`{iq('replay', one.workflow_id)}` checks that). Ending it by hand undoes nothing",
            commands=(iq("resolve", one.workflow_id, "--end"),),
        )


def add_key() -> str:
    """Return the command that restores a key; the file is any backup that has it."""
    return iq("keys", "add", "BACKUP-OF-KEYS")
