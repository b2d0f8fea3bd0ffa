"""Every row of every table of the tools contract is a test. The tables here mirror the contract's, to be compared side
by side; the tests are generated from them.

Guarantees:
- Input tables: a required value is rejected with VALIDATION_ERROR where it is missing, null, blank or ill-formed, and
  an optional one may be left out.
- Output tables: each field is present when the table says, in the payload that the table says.
- Error tables: each code comes up in the case that the table names, as HTTP 200 with `ok` false and an Italian message
  without a code, and no other code of that tool is missing a row.
- The summaries: what a guest may hear and what is for the log alone; the latter is counted and its sentence is one that
  can be spoken.
"""

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from restaurant.errors import TECHNICAL, Code
from restaurant.providers import (
    AmbiguousError,
    FailedError,
    NoTableError,
    NotConfiguredError,
    ProviderUnavailableError,
    SheetNotFoundError,
)
from restaurant.tools.dispatch import TOOLS
from tests.support.restaurants import MARIO, RunningRestaurant

INPUTS = {
    # tool: {field: (type, required)}
    "check_openings": {
        "restaurant_id": ("string", True),
        "day": ("string (YYYY-MM-DD)", True),
        "time": ("string (HH:MM)", False),
        "expected_weekday": ("string", False),
    },
    "create_booking": {
        "restaurant_id": ("string", True),
        "day": ("string (YYYY-MM-DD)", True),
        "time": ("string (HH:MM)", True),
        "people": ("number", True),
        "name": ("string", True),
        "phone": ("string", True),
        "notes": ("string", False),
    },
    "list_bookings": {"restaurant_id": ("string", True), "phone": ("string", True)},
    "modify_booking": {
        "restaurant_id": ("string", True),
        "booking_id": ("string", True),
        "new_day": ("string (YYYY-MM-DD)", False),
        "new_time": ("string (HH:MM)", False),
        "new_people": ("number", False),
    },
    "cancel_booking": {"restaurant_id": ("string", True), "booking_id": ("string", True)},
    "faq": {"restaurant_id": ("string", True), "question": ("string", True)},
    "is_open_now": {"restaurant_id": ("string", True)},
    "resolve_relative_day": {"restaurant_id": ("string", True), "text": ("string", True)},
    "resolve_relative_time": {"restaurant_id": ("string", True), "text": ("string", True)},
}
GOOD: dict[str, Any] = {
    "restaurant_id": "roma",
    "day": "2026-02-19",
    "time": "20:00",
    "expected_weekday": "giovedì",
    "people": 4,
    "name": "Mario Rossi",
    "phone": MARIO,
    "notes": "finestra",
    "booking_id": "abc123",
    "new_day": "2026-02-20",
    "new_time": "21:00",
    "new_people": 2,
    "question": "Avete un parcheggio?",
    "text": "domani",
}
WRONG: dict[str, list[Any]] = {
    "string": [7, [], {}, True],
    "string (YYYY-MM-DD)": [
        "YYYY-MM-DD",
        "{{day}}",
        "domani",
        "2026-02-30",
        "19/02/2026",
        "20260219",
        "2026-2-9",
        20260219,
    ],
    "string (HH:MM)": ["HH:MM", "{{time}}", "20", "8:00", "24:00", "20:60", "20.00", 20],
    "number": [0, -1, 2.5, "quattro", "-2", "4.5", True, [4]],
}
MORE_WRONG: dict[str, list[Any]] = {
    "phone": ["333", "3331234567", "+39XXXXXXXXXX", "pippo"],
    "expected_weekday": ["thursday!", "boh"],
}


def good(tool: str) -> dict[str, Any]:
    fields = {field: GOOD[field] for field in INPUTS[tool]}
    return fields | ({"text": "20 e 30"} if tool == "resolve_relative_time" else {})


def refused(answer: dict[str, Any], code: str) -> None:
    assert answer["ok"] is False
    assert answer["error_code"] == code, answer
    message = answer["message"]
    assert message and message[0].isupper() and message.endswith((".", "?"))
    assert not re.search(r"[A-Z]{2,}_", message), "a code is not spoken"


REQUIRED = [(tool, field) for tool, fields in INPUTS.items() for field, (_, required) in fields.items() if required]
OPTIONAL = [(tool, field) for tool, fields in INPUTS.items() for field, (_, required) in fields.items() if not required]
ILL_FORMED = [
    (tool, field, value)
    for tool, fields in INPUTS.items()
    for field, (kind, _) in fields.items()
    for value in WRONG[kind] + MORE_WRONG.get(field, [])
]


async def test_what_is_required_may_not_be_missing(door: RunningRestaurant, subtests: pytest.Subtests) -> None:
    for tool, field in REQUIRED:
        fields = good(tool)
        for missing in ({k: v for k, v in fields.items() if k != field}, fields | {field: None}, fields | {field: " "}):
            with subtests.test(tool=tool, without=field):
                refused(await door.ask(tool, missing), "VALIDATION_ERROR")


async def test_what_is_optional_may_be_left_out(door: RunningRestaurant, subtests: pytest.Subtests) -> None:
    for tool, field in OPTIONAL:
        for left in ({k: v for k, v in good(tool).items() if k != field}, good(tool) | {field: None}):
            with subtests.test(tool=tool, without=field):
                code = (await door.ask(tool, left)).get("error_code")
                assert code in (None, "BOOKING_NOT_FOUND", "DUPLICATE_BOOKING")


async def test_what_is_ill_formed_is_refused(door: RunningRestaurant, subtests: pytest.Subtests) -> None:
    for tool, field, value in ILL_FORMED:
        with subtests.test(tool=tool, field=field, value=ascii(value)):
            refused(await door.ask(tool, good(tool) | {field: value}), "VALIDATION_ERROR")


def test_the_inputs_are_the_models() -> None:
    assert {name: set(tool.request.model_fields) for name, tool in TOOLS.items()} == {
        name: set(fields) for name, fields in INPUTS.items()
    }


async def test_modify_needs_one_of_three_and_knows_their_other_names(door: RunningRestaurant) -> None:
    made = await door.book()
    refused(await door.ask("modify_booking", booking_id=made["booking_id"]), "VALIDATION_ERROR")
    changed = await door.ask("modify_booking", booking_id=made["booking_id"], day="2026-02-20", time="21:00", people=3)
    assert (changed["day"], changed["time"], changed["people"]) == ("2026-02-20", "21:00", 3)


CHECK_FIELDS = {
    # field: (HTTP, Vapi)
    "closed": (True, True),
    "day_label": (True, True),
    "message": (True, True),
    "time_human": (True, True),
    "nearest_slots_human": (True, True),
    "max_people": (True, True),
    "available": (True, True),
    "reason": (True, True),
    "slots": (True, False),
    "lunch_range": (True, False),
    "dinner_range": (True, False),
    "nearest_slots": (True, False),
    # when closed
    "next_open_day": (True, True),
    "next_open_day_label": (True, True),
    "next_open_ranges": (True, True),
}
STATES = [
    # asked, available, reason
    ({"day": "2026-02-22", "time": "20:00"}, False, "closed"),
    ({"day": "2026-02-19", "time": "20:15"}, False, "not_in_openings"),
    ({"day": "2026-02-19", "time": "22:30"}, False, "cutoff"),
    ({"day": "2026-02-20", "time": "20:00"}, False, "full"),
    ({"day": "2026-02-19", "time": "20:00"}, True, None),
    ({"day": "2026-02-19"}, None, None),
]


@pytest.mark.parametrize(("asked", "available", "reason"), STATES)
async def test_what_check_openings_answers(
    door: RunningRestaurant, asked: dict[str, str], available: Any, reason: str | None
) -> None:
    await door.fill("20:00", "2026-02-20")
    http = await door.ask("check_openings", **asked)
    body = {"type": "tool-calls", "toolCallList": [{"id": "1", "arguments": {"restaurant_id": "roma", **asked}}]}
    answer = (await door.http.post("/api/check_openings", json={"message": body})).json()
    vapi = json.loads(answer["results"][0]["result"])

    assert (http["available"], http["reason"]) == (available, reason)
    assert (http["time_human"] is None) == ("time" not in asked)
    for field, (over_http, over_vapi) in CHECK_FIELDS.items():
        there = reason == "closed" or not field.startswith("next_open")
        assert (field in http) == (there and over_http), field
        assert (field in vapi) == (there and over_vapi), field
    assert (http["nearest_slots_human"] is not None) == (reason in ("not_in_openings", "cutoff", "full"))


Case = Callable[[RunningRestaurant], Awaitable[dict[str, Any]]]


def asks(tool: str, **fields: Any) -> Case:
    async def case(door: RunningRestaurant) -> dict[str, Any]:
        return await door.ask(tool, good(tool) | fields)

    return case


def failing(tool: str, method: str, error: Exception, name: str = "database", **fields: Any) -> Case:
    """Return a case that calls the tool while its provider fails. Modify and cancel are called for an existing
    booking.
    """

    async def case(door: RunningRestaurant) -> dict[str, Any]:
        asked = good(tool) | fields
        if "booking_id" in asked:
            asked["booking_id"] = (await door.book())["booking_id"]
        provider = door.provider()
        provider.name, provider.fails = name, {method: error}
        return await door.ask(tool, asked)

    return case


async def mismatch(door: RunningRestaurant) -> dict[str, Any]:
    return await door.ask("check_openings", day="2026-02-23", expected_weekday="giovedì")


async def unconfigured(door: RunningRestaurant) -> dict[str, Any]:
    door.know(avg_stay_minutes=None)
    return await door.ask("check_openings", day="2026-02-19", time="20:00")


async def too_many(door: RunningRestaurant) -> dict[str, Any]:
    return await door.book(people=9)


async def twice(door: RunningRestaurant) -> dict[str, Any]:
    await door.book()
    return await door.book()


async def full(door: RunningRestaurant) -> dict[str, Any]:
    await door.fill()
    return await door.book()


async def late_today(door: RunningRestaurant) -> dict[str, Any]:
    door.at("2026-02-19T20:30")
    return await door.ask("check_openings", day="2026-02-19", time="20:00")


async def twice_cancelled(door: RunningRestaurant) -> dict[str, Any]:
    made = await door.book()
    await door.ask("cancel_booking", booking_id=made["booking_id"])
    return await door.ask("cancel_booking", booking_id=made["booking_id"])


NO_KEY = NotConfiguredError("RESOS_API_KEY is not set")
AWAY, BROKEN, BUG = ProviderUnavailableError("away"), FailedError("500"), RuntimeError("nobody foresaw it")
ERRORS: dict[str, dict[str, Case]] = {
    "check_openings": {
        "VALIDATION_ERROR": asks("check_openings", day="YYYY-MM-DD"),
        "PAST_TIME": late_today,
        "PAST_DATE": asks("check_openings", day="2026-02-17", expected_weekday="martedì"),
        "WEEKDAY_MISMATCH": mismatch,
        "CONFIG_ERROR": unconfigured,
        "CAPACITY_READ_ERROR": failing("check_openings", "of_day", AWAY),
        "CHECK_OPENINGS_ERROR": failing("check_openings", "of_day", BUG),
    },
    "create_booking": {
        "VALIDATION_ERROR": asks("create_booking", day="2026-02-17"),
        "MAX_PEOPLE_EXCEEDED": too_many,
        "DUPLICATE_BOOKING": twice,
        "NO_TABLE_AVAILABLE": failing("create_booking", "create", NoTableError("422"), "resos"),
        "SLOT_FULL": full,
        "OUTSIDE_HOURS": asks("create_booking", time="18:00"),
        "CREATE_ERROR": failing("create_booking", "create", BROKEN),
        "PROVIDER_ERROR": failing("create_booking", "create", AmbiguousError("no id"), "resos"),
        "PROVIDER_UNAVAILABLE": failing("create_booking", "of_phone", AWAY),
        "RESOS_NOT_CONFIGURED": failing("create_booking", "of_phone", NO_KEY, "resos"),
        "CREATE_BOOKING_ERROR": failing("create_booking", "create", BUG),
    },
    "list_bookings": {
        "VALIDATION_ERROR": asks("list_bookings", phone=""),
        "LIST_ERROR": failing("list_bookings", "of_phone", AWAY),
        "RESOS_NOT_CONFIGURED": failing("list_bookings", "of_phone", NO_KEY, "resos"),
        "LIST_BOOKINGS_ERROR": failing("list_bookings", "of_phone", BUG),
    },
    "modify_booking": {
        "VALIDATION_ERROR": asks("modify_booking", new_people=-1),
        "BOOKING_NOT_FOUND": asks("modify_booking"),
        "UPDATE_ERROR": failing("modify_booking", "change", AWAY),
        "RESOS_NOT_CONFIGURED": failing("modify_booking", "by_id", NO_KEY, "resos"),
        "MODIFY_BOOKING_ERROR": failing("modify_booking", "change", BUG),
        # from the summary of technical codes
        "SHEET_NOT_FOUND": failing("modify_booking", "change", SheetNotFoundError("no sheet"), "google_sheets"),
    },
    "cancel_booking": {
        "VALIDATION_ERROR": asks("cancel_booking", booking_id=""),
        "BOOKING_NOT_FOUND": twice_cancelled,
        "DELETE_ERROR": failing("cancel_booking", "cancel", AWAY),
        "RESOS_NOT_CONFIGURED": failing("cancel_booking", "by_id", NO_KEY, "resos"),
        "CANCEL_BOOKING_ERROR": failing("cancel_booking", "cancel", BUG),
        "SHEET_NOT_FOUND": failing("cancel_booking", "cancel", SheetNotFoundError("no sheet"), "google_sheets"),
    },
    "faq": {"VALIDATION_ERROR": asks("faq", question=""), "FAQ_ERROR": asks("faq")},
    "is_open_now": {
        "VALIDATION_ERROR": asks("is_open_now", restaurant_id=""),
        "RESTAURANT_NOT_FOUND": asks("is_open_now", restaurant_id="napoli"),
        "INTERNAL_ERROR": asks("is_open_now"),
    },
    "resolve_relative_day": {
        "VALIDATION_ERROR": asks("resolve_relative_day", text=""),
        "UNSUPPORTED_RELATIVE_DAY": asks("resolve_relative_day", text="boh"),
    },
    "resolve_relative_time": {
        "VALIDATION_ERROR": asks("resolve_relative_time", text=""),
        "VAGUE_TIME": asks("resolve_relative_time", text="più tardi"),
        "UNSUPPORTED_RELATIVE_TIME": asks("resolve_relative_time", text="boh"),
    },
}
BROKEN_INSIDE = {
    "FAQ_ERROR": "restaurant.tools.information.best_entry",
    "INTERNAL_ERROR": "restaurant.tools.information.open_now",
}
WITH_NEAREST = {"SLOT_FULL", "OUTSIDE_HOURS"}
ROWS = [(tool, code) for tool, codes in ERRORS.items() for code in codes]


@pytest.mark.parametrize(("tool", "code"), ROWS)
async def test_an_error_code(door: RunningRestaurant, tool: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if code in BROKEN_INSIDE:
        monkeypatch.setattr(BROKEN_INSIDE[code], lambda *_: 1 / 0)
    answer = await ERRORS[tool][code](door)
    refused(answer, code)
    assert ("nearest_slots_human" in answer) == (code in WITH_NEAREST)
    assert door.service.desk.counts.by_tool()[tool][code] >= 1


USER_FACING = [
    # code, tools, sentence
    ("MAX_PEOPLE_EXCEEDED", "create_booking", "Per le prenotazioni online il massimo è 8 persone"),
    ("NO_TABLE_AVAILABLE", "create_booking", "Non ci sono tavoli per quell'orario"),
    ("SLOT_FULL", "create_booking", "Capacità esaurita a quest'ora"),
    ("OUTSIDE_HOURS", "create_booking", "Orario fuori dagli orari di apertura"),
    ("DUPLICATE_BOOKING", "create_booking", "Risulta già una prenotazione con questi dati"),
    ("CREATE_ERROR", "create_booking", "Non riesco a completare la prenotazione"),
    ("PROVIDER_ERROR", "create_booking", "Errore tecnico"),
    ("PROVIDER_UNAVAILABLE", "create_booking", "Sistema prenotazione non raggiungibile"),
    ("BOOKING_NOT_FOUND", "modify_booking", "Non trovo quella prenotazione"),
    ("BOOKING_NOT_FOUND", "cancel_booking", "Non trovo quella prenotazione"),
    ("UPDATE_ERROR", "modify_booking", "Non riesco a modificare la prenotazione"),
    ("DELETE_ERROR", "cancel_booking", "Non riesco a cancellare la prenotazione"),
    ("PAST_TIME", "check_openings", "L'orario indicato è già passato"),
    ("PAST_DATE", "check_openings", "La data indicata è già passata"),
    ("UNSUPPORTED_RELATIVE_DAY", "resolve_relative_day", "Non riesco a capire il giorno"),
    ("UNSUPPORTED_RELATIVE_TIME", "resolve_relative_time", "Non riesco a capire l'orario"),
    ("VAGUE_TIME", "resolve_relative_time", "Mi indica un orario esatto?"),
    ("VALIDATION_ERROR", "faq", "Mi manca un dato"),
]


@pytest.mark.parametrize(("code", "tool", "wording"), USER_FACING)
async def test_what_a_guest_is_reported(door: RunningRestaurant, code: str, tool: str, wording: str) -> None:
    assert wording in (await ERRORS[tool][code](door))["message"]


FOR_THE_LOG = """
    CONFIG_ERROR CAPACITY_READ_ERROR RESOS_NOT_CONFIGURED SHEET_NOT_FOUND RESTAURANT_NOT_FOUND
    LIST_ERROR LIST_BY_DAY_ERROR CHECK_OPENINGS_ERROR CREATE_BOOKING_ERROR LIST_BOOKINGS_ERROR
    MODIFY_BOOKING_ERROR CANCEL_BOOKING_ERROR FAQ_ERROR INTERNAL_ERROR
""".split()


def test_what_is_for_the_log_alone() -> None:
    assert set(FOR_THE_LOG) == {code.value for code in TECHNICAL}
    shown = {code for codes in ERRORS.values() for code in codes}
    assert {code.value for code in Code} - shown == {"LIST_BY_DAY_ERROR"}, "logged and never answered"


async def test_a_day_that_cannot_be_read_is_logged(door: RunningRestaurant, caplog: pytest.LogCaptureFixture) -> None:
    await ERRORS["check_openings"]["CAPACITY_READ_ERROR"](door)
    assert "check_openings of roma: LIST_BY_DAY_ERROR" in caplog.text
    assert door.service.desk.counts.by_tool()["check_openings"]["LIST_BY_DAY_ERROR"] == 1
