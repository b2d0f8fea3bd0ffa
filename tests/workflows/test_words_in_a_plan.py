"""Every command is committed before it takes effect (`test_confirming.py` has the confirm), so a command that the API
has answered as without effect never has any. Guarantees:

- An aborted answer, cancel or undo changes nothing: the question stays open, and the plan goes on or stays as it is.
- Of several answers the plan takes the first that is committed; nothing else clears the prompt.
- An answer that arrived in time counts even if it is committed after the question's time-out.
- An undo first reads every booking, is refused in bounded time when that is impossible, and commits only then.
- The same undo, sent again while the first is being checked, gets its answer; another one is answered that an undo
  is under way.
- A cancel that arrived before the end counts, even if it is committed only afterwards.
- A plan is never both confirmed and replaced: the confirm that is being committed comes first.
- The plan wipes the token of an aborted command.
- The caller's clock plays no part.
"""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest
from temporalio.client import WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError

from contracts.enums import ErrorType, PlanStatus, RollbackTrigger
from contracts.enums import StepRollbackOutcome as Outcome
from contracts.errors import VenueFailure
from contracts.step_activities import CommitResult, StepUndoResult
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import POLICY, Stage, a_step, asks
from workflows.plan import rollback

pytestmark = pytest.mark.asyncio

NO, YES = CommitResult(granted=False), CommitResult(granted=True)


async def refused_as(kind: str, call: Awaitable[Any]) -> str:
    """Return the message of an update that must be refused with this kind."""
    with pytest.raises(WorkflowUpdateFailedError) as refused:
        await call
    cause = refused.value.cause
    assert isinstance(cause, ApplicationError) and cause.type == kind, cause
    return cause.message


async def test_an_answer_that_was_given_up_is_never_taken(stage: Stage, effects: Effects) -> None:
    effects.script("reason 1", asks())
    effects.script("claim late", NO)
    play = await stage.confirmed(policy=POLICY.model_copy(update={"answer_timeout": 5}))
    await play.until(lambda p: p.blocking_prompt is not None)
    await play.answer("Cash", attempt="late")
    ended = await play.ended()
    assert "claim late" in effects.calls
    assert (ended.status, effects.made("act")) == (PlanStatus.FAILED, [])
    assert (await play.view()).taken_answers == ()


async def test_the_first_answer_that_is_granted_is_taken(stage: Stage, effects: Effects) -> None:
    effects.script("reason 1", asks())
    effects.script("claim first", NO)
    held = effects.hold("claim first")
    play = await stage.confirmed()
    await play.until(lambda p: p.blocking_prompt is not None)
    await play.answer("one", attempt="first")
    await play.reached(held)
    await play.answer("two", attempt="second")
    await play.answer("three", attempt="third")
    assert (await play.view()).plan.blocking_prompt is not None
    held.let_go()
    ended = await play.ended()
    assert (ended.status, (await play.view()).taken_answers) == (PlanStatus.COMPLETED, ("second",))
    assert effects.made("claim") == ["claim yes", "claim first", "claim second"]


async def test_an_answer_in_time_counts_though_it_is_granted_late(stage: Stage, effects: Effects) -> None:
    effects.script("reason 1", asks())
    held = effects.hold("claim slow")
    play = await stage.confirmed(policy=POLICY.model_copy(update={"answer_timeout": 2}))
    await play.until(lambda p: p.blocking_prompt is not None)
    await play.answer("Cash", attempt="slow")
    await play.reached(held)
    await stage.pass_time(1.5)
    held.let_go()
    assert (await play.ended()).status is PlanStatus.COMPLETED
    assert (await play.view()).taken_answers == ("slow",)


@pytest.mark.parametrize("pending", [True, False])
async def test_a_cancel_that_was_given_up_stops_nothing(stage: Stage, effects: Effects, pending: bool) -> None:
    effects.script("claim c", NO)
    play = await stage.plan(a_step(1), a_step(2))
    held = effects.hold("act 1")
    if not pending:
        await play.confirm()
        await play.reached(held)
    await refused_as("service_unavailable", play.cancel(attempt="c"))
    if pending:
        await play.confirm()
        await play.reached(held)
    held.let_go()
    assert (await play.ended()).status is PlanStatus.COMPLETED


@pytest.mark.parametrize("granted", [True, False])
async def test_a_plan_is_never_both_confirmed_and_replaced(stage: Stage, effects: Effects, granted: bool) -> None:
    effects.script("claim yes", CommitResult(granted=granted))
    held = effects.hold("claim yes")
    play = await stage.plan()
    confirming = asyncio.create_task(play.confirm(attempt="yes"))
    await play.reached(held)
    replacing = asyncio.create_task(play.cancel(attempt="drop", superseded_by="new"))
    held.let_go()
    if granted:
        assert (await confirming).plan.status is PlanStatus.CONFIRMED
        assert "can no longer be replaced" in await refused_as("conflict", replacing)
    else:
        await refused_as("service_unavailable", confirming)
        assert (await replacing).plan.superseded_by == "new"
    assert (await play.ended()).status is (PlanStatus.COMPLETED if granted else PlanStatus.CANCELLED)


@pytest.mark.parametrize("granted", [True, False])
async def test_a_cancel_that_came_before_the_end_counts(stage: Stage, effects: Effects, granted: bool) -> None:
    effects.script("claim c", CommitResult(granted=granted))
    held_claim, held_act = effects.hold("claim c"), effects.hold("act 1")
    play = await stage.confirmed()
    await play.reached(held_act)
    cancelling = asyncio.create_task(play.cancel(attempt="c"))
    await play.reached(held_claim)
    held_act.let_go()
    await play.until(lambda p: bool(p.results))
    assert (await play.view()).plan.status is PlanStatus.EXECUTING, "it is not known yet whether it was stopped"
    held_claim.let_go()
    if granted:
        await cancelling
    else:
        await refused_as("service_unavailable", cancelling)
    ended = await play.ended()
    assert ended.status is (PlanStatus.ROLLED_BACK if granted else PlanStatus.COMPLETED)
    assert not granted or (ended.rollback_report and ended.rollback_report.trigger is RollbackTrigger.CANCELLED)


async def test_an_undo_is_claimed_after_the_look(stage: Stage, effects: Effects) -> None:
    effects.script("claim u", NO)
    play = await stage.confirmed(a_step(1), a_step(2))
    await play.until(lambda p: p.status is PlanStatus.COMPLETED)
    seen = len(effects.calls)
    # Aborted by its caller, or lost with its store: the plan cannot distinguish the two.
    message = await refused_as("service_unavailable", play.undo(attempt="u"))
    assert message == "This request was no longer on record as open when it was taken up, so it had no effect."
    text = [c for c in effects.calls[seen:] if c.split()[0] in ("look", "claim")]
    assert (sorted(text[:-1]), text[-1]) == (["look 1", "look 2"], "claim u")
    view = await play.view()
    assert (view.plan.status, view.plan.rollback, view.token_ref) == (PlanStatus.COMPLETED, None, "tok-1")
    assert (await play.undo(attempt="u2")).plan.status is not PlanStatus.FAILED
    ended = await play.ended()
    assert ended.rollback_report is not None and ended.rollback_report.trigger is RollbackTrigger.UNDO


async def test_an_undo_that_cannot_look_is_refused_in_bounded_time(
    stage: Stage, effects: Effects, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollback, "_LOOK", 0.2)
    play = await stage.confirmed(a_step(1), a_step(2))
    await play.until(lambda p: p.status is PlanStatus.COMPLETED)
    held = effects.hold("look 2")
    command = asyncio.create_task(play.undo(attempt="u"))
    await play.reached(held)
    message = await refused_as("service_unavailable", command)
    held.let_go()
    assert "booking system" in message and "no effect" in message
    assert (effects.made("claim"), effects.made("undo")) == (["claim yes"], [])
    assert (await play.view()).plan.status is PlanStatus.COMPLETED


@pytest.mark.parametrize(("kind", "status", "answer", "why"), [
    (ErrorType.UNAUTHORIZED, 401, "unauthorized", "does not accept your sign-in"),
    (ErrorType.UNAUTHORIZED, None, "unauthorized", "this service kept for this is gone"),
    (ErrorType.FORBIDDEN, 403, "conflict", "not for you"),
])  # fmt: skip
async def test_an_undo_that_the_venue_lets_no_one_look_for_says_why(
    stage: Stage, effects: Effects, kind: ErrorType, status: int | None, answer: str, why: str
) -> None:
    """The message does not claim that the booking has changed since: nothing has read it."""
    play = await stage.confirmed(a_step(1))
    await play.until(lambda p: p.status is PlanStatus.COMPLETED)
    failure = VenueFailure(error_type=kind, status=status, message="not for you")
    effects.script("look 1", StepUndoResult(outcome=Outcome.FAILED, message="", manual="By hand.", failure=failure))
    message = await refused_as(answer, play.undo(attempt="u"))
    assert why in message and "changed since" not in message
    assert (await play.view()).plan.status is PlanStatus.COMPLETED


async def test_an_undo_that_could_not_look_says_what_the_last_look_met_with(stage: Stage, effects: Effects) -> None:
    play = await stage.confirmed(a_step(1))
    await play.until(lambda p: p.status is PlanStatus.COMPLETED)
    failure = VenueFailure(error_type=ErrorType.NETWORK, message="It broke off.", suggestions=("Look there",))
    reply = StepUndoResult(outcome=Outcome.FAILED, message="", failure=failure)
    effects.script("look 1", *(ApplicationError("network", reply, type="network") for _ in range(3)))
    with pytest.raises(WorkflowUpdateFailedError) as refused:
        await play.undo(attempt="u")
    cause = refused.value.cause
    assert isinstance(cause, ApplicationError) and cause.type == "service_unavailable"
    assert cause.message == "It broke off. Your undo did not go through and will have no effect."
    assert list(cause.details) == ["Look there"]


@pytest.mark.parametrize("drifted", [False, True])
async def test_the_same_undo_stated_again_gets_the_answer_of_the_first(
    stage: Stage, effects: Effects, drifted: bool
) -> None:
    play = await stage.confirmed()
    await play.until(lambda p: p.status is PlanStatus.COMPLETED)
    held = effects.hold("look 1")
    if drifted:
        effects.script("look 1", StepUndoResult(outcome=Outcome.FAILED, message="so it would stay"))
    first = asyncio.create_task(play.undo(attempt="u"))
    await play.reached(held)
    second = asyncio.create_task(play.undo(attempt="u"))
    assert "just being looked into" in await refused_as("conflict", play.undo(attempt="another"))
    held.let_go()
    if drifted:
        shown = [await refused_as("conflict", one) for one in (first, second)]
        assert shown[0] == shown[1] and "as this plan left it" in shown[0]
    else:
        await asyncio.gather(first, second)
        assert (await play.ended()).status is PlanStatus.ROLLED_BACK
    assert effects.made("claim") == ["claim yes", "claim u"][: 1 if drifted else 2]


@pytest.mark.parametrize("kind", ["confirm", "undo"])
async def test_the_token_of_a_word_that_was_given_up_is_forgotten(stage: Stage, effects: Effects, kind: str) -> None:
    effects.script("claim late", NO)
    play = await stage.plan()
    if kind == "undo":
        await play.confirm("tok-used")
        await play.until(lambda p: p.status is PlanStatus.COMPLETED)
        await refused_as("service_unavailable", play.undo("tok-late", attempt="late"))
    else:
        await refused_as("service_unavailable", play.confirm("tok-late", attempt="late"))
    assert effects.made("wipe").count("wipe tok-late") == 1
    await refused_as("conflict", play.undo()) if kind == "confirm" else await play.undo("tok-used", attempt="u")
