"""`iq usage`, `iq venue mode`, `iq tariff mode`: the ledger's reports, and the mode switch that the ledger stores."""

import asyncio
import getpass
import json
import sys
from collections.abc import Coroutine, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

if TYPE_CHECKING:
    from clients.modes import Kind
    from contracts.enums import AiMode
    from contracts.usage import ModeRow, UsageReport, UsageRow
    from contracts.venue import VenueProfile
    from infra.config.settings import Settings
    from infra.errors import DependencyUnavailableError
    from infra.ledger.database import Database

T = TypeVar("T")

venue = typer.Typer(help="In which mode a venue is served.", no_args_is_help=True)
tariff = typer.Typer(help="In which mode the venues of a tariff are served.", no_args_is_help=True)

NameArgument = Annotated[str | None, typer.Argument(help="Its name; leave it out for the list.")]
ModeArgument = Annotated[
    str | None, typer.Argument(help="standard, adaptive, or default: what the tariff or its file says.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON.")]
DAY = ["%Y-%m-%d"]
PATIENCE = 30.0
"""Seconds that a person at a terminal waits for a ledger that is slow, or whose tables are being created."""


@venue.callback()
def _venue() -> None:
    """Show or switch the mode in which a venue is served."""


@tariff.callback()
def _tariff() -> None:
    """Show or switch the mode in which the venues of a tariff are served."""


@venue.command("mode")
def venue_mode(name: NameArgument = None, mode: ModeArgument = None, as_json: JsonOption = False) -> None:
    """Show or switch a venue's mode: from its next message on, in every process."""
    _show_or_switch("venue", name, mode, as_json)


@tariff.command("mode")
def tariff_mode(name: NameArgument = None, mode: ModeArgument = None, as_json: JsonOption = False) -> None:
    """Show or switch a tariff's mode: from the next message on, for its venues without a mode of their own."""
    _show_or_switch("tariff", name, mode, as_json)


def usage(
    by: Annotated[Literal["mode", "venue", "day"], typer.Option("--by", help="How rows are grouped.")] = "mode",
    since: Annotated[datetime | None, typer.Option("--from", formats=DAY, help="First day (30 days back).")] = None,
    until: Annotated[datetime | None, typer.Option("--to", formats=DAY, help="Last day (today), UTC.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what was used, what it cost, and how plans went (docs/ledger.md defines each figure)."""
    from clients.ledger import open_ledger, read_report

    last = until.date() if until else datetime.now(UTC).date()
    first = since.date() if since else last - timedelta(days=29)
    if first > last:
        sys.exit(f"iq: the days go backwards: {first} is after {last}")
    database, _ = open_ledger(_settings())
    report = asked(database, read_report(database, by, first, last))
    print(report.model_dump_json(indent=2) if as_json else _table(report))


def _show_or_switch(kind: "Kind", name: str | None, mode: str | None, as_json: bool) -> None:
    from clients.ledger import open_ledger
    from clients.modes import TurnBudget, UnknownNameError
    from infra.errors import DependencyUnavailableError
    from registry.errors import did_you_mean

    settings = _settings()
    wanted = _mode(mode)
    database, modes = open_ledger(settings, TurnBudget(person=PATIENCE))
    profiles = _profiles(settings)
    known = sorted(modes.tariffs) if kind == "tariff" else [p.venue_id for p in profiles]
    if name is not None and name not in known:
        sys.exit(f"iq: there is no {kind} {name}; {did_you_mean(name, known)}".rstrip("; "))

    async def work() -> "list[ModeRow]":
        if name is None or mode is None:
            return await modes.rows(profiles)
        made = ""
        try:
            await modes.switch(kind, name, wanted, by=getpass.getuser(), profiles=profiles)
            made = "the switch was made"
            return await modes.rows(profiles)
        except DependencyUnavailableError as away:
            raise DependencyUnavailableError("ledger", f"{away}; {made or _perhaps(away)}") from None

    try:
        rows = [r for r in asked(database, work()) if r.kind == kind and name in (None, r.name)]
    except UnknownNameError as unknown:
        sys.exit(f"iq: {unknown}")
    if as_json:
        print(json.dumps([row.model_dump(mode="json") for row in rows], indent=2))
    else:
        print(in_columns(["NAME", "MODE", "BECAUSE"], [[r.name, r.mode.value, _because(r)] for r in rows]))


def _perhaps(away: "DependencyUnavailableError") -> str:
    """Return the hint for a mode switch that a ledger without a response may have stored."""
    if not away.perhaps_written:
        return "nothing was switched"
    return "the switch may have been made, or may still be: making the same one again does no harm"


def _mode(written: str | None) -> "AiMode | None":
    from contracts.enums import AiMode
    from registry.errors import did_you_mean

    if written in (None, "default"):
        return None
    try:
        return AiMode(str(written))
    except ValueError:
        choices = [*(m.value for m in AiMode), "default"]
        sys.exit(f"iq: there is no mode {written}; {did_you_mean(str(written), choices)}".rstrip("; "))


def _because(row: "ModeRow") -> str:
    if row.toggled is not None:
        return f"switched by {row.by}, {row.at:%Y-%m-%d %H:%M} UTC" if row.at else f"switched by {row.by}"
    if row.kind == "tariff":
        return "overlays/tariffs.yaml"
    if not row.tariff_known:
        return f"tariff {row.tariff}, which overlays/tariffs.yaml does not have"
    return f"tariff {row.tariff}" if row.tariff else "it names no tariff"


def _profiles(settings: "Settings") -> "list[VenueProfile]":
    from registry import PackError
    from registry.overlays.venue import read_venue

    try:
        return [read_venue(folder).profile(folder.name, "") for folder in settings.packs]
    except PackError as error:
        sys.exit(f"iq: {error}")


def asked(database: "Database", work: Coroutine[Any, Any, T]) -> T:
    """Return the ledger's result; its tables are created first. Ends the program if the ledger is unavailable."""
    from infra.errors import DependencyUnavailableError

    async def whole() -> T:
        try:
            # The first call creates the tables, which takes longer than a query.
            await database.ask(lambda connection: None, PATIENCE)
            return await work
        finally:
            work.close()
            database.close()

    try:
        return asyncio.run(whole())
    except DependencyUnavailableError as away:
        sys.exit(f"iq: {away} (IQ_LEDGER_URL, else ledger.db in the data folder)")


def _table(report: "UsageReport") -> str:
    head = [report.by.upper(), "CALLS", "INPUT", "CACHED", "OUTPUT", "COST USD", "×", "CRITIQUES", "LATENCY"]
    used = in_columns(head, [_used(row) for row in (*report.usage, report.total)])
    head = [report.by.upper(), "PLANS", "ACCURACY", "SUCCESS", "QUESTIONS", "TO CONFIRM", "ROLLED BACK"]
    plans = [
        [
            p.name,
            str(p.plans),
            _percent(p.planning_accuracy),
            _percent(p.execution_success),
            _number(p.clarification_rate),
            _number(p.median_seconds_to_confirm, " s"),
            _percent(p.rollback_frequency),
        ]
        for p in (*report.plans, report.all_plans)
    ]
    actions = [[a.action, str(a.attempted), str(a.failed), _percent(a.failure_rate)] for a in report.actions]
    parts = [f"{report.since} to {report.until}, days in UTC", used, in_columns(head, plans)]
    return "\n\n".join([*parts, *([in_columns(["ACTION", "ATTEMPTED", "FAILED", "RATE"], actions)] if actions else [])])


def _used(row: "UsageRow") -> list[str]:
    cost = "unknown" if row.cost_usd is None else f"{row.cost_usd:.4f}"
    if row.cost_usd is not None and row.unpriced_calls:
        cost += f" + {row.unpriced_calls} unknown"
    tokens = [f"{n:,}" for n in (row.calls, row.input_tokens, row.cached_tokens, row.output_tokens)]
    return [
        row.name,
        *tokens,
        cost,
        _number(row.multiplier),
        _percent(row.critique_rate),
        _number(row.latency_ms, " ms", 0),
    ]


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


def _number(value: float | None, unit: str = "", digits: int = 2) -> str:
    return "–" if value is None else f"{value:.{digits}f}{unit}"


def in_columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table for a terminal."""
    widths = [max(len(row[n]) for row in (head, *rows)) for n in range(len(head))]
    lines = ("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in (head, *rows))
    return "\n".join(line.rstrip() for line in lines)


def _settings() -> "Settings":
    from cli import run

    return run.settings()
