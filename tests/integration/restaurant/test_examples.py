"""The JSON answers of the tools contract, to the letter, with the clock set to the contract's.

Guarantees:
- Every example is answered field by field as in the contract: no field is missing, added or different. Ids are the
  provider's, so `abc123` is any id here.
- Every example of a message is used as it is.
"""

import json
from typing import Any

import pytest

from tests.support.restaurants import MARIO, RunningRestaurant

CHECK_HTTP = {
    "ok": True,
    "restaurant_id": "roma",
    "day": "2026-02-19",
    "day_label": "giovedì 19 febbraio",
    "closed": False,
    "slots": ["19:00", "19:30", "20:00", "20:30", "21:00", "21:30", "22:00", "22:30"],
    "lunch_range": None,
    "dinner_range": ["19:00", "22:30"],
    "requested_time": "20:00",
    "time_human": "20",
    "available": True,
    "reason": None,
    "nearest_slots": [],
    "nearest_slots_human": None,
    "max_people": 8,
    "message": "Disponibile.",
}
CHECK_VAPI = {
    "restaurant_id": "roma",
    "day": "2026-02-19",
    "day_label": "giovedì 19 febbraio",
    "closed": False,
    "requested_time": "20:00",
    "time_human": "20",
    "available": True,
    "reason": None,
    "nearest_slots_human": None,
    "max_people": 8,
    "message": "Disponibile.",
}
MISMATCH = {
    "ok": False,
    "error_code": "WEEKDAY_MISMATCH",
    "message": "La data 2026-02-23 è lunedì 23 febbraio, non giovedì. Il prossimo giovedì è giovedì 19 febbraio.",
    "corrected_day": "2026-02-19",
    "corrected_day_label": "giovedì 19 febbraio",
}
CREATED = {
    "ok": True,
    "booking_id": "abc123",
    "day": "2026-02-19",
    "day_label": "giovedì 19 febbraio",
    "time": "20:00",
    "time_human": "20",
    "people": 4,
    "name": "Mario Rossi",
    "phone": "+393331234567",
    "message": "Prenotazione confermata per giovedì 19 febbraio alle 20, 4 persone a nome Mario Rossi.",
}
LISTED = {
    "ok": True,
    "count": 2,
    "message": "Ho trovato 2 prenotazioni: giovedì 19 febbraio alle 20 e 30, sabato 21 febbraio alle 21.",
    "results": [
        {
            "booking_id": "abc123",
            "day": "2026-02-19",
            "day_label": "giovedì 19 febbraio",
            "time": "20:30",
            "time_human": "20 e 30",
            "people": 4,
            "name": "Mario Rossi",
            "phone": "+393331234567",
            "notes": None,
        }
    ],
}
MODIFIED = {
    "ok": True,
    "booking_id": "abc123",
    "day": "2026-02-21",
    "day_label": "sabato 21 febbraio",
    "time": "21:00",
    "time_human": "21",
    "people": 3,
    "name": "Mario Rossi",
    "phone": "+393331234567",
    "message": "Prenotazione modificata: sabato 21 febbraio alle 21.",
}
CANCELLED = {"ok": True, "booking_id": "abc123", "message": "Prenotazione cancellata."}


def named(answer: Any) -> Any:
    """Return the answer with the contract's id in place of each booking id."""
    if isinstance(answer, list):
        return [named(one) for one in answer]
    if isinstance(answer, dict):
        return {key: "abc123" if key == "booking_id" else named(one) for key, one in answer.items()}
    return answer


async def test_check_openings_over_http(door: RunningRestaurant) -> None:
    assert await door.ask("check_openings", day="2026-02-19", time="20:00") == CHECK_HTTP


async def test_check_openings_for_a_voice_assistant(door: RunningRestaurant) -> None:
    arguments = {"restaurant_id": "roma", "day": "2026-02-19", "time": "20:00"}
    message = {"type": "tool-calls", "toolCallList": [{"id": "1", "name": "check_openings", "arguments": arguments}]}
    answer = (await door.http.post("/api/check_openings", json={"message": message})).json()
    assert json.loads(answer["results"][0]["result"]) == CHECK_VAPI


async def test_a_weekday_that_is_not_the_dates(door: RunningRestaurant) -> None:
    assert await door.ask("check_openings", day="2026-02-23", expected_weekday="giovedì") == MISMATCH


async def test_create_list_modify_cancel(door: RunningRestaurant) -> None:
    made = await door.book()
    assert named(made) == CREATED

    # The list's example: the booking at half past eight, and another.
    assert (await door.ask("cancel_booking", booking_id=made["booking_id"]))["ok"]
    made = await door.book("20:30")
    other = await door.book("21:00", "2026-02-21")
    listed = named(await door.ask("list_bookings", phone=MARIO))
    assert listed | {"results": listed["results"][:1]} == LISTED
    assert (await door.ask("cancel_booking", booking_id=other["booking_id"]))["ok"]

    asked = {"new_day": "2026-02-21", "new_time": "21:00", "new_people": 3}
    assert named(await door.ask("modify_booking", booking_id=made["booking_id"], **asked)) == MODIFIED
    assert named(await door.ask("cancel_booking", booking_id=made["booking_id"])) == CANCELLED


async def test_faq(door: RunningRestaurant) -> None:
    asked = await door.ask("faq", question="Avete un parcheggio privato?")
    assert asked == {"ok": True, "answer": "Sì, abbiamo parcheggio privato.", "source": "kb"}
    assert await door.ask("faq", question="Che tempo fa?") == {"ok": True, "answer": None, "source": None}


@pytest.mark.parametrize(
    ("moment", "open_now", "following"),
    [("2026-02-19T20:00", True, None), ("2026-02-19T12:00", False, "19:00"), ("2026-02-19T23:30", False, None)],
)
async def test_is_open_now(door: RunningRestaurant, moment: str, open_now: bool, following: str | None) -> None:
    door.at(moment)
    assert await door.ask("is_open_now") == {"ok": True, "open_now": open_now, "next_opening_time": following}


async def test_resolvers(door: RunningRestaurant) -> None:
    day = await door.ask("resolve_relative_day", text="domani")
    assert day == {"ok": True, "date": "2026-02-19", "day_label": "giovedì 19 febbraio", "ambiguous": False}
    time = await door.ask("resolve_relative_time", text="20 e 30")
    assert time == {"ok": True, "time": "20:30", "day_offset": 0, "ambiguous": False}


async def test_messages_by_state(door: RunningRestaurant) -> None:
    """The contract's table of `message` by state, a row an assertion."""

    async def wording(**asked: str) -> str:
        return (await door.ask("check_openings", **asked))["message"]

    door.at("2025-02-21T12:00")
    assert await wording(day="2025-02-23") == (
        "Il ristorante è chiuso domenica. Il prossimo giorno di apertura è lunedì 24 febbraio con cena dalle 19 alle 22"
        " e 30."
    )
    door.at("2026-02-18T12:00")
    assert await wording(day="2026-02-19", time="20:00") == "Disponibile."
    assert await wording(day="2026-02-19", time="22:30") == (
        "Questo orario è troppo vicino alla chiusura. Orari più vicini: 21 e 30, 22."
    )
    await door.fill("19:30")
    assert await wording(day="2026-02-19", time="20:00") == (
        "Nessun tavolo disponibile a quest'ora. Orari più vicini: 20 e 30, 21."
    )
    assert await wording(day="2026-02-19") == "Orari di apertura: cena dalle 19 alle 22 e 30."
    door.know(nearest_slots=3)
    assert await wording(day="2026-02-20", time="18:00") == (
        "Questo orario non è disponibile. Orari più vicini: 19, 19 e 30, 20."
    )


async def test_a_closed_days_fields(door: RunningRestaurant) -> None:
    door.at("2025-02-21T12:00")
    found = await door.ask("check_openings", day="2025-02-23", time="20:00")
    assert found["closed"] is True and found["available"] is False and found["reason"] == "closed"
    assert found["next_open_day"] == "2025-02-24"
    assert found["next_open_day_label"] == "lunedì 24 febbraio"
    assert found["next_open_ranges"] == {"lunch": None, "dinner": "19 alle 22 e 30"}
