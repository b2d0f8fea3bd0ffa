"""Follow-up messages, line by line. Guarantees:

- an answer picks or completes, a correction of the value picks nothing;
- a pending plan takes another value, one more change, or another booking; a "no" with another change replaces;
- a relative change counts from the plan, unless it reverts a step: then from the booking;
- a question in between leaves the plan alone;
- after an undo "it" is the booking of the undone plan; the planner looks nothing up by the undo's own words.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from contracts.booking import BookingSummary
from tests.support.tables import table
from tests.unit.offline_planner.chat import Chat, asked, names, summary
from tests.unit.offline_planner.test_conversation import pending

ROWS = [
    {"booking_id": "b-1", "reference": "7001", "guest_name": "Nora Quint", "label": "Quint birthday",
     "date": "2026-12-04", "start_time": "15:00", "guest_count": 10},
    {"booking_id": "b-2", "reference": "7002", "guest_name": "Piet Quint", "label": "Quint family",
     "date": "2026-12-12", "start_time": "17:30", "guest_count": 4},
    {"booking_id": "b-3", "reference": "7003", "guest_name": "Ada Zell", "label": "Zell party",
     "date": "2026-12-06", "start_time": "11:00", "guest_count": 8},
]  # fmt: skip
MOVE = ("reschedule_booking", {"booking_id": "b-3", "new_start_time": "14:00"})
COUNT = ("change_guest_count", {"booking_id": "b-3", "guest_count": 9})
PHONE = ("update_contact", {"booking_id": "b-3", "phone": "+61412777093"})


def venue(tool: str, given: Mapping[str, Any]) -> Any:
    text = " ".join(str(v) for v in given.values()).casefold()
    return [r for r in ROWS if any(w in " ".join(map(str, r.values())).casefold() for w in text.split())] or {
        "found": 0
    }


def row(place: int) -> BookingSummary:
    data = dict(ROWS[place])
    ids = f"{data.pop('booking_id')}:{data.pop('reference')}"
    return summary(ids, str(data.pop("guest_name")), **data)


@pytest.mark.parametrize(
    ("answer", "booking", "at"),
    [("piet", "b-2", "16:00"), ("the one on the 12th", "b-2", "16:00"), ("the birthday", "b-1", "16:00"),
     ("7001", "b-1", "16:00"), ("the second one", "b-2", "16:00"),
     ("The earlier of the two, if you please.", "b-1", "16:00"), ("the later one", "b-2", "16:00")],
)  # fmt: skip
def test_an_answer_picks(answer: str, booking: str, at: str) -> None:
    chat = Chat(bookings=venue)
    assert asked(chat.say("move quint to 4pm"))
    [call] = chat.say(answer, offered=[row(0), row(1)])
    assert call.arguments == {"booking_id": booking, "new_start_time": at}


def test_a_correction_picks_nothing_although_it_fits_one() -> None:
    chat = Chat(bookings=venue)
    assert asked(chat.say("move quint to 4pm"))
    assert asked(chat.say("no wait, 5:30pm", offered=[row(0), row(1)]))
    [call] = chat.say("nora", offered=[row(0), row(1)])
    assert call.arguments == {"booking_id": "b-1", "new_start_time": "17:30"}


@table(
    "plan, text, wanted",
    [
        ([MOVE], "actually quarter past two",
         [("reschedule_booking", {"booking_id": "b-3", "new_start_time": "14:15"})]),
        ([MOVE], "an hour later", [("reschedule_booking", {"booking_id": "b-3", "new_start_time": "15:00"})]),
        ([MOVE], "and make it 9 kids", [MOVE, COUNT]),
        ([COUNT], "no, move it to 2pm instead", [MOVE]),
        ([COUNT], "one more", [("change_guest_count", {"booking_id": "b-3", "guest_count": 10})]),
        ([MOVE, COUNT], "scrap the later start just do the numbers", [COUNT]),
        ([PHONE], "sorry ends in 094 not 093",
         [("update_contact", {"booking_id": "b-3", "phone": "+61412777094"})]),
        ([PHONE], "sorry it ends in zero nine four",
         [("update_contact", {"booking_id": "b-3", "phone": "+61412777094"})]),
        ([MOVE], "i meant 7001", [("reschedule_booking", {"booking_id": "b-1", "new_start_time": "14:00"})]),
        ([MOVE], "no sorry, Nora Quint", [("reschedule_booking", {"booking_id": "b-1", "new_start_time": "14:00"})]),
    ],
)  # fmt: skip
def test_a_plan_that_waits_is_put_right(
    plan: list[tuple[str, dict[str, Any]]], text: str, wanted: list[tuple[str, dict[str, Any]]]
) -> None:
    calls = Chat(bookings=venue).say(text, known=[row(2)], pending=pending(*plan))
    assert [(c.name, dict(c.arguments)) for c in calls] == wanted


def test_a_step_taken_back_is_taken_again_from_the_booking() -> None:
    chat = Chat(bookings=venue)
    less = ("change_guest_count", {"booking_id": "b-3", "guest_count": 6})
    assert [c.arguments["guest_count"] for c in chat.say("2 less kids for Zell")] == [6]
    calls = chat.say("oops she said 2 more not 2 less", known=[row(2)], pending=pending(less))
    assert [c.arguments["guest_count"] for c in calls] == [10]


def test_another_booking_counts_from_its_own() -> None:
    chat = Chat(bookings=venue)
    assert [c.arguments for c in chat.say("add 2 kids to Zell")] == [{"booking_id": "b-3", "guest_count": 10}]
    more = ("change_guest_count", {"booking_id": "b-3", "guest_count": 10})
    calls = chat.say("sorry, I meant Nora Quint", known=[row(2)], pending=pending(more))
    assert [c.arguments for c in calls] == [{"booking_id": "b-1", "guest_count": 12}]


def test_the_wrong_booking_is_asked_about() -> None:
    assert asked(Chat(bookings=venue).say("sorry wrong booking", known=[row(2)], pending=pending(MOVE)))


def test_a_question_in_between_plans_nothing() -> None:
    chat = Chat(bookings=venue)
    assert chat.say("how many are they again?", known=[row(2)], pending=pending(MOVE)) == []
    assert names(chat.looked_up) == ["get_booking"]


@pytest.mark.parametrize(
    ("first", "second", "values"),
    [
        ("make 7003 8 kids", "sorry 12", {"guest_count": 12}),
        ("get Zell in at 8am", "ok 9 then", {"new_start_time": "09:00"}),
        ("Whitby wants to add 3 people", "my bad, I meant Zell", {"guest_count": 11}),
    ],
)
def test_what_came_to_nothing_is_gone_on_with(first: str, second: str, values: dict[str, Any]) -> None:
    chat = Chat(bookings=venue)
    chat.say(first)
    calls = chat.say(second)
    assert [dict(c.arguments) for c in calls] == [{"booking_id": "b-3", **values}]


@pytest.mark.parametrize("undo", ["undo that", "undo the change", "revert that", "annulla la modifica"])
@pytest.mark.parametrize("then", ["move it to 4pm", "move it to 4pm then", "actually 4pm", "try 4pm instead"])
@pytest.mark.parametrize("known", [True, False])
def test_behind_an_undo_it_is_what_was_taken_back(undo: str, then: str, known: bool) -> None:
    chat = Chat(bookings=venue)
    shown = [("move zell to 2pm", "Plan: Reschedule booking"), (undo, "It is being undone.")]
    for text, answer in shown:
        chat.messages += [{"role": "user", "content": text}, {"role": "assistant", "content": answer}]
    [call] = chat.say(then, known=[row(2)] if known else [])
    assert call.arguments == {"booking_id": "b-3", "new_start_time": "16:00"}
    looked_for = {str(look.arguments.get("keywords", "zell")).casefold() for look in chat.looked_up}
    assert looked_for <= {"zell"}
