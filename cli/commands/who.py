"""`iq who`: who asked, confirmed, answered and undid what, from the audit log."""

import json
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from cli.commands.usage import DAY, PATIENCE, asked, in_columns

if TYPE_CHECKING:
    from infra.config.settings import Settings

FormatOption = Annotated[bool, typer.Option("--json", help="Write JSON.")]


def who(
    plan: Annotated[str | None, typer.Argument(help="A plan's id; without it, of all plans.")] = None,
    user: Annotated[str | None, typer.Option("--user", help="Only commands of this user.")] = None,
    since: Annotated[
        datetime | None,
        typer.Option("--from", formats=DAY, help="First day, UTC (30 back; with a plan or --user all)."),
    ] = None,
    as_json: FormatOption = False,
    forget: Annotated[bool, typer.Option("--forget", help="Delete all that is kept of --user.")] = False,
) -> None:
    """Show who asked, confirmed, answered, skipped, cancelled and undid what: the newest thousand commands that took
    effect.

    Kept for IQ_AUDIT_RETENTION_DAYS days (400), longer than Temporal keeps plans. `iq resolve` and mode switches have
    records of their own. The exit code is 1 if nothing is kept of the named plan.
    """
    from cli import run
    from clients.ledger import open_ledger
    from infra.ledger import audit_log

    if forget and (user is None or plan is not None):
        sys.exit("iq: --forget deletes all of one user: give --user and no plan")
    found = run.settings()
    database, _ = open_ledger(found)
    if forget:
        gone = asked(database, database.ask(lambda c: audit_log.forget_user(c, str(user)), PATIENCE, writes=True))
        print(f"{gone} forgotten. A plan of theirs that is still open is written down again with its next change.")
        return
    first = since.replace(tzinfo=UTC) if since else datetime.now(UTC) - timedelta(days=30)
    first = datetime.min.replace(tzinfo=UTC) if (plan or user) and not since else first
    plan_id = plan.removeprefix("plan-") if plan else None
    rows = asked(
        database,
        database.ask(lambda c: audit_log.audit_entries(c, plan_id=plan_id, user_id=user, since=first), PATIENCE),
    )
    if as_json:
        print(json.dumps([row.model_dump(mode="json") for row in rows], indent=2, ensure_ascii=False))
    elif rows:
        lines = [[f"{r.at:%Y-%m-%d %H:%M:%S}", r.action.value, r.user_id, r.venue_id, r.plan_id] for r in rows]
        print(in_columns(["WHEN (UTC)", "ACTION", "USER", "VENUE", "PLAN"], lines))
    elif not plan:
        print(
            "Nothing is kept of that."
            if user or since
            else "Nothing is kept of the last 30 days; --from looks back further."
        )
    if plan and not rows:
        # Stdout is only for rows.
        sys.exit(f"iq: nothing is kept of that plan {_chosen(user, since)}" if user or since else _unknown(plan, found))


def _chosen(user: str | None, since: datetime | None) -> str:
    return " and ".join([*(["of that user"] if user else []), *(["since that day"] if since else [])])


def _unknown(plan: str, found: "Settings") -> str:
    return (
        f"iq: nothing is kept of plan {plan}: there is none of this id, or it has not been confirmed or dropped yet, "
        f"or that is not written yet, or it is older than {found.audit_retention_days} days (IQ_AUDIT_RETENTION_DAYS), "
        f"or was forgotten. `iq plan {plan}` asks Temporal"
    )
