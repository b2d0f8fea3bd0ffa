"""How the workflow handles effects that go wrong. Guarantees:

- The plan reads back a write whose outcome is unknown and never sends it again; what stays unknown is reported for
  staff.
- For a step that may have been applied before the sign-in ran out, the plan asks the operator to sign in and check,
  never to repeat it.
- The plan allows a write the venue's whole time budget to land before it accepts "not applied".
- The plan retries a compensation that the venue refuses for now when the venue's Retry-After allows; one that fails
  does not stop the others.
- The report lists what an undo does not restore; where the undo itself was not seen, the operator is asked to check
  first.
- A compensation is registered before its step acts, and only then.
- An unexpected error fails the workflow visibly, also in the log, after the plan has undone what was applied and wiped
  the token. Such an end is counted and traced once, like any other.
"""

from collections.abc import Callable
from datetime import timedelta

import pytest
from temporalio.client import WorkflowFailureError
from temporalio.exceptions import ApplicationError

from contracts.enums import ErrorType, PlanStatus, StepRollbackOutcome, StepStatus
from contracts.errors import VenueFailure
from contracts.plan import ExecutionPlan, PreviewLine
from contracts.step_activities import ActReply, SnapshotReply, StepUndoResult, WriteOutcome
from contracts.trace_context import REQUEST
from contracts.usage import PlanOutcome
from infra.observability.observer import ProcessObserver, Span
from language.messages import catalogue
from reasoning.execution import guard
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import POLICY, Stage, a_step
from tests.workflows.test_cancellation import LANDED, LOST, rows
from tests.workflows.test_timers import broken

pytestmark = pytest.mark.asyncio


def unclear(seconds: float = 0) -> ActReply:
    """Return a write that may have landed, or may still land within so many seconds."""
    failure = VenueFailure(error_type=ErrorType.TIMEOUT, message="No answer.")
    return ActReply(
        write_outcome=WriteOutcome.UNKNOWN, can_land_for=seconds, failure=failure, evidence="no clear answer"
    )


@pytest.mark.parametrize("write", [LOST, unclear(), unclear(30)], ids=["lost", "unclear", "may still land"])
async def test_a_write_of_unknown_outcome_that_landed_counts(stage: Stage, effects: Effects, write: object) -> None:
    effects.script("act 1", write)
    effects.script("read_back 1", LANDED)
    play = await stage.confirmed(a_step(1), a_step(2))
    ended = await play.ended()
    assert ended.status is PlanStatus.COMPLETED
    assert effects.made("act") == ["act 1", "act 2"], "never sent again"
    assert effects.made("read_back") == ["read_back 1"]


async def test_a_write_that_did_not_land_fails_the_plan_and_is_not_repeated(stage: Stage, effects: Effects) -> None:
    effects.script("act 2", unclear())
    play = await stage.confirmed(a_step(1), a_step(2))
    ended = await play.ended()
    assert ended.status is PlanStatus.ROLLED_BACK
    assert ended.failure is not None and ended.failure.error_type is ErrorType.TIMEOUT
    assert "Nothing of this change shows so far" in ended.failure.message
    assert effects.made("act") == ["act 1", "act 2"]
    assert effects.made("undo") == ["undo 1"], "what did not land needs no undoing"
    assert [a.status for a in ended.actions] == [StepStatus.REVERSED, StepStatus.FAILED]


@pytest.mark.parametrize("seen", [unclear(), LOST], ids=["looks like neither", "cannot be read"])
async def test_what_stays_unknown_is_handed_to_a_person(stage: Stage, effects: Effects, seen: object) -> None:
    undone = StepUndoResult(outcome=StepRollbackOutcome.FAILED, message="not certain", manual="look at booking 8231")
    effects.script("act 2", LOST)
    effects.script("read_back 2", seen)
    effects.script("undo 2", undone)
    play = await stage.confirmed(a_step(1), a_step(2))
    ended = await play.ended()
    assert ended.failure is not None and ended.failure.error_type is ErrorType.UNKNOWN_OUTCOME
    assert ended.actions[1].status is StepStatus.UNKNOWN
    assert rows(ended) == [(2, "failed"), (1, "reversed")]
    assert ended.rollback_report is not None and ended.rollback_report.manual_steps == ("look at booking 8231",)
    assert effects.made("act") == ["act 1", "act 2"]
    assert [r.applied for label in ("undo 2", "undo 1") for r in effects.requests[label]] == [False, True]


async def test_what_may_have_been_done_before_the_sign_in_ran_out_is_not_to_be_repeated(
    stage: Stage, effects: Effects
) -> None:
    signed_out = VenueFailure(
        error_type=ErrorType.UNAUTHORIZED,
        status=401,
        message="Your sign-in is over.",
        suggestions=("Sign in and repeat it",),
    )
    effects.script(
        "act 1", ActReply(write_outcome=WriteOutcome.UNKNOWN, failure=signed_out, evidence="the venue answered 401")
    )
    effects.script("read_back 1", ActReply(write_outcome=WriteOutcome.UNKNOWN, failure=signed_out))
    effects.script("undo 1", StepUndoResult(outcome=StepRollbackOutcome.FAILED, message="not certain", manual="look"))
    ended = await (await stage.confirmed(a_step(1))).ended()
    assert ended.actions[0].status is StepStatus.UNKNOWN
    assert ended.failure is not None and ended.failure.error_type is ErrorType.UNAUTHORIZED
    assert "not certain" in ended.failure.message and "Your sign-in is over." in ended.failure.message
    assert "did not work" not in ended.failure.message
    assert ended.failure.suggestions == (
        catalogue.translate("refuse.sign_in_rejected_next"), catalogue.translate("next.unknown_outcome"),
    )  # fmt: skip


@pytest.mark.parametrize(("write", "seconds"), [(LOST, 22), (unclear(45), 45)], ids=["lost", "unclear"])
async def test_a_write_may_still_land_for_the_whole_budget_of_its_call(
    stage: Stage, effects: Effects, write: object, seconds: float
) -> None:
    effects.script("act 1", write)
    play = await stage.confirmed(a_step(1))
    began = await stage.now()
    await play.ended()
    until = effects.requests["read_back 1"][0].until
    at_most = 60 + 2 if write is LOST else seconds
    assert timedelta(seconds=at_most - 5) < until - began <= timedelta(seconds=at_most + 15)


GONE = "The sign-in that this service kept for this is gone, or can no longer be read."


@pytest.mark.parametrize(("status", "why"), [(None, GONE), (401, "Not you.")], ids=["lost by our store", "refused"])
async def test_a_sign_in_that_our_store_has_lost_is_not_reported_as_refused_by_the_venue(
    stage: Stage, effects: Effects, status: int | None, why: str
) -> None:
    failure = VenueFailure(error_type=ErrorType.UNAUTHORIZED, status=status, message="Not you.")
    effects.script("act 2", ActReply(write_outcome=WriteOutcome.NOT_APPLIED, sent=False, failure=failure))
    undone = StepUndoResult(
        outcome=StepRollbackOutcome.FAILED, message="“Change 1” could not be undone: Not you.", failure=failure
    )
    effects.script("undo 1", undone)
    policy = POLICY.model_copy(update={"sign_in_timeout": 1})
    ended = await (await stage.confirmed(a_step(1), a_step(2), policy=policy)).ended()
    assert ended.failure is not None and ended.rollback_report is not None
    assert ended.failure.message == f"Step 2 (Change 2) did not work: {why}"
    assert ended.rollback_report.steps[0].message == f"“Change 1” could not be undone: {why}"


@pytest.mark.parametrize("sent", [False, True])
async def test_a_reversal_that_is_given_up_says_whether_anything_was_sent_and_why(
    stage: Stage, effects: Effects, sent: bool
) -> None:
    failure = VenueFailure(error_type=ErrorType.NETWORK, message="It broke off.")
    reply = StepUndoResult(
        outcome=StepRollbackOutcome.FAILED, message="", manual="Put it back.", sent=sent, failure=failure
    )
    effects.script("undo 1", ApplicationError("network", reply, type="network", non_retryable=True))
    effects.script("snapshot 2", broken(2))
    report = (await (await stage.confirmed(a_step(1), a_step(2))).ended()).rollback_report
    assert report is not None
    [row], [manual] = report.steps, report.manual_steps
    if sent:
        assert row.message == "It is not certain whether “Change 1” was undone: It broke off."
        assert manual.startswith("Look first whether it is undone") and manual.endswith("Put it back.")
    else:
        assert row.message == "“Change 1” was not undone, and nothing was sent to undo it: It broke off."
        assert manual == "Put it back."


async def test_a_venue_s_retry_after_is_honoured(stage: Stage, effects: Effects) -> None:
    busy = ApplicationError("429", type="rate_limited", next_retry_delay=timedelta(seconds=90))
    effects.script("undo 1", busy, ApplicationError("503", type="server_error"))
    effects.script("snapshot 2", broken(2))
    began = await stage.now()
    play = await stage.confirmed(a_step(1), a_step(2))
    ended = await play.ended()
    assert rows(ended) == [(1, "reversed")]
    assert effects.made("undo") == ["undo 1"] * 3
    assert ended.completed_at is not None
    assert timedelta(seconds=90) < ended.completed_at - began


@pytest.mark.parametrize(
    "reply",
    [
        ApplicationError("boom", non_retryable=True),
        StepUndoResult(outcome=StepRollbackOutcome.FAILED, message="403", manual="by hand, step 2"),
    ],
    ids=["raises", "is refused"],
)
async def test_a_reversal_that_fails_does_not_stop_the_others(stage: Stage, effects: Effects, reply: object) -> None:
    effects.script("snapshot 4", broken(4))
    effects.script("undo 2", reply)
    play = await stage.confirmed(*map(a_step, (1, 2, 3, 4)))
    ended = await play.ended()
    assert rows(ended) == [(3, "reversed"), (2, "failed"), (1, "reversed")]
    assert ended.rollback_report is not None
    assert len(ended.rollback_report.manual_steps) == 1 and "step 2" in ended.rollback_report.manual_steps[0]
    assert effects.made("undo") == ["undo 3", "undo 2", "undo 1"]
    assert ended.rollback_report.outcome == "partial"


async def test_an_irreversible_step_is_reported_and_never_sent_to_undo(stage: Stage, effects: Effects) -> None:
    effects.script("snapshot 3", broken(3))
    play = await stage.confirmed(a_step(1), a_step(2, reversible=False), a_step(3))
    ended = await play.ended()
    assert rows(ended) == [(2, "irreversible"), (1, "reversed")]
    assert ended.rollback_report is not None
    assert ended.rollback_report.manual_steps == ("put step 2 back by hand",)
    assert effects.made("undo") == ["undo 1"]


async def test_an_irreversible_step_of_unknown_outcome_is_looked_at(stage: Stage, effects: Effects) -> None:
    effects.script("act 2", ActReply(write_outcome=WriteOutcome.UNKNOWN))
    effects.script("read_back 2", ActReply(write_outcome=WriteOutcome.UNKNOWN))
    play = await stage.confirmed(a_step(1), a_step(2, reversible=False))
    await play.ended()
    assert effects.made("undo") == ["undo 2", "undo 1"]
    assert not effects.requests["undo 2"][0].applied, "whether it was done is found out, not said"


async def test_ground_that_moved_is_a_conflict_and_nothing_is_sent(stage: Stage, effects: Effects) -> None:
    effects.script("snapshot 2", SnapshotReply(before={}, drifted=(2,), manual="m"))
    play = await stage.confirmed(a_step(1), a_step(2))
    ended = await play.ended()
    assert ended.failure is not None and ended.failure.error_type is ErrorType.CONFLICT
    assert "not as this plan expects it" in ended.failure.message
    assert effects.made("act") == ["act 1"]
    assert effects.made("undo") == ["undo 1"]


async def recorded(stage: Stage, failed: WorkflowFailureError, workflow_id: str) -> ExecutionPlan:
    """Return the last state of a plan whose workflow failed: GET answers with it."""
    assert isinstance(failed.cause, ApplicationError) and failed.cause.type == "unexpected"
    description = await stage.env.client.get_workflow_handle(workflow_id).describe()
    plan = await description.memo_value("plan", type_hint=ExecutionPlan)
    assert isinstance(plan, ExecutionPlan)
    return plan


async def test_an_answer_that_no_one_expected_fails_visibly_and_undoes_what_was_applied(
    stage: Stage, effects: Effects
) -> None:
    effects.script("act 2", unclear(1e300))
    play = await stage.confirmed(a_step(1), a_step(2), a_step(3))
    with pytest.raises(WorkflowFailureError) as failed:
        await play.ended()
    plan = await recorded(stage, failed.value, play.handle.id)
    assert plan.status is PlanStatus.ROLLED_BACK
    assert rows(plan) == [(2, "reversed"), (1, "reversed")], "step 2 may have been applied"
    assert [r.applied for label in ("undo 2", "undo 1") for r in effects.requests[label]] == [False, True]
    assert effects.made("undo") == ["undo 2", "undo 1"]
    assert effects.made("wipe") == ["wipe tok-1"]
    assert [a.status for a in plan.actions] == [StepStatus.REVERSED, StepStatus.REVERSED, StepStatus.SKIPPED]


async def test_a_mistake_in_workflow_code_fails_visibly_and_undoes_what_was_applied(
    stage: Stage, effects: Effects, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def mistaken(call: object, action: object, *rest: object, **more: object) -> guard.Verdict:
        if "change_2" in str(action):
            raise KeyError("a mistake")
        return guard.Allow({})

    counted: list[object] = []
    monkeypatch.setattr(guard, "judge", mistaken)
    monkeypatch.setattr(ProcessObserver.observer, "count", lambda what, **labels: counted.append((what, labels)))
    play = await stage.confirmed(a_step(1), a_step(2))
    with pytest.raises(WorkflowFailureError) as failed:
        await play.ended()
    plan = await recorded(stage, failed.value, play.handle.id)
    assert plan.status is PlanStatus.ROLLED_BACK
    assert plan.failure is not None and "undone as far as possible" in plan.failure.message
    assert effects.made("undo") == ["undo 1"]
    assert effects.made("wipe") == ["wipe tok-1"]
    assert "a mistake" not in str(failed.value.cause), "the message tells the kind, not the content"
    assert caplog.messages.count("a plan ended unexpectedly") == 1
    assert counted == [("broken_plan", {"venue": plan.venue_id})]


@pytest.mark.parametrize("where", ["carrying out", "putting back"])
async def test_a_plan_that_a_mistake_ends_is_reported_and_counted_once_as_it_stands(
    stage: Stage, effects: Effects, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def judge(call: object, action: object, *rest: object, **more: object) -> guard.Verdict:
        if "change_2" in str(action):
            raise KeyError("a mistake")
        return guard.Allow({})

    def template(language: str, key: str) -> object:
        if key == "undo.failed_in_time":
            raise KeyError("another one")
        return found(language, key)

    found = catalogue._template
    ends: list[PlanOutcome] = []
    shown: list[Span] = []

    def note(name: str, trace_id: str, *, outcome: Callable[[], PlanOutcome], **fields: object) -> None:
        ends.extend(one for one in [outcome()] if one.ends)

    monkeypatch.setattr(guard, "judge", judge)
    if where == "putting back":
        monkeypatch.setattr(catalogue, "_template", template)
        effects.script("undo 1", ApplicationError("no", non_retryable=True))
    monkeypatch.setattr(ProcessObserver.observer, "note", note)
    monkeypatch.setattr(ProcessObserver.observer, "spans", lambda trace_id, spans: shown.extend(spans))
    play = await stage.confirmed(a_step(1), a_step(2))
    with pytest.raises(WorkflowFailureError):
        await play.ended()
    keys = [span.key for span in shown]

    assert [one.settled for one in ends] == [True], "so that all who count, count it"
    assert keys.count(REQUEST) == 1 and len(keys) == len(set(keys))
    assert {span.parent for span in shown if span.key != REQUEST} - set(keys) == set(), "the trace is whole"


async def test_a_model_that_stays_away_fails_the_plan_and_undoes_it(stage: Stage, effects: Effects) -> None:
    effects.script("reason 2", *(ApplicationError("no answer", type="model_unavailable") for _ in range(3)))
    play = await stage.confirmed(a_step(1), a_step(2))
    ended = await play.ended()
    assert ended.status is PlanStatus.ROLLED_BACK
    assert ended.failure is not None and ended.failure.error_type is ErrorType.SERVER_ERROR
    assert effects.calls.count("reason 2") == 3
    assert effects.made("undo") == ["undo 1"]


async def test_a_token_that_cannot_be_wiped_does_not_fail_the_plan(stage: Stage, effects: Effects) -> None:
    effects.script("wipe tok-1", ApplicationError("no vault", non_retryable=True))
    play = await stage.confirmed(a_step(1))
    assert (await play.ended()).status is PlanStatus.COMPLETED


@pytest.mark.parametrize(("sent", "seen", "begins"), [
    (True, True, "“Change 1” is undone, but"), (True, False, "Look first whether"),
    (False, True, "“Change 1” was as before already, so nothing was sent"),
])  # fmt: skip
async def test_what_is_stated_of_an_undo_is_what_was_sent_and_seen(
    stage: Stage, effects: Effects, sent: bool, seen: bool, begins: str
) -> None:
    lasting = PreviewLine(field="Extras", before=None, after="not kept", lasting=True)
    step = a_step(1).model_copy(update={"preview": (lasting,)})
    effects.script("snapshot 2", broken(2))
    reply = StepUndoResult(outcome=StepRollbackOutcome.REVERSED, message="So it went.", seen=seen, sent=sent)
    effects.script("undo 1", reply)
    ended = await (await stage.confirmed(step, a_step(2))).ended()
    assert ended.rollback_report is not None
    [shown] = ended.rollback_report.manual_steps
    assert "Extras: not kept" in shown and shown.startswith(begins), shown
