"""`iq replay`: whether today's code takes the recorded paths, and waits as long. Before a deploy: check all open
workflows.

Temporal's own replay compares kinds of commands, in their order. A `sleep` inserted before the first timer is a timer
like the recorded one, and passes; so does new code at the very end. So each timer's length is compared, too, and
neither side may have a timer or a call that the other lacks.
"""

import asyncio
import dataclasses
import gzip
import json
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from itertools import takewhile
from pathlib import Path

from pydantic import ValidationError
from temporalio.api.common.v1 import Payload
from temporalio.api.enums.v1 import EventType
from temporalio.api.failure.v1 import Failure
from temporalio.api.history.v1 import HistoryEvent
from temporalio.bridge.proto.workflow_activation import WorkflowActivation
from temporalio.bridge.proto.workflow_completion import WorkflowActivationCompletion
from temporalio.client import Client, WorkflowHistory
from temporalio.converter import DataConverter, PayloadCodec
from temporalio.exceptions import ApplicationError
from temporalio.runtime import LoggingConfig, Runtime, TelemetryConfig, TelemetryFilter
from temporalio.service import RPCError
from temporalio.worker import Replayer, WorkflowInstance, WorkflowInstanceDetails, WorkflowRunner
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner
from temporalio.workflow import _Definition

from cli.oncall.open_workflows import OPEN, add_key
from cli.oncall.resolve import workflow_named
from infra.config.settings import Settings
from infra.crypto.keyring import KeyringError
from infra.temporal.client import connect, data_converter
from workflows.chat.workflow import ConversationWorkflow
from workflows.escalation.workflow import EscalationWorkflow
from workflows.plan.workflow import PlanWorkflow

_TASK_COMPLETED = EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED
_OF_UPDATES = (
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED,
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED,
)
_TOLERANCE, _SHARE = timedelta(milliseconds=2), 0.01
"""Lengths are computed from moments, and rounded. A worker that had lost Temporal may have computed one from a moment
some seconds too early (`temporalio` 1.35), which is no change of code: a difference of one percent passes."""
KINDS = (ConversationWorkflow, PlanWorkflow, EscalationWorkflow)


@dataclass
class RecordedCommands:
    """Timers by number with their length, and calls by number with their activity. Both sides number alike."""

    timers: dict[str, timedelta] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)
    dropped: set[str] = field(default_factory=set)
    """Timers that the code has cancelled. A timer set and cancelled in one task is not in the history."""
    failure: Failure | None = None
    """Why the code could not continue, before it is encrypted."""


@dataclass(frozen=True)
class Verdict:
    """The result of one history; `problem` is "" if today's code takes its path. `locked` holds the reason if the
    available keys do not open it. Not `begun`: no workflow task completed, so that there is nothing to compare."""

    workflow_id: str
    events: int
    problem: str
    locked: str = ""
    begun: bool = True


class _Noting(PayloadCodec):
    """Decodes with another codec, and records what it could not open, because a replay reports that like any mistake in
    the code."""

    def __init__(self, inner: PayloadCodec) -> None:
        self._inner = inner
        self.locked = ""

    async def encode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """See `PayloadCodec`."""
        return await self._inner.encode(payloads)

    async def decode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """See `PayloadCodec`."""
        try:
            return await self._inner.decode(payloads)
        except KeyringError as error:
            self.locked = str(error)
            raise


class _Listening(WorkflowRunner):
    """Runs workflows as workers do, and records their commands."""

    def __init__(self, into: RecordedCommands, inner: WorkflowRunner) -> None:
        self._inner = inner
        self._into = into

    def prepare_workflow(self, defn: _Definition) -> None:
        """See `WorkflowRunner`."""
        self._inner.prepare_workflow(defn)

    def set_worker_level_failure_exception_types(self, types: object) -> None:
        """See `WorkflowRunner`."""
        self._inner.set_worker_level_failure_exception_types(types)  # type: ignore[arg-type]

    def create_instance(self, det: WorkflowInstanceDetails) -> WorkflowInstance:
        """See `WorkflowRunner`."""
        instance = self._inner.create_instance(det)
        activate = instance.activate

        def listening(act: WorkflowActivation) -> WorkflowActivationCompletion:
            completion = activate(act)
            self._note(completion)
            return completion

        instance.activate = listening  # type: ignore[method-assign]
        return instance

    def _note(self, completion: WorkflowActivationCompletion) -> None:
        if completion.HasField("failed"):
            self._into.failure = completion.failed.failure
        for command in completion.successful.commands:
            if command.HasField("start_timer"):
                timer = command.start_timer
                self._into.timers[str(timer.seq)] = timer.start_to_fire_timeout.ToTimedelta()
            elif command.HasField("schedule_activity"):
                call = command.schedule_activity
                self._into.calls[call.activity_id or str(call.seq)] = call.activity_type
            elif command.HasField("cancel_timer"):
                self._into.dropped.add(str(command.cancel_timer.seq))


def recorded(history: WorkflowHistory) -> RecordedCommands:
    """Return the commands of a history."""
    found = RecordedCommands()
    for event in history.events:
        if event.event_type == EventType.EVENT_TYPE_TIMER_STARTED:
            timer = event.timer_started_event_attributes
            found.timers[timer.timer_id] = timer.start_to_fire_timeout.ToTimedelta()
        elif event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
            call = event.activity_task_scheduled_event_attributes
            found.calls[call.activity_id] = call.activity_type.name
    return found


def settled(history: WorkflowHistory) -> WorkflowHistory:
    """Return the part of a history that workers have processed. Later events are not processed yet, and today's code
    would rightly issue new commands for them."""
    done = next(
        (n for n in reversed(range(len(history.events))) if history.events[n].event_type == _TASK_COMPLETED), None
    )
    if done is None:
        return history
    of_it = takewhile(lambda event: _commanded_by(event, history.events[done].event_id), history.events[done + 1 :])
    return WorkflowHistory(history.workflow_id, [*history.events[: done + 1], *of_it])


def _commanded_by(event: HistoryEvent, task: int) -> bool:
    attributes = getattr(event, str(event.WhichOneof("attributes")))
    return event.event_type in _OF_UPDATES or getattr(attributes, "workflow_task_completed_event_id", 0) == task


def differences(then: RecordedCommands, now: RecordedCommands) -> Iterator[str]:
    """Yield the differences between recorded and current commands, as text."""
    for number, length in then.timers.items():
        today = now.timers.get(number)
        if today is None:
            yield f"timer {number} of {_seconds(length)} is not set any more"
        elif abs(today - length) > max(_TOLERANCE, length * _SHARE):
            yield f"timer {number} ran for {_seconds(length)}, and today's code sets one of {_seconds(today)}"
    for number in now.timers.keys() - then.timers.keys() - now.dropped:
        yield f"today's code sets a timer of {_seconds(now.timers[number])} that was not there"
    for number in then.calls.keys() - now.calls.keys():
        yield f"call {number} of {then.calls[number]} is not made any more"
    for number in now.calls.keys() - then.calls.keys():
        yield f"today's code calls {now.calls[number]} where nothing was called"


def _seconds(length: timedelta) -> str:
    return f"{length.total_seconds():g} s"


async def judged(
    converter: DataConverter,
    history: WorkflowHistory,
    kinds: Sequence[type] = KINDS,
    runner: WorkflowRunner = SandboxedWorkflowRunner(),
) -> Verdict:
    """Replay one history on the code of these workflows, run by `runner`."""
    whole = settled(history)
    if not any(event.event_type == _TASK_COMPLETED for event in whole.events):
        return Verdict(history.workflow_id, len(history.events), "", begun=False)
    try:
        return await _replayed(converter, history, whole, kinds, runner)
    except (KeyError, RuntimeError) as lost:
        # CPython 3.11 loses an import during which garbage collection imports something, too (gh-106176). A worker
        # retries such a task, so this replay is retried, too.
        if not isinstance(lost.__cause__ or lost, KeyError):
            raise
        return await _replayed(converter, history, whole, kinds, runner)


@cache
def _quiet() -> Runtime:
    """Return a runtime that logs no warning of the SDK, because the verdict holds the failure."""
    return Runtime(telemetry=TelemetryConfig(logging=LoggingConfig(TelemetryFilter("ERROR", "ERROR"))))


async def _replayed(
    converter: DataConverter,
    history: WorkflowHistory,
    whole: WorkflowHistory,
    kinds: Sequence[type],
    runner: WorkflowRunner,
) -> Verdict:
    heard, noting = RecordedCommands(), None
    if converter.payload_codec is not None:
        noting = _Noting(converter.payload_codec)
        converter = dataclasses.replace(converter, payload_codec=noting)
    # Without `debug_mode` a workflow task that takes over two seconds fails, as on a busy machine.
    replayer = Replayer(
        workflows=kinds,
        data_converter=converter,
        workflow_runner=_Listening(heard, runner),
        debug_mode=True,
        runtime=_quiet(),
    )
    result = await replayer.replay_workflow(whole, raise_on_replay_failure=False)
    if noting is not None and noting.locked:
        return Verdict(history.workflow_id, len(history.events), "", noting.locked)
    if result.replay_failure is not None:
        problem = await _other_version(heard.failure, converter) or " ".join(str(result.replay_failure).split())
    else:
        problem = "; ".join(differences(recorded(whole), heard))
    return Verdict(history.workflow_id, len(history.events), problem)


async def _other_version(failure: Failure | None, converter: DataConverter) -> str:
    """Return one sentence if this code's models cannot read what was recorded, "" for every other failure."""
    error = await converter.decode_failure(failure) if failure is not None else None
    while isinstance(error, ApplicationError):
        if error.type == ValidationError.__name__:
            model = error.message.partition("\n")[0].rpartition(" for ")[2]
            return (
                f"another version of the code recorded this history, and this one cannot read its {model}. "
                "Until 1.0, histories are recorded again when the code changes"
            )
        error = error.__cause__
    return ""


async def run(settings: Settings, what: str | None) -> int:
    """Replay a file, a workflow, or all open ones (None). The exit code is 1 if today's code takes another path, 2 if
    Temporal was unavailable, a history could not be opened, or there was nothing to compare."""
    path, converter = Path(what) if what else None, data_converter(settings.ring())
    if path is not None and await asyncio.to_thread(path.is_file):
        try:
            history = await asyncio.to_thread(from_file, path)
        except ValueError as damaged:
            print(f"iq: {path} is not the history of a workflow: {damaged}", file=sys.stderr)
            return 2
        return _tell([await judged(converter, history)])
    try:
        client = await connect(settings, wait=2)
        if what is not None:
            handle = client.get_workflow_handle(workflow_named(what))
            return _tell([await judged(converter, await handle.fetch_history())])
        verdicts = [await judged(converter, history) async for history in _open(client)]
    except (ConnectionError, RPCError) as unavailable:
        print(f"iq: {unavailable}", file=sys.stderr)
        return 2
    return _tell(verdicts, whole=True)


async def _open(client: Client) -> AsyncIterator[WorkflowHistory]:
    async for row in client.list_workflows(OPEN, page_size=500):
        yield await client.get_workflow_handle(row.id, run_id=row.run_id).fetch_history()


def _tell(verdicts: list[Verdict], *, whole: bool = False) -> int:
    wrong, locked = [one for one in verdicts if one.problem], [one for one in verdicts if one.locked]
    for one in wrong:
        print(f"{one.workflow_id}: today's code does not take the recorded way: {one.problem}")
    for one in locked:
        print(f"{one.workflow_id}: cannot be opened, so no result: {one.locked} `{add_key()}` puts it back")
    if whole:
        fit = len(verdicts) - len(wrong) - len(locked)
        print(f"{fit} of {len(verdicts)} open workflows replay as they were recorded, timers included.")
    elif not verdicts[0].begun:
        print(f"{verdicts[0].workflow_id}: no workflow task has completed yet, so there is nothing to compare.")
        return 2
    elif not wrong and not locked:
        print(f"{verdicts[0].workflow_id}: {verdicts[0].events} events replay as they were recorded.")
    return 1 if wrong else 2 if locked else 0


def from_file(path: Path) -> WorkflowHistory:
    """Return a history as Temporal's UI and command line write it, with or without gzip. Raises `ValueError` if it is
    invalid or lacks events, because a replay would wait for them for ever."""
    raw = path.read_bytes()
    try:
        text = (gzip.decompress(raw) if raw.startswith(b"\x1f\x8b") else raw).decode()
        history = WorkflowHistory.from_json(path.name.partition(".")[0], text)
    except UnicodeDecodeError:
        raise ValueError("it is not text") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON ({error})") from None
    except Exception as error:
        raise ValueError(f"it cannot be read ({type(error).__name__})") from None
    if not history.events or history.events[0].event_type != EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED:
        raise ValueError("it does not begin with the start of a workflow")
    for number, event in enumerate(history.events, 1):
        if event.event_id != number:
            raise ValueError(f"event {number} is missing")
    return history
