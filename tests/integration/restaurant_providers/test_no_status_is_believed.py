"""Whatever the answer to a write, its caller learns what is there (each stand-in over HTTP, behind a hostile proxy).

Guarantees, for a create, a change and a cancellation of each provider:
- After a rejection, an error and a lost answer alike: a write that was applied is answered as done, also where it is
  applied after its answer and the first read; where no read shows it, the answer's reason is given and nothing is
  there.
- A write is sent once, whatever the answer, and applied once.
- A create that a gateway sends on twice is one booking where the provider knows the copies, and never a duplicate.
- After resOS's want of a table, which a first copy of the request may have caused, one read decides.
- The reads reach beyond 0.4 s, and end within the time that is reserved for them.
"""

import asyncio
import re
from asyncio import StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from restaurant.providers.timeouts import _READ_BACK, LOOKS, Timeouts
from sandbox.octotable import PATH
from tests.integration.restaurant_providers.benches import OPERATIONS, REMOTE, Bench
from tests.integration.restaurant_providers.test_tools import ToolCaller, tool_caller
from tests.support.hostile_proxy import HostileProxy, Played, Trick
from tests.support.stacks import free_base
from tests.support.venue_proxy import Call

pytestmark = pytest.mark.slow
SOON = Timeouts(read=60, write=60, looks=(0.0, 0.01, 0.01))
WRITES = {
    "resos": {"create": "POST /v1/bookings", "change": "PUT /v1/bookings/.*", "cancel": "PUT /v1/bookings/.*"},
    "octotable": {"create": f"POST {PATH}/reservations", "change": f"PUT {PATH}/reservations/.*",
                  "cancel": f"DELETE {PATH}/reservations/.*"},
    "sheets": {"create": "POST .*:append", "change": "POST .*/values:batchUpdate",
               "cancel": "POST .*(?<!values):batchUpdate"},
}  # fmt: skip
NO_SUCCESS = (401, 403, 404, 409, 429, 500, 503, None)
"""None: the connection is cut."""
LANDINGS = {"landed": Trick(), "late": Trick(late=0.0), "not landed": Trick(forwards=0)}
AWAY = (429, 500, 503, None)


class LateProxy(HostileProxy):
    """A late write is sent on once a read was answered after its own answer, and is done before the next read."""

    def __init__(self, port: int, upstream: int) -> None:
        super().__init__(port, upstream)
        self._looked, self._landed = asyncio.Event(), asyncio.Event()

    async def treat(self, call: Call, head: bytes, body: bytes, writer: StreamWriter) -> None:
        """See `VenueProxy.treat`."""
        look = call.method == "GET" and any(one.trick.late is not None for one in self.played)
        if look and self._looked.is_set():
            await self._landed.wait()
        await super().treat(call, head, body, writer)
        if look:
            self._looked.set()

    async def _sent_on(self, played: Played, head: bytes, body: bytes) -> bytes:
        if played.trick.late is not None:
            await self._looked.wait()
        answer = await super()._sent_on(played, head, body)
        self._landed.set()
        return answer


@asynccontextmanager
async def behind_a_proxy(bench: Bench, folder: Path) -> AsyncIterator[tuple[ToolCaller, LateProxy]]:
    """The service with the provider's system behind a proxy."""
    assert bench.control is not None
    there = bench.control.base_url
    assert there.port is not None
    async with LateProxy(free_base(1), there.port) as proxy:
        here = f"http://127.0.0.1:{proxy.port}"
        environment = {
            name: text.replace(f"http://127.0.0.1:{there.port}", here) for name, text in bench.environment.items()
        }
        async with tool_caller(replace(bench, environment=environment), folder, patience=SOON) as door:
            yield door, proxy


def play(proxy: HostileProxy, bench: Bench, what: str, trick: Trick) -> None:
    method, path = WRITES[bench.kind][what].split(" ")
    proxy.play(trick, method=method, path=path)


def sent(proxy: HostileProxy, bench: Bench, what: str) -> int:
    """Return how many such writes were sent."""
    return sum(re.fullmatch(WRITES[bench.kind][what], f"{call.method} {call.path}") is not None for call in proxy.calls)


def applied(bench: Bench, what: str) -> int:
    """Return how many such writes the system's journal has."""
    assert bench.control is not None
    journal = bench.control.get("/_sandbox/journal").json()
    return sum(row["operation"] == OPERATIONS[bench.kind][what] for row in journal)


def reason(kind: str, what: str, status: int | None) -> str:
    """Return the code of a write that no read shows."""
    if what == "create":
        return "PROVIDER_UNAVAILABLE" if status in AWAY else "CREATE_ERROR"
    if kind == "sheets" and status in (403, 404):
        return "SHEET_NOT_FOUND"
    return {"change": "UPDATE_ERROR", "cancel": "DELETE_ERROR"}[what]


async def ask(door: ToolCaller, what: str, made: str) -> dict[str, Any]:
    if what == "create":
        return await door.book()
    if what == "change":
        return await door("modify_booking", booking_id=made, new_people=2)
    return await door("cancel_booking", booking_id=made)


@pytest.mark.parametrize("landing", LANDINGS)
@pytest.mark.parametrize("status", NO_SUCCESS)
@pytest.mark.parametrize("what", ["create", "change", "cancel"])
@pytest.mark.parametrize("bench", REMOTE, indirect=True)
async def test_what_is_there_is_answered(
    bench: Bench, tmp_path: Path, what: str, status: int | None, landing: str
) -> None:
    async with behind_a_proxy(bench, tmp_path) as (door, proxy):
        made = "" if what == "create" else (await door.book())["booking_id"]
        before = applied(bench, what)
        proxy.calls.clear()
        play(proxy, bench, what, replace(LANDINGS[landing], status=status, cut=status is None))
        answer = await ask(door, what, made)
        assert sent(proxy, bench, what) == 1
    done = landing != "not landed"
    async with tool_caller(bench, tmp_path) as door:
        there = [one["people"] for one in await door.listed()]
    assert there == ({"create": [4], "change": [2], "cancel": []} if done else {"change": [4], "cancel": [4]}).get(
        what, []
    )
    assert answer["ok"] is done, answer
    assert applied(bench, what) == before + done
    if not done:
        assert answer["error_code"] == reason(bench.kind, what, status)
    elif what == "create":
        assert answer["message"].startswith("Prenotazione confermata")


@pytest.mark.parametrize("bench", ["octotable", "sheets"], indirect=True)
async def test_a_create_that_is_sent_on_twice_is_one_booking(bench: Bench, tmp_path: Path) -> None:
    async with behind_a_proxy(bench, tmp_path) as (door, proxy):
        play(proxy, bench, "create", Trick(forwards=2))
        made = await door.book()
    async with tool_caller(bench, tmp_path) as door:
        assert made["ok"] and [one["booking_id"] for one in await door.listed()] == [made["booking_id"]]


@pytest.mark.parametrize("what", ["create", "change"])
@pytest.mark.parametrize("landed", [True, False])
@pytest.mark.parametrize("bench", ["resos"], indirect=True)
async def test_one_look_behind_want_of_a_table(bench: Bench, tmp_path: Path, what: str, landed: bool) -> None:
    async with behind_a_proxy(bench, tmp_path) as (door, proxy):
        made = "" if what == "create" else (await door.book())["booking_id"]
        refusal = {"message": "No suitable table found"}
        play(proxy, bench, what, Trick(forwards=int(landed), status=422, instead=refusal))
        answer = await ask(door, what, made)
        writes = [number for number, call in enumerate(proxy.calls) if call.method != "GET"]
        looks = proxy.calls[writes[-1] + 1 :]
    assert answer["ok"] is landed, answer
    if not landed:
        assert answer["error_code"] == {"create": "NO_TABLE_AVAILABLE", "change": "UPDATE_ERROR"}[what]
    # After a change the free times are read once more.
    assert len(looks) == 1 + (what == "change" and not landed)


def test_the_looks() -> None:
    assert LOOKS[0] == 0 and len(LOOKS) > 2
    assert 0.4 < sum(LOOKS) < _READ_BACK
