"""Questions about free places, and dropping a part of a pending plan. Guarantees:

- a question about free places looks the day up and plans nothing, and the reply asks nothing that a plain "yes" would
  answer;
- the parts that the operator drops go, everything else is called again as it was.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from contracts.plan import PlannedAction
from tests.support.tables import table
from tests.unit.offline_planner.chat import Chat, arguments, asked, names, one_booking, roller
from tests.unit.offline_planner.test_conversation import pending

SESSIONS = [{"product": "Jump session", "product_id": "10", "sessions": [
    {"start_time": "15:00", "places_left": 12}, {"start_time": "16:00", "places_left": 0},
    {"start_time": "17:00", "places_left": None}]}]  # fmt: skip
MOVE = ("reschedule_booking", {"booking_id": "b-1", "new_date": "2026-11-28", "new_start_time": "15:00"})
COUNT = ("change_guest_count", {"booking_id": "b-1", "guest_count": 14})
EMAIL = ("update_contact", {"booking_id": "b-1", "email": "leo@x.com"})
BOTH = ("update_contact", {"booking_id": "b-1", "email": "leo@x.com", "phone": "+61412345678"})
NOTE = ("edit_note", {"booking_id": "b-1", "note": "no nuts"})


def venue(tool: str, given: Mapping[str, Any]) -> Any:
    return SESSIONS if tool == "check_availability" else one_booking(tool, given)


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("en", "Is Saturday 3pm free for Leo's party?", "2026-11-28"),
        ("en", "is there space at 3pm on Friday for the Hughes party?", "2026-11-27"),
        ("en", "what's free on Friday", "2026-11-27"),
        ("it", "sabato alle 15 è libero per la festa di Leo?", "2026-11-28"),
        ("it", "c'è spazio venerdì alle 15 per la festa Ughi?", "2026-11-27"),
    ],
)
@pytest.mark.parametrize("plan", [(), (MOVE,)])
def test_room_is_looked_up_and_nothing_is_planned(language: str, text: str, day: str, plan: Any) -> None:
    chat = Chat(bookings=venue, language=language)
    calls = chat.say(text, pending=pending(*plan))
    assert [(c.name, c.arguments["date"]) for c in chat.looked_up] == [("check_availability", day)]
    assert calls == [], "words without a question: a yes would confirm the plan that waits"


@table(
    "language, text, plan, left",
    [
        ("en", "drop the note", [MOVE, COUNT, NOTE], [MOVE, COUNT]),
        ("en", "leave out the email", [MOVE, EMAIL], [MOVE]),
        ("en", "don't change the email please", [MOVE, COUNT, EMAIL], [MOVE, COUNT]),
        ("en", "drop the note and the email", [MOVE, EMAIL, NOTE], [MOVE]),
        ("en", "skip the move, just do the 14 kids", [MOVE, COUNT], [COUNT]),
        ("en", "just the guest count", [MOVE, COUNT, NOTE], [COUNT]),
        ("en", "leave the time as it is", [MOVE, COUNT],
         [("reschedule_booking", {"booking_id": "b-1", "new_date": "2026-11-28"}), COUNT]),
        ("en", "forget the phone", [MOVE, BOTH], [MOVE, EMAIL]),
        ("en", "scrap the note and make it 16 kids", [MOVE, COUNT, NOTE],
         [MOVE, ("change_guest_count", {"booking_id": "b-1", "guest_count": 16})]),
        ("it", "senza la nota", [MOVE, NOTE], [MOVE]),
        ("it", "lascia perdere l'email", [MOVE, EMAIL], [MOVE]),
        ("it", "non spostarla, cambia solo il numero di ospiti", [MOVE, COUNT], [COUNT]),
        ("it", "lascia l'orario com'è", [MOVE, COUNT],
         [("reschedule_booking", {"booking_id": "b-1", "new_date": "2026-11-28"}), COUNT]),
    ],
)  # fmt: skip
def test_a_step_is_left_out(
    language: str, text: str, plan: list[tuple[str, dict[str, Any]]], left: list[tuple[str, dict[str, Any]]]
) -> None:
    steps: list[PlannedAction] = pending(*plan)
    calls = Chat(language=language).say(text, pending=steps)
    assert [(c.name, dict(c.arguments)) for c in calls] == left


@pytest.mark.parametrize("text", ["keep the note", "add the email", "drop the cake"])
def test_what_leaves_nothing_out_is_asked(text: str) -> None:
    calls = Chat().say(text, pending=pending(MOVE, EMAIL, NOTE))
    assert not set(names(calls)) & set(roller().actions), calls


def test_the_last_step_cannot_be_dropped_by_a_yes() -> None:
    calls = Chat().say("drop the note", pending=pending(NOTE))
    assert asked(calls)
    assert "say “no”" in calls[0].arguments["question"]


def test_a_bare_figure_changes_the_one_number_there() -> None:
    calls = Chat().say("actually 16", pending=pending(COUNT))
    assert arguments(calls) == [{"booking_id": "b-1", "guest_count": 16}]
    assert asked(Chat().say("actually 5", pending=pending(MOVE, COUNT))) or names(
        Chat().say("actually 5", pending=pending(MOVE, COUNT))
    ) == ["cannot_help"]
