"""The audit log: who asked, confirmed, answered and undid what. Kept longer than Temporal keeps plans, and no longer
than configured."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, select

from contracts.usage import AuditAction, AuditEntry
from infra.ledger.schema import AUDIT_LOG

_MOST = 1000
"""Rows that one query returns at most."""


def audit_entries(
    connection: Connection, *, plan_id: str | None, user_id: str | None, since: datetime
) -> list[AuditEntry]:
    """Return the newest entries, oldest first: of one plan, of one user, or of all."""
    asked = select(AUDIT_LOG).where(AUDIT_LOG.c.at >= since)
    if plan_id is not None:
        asked = asked.where(AUDIT_LOG.c.plan_id == plan_id)
    if user_id is not None:
        asked = asked.where(AUDIT_LOG.c.user_id == user_id)
    newest = asked.order_by(AUDIT_LOG.c.at.desc(), AUDIT_LOG.c.plan_id, AUDIT_LOG.c.number.desc()).limit(_MOST)
    rows = [dict(row._mapping) for row in connection.execute(newest)]
    return [AuditEntry.model_validate({**row, "action": AuditAction(row["action"])}) for row in reversed(rows)]


def forget_older(connection: Connection, days: int) -> int:
    """Delete entries older than `days`. Return the number of deleted rows."""
    return connection.execute(
        delete(AUDIT_LOG).where(AUDIT_LOG.c.at < datetime.now(UTC) - timedelta(days=days))
    ).rowcount


def forget_user(connection: Connection, user_id: str) -> int:
    """Delete all entries of one user. Return the number of deleted rows."""
    return connection.execute(delete(AUDIT_LOG).where(AUDIT_LOG.c.user_id == user_id)).rowcount
