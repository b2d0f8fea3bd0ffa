"""How long a report over 100,000 model calls and 10,000 plans takes, on SQLite and, where there is one on this machine,
PostgreSQL.

    iq bench ledger [--calls 100000] [--plans 10000]

The floor is one pass over the rows in Python, as they come. The last line is JSON.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Connection, select

from contracts.enums import AiMode, PlanStatus, RollbackOutcome, RollbackTrigger, StepStatus
from contracts.usage import CallUsage, PlanOutcome, StepOutcome
from infra.ledger.database import Database
from infra.ledger.records import CallRecord
from infra.ledger.reports import By, report
from infra.ledger.schema import CALLS
from infra.ledger.upserts import write

FIRST = datetime(2026, 10, 1, tzinfo=UTC)
DAYS = 60
UNTIL = date(2026, 12, 31)
_AT_ONCE = 5_000
_BYS: tuple[By, ...] = ("mode", "venue", "day")


def calls(count: int) -> Iterator[CallRecord]:
    """Calls of forty venues over two months; one message in five is judged by a critique."""
    for number in range(count):
        judged = number % 5 == 4
        mode = AiMode.ADAPTIVE if number % 3 else AiMode.STANDARD
        usage = CallUsage(
            call_id=f"{uuid4()}:{number}",
            venue_id=f"venue-{number % 40}",
            mode=mode,
            purpose="critique" if judged else "plan",
            trace_id=f"request-{number - judged}",
            critique_triggered=judged,
            opens_turn=not judged,
            tariff="pro",
            multiplier=1.2,
        )
        yield CallRecord(
            usage=usage,
            at=FIRST + timedelta(days=DAYS * number / count),
            model="claude-sonnet-4",
            input_tokens=600 + number % 900,
            cached_tokens=number % 300,
            output_tokens=150 + number % 120,
            latency_ms=800 + number % 700,
            price_nano=5_550_000,
        )


def plans(count: int) -> Iterator[PlanOutcome]:
    """Plans of the same venues, one in ten rolled back, of two steps each."""
    for number in range(count):
        drafted = FIRST + timedelta(days=DAYS * number / count)
        failed = number % 10 == 9
        end = StepStatus.FAILED if failed else StepStatus.COMPLETED
        yield PlanOutcome(
            plan_id=str(uuid4()),
            venue_id=f"venue-{number % 40}",
            mode=AiMode.ADAPTIVE if number % 3 else AiMode.STANDARD,
            status=PlanStatus.ROLLED_BACK if failed else PlanStatus.COMPLETED,
            revision=4,
            requested_at=drafted,
            drafted_at=drafted,
            confirmed_at=drafted + timedelta(seconds=5 + number % 120),
            ended_at=drafted + timedelta(minutes=3),
            rollback_trigger=RollbackTrigger.FAILURE if failed else None,
            rollback_outcome=RollbackOutcome.COMPLETE if failed else None,
            steps=tuple(StepOutcome(step=n, action=f"action_{(number + n) % 12}", status=end) for n in (1, 2)),
        )


def fill(database: Database, many: int, of_plans: int) -> None:
    """Write them all."""
    records = [*calls(many), *plans(of_plans)]
    for start in range(0, len(records), _AT_ONCE):
        some = records[start : start + _AT_ONCE]
        database.run(partial(write, records=some), 120, writes=True)
    # What a database does by itself in time: it knows how its rows lie.
    database.run(lambda connection: connection.exec_driver_sql("ANALYZE"), 60, writes=True)


def measured(database: Database) -> dict[str, float]:
    """Milliseconds: the fastest of nine reports of each kind, since what others do on the machine is not ours; and one
    pass in Python."""

    def timed(by: By) -> float:
        begun = time.perf_counter()
        database.run(lambda connection: report(connection, by, FIRST.date(), UNTIL), 30)
        return (time.perf_counter() - begun) * 1000

    took: dict[str, float] = {by: min(timed(by) for _ in range(9)) for by in _BYS}
    begun = time.perf_counter()
    database.run(_one_pass, 60)
    return {**took, "one pass in Python": (time.perf_counter() - begun) * 1000}


def _one_pass(connection: Connection) -> int:
    rows = connection.execute(select(CALLS.c.mode, CALLS.c.input_tokens, CALLS.c.output_tokens, CALLS.c.cost_nano))
    return sum(row.input_tokens + row.output_tokens for row in rows)


@contextmanager
def _postgresql() -> Iterator[str | None]:
    import psycopg

    base, name = "postgresql://postgres@127.0.0.1:5432", f"iq_bench_{uuid4().hex[:12]}"
    try:
        admin = psycopg.connect(f"{base}/postgres", autocommit=True, connect_timeout=2)
    except psycopg.OperationalError:
        yield None
        return
    with admin:
        admin.execute(f'CREATE DATABASE "{name}"')
        try:
            yield f"postgresql+psycopg://{base.partition('://')[2]}/{name}"
        finally:
            admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(prog="iq bench ledger")
    options.add_argument("--calls", type=int, default=100_000)
    options.add_argument("--plans", type=int, default=10_000)
    given = options.parse_args()
    shown: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        urls = {"sqlite": f"sqlite:///{Path(folder) / 'ledger.db'}", "postgresql": stack.enter_context(_postgresql())}
        for kind, url in urls.items():
            if url is None:
                print(f"{kind}: none on this machine's port 5432")
                continue
            database = Database(url)
            fill(database, given.calls, given.plans)
            shown[kind] = measured(database)
            database.close()
            print(f"{kind:<12}" + "".join(f"  {name} {took:7.1f} ms" for name, took in shown[kind].items()), flush=True)
    print(json.dumps({"calls": given.calls, "plans": given.plans, "ms": shown}))


if __name__ == "__main__":
    main()
