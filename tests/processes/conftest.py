"""Who acts in the tests of this folder. Each test file says which `parts` run, and how."""

from collections.abc import AsyncIterator

import pytest

from tests.support.operator import Operator
from tests.support.roller import Roller
from tests.support.separate import Separate


@pytest.fixture
async def operator(parts: Separate) -> AsyncIterator[Operator]:
    """An operator with a fresh chat."""
    async with parts.operator() as one:
        yield one


@pytest.fixture
async def venue(parts: Separate) -> AsyncIterator[Roller]:
    """The venue's own system, without faults afterwards."""
    async with parts.roller() as one:
        yield one
        await one.clear_faults()
