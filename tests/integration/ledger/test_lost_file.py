"""A ledger's file that disappears while it is in use. Guarantees:

- The next read or write notices it, and it is logged once. A new file is created with its tables and initial rows, and
  new rows go into that, waiting ones as well.
- A file that was put in its place is used.
- A missing folder is created again. Many concurrent reads notice the loss once; nothing is logged while nothing is
  lost.
"""

import logging
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import select, text

from infra.ledger.database import Database
from infra.ledger.mode_overrides import toggles
from infra.ledger.schema import CALLS
from tests.support.ledgers import Books, a_call, a_ledger


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "ledger.db"


@pytest.fixture
def ledger(file: Path) -> Iterator[Database]:
    with a_ledger(f"sqlite:///{file}") as one:
        one.run(lambda connection: None, 60)
        yield one


def lost(records: list[logging.LogRecord]) -> list[str]:
    return [record.getMessage() for record in records if "the ledger's file" in record.getMessage()]


def rows(path: Path) -> int:
    """Return the number of rows as another process reads it."""
    with a_ledger(f"sqlite:///{path}") as other:
        return len(other.run(lambda c: c.execute(select(CALLS.c.call_id)).all(), 60))


def test_a_deleted_file_is_made_again_and_rows_go_on(
    ledger: Database, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    books = Books(ledger)
    books.call(a_call("c1"), tokens=(1, 0, 1))
    assert books.writer.flush(60) and lost(caplog.records) == []
    for path in file.parent.glob("ledger.db*"):
        path.unlink()
    books.call(a_call("c2"), tokens=(1, 0, 1))
    books.call(a_call("c3"), tokens=(1, 0, 1))
    assert books.writer.flush(60)
    assert file.exists() and rows(file) == 2
    assert ("tariff", "pro") in ledger.run(toggles, 60)
    assert lost(caplog.records) == [
        "the ledger's file was deleted: what was in it is lost to this process, and a new one is made"
    ]


@pytest.mark.parametrize("how", ["only the file", "its folder"])
def test_whatever_went_with_it(ledger: Database, file: Path, how: str) -> None:
    ledger.run(lambda c: c.execute(text("DELETE FROM mode_changes")), 60, writes=True)
    if how == "only the file":
        file.unlink()
    else:
        shutil.rmtree(file.parent)
    assert ("tariff", "pro") in ledger.run(toggles, 60) and file.exists()
    ledger.run(lambda c: c.execute(text("DELETE FROM mode_changes")), 60, writes=True)
    assert rows(file) == 0


def test_a_file_in_its_place_is_used(
    ledger: Database, file: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with a_ledger(f"sqlite:///{tmp_path / 'other.db'}") as other:
        books = Books(other)
        books.call(a_call("theirs"), tokens=(1, 0, 1))
        assert books.writer.flush(60)
    for path in file.parent.glob("ledger.db*"):
        path.unlink()
    (tmp_path / "other.db").replace(file)
    assert [row.call_id for row in ledger.run(lambda c: c.execute(select(CALLS.c.call_id)).all(), 60)] == ["theirs"]
    assert len(lost(caplog.records)) == 1 and "was replaced" in lost(caplog.records)[0]


def test_many_at_once_notice_it_once(ledger: Database, file: Path, caplog: pytest.LogCaptureFixture) -> None:
    file.unlink()
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: len(ledger.run(toggles, 60)), range(24)))
    assert found == [3] * 24 and len(lost(caplog.records)) == 1
