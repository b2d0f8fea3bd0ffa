"""The rate limit of a venue's API. Guarantees:

- Calls start in a burst, then one after the other, in memory and in Redis alike; all processes share one queue.
- A place that is too far away is not taken, so a caller that gives up delays no other.
- While Redis is unavailable each process keeps the rate by itself.
- Reads wait; a write counts and does not wait. Both are counted. Venues do not wait for each other.
- A venue's configured rate applies to its calls; the slowest applies where two packs share an address.
"""

import asyncio
import re
from pathlib import Path
from uuid import uuid4

import pytest

from clients.venue.rate_limit import RateLimitedError, VenueRateLimit, VenueRateLimiter
from contracts.venue import VenueRate
from infra.config.settings import ROOT
from infra.ledger.records import PriceTable
from infra.observability.observer import Observer
from infra.observability.prometheus import PrometheusMetrics
from infra.stores.store import Store
from registry import PackError
from registry.loading.folder_registry import FolderRegistry
from tests.integration.infra.conftest import OpenStore

pytestmark = pytest.mark.asyncio

RARELY = 0.001
"""Calls a second: how long a test takes makes no difference to when the next one is due."""
DAY = 86_400


@pytest.fixture
def pace(store: Store) -> VenueRateLimiter:
    return VenueRateLimiter(store)


async def test_so_many_at_once_then_one_after_the_other(pace: VenueRateLimiter) -> None:
    whose = uuid4().hex
    waits = [(await pace.place(whose, RARELY, 3, DAY)).wait for _ in range(5)]
    assert waits[:3] == [0, 0, 0]
    assert waits[3] == pytest.approx(1_000, abs=60)
    assert waits[4] == pytest.approx(2_000, abs=60)


async def test_a_place_too_far_away_is_not_taken(pace: VenueRateLimiter) -> None:
    whose = uuid4().hex
    assert (await pace.place(whose, RARELY, 1, 500)).taken
    refused = [await pace.place(whose, RARELY, 1, 500) for _ in range(3)]
    assert not any(one.taken for one in refused)
    assert refused[-1].wait == pytest.approx(1_000, abs=60), "whoever turned away holds nobody up"


async def test_room_comes_back(pace: VenueRateLimiter) -> None:
    whose = uuid4().hex
    await pace.place(whose, 20, 1, 1)
    await asyncio.sleep(0.08)
    assert (await pace.place(whose, 20, 1, 1)).wait == 0


async def test_processes_share_one_line(pair: tuple[Store, Store]) -> None:
    (one, other), whose = map(VenueRateLimiter, pair), uuid4().hex
    assert (await one.place(whose, RARELY, 1, DAY)).wait == 0
    assert (await other.place(whose, RARELY, 1, DAY)).wait == pytest.approx(1_000, abs=60)


async def test_without_the_store_each_keeps_to_it_by_itself(open_store: OpenStore) -> None:
    one = VenueRateLimiter(open_store("redis://127.0.0.1:1/0"))
    waits = [(await one.place("v", RARELY, 1, DAY)).wait for _ in range(2)]
    assert waits == pytest.approx([0, 1_000], abs=60)


async def test_reads_wait_and_writes_count(open_store: OpenStore) -> None:
    figures = PrometheusMetrics(PriceTable())
    rates = {"http://noisy": VenueRate(per_second=10)}
    pacing = VenueRateLimit(
        # By the clock of this process, which the test can stop.
        VenueRateLimiter(open_store("redis://127.0.0.1:1/0"), lambda: 0.0),
        rates.get,
        Observer(counters=[figures]),
        {"http://noisy": "noisy"}.__getitem__,
    )
    assert await pacing.acquire("http://noisy", 5, write=False) == 0
    assert await pacing.acquire("http://noisy", 5, write=True) == 0
    assert await pacing.acquire("http://quiet", 5, write=False) == 0
    read = await pacing.acquire("http://noisy", 5, write=False)
    assert read == pytest.approx(0.2), "the write had taken a place"
    with pytest.raises(RateLimitedError) as refused:
        await pacing.acquire("http://noisy", 0.01, write=False)
    assert refused.value.retry_after == pytest.approx(0.3)
    text = figures.text().decode()
    for came in ("waited", "turned_away"):
        assert f'iq_paced_calls_total{{came="{came}",venue="noisy"}} 1.0' in text
    [waited] = re.findall(r'iq_paced_seconds_total{venue="noisy"} (\S+)', text)
    assert float(waited) == pytest.approx(0.2)


async def test_a_venue_says_its_rate(tmp_path: Path) -> None:
    import shutil

    for name, line in (("a", "rate: {per_second: 9, burst: 2}"), ("b", "rate: {per_second: 4}"), ("c", "")):
        folder = shutil.copytree(ROOT / "overlays" / "roller", tmp_path / name)
        file = folder / "venue.yaml"
        file.write_text(file.read_text().replace("venue_id: roller-demo", f"venue_id: {name}") + f"\n{line}\n")
    at = {"a": "http://x", "b": "http://x", "c": "http://y"}
    found = FolderRegistry([tmp_path / name for name in at], at)
    assert found.rate_for("http://x") == VenueRate(per_second=4)
    assert found.rate_for("http://y") is None
    (tmp_path / "a" / "venue.yaml").write_text((tmp_path / "a" / "venue.yaml").read_text().replace("9,", "0,"))
    with pytest.raises(PackError, match="rate"):
        FolderRegistry([tmp_path / "a"])
