"""The label of a plan's confirm button, over HTTP: `actions[].confirm_label`. Guarantees:

- Each step's label says what it does with its own values, as drafted. The chat and the plan's own address show the
  same.
- A changed plan gets new labels. A label that cannot be rendered falls back to the title, and stops nothing.
- A step without a label has none in its JSON.
"""

from typing import Any

import pytest

from contracts.step_activities import DraftedStep
from registry import BoundAction, TemplateRenderError
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.scripted_model import ScriptedModel
from tests.unit.reasoning.actions import an_action

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

NOTE, GUESTS = ("edit_note", {"note": "Cake at noon"}), ("change_guest_count", {"guest_count": 14})


def labels(plan: dict[str, Any]) -> list[str]:
    return [action["confirm_label"] for action in plan["actions"]]


async def test_each_step_says_what_it_does(operator: Operator, party: Party, scripted: ScriptedModel) -> None:
    guest, booking = await party(NOTE, GUESTS)
    plan = await operator.plan_for(f"note: Cake at noon, and 14 guests, for {guest}")
    assert labels(plan) == ["Save the note", "Make it 14 guests"]
    assert labels(await operator.look(plan)) == labels(plan)
    same = {"booking_id": booking["uniqueId"]}
    scripted.script(guest, [{"edit_note": {**same, **NOTE[1]}}, {"change_guest_count": {**same, "guest_count": 15}}])
    changed = await operator.plan_for("make it 15 guests")
    assert labels(changed) == ["Save the note", "Make it 15 guests"]
    await operator.confirm(changed)
    assert labels(await operator.settled(changed)) == labels(changed)


async def test_one_that_cannot_be_reported_is_the_title(
    operator: Operator, party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(bound: BoundAction) -> str:
        raise TemplateRenderError("edit_note: confirm", "no")

    monkeypatch.setattr(BoundAction, "confirm_label", failing)
    guest, _ = await party(NOTE)
    plan = await operator.plan_for(f"note: Cake at noon, for {guest}")
    assert labels(plan) == [plan["actions"][0]["title"]]


async def test_a_step_without_a_label_has_none() -> None:
    from reasoning.drafting.plan import planned

    [action] = planned([DraftedStep(action=an_action("change_1"), parameters={})])
    assert "confirm_label" not in action.model_dump(mode="json", exclude_none=True)
