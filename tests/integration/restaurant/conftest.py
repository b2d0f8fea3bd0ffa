"""A service of each test's own, on Wednesday 18 February 2026 at noon."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.restaurants import Door, a_door


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    """The service, over ASGI."""
    async with a_door(tmp_path) as found:
        yield found
