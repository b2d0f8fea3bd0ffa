"""A person's decisions in the ledger, over SQLite and PostgreSQL. Guarantees: nothing is overwritten, each workflow has
its own in the order in which they were made, and however many are asked for."""

from datetime import timedelta

from contracts.decisions import Decision, PersonDecision
from infra.ledger.database import Database
from infra.ledger.decisions import Decisions
from tests.support.ledgers import NOON


def word(minute: int, decision: Decision, step: int | None = None, by: str = "Anna") -> PersonDecision:
    return PersonDecision(decision=decision, step=step, by=by, at=NOON + timedelta(minutes=minute))


async def test_each_workflow_has_its_own_in_order(ledger: Database) -> None:
    kept = Decisions(ledger)
    said = [word(2, Decision.APPLIED, 1), word(1, Decision.NOT_APPLIED, 1, "Bo"), word(3, Decision.DONE)]
    for one in said:
        await kept.note("plan-1", one)
    await kept.note("escalation-1", word(4, Decision.ENDED))
    assert await kept.of(["plan-1", "plan-2", "escalation-1"]) == {
        "plan-1": said,
        "escalation-1": [word(4, Decision.ENDED)],
    }
    assert await kept.of([]) == {}
    assert await kept.of([f"plan-{n}" for n in range(2000)]) == {"plan-1": said}
