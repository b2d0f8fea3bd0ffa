"""A service for each test, on Wednesday 18 February 2026 at noon."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.restaurants import RunningRestaurant, running_restaurant


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[RunningRestaurant]:
    """The service, over ASGI."""
    async with running_restaurant(tmp_path) as found:
        yield found
