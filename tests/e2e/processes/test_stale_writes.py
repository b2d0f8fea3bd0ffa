"""A write that is stale by the time it would leave is not sent: real processes, a real Redis, staff at the same booking
(`docs/saga.md`).

- A worker that is stopped for 3 s around its last read, and then goes on, erases nothing of what staff did meanwhile.
- Redis emptied while one plan writes and another plan is about to write the same booking: both changes are there, or
  the second is refused.
- A worker is killed while its write is on the way: another plan on the booking does not write before that has landed,
  and may as soon as it was seen.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.e2e.chaos.second_writer import Change, erased, write
from tests.support import needs
from tests.support.hostile_proxy import HostileProxy
from tests.support.operator import Operator
from tests.support.redis_server import RedisServer
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.separate import Separate
from tests.support.stacks import free_base
from tests.support.temporal_line import TemporalLine
from tests.support.venue_proxy import Call
from tests.support.waiting import LIMIT, soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

STOPPED = 3.0
LATE = 3.0
"""Seconds for which a write is on its way: less than a call may take and then may still land in."""
NOTE = ("edit_note", {"note": "Cake at noon"})
Pending = tuple[Operator, Any]
SECOND = "second-operator"
OTHER_NOTE = ("edit_note", {"note": "Chairs for grandparents"})


@pytest.fixture(scope="module")
async def store() -> AsyncIterator[RedisServer]:
    """A Redis of these tests' own, which they may empty."""
    needs.redis_server()
    async with RedisServer(free_base(1)) as running:
        yield running


@pytest.fixture(scope="module")
async def line(store: RedisServer) -> AsyncIterator[TemporalLine]:
    """What the worker and Redis say to each other, which may be held."""
    async with TemporalLine(free_base(1), int(store.url.split(":")[2].split("/")[0])) as running:
        yield running


@pytest.fixture(scope="module")
async def parts(
    store: RedisServer, line: TemporalLine, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Separate]:
    """Each part a process of its own, with calls so patient that none is given up while the worker stands still."""
    address, folder = f"redis://127.0.0.1:{line.port}/0", tmp_path_factory.mktemp("stale")
    async with Separate(folder, address, of_facade={"REDIS_URL": store.url}, IQ_CALL_TIMEOUT="40") as running:
        yield running


@pytest.fixture
async def gateway(parts: Separate) -> AsyncIterator[HostileProxy]:
    """The proxy before the venue, which behaves again afterwards."""
    yield parts.proxy
    parts.proxy.behave()


async def _drafted(parts: Separate, operator: Operator, guest: str, step: tuple[str, dict[str, Any]]) -> Any:
    parts.scripted.script(guest, look_up(guest), then(step), obey)
    return await operator.plan_for(f"note {step[1]['note']} for {guest}")


class Stopped:
    """Stops the worker around the last read before a write, has staff change the booking, and lets it go on.
    `line`: stop it only when it has heard the answer and makes its last check before it sends."""

    def __init__(self, parts: Separate, roller: Roller, booking: str, line: TemporalLine | None) -> None:
        self._parts, self._roller, self._booking, self._line = parts, roller, booking, line
        self._reads = 0
        self.errand: asyncio.Task[None] | None = None
        self.staff: list[Change] = []

    async def at_read(self, call: Call) -> None:
        """After the venue has answered a read, and before the worker hears of it."""
        self._reads += call.operation == "get-booking-detail"
        # The first read is the snapshot; the second is the one that the write is made of.
        if self._reads != 2 or self.errand is not None:
            return
        if self._line is None:
            self._parts.stop_worker()
            self.errand = asyncio.create_task(self._go_on())
        else:
            self.errand = asyncio.create_task(self._at_check(self._line))
            await asyncio.sleep(0)

    async def _at_check(self, line: TemporalLine) -> None:
        before = line.questions

        async def asks() -> bool:
            return line.questions > before

        with line.answers_held():
            await soon(asks)
            self._parts.stop_worker()
            await self._go_on()

    async def _go_on(self) -> None:
        self.staff.append(await write(self._roller, "note", self._booking))
        await asyncio.sleep(STOPPED)
        self._parts.worker_goes_on()


@pytest.mark.parametrize("where", ["before it hears the answer", "at its last check"])
async def test_f6_a_worker_that_was_stopped_after_its_read_erases_nothing(
    parts: Separate, gateway: HostileProxy, line: TemporalLine, where: str
) -> None:
    guest = a_name()
    async with parts.roller() as roller, parts.operator() as operator:
        booking = await roller.book(guest)
        plan = await _drafted(parts, operator, guest, NOTE)
        at_check = line if where == "at its last check" else None
        stopped = Stopped(parts, roller, booking["uniqueId"], at_check)
        gateway.after = stopped.at_read
        await operator.confirm(plan)
        await soon(lambda: _begun(stopped))
        assert stopped.errand is not None
        await stopped.errand
        ended = await operator.settled(plan)
        assert stopped.staff[0].taken
        now = await roller.booking(booking["uniqueId"])
        assert erased(stopped.staff, now, await roller.guest(now)) == [], (ended, now["comments"])
        assert (NOTE[1]["note"] in now["comments"]) == (ended["status"] == "completed"), ended


async def _begun(stopped: Stopped) -> bool:
    return stopped.errand is not None


@contextlib.asynccontextmanager
async def two_plans_at_one_booking(parts: Separate) -> AsyncIterator[tuple[Roller, str, Any, Pending, Pending]]:
    """The venue, a guest, their booking, and two operators, each with a plan that waits to be confirmed."""
    guest = a_name()
    await parts.grant(SECOND)
    async with parts.roller() as roller, parts.operator() as first, parts.operator(SECOND) as second:
        booking = await roller.book(guest)
        plan = await _drafted(parts, first, guest, NOTE)
        other = await _drafted(parts, second, guest, OTHER_NOTE)
        parts.scripted.script(guest, obey)
        yield roller, guest, booking, (first, plan), (second, other)


async def test_f4_redis_emptied_during_a_write_loses_nothing(
    parts: Separate, gateway: HostileProxy, store: RedisServer
) -> None:
    async with two_plans_at_one_booking(parts) as (roller, _, booking, (first, plan), (second, other)):
        held, overtaken = asyncio.Event(), asyncio.Event()

        async def hold(call: Call) -> None:
            if call.method == "PUT" and not held.is_set():
                held.set()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(overtaken.wait(), LATE)

        async def looked(call: Call) -> None:
            wrote = any(one.method == "PUT" and one.token == SECOND for one in gateway.calls)
            if wrote and call.method == "GET" and call.token == SECOND:
                overtaken.set()

        gateway.before, gateway.after = hold, looked
        await first.confirm(plan)
        await asyncio.wait_for(held.wait(), LIMIT)
        asked = await _asked_for_locks(parts)
        await second.confirm(other)
        # It waits for its turn by now, so whatever lets it in too early lets it in before the first write has landed.
        await soon(lambda: _waits(parts, asked))
        await parts.vault.flushall()
        ended = [await one.settled(what) for one, what in ((first, plan), (second, other))]
        note = (await roller.booking(booking["uniqueId"]))["comments"]
        for what, step in zip(ended, (NOTE, OTHER_NOTE), strict=True):
            assert (step[1]["note"] in note) == (what["status"] == "completed"), (what, note)
        assert "completed" in [what["status"] for what in ended], ended


async def test_a_write_that_outlives_its_worker_is_not_lost_to_another_plan(
    parts: Separate, gateway: HostileProxy
) -> None:
    async with two_plans_at_one_booking(parts) as (roller, guest, booking, (first, plan), (second, other)):
        held, let_go = asyncio.Event(), asyncio.Event()

        async def hold(call: Call) -> None:
            if call.method == "PUT" and not held.is_set():
                held.set()
                await let_go.wait()

        gateway.before = hold
        await first.confirm(plan)
        await asyncio.wait_for(held.wait(), LIMIT)
        await parts.kill_worker()
        await parts.start_worker()
        await second.confirm(other)
        refused = await second.settled(other)
        let_go.set()
        ended = await first.settled(plan)
        note = (await roller.booking(booking["uniqueId"]))["comments"]
        assert (refused["status"], ended["status"]) == ("failed", "completed"), (refused, ended)
        assert NOTE[1]["note"] in note and OTHER_NOTE[1]["note"] not in note
        again = await _drafted(parts, second, guest, OTHER_NOTE)
        parts.scripted.script(guest, obey)
        await second.confirm(again)
        assert (await second.settled(again))["status"] == "completed"
        note = (await roller.booking(booking["uniqueId"]))["comments"]
        assert NOTE[1]["note"] in note and OTHER_NOTE[1]["note"] in note


async def _waits(parts: Separate, asked: int) -> bool:
    return await _asked_for_locks(parts) >= asked + 6


async def _asked_for_locks(parts: Separate) -> int:
    """How often a lock was asked for: each time the store's clock is read."""
    return int((await parts.vault.info("commandstats")).get("cmdstat_time", {}).get("calls", 0))
