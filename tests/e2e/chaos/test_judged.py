"""A dozen scenarios of a critique that goes wrong and of an escalation (`judging.py` lists what must hold); `make
chaos` runs more."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.e2e.chaos.judged import DESKS, LOOKS, Desk, draw
from tests.e2e.chaos.judging import Judging, Judgment
from tests.e2e.chaos.runner import troubled
from tests.e2e.chaos.stack import ChaosStack
from tests.support import needs
from tests.support.stacks import free_base
from tests.support.webhook import served

SEEDS = (1, 3, 5, 6, 7, 9, 15, 16, 22, 28, 35, 54)
_TOGETHER = 3


class Slice:
    """The scenarios on one stack: those that disturb nothing else in parallel, then the others in turn."""

    def __init__(self, process_stack: ChaosStack, desk: Desk) -> None:
        self._parts, self._desk = process_stack, desk
        self._gate = asyncio.Semaphore(_TOGETHER)
        self._shared = {s: asyncio.create_task(self._one(s)) for s in SEEDS if not draw(s).alone}

    async def _one(self, seed: int) -> Judgment:
        async with self._gate:
            return await Judging(self._parts, self._desk, draw(seed)).go()

    async def result(self, seed: int) -> Judgment:
        """Return the result of a scenario."""
        if seed in self._shared:
            return await self._shared[seed]
        if self._shared:
            await asyncio.wait(self._shared.values())
        return await Judging(self._parts, self._desk, draw(seed)).go()


@pytest.fixture(scope="module")
async def played(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Slice]:
    """The started scenarios."""
    needs.redis_server()
    desk = Desk(free_base(1))
    parts = ChaosStack(tmp_path_factory.mktemp("judged"))
    parts.hands_over_to(desk.address)
    async with served(desk), parts:
        yield Slice(parts, desk)
        assert await troubled(parts) == [], "workflows whose tasks keep failing"


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
async def test_a_second_look_that_dies_is_nobodys_yes_and_one_person_answers_once(played: Slice, seed: int) -> None:
    result = await played.result(seed)
    assert result.violations == [], result.story
    assert result.struck, f"nothing was looked at a second time\n{result.story}"


def test_the_seeds_cover_each_way() -> None:
    chosen = [draw(seed) for seed in SEEDS]
    assert {look for one in chosen for look in one.looks} == set(LOOKS)
    assert {one.desk for one in chosen if one.looks[-1] != "proceed"} == set(DESKS)
