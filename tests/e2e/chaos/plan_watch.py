"""Reads a plan and its chat directly from Temporal, past the API."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from tempfile import gettempdir

from temporalio.api.enums.v1 import WorkflowTaskFailedCause as Cause
from temporalio.client import Client, WorkflowExecutionStatus, WorkflowQueryFailedError
from temporalio.service import RPCError

from cli.oncall.replay import judged
from clients.temporal.calls import query_with_retry
from contracts.chat_messages import PlanView, SessionView
from contracts.enums import PlanStatus

_QUICK = timedelta(seconds=1)
_NEVER = (WorkflowExecutionStatus.FAILED, WorkflowExecutionStatus.CANCELED, WorkflowExecutionStatus.TERMINATED)


class PlanWatch:
    """One plan and the chat that it came from. `note` is called for every change of the plan's state."""

    def __init__(self, client: Client, plan_id: str, chat_id: str, note: Callable[[str], None]) -> None:
        self._client = client
        self._ids = {"the plan": f"plan-{plan_id}", "the chat": chat_id}
        self._plan = client.get_workflow_handle(f"plan-{plan_id}")
        self._note = note
        self._last = ""

    async def begins(self, within: float) -> bool:
        """Return whether the plan leaves its pending state within so many seconds."""
        until = time.monotonic() + within
        while time.monotonic() < until:
            view = await self._view()
            if view is not None and view.plan.status is not PlanStatus.PENDING_CONFIRMATION:
                return True
            await asyncio.sleep(0.1)
        return False

    async def settles(self, within: float, busy: Callable[[], bool], *, undone: bool = False) -> bool:
        """Return whether the plan settles while nothing is `busy` any more; `undone`: whether an undo, too, is over."""
        until = time.monotonic() + within
        while time.monotonic() < until:
            view = await self._view()
            if view is not None and view.plan.settled and not busy():
                rolled_back = view.plan.status is PlanStatus.ROLLED_BACK
                if not undone or rolled_back:
                    return True
            if await self._broken():
                return False
            await asyncio.sleep(0.08)
        return False

    async def status(self) -> PlanStatus | None:
        """Return its current status; None when Temporal and the workers do not answer ten queries in a row."""
        for _ in range(10):
            if (view := await self._view()) is not None:
                return view.plan.status
            await asyncio.sleep(0.1)
        return None

    async def _view(self) -> PlanView | None:
        found: PlanView | None = None
        try:
            asking = self._plan.query("plan", result_type=PlanView, rpc_timeout=_QUICK)
            view: PlanView = await asyncio.wait_for(asking, 2)
        except (RPCError, WorkflowQueryFailedError, TimeoutError) as error:
            state = f"cannot be asked: {type(error).__name__} {error}"
        else:
            found, rollback = view, f" rollback {view.plan.rollback.state}" if view.plan.rollback else ""
            state = f"{view.plan.status}{rollback} {[a.status.value for a in view.plan.actions]}"
        if state != self._last:
            self._note(f"plan: {state}")
            self._last = state
        return found

    async def _broken(self) -> bool:
        """Return whether the plan's workflow has ended in a way that is never allowed."""
        with suppress(RPCError, TimeoutError):
            return (await asyncio.wait_for(self._plan.describe(rpc_timeout=_QUICK), 2)).status in _NEVER
        return False

    async def close(self) -> list[str]:
        """End a plan that waits for an undo or a confirm. Return the problems with how its workflow closes."""
        status = WorkflowExecutionStatus.RUNNING
        for attempt in range(100):
            description = await self._plan.describe()
            if description.status is not WorkflowExecutionStatus.RUNNING:
                status = description.status or status
                break
            if attempt == 10:
                await self._plan.cancel()
            await asyncio.sleep(0.1)
        return [] if status is WorkflowExecutionStatus.COMPLETED else [f"the plan's workflow is {status.name}"]

    async def slot_holder(self) -> str | None:
        """Return the plan that still holds the chat's prompt slot."""
        handle = self._client.get_workflow_handle(self._ids["the chat"])
        for _ in range(30):
            view: SessionView = await query_with_retry(lambda: handle.query("session", result_type=SessionView))
            if view.prompt_plan_id is None:
                return None
            await asyncio.sleep(0.1)
        return view.prompt_plan_id

    async def problems_in_history(self) -> list[str]:
        """Return faults of our code in the histories of the plan and its chat: failed workflow tasks (except one that
        new events overtook or that lost its worker), and a history that does not replay, because no worker could answer
        a query of that workflow."""
        benign = {Cause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND}
        found = []
        for name, workflow_id in self._ids.items():
            history = await self._client.get_workflow_handle(workflow_id).fetch_history()
            found += [
                f"a task of {name} failed: {Cause.Name(event.workflow_task_failed_event_attributes.cause)}"
                for event in history.events
                if event.HasField("workflow_task_failed_event_attributes")
                and event.workflow_task_failed_event_attributes.cause not in benign
            ]
            if problem := (await judged(self._client.data_converter, history)).problem:
                kept = Path(gettempdir()) / f"history-{workflow_id}.json"
                kept.write_text(history.to_json())
                found.append(f"{name} does not replay ({kept}): {problem}")
        return found

    async def end_for_good(self) -> None:
        """Terminate everything of it that still runs."""
        for workflow_id in self._ids.values():
            handle = self._client.get_workflow_handle(workflow_id)
            if (await handle.describe()).status is WorkflowExecutionStatus.RUNNING:
                await handle.terminate("scenario over")
