"""Opens the ledger: its database, the rows that are written first, and its writers."""

import logging
from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Literal

from clients.modes import Modes, TurnBudget
from contracts.usage import UsageReport
from infra.config.settings import Settings
from infra.ledger.database import Database, ledger_url
from infra.ledger.records import PriceTable
from infra.ledger.sink import LedgerSink
from infra.ledger.writer_thread import LedgerWriter
from infra.observability.prometheus import PrometheusMetrics
from registry.tariffs import read_prices, read_tariffs

if TYPE_CHECKING:
    from sqlalchemy import Connection

By = Literal["mode", "venue", "day"]

_WITHIN = 10.0
"""Seconds that a report may take."""

log = logging.getLogger(__name__)


def open_ledger(settings: Settings, budget: TurnBudget = TurnBudget()) -> tuple[Database, Modes]:
    """Return the database of the settings, and its modes with their timeouts. Does not connect yet."""
    tariffs, findings = read_tariffs()
    for finding in findings:
        log.error("%s:%s: %s (%s)", finding.file, finding.line, finding.message, finding.hint)

    def prepare(connection: "Connection") -> None:
        from infra.ledger.mode_overrides import seed

        seed(connection, {name: tariff.mode for name, tariff in tariffs.items()}, whole=not findings)

    database = Database(ledger_url(settings.ledger_url, settings.data), prepare)
    return database, Modes(tariffs, database, budget)


def counters(
    database: Database, venues: Iterable[str], model: str, *, keep_days: int | None = None
) -> tuple[LedgerSink, PrometheusMetrics]:
    """Return the sinks that count model calls and plans: the ledger, whose thread starts to migrate it at once, and
    Prometheus, which gets the served venues and the model. `keep_days` as in `LedgerWriter`."""
    prices, findings = read_prices()
    for finding in findings:
        log.error("%s:%s: %s (%s)", finding.file, finding.line, finding.message, finding.hint)
    table = PriceTable(prices)
    return LedgerSink(LedgerWriter(database, keep_days=keep_days), table), PrometheusMetrics(table, venues, model)


async def read_report(database: Database, by: By, since: date, until: date) -> UsageReport:
    """Return usage and plan metrics for a range of days, both included, in UTC. Raises `DependencyUnavailableError`."""
    from infra.ledger.reports import report

    return await database.ask(lambda connection: report(connection, by, since, until), _WITHIN)
