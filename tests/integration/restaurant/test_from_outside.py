"""The contract as read by an author who has not seen the code: questions and bookings, over HTTP and as Vapi.

Guarantees:
- An invalid day, time, number or phone is VALIDATION_ERROR with a sentence and HTTP 200, from every tool that takes
  one, and books nothing.
- An invalid body, in any content type, is VALIDATION_ERROR from all nine, never an error of the framework's.
- A phone is the same in each of its spellings, as contact cards paste it, too: for duplicates, lists and callers.
- Names and notes come back as they were given, in any script.
- A booking that is made, found, moved by every alias, made larger and cancelled is at each step as reported.
- A full time is full for every stay that would overlap, and suggested times can be booked.
- Vapi's payload has the contract's fields and no HH:MM lists, in both envelopes, arguments as object or text.
"""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

from tests.integration.restaurant.test_examples import CHECK_VAPI
from tests.support.restaurants import MARIO, RunningRestaurant

pytestmark = pytest.mark.slow

TOOLS = (
    "check_openings",
    "create_booking",
    "list_bookings",
    "modify_booking",
    "cancel_booking",
    "faq",
    "is_open_now",
    "resolve_relative_day",
    "resolve_relative_time",
)
NO_DAYS = ["YYYY-MM-DD", "oggi", "{{day}}", "${day}", "<day>", "null", "2026-02-30", "2026-13-01", "19/02/2026"]
NO_DAYS += ["2026-2-19", "20260219", "2026-02-19T20:00", "2026-W08-4", "0000-00-00", "٢٠٢٦-٠٢-١٩"]
NO_TIMES = [
    "HH:MM",
    "{{time}}",
    "25:00",
    "24:00",
    "20:60",
    "20",
    "20.00",
    "20:00:00",
    "8:00 PM",
    "alle 20",
    "-1:00",
    "٢٠:٠٠",
]
NO_COUNTS: list[Any] = [
    0,
    -1,
    2.5,
    True,
    "0",
    "-1",
    "2.5",
    "quattro",
    "tanti",
    "NaN",
    "{{people}}",
    [4],
    {"n": 4},
    10**30,
]
NO_PHONES: list[Any] = [
    "123",
    "+",
    "+39",
    "++393331234567",
    "+39 333 abc",
    "+39333123456789012345",
    "{{phone}}",
    "3331234567",
    5,
]
SPELLINGS = [
    "+39 333 1234567",
    "+39-333-123-4567",
    "0039 333 1234567",
    "+39 (333) 1234567",
    "+39.333.1234567",
    " +393331234567 ",
]
SPELT_ABROAD = {
    "+442079460958": [
        "+44 (0)20 7946 0958",
        "0044 (0) 20 7946 0958",
        "+44 020 7946 0958",
        "\u202a+44 20 7946 0958\u202c",
        "+44\u201120\u20117946\u20110958",
        "+44\u00a020\u202f7946\u20070958",
        "\u2068+44 20\u200e 7946\u20130958\u2069",
        "\uff0b44 20 7946 0958",
    ],
    "+390655501234": [
        "+39 06 5550 1234",
        "+39 (06) 55501234",
        "+39 (0)6 5550 1234",
        "\u202d+39 06\u00a05550\u20111234\u202c",
    ],
    "+61412345678": ["+61 (0)412 345 678", "+61 0412 345 678"],
    "+33123456789": ["+33 (0)1 23 45 67 89"],
}
"""By the number: its spellings on contact cards, invisible marks and a zero for calls inside its country included."""
NAMES = [
    "Niccolò D'Àngelo",
    "O’Brien",
    "José Ñuñez-Pérez",
    "王小明",
    "محمد علي",
    "אברהם",
    "🍕",
    "<b>Rossi</b>",
    "'); DROP TABLE x;--",
]
CHECKED = {"restaurant_id": "roma", "day": "2026-02-19", "time": "20:00"}


def invalid(answer: dict[str, Any]) -> bool:
    return answer["ok"] is False and answer["error_code"] == "VALIDATION_ERROR" and len(answer["message"]) > 5


@pytest.mark.parametrize(
    ("field", "wrong"),
    [("day", NO_DAYS), ("time", NO_TIMES), ("people", NO_COUNTS), ("phone", NO_PHONES)],
)
async def test_what_is_none_is_refused(door: RunningRestaurant, field: str, wrong: list[Any]) -> None:
    made = (await door.book())["booking_id"]
    for value in wrong:
        assert invalid(await door.book(**{field: value})), value
        if field in ("day", "time"):
            assert invalid(await door.ask("check_openings", **{**CHECKED, field: value})), value
        if field != "phone":
            assert invalid(await door.ask("modify_booking", booking_id=made, **{f"new_{field}": value})), value
            assert invalid(await door.ask("modify_booking", booking_id=made, **{field: value})), value
        else:
            assert invalid(await door.ask("list_bookings", phone=value)), value
    assert (await door.ask("list_bookings", phone=MARIO))["count"] == 1


@pytest.mark.parametrize("tool", TOOLS)
async def test_a_body_that_is_none(door: RunningRestaurant, tool: str) -> None:
    bodies = [b"", b"{", b"[1]", b'"x"', b"null", b'{"restaurant_id":"\xff"}', b'{"restaurant_id":NaN}', b"[" * 5000]
    bodies += [b'{"a":' * 5000, b'{"restaurant_id":' + b"9" * 5000 + b"}", b'{"restaurant_id":"\\ud800"}']
    for body in bodies:
        for kind in ("application/json", "text/plain", "application/x-www-form-urlencoded"):
            answer = await door.http.post(f"/api/{tool}", content=body, headers={"Content-Type": kind})
            assert answer.status_code == 200 and invalid(answer.json()), (body[:20], kind)
    assert (await door.http.get(f"/api/{tool}")).status_code == 405


async def test_one_phone_in_many_spellings(door: RunningRestaurant) -> None:
    assert (await door.book())["ok"]
    for spelling in SPELLINGS:
        assert (await door.book(phone=spelling))["error_code"] == "DUPLICATE_BOOKING", spelling
        assert (await door.ask("list_bookings", phone=spelling))["count"] == 1, spelling


@pytest.mark.parametrize("number", SPELT_ABROAD)
async def test_one_guest_however_a_number_is_pasted(door: RunningRestaurant, number: str) -> None:
    assert (await door.book(phone=number))["phone"] == number
    for spelling in SPELT_ABROAD[number]:
        assert (await door.book(phone=spelling))["error_code"] == "DUPLICATE_BOOKING", spelling
        assert (await door.ask("list_bookings", phone=spelling))["count"] == 1, spelling
    calls = [
        {"id": spelling, "name": "list_bookings", "arguments": {"restaurant_id": "roma", "phone": spelling}}
        for spelling in (number, *SPELT_ABROAD[number])
    ]
    message = {"type": "tool-calls", "toolCallList": calls, "call": {"customer": {"number": number}}}
    results = (await door.http.post("/vapi", json={"message": message})).json()["results"]
    assert [json.loads(one["result"]).get("count") for one in results] == [1] * len(calls), "the caller's own"


async def test_a_number_without_its_country_says_what_to_do(door: RunningRestaurant) -> None:
    answer = await door.book(phone="3331234567")
    assert invalid(answer) and "+39" in answer["message"]


@pytest.mark.parametrize("phone", ["+39333123456", "+390612345678", "+442071838750", "+12125550123", "+393331234"])
async def test_numbers_of_any_length(door: RunningRestaurant, phone: str) -> None:
    assert (await door.book(phone=phone))["phone"] == phone


async def test_names_and_notes_come_back(door: RunningRestaurant) -> None:
    days = ["2026-02-19", "2026-02-20", "2026-02-21"]
    for number, name in enumerate(NAMES):
        phone = f"+3933312345{number:02d}"
        made = await door.book(day=days[number % 3], phone=phone, name=name, notes=f"{name} 🎂 è così")
        assert made["name"] == name and made["message"].endswith(f"a nome {name}."), made
        [found] = (await door.ask("list_bookings", phone=phone))["results"]
        assert (found["name"], found["notes"]) == (name, f"{name} 🎂 è così")


async def test_from_booked_to_cancelled(door: RunningRestaurant) -> None:
    made = (await door.book())["booking_id"]
    steps: list[tuple[dict[str, Any], tuple[str, str, int]]] = [
        ({"new_day": "2026-02-21", "new_time": "21:00", "new_people": 3}, ("2026-02-21", "21:00", 3)),
        ({"day": "2026-02-20"}, ("2026-02-20", "21:00", 3)),
        ({"time": "20:30"}, ("2026-02-20", "20:30", 3)),
        ({"people": "5"}, ("2026-02-20", "20:30", 5)),
        ({"new_day": None, "day": "2026-02-19"}, ("2026-02-19", "20:30", 5)),
        ({"new_day": "", "new_time": " ", "new_people": 6.0}, ("2026-02-19", "20:30", 6)),
    ]
    for asked, (day, time, people) in steps:
        changed = await door.ask("modify_booking", booking_id=made, **asked)
        assert (changed["day"], changed["time"], changed["people"]) == (day, time, people), asked
        [found] = (await door.ask("list_bookings", phone=MARIO))["results"]
        assert {key: found[key] for key in ("booking_id", "day", "time", "people", "day_label", "time_human")} == {
            key: changed[key] for key in ("booking_id", "day", "time", "people", "day_label", "time_human")
        }
    for nothing in ({}, {"new_day": None}, {"new_time": ""}):
        assert invalid(await door.ask("modify_booking", booking_id=made, **nothing))
    other = {"restaurant_id": "modena01", "booking_id": made}
    assert (await door.ask("cancel_booking", other))["error_code"] == "BOOKING_NOT_FOUND"
    gone = await door.ask("cancel_booking", booking_id=made)
    assert gone == {"ok": True, "booking_id": made, "message": "Prenotazione cancellata."}
    for tool, more in (("cancel_booking", {}), ("modify_booking", {"new_people": 2})):
        assert (await door.ask(tool, booking_id=made, **more))["error_code"] == "BOOKING_NOT_FOUND"
    assert (await door.book())["ok"], "the place is free again"


async def test_what_overlaps_is_full(door: RunningRestaurant) -> None:
    await door.fill("19:30")
    full = await door.book("19:30")
    assert (full["error_code"], full["nearest_slots_human"]) == ("SLOT_FULL", ["20 e 30", "21"])
    text = "Nessun tavolo disponibile a quest'ora. Orari più vicini: 20 e 30, 21."
    assert (await door.ask("check_openings", **{**CHECKED, "time": "19:30"}))["message"] == text
    for time, free in (("19:00", False), ("20:00", False), ("20:30", True)):
        assert (await door.ask("check_openings", **{**CHECKED, "time": time}))["available"] is free
    for time in full["nearest_slots"]:
        assert (await door.book(time))["ok"]
    later = (await door.ask("list_bookings", phone=MARIO))["results"][0]["booking_id"]
    refused = await door.ask("modify_booking", booking_id=later, new_time="19:30")
    assert refused["error_code"] == "UPDATE_ERROR" and refused["nearest_slots_human"]


async def test_fifty_for_the_last_table(door: RunningRestaurant) -> None:
    await door.fill(count=2)
    asked = [door.book(phone=f"+39347000{number:04d}") for number in range(50)]
    codes = Counter(one.get("error_code") for one in await asyncio.gather(*asked))
    assert codes == {None: 1, "SLOT_FULL": 49}


@pytest.mark.parametrize("form", ["toolCallList", "toolCalls"])
@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize("url", ["/vapi", "/api/check_openings"])
async def test_both_envelopes(door: RunningRestaurant, form: str, as_text: bool, url: str) -> None:
    shown: dict[str, Any] = {"name": "check_openings", "arguments": json.dumps(CHECKED) if as_text else CHECKED}
    one = {"id": "a", **shown} if form == "toolCallList" else {"id": "a", "type": "function", "function": shown}
    answer = await door.http.post(url, json={"message": {"type": "tool-calls", form: [one]}})
    [result] = answer.json()["results"]
    assert answer.status_code == 200 and result["toolCallId"] == "a" and "\n" not in result["result"]
    assert json.loads(result["result"]) == CHECK_VAPI


@pytest.mark.parametrize(
    ("now", "day", "time", "text"),
    [
        ("2025-02-20T12:00", "2025-02-23", "20:00", "Il ristorante è chiuso domenica. Il prossimo giorno di apertura è"
         " lunedì 24 febbraio con cena dalle 19 alle 22 e 30."),
        ("2026-02-18T12:00", "2026-02-19", "18:30", "Questo orario non è disponibile. Orari più vicini: 19, 19 e 30."),
        ("2026-02-18T12:00", "2026-02-19", "22:30", "Questo orario è troppo vicino alla chiusura. Orari più vicini:"
         " 21 e 30, 22."),
        ("2026-02-18T21:45", "2026-02-18", "22:30", "Questo orario è troppo vicino alla chiusura. Orari più vicini:"
         " 22."),
        ("2026-02-18T22:20", "2026-02-18", "22:30", "Questo orario è troppo vicino alla chiusura."),
        ("2026-02-18T12:00", "2026-02-19", None, "Orari di apertura: cena dalle 19 alle 22 e 30."),
        ("2026-12-20T12:00", "2026-12-31", "13:00", "Questo orario non è disponibile. Orari più vicini: 19, 19 e 30."),
        ("2026-12-20T12:00", "2026-12-31", "23:00", "Disponibile."),
    ],
)  # fmt: skip
async def test_what_is_stated_of_a_day(
    door: RunningRestaurant, now: str, day: str, time: str | None, text: str
) -> None:
    door.at(now)
    assert (await door.ask("check_openings", day=day, time=time))["message"] == text
