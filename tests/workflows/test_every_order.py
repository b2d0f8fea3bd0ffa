"""Every order of a command's arrival at the plan, its commit, the change of the plan's state that it must not come
after, and the loss of the answer to its caller, for each of the five commands: the facade's `Words` and `PlanClient`
before the real workflow.

- A command has taken effect where it arrived before the change, and its answer was not lost before its commit; then
  the caller hears that it counts, also where the answer was lost afterwards.
- One that comes after the change is refused with a conflict, and never asks to commit.
- One whose answer was lost before its commit is answered as unavailable, and never takes effect, whenever it arrives.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

import pytest

from clients import commands as facade
from clients.command_types import CommandKind, CommandResult, PlanCommand
from clients.commands import PlanCommands
from clients.errors import ApiError
from contracts.chat_messages import PlanView
from contracts.enums import PlanStatus, RollbackTrigger, ServiceErrorType, StepStatus
from contracts.plan import ExecutionPlan
from tests.workflows.commanding import Line, Store, claims_from, words_on
from tests.workflows.fakes import Effects, Held
from tests.workflows.rehearsal import POLICY, USER, Play, Stage, a_step, asks
from workflows.plan import activities

pytestmark = pytest.mark.asyncio

TOO_LATE = 61
MINUTE = POLICY.model_copy(update={"confirm_timeout": 60, "answer_timeout": 60})


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No wait of ours ends a call: only the test loses answers, and holds commits."""
    monkeypatch.setattr(facade, "_WITHIN", 600.0)
    monkeypatch.setattr(activities, "CLAIM", activities.CLAIM * 300)


class Scene:
    """A plan that is about to change its state."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.effects = stage, stage.effects
        self.play: Play
        self.acts: Held

    async def pending(self) -> None:
        """A plan that waits for its confirmation for a minute."""
        self.play = await self.stage.plan(policy=MINUTE)

    async def acting(self) -> None:
        """A plan whose first step is being carried out; it can do without its second."""
        self.acts = self.effects.hold("act 1")
        self.play = await self.stage.confirmed(a_step(1), a_step(2).model_copy(update={"required": False}))
        await self.play.reached(self.acts)

    async def acting_last(self) -> None:
        """A plan whose only step is being carried out."""
        self.acts = self.effects.hold("act 1")
        self.play = await self.stage.confirmed()
        await self.play.reached(self.acts)

    async def asking(self) -> None:
        """A plan that asks, for a minute."""
        self.effects.script("reason 1", asks())
        self.play = await self.stage.confirmed(policy=MINUTE)
        await self.play.until(lambda plan: plan.blocking_prompt is not None)

    async def completed(self) -> None:
        """A plan that can be undone for a minute."""
        self.play = await self.stage.confirmed(undo_window=60)
        await self.play.until(lambda plan: plan.status is PlanStatus.COMPLETED)

    async def time_passes(self) -> None:
        """What the plan waits for is given up."""
        await self.stage.pass_time(TOO_LATE)
        await self.play.view()

    async def step_ends(self) -> None:
        """The step under way is done, and the plan would go on."""
        self.acts.let_go()
        await self.play.until(lambda plan: bool(plan.results))


@dataclass(frozen=True)
class Command:
    """One command, and the change that it must come before."""

    kind: CommandKind
    before: Callable[[Scene], Awaitable[None]]
    say: Callable[[PlanCommands, PlanView, PlanCommand], Awaitable[CommandResult]]
    change: Callable[[Scene], Awaitable[None]]
    changed: Callable[[ExecutionPlan], bool]
    """Whether the plan, as it is seen while it runs, is past the change."""
    counts: Callable[[ExecutionPlan, Effects], bool]
    """Whether the plan, as it ended, shows that the command counted."""
    otherwise: PlanStatus
    """How the plan ends without it."""

    @property
    def timed(self) -> bool:
        """Whether the change comes with time, which passes at once only while nothing runs."""
        return self.change is Scene.time_passes


def undone_by(trigger: RollbackTrigger) -> Callable[[ExecutionPlan, Effects], bool]:
    """Whether a plan was taken back because of this."""
    return lambda plan, _: plan.rollback_report is not None and plan.rollback_report.trigger is trigger


COMMANDS = (
    Command(
        CommandKind.CONFIRM,
        Scene.pending,
        lambda words, view, word: words.confirm(view, word, "token"),
        Scene.time_passes,
        lambda plan: plan.status is PlanStatus.EXPIRED,
        lambda plan, effects: plan.status is PlanStatus.COMPLETED and effects.made("act") == ["act 1"],
        PlanStatus.EXPIRED,
    ),
    Command(
        CommandKind.ANSWER,
        Scene.asking,
        lambda words, view, word: words.answer(view, word, "the round one", None),
        Scene.time_passes,
        lambda plan: plan.status is PlanStatus.FAILED,
        lambda plan, effects: plan.status is PlanStatus.COMPLETED and effects.made("act") == ["act 1"],
        PlanStatus.FAILED,
    ),
    Command(
        CommandKind.SKIP,
        Scene.acting,
        lambda words, view, word: words.skip(view, word, 2),
        Scene.step_ends,
        lambda plan: plan.actions[1].status is StepStatus.COMPLETED,
        lambda plan, effects: plan.actions[1].status is StepStatus.SKIPPED and effects.made("act") == ["act 1"],
        PlanStatus.COMPLETED,
    ),
    Command(
        CommandKind.CANCEL,
        Scene.acting_last,
        lambda words, view, word: words.cancel(view, word),
        Scene.step_ends,
        lambda plan: plan.status is PlanStatus.COMPLETED,
        undone_by(RollbackTrigger.CANCELLED),
        PlanStatus.COMPLETED,
    ),
    Command(
        CommandKind.UNDO,
        Scene.completed,
        lambda words, view, word: words.undo(view, word, "token-of-undo"),
        Scene.time_passes,
        lambda plan: plan.undo_until is not None,
        undone_by(RollbackTrigger.UNDO),
        PlanStatus.COMPLETED,
    ),
)

EVENTS = {"A": "arrives", "C": "commit", "S": "state", "L": "lost"}


def orders() -> Iterator[str]:
    """Every order of the events. What comes after the change is never committed."""
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
    """The rule."""
    in_time = order.index("A") < order.index("S")
    return in_time and ("L" not in order or order.index("C") < order.index("L"))


class Order:
    """One order being played."""

    def __init__(self, stage: Stage, command: Command) -> None:
        self.scene, self.command = Scene(stage), command
        self.line, self.store = Line(stage), Store()
        self.store.turns_away = command.timed
        self.store.gate.clear()
        claims_from(stage, self.store)
        self.past = ""

    async def begin(self) -> None:
        """The caller says it, and it is under way."""
        await self.command.before(self.scene)
        view = await self.scene.play.view()
        word = PlanCommand(self.command.kind, USER, "request-1")
        words = words_on(self.line, self.store)
        self.caller = asyncio.ensure_future(self.command.say(words, view, word))
        while self.line.sent is None:  # noqa: ASYNC110
            await asyncio.sleep(0)

    async def play(self, order: str) -> None:
        """Let the events come one after the other."""
        for event in order:
            await getattr(self, EVENTS[event])()
            self.past += event

    async def arrives(self) -> None:
        """The plan hears of it, and asks to commit it unless it is too late."""
        self.line.arrives.set()
        if "S" in self.past:
            assert self.line.sent is not None
            await asyncio.wait([self.line.sent])
        else:
            await self.store.asked[self.line.ticket].wait()

    async def commit(self) -> None:
        """The store decides, and the plan hears of it."""
        self.store.gate.set()
        if self.command.timed:
            await self.scene.stage.pass_time(3)
        await self.store.decided[self.line.ticket].wait()
        if self.line.sent is not None:
            await asyncio.wait([self.line.sent])
        if self.command.kind is CommandKind.ANSWER and "L" not in self.past:
            await self.scene.play.until(lambda plan: plan.blocking_prompt is None)

    async def state(self) -> None:
        """The plan's state changes, or would if no commit were under way."""
        await self.command.change(self.scene)
        if "A" not in self.past and not self.command.timed:
            await self.scene.play.until(self.command.changed)

    async def lost(self) -> None:
        """The caller's answer is lost."""
        self.line.lost.set()
        await asyncio.wait([self.caller])

    async def end(self) -> tuple[CommandResult | ApiError, ExecutionPlan]:
        """What the caller hears, and the plan as it ended."""
        self.line.answers.set()
        text: CommandResult | ApiError
        try:
            text = await self.caller
        except ApiError as refused:
            text = refused
        return text, await self.scene.play.ended()


@pytest.mark.parametrize("order", list(orders()), ids=named)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.kind.value)
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
