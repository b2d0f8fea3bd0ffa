"""Ambiguous replies, and answers to our questions, as people type them.

- A bare "cancel" while a plan is pending may mean the plan or the booking: the planner asks, and adds nothing to the
  plan. "cancel the booking" then leaves only that.
- "make it 12" to a plan with a time may mean guests or noon: the planner asks. With nothing but a head count it is the
  count.
- The answer to "What should the note say?" is the note, word for word.
- A request that was not understood can be rephrased: nothing of it carries over to the next message.
"""

from typing import Any

import pytest

from tests.unit.offline_planner.chat import Chat, arguments, asked, names, summary
from tests.unit.offline_planner.test_conversation import pending

MOVE: tuple[str, dict[str, Any]] = (
    "reschedule_booking",
    {"booking_id": "b-1", "new_date": "2026-11-28", "new_start_time": "11:00"},
)
COUNT: tuple[str, dict[str, Any]] = ("change_guest_count", {"booking_id": "b-1", "guest_count": 9})
KNOWN = [summary("b-1:8231", "Winterbourne birthday", date="2026-11-25", start_time="13:00", guest_count=10)]


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "cancel"), ("en", "cancel it"), ("en", "please cancel that"), ("it", "annulla"), ("it", "annullala")],
)
def test_a_bare_cancel_is_asked_about(language: str, text: str) -> None:
    calls = Chat(language=language).say(text, known=KNOWN, pending=pending(MOVE))
    assert asked(calls)
    assert "“no”" in arguments(calls)[0]["question"]


def test_cancelling_the_booking_leaves_nothing_else_to_do() -> None:
    chat = Chat()
    assert asked(chat.say("cancel", known=KNOWN, pending=pending(MOVE, COUNT)))
    assert names(chat.say("cancel the booking", known=KNOWN, pending=pending(MOVE, COUNT))) == ["cancel_booking"]
    assert names(Chat().say("cancel the booking", known=KNOWN, pending=pending(MOVE))) == ["cancel_booking"]


@pytest.mark.parametrize(("language", "text"), [("en", "no, make it 12"), ("en", "make it 9"), ("it", "facciamo 12")])
def test_a_bare_figure_for_a_plan_with_a_time_is_asked_about(language: str, text: str) -> None:
    assert asked(Chat(language=language).say(text, known=KNOWN, pending=pending(MOVE)))


@pytest.mark.parametrize("text", ["make it 12 guests", "12 kids", "make it 45"])
def test_what_can_only_be_guests_is_not(text: str) -> None:
    assert names(Chat().say(text, known=KNOWN, pending=pending(MOVE))) == ["reschedule_booking", "change_guest_count"]


def test_a_bare_figure_for_a_plan_with_a_head_count_alone_is_the_count() -> None:
    calls = Chat().say("make it 12", known=KNOWN, pending=pending(COUNT))
    assert arguments(calls)[0]["guest_count"] == 12


@pytest.mark.parametrize("text", ["at 12 instead", "no, 12 o'clock", "make it 12:30", "actually noon"])
def test_a_time_is_a_time(text: str) -> None:
    calls = Chat().say(text, known=KNOWN, pending=pending(MOVE))
    assert names(calls) == ["reschedule_booking"]
    assert arguments(calls)[0]["new_start_time"][:2] == "12"


@pytest.mark.parametrize(
    ("language", "asking", "note"),
    [
        ("en", "add a note to 8231", "nut allergy, no cake"),
        ("en", "add a note to 8231", "move the cake to the fridge at 3pm"),
        ("it", "aggiungi una nota alla 8231", "allergia alle noci"),
    ],
)
def test_the_answer_to_what_the_note_should_say_is_the_note(language: str, asking: str, note: str) -> None:
    chat = Chat(language=language)
    assert asked(chat.say(asking))
    calls = chat.say(note)
    assert [(c.name, c.arguments["note"]) for c in calls] == [("edit_note", note)]


def test_what_was_not_understood_does_not_cling() -> None:
    chat = Chat()
    assert asked(chat.say("flibber 8231 wobbly"))
    calls = chat.say("move 8231 to saturday at 3pm")
    assert names(calls) == ["reschedule_booking"]
