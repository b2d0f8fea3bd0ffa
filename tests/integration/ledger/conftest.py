"""Every test of this folder that uses `url` or `ledger` runs over both databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.ledger.database import Database
from tests.support.ledgers import KINDS, Books, a_ledger, a_url


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty ledger."""
    with a_url(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def ledger(url: str) -> Iterator[Database]:
    """An empty ledger."""
    with a_ledger(url) as database:
        yield database


@pytest.fixture
def books(ledger: Database) -> Iterator[Books]:
    """The observer and writer by which a process records."""
    kept = Books(ledger)
    yield kept
    kept.writer.close()
