"""A note's text is the note's: what it says of days, hours and numbers bears out nothing else.

Guarantees: an hour inside a note does not take the place of the one that waits, and can be given to no booking; said
outside a note it can. A value that waits is never replaced by another: it is asked about.
"""

import pytest

from tests.reasoning.proposals import judged

TIME = "new_start_time"
NOTED = ["and add a note: cake comes at 5pm", "add a note that the cake comes at 5pm"]


@pytest.mark.parametrize("said", NOTED)
def test_what_waits_stands_beside_a_note(said: str) -> None:
    assert judged(said, {TIME: "14:00"}, pending={TIME: "14:00"}) == {TIME: "14:00"}


@pytest.mark.parametrize("said", NOTED)
def test_the_hour_of_a_note_is_no_hour_of_a_booking(said: str) -> None:
    assert judged(said, {TIME: "17:00"}) == TIME


def test_what_waits_is_never_replaced_but_asked_about() -> None:
    assert judged("make it start at 5pm", {TIME: "14:00"}, pending={TIME: "14:00"}) == TIME
    assert judged("make it start at 5pm", {TIME: "17:00"}, pending={TIME: "14:00"}) == {TIME: "17:00"}
