"""How the ledger's tables come to be, on SQLite and PostgreSQL. Guarantees:

- what the migrations make is what the code speaks to, to the last column and index;
- several processes that start at once make it once, and none fails;
- a process that finds it made looks no further.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from infra.ledger import migrate
from infra.ledger.database import Database, ledger_url
from infra.ledger.schema import HEAD, METADATA
from infra.settings import ROOT
from tests.support.ledgers import a_ledger

_START = """
import sys, pathlib
from clients.ledger import open_ledger
from infra.settings import Settings
database, _ = open_ledger(Settings(_env_file=None, ledger_url=sys.argv[1]))
database.run(lambda connection: None, 10)
"""


def test_the_migrations_make_what_the_code_speaks_to(ledger: Database) -> None:
    assert ledger.run(lambda connection: compare_metadata(MigrationContext.configure(connection), METADATA), 5) == []


def test_the_newest_migration_is_the_one_that_is_looked_for() -> None:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "infra/ledger/migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_several_processes_that_start_at_once_make_it_once(url: str) -> None:
    def start(_: int) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-c", _START, url], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
        )

    with ThreadPoolExecutor(4) as threads:
        ended = list(threads.map(start, range(4)))
    assert [(done.returncode, done.stderr) for done in ended] == [(0, "")] * 4
    with a_ledger(url) as ledger:
        tariffs = ledger.run(lambda c: c.execute(text("SELECT count(*) FROM mode_toggles")).scalar(), 5)
        assert tariffs == 3


def test_who_comes_while_another_makes_it_waits_for_that(url: str) -> None:
    """The first is in the middle of it: nothing that it made can be seen yet."""
    address = ledger_url(url, ROOT)
    first, second = Database(address), Database(address)
    engine = first._engine()
    with engine.connect() as plain, ThreadPoolExecutor(1) as threads:
        connection = plain.execution_options(writes=True)
        with connection.begin():
            migrate.bring_up_to_date(connection)
            waiting = threads.submit(second.run, lambda c: c.execute(text("SELECT count(*) FROM plans")).scalar(), 10)
            with pytest.raises(TimeoutError):
                waiting.result(0.5)
        assert waiting.result(15) == 0
    first.close()
    second.close()


def test_a_ledger_that_is_made_is_not_made_again(ledger: Database) -> None:
    ledger.run(lambda connection: connection.execute(text("DELETE FROM mode_toggles")), 5, writes=True)
    ledger.run(migrate.bring_up_to_date, 5, writes=True)
    assert ledger.run(lambda c: c.execute(text("SELECT count(*) FROM mode_toggles")).scalar(), 5) == 0


def test_where_the_ledger_is(tmp_path) -> None:
    assert ledger_url(None, tmp_path) == f"sqlite:///{tmp_path}/ledger.db"
    assert ledger_url("postgres://u:p@h/d", tmp_path) == "postgresql+psycopg://u:p@h/d"
