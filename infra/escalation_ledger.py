"""Where it is written down what was handed to a person and how that ended: reason, state and times, never what anybody
said. Reports read it; nothing that an operator waits for does.
"""

from datetime import datetime
from typing import Protocol

from contracts.enums import EscalationReason, EscalationStatus
from contracts.escalation import EscalationRecord


class EscalationLedger(Protocol):
    """A ledger of escalations. A row is known by its escalation: what is written twice stands there once, and what is
    over is not open again, in whatever order it comes. Each raises `ConnectionError` while the ledger is away."""

    async def opened(self, escalation_id: str, venue_id: str, reason: EscalationReason, at: datetime) -> None:
        """It was handed over."""

    async def resolved(self, escalation_id: str, at: datetime) -> None:
        """A person has answered."""

    async def lapsed(self, escalation_id: str, at: datetime) -> None:
        """Nobody answered in time."""


async def write(ledger: EscalationLedger, record: EscalationRecord) -> None:
    """Write how an escalation stands. Raises `ConnectionError`."""
    if record.status is EscalationStatus.OPEN:
        await ledger.opened(record.escalation_id, record.venue_id, record.reason, record.at)
    elif record.status is EscalationStatus.RESOLVED:
        await ledger.resolved(record.escalation_id, record.at)
    else:
        await ledger.lapsed(record.escalation_id, record.at)


class MemoryEscalationLedger:
    """A ledger of this process, as long as it lives."""

    def __init__(self) -> None:
        self.rows: dict[str, EscalationRecord] = {}

    async def opened(self, escalation_id: str, venue_id: str, reason: EscalationReason, at: datetime) -> None:
        """See `EscalationLedger.opened`."""
        row = EscalationRecord(
            escalation_id=escalation_id, venue_id=venue_id, reason=reason, status=EscalationStatus.OPEN, at=at
        )
        self.rows.setdefault(escalation_id, row)

    async def resolved(self, escalation_id: str, at: datetime) -> None:
        """See `EscalationLedger.resolved`."""
        self._end(escalation_id, EscalationStatus.RESOLVED, at)

    async def lapsed(self, escalation_id: str, at: datetime) -> None:
        """See `EscalationLedger.lapsed`."""
        self._end(escalation_id, EscalationStatus.LAPSED, at)

    def _end(self, escalation_id: str, status: EscalationStatus, at: datetime) -> None:
        row = self.rows.get(escalation_id)
        # A ledger in memory begins anew with its process: what was opened before is not there.
        if row is not None:
            self.rows[escalation_id] = row.model_copy(update={"status": status, "at": at})
