"""What on-call needs at three in the morning: what is stuck, what one plan is doing, whether today's code still
replays it."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from temporalio.client import Client, WorkflowExecution, WorkflowHistory
from temporalio.worker import Replayer

from cli.escalations import age
from clients.errors import RequestError
from clients.escalations import EscalationClient
from clients.plans import PlanClient
from contracts.plan import ExecutionPlan
from infra.search_attributes import PHASE, STATUS, VENUE
from infra.settings import Settings
from infra.temporal import connect, data_converter
from workflows.conversation import ConversationWorkflow
from workflows.escalation import EscalationWorkflow
from workflows.ids import escalation_of_workflow, plan_workflow
from workflows.plan import PlanWorkflow

_RUNNING = 'WorkflowType = "Plan" AND ExecutionStatus = "Running"'
_FAILING = "workflow tasks keep failing"
_UNANSWERED = timedelta(hours=4)
"""An operator was told that a person takes over, and most of a shift has gone by."""
_QUERIES = (
    (_FAILING, "TemporalReportedProblems IS NOT NULL"),
    ("executing for long", f'{_RUNNING} AND IqStatus IN ("confirmed", "executing")'),
    ("being undone for long", f'{_RUNNING} AND IqStatus = "failed"'),
)


async def stuck(settings: Settings, minutes: float) -> int:
    """Print what has not moved for `minutes`; the exit code is 1 when there is anything."""
    client = await connect(settings, wait=2)
    older_than = datetime.now(UTC) - timedelta(minutes=minutes)
    found = 0
    for why, query in _QUERIES:
        async for execution in client.list_workflows(query, limit=200):
            if why == _FAILING or execution.start_time < older_than:
                found += 1
                print(_row(why, execution))
    if not found:
        print(f"Nothing is stuck at {settings.temporal_address}.")
    else:
        print("\n`iq plan ID` shows one. `asking` and `waiting_for_sign_in` wait for their operator, not for you.")
    await _tell_unanswered(client, datetime.now(UTC) - max(_UNANSWERED, timedelta(minutes=minutes)))
    return 1 if found else 0


async def _tell_unanswered(client: Client, before: datetime) -> None:
    """What waits for a person is not stuck, and the exit code does not count it; but somebody should know."""
    try:
        waiting = await EscalationClient(client).older_than(before)
    except RequestError as error:
        print(f"\nWhat waits for a person could not be looked at: {error}")
        return
    if waiting:
        print(f"\nHanded to a person and not answered for {_UNANSWERED.seconds // 3600} hours or more:")
    for row in waiting:
        venue = row.typed_search_attributes.get(VENUE) or "–"
        print(f"{escalation_of_workflow(row.id):<45} {venue:<16} {age(row.start_time):>10}")
    if waiting:
        print("`iq escalations` shows what was asked, and answers.")


def _row(why: str, execution: WorkflowExecution) -> str:
    attributes = execution.typed_search_attributes
    age = datetime.now(UTC) - execution.start_time
    phase = attributes.get(PHASE) or attributes.get(STATUS) or "–"
    return f"{execution.id:<45} {phase:<32} {attributes.get(VENUE) or '–':<16} {str(age).split('.')[0]:>10}  {why}"


async def show(settings: Settings, plan_id: str, *, as_json: bool) -> int:
    """Print one plan, decrypted: it holds booking data, so mind who looks over your shoulder."""
    client = await connect(settings, wait=2)
    try:
        plans = PlanClient(client)
        view = await plans.plan(plan_id.removeprefix("plan-"))
    except RequestError as error:
        print(f"iq: {error}")
        return 1
    if as_json:
        print(json.dumps(view.plan.model_dump(mode="json", exclude_none=True), indent=2, ensure_ascii=False))
    else:
        print(_told(view.plan))
    return 0


def _told(plan: ExecutionPlan) -> str:
    stale = " (last recorded state: no worker answered)" if plan.stale else ""
    lines = [
        f"{plan_workflow(plan.plan_id)}  {plan.status}{stale}",
        f"  {plan.intent}",
        f"  venue {plan.venue_id}, session {plan.session_id}, user {plan.user_id}",
        f"  drafted {plan.created_at:%Y-%m-%d %H:%M:%S%z}",
    ]
    for action in plan.actions:
        lines.append(f"  {action.step}. {action.status:<10} {action.action_id}")
    for result in plan.results:
        took = (result.finished_at - result.started_at).total_seconds()
        kind = f", {result.error_type}" if result.error_type else ""
        lines.append(f"     step {result.step}: {result.message} ({took:.1f} s{kind})")
    if plan.blocking_prompt:
        lines.append(f"  asks: {plan.blocking_prompt.question} (until {plan.blocking_prompt.expires_at:%H:%M:%S%z})")
    if plan.failure:
        lines.append(f"  failed: {plan.failure.message}")
    if plan.rollback:
        lines.append(f"  rollback: {plan.rollback.state}")
    if plan.rollback_report:
        lines += [f"     step {s.step}: {s.outcome} – {s.message}" for s in plan.rollback_report.steps]
        lines += [f"  by hand: {step}" for step in plan.rollback_report.manual_steps]
    return "\n".join(lines)


async def replay(settings: Settings, what: str) -> int:
    """Check that today's code takes the way that a history tells; the exit code is 1 when it does not.

    `what` is a workflow id, a plan id, or a file with a history as the Temporal UI downloads it.
    """
    path = Path(what)
    history = await asyncio.to_thread(_from_file, path) or await _from_service(settings, what)
    replayer = Replayer(
        workflows=[ConversationWorkflow, PlanWorkflow, EscalationWorkflow],
        data_converter=data_converter(settings.ring()),
    )
    result = await replayer.replay_workflow(history, raise_on_replay_failure=False)
    if result.replay_failure is None:
        print(f"{history.workflow_id}: {len(history.events)} events replay as they were recorded.")
        return 0
    print(f"{history.workflow_id}: today's code does not take the recorded way.\n{result.replay_failure}")
    return 1


def _from_file(path: Path) -> WorkflowHistory | None:
    return WorkflowHistory.from_json(path.stem, path.read_text()) if path.is_file() else None


async def _from_service(settings: Settings, name: str) -> WorkflowHistory:
    client: Client = await connect(settings, wait=2)
    workflow_id = name if name.startswith(("plan-", "chat-", "escalation-")) else plan_workflow(name)
    return await client.get_workflow_handle(workflow_id).fetch_history()
