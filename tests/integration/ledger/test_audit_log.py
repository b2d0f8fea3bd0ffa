"""The audit log. Guarantees, over SQLite and PostgreSQL:

- Each command that took effect is in it once, however often its plan is written, with its user, plan and time.
- It is kept for as long as configured and then deleted by the process that writes; a user's at once, by
  `iq who --forget`.
- `iq who` prints it by plan and by user; for a plan without entries it says so and fails.
- It is in no line of the log.
"""

import json
import logging
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from contracts.usage import AuditAction, AuditEntry
from infra.ledger.audit_log import audit_entries
from infra.ledger.database import Database
from infra.ledger.writer_thread import LedgerWriter
from infra.observability.observer import Observer
from infra.observability.plan_log import PlanLog
from tests.integration.ledger.test_cli import iq
from tests.support.ledgers import NOON, Books, a_ledger, a_plan

LONG_AGO = NOON - timedelta(days=5000)


def text(plan: str, user: str, *words: AuditAction, at: datetime = NOON) -> tuple[AuditEntry, ...]:
    return tuple(
        AuditEntry(plan_id=plan, number=n, venue_id="hall", user_id=user, action=word, at=at + timedelta(seconds=n))
        for n, word in enumerate(words, 1)
    )


def shown(ledger: Database, plan: str | None = None, user: str | None = None) -> list[tuple[str, str, str]]:
    found = ledger.run(lambda c: audit_entries(c, plan_id=plan, user_id=user, since=LONG_AGO), 60)
    return [(d.plan_id, d.user_id, d.action.value) for d in found]


def test_each_word_is_there_once_however_often_its_plan_is_written(ledger: Database, books: Books) -> None:
    words = text("p1", "ann", AuditAction.ASKED, AuditAction.CONFIRMED, AuditAction.UNDONE)
    for revision, count in ((1, 1), (3, 3), (2, 2), (3, 3), (4, 3)):
        books.plan(a_plan("p1", revision=revision, audit_entries=words[:count]))
    books.plan(a_plan("p2", audit_entries=text("p2", "bob", AuditAction.ASKED, AuditAction.CANCELLED)))
    assert books.writer.flush(60)
    assert shown(ledger, "p1") == [("p1", "ann", "asked"), ("p1", "ann", "confirmed"), ("p1", "ann", "undone")]
    assert shown(ledger, user="bob") == [("p2", "bob", "asked"), ("p2", "bob", "cancelled")]


def test_what_is_too_old_is_forgotten_and_nothing_else(ledger: Database, books: Books) -> None:
    now = datetime.now(NOON.tzinfo)
    books.plan(a_plan("old", audit_entries=text("old", "ann", AuditAction.ASKED, at=now - timedelta(days=31))))
    books.plan(a_plan("new", audit_entries=text("new", "ann", AuditAction.ASKED, at=now - timedelta(days=29))))
    assert books.writer.flush(60)
    again = LedgerWriter(ledger, keep_days=30)
    until = time.monotonic() + 60
    while len(shown(ledger)) > 1 and time.monotonic() < until:
        time.sleep(0.05)
    again.close()
    assert shown(ledger) == [("new", "ann", "asked")]


@pytest.mark.slow
def test_it_is_reported_by_command_and_forgotten_by_one(url: str, tmp_path: Path) -> None:
    with a_ledger(url) as ledger:
        books = Books(ledger)
        now = datetime.now(NOON.tzinfo)
        books.plan(a_plan("p1", audit_entries=text("p1", "ann", AuditAction.ASKED, AuditAction.CONFIRMED, at=now)))
        books.plan(a_plan("p2", audit_entries=text("p2", "bob", AuditAction.ASKED, at=now)))
        assert books.writer.flush(60)
        books.writer.close()
    line = iq(url, tmp_path, "who", "plan-p1").stdout.splitlines()
    assert [row.split()[2:4] for row in line[1:]] == [["asked", "ann"], ["confirmed", "ann"]], line
    [row] = json.loads(iq(url, tmp_path, "who", "--user", "bob", "--json").stdout)
    assert (row["plan_id"], row["action"]) == ("p2", "asked")
    refused = iq(url, tmp_path, "who", "--forget")
    assert refused.returncode == 1 and "--user" in refused.stderr
    assert iq(url, tmp_path, "who", "--user", "ann", "--forget").stdout.startswith("2 forgotten")
    gone = iq(url, tmp_path, "who", "p1")
    assert (gone.returncode, gone.stdout) == (1, "") and "nothing is kept of plan p1" in gone.stderr
    # A waiting plan is written with its next change, and a worker may write more later.
    for reason in ("has not been confirmed or dropped yet", "not written yet", "IQ_AUDIT_RETENTION_DAYS", "iq plan p1"):
        assert reason in gone.stderr, gone.stderr
    other = iq(url, tmp_path, "who", "p2", "--user", "ann")
    assert (other.returncode, other.stderr) == (1, "iq: nothing is kept of that plan of that user\n")
    as_json = iq(url, tmp_path, "who", "p1", "--json")
    assert (as_json.returncode, json.loads(as_json.stdout)) == (1, [])
    no_one = iq(url, tmp_path, "who", "--user", "ann")
    assert (no_one.returncode, no_one.stdout) == (0, "Nothing is kept of that.\n"), "a user may have said nothing"


def test_it_is_in_no_log_line_of_a_plan(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    outcome = a_plan("p1", settled=True, ends=True, audit_entries=text("p1", "ann-the-user", AuditAction.ASKED))
    Observer(counters=[PlanLog()]).note("plan completed", "t1", outcome=outcome)
    assert caplog.records and "ann-the-user" not in "".join(str(vars(record)) for record in caplog.records)


@pytest.mark.parametrize("days", [6, 0, -1])
def test_it_is_kept_longer_than_temporal_keeps_plans(days: int) -> None:
    from infra.config.settings import Settings

    with pytest.raises(ValueError, match="greater than or equal to 7"):
        Settings(_env_file=None, audit_retention_days=days)
