"""Dependencies between steps (`reasoning.drafting.step_order`): the steps that a refusal or a skip makes unreachable,
with the reason; the failures that a plan tolerates; the steps that may be skipped; and the arrangements that a model
may not make."""

import json
from pathlib import Path
from typing import Any

import pytest

from contracts.drafting import StepDependency
from contracts.enums import ErrorType, RefusalReason, SafetyTier, StepStatus
from contracts.errors import VenueFailure
from contracts.plan import PlannedAction, StepCondition
from language.messages.catalogue import translate
from reasoning.drafting import step_order
from tests.support.tables import table

VECTORS = json.loads((Path(__file__).parent / "skip_vectors.json").read_text())


def step(number: int, status: StepStatus = StepStatus.PENDING, **more: object) -> PlannedAction:
    fixed = {"action_id": "a", "title": f"T{number}", "parameters": {}, "reversible": True}
    return PlannedAction.model_validate(
        {"step": number, "safety_tier": SafetyTier.NORMAL, "status": status, **fixed, **more}
    )


def on(number: int, ended: str) -> StepCondition:
    return StepCondition.model_validate({"step": number, "ended": ended, "text": "x"})


def when(one: dict[str, Any]) -> dict[str, Any]:
    return {"when": on(one["when"]["step"], one["when"]["ended"])} if "when" in one else {}


def test_what_depends_on_a_step_that_was_not_carried_out_is_left_out_and_so_on() -> None:
    for lost in (StepStatus.SKIPPED, StepStatus.FAILED):
        plan = [step(1, lost), step(2, depends_on=(1,)), step(3, depends_on=(2,)), step(4)]
        without = [translate("plan.left_out_without", step=n, title=f"T{n}") for n in (1, 2)]
        assert step_order.unreachable_steps(plan) == {2: without[0], 3: without[1]}


@pytest.mark.parametrize(
    ("ended", "status", "out"),
    [
        ("failed", StepStatus.COMPLETED, True), ("failed", StepStatus.FAILED, False),
        ("failed", StepStatus.SKIPPED, True), ("failed", StepStatus.PENDING, False),
        ("completed", StepStatus.COMPLETED, False), ("completed", StepStatus.FAILED, True),
        ("completed", StepStatus.SKIPPED, True), ("completed", StepStatus.RUNNING, False),
    ],
)  # fmt: skip
def test_a_condition_that_cannot_be_met_leaves_its_step_out(ended: str, status: StepStatus, out: bool) -> None:
    assert bool(step_order.unreachable_steps([step(1, status), step(2, when=on(1, ended))])) is out


def test_only_the_venues_own_no_of_the_kind_that_was_stated_makes_room_for_what_is_wanted_instead() -> None:
    def failed(kind: ErrorType, refusal: RefusalReason | None = None) -> VenueFailure:
        return VenueFailure(error_type=kind, refusal=refusal, message="x")

    any_no, no_room = on(1, "failed"), on(1, "failed").model_copy(update={"refused": "no_room"})
    for kind in ErrorType:
        assert not step_order.tolerates(failed(kind), any_no), "it may be the request itself"
        assert step_order.tolerates(failed(kind), None) is (kind is not ErrorType.UNAUTHORIZED)
    full, known = failed(ErrorType.CONFLICT, RefusalReason.NO_ROOM), failed(ErrorType.BAD_REQUEST, RefusalReason.KNOWN)
    assert [step_order.tolerates(one, any_no) for one in (full, known)] == [True, True]
    assert [step_order.tolerates(one, no_room) for one in (full, known)] == [True, False]


def test_what_may_be_skipped() -> None:
    plan = [step(1), step(2, required=False), step(3, depends_on=(2,)), step(4, StepStatus.RUNNING, required=False)]
    assert [step_order.skip_refusal(one, plan) for one in plan] == [
        "refuse.skip_required",
        None,
        "refuse.skip_required",
        "refuse.skip_late",
    ]
    alone = [step(1, required=False), step(2, when=on(1, "failed"))]
    assert step_order.skip_refusal(alone[0], alone) == "refuse.skip_last"


@table("vector", VECTORS)
def test_what_may_be_skipped_is_what_the_page_offers(vector: dict[str, Any]) -> None:
    """The page reads the same vectors."""
    plan = [step(number, **{**one, **when(one)}) for number, one in enumerate(vector["steps"], 1)]
    assert [one.step for one in plan if step_order.skip_refusal(one, plan) is None] == vector["may"]


def test_what_a_model_may_not_arrange() -> None:
    wrong = [StepDependency(step=3), StepDependency(step=1, only_if_failed=1), StepDependency(step=2, only_if_failed=3),
             StepDependency(step=2, only_if_failed=1, only_if_done=1)]  # fmt: skip
    assert all(step_order.problems([one], 2) for one in wrong)
    assert (
        step_order.problems([StepDependency(step=2, only_if_failed=1), StepDependency(step=1, optional=True)], 2) == []
    )
