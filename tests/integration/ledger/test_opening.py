"""The creation of the ledger's tables, on SQLite and PostgreSQL. Guarantees:

- The migrations create exactly the code's tables, to the last column and index.
- Several processes that open it at once, a new file, too, create it once, and none fails or prints anything. The same
  holds for the bookings' database, and where one process opens both.
- A process that opens it while another creates it waits for that, within its time limit.
- A process that finds it created does nothing more.
"""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from infra.config.settings import ROOT
from infra.database import migrate
from infra.ledger.database import Database, ledger_url
from infra.ledger.schema import HEAD, METADATA
from restaurant.providers.database.provider import sheet_database
from tests.support.ledgers import KINDS, a_url

pytestmark = pytest.mark.slow

_START = """
import sys
import alembic.command, sqlalchemy
from clients.ledger import open_ledger
from infra.ledger.database import ledger_url
from infra.config.settings import Settings
from pathlib import Path
from restaurant.providers.database.provider import sheet_database, sheet_url

for line in sys.stdin:
    which, url = line.split()
    if which == "ledger":
        database, _ = open_ledger(Settings(_env_file=None, ledger_url=url))
    else:
        database = sheet_database(sheet_url(url, Path()))
    print("ready", flush=True)
    sys.stdin.readline()
    database.run(lambda connection: None, 60)
    database.close()
    print("made", flush=True)
"""
"""Opens one database after another, each at the moment when it is given a line."""


def test_the_migrations_make_what_the_code_speaks_to(ledger: Database) -> None:
    assert ledger.run(lambda connection: compare_metadata(MigrationContext.configure(connection), METADATA), 60) == []


def test_the_newest_migration_is_the_one_that_is_looked_for() -> None:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "infra/ledger/migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def opener() -> "subprocess.Popen[str]":
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", _START], cwd=ROOT, text=True, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=1
    )


def at_once(openers: "list[subprocess.Popen[str]]", which: str, url: str) -> list[str]:
    """Return what each prints about a database that all open at the same moment."""
    heard = []
    for line in (f"{which} {url}\n", "\n"):
        for one in openers:
            assert one.stdin is not None
            one.stdin.write(line)
            one.stdin.flush()
        heard = [one.stdout.readline().strip() for one in openers if one.stdout is not None]
    return heard


@pytest.mark.parametrize("which", ["ledger", "bookings"])
@pytest.mark.parametrize("kind", KINDS)
def test_several_processes_that_open_it_at_once_make_it_once(kind: str, which: str, tmp_path: Path) -> None:
    openers = [opener() for _ in range(6)]
    try:
        for number in range(20 if kind == "sqlite" else 3):
            folder = tmp_path / str(number)
            folder.mkdir()
            with a_url(kind, folder) as url:
                heard = at_once(openers, which, url)
                if heard != ["made"] * 6:
                    break
                table = "mode_toggles" if which == "ledger" else "restaurant_bookings"
                ledger = Database(ledger_url(url, ROOT), tables=lambda connection: None)
                rows = ledger.run(lambda c, of=table: c.execute(text(f"SELECT count(*) FROM {of}")).scalar(), 60)  # type: ignore[misc]
                ledger.close()
                assert rows == (3 if which == "ledger" else 0)
    finally:
        message = [one.communicate(timeout=60)[1] for one in openers]
    assert (heard, message) == (["made"] * 6, [""] * 6)


def test_a_file_that_another_process_is_just_making_is_waited_for(tmp_path: Path) -> None:
    """SQLite refuses at once, without waiting, to change the journal of a file that another process writes to."""
    file = tmp_path / "ledger.db"
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    ledger = Database(f"sqlite:///{file}")
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(ledger.run, lambda c: c.execute(text("SELECT count(*) FROM plans")).scalar(), 10)
        with pytest.raises(TimeoutError):
            waiting.result(0.5)
        other.execute("COMMIT")
        assert waiting.result(15) == 0
    other.close()
    ledger.close()


@pytest.mark.parametrize("kind", KINDS)
def test_one_process_makes_both_databases_at_once(kind: str, tmp_path: Path) -> None:
    for number in range(5):
        folder = tmp_path / str(number)
        folder.mkdir()
        with ExitStack() as urls, ThreadPoolExecutor(2) as threads:
            first, second = (urls.enter_context(a_url(kind, folder / part)) for part in ("ledger", "bookings"))
            both = [Database(ledger_url(first, ROOT)), sheet_database(ledger_url(second, ROOT))]
            together = Barrier(2)

            def make(database: Database, together: Barrier = together) -> None:
                together.wait()
                database.run(lambda connection: None, 60)

            for made in [threads.submit(make, database) for database in both]:
                made.result(30)
            tables = [d.run(lambda c: inspect(c).get_table_names(), 60) for d in both]
            assert "plans" in tables[0] and "restaurant_bookings" in tables[1] and not set(tables[0]) & set(tables[1])
            for database in both:
                database.close()


def test_who_comes_while_another_makes_it_waits_for_that(url: str) -> None:
    """The first process is in the middle of it, and nothing that it created is visible yet."""
    address = ledger_url(url, ROOT)
    first, second = Database(address), Database(address)
    engine = first._engine()
    with engine.connect() as plain, ThreadPoolExecutor(1) as threads:
        connection = plain.execution_options(writes=True)
        with connection.begin():
            migrate.bring_up_to_date(connection)
            waiting = threads.submit(second.run, lambda c: c.execute(text("SELECT count(*) FROM plans")).scalar(), 10)
            with pytest.raises(TimeoutError):
                # Longer than SQLite's drivers wait by themselves.
                waiting.result(2.5)
        assert waiting.result(15) == 0
    first.close()
    second.close()


def test_a_ledger_that_is_made_is_not_made_again(ledger: Database) -> None:
    ledger.run(lambda connection: connection.execute(text("DELETE FROM mode_toggles")), 60, writes=True)
    ledger.run(migrate.bring_up_to_date, 60, writes=True)
    assert ledger.run(lambda c: c.execute(text("SELECT count(*) FROM mode_toggles")).scalar(), 60) == 0


def test_where_the_ledger_is(tmp_path) -> None:
    assert ledger_url(None, tmp_path) == f"sqlite:///{tmp_path}/ledger.db"
    assert ledger_url("postgres://u:p@h/d", tmp_path) == "postgresql+psycopg://u:p@h/d"
