"""Admission control of one API process (`clients/admission.py`). Guarantees:

- One venue of several has its share and no more; its further commands wait, and others find room at once.
- Where no place is free at all, the venue that has fewest goes first, regardless of the order of arrival.
- A command that has had a place before is the next of its venue.
- A command that would wait too long is refused at once, and each refusal has a later retry time than the one before.
- A command that waited for its time limit is refused, and one whose caller gave up takes no place: none is lost.
- A place that came at the moment in which its waiter gave up is passed on.
- A venue's share is halved when answers take twice as long as the quickest, and grows again when they do not.
- Under a sudden load the share starts small and grows.
- A venue that is alone has every place, however slow answers are; commands beyond the places wait for a moment.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from clients.admission import AdmissionControl, FairShare
from clients.errors import ApiError
from infra.ledger.records import PriceTable
from infra.observability.observer import Observer
from infra.observability.prometheus import PrometheusMetrics

pytestmark = pytest.mark.asyncio


class Room:
    """Places, and the order in which they were given out."""

    def __init__(self, number: int, within: float = 30.0) -> None:
        self.places = AdmissionControl(number, "command", Observer(), timeout=within)
        self.order: list[str] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def ask(self, venue: str, name: str, *, again: bool = False) -> asyncio.Task[None]:
        """Let one command come, which stays for a moment."""

        async def come() -> None:
            async with self.places.slot(venue, several=True, again=again):
                self.order.append(name)
                await asyncio.sleep(0)

        self._tasks.append(asyncio.create_task(come()))
        await asyncio.sleep(0)
        return self._tasks[-1]

    @asynccontextmanager
    async def held(self, *venues: str) -> AsyncIterator[AsyncExitStack]:
        """Give these venues their places, until the end of the block or until they are closed."""
        async with AsyncExitStack() as places:
            for venue in venues:
                await places.enter_async_context(self.places.slot(venue, several=True))
            yield places

    async def all_came(self) -> list[str]:
        """Return the order, once all have had their places."""
        async with asyncio.timeout(60):
            await asyncio.gather(*self._tasks)
        return self.order


async def test_others_find_room_while_a_venue_s_own_wait() -> None:
    room = Room(4)
    async with room.held("noisy", "noisy"):
        for n in range(20):
            await room.ask("noisy", f"noisy {n}")
        await (await room.ask("quiet", "quiet"))
        assert (room.order, room.places.queued("noisy")) == (["quiet"], 20)
    assert await room.all_came() == ["quiet", *(f"noisy {n}" for n in range(20))], "none was lost, and each in its turn"
    assert not room.places.in_use("noisy") and not room.places.queued("noisy")


async def test_where_none_is_free_the_venue_with_fewest_goes_first() -> None:
    room = Room(4)
    async with room.held("noisy", "loud", "third"), AsyncExitStack() as last:
        await last.enter_async_context(room.places.slot("loud", several=True))
        await room.ask("noisy", "noisy")
        await room.ask("quiet", "quiet")
        assert room.order == []
        await last.aclose()
        assert await room.all_came() == ["quiet", "noisy"]


async def test_of_equals_each_has_its_turn() -> None:
    room = Room(2)
    async with room.held("a", "b"):
        for venue, n in itertools.product(("a", "b", "c"), range(3)):
            await room.ask(venue, f"{venue}{n}")
    order = await room.all_came()
    for n in range(3):
        assert {name[0] for name in order[3 * n : 3 * n + 3]} == {"a", "b", "c"}, order


async def test_who_had_a_place_for_it_is_the_next_of_its_venue() -> None:
    room = Room(2)
    async with room.held("noisy"):
        await room.ask("noisy", "first")
        await room.ask("noisy", "had one", again=True)
    assert await room.all_came() == ["had one", "first"]


async def test_one_too_many_is_reported_at_once_and_each_a_later_time() -> None:
    figures = PrometheusMetrics(PriceTable())
    room = AdmissionControl(8, "command", Observer(counters=[figures]), timeout=0.02, clock=lambda: 0.0)
    async with AsyncExitStack() as places:
        for _ in range(4):
            await places.enter_async_context(room.slot("noisy", several=True))
        shown = []
        for _ in range(40):
            with pytest.raises(ApiError) as refused:
                # Four places, each held for a tenth of a second lately: the next one is free in 0.025 s. The zero ends
                # a command
                # that waits at all.
                async with asyncio.timeout(0), room.slot("noisy", several=True):
                    pass
            shown.append(refused.value.answer.retry_after_seconds or 0)
    assert shown[0] == 2 and shown == sorted(shown) and shown[-1] == 3, shown
    assert 'iq_no_place_total{kind="command",venue="noisy"} 40.0' in figures.text().decode()


async def test_who_waited_long_enough_is_reported_and_takes_nothing() -> None:
    room = Room(2, within=0.15)
    async with room.held("noisy"):
        with pytest.raises(ApiError) as refused:
            await (await room.ask("noisy", "in vain"))
        assert refused.value.answer.retry_after_seconds == 2
        room._tasks.clear()
        gone = await room.ask("noisy", "gone")
        gone.cancel()
        await asyncio.wait({gone})
        room._tasks.clear()
    assert not room.places.in_use("noisy")
    await room.ask("noisy", "next")
    assert await room.all_came() == ["next"]


async def test_a_place_that_came_as_its_waiter_gave_up_is_given_on() -> None:
    room = Room(2)
    async with room.held("noisy") as places:
        gone = await room.ask("noisy", "gone")
        await room.ask("noisy", "next")
        await places.aclose()
        gone.cancel()
        await asyncio.wait({gone})
    room._tasks.remove(gone)
    assert await room.all_came() == ["next"]
    assert not room.places.in_use("noisy")


async def test_a_share_is_halved_when_answers_are_slow_and_grows_again() -> None:
    now = 0.0
    share = FairShare(8, lambda: now)
    for _ in range(5):
        share.observe(0.02)
    assert share.slots == 8, "all that one venue may have"
    for n, left in enumerate((4, 2, 1, 1)):
        now = float(n)
        share.observe(0.4)
        share.observe(0.4)
        assert share.slots == left, "what was under way when it was halved counts once"
    assert share.pause(0.1) == pytest.approx(0.1), "half a place is one that rests as long as it was held"
    for _ in range(200):
        share.observe(0.03)
    assert (share.slots, share.pause(0.1)) == (8, 0)


async def test_where_many_come_at_once_a_share_is_found_from_below() -> None:
    room = Room(16)
    for _ in range(3):
        room.places.share.observe(0.02)
    assert room.places.share.slots == 8
    async with room.held(*["noisy"] * 8):
        await room.ask("noisy", "one more")
        assert room.places.share.slots == 2
    assert await room.all_came() == ["one more"]


async def test_a_machine_that_is_slow_by_itself_has_its_share() -> None:
    share = FairShare(8, lambda: 0.0)
    for _ in range(20):
        share.observe(0.4)
    assert share.slots == 8


async def test_alone_a_venue_has_every_place() -> None:
    room = AdmissionControl(4, "command", Observer())
    room.share.observe(0.01)
    room.share.observe(5)
    async with AsyncExitStack() as places:
        for _ in range(4):
            await places.enter_async_context(room.slot("only", several=False))
        with pytest.raises(ApiError):
            await places.enter_async_context(room.slot("only", several=False))


async def test_more_than_there_are_places_are_all_heard() -> None:
    room, heard = AdmissionControl(2, "command", Observer(), timeout=30), []

    async def come(n: int) -> None:
        async with room.slot("only", several=False):
            heard.append(n)
            await asyncio.sleep(0.01)

    async with asyncio.timeout(60):
        await asyncio.gather(*(come(n) for n in range(16)))
    assert heard == list(range(16))
