"""`iq plan ID`: one plan on one page, decrypted: mind who looks over your shoulder."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from temporalio.api.enums.v1 import EventType
from temporalio.api.history.v1 import HistoryEvent
from temporalio.client import Client

from cli.data_folder import beside
from cli.oncall.ended import cut_off_when, cut_short, not_known, of_plan, settling
from cli.oncall.left import by_hand, undecided
from clients.cut_off import as_history_tells
from clients.errors import RequestError
from clients.executions import Execution, Executions, PendingCall, PendingTimer
from clients.ledger import open_ledger
from clients.plans import PlanClient
from contracts.decisions import PersonDecision
from contracts.enums import PlanStatus, RollbackOutcome, RollbackState
from contracts.messages import PlanStart
from contracts.plan import ExecutionPlan
from infra.keyring import KeyringError
from infra.ledger.database import LedgerAwayError
from infra.ledger.decisions import Decisions
from infra.settings import Settings
from infra.temporal import connect
from language.invisible import on_one_line
from workflows.credentials import WAITS_FOR_SIGN_IN
from workflows.ids import plan_of_workflow, plan_workflow

_READING_WITHIN = 10.0
"""Seconds for a plan's whole history."""


@dataclass
class Past:
    """What a plan's history tells beside the plan itself: what it was started with, how often each activity was called,
    what failed last and when, and the timers that still run."""

    start: PlanStart | None = None
    calls: Counter[str] = field(default_factory=Counter)
    last_error: str = ""
    last_error_at: datetime | None = None
    timers: dict[str, PendingTimer] = field(default_factory=dict)


async def show(settings: Settings, plan_id: str, *, as_json: bool) -> int:
    """Print it. The exit code is 1 where there is no such plan, or where it could not be looked at."""
    client = await connect(settings, wait=2)
    executions, plans, wanted = Executions(client), PlanClient(client), plan_of_workflow(plan_id)
    try:
        one = await executions.look(plan_workflow(wanted))
    except RequestError as error:
        print(f"iq: {error}")
        return 1
    try:
        plan = (await plans.plan(wanted)).plan
        events = await plans.history(wanted, _READING_WITHIN)
        if cut_short(one):
            plan = await as_history_tells(client.data_converter, events, plan)
        past = await _past(client, executions, events)
    except (RequestError, KeyringError) as error:
        # What the service itself knows is told all the same.
        print("\n".join([*_head(settings, one, one.status), *_under_way(one), f"  cannot be opened: {error}"]))
        return 1
    decisions, unknown = await _decisions(settings, one.workflow_id)
    plan = plan.model_copy(update={"decisions": tuple(decisions) or None})
    if as_json:
        print(json.dumps(plan.model_dump(mode="json", exclude_none=True), indent=2, ensure_ascii=False))
    else:
        print("\n".join([*_head(settings, one, plan.status), *page_of(one, plan, past), *unknown]))
    return 0


async def _decisions(settings: Settings, workflow_id: str) -> tuple[list[PersonDecision], list[str]]:
    database, _ = open_ledger(settings)
    try:
        return (await Decisions(database).of([workflow_id], 10)).get(workflow_id, []), []
    except LedgerAwayError as away:
        return [], [f"  what a person has decided since is not known: {away}"]
    finally:
        database.close()


async def _past(client: Client, executions: Executions, events: Iterable[HistoryEvent]) -> Past:
    past, names = Past(), dict[int, str]()
    for event in events:
        await _heard(client, executions, event, past, names)
    return past


async def _heard(
    client: Client, executions: Executions, event: HistoryEvent, past: Past, names: dict[int, str]
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
            past.last_error, past.last_error_at = await executions.told(started.last_failure), at
    elif kind == EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED:
        failed = event.activity_task_failed_event_attributes
        past.last_error, past.last_error_at = await executions.told(failed.failure), at
    elif kind == EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT:
        late = event.activity_task_timed_out_event_attributes
        past.last_error, past.last_error_at = await executions.told(late.failure), at
    elif kind == EventType.EVENT_TYPE_TIMER_STARTED:
        past.timers[event.timer_started_event_attributes.timer_id] = await executions.timer(event)
    elif kind == EventType.EVENT_TYPE_TIMER_FIRED:
        past.timers.pop(event.timer_fired_event_attributes.timer_id, None)
    elif kind == EventType.EVENT_TYPE_TIMER_CANCELED:
        past.timers.pop(event.timer_canceled_event_attributes.timer_id, None)


def _head(settings: Settings, one: Execution, status: str) -> Iterator[str]:
    yield f"{one.workflow_id}  {status or '–'}, workflow {one.state.name.lower()}"
    told = beside(settings.data, settings.temporal_address)
    page = settings.temporal_ui_url or (told.temporal_ui if told else None)
    if page:
        where = f"namespaces/{settings.temporal_namespace}/workflows/{one.workflow_id}/{one.run_id}/history"
        yield f"  see        {page.rstrip('/')}/{where}"
    else:
        yield "  see        IQ_TEMPORAL_UI_URL is not set: no link to its history"


def page_of(one: Execution, plan: ExecutionPlan, past: Past) -> Iterator[str]:
    """The page's lines below its head. What the venue calls a booking cannot look like one of them."""
    return map(on_one_line, _lines(one, plan, past))


def _lines(one: Execution, plan: ExecutionPlan, past: Past) -> Iterator[str]:
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
    for word in plan.decisions or ():
        about = f"step {word.step}: " if word.step is not None else ""
        yield f"  decided    {about}{word.decision} – {word.by}, {_clock(word.at)}"
    yield from _next(one, plan)


def _rest(plan: ExecutionPlan) -> Iterator[str]:
    """What became of the undoing, and what it leaves."""
    report, decisions = plan.rollback_report, plan.decisions or ()
    if report is None:
        return
    yield from (f"             step {s.step}: {s.outcome} – {s.message}" for s in report.steps)
    # What no undo brings back was told beforehand, and is nobody's work.
    left = "by hand" if report.outcome is RollbackOutcome.PARTIAL else "stays"
    settled = decisions and not undecided(plan, decisions) and not by_hand(plan, decisions)
    after = " (settled by what was decided)" if settled else ""
    yield from (f"  {left:<10} {line}{after}" for line in report.manual_steps)


def _next(one: Execution, plan: ExecutionPlan) -> Iterator[str]:
    """What a person is to type, of a plan that has ended."""
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


def _bookings(plan: ExecutionPlan, past: Past) -> list[str]:
    """Each booking that it is about, once: reference, guest and day as they were before it."""
    found = [step.booking for step in past.start.steps if step.booking] if past.start else []
    told = [f"{b.reference or b.booking_id}  {b.guest_name}, {b.date} {b.start_time}".rstrip() for b in found]
    made = [f"{result.made}  (made by step {result.step})" for result in plan.results if result.made]
    return list(dict.fromkeys([*told, *made]))


def _times(plan: ExecutionPlan) -> Iterator[str]:
    yield f"  drafted    {_clock(plan.created_at)}"
    if plan.confirmed_at:
        yield f"  confirmed  {_clock(plan.confirmed_at)}, after {_length(plan.confirmed_at - plan.created_at)}"
    if plan.completed_at and plan.confirmed_at:
        undoing = plan.rollback is not None and plan.rollback.state is not RollbackState.DONE
        word = "stopped" if undoing else "ended"
        yield f"  {word:<10} {_clock(plan.completed_at)}, after {_length(plan.completed_at - plan.confirmed_at)}"


def _deadlines(one: Execution, plan: ExecutionPlan, past: Past) -> Iterator[str]:
    if plan.status is PlanStatus.PENDING_CONFIRMATION and one.open:
        yield f"  confirm    until {_clock(plan.expires_at)}{_left(plan.expires_at)}"
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
                yield f"             goes on with a fresh token of {plan.user_id}; without, what stands is left"


def _steps(plan: ExecutionPlan) -> Iterator[str]:
    results = {result.step: result for result in plan.results}
    for action in plan.actions:
        yield f"  {action.step}. {action.status:<10} {action.action_id}{f' – {action.whom}' if action.whom else ''}"
        if result := results.get(action.step):
            kind = f", {result.error_type}" if result.error_type else ""
            took = _length(result.finished_at - result.started_at)
            yield f"     {result.started_at:%H:%M:%S} {result.message} ({took}{kind})"


def _attempts(one: Execution, past: Past) -> Iterator[str]:
    # The history tells of an attempt only once it has ended.
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


def _under_way(one: Execution) -> Iterator[str]:
    # The service goes on listing what a closed workflow had called: nothing of that is tried again or given up.
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
    left = at - datetime.now(UTC)
    return f", {_length(left)} left" if left > timedelta() else f", {_length(-left)} ago"


def _length(span: timedelta) -> str:
    seconds = span.total_seconds()
    if seconds < 100:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.0f} h"
