"""A baker's dozen of chaos scenarios, one for each way of breaking and each stage; `make chaos` runs hundreds.

Whatever dies when: each write and each reversal reaches the venue at most once, the booking ends as it was or as it was
asked for, or the plan says what a person has to do, nothing is stuck, the question slot is free and no token is kept.
"""

from collections.abc import AsyncIterator

import pytest

from tests.chaos.runner import Run, troubled
from tests.chaos.scenario import KINDS, draw
from tests.support import needs
from tests.support.separate import Separate, own_redis

SEEDS = (102, 108, 155, 167, 202, 205, 208, 217, 228, 524, 755, 1612, 2765)


@pytest.fixture(scope="module")
async def parts(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Separate]:
    """Each part a process of its own."""
    needs.redis()
    async with own_redis() as url, Separate(tmp_path_factory.mktemp("chaos"), url) as running:
        yield running
        assert await troubled(running) == [], "workflows whose tasks keep failing"


@pytest.mark.parametrize("seed", SEEDS)
async def test_nothing_is_lost_doubled_or_stuck(parts: Separate, seed: int) -> None:
    result = await Run(parts, draw(seed)).go()
    assert result.violations == [], result.story
    assert result.fired == len(result.scenario.disturbances), f"not every disturbance struck\n{result.story}"


def test_a_scenario_is_determined_by_its_seed() -> None:
    assert [draw(seed) for seed in SEEDS] == [draw(seed) for seed in SEEDS]
    assert len({str(draw(seed)) for seed in range(200)}) == 200


def test_the_seeds_cover_each_disturbance_in_execution_and_in_rollback() -> None:
    drawn = [d for seed in SEEDS for d in draw(seed).disturbances]
    assert {d.kind for d in drawn} == set(KINDS)
    assert {d.place.activity for d in drawn} == {"reason", "take_snapshot", "act", "undo_step", "read_back"}
    rollback = {d.kind for d in drawn if d.place.activity == "undo_step"}
    assert {"worker", "temporal", "fault", "sign_out"} <= rollback
    assert rollback & {"cancel", "workflow_cancel"}
