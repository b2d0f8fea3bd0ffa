"""Decisions of staff about what code could not settle. Nothing is overwritten: of several decisions on one matter the
last one counts. A row has the name of the person who decided, as mode overrides do, and no content of a booking."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, select

from contracts.plan import ManualDecision, ManualDecisionKind
from infra.ledger.database import Database
from infra.ledger.schema import DECISIONS

_WITHIN = 3.0
"""Seconds."""
_AT_ONCE = 500
"""Names in one query, because SQLite accepts no more than a few thousand."""


class ManualDecisionTable:
    """The ledger's table of manual decisions. Every method raises `DependencyUnavailableError` if the ledger does not
    answer in time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, workflow_id: str, decision: ManualDecision) -> None:
        """Record a decision."""
        row = {**decision.model_dump(), "decision": decision.decision.value, "workflow_id": workflow_id}

        def work(connection: Connection) -> None:
            connection.execute(DECISIONS.insert().values(row))

        await self._database.ask(work, _WITHIN, writes=True)

    async def of(self, workflow_ids: Collection[str], timeout: float = _WITHIN) -> dict[str, list[ManualDecision]]:
        """Return the decisions about these workflows, each list in the order in which they were made."""
        wanted = sorted(workflow_ids)

        def work(connection: Connection) -> dict[str, list[ManualDecision]]:
            found: dict[str, list[ManualDecision]] = {}
            for start in range(0, len(wanted), _AT_ONCE):
                these = DECISIONS.c.workflow_id.in_(wanted[start : start + _AT_ONCE])
                for row in connection.execute(select(DECISIONS).where(these).order_by(DECISIONS.c.number)):
                    found.setdefault(row.workflow_id, []).append(_decision(row))
            return found

        return await self._database.ask(work, timeout) if wanted else {}


def _decision(row: Any) -> ManualDecision:
    return ManualDecision(decision=ManualDecisionKind(row.decision), step=row.step, by=row.by, at=row.at)
