"""Escalations: when, why, and whether staff replied. The text of a message is never stored."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from contracts.enums import EscalationReason, EscalationStatus
from contracts.escalation import EscalationRecord
from contracts.usage import EscalationRow
from infra.ledger.database import Database
from infra.ledger.schema import ESCALATIONS
from infra.ledger.upserts import insert

_WITHIN = 3.0
"""Seconds."""


class EscalationTable:
    """The ledger's table of escalations. Every method raises `DependencyUnavailableError` if the ledger does not answer
    in time, and may be retried: opening twice makes one row, and a resolution is final."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, escalation: EscalationRow) -> None:
        """Record an escalation under its own id."""
        row = escalation.model_dump() | {"reason": escalation.reason.value, "status": escalation.status.value}

        def work(connection: Connection) -> None:
            connection.execute(insert(connection, ESCALATIONS).values(row).on_conflict_do_nothing())

        await self._database.ask(work, _WITHIN, writes=True)

    async def note(self, record: EscalationRecord) -> None:
        """Record an escalation's status. An end is recorded even if the ledger was unavailable at its start."""
        opened = EscalationRow(
            escalation_id=record.escalation_id,
            venue_id=record.venue_id,
            reason=record.reason,
            reference=record.reference,
            created_at=record.opened_at or record.at,
        )
        await self.open(opened)
        if record.status is not EscalationStatus.OPEN:
            await self.resolve(record.escalation_id, record.at, record.status)

    async def resolve(
        self, escalation_id: str, at: datetime, status: EscalationStatus = EscalationStatus.RESOLVED
    ) -> bool:
        """Record that staff answered, or (`lapsed`) did not in time. Return whether this was the first resolution."""

        def work(connection: Connection) -> bool:
            is_open = ESCALATIONS.c.status == EscalationStatus.OPEN.value
            this = ESCALATIONS.c.escalation_id == escalation_id
            fields = {"status": status.value, "resolved_at": at}
            return connection.execute(update(ESCALATIONS).where(this, is_open).values(fields)).rowcount > 0

        return await self._database.ask(work, _WITHIN, writes=True)

    async def find(self, escalation_id: str) -> EscalationRow | None:
        """Return the escalation with this id, or None."""

        def work(connection: Connection) -> EscalationRow | None:
            row = connection.execute(select(ESCALATIONS).where(ESCALATIONS.c.escalation_id == escalation_id)).first()
            return _escalation(row) if row is not None else None

        return await self._database.ask(work, _WITHIN)

    async def list(
        self, venue_id: str | None = None, status: EscalationStatus | None = None, limit: int = 200
    ) -> list[EscalationRow]:
        """Return the escalations of a venue, or of all; of one status, or of any; the newest first."""

        def work(connection: Connection) -> list[EscalationRow]:
            rows = (
                select(ESCALATIONS).order_by(ESCALATIONS.c.created_at.desc(), ESCALATIONS.c.escalation_id).limit(limit)
            )
            rows = rows.where(ESCALATIONS.c.venue_id == venue_id) if venue_id is not None else rows
            rows = rows.where(ESCALATIONS.c.status == status.value) if status is not None else rows
            return [_escalation(row) for row in connection.execute(rows)]

        return await self._database.ask(work, _WITHIN)


def _escalation(row: Any) -> EscalationRow:
    return EscalationRow(
        escalation_id=row.escalation_id,
        venue_id=row.venue_id,
        reason=EscalationReason(row.reason),
        reference=row.reference,
        status=EscalationStatus(row.status),
        created_at=row.created_at,
        resolved_at=row.resolved_at,
    )
