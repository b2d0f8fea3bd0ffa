"""The ledger, put together: its database, what is written into it first, and what writes into it."""

import logging
from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Literal

from clients.modes import Modes
from contracts.usage import UsageReport
from infra.figures import Figures
from infra.ledger.database import Database, ledger_url
from infra.ledger.prices import PriceTable
from infra.ledger.sink import LedgerSink
from infra.ledger.writer import Writer
from infra.settings import Settings
from registry.tariffs import read_prices, read_tariffs

if TYPE_CHECKING:
    from sqlalchemy import Connection

By = Literal["mode", "venue", "day"]

_WITHIN = 10.0
"""Seconds that a report may take."""

log = logging.getLogger(__name__)


def open_ledger(settings: Settings) -> tuple[Database, Modes]:
    """The database that the settings name, and the modes that stand in it. Asks nobody yet."""
    tariffs, findings = read_tariffs()
    for finding in findings:
        log.error("%s:%s: %s (%s)", finding.file, finding.line, finding.message, finding.hint)

    def prepare(connection: "Connection") -> None:
        from infra.ledger.toggles import seed

        seed(connection, {name: tariff.mode for name, tariff in tariffs.items()}, whole=not findings)

    database = Database(ledger_url(settings.ledger_url, settings.data), prepare)
    return database, Modes(tariffs, database)


def counters(database: Database, venues: Iterable[str], model: str) -> tuple[LedgerSink, Figures]:
    """What model calls and plans are counted by: the ledger, whose thread begins to bring it up to date at once, and
    Prometheus, which is told the venues and the model that are served."""
    prices, findings = read_prices()
    for finding in findings:
        log.error("%s:%s: %s (%s)", finding.file, finding.line, finding.message, finding.hint)
    table = PriceTable(prices)
    return LedgerSink(Writer(database), table), Figures(table, venues, model)


async def read_report(database: Database, by: By, since: date, until: date) -> UsageReport:
    """Usage and plan metrics from day to day, both included, in UTC. Raises `LedgerAwayError`."""
    from infra.ledger.reports import report

    return await database.ask(lambda connection: report(connection, by, since, until), _WITHIN)
