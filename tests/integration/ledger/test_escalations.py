"""Escalations in the ledger, over SQLite and PostgreSQL. Guarantees: one that is opened twice is there once, a resolved
one stays resolved, and they are listed by venue and status, the newest first.
"""

from datetime import timedelta

from contracts.enums import EscalationReason, EscalationStatus
from contracts.escalation import EscalationRecord
from contracts.usage import EscalationRow
from infra.ledger.database import Database
from infra.ledger.escalations import EscalationTable
from tests.support.ledgers import NOON


def one(number: int, venue: str = "hall") -> EscalationRow:
    return EscalationRow(
        escalation_id=f"e{number}", venue_id=venue, reason=EscalationReason.CRITIQUE, reference=f"r{number}",
        created_at=NOON + timedelta(minutes=number),
    )  # fmt: skip


async def test_opened_twice_is_there_once(ledger: Database) -> None:
    kept = EscalationTable(ledger)
    await kept.open(one(1))
    await kept.resolve("e1", NOON)
    await kept.open(one(1))
    [found] = await kept.list()
    assert found == one(1).model_copy(update={"status": EscalationStatus.RESOLVED, "resolved_at": NOON})
    assert await kept.find("e1") == found
    assert await kept.find("e2") is None


async def test_resolved_stays_as_it_was_resolved_first(ledger: Database) -> None:
    kept = EscalationTable(ledger)
    await kept.open(one(1))
    assert await kept.resolve("e1", NOON)
    assert not await kept.resolve("e1", NOON + timedelta(hours=1), EscalationStatus.LAPSED)
    assert not await kept.resolve("e9", NOON)
    found = await kept.find("e1")
    assert found is not None
    assert (found.status, found.resolved_at) == (EscalationStatus.RESOLVED, NOON)


async def test_they_are_listed_by_venue_and_status_the_newest_first(ledger: Database) -> None:
    kept = EscalationTable(ledger)
    for number, venue in ((1, "hall"), (2, "hall"), (3, "farm")):
        await kept.open(one(number, venue))
    await kept.resolve("e1", NOON)
    assert [e.escalation_id for e in await kept.list()] == ["e3", "e2", "e1"]
    assert [e.escalation_id for e in await kept.list("hall")] == ["e2", "e1"]
    assert [e.escalation_id for e in await kept.list("hall", EscalationStatus.OPEN)] == ["e2"]


def stands(number: int, status: EscalationStatus, minute: int) -> EscalationRecord:
    return EscalationRecord(
        escalation_id=f"e{number}", venue_id="hall", reason=EscalationReason.CRITIQUE, reference=f"r{number}",
        status=status, at=NOON + timedelta(minutes=minute), opened_at=NOON + timedelta(minutes=number),
    )  # fmt: skip


async def test_what_its_workflow_tells_again_is_there_once_and_an_end_stays(ledger: Database) -> None:
    kept = EscalationTable(ledger)
    for _ in range(2):
        await kept.note(stands(1, EscalationStatus.OPEN, 1))
    assert await kept.find("e1") == one(1)
    for _ in range(2):
        await kept.note(stands(1, EscalationStatus.RESOLVED, 5))
    for late in (stands(1, EscalationStatus.OPEN, 1), stands(1, EscalationStatus.LAPSED, 9)):
        await kept.note(late)
    ended = {"status": EscalationStatus.RESOLVED, "resolved_at": NOON + timedelta(minutes=5)}
    assert await kept.list() == [one(1).model_copy(update=ended)]


async def test_an_end_is_kept_also_where_the_beginning_is_not_there(ledger: Database) -> None:
    kept = EscalationTable(ledger)
    await kept.note(stands(2, EscalationStatus.LAPSED, 7))
    ended = {"status": EscalationStatus.LAPSED, "resolved_at": NOON + timedelta(minutes=7)}
    assert await kept.list() == [one(2).model_copy(update=ended)]
