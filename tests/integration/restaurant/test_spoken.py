"""Days and times as guests say them: the contract's expressions, each a row, and similar ones.

Guarantees:
- Every supported expression is read as the contract says; a vague one is VAGUE_TIME, and one that is not understood
  gets the tool's own code, never a guess.
- An ambiguous day is kept and flagged; a weekday said on that weekday is next week's.
- Relative times are rounded to five minutes and flag tomorrow, over a change of the clocks, too; absolute times are not
  rounded and not moved to another day by the present time.
- The service understands its own wording of a time: every quarter of an hour.
"""

from datetime import time

import pytest

from restaurant import messages_it
from tests.support.restaurants import RunningRestaurant

pytestmark = pytest.mark.slow


def refused(answer: dict[str, object], code: str) -> None:
    assert answer["ok"] is False and answer["error_code"] == code, answer


DAYS = [
    # text, date (on Wednesday 18 February 2026)
    ("oggi", "2026-02-18"),
    ("domani", "2026-02-19"),
    ("dopodomani", "2026-02-20"),
    ("tra 3 giorni", "2026-02-21"),
    ("fra tre giorni", "2026-02-21"),
    ("fra 10 giorni", "2026-02-28"),
    ("tra sessanta giorni", "2026-04-19"),
    ("tra novantuno giorni", "2026-05-20"),
    ("fra cento giorni", "2026-05-29"),
    ("tra sessantatré giorni", "2026-04-22"),
    ("tra centottanta giorni", "2026-08-17"),
    ("tra una settimana", "2026-02-25"),
    ("fra una settimana", "2026-02-25"),
    ("lunedì", "2026-02-23"),
    ("martedì", "2026-02-24"),
    ("mercoledì", "2026-02-25"),
    ("giovedì", "2026-02-19"),
    ("venerdì", "2026-02-20"),
    ("sabato", "2026-02-21"),
    ("domenica", "2026-02-22"),
    ("sabato prossimo", "2026-02-21"),
    ("prossima domenica", "2026-02-22"),
    ("stasera", "2026-02-18"),
    ("sabato ventuno", "2026-02-21"),
    ("giovedì diciannove", "2026-02-19"),
    ("sabato quattordici", "2026-03-14"),
    ("lunedì nove", "2026-03-09"),
    ("venerdì sei alle venti", "2026-03-06"),
]
TIMES = [
    # text, time, day_offset (at 20:00)
    ("tra mezz'ora", "20:30", 0),
    ("fra mezz'ora", "20:30", 0),
    ("tra mezzora", "20:30", 0),
    ("tra un'ora", "21:00", 0),
    ("fra un'ora", "21:00", 0),
    ("tra 20 minuti", "20:20", 0),
    ("fra 2 ore", "22:00", 0),
    ("tra sessanta minuti", "21:00", 0),
    ("tra novanta minuti", "21:30", 0),
    ("fra centoventi minuti", "22:00", 0),
    ("tra due ore e mezza", "22:30", 0),
    ("tra 2 ore e 15 minuti", "22:15", 0),
    ("21", "21:00", 0),
    ("20", "20:00", 0),
    ("20:30", "20:30", 0),
    ("19:00", "19:00", 0),
    ("20 e 30", "20:30", 0),
    ("20 e 5", "20:05", 0),
    ("venti e cinque", "20:05", 0),
    ("venti trenta", "20:30", 0),
    ("diciannove quarantacinque", "19:45", 0),
    ("ventuno e ventotto", "21:28", 0),
    ("20 in punto", "20:00", 0),
    ("ore 20 e 30 in punto", "20:30", 0),
    ("20 : 30", "20:30", 0),
    ("19 e 45", "19:45", 0),
    ("20 e mezza", "20:30", 0),
    ("19 e mezzo", "19:30", 0),
    ("20 e un quarto", "20:15", 0),
    ("alle 21", "21:00", 0),
    ("alle 19 e 30", "19:30", 0),
    ("19.45", "19:45", 0),
]
VAGUE = ["verso", "verso le 8", "più tardi", "tra un po'", "fra due orette", "dopo le 20"]


@pytest.mark.parametrize(("text", "date"), DAYS)
async def test_a_day_that_is_supported(door: RunningRestaurant, text: str, date: str) -> None:
    assert (await door.ask("resolve_relative_day", text=text))["date"] == date


@pytest.mark.parametrize(("text", "time", "offset"), TIMES)
async def test_a_time_that_is_supported(door: RunningRestaurant, text: str, time: str, offset: int) -> None:
    door.at("2026-02-18T20:00")
    answer = await door.ask("resolve_relative_time", text=text)
    assert answer == {"ok": True, "time": time, "day_offset": offset, "ambiguous": False}


async def test_an_hour_after_half_past_eleven_is_tomorrow(door: RunningRestaurant) -> None:
    door.at("2026-02-18T23:30")
    answer = await door.ask("resolve_relative_time", text="tra un'ora")
    assert (answer["time"], answer["day_offset"]) == ("00:30", 1)


@pytest.mark.parametrize("text", VAGUE)
async def test_a_time_that_is_vague(door: RunningRestaurant, text: str) -> None:
    refused(await door.ask("resolve_relative_time", text=text), "VAGUE_TIME")


SIBLINGS = [
    # text, date, ambiguous (on Wednesday 18 February 2026)
    ("mercoledì", "2026-02-25", True),
    ("mercoledi", "2026-02-25", True),
    ("MERCOLEDÌ!", "2026-02-25", True),
    ("sabato prossimo", "2026-02-21", True),
    ("questo sabato", "2026-02-21", False),
    ("domani sera", "2026-02-19", False),
    ("sabato sera", "2026-02-21", False),
    ("giovedì 19 febbraio", "2026-02-19", False),
    ("per domani", "2026-02-19", False),
    ("il primo marzo", "2026-03-01", False),
    ("fra un mese", "2026-03-18", False),
    ("2026-02-25", "2026-02-25", False),
    ("dopo domani", "2026-02-20", False),
    ("tra quindici giorni", "2026-03-05", False),
]
NO_DAYS = ["boh", "quando volete", "il weekend", "ieri", "30 febbraio", "qwerty", "giovedì 23 febbraio"]
MORE_TIMES = [
    # text, time, day_offset, ambiguous (at 20:03)
    ("tra mezz\u2019ora", "20:35", 0, False),
    ("tra 20 minuti", "20:25", 0, False),
    ("tra un'ora e mezza", "21:35", 0, False),
    ("tra un quarto d'ora", "20:20", 0, False),
    ("tra 4 ore", "00:05", 1, False),
    ("tra unora", "21:05", 0, False),
    ("20:33", "20:33", 0, False),
    ("20,30", "20:30", 0, False),
    ("ore 20.30", "20:30", 0, False),
    ("alle ore 19", "19:00", 0, False),
    ("alle venti e trenta", "20:30", 0, False),
    ("20 e tre quarti", "20:45", 0, False),
    ("le 21 meno un quarto", "20:45", 0, False),
    ("12", "12:00", 0, False),
    ("mezzogiorno", "12:00", 0, False),
    ("alle 8 di sera", "20:00", 0, False),
    ("stasera alle 8", "20:00", 0, False),
    ("alle otto", "20:00", 0, True),
    ("21 e 05", "21:05", 0, False),
    ("20e30", "20:30", 0, False),
    ("alle 20 30", "20:30", 0, False),
    ("domani alle 20", "20:00", 1, False),
    ("alle 9 e mezza", "21:30", 0, True),
]
NO_TIMES = ["boh", "25", "25:00", "20:75", "tra 3 giorni", "tra 40 ore", "ciao"]


@pytest.mark.parametrize(("text", "date", "ambiguous"), SIBLINGS)
async def test_a_sibling_of_a_day(door: RunningRestaurant, text: str, date: str, ambiguous: bool) -> None:
    answer = await door.ask("resolve_relative_day", text=text)
    assert (answer["date"], answer["ambiguous"]) == (date, ambiguous)


@pytest.mark.parametrize("text", NO_DAYS)
async def test_no_day(door: RunningRestaurant, text: str) -> None:
    refused(await door.ask("resolve_relative_day", text=text), "UNSUPPORTED_RELATIVE_DAY")


@pytest.mark.parametrize(("text", "at", "offset", "ambiguous"), MORE_TIMES)
async def test_a_sibling_of_a_time(door: RunningRestaurant, text: str, at: str, offset: int, ambiguous: bool) -> None:
    door.at("2026-02-18T20:03")
    answer = await door.ask("resolve_relative_time", text=text)
    assert answer == {"ok": True, "time": at, "day_offset": offset, "ambiguous": ambiguous}


@pytest.mark.parametrize("text", NO_TIMES)
async def test_no_time(door: RunningRestaurant, text: str) -> None:
    refused(await door.ask("resolve_relative_time", text=text), "UNSUPPORTED_RELATIVE_TIME")


@pytest.mark.parametrize(
    ("now", "text", "at"),
    [
        ("2026-03-29T01:30+01:00", "tra un'ora", "03:30"),  # at 02:00 the clocks go forward to 03:00
        ("2026-10-25T02:30+02:00", "tra un'ora", "02:30"),  # the second 02:30 of that night
    ],
)
async def test_hours_are_hours_over_a_change_of_the_clocks(
    door: RunningRestaurant, now: str, text: str, at: str
) -> None:
    door.at(now)
    assert (await door.ask("resolve_relative_time", text=text))["time"] == at


QUARTERS = [time(hour, minute) for hour in range(24) for minute in (0, 15, 30, 45)]


@pytest.mark.parametrize("at", QUARTERS)
async def test_what_is_stated_of_a_time_is_understood(door: RunningRestaurant, at: time) -> None:
    answer = await door.ask("resolve_relative_time", text=messages_it.human(at))
    found = time.fromisoformat(answer["time"])
    # For an hour that the evening has, too, the evening's, when guests come; flagged.
    assert found == at or (answer["ambiguous"] and found == at.replace(hour=at.hour + 12)), answer
