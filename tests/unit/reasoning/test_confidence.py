"""Confidence (`reasoning.drafting.confidence`): 1 to 10, from the operator's message alone.

- A plain message about a fully named booking gives 10; each kind of doubt subtracts what the table lists.
- The reasoning repeats the message and explains what each step takes from it.
"""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from contracts.plan import PreviewLine
from contracts.step_activities import DraftedStep
from language.extraction import extract
from language.messages.catalogue import activate_locale
from reasoning.drafting.confidence import confidence_in, reasoning_for
from tests.support.shipped import shipped
from tests.unit.reasoning.actions import a_booking

PACK = shipped("roller")
NOW = datetime(2026, 11, 21, 10, 0, tzinfo=ZoneInfo("Australia/Melbourne"))
EMMA = a_booking("b-1", "Emma Clarke", reference="8340", date="2026-11-28", start_time="15:00", guest_count=9)


@pytest.fixture(autouse=True)
def english() -> None:
    activate_locale("en-AU")


def step(name: str = "reschedule_booking", **given: Any) -> DraftedStep:
    line = PreviewLine(field="When", before="Sat, 3pm", after="Sat, 4pm")
    return DraftedStep(
        action=PACK.actions[name], parameters={"booking_id": "b-1", **given}, preview=(line,), booking=EMMA
    )


@pytest.mark.parametrize(("text", "given", "sure"), [
    (["move emma clarke to 4pm"], {"new_start_time": "16:00"}, 10),
    (["8340 to 4pm"], {"new_start_time": "16:00"}, 10),
    (["move emma to 4pm"], {"new_start_time": "16:00"}, 9),
    (["move it to 4pm"], {"new_start_time": "16:00"}, 8),
    (["to 4pm", "move emma clarke's party to sunday"], {"new_start_time": "16:00", "new_date": "2026-11-22"}, 9),
    (["move emma clarke"], {"new_start_time": "16:00"}, 9),
    (["move emma clarke to 4pm"], {"new_start_time": "{{step_1.time}}"}, 9),
])  # fmt: skip
def test_each_doubt_takes_off(text: list[str], given: dict[str, Any], sure: int) -> None:
    assert confidence_in([step(**given)], extract(text, NOW, PACK.profile)) == sure


def test_the_reasoning_repeats_the_words_and_says_what_comes_of_them() -> None:
    assert reasoning_for([step(new_start_time="16:00")], "move  emma to 4") == (
        "You said “move emma to 4”. So: Reschedule booking (Emma Clarke): When → Sat, 4pm."
    )
