"""Every order of four events, for each of the five commands: the command arrives at the plan, it is committed, the plan
makes the state change that the command must precede, and the caller loses the answer. The API's `PlanCommands` and
`PlanClient` run against the real workflow. Guarantees:

- A command takes effect if it arrives before the change and its answer is not lost before its commit. The API then
  reports it as accepted, also where the answer is lost afterwards.
- The plan rejects a command that arrives after the change with a conflict, and never commits it.
- The API answers a command whose answer was lost before its commit as unavailable, and it never takes effect, whenever
  it arrives.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

import pytest

from clients import commands as facade
from clients.errors import ApiError
from contracts.commands import AnswerPrompt, CancelPlan, ConfirmPlan, PlanCommand, SkipStep, UndoPlan
from contracts.enums import PlanStatus, RollbackTrigger, ServiceErrorType, StepStatus
from contracts.plan import ExecutionPlan
from infra.stores.command_store import CommandResult
from tests.workflows.commanding import HeldCommandStore, Line, claims_from, words_on
from tests.workflows.fakes import Effects, Held
from tests.workflows.rehearsal import POLICY, USER, Play, Stage, a_step, asks
from workflows.plan import activities

pytestmark = pytest.mark.asyncio

TOO_LATE = 61
MINUTE = POLICY.model_copy(update={"confirm_timeout": 60, "answer_timeout": 60})


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable our time-outs: only the test loses answers and holds commits."""
    monkeypatch.setattr(facade, "_WITHIN", 600.0)
    monkeypatch.setattr(activities, "CLAIM", activities.CLAIM * 300)


class Scene:
    """A plan that is about to change its state."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.effects = stage, stage.effects
        self.play: Play
        self.acts: Held

    async def pending(self) -> None:
        """Start a plan that waits for its confirmation for a minute."""
        self.play = await self.stage.plan(policy=MINUTE)

    async def acting(self) -> None:
        """Start a plan whose first step is running and whose second is optional."""
        self.acts = self.effects.hold("act 1")
        self.play = await self.stage.confirmed(a_step(1), a_step(2).model_copy(update={"required": False}))
        await self.play.reached(self.acts)

    async def acting_last(self) -> None:
        """Start a plan whose only step is running."""
        self.acts = self.effects.hold("act 1")
        self.play = await self.stage.confirmed()
        await self.play.reached(self.acts)

    async def asking(self) -> None:
        """Start a plan that asks, for a minute."""
        self.effects.script("reason 1", asks())
        self.play = await self.stage.confirmed(policy=MINUTE)
        await self.play.until(lambda plan: plan.blocking_prompt is not None)

    async def completed(self) -> None:
        """Start a plan that can be undone for a minute."""
        self.play = await self.stage.confirmed(undo_window=60)
        await self.play.until(lambda plan: plan.status is PlanStatus.COMPLETED)

    async def time_passes(self) -> None:
        """Let the plan's wait time out."""
        await self.stage.pass_time(TOO_LATE)
        await self.play.view()

    async def step_ends(self) -> None:
        """Complete the running step, so that the plan would go on."""
        self.acts.let_go()
        await self.play.until(lambda plan: bool(plan.results))


@dataclass(frozen=True)
class Command:
    """One command, and the state change that it must precede."""

    command: PlanCommand
    before: Callable[[Scene], Awaitable[None]]
    change: Callable[[Scene], Awaitable[None]]
    changed: Callable[[ExecutionPlan], bool]
    """Whether the plan, as it is seen while it runs, is past the change."""
    counts: Callable[[ExecutionPlan, Effects], bool]
    """Whether the plan, as it ended, shows that the command counted."""
    otherwise: PlanStatus
    """How the plan ends without it."""

    @property
    def timed(self) -> bool:
        """Return whether the change comes with time. Time skips only while nothing runs."""
        return self.change is Scene.time_passes


def undone_by(trigger: RollbackTrigger) -> Callable[[ExecutionPlan, Effects], bool]:
    """Return a check whether a plan was rolled back for this trigger."""
    return lambda plan, _: plan.rollback_report is not None and plan.rollback_report.trigger is trigger


COMMANDS = (
    Command(
        ConfirmPlan(user_id=USER, request_id="request-1"),
        Scene.pending,
        Scene.time_passes,
        lambda plan: plan.status is PlanStatus.EXPIRED,
        lambda plan, effects: plan.status is PlanStatus.COMPLETED and effects.made("act") == ["act 1"],
        PlanStatus.EXPIRED,
    ),
    Command(
        AnswerPrompt(user_id=USER, request_id="request-1", text="the round one"),
        Scene.asking,
        Scene.time_passes,
        lambda plan: plan.status is PlanStatus.FAILED,
        lambda plan, effects: plan.status is PlanStatus.COMPLETED and effects.made("act") == ["act 1"],
        PlanStatus.FAILED,
    ),
    Command(
        SkipStep(user_id=USER, request_id="request-1", step=2),
        Scene.acting,
        Scene.step_ends,
        lambda plan: plan.actions[1].status is StepStatus.COMPLETED,
        lambda plan, effects: plan.actions[1].status is StepStatus.SKIPPED and effects.made("act") == ["act 1"],
        PlanStatus.COMPLETED,
    ),
    Command(
        CancelPlan(user_id=USER, request_id="request-1"),
        Scene.acting_last,
        Scene.step_ends,
        lambda plan: plan.status is PlanStatus.COMPLETED,
        undone_by(RollbackTrigger.CANCELLED),
        PlanStatus.COMPLETED,
    ),
    Command(
        UndoPlan(user_id=USER, request_id="request-1"),
        Scene.completed,
        Scene.time_passes,
        lambda plan: plan.undo_until is not None,
        undone_by(RollbackTrigger.UNDO),
        PlanStatus.COMPLETED,
    ),
)

EVENTS = {"A": "arrives", "C": "commit", "S": "state", "L": "lost"}


def orders() -> Iterator[str]:
    """Yield every order of the events. A command that arrives after the change is never committed."""
    found = (
        order if order.index("A") < order.index("S") else tuple(e for e in order if e != "C")
        for events in ("ACS", "ACSL")
        for order in itertools.permutations(events)
        if order.index("A") < order.index("C")
    )
    yield from dict.fromkeys("".join(order) for order in found)


def named(order: str) -> str:
    return "-".join(EVENTS[event] for event in order)


def takes_effect(order: str) -> bool:
    """Return whether the command must take effect in this order."""
    in_time = order.index("A") < order.index("S")
    return in_time and ("L" not in order or order.index("C") < order.index("L"))


class Order:
    """One order, played step by step."""

    def __init__(self, stage: Stage, command: Command) -> None:
        self.scene, self.command = Scene(stage), command
        self.line, self.store = Line(stage), HeldCommandStore()
        self.store.turns_away = command.timed
        self.store.gate.clear()
        claims_from(stage, self.store)
        self.past = ""

    async def begin(self) -> None:
        """Send the command and wait until it is under way."""
        await self.command.before(self.scene)
        view = await self.scene.play.view()
        commands = words_on(self.line, self.store)
        self.caller = asyncio.ensure_future(commands.execute(view, self.command.command, "token"))
        while self.line.sent is None:  # noqa: ASYNC110
            await asyncio.sleep(0)

    async def play(self, order: str) -> None:
        """Play the events in this order."""
        for event in order:
            await getattr(self, EVENTS[event])()
            self.past += event

    async def arrives(self) -> None:
        """Deliver the command: the plan asks to commit it unless it is too late."""
        self.line.arrives.set()
        if "S" in self.past:
            assert self.line.sent is not None
            await asyncio.wait([self.line.sent])
        else:
            await self.store.asked[self.line.ticket].wait()

    async def commit(self) -> None:
        """Let the store decide, and deliver its decision to the plan."""
        self.store.gate.set()
        if self.command.timed:
            await self.scene.stage.pass_time(3)
        await self.store.decided[self.line.ticket].wait()
        if self.line.sent is not None:
            await asyncio.wait([self.line.sent])
        if isinstance(self.command.command, AnswerPrompt) and "L" not in self.past:
            await self.scene.play.until(lambda plan: plan.blocking_prompt is None)

    async def state(self) -> None:
        """Change the plan's state, or try to while a commit is under way."""
        await self.command.change(self.scene)
        if "A" not in self.past and not self.command.timed:
            await self.scene.play.until(self.command.changed)

    async def lost(self) -> None:
        """Lose the caller's answer."""
        self.line.lost.set()
        await asyncio.wait([self.caller])

    async def end(self) -> tuple[CommandResult | ApiError, ExecutionPlan]:
        """Return what the caller gets, and the plan as it ended."""
        self.line.answers.set()
        text: CommandResult | ApiError
        try:
            text = await self.caller
        except ApiError as refused:
            text = refused
        return text, await self.scene.play.ended()


@pytest.mark.parametrize("order", list(orders()), ids=named)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.command.kind.value)
async def test_a_command_counts_exactly_when_its_caller_hears_so(stage: Stage, command: Command, order: str) -> None:
    played = Order(stage, command)
    await played.begin()
    await played.play(order)
    heard, plan = await played.end()
    counts = command.counts(plan, stage.effects)
    assert counts is takes_effect(order)
    if counts:
        assert isinstance(heard, CommandResult) and heard.certain
    else:
        assert plan.status is command.otherwise
        assert isinstance(heard, ApiError)
        unavailable = "L" in order
        assert heard.kind is (ServiceErrorType.SERVICE_UNAVAILABLE if unavailable else ServiceErrorType.CONFLICT)
    assert (played.line.ticket in played.store.asked) is (order.index("A") < order.index("S"))
