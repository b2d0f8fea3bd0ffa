"""A venue with `executor: direct_when_certain` (issue "Guided reasoning", executor economy). Guarantees:

- a plan whose values are all confirmed, or are outputs of earlier steps, calls no model; its effects, its end, what is
  undone and what watchers see are the same as with a model, in parallel or in sequence;
- the model handles surprises: a value that the venue refuses, a value that is missing, one that no step put out;
- the model then sees the call as its own, and its answer goes through the same guard;
- a venue without this setting calls a model for every step.
"""

from typing import Any

import pytest

from contracts.chat_completion import ModelReply, ToolCall
from contracts.enums import ErrorType, PlanStatus
from contracts.errors import VenueFailure
from contracts.events import EventsView
from contracts.plan import ExecutionPlan
from contracts.step_activities import ActReply, DraftedStep, WriteOutcome
from reasoning.execution import placeholders
from tests.unit.reasoning.actions import a_venue
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import Stage, a_step, asks
from tests.workflows.test_timers import broken

pytestmark = pytest.mark.asyncio

DIRECT = "direct_when_certain"
REFUSED = VenueFailure(error_type=ErrorType.BAD_REQUEST, status=400, message="Not accepted.", detail="no such hour")


def with_values(number: int, required: tuple[str, ...] = (), **values: Any) -> DraftedStep:
    """Return a step with these values confirmed, and these parameters required."""
    step = a_step(number)
    parameters = tuple(p.model_copy(update={"required": p.name in required}) for p in step.action.parameters)
    action = step.action.model_copy(update={"parameters": parameters})
    # What a placeholder refers to is not read at drafting time.
    grounds = () if placeholders.present(values) else step.fingerprints
    return step.model_copy(update={"action": action, "parameters": values, "fingerprints": grounds})


async def ran(stage: Stage, *steps: DraftedStep, **how: Any) -> tuple[ExecutionPlan, list[Any]]:
    """Return how a plan ended, and what watchers saw of it."""
    play = await stage.confirmed(*steps, undo_window=0, **how)
    ended = await play.ended()
    shown = (await play.handle.query("events", 0, result_type=EventsView)).events
    return ended, [(e.number, e.kind, e.step, e.text, e.step_status, e.outcome) for e in shown]


def outcome(plan: ExecutionPlan) -> dict[str, Any]:
    kept = {"status", "summary", "failure", "rollback", "rollback_report"}
    results = [r.model_dump(exclude={"started_at", "finished_at"}) for r in plan.results]
    return {**plan.model_dump(include=kept), "results": results}


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("fails", [False, True])
async def test_a_certain_plan_asks_no_model_and_goes_as_with_one(
    stage: Stage, effects: Effects, fails: bool, parallel: bool
) -> None:
    steps = (with_values(1, ("guests",), guests=4), with_values(2, reason="{{step_1.step}}"), a_step(3))
    seen = []
    for executor in ("react", DIRECT):
        effects.forget()
        effects.client = stage.env.client
        if fails:
            effects.script("snapshot 3", broken(3))
        ended, shown = await ran(stage, *steps, executor=executor, parallel=parallel)
        effected = [c for c in effects.calls if c.split()[0] != "reason"]
        sent = [r.scope.parameters for n in (1, 2) for r in effects.requests[f"act {n}"]]
        seen.append((outcome(ended), shown if not parallel else sorted(map(str, shown)), sorted(effected), sent))
        assert len(effects.made("reason")) == (0 if executor == DIRECT else 3)
        assert ended.status is (PlanStatus.ROLLED_BACK if fails else PlanStatus.COMPLETED)
    react, direct = seen
    if parallel:  # the order of two steps' reports is chance
        react, direct = (react[0], *react[2:]), (direct[0], *direct[2:])
        for plan in (react[0], direct[0]):
            plan["results"].sort(key=lambda r: r["step"])
    assert direct == react
    assert direct[-1] == [{"guests": 4}, {"reason": 1}]


async def test_what_the_venue_refuses_is_the_models_to_mend(stage: Stage, effects: Effects) -> None:
    effects.script("act 1", ActReply(write_outcome=WriteOutcome.NOT_APPLIED, failure=REFUSED))
    ended, _ = await ran(stage, with_values(1, new_start_time="15:00"), a_step(2), executor=DIRECT)
    assert ended.status is PlanStatus.COMPLETED
    assert effects.made("reason") == ["reason 1"]
    assert effects.made("act") == ["act 1", "act 1", "act 2"]
    [asked] = effects.requests["reason 1"]
    made, refused, begun = asked.messages[-3:]
    assert begun.role == "user", "a model whose calls are signed takes ours only as those of an earlier turn"
    assert [(c.name, c.arguments) for c in made.tool_calls] == [("change_1", {"new_start_time": "15:00"})]
    assert refused.tool_call_id == made.tool_calls[0].id
    assert "no such hour" in refused.content


async def test_what_the_model_then_makes_of_it_goes_through_the_guard(stage: Stage, effects: Effects) -> None:
    effects.script("act 1", ActReply(write_outcome=WriteOutcome.NOT_APPLIED, failure=REFUSED))
    wider = ToolCall(id="w", name="change_1", kind="write", arguments={"new_start_time": "17:00"})
    effects.script("reason 1", ModelReply(tool_calls=(wider,)))
    ended, _ = await ran(stage, with_values(1, new_start_time="15:00"), executor=DIRECT)
    assert ended.status is PlanStatus.FAILED
    assert effects.made("act") == ["act 1"]


async def test_a_value_that_no_one_gave_is_asked_for(stage: Stage, effects: Effects) -> None:
    effects.script("reason 1", asks("Which reason?"))
    filled = ToolCall(id="f", name="change_1", kind="write", arguments={"reason": "rain"}, filled={"reason": "rain"})
    effects.script("reason 1", ModelReply(tool_calls=(filled,)))
    play = await stage.confirmed(with_values(1, ("reason",)), undo_window=0, executor=DIRECT)
    await play.until(lambda plan: plan.blocking_prompt is not None)
    await play.answer("rain")
    ended = await play.ended()
    assert ended.status is PlanStatus.COMPLETED
    assert effects.made("reason") == ["reason 1", "reason 1"]


async def test_a_value_that_no_step_put_out_is_the_models(stage: Stage, effects: Effects) -> None:
    ended, _ = await ran(stage, a_step(1), with_values(2, reason="{{step_1.gone}}"), executor=DIRECT)
    assert ended.status is PlanStatus.ROLLED_BACK
    assert effects.made("reason") == ["reason 2"]


async def test_a_venue_that_says_nothing_asks_for_every_step(stage: Stage, effects: Effects) -> None:
    assert a_venue().executor == "react"
    await ran(stage, a_step(1), a_step(2))
    assert effects.made("reason") == ["reason 1", "reason 2"]
