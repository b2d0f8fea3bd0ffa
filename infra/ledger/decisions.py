"""What people have decided about what code could not settle. Nothing is overwritten: of several words on one matter the
last one counts. It holds who decided, as modes do, and nothing that was said of a booking."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, select

from contracts.decisions import Decision, PersonDecision
from infra.ledger.database import Database
from infra.ledger.schema import DECISIONS

_WITHIN = 3.0
"""Seconds."""
_AT_ONCE = 500
"""Names in one query: SQLite takes no more than some thousand."""


class Decisions:
    """The ledger's table of them. Every method raises `LedgerAwayError` when it cannot be asked in time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, workflow_id: str, decision: PersonDecision) -> None:
        """Write one down."""
        row = {**decision.model_dump(), "decision": decision.decision.value, "workflow_id": workflow_id}

        def work(connection: Connection) -> None:
            connection.execute(DECISIONS.insert().values(row))

        await self._database.ask(work, _WITHIN, writes=True)

    async def of(self, workflow_ids: Collection[str], within: float = _WITHIN) -> dict[str, list[PersonDecision]]:
        """Those about these workflows, each list in the order in which they were made."""
        wanted = sorted(workflow_ids)

        def work(connection: Connection) -> dict[str, list[PersonDecision]]:
            found: dict[str, list[PersonDecision]] = {}
            for start in range(0, len(wanted), _AT_ONCE):
                these = DECISIONS.c.workflow_id.in_(wanted[start : start + _AT_ONCE])
                for row in connection.execute(select(DECISIONS).where(these).order_by(DECISIONS.c.number)):
                    found.setdefault(row.workflow_id, []).append(_decision(row))
            return found

        return await self._database.ask(work, within) if wanted else {}


def _decision(row: Any) -> PersonDecision:
    return PersonDecision(decision=Decision(row.decision), step=row.step, by=row.by, at=row.at)
