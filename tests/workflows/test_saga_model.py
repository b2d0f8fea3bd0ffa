"""The saga against a simple reference model, by a Hypothesis state machine. Guarantees, whatever happens at every call
of plans of one to five steps, and wherever cancels, sign-ins and time-outs occur:

- The plan makes exactly the calls that the model makes, in its order: no write twice, no undo too many or too few.
- It ends with the model's status, trigger and step statuses; the report's rows are in strict reverse order.
- Manual steps list exactly what is still applied: an applied step is undone, needed no undo, or is reported.
- The status only takes allowed transitions; every token is wiped in the end.

The real `PlanWorkflow` runs, worker and payloads included, on the server that skips time: each call waits until the
machine gives it its result. No part of Temporal is imitated.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import Future
from typing import Any, ClassVar, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from temporalio.api.enums.v1 import EventType
from temporalio.client import WorkflowUpdateFailedError

from contracts.chat_completion import ModelReply, ToolCall
from contracts.enums import ALLOWED_TRANSITIONS, ErrorType, PlanStatus, StepRollbackOutcome
from contracts.errors import VenueFailure
from contracts.plan import ExecutionPlan
from contracts.step_activities import ActReply, SnapshotReply, StepUndoResult, WriteOutcome
from tests.support.tables import for_test_all
from tests.workflows.puppets import Puppets, busy, lost
from tests.workflows.rehearsal import LIMIT, POLICY, Play, Stage, a_step, asks, staged
from tests.workflows.saga_model import Model, Step

T = TypeVar("T")

REFUSALS = [e for e in ErrorType if e not in (ErrorType.BAD_REQUEST, ErrorType.UNKNOWN_OUTCOME)]
UNHURRIED = POLICY.model_copy(update={"heartbeat": 3600, "call_timeout": 3600, "rollback_timeout": 3600})
"""Calls wait for the machine, which may think as long as it likes."""


def at(*kinds: str) -> Any:
    """Return a precondition: the plan waits for one of these."""
    return precondition(lambda self: self.model.next.split()[0] in kinds and not self.looking)


class PlanMachine(RuleBasedStateMachine):
    """One plan, and everything that may happen to it."""

    loop: ClassVar[asyncio.AbstractEventLoop]
    stage: ClassVar[Stage]
    puppets: ClassVar[Puppets]

    def __init__(self) -> None:
        super().__init__()
        self.looking: Future[Any] | None = None
        self.looks: list[asyncio.Future[Any]] = []
        self.sound = True
        self.tokens = ["tok-1"]

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run this on the loop of the worker."""
        try:
            return asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, LIMIT), self.loop).result()
        except TimeoutError:
            self.sound = False
            events = asyncio.run_coroutine_threadsafe(self._events(), self.loop).result(LIMIT)
            raise AssertionError(f"waits in vain for {self.model.next!r}, behind {events}") from None
        except BaseException:
            self.sound = False
            raise

    async def _events(self) -> list[str]:
        """Return the names of the last events of its history, each with its time."""
        if not hasattr(self, "play"):
            return []
        events = (await self.play.handle.fetch_history()).events[-12:]
        names = [EventType.Name(e.event_type).removeprefix("EVENT_TYPE_") for e in events]
        at = [e.event_time.ToDatetime().strftime("%H:%M:%S.%f") for e in events]
        return [" ".join(one) for one in zip(at, names, strict=True)]

    @initialize(kinds=st.lists(st.booleans(), min_size=1, max_size=5))
    def start(self, kinds: list[bool]) -> None:
        """Confirm a plan of steps that can be undone, or cannot."""
        self.puppets.forget()
        self.model = Model([Step(reversible) for reversible in kinds])
        steps = [a_step(n, reversible=reversible) for n, reversible in enumerate(kinds, 1)]
        self.play: Play = self.wait(self.stage.confirmed(*steps, policy=UNHURRIED))
        self._meet()

    def _meet(self) -> None:
        """Wait until the plan has reached the state of the model."""
        wanted = self.model.next
        if wanted == "answer":
            self.wait(self.play.until(lambda p: p.blocking_prompt is not None))
        elif wanted == "sign_in":
            self.wait(self.play.until(lambda p: p.rollback is not None and p.rollback.state == "waiting_for_sign_in"))
        elif wanted == "window":
            self.wait(self.play.until(lambda p: p.status is PlanStatus.COMPLETED))
        elif wanted == "looks":
            calls = dict(self.wait(self.puppets.next_call(self.play.handle.id)) for _ in self.model.to_look_at)
            self._insist(sorted(calls) == self.model.to_look_at, f"the plan calls {sorted(calls)}")
            self.looks = list(calls.values())
        elif wanted != "end":
            label, self.shown = self.wait(self.puppets.next_call(self.play.handle.id))
            self._insist(label == wanted, f"the plan calls {label}, the model {wanted}")

    def _insist(self, holds: bool, why: str) -> None:
        if not holds:
            self.sound = False
            raise AssertionError(why)

    def _tell(self, reply: Any = None) -> None:
        self._reply(self.shown, reply)

    def _reply(self, call: asyncio.Future[Any], reply: Any) -> None:
        self.loop.call_soon_threadsafe(call.set_result, reply)

    # Calls and their results

    @at("reason")
    @rule(outcome=st.sampled_from(["obeys"] * 8 + ["asks", "refuses", "away"]))
    def reason(self, outcome: str) -> None:
        """Give the model's reply."""
        refusal = ModelReply(tool_calls=(ToolCall(id="r", name="cannot_help", arguments={"message": "no"}),))
        self._tell({"asks": asks(), "refuses": refusal, "away": lost()}.get(outcome))
        self.model.reasoned(outcome)
        self._meet()

    @at("snapshot")
    @rule(outcome=st.sampled_from(["holds"] * 8 + ["drifted", "refused", "lost"]))
    def snapshot(self, outcome: str) -> None:
        """Give the snapshot of what a step will change."""
        self._tell(self._seen(outcome))
        self.model.seen(outcome == "holds")
        self._meet()

    def _seen(self, outcome: str) -> Any:
        refused = VenueFailure(error_type=ErrorType.NOT_FOUND, message="gone")
        return {
            "drifted": SnapshotReply(drifted=(1,)), "refused": SnapshotReply(failure=refused), "lost": lost(),
        }.get(outcome)  # fmt: skip

    @at("act")
    @rule(
        outcome=st.sampled_from(["applied"] * 6 + ["refused", "bad value", "uncertain", "lost"]),
        kind=st.sampled_from(REFUSALS),
    )
    def act(self, outcome: str, kind: ErrorType) -> None:
        """Give a write's result."""
        kind = ErrorType.BAD_REQUEST if outcome == "bad value" else kind
        failure = VenueFailure(error_type=kind, message="no")
        refused = ActReply(write_outcome=WriteOutcome.NOT_APPLIED, failure=failure)
        uncertain = ActReply(write_outcome=WriteOutcome.UNKNOWN, failure=failure)
        self._tell({"refused": refused, "bad value": refused, "uncertain": uncertain, "lost": lost()}.get(outcome))
        self.model.acted("uncertain" if outcome == "lost" else outcome)
        self._meet()

    @at("read_back")
    @rule(outcome=st.sampled_from(["applied", "not_applied", "unknown", "lost"]))
    def read_back(self, outcome: str) -> None:
        """Give the read after a write."""
        self._tell(lost() if outcome == "lost" else ActReply(write_outcome=WriteOutcome(outcome)))
        self.model.read("unknown" if outcome == "lost" else outcome)
        self._meet()

    @at("undo")
    @rule(
        outcome=st.sampled_from(
            ["reversed"] * 4 + ["not_needed", "failed", "irreversible", "lost", "busy", "signed out"]
        )
    )
    def undo(self, outcome: str) -> None:
        """Give a compensation's result."""
        signed_out = VenueFailure(error_type=ErrorType.UNAUTHORIZED, message="sign in")
        kind = StepRollbackOutcome(outcome) if outcome in set(StepRollbackOutcome) else StepRollbackOutcome.FAILED
        failure = signed_out if outcome == "signed out" else None
        reply = StepUndoResult(outcome=kind, message="so it went", failure=failure)
        self._tell({"lost": lost(), "busy": busy()}.get(outcome, reply))
        self.model.undone(outcome)
        if outcome == "busy":
            self.wait(self.stage.pass_time(2))
        self._meet()

    # The operator, and time

    @precondition(lambda self: self.model.next != "end")
    @rule(by_update=st.booleans())
    def cancel(self, by_update: bool) -> None:
        """Cancel, by us or by Temporal; an update is refused once the plan has ended."""
        parked = self.model.next not in ("answer", "window")
        if not by_update:
            self.wait(self.play.cancel_workflow() if parked else self.play.handle.cancel())
        elif self.model.status in ("confirmed", "executing") and not self.model.trigger:
            self.wait(self.play.cancel())
        else:
            self._refused(self.play.cancel())
            return
        self.model.cancel()
        if not parked:
            self._meet()

    def _refused(self, update: Coroutine[Any, Any, Any]) -> None:
        try:
            asyncio.run_coroutine_threadsafe(asyncio.wait_for(update, LIMIT), self.loop).result()
        except WorkflowUpdateFailedError:
            return
        self._insist(False, "that update should have been refused")

    @at("answer")
    @rule(answers=st.booleans())
    def question(self, answers: bool) -> None:
        """Answer the question, or let it time out."""
        if answers:
            self.wait(self.play.answer("table four"))
            self.model.answered()
        else:
            self.wait(self.stage.pass_time(UNHURRIED.answer_timeout + 1))
            self.model.not_answered()
        self._meet()

    @at("sign_in", "undo")
    @rule()
    def sign_in(self) -> None:
        """Give the plan a new token, asked for or not."""
        self.tokens.append(f"tok-{len(self.tokens) + 1}")
        waited = self.model.next == "sign_in"
        self.wait(self.play.sign_in(self.tokens[-1]))
        self.wait(self.play.view())
        self.model.signed_in()
        if waited:
            self._meet()

    @at("sign_in")
    @rule()
    def no_sign_in(self) -> None:
        """Let the grace period pass."""
        self.wait(self.stage.pass_time(UNHURRIED.sign_in_timeout + 1))
        self.model.grace_over()
        self._meet()

    @at("window")
    @rule()
    def undo_plan(self) -> None:
        """Let the operator undo the plan."""
        self.tokens.append(f"tok-{len(self.tokens) + 1}")
        self.looking = asyncio.run_coroutine_threadsafe(self.play.undo(self.tokens[-1]), self.loop)
        self.model.undo_asked()
        self._meet()

    @precondition(lambda self: self.looking is not None)
    @rule(outcome=st.sampled_from(["holds"] * 3 + ["drifted", "refused"]))
    def look_before_undoing(self, outcome: str) -> None:
        """Give the reads of what a completed plan changed: one finds this, the others an unchanged booking."""
        assert self.looking is not None
        one, *others = self.looks
        for other in others:
            self._reply(other, self._would("holds"))
        self._reply(one, self._would(outcome))
        begun = self.model.looked(outcome == "holds")
        error = self.looking.exception(LIMIT)
        self._insist((error is None) == begun, f"undo: {error}")
        self.looking = None
        self._meet()

    def _would(self, outcome: str) -> StepUndoResult:
        refused = VenueFailure(error_type=ErrorType.NOT_FOUND, message="gone") if outcome == "refused" else None
        kind = StepRollbackOutcome.REVERSED if outcome == "holds" else StepRollbackOutcome.FAILED
        return StepUndoResult(outcome=kind, message="so it would go", failure=refused)

    @at("window")
    @rule()
    def too_late(self) -> None:
        """Let the undo window pass."""
        self.wait(self.stage.pass_time(901))
        self.model.window_over()

    # The end

    @at("end")
    @rule()
    def rest(self) -> None:
        """Do nothing: the plan has ended."""

    def teardown(self) -> None:
        """Let everything else succeed, and compare."""
        if not hasattr(self, "play"):
            return
        try:
            self._finish()
        finally:
            self.puppets.ended.add(self.play.handle.id)

    def _finish(self) -> None:
        if not self.sound:
            asyncio.run_coroutine_threadsafe(self.play.handle.terminate(), self.loop).result(LIMIT)
            return
        well: dict[str, Any] = {
            "reason": lambda: self.reason("obeys"), "snapshot": lambda: self.snapshot("holds"),
            "act": lambda: self.act("applied", ErrorType.CONFLICT), "read_back": lambda: self.read_back("applied"),
            "undo": lambda: self.undo("reversed"), "answer": lambda: self.question(True), "sign_in": self.sign_in,
            "window": self.too_late,
        }  # fmt: skip
        while self.model.next != "end":
            if self.looking is not None:
                self.look_before_undoing("holds")
            else:
                well[self.model.next.split()[0]]()
        self._compare(self.wait(self.play.ended()))

    def _compare(self, plan: ExecutionPlan) -> None:
        model, calls = self.model, self.puppets
        report = plan.rollback_report
        assert plan.status == model.status
        assert [int(c.split()[1]) for c in calls.made("act")] == model.sent
        assert calls.made("undo") == model.undo_calls
        assert [a.status.value for a in plan.actions] == [s.status for s in model.steps]
        assert (report is None) == (model.trigger == "")
        if report is not None:
            assert report.trigger == model.trigger
            assert [(r.step, r.outcome.value) for r in report.steps] == model.rows
            assert [r.step for r in report.steps] == sorted(model.may_stand, reverse=True)
            assert len(report.manual_steps) == model.manual
            assert (report.outcome == "complete") == (model.manual == 0)
        elif plan.status is not PlanStatus.COMPLETED:
            assert not model.may_stand, "what was applied is reversed or reported"
        assert set(calls.made("wipe")) == {f"wipe {t}" for t in self._wiped(plan)}
        statuses = [PlanStatus(s) for s in ("pending_confirmation", *self.wait(self.play.statuses()))]
        for one, other in itertools.pairwise(statuses):
            assert other in ALLOWED_TRANSITIONS[one], statuses

    def _wiped(self, plan: ExecutionPlan) -> list[str]:
        """Return every token except that of a refused undo, which the API wipes."""
        undone = plan.rollback_report is not None
        return self.tokens if undone else self.tokens[:1]


@pytest.fixture(scope="module")
async def theatre_of_puppets() -> AsyncIterator[Stage]:
    """A separate server, because here every call waits."""
    async with staged(Puppets()) as stage:
        yield stage


@pytest.mark.asyncio
@pytest.mark.parametrize("examples", [15, *for_test_all(100)])
async def test_the_saga_does_what_the_model_does(theatre_of_puppets: Stage, examples: int) -> None:
    assert isinstance(theatre_of_puppets.effects, Puppets)
    PlanMachine.loop = asyncio.get_running_loop()
    PlanMachine.stage, PlanMachine.puppets = theatre_of_puppets, theatre_of_puppets.effects
    how = settings(
        max_examples=examples, stateful_step_count=35, deadline=None, database=None, print_blob=True,
        suppress_health_check=list(HealthCheck), report_multiple_bugs=False,
        # Each run of a plan that never reaches its state costs a minute: the first failure is enough.
        phases=[Phase.generate],
    )  # fmt: skip
    await asyncio.to_thread(run_state_machine_as_test, PlanMachine, settings=how)
