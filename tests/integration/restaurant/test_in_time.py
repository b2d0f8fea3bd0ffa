"""How long a guest on the telephone waits, whatever a provider does.

Guarantees:
- A tool's call ends within eight seconds, however many slow answers it is made of, with the tool's own code.
- The outcome of a create, a change or a cancellation is still read back within them, and reported.
- A write without enough time left is not begun, and nothing is changed.
- The embedded database commits nothing after the caller got a timeout.
- A staff read ends within the same seconds, and says that the book did not answer in time.
- Several calls of one message share those seconds; tools that use no provider answer all the same.
"""

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, inspect, text

from infra.errors import DependencyUnavailableError
from restaurant.clock import Clock
from restaurant.providers import OutcomeUnknownError
from restaurant.providers.database import sheet_database
from restaurant.providers.timeouts import GRACE, Deadline, bounded
from restaurant.tools.context import ToolContext
from tests.support.restaurants import MARIO, RunningRestaurant

CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("check_openings", {"day": "2026-02-19", "time": "20:00"}, "CAPACITY_READ_ERROR"),
    (
        "create_booking",
        {"day": "2026-02-20", "time": "20:00", "people": 2, "name": "Anna", "phone": MARIO},
        "PROVIDER_UNAVAILABLE",
    ),
    ("list_bookings", {"phone": MARIO}, "LIST_ERROR"),
    ("modify_booking", {"new_time": "20:30"}, "UPDATE_ERROR"),
    ("cancel_booking", {}, "DELETE_ERROR"),
]


def stalled(door: RunningRestaurant) -> list[float]:
    """Let the provider never answer; return the seconds that each of its callers has left."""
    left: list[float] = []

    async def never(*_: Any) -> None:
        left.append(Deadline.reading(1_000).left())
        await asyncio.Event().wait()

    door.provider()._do = never  # type: ignore[method-assign]
    return left


@pytest.mark.parametrize(("tool", "fields", "code"), CALLS)
async def test_a_provider_that_never_answers(
    door: RunningRestaurant, tool: str, fields: dict[str, Any], code: str
) -> None:
    made = (await door.book())["booking_id"]
    door.service.desk.call_within = 0.2
    stalled(door)
    asked = {"booking_id": made, **fields} if tool in ("modify_booking", "cancel_booking") else fields
    assert (await door.ask(tool, **asked))["error_code"] == code


@pytest.mark.parametrize("path", ["/bookings", "/bookings/{made}", "/days/2026-02-19", ""])
async def test_the_staff_are_not_kept_waiting(door: RunningRestaurant, path: str) -> None:
    made = (await door.book())["booking_id"]
    door.service.desk.call_within = 0.2
    stalled(door)
    answer = await door.http.get(f"/staff/roma{path.format(made=made)}")
    assert answer.status_code == 503 and "non ha risposto in tempo: riprovi tra un minuto" in answer.text
    assert door.service.desk.counts.by_tool()["staff"] == {"LIST_ERROR": 1}


def test_eight_seconds_in_all() -> None:
    assert ToolContext({}, Clock()).call_within + GRACE <= 8


async def test_a_read_ends_with_the_call() -> None:
    with bounded(0.5):
        assert Deadline.reading(1_000).left() <= 0.5
    assert Deadline.reading(1_000).left() > 500
    assert Deadline.writing(1_000).left() > 500


async def test_a_write_leaves_time_to_read_back() -> None:
    with bounded(1_000):
        assert 500 < Deadline.writing(5_000).left() <= 998.5
        with bounded(5_000):
            assert Deadline.reading(5_000).left() <= 1_000, "a call within a message ends with the message"


async def test_a_write_that_would_be_too_late_is_not_begun(door: RunningRestaurant) -> None:
    door.service.desk.call_within = 1.0
    refused = await door.book()
    assert refused["error_code"] == "PROVIDER_UNAVAILABLE"
    door.service.desk.call_within = 7.5
    assert (await door.ask("list_bookings", phone=MARIO))["count"] == 0


async def test_looking_for_what_landed_ends_with_the_call(door: RunningRestaurant) -> None:
    door.looking(0.0, 3_600.0)
    door.service.desk.call_within = 2.5
    door.provider().fails = {"create": OutcomeUnknownError("timed out")}
    assert (await door.book())["error_code"] == "PROVIDER_UNAVAILABLE"


async def test_calls_of_one_message_share_the_time(door: RunningRestaurant) -> None:
    door.service.desk.call_within = 0.3
    left = stalled(door)
    named = [*[(tool, fields) for tool, fields, _ in CALLS[:3]], ("resolve_relative_day", {"text": "domani"})]
    listed = [
        {"id": str(number), "name": tool, "arguments": {"restaurant_id": "roma", **fields}}
        for number, (tool, fields) in enumerate(named)
    ]
    answer = await door.http.post("/vapi", json={"message": {"type": "tool-calls", "toolCallList": listed}})
    results = [json.loads(one["result"]) for one in answer.json()["results"]]
    assert [one.get("error_code") for one in results] == [code for _, _, code in CALLS[:3]] + [None]
    assert results[-1]["date"] == "2026-02-19"
    assert len(left) == 3 and max(left) <= 0.3


async def test_nothing_is_committed_after_its_time(tmp_path: Path) -> None:
    database = sheet_database(f"sqlite:///{tmp_path / 'sheet.db'}")
    write = text("CREATE TABLE late (x INTEGER)")
    answered = threading.Event()

    def slowly(connection: Connection) -> None:
        connection.execute(write)
        answered.wait(60)

    await database.ask(lambda _: None, 60)
    with pytest.raises(DependencyUnavailableError):
        await database.ask(slowly, 0.3, writes=True)
    answered.set()
    # Of two writers the second waits until the first is done.
    tables = await database.ask(lambda connection: inspect(connection).get_table_names(), 60, writes=True)
    database.close()
    assert "late" not in tables


async def test_who_waits_for_a_thread_has_less_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = sheet_database(f"sqlite:///{tmp_path / 'sheet.db'}")
    given: list[float] = []
    busy = threading.Event()

    def transact(_: object, __: object, within: float, **___: object) -> None:
        given.append(within)
        busy.wait(60)

    monkeypatch.setattr(database, "_ready", lambda left: left)
    monkeypatch.setattr(database, "_transact", transact)
    asked = [asyncio.create_task(database.ask(lambda _: None, 1_000)) for _ in range(5)]
    while len(given) < 4:  # noqa: ASYNC110 - it happens in threads
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    busy.set()
    await asyncio.gather(*asked)
    database.close()
    assert len(given) == 5 and given[4] <= 999.95
