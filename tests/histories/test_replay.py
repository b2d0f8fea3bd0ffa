"""The current workflow code still replays every recorded path; `record.py` says when to record again.

- Every path is recorded, ended as its name says, and replays with the project's own converter and keys.
- A replay starts from the first event with nothing cached; a plan on a live worker without a cache, which therefore
  replays it all at every step, ends as one with a cache does.
- A timer is as long as it was recorded, and none is new: a sleep before the first one is reported.
- A file that is no history, or has lost events, is reported as such (exit code 2) and not replayed, because the replay
  would never end. Where no workflow task has completed, the message is that there is nothing to compare. A lost import
  is retried once.
- A history whose payloads this version cannot read is refused in one sentence that names the payload.
- The test can fail: a plan with one activity more is reported, on every recording.
"""

import asyncio
import gzip
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from temporalio.api.enums.v1 import EventType
from temporalio.client import WorkflowHistory
from temporalio.converter import default
from temporalio.worker import Replayer, UnsandboxedWorkflowRunner
from temporalio.workflow import NondeterminismError

from cli.oncall import replay
from infra.config.settings import Settings
from infra.crypto.keyring import parse_ring
from infra.temporal.client import data_converter
from infra.temporal.search_attributes import STATUS
from tests.histories import record
from tests.histories.changed import PlanThatCallsFirst, PlanThatRemindsItself, PlanThatSleepsFirst
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import a_step, staged
from tests.workflows.test_cancellation import LANDED, LOST
from tests.workflows.test_timers import broken
from workflows.plan.workflow import PlanWorkflow

ENDINGS = {
    "plan_completed": ["confirmed", "executing", "completed"],
    "plan_waited_for_model": ["confirmed", "executing", "completed"],
    "plan_undone": ["confirmed", "executing", "completed", "rolled_back"],
    "plan_failed_before_anything": ["confirmed", "executing", "failed"],
    "plan_rolled_back": ["confirmed", "executing", "failed", "rolled_back"],
    "plan_partly_rolled_back": ["confirmed", "executing", "failed", "rolled_back"],
    "plan_asked_and_answered": ["confirmed", "executing", "completed"],
    "plan_not_answered": ["confirmed", "executing", "failed", "rolled_back"],
    "plan_expired": ["expired"],
    "plan_cancelled_while_pending": ["cancelled"],
    "plan_superseded": ["cancelled"],
    "plan_cancelled_while_executing": ["confirmed", "executing", "failed", "rolled_back"],
    "plan_widened": ["confirmed", "executing", "failed", "rolled_back"],
    "plan_unknown_outcome": ["confirmed", "executing", "completed"],
    "plan_signed_in_again": ["confirmed", "executing", "failed", "rolled_back"],
    "plan_confirm_withdrawn": ["confirmed", "executing", "completed"],
}
HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.json.gz"))
PLANS = [f for f in FILES if f.name.startswith("plan_")]
CONVERTER = data_converter(parse_ring(record.KEYS.read_text()))


def name_of(path: Path) -> str:
    """Return the path's name."""
    return path.name.removesuffix(".json.gz")


def recorded(path: Path) -> WorkflowHistory:
    """Return a history from its file."""
    return WorkflowHistory.from_json(name_of(path), gzip.decompress(path.read_bytes()).decode())


async def test_every_path_is_recorded_and_the_files_stay_small() -> None:
    assert [name_of(f) for f in FILES] == sorted(p.__name__ for p in (*record.PATIENT, *record.HASTY))
    assert {name_of(f) for f in PLANS} == set(ENDINGS)
    assert sum(f.stat().st_size for f in FILES) < 1_500_000


@pytest.mark.parametrize("path", FILES, ids=name_of)
async def test_it_replays(path: Path) -> None:
    verdict = await replay.judged(CONVERTER, recorded(path))
    assert verdict.problem == "", verdict


@pytest.mark.parametrize("path", PLANS, ids=name_of)
async def test_it_ended_as_its_name_says(path: Path) -> None:
    statuses: list[str] = []
    for event in recorded(path).events:
        if event.event_type == EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES:
            fields = event.upsert_workflow_search_attributes_event_attributes.search_attributes.indexed_fields
            if STATUS.name not in fields:
                continue  # A change version alone.
            status = str(default().payload_converter.from_payload(fields[STATUS.name]))
            statuses += [status] if statuses[-1:] != [status] else []
    assert statuses == ENDINGS[name_of(path)]
    assert recorded(path).events[-1].event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED


@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("plan_unknown_outcome", {"read_back"}),
        ("plan_asked_and_answered", {"request_prompt_slot"}),
        ("plan_rolled_back", {"undo_step"}),
        ("chat_plan_drafted", {"draft", "execute_command"}),
        ("chat_clarified", {"look_up", "draft"}),
        ("chat_request_dropped", {"draft", "execute_command"}),
        ("chat_critiqued", {"reason", "draft", "critique"}),
        ("chat_undo_typed", {"draft", "get_plan", "execute_command"}),
        ("chat_answer_typed", {"draft", "execute_command"}),
        ("chat_person_answered", {"load_chat_memory"}),
        ("escalation_resolved", {"record_escalation", "call_webhook", "deliver_staff_reply"}),
        ("escalation_lapsed", {"record_escalation", "call_webhook", "deliver_staff_reply"}),
    ],
)
async def test_it_met_what_it_was_recorded_for(name: str, marks: set[str]) -> None:
    events = recorded(HERE / f"{name}.json.gz").events
    scheduled = {e.activity_task_scheduled_event_attributes.activity_type.name for e in events}
    assert marks <= scheduled


async def test_the_continued_chat_continues() -> None:
    last = recorded(HERE / "chat_continued.json.gz").events[-1]
    assert last.event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW


@pytest.mark.parametrize("path", PLANS, ids=name_of)
async def test_a_plan_that_takes_another_way_is_reported(path: Path) -> None:
    replayer = Replayer(
        workflows=[PlanThatCallsFirst], data_converter=CONVERTER, workflow_runner=UnsandboxedWorkflowRunner()
    )
    result = await replayer.replay_workflow(recorded(path), raise_on_replay_failure=False)
    assert isinstance(result.replay_failure, NondeterminismError), result.replay_failure


def open_at(path: Path, tasks: int) -> WorkflowHistory:
    """Return a recorded plan as it was while it still ran, after so many of its tasks."""
    events, whole = recorded(path).events, []
    for event in events:
        tasks -= event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED
        if tasks < 0:
            break
        whole.append(event)
    return WorkflowHistory(name_of(path), whole)


@pytest.mark.parametrize("tasks", [1, 2, 4])
async def test_a_plan_that_still_runs_replays(tasks: int) -> None:
    verdict = await replay.judged(CONVERTER, open_at(HERE / "plan_completed.json.gz", tasks))
    assert verdict.problem == "", verdict


async def test_a_sleep_before_the_first_timer_is_reported_though_temporal_s_replay_lets_it_pass() -> None:
    waits = open_at(HERE / "plan_expired.json.gz", 1)
    plain = Replayer(
        workflows=[PlanThatSleepsFirst], data_converter=CONVERTER, workflow_runner=UnsandboxedWorkflowRunner()
    )
    assert (await plain.replay_workflow(waits, raise_on_replay_failure=False)).replay_failure is None
    verdict = await replay.judged(CONVERTER, waits, [PlanThatSleepsFirst], UnsandboxedWorkflowRunner())
    assert "and today's code sets one of 3600 s" in verdict.problem


async def test_a_timer_behind_all_that_was_recorded_is_reported() -> None:
    waits = open_at(HERE / "plan_expired.json.gz", 1)
    verdict = await replay.judged(CONVERTER, waits, [PlanThatRemindsItself], UnsandboxedWorkflowRunner())
    assert "a timer of 77 s that was not there" in verdict.problem


DAMAGED = {
    "nothing": (b"", "it is not JSON"), "no text": (b"\xff\xfe", "it is not text"),
    "no object": (b"[]", "it cannot be read"),
    "no events": (b'{"events": []}', "it does not begin with the start of a workflow"),
}  # fmt: skip


def shown_of(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Return the exit code of `iq replay FILE`, and its output."""
    settings = Settings(_env_file=None, keys=record.KEYS.read_text())
    code = asyncio.run(replay.run(settings, str(path)))
    printed = capsys.readouterr()
    return code, printed.out + printed.err


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_file_that_is_no_history(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, (content, why) = tmp_path / "one.json", DAMAGED[kind]
    path.write_bytes(content)
    code, shown = shown_of(path, capsys)
    assert (code, why in shown, str(path) in shown) == (2, True, True), shown


@pytest.mark.parametrize(("without", "why"), [(0, "it does not begin with"), (7, "event 8 is missing")])
def test_a_history_that_has_lost_an_event(
    without: int, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = json.loads(gzip.decompress((HERE / "plan_completed.json.gz").read_bytes()))
    del whole["events"][without]
    path = tmp_path / "one.json"
    path.write_text(json.dumps(whole))
    code, shown = shown_of(path, capsys)
    assert code == 2 and why in shown, shown


def test_a_history_in_a_file_replays_and_a_begun_one_has_nothing_to_compare(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = HERE / "plan_completed.json.gz"
    code, shown = shown_of(packed, capsys)
    assert code == 0 and "events replay as they were recorded" in shown, shown
    whole = json.loads(gzip.decompress(packed.read_bytes()))
    whole["events"] = whole["events"][:2]
    path = tmp_path / "begun.json"
    path.write_text(json.dumps(whole))
    code, shown = shown_of(path, capsys)
    assert code == 2 and "nothing to compare" in shown, shown


async def test_an_import_that_the_interpreter_lost_is_made_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    made = replay._replayed
    tries: list[str] = []

    async def lost_at_first(*given: Any) -> replay.Verdict:
        tries.append("once")
        if len(tries) == 1:
            raise RuntimeError("Failed validating workflow Plan") from KeyError(140377988270976)
        return await made(*given)

    monkeypatch.setattr(replay, "_replayed", lost_at_first)
    verdict = await replay.judged(CONVERTER, recorded(HERE / "plan_expired.json.gz"))
    assert (verdict.problem, len(tries)) == ("", 2)


async def test_another_key_ring_cannot_read_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    other = data_converter(parse_ring(f"other:{'A' * 43}="))
    replayer = Replayer(workflows=[PlanWorkflow], data_converter=other)
    result = await replayer.replay_workflow(recorded(PLANS[0]), raise_on_replay_failure=False)
    assert result.replay_failure is not None
    # The output must name the keys, and not blame the code.
    keys = tmp_path / "keys"
    keys.write_text(f"other:{'A' * 43}=\n")
    plain = tmp_path / "plan.json"
    plain.write_bytes(gzip.decompress(PLANS[0].read_bytes()))
    assert await replay.run(Settings(_env_file=None, key_file=keys), str(plain)) == 2
    shown = capsys.readouterr().out
    assert "cannot be opened, so no result" in shown and "iq keys add" in shown and "today's code" not in shown, shown


async def test_a_live_plan_without_a_cache_ends_as_with_one() -> None:
    effects = Effects()
    effects.script("act 2", LOST)
    effects.script("read_back 2", LANDED)
    effects.script("snapshot 3", broken(3))
    async with staged(effects, cached=0) as stage:
        play = await stage.confirmed(*map(a_step, (1, 2, 3)))
        ended = await play.ended()
        assert await play.statuses() == ["confirmed", "executing", "failed", "rolled_back"]
    assert ended.rollback_report is not None and ended.rollback_report.outcome == "complete"
    assert effects.made("act") == ["act 1", "act 2"]
    assert effects.made("undo") == ["undo 2", "undo 1"]


@pytest.mark.parametrize(("today", "reported"), [(900, False), (896, False), (890, True), (910, True)])
def test_a_timer_that_a_worker_set_a_little_late_is_no_change(today: float, reported: bool) -> None:
    then = replay.RecordedCommands(timers={"2": timedelta(seconds=900)})
    now = replay.RecordedCommands(timers={"2": timedelta(seconds=today)})
    assert bool(list(replay.differences(then, now))) is reported


async def test_a_history_of_another_version_is_refused_in_one_sentence() -> None:
    history = recorded(PLANS[0])
    started = history.events[0].workflow_execution_started_event_attributes
    codec = CONVERTER.payload_codec
    assert codec is not None
    [payload] = await codec.decode(started.input.payloads)
    fields = {**json.loads(payload.data), "field_of_another_version": 1}
    payload.data = json.dumps(fields).encode()
    [changed] = await codec.encode([payload])
    started.input.payloads[0].CopyFrom(changed)

    verdict = await replay.judged(CONVERTER, history)

    assert verdict.problem.count("\n") == 0 and "Traceback" not in verdict.problem
    assert "another version of the code recorded this history" in verdict.problem and "PlanStart" in verdict.problem
