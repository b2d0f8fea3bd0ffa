"""A stale write is not sent: real processes, a real Redis, staff at the same booking (`docs/saga.md`).

- A worker that is suspended for 3 s around its last read, and then goes on, erases no change that staff made meanwhile.
- Redis is emptied while one plan writes and another plan is about to write the same booking: both changes are there, or
  the second is refused.
- A worker is killed while its write is on the way: another plan on the booking does not write before that write has
  landed, and may as soon as it was seen.
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
from tests.support.process_stack import ProcessStack
from tests.support.redis_server import RedisServer
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import look_up, obey, then
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
    """A Redis that only these tests use, so that they may empty it."""
    needs.redis_server()
    async with RedisServer(free_base(1)) as running:
        yield running


@pytest.fixture(scope="module")
async def line(store: RedisServer) -> AsyncIterator[TemporalLine]:
    """The connection between the worker and Redis, which a test may hold."""
    async with TemporalLine(free_base(1), int(store.url.split(":")[2].split("/")[0])) as running:
        yield running


@pytest.fixture(scope="module")
async def process_stack(
    store: RedisServer, line: TemporalLine, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ProcessStack]:
    """A stack with each part in its own process, with calls so patient that none is given up while the worker is
    suspended."""
    address, folder = f"redis://127.0.0.1:{line.port}/0", tmp_path_factory.mktemp("stale")
    async with ProcessStack(folder, address, of_facade={"REDIS_URL": store.url}, IQ_CALL_TIMEOUT="40") as running:
        yield running


@pytest.fixture
async def gateway(process_stack: ProcessStack) -> AsyncIterator[HostileProxy]:
    """The proxy before the venue, which is reset afterwards."""
    yield process_stack.proxy
    process_stack.proxy.behave()


async def _drafted(
    process_stack: ProcessStack, operator: Operator, guest: str, step: tuple[str, dict[str, Any]]
) -> Any:
    process_stack.scripted.script(guest, look_up(guest), then(step), obey)
    return await operator.plan_for(f"note {step[1]['note']} for {guest}")


class Stopped:
    """Suspends the worker around the last read before a write, has staff change the booking, and resumes it. `line`:
    suspend it only when it has received the answer and makes its last check before it sends."""

    def __init__(self, process_stack: ProcessStack, roller: Roller, booking: str, line: TemporalLine | None) -> None:
        self._parts, self._roller, self._booking, self._line = process_stack, roller, booking, line
        self._reads = 0
        self.errand: asyncio.Task[None] | None = None
        self.staff: list[Change] = []

    async def at_read(self, call: Call) -> None:
        """Run after the venue has answered a read, before the worker receives the answer."""
        self._reads += call.operation == "get-booking-detail"
        # The first read is the snapshot; the write is computed from the second.
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
    process_stack: ProcessStack, gateway: HostileProxy, line: TemporalLine, where: str
) -> None:
    guest = a_name()
    async with process_stack.roller() as roller, process_stack.operator() as operator:
        booking = await roller.book(guest)
        plan = await _drafted(process_stack, operator, guest, NOTE)
        at_check = line if where == "at its last check" else None
        stopped = Stopped(process_stack, roller, booking["uniqueId"], at_check)
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
async def two_plans_at_one_booking(
    process_stack: ProcessStack,
) -> AsyncIterator[tuple[Roller, str, Any, Pending, Pending]]:
    """Set up the venue, a guest, their booking, and two operators, each with a pending plan."""
    guest = a_name()
    await process_stack.grant(SECOND)
    async with (
        process_stack.roller() as roller,
        process_stack.operator() as first,
        process_stack.operator(SECOND) as second,
    ):
        booking = await roller.book(guest)
        plan = await _drafted(process_stack, first, guest, NOTE)
        other = await _drafted(process_stack, second, guest, OTHER_NOTE)
        process_stack.scripted.script(guest, obey)
        yield roller, guest, booking, (first, plan), (second, other)


async def test_f4_redis_emptied_during_a_write_loses_nothing(
    process_stack: ProcessStack, gateway: HostileProxy, store: RedisServer
) -> None:
    async with two_plans_at_one_booking(process_stack) as (roller, _, booking, (first, plan), (second, other)):
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
        asked = await _asked_for_locks(process_stack)
        await second.confirm(other)
        # By now it waits for its turn, so a premature turn would let it write before the first write has landed.
        await soon(lambda: _waits(process_stack, asked))
        await process_stack.vault.flushall()
        ended = [await one.settled(what) for one, what in ((first, plan), (second, other))]
        note = (await roller.booking(booking["uniqueId"]))["comments"]
        for what, step in zip(ended, (NOTE, OTHER_NOTE), strict=True):
            assert (step[1]["note"] in note) == (what["status"] == "completed"), (what, note)
        assert "completed" in [what["status"] for what in ended], ended


async def test_a_write_that_outlives_its_worker_is_not_lost_to_another_plan(
    process_stack: ProcessStack, gateway: HostileProxy
) -> None:
    async with two_plans_at_one_booking(process_stack) as (roller, guest, booking, (first, plan), (second, other)):
        held, let_go = asyncio.Event(), asyncio.Event()

        async def hold(call: Call) -> None:
            if call.method == "PUT" and not held.is_set():
                held.set()
                await let_go.wait()

        gateway.before = hold
        await first.confirm(plan)
        await asyncio.wait_for(held.wait(), LIMIT)
        await process_stack.kill_worker()
        await process_stack.start_worker()
        await second.confirm(other)
        refused = await second.settled(other)
        let_go.set()
        ended = await first.settled(plan)
        note = (await roller.booking(booking["uniqueId"]))["comments"]
        assert (refused["status"], ended["status"]) == ("failed", "completed"), (refused, ended)
        assert NOTE[1]["note"] in note and OTHER_NOTE[1]["note"] not in note
        again = await _drafted(process_stack, second, guest, OTHER_NOTE)
        process_stack.scripted.script(guest, obey)
        await second.confirm(again)
        assert (await second.settled(again))["status"] == "completed"
        note = (await roller.booking(booking["uniqueId"]))["comments"]
        assert NOTE[1]["note"] in note and OTHER_NOTE[1]["note"] in note


async def _waits(process_stack: ProcessStack, asked: int) -> bool:
    return await _asked_for_locks(process_stack) >= asked + 6


async def _asked_for_locks(process_stack: ProcessStack) -> int:
    """Return how often a lock was requested: each request reads the store's clock."""
    return int((await process_stack.vault.info("commandstats")).get("cmdstat_time", {}).get("calls", 0))
