"""A bench for each kind of provider, started once a file, empty before each test."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from restaurant.providers import Provider
from tests.integration.restaurant_providers.benches import Bench, a_bench

Started = Callable[[str], Bench]


@pytest.fixture(scope="module")
def grounds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """Return benches by kind; a new one each time for the databases, whose rows are never cleared."""
    kept: dict[str, Bench] = {}
    with ExitStack() as stack:

        def start(kind: str) -> Bench:
            if kind not in kept or not kept[kind].remote:
                kept[kind] = stack.enter_context(a_bench(kind, tmp_path_factory.mktemp(kind)))
            return kept[kind]

        yield start


@pytest_asyncio.fixture
async def bench(request: pytest.FixtureRequest, grounds: Started) -> AsyncIterator[Bench]:
    """The bench of the kind that a test names."""
    found = grounds(request.param)
    found.reset()
    yield found
    if found.remote:
        found.mended()
    await found.close()


@pytest.fixture
def provider(bench: Bench) -> Provider:
    """The provider of the bench."""
    return bench.provider()


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    """Return benches with options of a test's own."""
    with ExitStack() as stack:

        def start(kind: str, **options: Any) -> Bench:
            return stack.enter_context(a_bench(kind, tmp_path, **options))

        yield start
