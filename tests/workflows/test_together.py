"""Steps that run in parallel, where the venue allows it (multi-step messaging, "Parallel Step Execution"). Guarantees:

- Independent steps act at the same time; steps on the same booking, or that depend on another step, do not. An
  irreversible step runs alone, after all before it. Where the venue does not allow it, nothing runs in parallel.
- Where one step fails, the others send nothing more, the plan waits for what they sent, and undoes everything applied
  in the reverse order of how it ended: for every way in which three steps can end, and in every order.
- A cancel waits for all running steps; the plan asks one question at a time.
- The plan calls the model for each step separately, with exactly one open step in the plan it is given.
"""

import itertools
from datetime import timedelta

import pytest

from contracts.enums import ErrorType, PlanStatus, StepStatus
from contracts.errors import VenueFailure
from contracts.plan import ExecutionPlan
from contracts.step_activities import ActReply, DraftedStep, StateFingerprint, WriteOutcome
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import Stage, a_step, asks

pytestmark = pytest.mark.asyncio

FULL = ActReply(
    write_outcome=WriteOutcome.NOT_APPLIED,
    failure=VenueFailure(error_type=ErrorType.CONFLICT, status=409, message="It is full."),
)


def on(number: int, ground: str = "", **more: object) -> DraftedStep:
    """Return a step on its own booking, unless a ground is given."""
    step = a_step(number, reversible=bool(more.pop("reversible", True)))
    key = ground or f"ground-{number}"
    grounds = (StateFingerprint(key=key, covers=("status",), digest=f"d{number}"),)
    return step.model_copy(update={"fingerprints": grounds, **more})


def rows(plan: ExecutionPlan) -> list[int]:
    assert plan.rollback_report is not None, plan
    return [row.step for row in plan.rollback_report.steps]


async def test_independent_steps_act_at_the_same_time(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(on(1), on(2), parallel=True)
    first, second = effects.hold("act 1"), effects.hold("act 2")
    await play.confirm()
    await play.reached(first)
    await play.reached(second)
    running = (await play.view()).plan
    assert [a.status for a in running.actions] == [StepStatus.RUNNING] * 2
    second.let_go()
    await play.until(lambda p: p.actions[1].status is StepStatus.COMPLETED)
    first.let_go()
    ended = await play.ended()
    assert (ended.status, ended.summary) == (PlanStatus.COMPLETED, "Step 1 is done. Step 2 is done.")


@pytest.mark.parametrize(
    ("steps", "parallel"),
    [
        ((on(1), on(2)), False),
        ((on(1, "same"), on(2, "same")), True),
        ((on(1), on(2, depends_on=(1,))), True),
        ((on(1), on(2, reversible=False)), True),
        ((on(1, reversible=False), on(2)), True),
        ((on(1), on(2).model_copy(update={"fingerprints": ()})), True),
    ],
    ids=["off", "same ground", "depends", "irreversible behind", "irreversible before", "ground unknown"],
)
async def test_other_steps_act_one_after_the_other(
    stage: Stage, effects: Effects, steps: tuple[DraftedStep, ...], parallel: bool
) -> None:
    play = await stage.confirmed(*steps, parallel=parallel)
    assert (await play.ended()).status is PlanStatus.COMPLETED
    assert [c for c in effects.calls if c.split()[0] in ("reason", "act")] == [
        "reason 1", "act 1", "reason 2", "act 2",
    ]  # fmt: skip


@pytest.mark.parametrize("order", list(itertools.permutations((1, 2, 3))))
@pytest.mark.parametrize("failing", [1, 2, 3])
async def test_what_stands_is_undone_in_reverse_of_how_it_ended(
    stage: Stage, effects: Effects, order: tuple[int, ...], failing: int
) -> None:
    play = await stage.plan(on(1), on(2), on(3), parallel=True)
    held = {n: effects.hold(f"act {n}") for n in order}
    effects.script(f"act {failing}", FULL)
    await play.confirm()
    for one in held.values():
        await play.reached(one)
    for n in order:
        held[n].let_go()
        await play.until(lambda p, n=n: p.actions[n - 1].status is not StepStatus.RUNNING)
    ended = await play.ended()
    assert (ended.status, ended.failure and ended.failure.step) == (PlanStatus.ROLLED_BACK, failing)
    undone = [n for n in reversed(order) if n != failing]
    assert rows(ended) == undone
    assert effects.made("undo") == [f"undo {n}" for n in undone]
    assert effects.made("act") and len(effects.made("act")) == 3


async def test_where_one_fails_the_others_send_nothing_any_more(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(on(1), on(2), on(3), parallel=True)
    looking, thinking = effects.hold("snapshot 2"), effects.hold("reason 3")
    failing = effects.hold("act 1")
    effects.script("act 1", FULL)
    await play.confirm()
    for one in (looking, thinking, failing):
        await play.reached(one)
    failing.let_go()
    await play.until(lambda p: p.actions[0].status is StepStatus.FAILED)
    looking.let_go()
    thinking.let_go()
    ended = await play.ended()
    assert (ended.status, effects.made("act"), effects.made("undo")) == (PlanStatus.FAILED, ["act 1"], [])
    assert [a.status for a in ended.actions] == [StepStatus.FAILED, StepStatus.SKIPPED, StepStatus.SKIPPED]


async def test_a_step_that_the_plan_can_do_without_stops_no_other(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(on(1, required=False), on(2), parallel=True)
    slow = effects.hold("act 2")
    effects.script("act 1", FULL)
    await play.confirm()
    await play.until(lambda p: p.actions[0].status is StepStatus.FAILED)
    await play.reached(slow)
    slow.let_go()
    ended = await play.ended()
    assert (ended.status, effects.made("undo")) == (PlanStatus.COMPLETED, [])


async def test_a_cancel_is_waited_for_by_all(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(on(1), on(2), parallel=True)
    first, second = effects.hold("act 1"), effects.hold("act 2")
    await play.confirm()
    await play.reached(first)
    await play.reached(second)
    await play.cancel()
    first.let_go()
    await play.until(lambda p: p.actions[0].status is StepStatus.COMPLETED)
    assert effects.made("undo") == []
    second.let_go()
    ended = await play.ended()
    assert (ended.status, rows(ended)) == (PlanStatus.ROLLED_BACK, [2, 1])


async def test_questions_are_asked_one_at_a_time(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(on(1), on(2), parallel=True)
    for n in (1, 2):
        effects.script(f"reason {n}", asks(f"Which table for {n}?"))
    await play.confirm()
    asked = []
    for _ in range(2):
        known = list(asked)
        plan = await play.until(
            lambda p, known=known: p.blocking_prompt is not None and p.blocking_prompt.question not in known
        )
        assert plan.blocking_prompt is not None
        asked.append(plan.blocking_prompt.question)
        await play.answer("the round one", prompt_id=plan.blocking_prompt.prompt_id)
    assert sorted(asked) == ["Which table for 1?", "Which table for 2?"]
    assert (await play.ended()).status is PlanStatus.COMPLETED


async def test_anyone_waits_for_an_answer_stops_with_the_others(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(on(1), on(2), parallel=True)
    effects.script("reason 1", asks())
    failing = effects.hold("act 2")
    effects.script("act 2", FULL)
    await play.confirm()
    await play.until(lambda p: p.blocking_prompt is not None)
    await play.reached(failing)
    failing.let_go()
    ended = await play.ended()
    assert (ended.status, ended.blocking_prompt, effects.made("act")) == (PlanStatus.FAILED, None, ["act 2"])
    assert ended.failure is not None and ended.failure.step == 2
    assert ended.completed_at is not None and ended.confirmed_at is not None
    assert ended.completed_at - ended.confirmed_at < timedelta(minutes=1), "at once, not when the question would end"


async def test_a_model_is_reported_of_one_open_step(stage: Stage, effects: Effects) -> None:
    play = await stage.confirmed(on(1), on(2), on(3, "ground-1"), parallel=True)
    assert (await play.ended()).status is PlanStatus.COMPLETED
    shown = {
        n: [(a.step, a.status.value) for a in effects.requests[f"reason {n}"][0].goal if a.status != "completed"]
        for n in (1, 2, 3)
    }
    assert shown == {1: [(1, "pending")], 2: [(2, "pending")], 3: [(3, "pending")]}
    talk = effects.requests["reason 3"][0].messages
    assert [m.role for m in talk].count("tool") == 2, "what came of both stands in what the model is told"
