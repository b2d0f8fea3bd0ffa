"""Each row of the table in `docs/restaurant.md`, which decides where the contract is silent, is a true test here."""

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from infra.config.settings import ROOT
from restaurant.providers import NotConfiguredError, OutcomeUnknownError, ProviderUnavailableError
from tests.support.restaurants import MARIO, RunningRestaurant

CASES: dict[str, Callable[[RunningRestaurant], Awaitable[None]]] = {}
OTHER = "+393339999999"
CALLING = {"call": {"customer": {"number": MARIO}}}


def row(
    name: str,
) -> Callable[[Callable[[RunningRestaurant], Awaitable[None]]], Callable[[RunningRestaurant], Awaitable[None]]]:
    def keep(case: Callable[[RunningRestaurant], Awaitable[None]]) -> Callable[[RunningRestaurant], Awaitable[None]]:
        CASES[name] = case
        return case

    return keep


def code(answer: dict[str, Any]) -> str | None:
    return answer.get("error_code")


async def vapi(
    door: RunningRestaurant, *calls: tuple[str, dict[str, Any]], url: str = "/vapi", **more: Any
) -> list[dict[str, Any]]:
    listed = [{"id": str(n), "name": name, "arguments": asked} for n, (name, asked) in enumerate(calls)]
    answer = await door.http.post(url, json={"message": {"type": "tool-calls", "toolCallList": listed, **more}})
    assert answer.status_code == 200
    return [json.loads(one["result"]) for one in answer.json()["results"]]


@row("HTTP status of business errors")
async def _(door: RunningRestaurant) -> None:
    for body in ("", "{", "[]", "null", '"text"', "[" * 5000, '{"restaurant_id": "\\ud800"}'):
        answer = await door.http.post("/api/check_openings", content=body)
        assert (answer.status_code, code(answer.json())) == (200, "VALIDATION_ERROR"), body
    answer = await door.http.post("/api/check_openings", content=b" " * 3_000_000)
    assert (answer.status_code, code(answer.json())) == (200, "VALIDATION_ERROR")
    assert "lunga" in answer.json()["message"]


@row("unknown restaurant")
async def _(door: RunningRestaurant) -> None:
    assert code(await door.ask("is_open_now", restaurant_id="napoli")) == "RESTAURANT_NOT_FOUND"
    for tool, fields in {
        "check_openings": {"day": "2026-02-19"},
        "create_booking": {"day": "2026-02-19", "time": "20:00", "people": 2, "name": "A", "phone": MARIO},
        "list_bookings": {"phone": MARIO},
        "modify_booking": {"booking_id": "1", "new_people": 2},
        "cancel_booking": {"booking_id": "1"},
        "faq": {"question": "?"},
        "resolve_relative_day": {"text": "oggi"},
        "resolve_relative_time": {"text": "20"},
    }.items():
        answer = await door.ask(tool, restaurant_id="napoli", **fields)
        assert code(answer) == "VALIDATION_ERROR" and "napoli" in answer["message"], tool


@row("null, blank text and fields that are not known")
async def _(door: RunningRestaurant) -> None:
    answer = await door.ask("check_openings", day="2026-02-19", time="", expected_weekday=None, unheard_of=1)
    assert answer["ok"] and answer["available"] is None


@row("an address or a method that is not there")
async def _(door: RunningRestaurant) -> None:
    answer = await door.http.get("/api/check_openings")
    assert (answer.status_code, code(answer.json())) == (405, "METHOD_NOT_ALLOWED")
    assert answer.headers["Allow"] == "POST" and "POST" in answer.json()["message"]
    assert (await door.http.post("/api/dance")).status_code == 404


@row("a weekday among other words")
async def _(door: RunningRestaurant) -> None:
    for message in ("giovedì", "giovedi\u0300", "GIOVEDI'", "giovedì.", "giovedì prossimo"):
        answer = await door.ask("check_openings", day="2026-02-23", expected_weekday=message)
        assert (code(answer), answer["corrected_day"]) == ("WEEKDAY_MISMATCH", "2026-02-19"), message


@row("digits as text")
async def _(door: RunningRestaurant) -> None:
    assert (await door.book(people="4"))["people"] == 4
    assert code(await door.book("21:00", people="quattro")) == "VALIDATION_ERROR"


@row("phone numbers")
async def _(door: RunningRestaurant) -> None:
    for written in ("+39 333 123-4567", "0039 333.123.4567", "+39 (333) 1234567"):
        assert (await door.ask("list_bookings", phone=written))["ok"], written
    assert (await door.book(phone="+39335123456"))["phone"] == "+39335123456", "a mobile of nine digits"
    assert code(await door.book("21:00", phone="3331234567")) == "VALIDATION_ERROR"


@row("several things wrong at once")
async def _(door: RunningRestaurant) -> None:
    answer = await door.ask("create_booking", people=0, name="", phone="x", day="boh", time="boh")
    assert "giorno" in answer["message"]


@row("`CONFIG_ERROR`")
async def _(door: RunningRestaurant) -> None:
    made = await door.book()
    door.know(max_concurrent_bookings=None)
    assert (await door.ask("check_openings", day="2026-02-19"))["ok"]
    assert code(await door.ask("check_openings", day="2026-02-19", time="20:00")) == "CONFIG_ERROR"
    assert code(await door.book("21:00")) == "CREATE_ERROR"
    moved = await door.ask("modify_booking", booking_id=made["booking_id"], new_time="21:00")
    assert code(moved) == "UPDATE_ERROR"


@row("cut-off on create")
async def _(door: RunningRestaurant) -> None:
    answer = await door.book("22:30")
    assert code(answer) == "OUTSIDE_HOURS" and answer["nearest_slots_human"] == ["21 e 30", "22"]


@row("closing")
async def _(door: RunningRestaurant) -> None:
    assert (await door.book("22:00"))["ok"]
    door.know(cutoff_minutes=60)
    assert (await door.book("22:00", phone=OTHER))["ok"], "23:00 less an hour"
    door.know(cutoff_minutes=61)
    assert code(await door.book("22:00", phone="+393330000001")) == "OUTSIDE_HOURS"


@row("off-grid times")
async def _(door: RunningRestaurant) -> None:
    answer = await door.ask("check_openings", day="2026-02-19", time="20:10")
    assert (answer["reason"], answer["nearest_slots"]) == ("not_in_openings", ["20:00", "20:30"])
    answer = await door.book("20:10")
    assert (code(answer), answer["nearest_slots_human"]) == ("OUTSIDE_HOURS", ["20", "20 e 30"])


@row("a closed day on create")
async def _(door: RunningRestaurant) -> None:
    answer = await door.book(day="2026-02-22")
    assert code(answer) == "OUTSIDE_HOURS" and answer["nearest_slots_human"] is None
    assert "lunedì 23 febbraio" in answer["message"]


@row("past and another weekday at once")
async def _(door: RunningRestaurant) -> None:
    assert code(await door.ask("check_openings", day="2026-02-17", expected_weekday="giovedì")) == "PAST_DATE"


@row("the corrected day")
async def _(door: RunningRestaurant) -> None:
    answer = await door.ask("check_openings", day="2026-02-23", expected_weekday="mercoledi")
    assert answer["corrected_day"] == "2026-02-18"


@row("a past day or time on create")
async def _(door: RunningRestaurant) -> None:
    answer = await door.book(day="2026-02-17")
    assert code(answer) == "VALIDATION_ERROR" and "passata" in answer["message"]
    door.at("2026-02-19T20:31")
    answer = await door.book("20:30")
    assert code(answer) == "VALIDATION_ERROR" and "passato" in answer["message"]


@row("the minute that is now")
async def _(door: RunningRestaurant) -> None:
    door.at("2026-02-19T20:30:59")
    assert (await door.book("20:30"))["ok"]


@row("how many nearest slots")
async def _(door: RunningRestaurant) -> None:
    door.know(nearest_slots=4)
    answer = await door.ask("check_openings", day="2026-02-19", time="20:45")
    assert answer["nearest_slots"] == ["20:00", "20:30", "21:00", "21:30"]
    modena = await door.ask("check_openings", restaurant_id="modena01", day="2026-02-19", time="18:00")
    assert len(modena["nearest_slots"]) == 3
    door.know(nearest_slots=1)
    assert (await door.ask("check_openings", day="2026-02-19", time="20:45"))["nearest_slots"] == ["20:30"]


@row("what is suggested")
async def _(door: RunningRestaurant) -> None:
    door.at("2026-02-19T20:40")
    await door.fill("21:30")
    answer = await door.ask("check_openings", day="2026-02-19", time="21:30")
    assert answer["nearest_slots"] == [], "19 to 20:30 are past, 21 and 22 overlap, 22:30 is cut off"
    door.at("2026-02-19T20:20")
    assert (await door.ask("check_openings", day="2026-02-19", time="21:30"))["nearest_slots"] == ["20:30"]


@row("modify a booking that is past, or to the past")
async def _(door: RunningRestaurant) -> None:
    made = (await door.book())["booking_id"]
    answer = await door.ask("modify_booking", booking_id=made, new_day="2026-02-17")
    assert code(answer) == "VALIDATION_ERROR" and "passata" in answer["message"]
    door.at("2026-02-19T20:30")
    answer = await door.ask("modify_booking", booking_id=made, new_people=2)
    assert code(answer) == "VALIDATION_ERROR" and "passato" in answer["message"]


@row("modify to more than `max_people`")
async def _(door: RunningRestaurant) -> None:
    answer = await door.ask("modify_booking", booking_id=(await door.book())["booking_id"], new_people=9)
    assert code(answer) == "VALIDATION_ERROR" and "8 persone" in answer["message"]


@row("modify to a closed day, outside hours or to a full slot")
async def _(door: RunningRestaurant) -> None:
    made = (await door.book())["booking_id"]
    answer = await door.ask("modify_booking", booking_id=made, new_day="2026-02-22")
    assert (code(answer), answer["nearest_slots_human"]) == ("UPDATE_ERROR", None)
    answer = await door.ask("modify_booking", booking_id=made, new_time="18:00")
    assert (code(answer), answer["nearest_slots_human"]) == ("UPDATE_ERROR", ["19", "19 e 30"])
    await door.fill("20:00", "2026-02-20")
    answer = await door.ask("modify_booking", booking_id=made, new_day="2026-02-20")
    assert (code(answer), answer["nearest_slots_human"]) == ("UPDATE_ERROR", ["19", "21"])


@row("modify to the guest's own other booking")
async def _(door: RunningRestaurant) -> None:
    await door.book("21:00")
    answer = await door.ask("modify_booking", booking_id=(await door.book())["booking_id"], new_time="21:00")
    assert code(answer) == "UPDATE_ERROR" and "già una prenotazione" in answer["message"]


@row("modify the people alone")
async def _(door: RunningRestaurant) -> None:
    made = (await door.book())["booking_id"]
    door.know(closures=[{"first": "2026-02-19", "last": "2026-02-19"}], max_concurrent_bookings=None)
    assert (await door.ask("modify_booking", booking_id=made, new_people=2))["people"] == 2


@row("`day` and `new_day` both given")
async def _(door: RunningRestaurant) -> None:
    made = (await door.book())["booking_id"]
    changed = await door.ask("modify_booking", booking_id=made, day="2026-02-20", new_day="2026-02-21")
    assert changed["day"] == "2026-02-21"


@row("who may list for another phone")
async def _(door: RunningRestaurant) -> None:
    await door.book(phone=OTHER)
    [listed] = await vapi(door, ("list_bookings", {"restaurant_id": "roma", "phone": OTHER}), **CALLING)
    assert code(listed) == "VALIDATION_ERROR"
    assert code(await door.ask("list_bookings", phone=OTHER, headers={"X-Caller-Phone": MARIO})) == "VALIDATION_ERROR"


@row("who may book for another phone")
async def _(door: RunningRestaurant) -> None:
    asked = {"restaurant_id": "roma", "day": "2026-02-19", "time": "21:00", "people": 2, "name": "A", "phone": OTHER}
    [made] = await vapi(door, ("create_booking", asked), **CALLING)
    assert (made["ok"], made["phone"]) == (True, OTHER)
    [changed] = await vapi(door, ("cancel_booking", asked | {"booking_id": made["booking_id"]}), **CALLING)
    assert code(changed) == "BOOKING_NOT_FOUND"


@row("modify or cancel another phone's booking")
async def _(door: RunningRestaurant) -> None:
    made = (await door.book(phone=OTHER))["booking_id"]
    asked = {"restaurant_id": "roma", "booking_id": made}
    changes = (("modify_booking", {**asked, "new_people": 2}), ("cancel_booking", asked))
    assert [code(one) for one in await vapi(door, *changes, **CALLING)] == ["BOOKING_NOT_FOUND"] * 2
    withheld = {"call": {"customer": {"number": "anonymous"}}}
    assert [code(one) for one in await vapi(door, *changes, **withheld)] == ["BOOKING_NOT_FOUND"] * 2
    own = {"call": {"customer": {"number": OTHER}}}
    assert [one["ok"] for one in await vapi(door, *changes, **own)] == [True, True]


@row("an error for Vapi")
async def _(door: RunningRestaurant) -> None:
    await door.fill()
    asked = {"restaurant_id": "roma", "day": "2026-02-19", "time": "20:00", "people": 2, "name": "A", "phone": MARIO}
    mismatch = {"restaurant_id": "roma", "day": "2026-02-23", "expected_weekday": "giovedì"}
    [full, other] = await vapi(door, ("create_booking", asked), ("check_openings", mismatch))
    assert set(full) == {"ok", "error_code", "message", "nearest_slots_human"}
    assert set(other) == {"ok", "error_code", "message", "corrected_day", "corrected_day_label"}


@row("an unknown tool, or `faq`, for Vapi")
async def _(door: RunningRestaurant) -> None:
    asked = {"restaurant_id": "roma", "question": "Avete un parcheggio?"}
    answers = await vapi(door, ("faq", asked), ("dance", {}), ("is_open_now", {"restaurant_id": "roma"}))
    assert [code(one) for one in answers] == ["VALIDATION_ERROR", "VALIDATION_ERROR", None]


@row("another tool's call at a tool's URL")
async def _(door: RunningRestaurant) -> None:
    [answer] = await vapi(door, ("is_open_now", {"restaurant_id": "roma"}), url="/api/list_bookings")
    assert code(answer) == "VALIDATION_ERROR"


@row("a message of Vapi's without calls")
async def _(door: RunningRestaurant) -> None:
    answer = await door.http.post("/vapi", json={"message": {"type": "end-of-call-report"}})
    assert (answer.status_code, answer.json()) == (200, {"results": []})


@row("an ambiguous day")
async def _(door: RunningRestaurant) -> None:
    for message, day in (("mercoledì", "2026-02-25"), ("sabato prossimo", "2026-02-21")):
        answer = await door.ask("resolve_relative_day", text=message)
        assert (answer["date"], answer["ambiguous"]) == (day, True)


@row("a past day, said")
async def _(door: RunningRestaurant) -> None:
    answer = await door.ask("resolve_relative_day", text="ieri")
    assert code(answer) == "UNSUPPORTED_RELATIVE_DAY" and "passato" in answer["message"]


@row("a relative time")
async def _(door: RunningRestaurant) -> None:
    for now, message in (("20:02", "20:30"), ("20:03", "20:35")):
        door.at(f"2026-02-18T{now}")
        assert (await door.ask("resolve_relative_time", text="tra mezz'ora"))["time"] == message


@row("an absolute time")
async def _(door: RunningRestaurant) -> None:
    door.at("2026-02-18T22:00")
    assert (await door.ask("resolve_relative_time", text="20:30"))["day_offset"] == 0
    assert (await door.ask("resolve_relative_time", text="domani alle 20"))["day_offset"] == 1


@row("an hour of the morning or the evening")
async def _(door: RunningRestaurant) -> None:
    answer = await door.ask("resolve_relative_time", text="alle otto")
    assert (answer["time"], answer["ambiguous"]) == ("20:00", True)


@row("more than a day ahead as a time")
async def _(door: RunningRestaurant) -> None:
    assert code(await door.ask("resolve_relative_time", text="tra 40 ore")) == "UNSUPPORTED_RELATIVE_TIME"


@row("first of the month")
async def _(door: RunningRestaurant) -> None:
    assert (await door.ask("check_openings", day="2026-03-01"))["day_label"] == "domenica 1 marzo"
    assert (await door.ask("check_openings", day="2026-02-20", time="12:00"))["time_human"] == "12"


@row("`LIST_BY_DAY_ERROR`")
async def _(door: RunningRestaurant) -> None:
    door.provider().fails = {"of_day": ProviderUnavailableError("away")}
    assert code(await door.ask("check_openings", day="2026-02-19", time="20:00")) == "CAPACITY_READ_ERROR"
    assert door.service.desk.counts.by_tool()["check_openings"] == {"CAPACITY_READ_ERROR": 1, "LIST_BY_DAY_ERROR": 1}


@row("a provider without its key")
async def _(door: RunningRestaurant) -> None:
    provider = door.provider()
    provider.fails = {"of_phone": NotConfiguredError("no key")}
    for name, codes in (("resos", ["RESOS_NOT_CONFIGURED"] * 2), ("octotable", ["CREATE_ERROR", "LIST_ERROR"])):
        provider.name = name
        assert [code(await door.book()), code(await door.ask("list_bookings", phone=MARIO))] == codes


@row('OctoTable\'s duplicates and list ("da verificare")')
async def _(door: RunningRestaurant) -> None:
    made = {"restaurant_id": "octodemo", "time": "20:00", "people": 2}
    assert (await door.book(**made))["ok"]
    assert code(await door.book(**made)) == "DUPLICATE_BOOKING"
    assert (await door.ask("list_bookings", restaurant_id="octodemo", phone=MARIO))["count"] == 1


@row("today's bookings in a list")
async def _(door: RunningRestaurant) -> None:
    await door.book()
    door.at("2026-02-19T23:00")
    assert (await door.ask("list_bookings", phone=MARIO))["count"] == 1
    door.at("2026-02-20T00:01")
    assert (await door.ask("list_bookings", phone=MARIO))["count"] == 0


@row("a write whose outcome is not known")
async def _(door: RunningRestaurant) -> None:
    door.provider().after = {"create": OutcomeUnknownError("the connection went")}
    assert (await door.book())["ok"]
    assert code(await door.book()) == "DUPLICATE_BOOKING"


def test_every_row_of_the_page_is_a_test() -> None:
    page = (ROOT / "docs" / "restaurant.md").read_text(encoding="utf-8")
    table = page.split("## Where the contract is silent")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| .+ \|$", table, re.MULTILINE)
    assert rows[0] == "silence"
    assert rows[1:] == list(CASES)


@pytest.mark.parametrize("name", list(CASES))
async def test_what_is_settled(door: RunningRestaurant, name: str) -> None:
    await CASES[name](door)
