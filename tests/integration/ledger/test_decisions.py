"""On-call decisions in the ledger, over SQLite and PostgreSQL. Guarantees: nothing is overwritten, each workflow has
its own in the order in which they were made, and however many are queried.
"""

from datetime import timedelta

from contracts.plan import ManualDecision, ManualDecisionKind
from infra.ledger.database import Database
from infra.ledger.manual_decisions import ManualDecisionTable
from tests.support.ledgers import NOON


def word(minute: int, decision: ManualDecisionKind, step: int | None = None, by: str = "Anna") -> ManualDecision:
    return ManualDecision(decision=decision, step=step, by=by, at=NOON + timedelta(minutes=minute))


async def test_each_workflow_has_its_own_in_order(ledger: Database) -> None:
    kept = ManualDecisionTable(ledger)
    text = [
        word(2, ManualDecisionKind.APPLIED, 1),
        word(1, ManualDecisionKind.NOT_APPLIED, 1, "Bo"),
        word(3, ManualDecisionKind.DONE),
    ]
    for one in text:
        await kept.note("plan-1", one)
    await kept.note("escalation-1", word(4, ManualDecisionKind.ENDED))
    assert await kept.of(["plan-1", "plan-2", "escalation-1"]) == {
        "plan-1": text,
        "escalation-1": [word(4, ManualDecisionKind.ENDED)],
    }
    assert await kept.of([]) == {}
    assert await kept.of([f"plan-{n}" for n in range(2000)]) == {"plan-1": text}
