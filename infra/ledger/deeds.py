"""Who asked, confirmed, answered and undid what: kept longer than Temporal keeps plans, and no longer than set."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, select

from contracts.usage import Deed, Word
from infra.ledger.schema import DEEDS

_MOST = 1000
"""Rows that one question tells."""


def deeds_of(connection: Connection, *, plan_id: str | None, user_id: str | None, since: datetime) -> list[Deed]:
    """The newest so many, oldest first; of one plan, of one user, or of everybody."""
    asked = select(DEEDS).where(DEEDS.c.at >= since)
    if plan_id is not None:
        asked = asked.where(DEEDS.c.plan_id == plan_id)
    if user_id is not None:
        asked = asked.where(DEEDS.c.user_id == user_id)
    newest = asked.order_by(DEEDS.c.at.desc(), DEEDS.c.plan_id, DEEDS.c.number.desc()).limit(_MOST)
    rows = [dict(row._mapping) for row in connection.execute(newest)]
    return [Deed.model_validate({**row, "word": Word(row["word"])}) for row in reversed(rows)]


def forget_older(connection: Connection, days: int) -> int:
    """Delete what is older than so many days; how many rows that were."""
    return connection.execute(delete(DEEDS).where(DEEDS.c.at < datetime.now(UTC) - timedelta(days=days))).rowcount


def forget_user(connection: Connection, user_id: str) -> int:
    """Delete all that is known of one user; how many rows that were."""
    return connection.execute(delete(DEEDS).where(DEEDS.c.user_id == user_id)).rowcount
