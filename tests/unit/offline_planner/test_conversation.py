"""Several turns. Guarantees:

- an answer to our question completes the request it was asked about;
- "which booking?" is answered by place, name, number, day or time;
- "it" is the last mentioned booking, asked about when there is none;
- a change to a pending plan calls all its steps again;
- a new request with its own booking is not mistaken for an answer.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from contracts.enums import SafetyTier
from contracts.plan import PlannedAction
from tests.unit.offline_planner.chat import Chat, arguments, asked, names, no_one, summary
from tests.unit.offline_planner.test_planning import NEW_TOOLS

EMMAS = [
    {"booking_id": "b-1", "reference": "8001", "name": "Emma Brown", "date": "2026-11-24", "start_time": "11:00"},
    {"booking_id": "b-2", "reference": "8002", "name": "Emma Davis", "date": "2026-11-25", "start_time": "14:00"},
    {"booking_id": "b-3", "reference": "8003", "name": "Emma Wilson", "date": "2026-11-28", "start_time": "10:00"},
]
OFFERED = [
    summary("b-1:8001", "Emma Brown", date="2026-11-24", start_time="11:00", guest_count=10),
    summary("b-2:8002", "Emma Davis", date="2026-11-25", start_time="14:00", guest_count=12),
    summary("b-3:8003", "Emma Wilson", date="2026-11-28", start_time="10:00", guest_count=14),
]


def three_emmas(tool: str, arguments: Mapping[str, Any]) -> Any:
    return EMMAS if "Emma" in str(arguments) else {"found": 0}


@pytest.mark.parametrize(
    ("answer", "booking"),
    [
        ("Emma Brown", "b-1"), ("the second one", "b-2"), ("2", "b-2"), ("wilson", "b-3"), ("the last one", "b-3"),
        ("the 2pm one", "b-2"), ("8003", "b-3"), ("the one on 24 November", "b-1"), ("Davis please", "b-2"),
    ],
)  # fmt: skip
def test_an_answer_picks_the_booking_and_the_request_goes_on(answer: str, booking: str) -> None:
    chat = Chat(bookings=three_emmas)
    assert asked(chat.say("move Emma's booking to Friday at 4pm"))
    calls = chat.say(answer, offered=OFFERED)
    assert names(calls) == ["reschedule_booking"]
    assert arguments(calls) == [{"booking_id": booking, "new_date": "2026-11-27", "new_start_time": "16:00"}]


def test_an_answer_that_fits_several_is_asked_again() -> None:
    chat = Chat(bookings=three_emmas)
    chat.say("cancel Emma's booking")
    assert asked(chat.say("Emma", offered=OFFERED))


@pytest.mark.parametrize(
    ("first", "answer", "values"),
    [
        ("move the Baker party", "Friday at 4pm", {"new_date": "2026-11-27", "new_start_time": "16:00"}),
        ("Update Sarah's email", "it's sarah@x.com", {"email": "sarah@x.com"}),
        ("Update Sarah's phone", "0412 345 678", {"phone": "+61412345678"}),
        ("Add more guests to the Baker party", "18", {"guest_count": 18}),
        ("Add more guests to the Baker party", "2 more", {"guest_count": 14}),
        ("move 8231 to monday or tuesday at 3pm", "Tuesday", {"new_date": "2026-11-24", "new_start_time": "15:00"}),
        ("move 8231 to sunday around 4", "4", {"new_date": "2026-11-22", "new_start_time": "16:00"}),
    ],
)
def test_a_missing_value_is_filled_in(first: str, answer: str, values: dict[str, Any]) -> None:
    chat = Chat()
    assert asked(chat.say(first))
    calls = chat.say(answer)
    assert [{k: v for k, v in a.items() if k != "booking_id"} for a in arguments(calls)] == [values]


def test_a_missing_booking_is_filled_in() -> None:
    chat = Chat()
    assert asked(chat.say("change the booking to 14 guests"))
    assert arguments(chat.say("the Baker party")) == [{"booking_id": "Baker", "guest_count": 14}]


def test_two_questions_in_a_row() -> None:
    chat = Chat(bookings=three_emmas)
    assert asked(chat.say("move Emma's booking"))
    assert asked(chat.say("to Friday at 4pm"))
    calls = chat.say("the second one", offered=OFFERED)
    assert arguments(calls) == [{"booking_id": "b-2", "new_date": "2026-11-27", "new_start_time": "16:00"}]


@pytest.mark.parametrize(
    ("texts", "bookings"),
    [
        (["move all of Emma's bookings to 4pm"], ["b-1", "b-2", "b-3"]),
        (["move Emma's booking to 4pm", "all of them"], ["b-1", "b-2", "b-3"]),
        (["move both Emma bookings to 4pm"], []), (["move Emma's booking to 4pm", "both"], []),
    ],
)  # fmt: skip
def test_all_of_a_guests_bookings(texts: list[str], bookings: list[str]) -> None:
    chat = Chat(bookings=three_emmas)
    for text in texts:
        calls = chat.say(text, offered=OFFERED if text != texts[0] else ())
    assert [a["booking_id"] for a in arguments(calls) if "booking_id" in a] == bookings, "both are not three"
    assert bookings or asked(calls)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("8231 x 22", [{"guest_count": 22}]), ("8231 in 22 anzi 24", [{"guest_count": 24}]),
        ("8231 in 22 alle 18", [{"guest_count": 22}, {"new_start_time": "18:00"}]),
        ("anticipi 8231 di mezz'ora, gentilmente", [{"new_start_time": "12:30"}]),
        ("annoti sulla prenotazione 8231 che una bambina è celiaca", [{"note": "una bambina è celiaca"}]),
        ("le sarei molto grato se spostasse 8231 alle 18", [{"new_start_time": "18:00"}]),
    ],
)  # fmt: skip
def test_italian_as_it_is_spoken_and_as_it_is_polite(text: str, values: list[dict[str, Any]]) -> None:
    calls = arguments(Chat(language="it").say(text))
    assert [{k: v for k, v in call.items() if k != "booking_id"} for call in calls] == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("8231 bday to 330 same day", {"new_start_time": "15:30"}), ("make 8231 330", None),
        ("move 8231 to the tuesday, the day before", {"new_date": "2026-11-24"}),
        ("move 8231 to the thursday, the day before", None),
        ("please record the following e-mail address against 8231: o@example.com", {"email": "o@example.com"}),
    ],
)  # fmt: skip
def test_what_reads_two_ways_is_asked_about(text: str, values: dict[str, Any] | None) -> None:
    calls = Chat().say(text)
    assert asked(calls) if values is None else arguments(calls) == [{"booking_id": "8231", **values}], calls


def test_a_polite_order_is_an_order() -> None:
    for text in ("I was wondering if we could move 8231 to 4pm?", "could we possibly move 8231 to 4pm"):
        assert arguments(Chat().say(text)) == [{"booking_id": "8231", "new_start_time": "16:00"}], text
    assert asked(Chat().say("we could move 8231 to 4pm"))


def test_a_day_behind_a_choice_is_no_second_choice() -> None:
    chat = Chat(bookings=three_emmas)
    assert asked(chat.say("change the date of Emma's booking"))
    assert asked(chat.say("the last one", offered=OFFERED))
    calls = chat.say("Tuesday 24 November", offered=OFFERED)
    assert arguments(calls) == [{"booking_id": "b-3", "new_date": "2026-11-24"}], "the day of the first one"


def test_a_new_request_is_not_an_answer() -> None:
    chat = Chat()
    assert asked(chat.say("move Emma's booking"))
    calls = chat.say("cancel booking 8231")
    assert [(c.name, c.arguments) for c in calls] == [("cancel_booking", {"booking_id": "8231"})]


def test_a_new_request_in_a_tools_own_words_is_not_an_answer() -> None:
    new, text, wanted = NEW_TOOLS["assign_lockers"]
    chat = Chat(extra_tools=[new])
    assert asked(chat.say("move booking 8231"))
    assert arguments(chat.say(text)) == [wanted]


def test_it_is_the_booking_spoken_of_last() -> None:
    known = [summary("b-7:1007", "John Smith", guest_count=10), summary("b-9", "Ada Byron", guest_count=20)]
    assert arguments(Chat().say("make it 14 kids", known=known)) == [{"booking_id": "b-9", "guest_count": 14}]
    assert names(Chat().say("cancel it", known=known)) == ["cancel_booking"]
    chat = Chat()
    assert arguments(chat.say("cancel #1007", known=known)) == [{"booking_id": "b-7"}]
    assert chat.looked_up == [], "its reference is known"


def pending(*steps: tuple[str, dict[str, Any]]) -> list[PlannedAction]:
    return [
        PlannedAction(
            step=n, action_id=tool, title=tool, parameters=values, safety_tier=SafetyTier.NORMAL, reversible=True
        )
        for n, (tool, values) in enumerate(steps, 1)
    ]


def test_a_pending_plan_is_called_again_with_the_change() -> None:
    plan = pending(
        ("reschedule_booking", {"booking_id": "b-1", "new_date": "2026-11-28", "new_start_time": "15:00"}),
        ("change_guest_count", {"booking_id": "b-1", "guest_count": 14}),
    )
    calls = Chat().say("make it 4pm instead", pending=plan)
    assert names(calls) == ["reschedule_booking", "change_guest_count"]
    assert arguments(calls)[0] == {"booking_id": "b-1", "new_date": "2026-11-28", "new_start_time": "16:00"}
    calls = Chat().say("actually 16 kids, and add a note: no nuts", pending=plan)
    assert arguments(calls)[1:] == [
        {"booking_id": "b-1", "guest_count": 16}, {"booking_id": "b-1", "note": "no nuts"},
    ]  # fmt: skip


def test_a_yes_to_no_one_found_does_not_give_the_value_to_the_booking_in_hand() -> None:
    known = [summary("b-1:8231", "Winterbourne birthday", date="2026-11-25", start_time="13:00", guest_count=10)]
    chat, plan = (
        Chat(bookings=no_one),
        pending(("reschedule_booking", {"booking_id": "b-1", "new_start_time": "16:00"})),
    )
    assert asked(chat.say("Zorbly to 5pm", known=known, pending=plan))
    assert asked(chat.say("yes Zorbly", known=known, pending=plan))
