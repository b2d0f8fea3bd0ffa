"""The operator and the venue of a file's own processes, which its fixture `process_stack` starts."""

from collections.abc import AsyncIterator

import pytest

from tests.support.operator import Operator
from tests.support.process_stack import ProcessStack
from tests.support.roller import Roller


@pytest.fixture
async def operator(process_stack: ProcessStack) -> AsyncIterator[Operator]:
    """An operator with a fresh chat."""
    async with process_stack.operator() as one:
        yield one


@pytest.fixture
async def venue(process_stack: ProcessStack) -> AsyncIterator[Roller]:
    """The venue's own system, without faults after the test."""
    async with process_stack.roller() as one:
        yield one
        await one.clear_faults()
