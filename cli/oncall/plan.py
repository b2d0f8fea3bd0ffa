"""`iq plan ID`: one plan on one page, decrypted: mind who can see your screen."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from temporalio.api.enums.v1 import EventType
from temporalio.api.history.v1 import HistoryEvent
from temporalio.client import Client

from cli.oncall.closed_workflows import by_hand, cut_off_when, cut_short, not_known, of_plan, settling, undecided
from cli.stack.data_dir import read_info
from clients.errors import ApiError
from clients.ledger import open_ledger
from clients.temporal.executions import ExecutionInfo, PendingCall, PendingTimer, WorkflowInspector
from clients.temporal.plans import PlanClient, as_history_tells
from contracts.chat_messages import PlanStart
from contracts.enums import PlanStatus, RollbackOutcome, RollbackState
from contracts.plan import ExecutionPlan, ManualDecision
from infra.config.settings import Settings
from infra.crypto.keyring import KeyringError
from infra.errors import DependencyUnavailableError
from infra.ledger.manual_decisions import ManualDecisionTable
from infra.temporal.client import connect
from language.text.invisible import on_one_line
from workflows.plan.credentials import WAITS_FOR_SIGN_IN
from workflows.workflow_ids import plan_of_workflow, plan_workflow

_READING_WITHIN = 10.0
"""Seconds for a plan's whole history."""


@dataclass
class PlanHistory:
    """What a plan's history has beside the plan itself: its input, the number of calls of each activity, the last
    failure and its time, and the open timers."""

    start: PlanStart | None = None
    calls: Counter[str] = field(default_factory=Counter)
    last_error: str = ""
    last_error_at: datetime | None = None
    timers: dict[str, PendingTimer] = field(default_factory=dict)


async def show(settings: Settings, plan_id: str, *, as_json: bool) -> int:
    """Print the plan. The exit code is 1 if it does not exist or could not be read."""
    client = await connect(settings, wait=2)
    executions, plans, wanted = WorkflowInspector(client), PlanClient(client), plan_of_workflow(plan_id)
    try:
        one = await executions.describe(plan_workflow(wanted))
    except ApiError as error:
        print(f"iq: {error}")
        return 1
    try:
        plan = (await plans.plan(wanted)).plan
        events = await plans.history(wanted, _READING_WITHIN)
        if cut_short(one):
            plan = await as_history_tells(client.data_converter, events, plan)
        past = await _past(client, executions, events)
    except (ApiError, KeyringError) as error:
        # What the service itself knows is printed all the same.
        print("\n".join([*_head(settings, one, one.status), *_under_way(one), f"  cannot be opened: {error}"]))
        return 1
    decisions, unknown = await _decisions(settings, one.workflow_id)
    plan = plan.model_copy(update={"decisions": tuple(decisions) or None})
    if as_json:
        print(json.dumps(plan.model_dump(mode="json", exclude_none=True), indent=2, ensure_ascii=False))
    else:
        print("\n".join([*_head(settings, one, plan.status), *page_of(one, plan, past), *unknown]))
    return 0


async def _decisions(settings: Settings, workflow_id: str) -> tuple[list[ManualDecision], list[str]]:
    database, _ = open_ledger(settings)
    try:
        return (await ManualDecisionTable(database).of([workflow_id], 10)).get(workflow_id, []), []
    except DependencyUnavailableError as away:
        return [], [f"  what a person has decided since is not known: {away}"]
    finally:
        database.close()


async def _past(client: Client, executions: WorkflowInspector, events: Iterable[HistoryEvent]) -> PlanHistory:
    past, names = PlanHistory(), dict[int, str]()
    for event in events:
        await _heard(client, executions, event, past, names)
    return past


async def _heard(
    client: Client, executions: WorkflowInspector, event: HistoryEvent, past: PlanHistory, names: dict[int, str]
) -> None:
    kind, at = event.event_type, event.event_time.ToDatetime(tzinfo=UTC)
    if kind == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED:
        given = event.workflow_execution_started_event_attributes.input
        [past.start] = await client.data_converter.decode_wrapper(given, [PlanStart])
    elif kind == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
        names[event.event_id] = event.activity_task_scheduled_event_attributes.activity_type.name
    elif kind == EventType.EVENT_TYPE_ACTIVITY_TASK_STARTED:
        started = event.activity_task_started_event_attributes
        past.calls[names.get(started.scheduled_event_id, "?")] += started.attempt
        if started.HasField("last_failure"):
            past.last_error, past.last_error_at = await executions.payload(started.last_failure), at
    elif kind == EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED:
        failed = event.activity_task_failed_event_attributes
        past.last_error, past.last_error_at = await executions.payload(failed.failure), at
    elif kind == EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT:
        late = event.activity_task_timed_out_event_attributes
        past.last_error, past.last_error_at = await executions.payload(late.failure), at
    elif kind == EventType.EVENT_TYPE_TIMER_STARTED:
        past.timers[event.timer_started_event_attributes.timer_id] = await executions.timer(event)
    elif kind == EventType.EVENT_TYPE_TIMER_FIRED:
        past.timers.pop(event.timer_fired_event_attributes.timer_id, None)
    elif kind == EventType.EVENT_TYPE_TIMER_CANCELED:
        past.timers.pop(event.timer_canceled_event_attributes.timer_id, None)


def _head(settings: Settings, one: ExecutionInfo, status: str) -> Iterator[str]:
    yield f"{one.workflow_id}  {status or '–'}, workflow {one.state.name.lower()}"
    info = read_info(settings.data, settings.temporal_address)
    page = settings.temporal_ui_url or (info.temporal_ui if info else None)
    if page:
        where = f"namespaces/{settings.temporal_namespace}/workflows/{one.workflow_id}/{one.run_id}/history"
        yield f"  see        {page.rstrip('/')}/{where}"
    else:
        yield "  see        IQ_TEMPORAL_UI_URL is not set: no link to its history"


def page_of(one: ExecutionInfo, plan: ExecutionPlan, past: PlanHistory) -> Iterator[str]:
    """Return the page's lines below its head. The venue's name for a booking cannot look like one of them."""
    return map(on_one_line, _lines(one, plan, past))


def _lines(one: ExecutionInfo, plan: ExecutionPlan, past: PlanHistory) -> Iterator[str]:
    yield f"  intent     {plan.intent}"
    yield f"  venue      {plan.venue_id}, session {plan.session_id}, user {plan.user_id}"
    for number, reference in enumerate(_bookings(plan, past)):
        yield f"  {'booking' if not number else '':<10} {reference}"
    if plan.stale:
        why = "no worker answered" if one.open else "its workflow was cut off"
        yield f"  as of      what was recorded of it: {why}"
    yield from _times(plan)
    yield from _deadlines(one, plan, past)
    yield from _steps(plan)
    yield from _attempts(one, past)
    if plan.failure:
        yield f"  failed     {plan.failure.message}"
    if plan.rollback:
        whole = f", {plan.rollback_report.outcome}" if plan.rollback_report else ""
        yield f"  rollback   {plan.rollback.state}{whole}"
    yield from _rest(plan)
    for decision in plan.decisions or ():
        about = f"step {decision.step}: " if decision.step is not None else ""
        yield f"  decided    {about}{decision.decision} – {decision.by}, {_clock(decision.at)}"
    yield from _next(one, plan)


def _rest(plan: ExecutionPlan) -> Iterator[str]:
    """Yield the result of the rollback, and the work that it leaves."""
    report, decisions = plan.rollback_report, plan.decisions or ()
    if report is None:
        return
    yield from (f"             step {s.step}: {s.outcome} – {s.message}" for s in report.steps)
    # The operator saw before confirming what no undo can revert, and it needs no work.
    left = "by hand" if report.outcome is RollbackOutcome.PARTIAL else "stays"
    settled = decisions and not undecided(plan, decisions) and not by_hand(plan, decisions)
    after = " (settled by what was decided)" if settled else ""
    yield from (f"  {left:<10} {line}{after}" for line in report.manual_steps)


def _next(one: ExecutionInfo, plan: ExecutionPlan) -> Iterator[str]:
    """Yield the commands that a person should type for a plan that has ended."""
    if one.open:
        return
    decisions = plan.decisions or ()
    if cut_short(one):
        how = one.state.name.lower().replace("_", " ")
        unknown = not_known(undecided(plan, decisions))
        yield f"  cut off    its workflow was {how} {cut_off_when(one.status, one.phase)}{unknown}"
        commands = settling(one.workflow_id, plan, decisions)
    else:
        found = of_plan(one.workflow_id, plan, decisions, one.closed or one.started)
        commands = tuple(command for finding in found for command in finding.commands)
    yield from (f"  {'next' if not number else 'or':<10} {c}" for number, c in enumerate(commands))


def _bookings(plan: ExecutionPlan, past: PlanHistory) -> list[str]:
    """Return each booking of the plan: reference, guest and day as they were before it."""
    found = [step.booking for step in past.start.steps if step.booking] if past.start else []
    lines = [f"{b.reference or b.booking_id}  {b.guest_name}, {b.date} {b.start_time}".rstrip() for b in found]
    made = [f"{result.made}  (made by step {result.step})" for result in plan.results if result.made]
    return list(dict.fromkeys([*lines, *made]))


def _times(plan: ExecutionPlan) -> Iterator[str]:
    yield f"  drafted    {_clock(plan.created_at)}"
    if plan.confirmed_at:
        yield f"  confirmed  {_clock(plan.confirmed_at)}, after {_length(plan.confirmed_at - plan.created_at)}"
    if plan.completed_at and plan.confirmed_at:
        undoing = plan.rollback is not None and plan.rollback.state is not RollbackState.DONE
        word = "stopped" if undoing else "ended"
        yield f"  {word:<10} {_clock(plan.completed_at)}, after {_length(plan.completed_at - plan.confirmed_at)}"


def _deadlines(one: ExecutionInfo, plan: ExecutionPlan, past: PlanHistory) -> Iterator[str]:
    if plan.status is PlanStatus.PENDING_CONFIRMATION and one.open:
        yield f"  confirm    until {_clock(plan.expires_at)}{_left(plan.expires_at)}"
    if plan.assistant_busy_until:
        until = plan.assistant_busy_until
        yield f"  waits      for the model, which asks its callers to wait (until {_clock(until)}{_left(until)})"
    if plan.blocking_prompt:
        until = plan.blocking_prompt.expires_at
        yield f"  asks       {plan.blocking_prompt.question} (until {_clock(until)}{_left(until)})"
    if plan.undo_until and plan.rollback is None and one.open:
        yield f"  undo       until {_clock(plan.undo_until)}{_left(plan.undo_until)}"
    if one.open:
        for timer in sorted(past.timers.values(), key=lambda one: one.ends):
            why = f": {timer.why}" if timer.why else ""
            yield f"  timer      until {_clock(timer.ends)}{_left(timer.ends)}{why}"
            if timer.why == WAITS_FOR_SIGN_IN:
                yield f"             goes on with a fresh token of {plan.user_id}; without one, applied steps stay"


def _steps(plan: ExecutionPlan) -> Iterator[str]:
    results = {result.step: result for result in plan.results}
    for action in plan.actions:
        yield f"  {action.step}. {action.status:<10} {action.action_id}{f' – {action.whom}' if action.whom else ''}"
        if result := results.get(action.step):
            kind = f", {result.error_type}" if result.error_type else ""
            took = _length(result.finished_at - result.started_at)
            yield f"     {result.started_at:%H:%M:%S} {result.message} ({took}{kind})"


def _attempts(one: ExecutionInfo, past: PlanHistory) -> Iterator[str]:
    # The history records an attempt only once it has ended.
    begun = Counter(past.calls)
    for call in one.calls:
        begun[call.name] += call.attempt - (not call.runs)
    if begun := +begun:
        yield f"  attempts   {', '.join(f'{name} {count}' for name, count in begun.items())}"
    yield from _under_way(one)
    if one.task is not None and one.open:
        how = "taken up" if one.task.taken_up else "not taken up"
        yield f"  task       attempt {one.task.attempt}, {how}, waits since {_clock(one.task.since)}"
    if past.last_error and past.last_error_at:
        yield f"  last error {past.last_error} ({_clock(past.last_error_at)})"


def _under_way(one: ExecutionInfo) -> Iterator[str]:
    # The service still lists the pending calls of a closed workflow, but none of them is retried.
    return map(_pending, one.calls if one.open else ())


def _pending(call: PendingCall) -> str:
    most = f" of {call.most}" if call.most else ""
    now = "runs" if call.runs else f"next try {_clock(call.next_try)}" if call.next_try else "waits for a worker"
    ends = f", given up at {_clock(call.gives_up)}" if call.gives_up else ""
    last = f"; last error: {call.last_error}" if call.last_error else ""
    return f"  under way  {call.name}, attempt {call.attempt}{most}, {now}{ends}{last}"


def _clock(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _left(at: datetime) -> str:
    remaining = at - datetime.now(UTC)
    return f", {_length(remaining)} left" if remaining > timedelta() else f", {_length(-remaining)} ago"


def _length(span: timedelta) -> str:
    seconds = span.total_seconds()
    if seconds < 100:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.0f} h"
