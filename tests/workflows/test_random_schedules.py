"""Random schedules of a plan and its operators' commands: steps of random length, some of which ask or fail, commands
at random moments by the plan's operator and by another one, requests that arrive late or never, answers that are lost,
commits whose answer is lost, and time that passes. The API's `PlanCommands` and `PlanClient` run against the real
workflow. Guarantees:

- A command that the API answers as accepted has taken effect.
- A command that the API answers as refused never takes effect, and one that the plan rejects as too late never asked to
  commit.
- What the store has committed has taken effect, and what the plan shows was committed.
- No command of another operator is ever committed; no step begins after a cancel was answered; no write is sent twice.

A schedule is drawn from its seed, the test's parameter: `pytest "tests/workflows/test_random_schedules.py" -k seed7-`.
Its moments are counted in answers of the plan, not by a clock. `make test` plays 12, `make test-all` 200.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from clients import commands as facade
from clients.errors import ApiError
from contracts.chat_messages import PlanView
from contracts.commands import AnswerPrompt, CancelPlan, CommandKind, ConfirmPlan, PlanCommand, SkipStep, UndoPlan
from contracts.enums import ErrorType, PlanStatus, RollbackTrigger, ServiceErrorType, StepStatus
from contracts.errors import VenueFailure
from contracts.plan import ExecutionPlan
from contracts.step_activities import ActReply, DraftedStep, WriteOutcome
from infra.stores.command_store import COMMITTED, CommandResult, idempotency_key, taken_under
from language.messages.catalogue import translate
from tests.workflows.commanding import HeldCommandStore, Line, claims_from, plan_id, words_on
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import POLICY, USER, Play, Stage, a_step, asks, staged
from workflows.plan import activities, rollback

pytestmark = pytest.mark.asyncio

IN_MAKE_TEST, ALL = 8, 200
MINUTE = POLICY.model_copy(
    update={
        "confirm_timeout": 60, "answer_timeout": 60, "heartbeat": 3600, "call_timeout": 3600, "model_timeout": 3600,
        "rollback_timeout": 3600, "start_within": 3600,
    }
)  # fmt: skip
STRANGER = "operator-2"
KINDS = (
    CommandKind.SKIP,
    CommandKind.SKIP,
    CommandKind.ANSWER,
    CommandKind.ANSWER,
    CommandKind.CANCEL,
    CommandKind.UNDO,
    CommandKind.CONFIRM,
    CommandKind.DROP,
)
LAST_TURN = 30


class Turns:
    """Moments, counted in answers of the plan."""

    def __init__(self) -> None:
        self.now, self.free, self.hurry = 0, False, False
        self._next = asyncio.Event()

    def turn(self) -> None:
        """Advance by a moment."""
        self.now += 1
        self._next.set()
        self._next = asyncio.Event()

    def let_go(self) -> None:
        """Stop all waits for moments."""
        self.free = True
        self.turn()

    async def until(self, turn: int) -> None:
        """Wait for a moment."""
        while self.now < turn and not self.free:
            await self._next.wait()

    async def take(self, turns: int) -> None:
        """Wait so many moments, or none once everything is to hurry."""
        until = self.now + turns
        while self.now < until and not (self.free or self.hurry):
            await self._next.wait()


class Paced(Effects):
    """Effects that each take their number of moments."""

    def forget(self) -> None:
        """Reset everything."""
        super().forget()
        self.turns, self.seed = Turns(), 0

    async def _answer(self, label: str, request: Any, usual: Any) -> Any:
        draw = Random(f"{self.seed} {label.split('#')[0]} {self.calls.count(label)}")
        await self.turns.take(draw.choice((0, 0, 1, 2, 5)))
        return await super()._answer(label, request, usual)


class Leaky(HeldCommandStore):
    """A store that loses some of its decisions on their way to the plan, which asks again."""

    def __init__(self, draw: Random) -> None:
        super().__init__()
        self._draw = draw

    async def commit(self, ticket: str, by: str = "") -> bool:
        """See `CommandStore.commit`."""
        granted = await super().commit(ticket, by)
        if self._draw.random() < 0.1:
            raise ConnectionError("the decision was lost")
        return granted


@dataclass
class Command:
    """One command of a schedule, and its result."""

    at: int
    kind: CommandKind
    user: str
    request_id: str
    step: int
    arrives_after: int | None
    lost_after: int | None
    sent_again: bool
    tickets: list[str] = field(default_factory=list)
    heard: CommandResult | ApiError | None = None
    sent: list[asyncio.Task[Any]] = field(default_factory=list)

    def __str__(self) -> str:
        ways = f"arrives after {self.arrives_after}, lost after {self.lost_after}"
        return f"turn {self.at}: {self.kind} {self.step} by {self.user}, {ways}; heard {self.heard!r}"


def a_command(draw: Random, number: int, steps: int) -> Command:
    user = STRANGER if draw.random() < 0.15 else USER
    kind = draw.choice(KINDS)
    lost_after = draw.choice((None, None, None, 0, 1, 3, 6))
    if user == STRANGER and kind is CommandKind.ANSWER:
        # It gets no answer: the API refuses another user's command earlier.
        lost_after = lost_after or 2
    arrives_after = draw.choice((0, 0, 0, 1, 4, None))
    if arrives_after is None:
        lost_after = lost_after or 1
    return Command(
        at=draw.randrange(LAST_TURN),
        kind=kind,
        user=user,
        request_id=f"request-{number}",
        step=draw.randint(1, steps),
        arrives_after=arrives_after,
        lost_after=lost_after,
        sent_again=draw.random() < 0.5,
    )


class Schedule:
    """A plan and its events, drawn from a seed."""

    def __init__(self, stage: Stage, seed: int) -> None:
        assert isinstance(stage.effects, Paced)
        self.stage, self.effects = stage, stage.effects
        self.draw = Random(seed)
        self.effects.seed = seed
        self.turns = self.effects.turns
        self.store = Leaky(Random(seed))
        claims_from(stage, self.store)
        self.steps = [self._step(n) for n in range(1, self.draw.randint(2, 4) + 1)]
        self.commands = [a_command(self.draw, n, len(self.steps)) for n in range(self.draw.randint(4, 10))]
        if self.draw.random() < 0.8:
            self.commands.append(Command(self.draw.randrange(4), CommandKind.CONFIRM, USER, "yes", 0, 0, None, False))
        self.commands.sort(key=lambda command: command.at)
        self.jumps = [self.draw.randrange(LAST_TURN) for _ in range(self.draw.choice((0, 0, 1)))]
        self.play: Play
        self.view: PlanView

    def _step(self, number: int) -> DraftedStep:
        if self.draw.random() < 0.4:
            self.effects.script(f"reason {number}", asks())
        if self.draw.random() < 0.15:
            failure = VenueFailure(error_type=ErrorType.CONFLICT, message="There is no room.")
            self.effects.script(f"act {number}", ActReply(write_outcome=WriteOutcome.NOT_APPLIED, failure=failure))
        return a_step(number).model_copy(update={"required": number == 1 or self.draw.random() < 0.3})

    async def run(self) -> ExecutionPlan:
        """Play the schedule to its end."""
        self.play = await self.stage.plan(*self.steps, policy=MINUTE, undo_window=60)
        self.view = await self.play.view()
        work = [asyncio.create_task(self._command(command)) for command in self.commands]
        work += [asyncio.create_task(self._time_passes(turn)) for turn in self.jumps]
        try:
            while self.turns.now < LAST_TURN + 10 or not all(one.done() for one in work):
                self.view = await self.play.view()
                self.turns.turn()
        finally:
            self.turns.let_go()
        await asyncio.gather(*work)
        plan = await self.play.ended()
        late = [sent for command in self.commands for sent in command.sent]
        await asyncio.gather(*late, return_exceptions=True)
        return plan

    async def _time_passes(self, turn: int) -> None:
        await self.turns.until(turn)
        # Time skips only while nothing runs.
        self.turns.hurry = True
        self.turns.turn()
        await self.stage.pass_time(61)
        self.turns.hurry = False

    async def _command(self, command: Command) -> None:
        await self.turns.until(command.at)
        await self._say(command)
        if command.sent_again and isinstance(command.heard, ApiError):
            await self.turns.until(self.turns.now + 2)
            await self._say(command)

    async def _say(self, command: Command) -> None:
        line = Line(self.stage, self._look)
        line.answers.set()
        fate = asyncio.create_task(self._fate(command, line))
        try:
            command.heard = await words_on(line, self.store).execute(self.view, self._order(command), "token")
        except ApiError as refused:
            command.heard = refused
        await fate
        command.tickets += [line.ticket] if line.ticket else []
        if line.sent is not None:
            command.sent.append(line.sent)
            if command.arrives_after is None:
                line.sent.cancel()

    async def _look(self) -> PlanView:
        """Return the plan as the API reads it at the next moment."""
        await self.turns.until(self.turns.now + 2)
        return self.view

    async def _fate(self, command: Command, line: Line) -> None:
        """Deliver the request, and its answer, or lose them."""
        moments = ((command.arrives_after, line.arrives), (command.lost_after, line.lost))
        for after, event in sorted((m for m in moments if m[0] is not None), key=lambda m: m[0] or 0):
            await self.turns.until(self.turns.now + (after or 0))
            event.set()

    def _order(self, command: Command) -> PlanCommand:
        origin: dict[str, Any] = {"user_id": command.user, "request_id": command.request_id}
        match command.kind:
            case CommandKind.CONFIRM:
                return ConfirmPlan(**origin)
            case CommandKind.ANSWER:
                prompt = self.view.plan.blocking_prompt
                return AnswerPrompt(**origin, text="the round one", prompt_id=prompt.prompt_id if prompt else None)
            case CommandKind.SKIP:
                return SkipStep(**origin, step=command.step)
            case CommandKind.UNDO:
                return UndoPlan(**origin)
            case CommandKind.CANCEL:
                return CancelPlan(**origin)
            case CommandKind.DROP:
                return CancelPlan(**origin, superseded_by="another-plan")


@dataclass
class End:
    """How a schedule ended."""

    plan: ExecutionPlan
    taken: tuple[str, ...]
    calls: list[str]

    def shows(self, command: Command) -> bool:
        """Return whether the plan is as the command wanted it, whichever command caused that."""
        plan, report = self.plan, self.plan.rollback_report
        match command.kind:
            case CommandKind.CONFIRM:
                return plan.confirmed_at is not None
            case CommandKind.ANSWER:
                attempt = idempotency_key(plan.plan_id, CommandKind.ANSWER, command.user, command.request_id)
                return bool(taken_under(attempt, self.taken))
            case CommandKind.SKIP:
                skipped = plan.actions[command.step - 1].status is StepStatus.SKIPPED
                return skipped and f"act {command.step}" not in self.calls
            case CommandKind.CANCEL:
                return plan.status in (PlanStatus.CANCELLED, PlanStatus.FAILED, PlanStatus.ROLLED_BACK)
            case CommandKind.UNDO:
                return report is not None and report.trigger is RollbackTrigger.UNDO
            case CommandKind.DROP:
                return plan.status is PlanStatus.CANCELLED and plan.superseded_by == "another-plan"

    def commands_it_shows(self) -> set[CommandKind]:
        """Return the kinds of commands that must have been committed for the plan to have ended so."""
        plan, report = self.plan, self.plan.rollback_report
        cancelled = plan.status is PlanStatus.CANCELLED and plan.superseded_by is None
        shown = {
            CommandKind.CONFIRM: plan.confirmed_at is not None,
            CommandKind.SKIP: any(a.left_out == translate("plan.left_out_by_operator") for a in plan.actions),
            CommandKind.CANCEL: cancelled or (report is not None and report.trigger is RollbackTrigger.CANCELLED),
            CommandKind.UNDO: report is not None and report.trigger is RollbackTrigger.UNDO,
            CommandKind.DROP: plan.superseded_by is not None,
            CommandKind.ANSWER: bool(self.taken),
        }
        return {kind for kind, holds in shown.items() if holds}


@pytest.fixture(scope="module")
async def paced() -> AsyncIterator[Stage]:
    """A separate server, because here every call takes its moments."""
    async with staged(Paced()) as stage:
        yield stage


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let only a schedule lose answers, and cut nothing off while it takes its moments."""
    monkeypatch.setattr(rollback, "_LOOK", 600.0)
    monkeypatch.setattr(activities, "CLAIM", activities.CLAIM * 300)
    monkeypatch.setattr(facade, "_WITHIN", 600.0)
    monkeypatch.setattr(facade, "_UNDO_WITHIN", 600.0)


def seeds() -> list[Any]:
    """Return every seed; those beyond the first are for `make test-all`."""
    slow = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(IN_MAKE_TEST, ALL)]
    return [*range(IN_MAKE_TEST), *slow]


@pytest.mark.parametrize("seed", seeds(), ids=lambda seed: f"seed{seed}-")
async def test_a_command_has_taken_effect_exactly_when_it_is_committed(paced: Stage, seed: int) -> None:
    paced.effects.forget()
    schedule = Schedule(paced, seed)
    plan = await schedule.run()
    end = End(plan, (await schedule.play.view()).taken_answers, paced.effects.calls)
    story = "\n".join([f"seed {seed}: {plan.status}", *map(str, schedule.commands), *end.calls])
    committed: set[CommandKind] = set()
    for command in schedule.commands:
        started = [t for t in command.tickets if await schedule.store.state(t) == COMMITTED]
        committed |= {command.kind} if started else set()
        assert not started or command.user == USER, f"{command}\n{story}"
        assert not started or end.shows(command), f"committed without effect: {command}\n{story}"
        if isinstance(command.heard, ApiError):
            assert not started, f"refused, and committed: {command}\n{story}"
            # Where the plan's answer was lost, the API reads the plan, which may have ended meanwhile.
            answered = command.lost_after is None and command.tickets
            late = answered and command.heard.kind is ServiceErrorType.CONFLICT
            assert not late or command.tickets[-1] not in schedule.store.asked, f"asked in vain: {command}\n{story}"
        else:
            assert command.heard is not None and end.shows(command), f"accepted without effect: {command}\n{story}"
            _judge_cancel(command, end, story)
    assert end.commands_it_shows() <= committed, f"{end.commands_it_shows() - committed} without a commit\n{story}"
    writes = Counter(call for call in end.calls if call.split()[0] == "act")
    assert all(times == 1 for times in writes.values()), story
    assert plan_id(schedule.play) == plan.plan_id


def _judge_cancel(command: Command, end: End, story: str) -> None:
    """Check that no step begins after a cancel was answered."""
    if (
        command.kind is not CommandKind.CANCEL
        or not isinstance(command.heard, CommandResult)
        or command.heard.plan.stale
    ):
        return
    waiting = {a.step for a in command.heard.plan.actions if a.status is StepStatus.PENDING}
    assert not {f"act {step}" for step in waiting} & set(end.calls), f"begun after {command}\n{story}"
