"""The text that another step writes into a note belongs to that step: its days, hours and numbers ground nothing else.

Guarantees: an hour inside a note does not replace the pending one, and grounds no booking's hour; outside the note it
does. A pending value is never replaced by an ungrounded one: we ask about it.
"""

import pytest

from contracts.base import Json
from language.extraction import extract
from reasoning.grounding.grounding import Ungrounded, ground_arguments
from tests.unit.reasoning.proposals import EMMA, PACK, judged, venue_of

TIME = "new_start_time"
CAKE = frozenset({"8340", "cake comes at 5pm"})
NOTED = ["and add a note: cake comes at 5pm", "add a note that the cake comes at 5pm"]


def beside_a_note(text: str, time: str, waiting: dict[str, str]) -> dict[str, Json] | Ungrounded:
    profile, now = venue_of("en")
    move = PACK.actions["reschedule_booking"]
    return ground_arguments(extract([text], now, profile), move, {TIME: time}, EMMA, waiting, taken=CAKE)


@pytest.mark.parametrize("text", NOTED)
def test_what_waits_stands_beside_a_note(text: str) -> None:
    assert beside_a_note(text, "14:00", {TIME: "14:00"}) == {TIME: "14:00"}


@pytest.mark.parametrize("text", NOTED)
def test_the_hour_of_a_note_is_no_hour_of_a_booking(text: str) -> None:
    assert isinstance(beside_a_note(text, "17:00", {}), Ungrounded)
    assert beside_a_note(f"move it to 4pm, {text}", "16:00", {}) == {TIME: "16:00"}


def test_what_waits_is_never_replaced_but_asked_about() -> None:
    assert judged("make it start at 5pm", {TIME: "14:00"}, pending={TIME: "14:00"}) == TIME
    assert judged("make it start at 5pm", {TIME: "17:00"}, pending={TIME: "14:00"}) == {TIME: "17:00"}
