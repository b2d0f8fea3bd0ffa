"""What the restaurant's own staff see.

Guarantees:
- One booking and a day's, as they are kept, and how full each slot is; nothing is made up.
- An unknown restaurant, booking or day is 404 or 422, an unavailable provider 503.
- The page shows the bookings and how full each slot is, in Italian, runs no script, fetches nothing, is not cached by a
  browser, and shows what guests have written as text.
- Neither a purge nor a cancel leaves anything of a booking in the table.
"""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from sqlalchemy import inspect, select

from restaurant.providers import ProviderUnavailableError
from restaurant.providers.database import sheet_database
from restaurant.providers.database.schema import BOOKINGS, VERSIONS, bring_up_to_date
from tests.support.ledgers import a_url
from tests.support.restaurants import MARIO, RunningRestaurant


async def test_one_booking(door: RunningRestaurant) -> None:
    made = await door.book(notes="finestra")
    answer = await door.http.get(f"/staff/roma/bookings/{made['booking_id']}")
    assert answer.json() == {
        "booking_id": made["booking_id"],
        "day": "2026-02-19",
        "day_label": "giovedì 19 febbraio",
        "time": "20:00",
        "people": 4,
        "name": "Mario Rossi",
        "phone": MARIO,
        "notes": "finestra",
        "status": "approved",
        "live": True,
    }


async def test_a_day(door: RunningRestaurant) -> None:
    await door.fill(count=2)
    found = (await door.http.get("/staff/roma/days/2026-02-19")).json()
    assert len(found["bookings"]) == 2 and not found["closed"]
    taken = {one["time"]: (one["taken"], one["of"]) for one in found["slots"]}
    assert taken["19:00"] == (0, 3) and taken["19:30"] == taken["20:00"] == taken["20:30"] == (2, 3)
    assert [one["time"] for one in found["slots"] if one["cut_off"]] == ["22:30"]


async def test_what_can_be_offered_instead(door: RunningRestaurant) -> None:
    door.at("2026-02-18T20:00")
    mine = (await door.book(time="21:00"))["booking_id"]
    asked = f"/staff/roma/bookings/{mine}/instead?day=2026-02-19&time="
    assert (await door.http.get(f"{asked}20:00")).json() == {"nearest_slots": [], "open_now": True}, "it is free"
    await door.fill(count=3)
    assert (await door.http.get(f"{asked}20:00")).json()["nearest_slots"] == ["19:00", "21:30"], "not its own"
    assert (await door.http.get(f"{asked}17:00")).json()["nearest_slots"] == ["19:00", "21:30"]
    await door.fill(count=2, time="21:00")
    assert (await door.http.get(f"{asked}21:00")).json()["nearest_slots"] == [], "its own table is no hindrance to it"
    door.at("2026-02-18T04:00")
    door.provider().fails = {"of_day": ProviderUnavailableError("away")}
    assert (await door.http.get(f"{asked}20:00")).json() == {"nearest_slots": [], "open_now": False}
    assert (await door.http.get(f"{asked}boh")).status_code == 422


async def test_what_is_not_there(door: RunningRestaurant) -> None:
    for path, status in (
        ("/staff/napoli/days/2026-02-19", 404),
        ("/staff/napoli", 404),
        ("/staff/roma/bookings/none", 404),
        ("/staff/roma/bookings/%00", 404),
        ("/staff/roma/days/boh", 422),
        ("/staff/roma?day=boh", 422),
    ):
        assert (await door.http.get(path)).status_code == status, path
    door.provider().fails = {"of_day": ProviderUnavailableError("away"), "by_id": ProviderUnavailableError("away")}
    for path in ("/staff/roma/days/2026-02-19", "/staff/roma/bookings/1", "/staff/roma"):
        assert (await door.http.get(path)).status_code == 503


async def test_the_page(door: RunningRestaurant) -> None:
    await door.book(name="<script>alert(1)</script>", notes="tavolo & sedia")
    answer = await door.http.get("/staff/roma?day=2026-02-19")
    text = answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert '<html lang="it">' in text and "giovedì 19 febbraio" in text and "1 prenotazione, 4 persone" in text
    assert "<script" not in text and "&lt;script&gt;" in text and "tavolo &amp; sedia" in text
    assert "src=" not in text and "http" not in text and "@import" not in text
    assert "1 su 3" in text
    assert "Chiuso" in (await door.http.get("/staff/roma?day=2026-02-22")).text


async def test_the_page_at_the_ends_of_time(door: RunningRestaurant) -> None:
    for day in ("0001-01-01", "9999-12-31"):
        assert (await door.http.get(f"/staff/roma?day={day}")).status_code == 200
        assert (await door.http.get(f"/staff/roma/days/{day}")).status_code == 200
    assert (await door.ask("check_openings", day="9999-12-31", time="20:00"))["ok"]


def rows(door: RunningRestaurant) -> list[str]:
    found = door.service.database.run(lambda connection: connection.execute(select(BOOKINGS)).all(), 60)
    return sorted(str(row.day) for row in found)


async def test_what_is_over_is_forgotten(door: RunningRestaurant) -> None:
    await door.book()
    await door.book(day="2026-02-20")
    cancelled = await door.book(day="2026-02-21")
    await door.ask("cancel_booking", booking_id=cancelled["booking_id"])
    assert rows(door) == ["2026-02-19", "2026-02-20"]
    door.at("2026-02-20T12:00")
    assert await door.service.purge() == {"modena01": 0, "octodemo": 0, "roma": 0}, "a day is left for who comes back"
    door.at("2026-02-21T00:10")
    assert (await door.service.purge())["roma"] == 1
    assert rows(door) == ["2026-02-20"]
    assert (await door.service.purge(datetime(2026, 3, 1, tzinfo=UTC)))["roma"] == 1
    assert rows(door) == []


async def test_a_service_whose_clock_is_set_forgets_nothing_by_itself(door: RunningRestaurant) -> None:
    await door.book()
    assert not door.service.desk.clock.real


def test_the_migrations_make_the_schema(tmp_path: Path) -> None:
    for kind in ("sqlite", "postgresql"):
        with a_url(kind, tmp_path) as url:
            database = sheet_database(url.replace("postgresql://", "postgresql+psycopg://"))
            try:
                database.run(bring_up_to_date, 60, writes=True)
                made = database.run(
                    lambda connection: (
                        {one["name"]: one["nullable"] for one in inspect(connection).get_columns(BOOKINGS.name)},
                        {one["name"] for one in inspect(connection).get_indexes(BOOKINGS.name)},
                        set(inspect(connection).get_table_names()),
                    ),
                    10,
                )
            finally:
                database.close()
            columns, indexes, tables = made
            assert columns == {column.name: bool(column.nullable) for column in BOOKINGS.columns}
            assert indexes == {index.name for index in BOOKINGS.indexes}
            assert tables == {BOOKINGS.name, VERSIONS}


def test_dates_are_dates() -> None:
    assert BOOKINGS.c.day.type.python_type is date


async def test_a_provider_that_is_away_keeps_no_one_elses_guests(door: RunningRestaurant) -> None:
    await door.book()
    first = next(iter(door.service.desk.restaurants))
    assert first != "roma", "it comes before"
    door.provider(first).fails["purge"] = ProviderUnavailableError("away")
    with pytest.raises(ProviderUnavailableError, match=f"^{first}: away$"):
        await door.service.purge(datetime(2026, 3, 1, tzinfo=UTC))
    assert rows(door) == []


async def test_a_purge_that_fails_as_no_one_foresaw_keeps_no_one_elses(door: RunningRestaurant) -> None:
    first = next(iter(door.service.desk.restaurants))
    assert first != "roma"
    await door.book()
    door.provider(first).fails["purge"] = KeyError("Mario Rossi")
    with pytest.raises(ProviderUnavailableError, match=f"{first}: KeyError$"):
        await door.service.purge(datetime(2026, 3, 1, tzinfo=UTC))
    assert await door.provider().of_day(date(2026, 2, 19)) == []
