"""What the ledger keeps of model calls and plans, over SQLite and PostgreSQL. Guarantees:

- A call is there once however often, and by however many processes, its record is written.
- Of a plan's records the newest counts, whichever is written last.
- Cost is price times multiplier, to the nanodollar; of an unknown model it is unknown, not zero.
- Every metric of the booking specification is as defined, on plans counted by hand.
- No text and no name of a person gets in.
"""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from contracts.enums import AiMode, ErrorType, PlanStatus, RollbackOutcome, RollbackTrigger, StepStatus
from contracts.usage import StepOutcome, UsageReport
from infra.ledger.database import Database
from infra.ledger.reports import By, report
from infra.ledger.schema import CALLS, METADATA, PLANS
from tests.support.ledgers import NOON, Books, a_call, a_ledger, a_plan

DAY = NOON.date()
ALWAYS = (DAY - timedelta(days=400), DAY + timedelta(days=4000))


def shown(ledger: Database, by: By = "mode") -> UsageReport:
    return ledger.run(lambda connection: report(connection, by, *ALWAYS), 60)


def rows(ledger: Database, table: Any) -> list[dict[str, Any]]:
    return ledger.run(lambda connection: [dict(r._mapping) for r in connection.execute(select(table))], 60)


def test_a_call_that_is_written_twice_is_there_once(ledger: Database, books: Books, url: str) -> None:
    with a_ledger(url) as elsewhere:
        others = Books(elsewhere)
        for _ in range(2):
            books.call(a_call("c1"), tokens=(1000, 0, 100))
            others.call(a_call("c1"), tokens=(900, 0, 90))
        books.call(a_call("c2"), tokens=(10, 0, 1))
        assert books.writer.flush(60)
        assert others.writer.flush(60)
        others.writer.close()

    total = shown(ledger).total
    assert total.calls == 2
    assert total.input_tokens in (1010, 910)


def test_cost_is_price_times_multiplier(ledger: Database, books: Books) -> None:
    books.call(a_call("c1", mode=AiMode.ADAPTIVE, tariff="pro", multiplier=1.2), tokens=(600, 0, 250))
    books.call(a_call("c2"), tokens=(2000, 0, 200))
    books.call(a_call("c3", venue_id="llama"), model="llama-3.3-70b-versatile", tokens=(1500, 500, 200))
    assert books.writer.flush(60)

    adaptive, standard = shown(ledger).usage
    assert adaptive.cost_usd == pytest.approx(0.00555 * 1.2, abs=1e-9)
    assert adaptive.multiplier == pytest.approx(1.2)
    assert standard.cost_usd == pytest.approx(0.009 + 0.001338, abs=1e-9)
    assert (standard.input_tokens, standard.cached_tokens, standard.output_tokens) == (4000, 500, 400)


def test_an_unknown_model_has_an_unknown_cost(ledger: Database, books: Books) -> None:
    books.call(a_call("c1"), model="brand-new", tokens=(1000, 0, 100))
    assert books.writer.flush(60)
    assert shown(ledger).total.cost_usd is None

    books.call(a_call("c2"), model="offline-planner", tokens=(1000, 0, 100))
    assert books.writer.flush(60)
    total = shown(ledger).total
    assert (total.cost_usd, total.unpriced_calls) == (0.0, 1)


def test_a_call_that_no_answer_came_of_leaves_no_row(ledger: Database, books: Books) -> None:
    def call() -> None:
        with books.observer.observe("generation", "plan", "t", model="m", usage=a_call("c1")) as seen:
            seen.update(level="ERROR")
            raise OSError("away")

    with pytest.raises(OSError, match="away"):
        call()
    assert books.writer.flush(60)
    assert shown(ledger).total.calls == 0


def test_the_critique_rate_counts_messages_and_not_calls(ledger: Database, books: Books) -> None:
    for message in range(4):
        books.call(a_call(f"p{message}", trace_id=f"m{message}"), tokens=(1, 0, 1))
    books.call(a_call("p0b", trace_id="m0", opens_turn=False), tokens=(1, 0, 1))
    for again in "ab":
        critique = a_call(f"k{again}", trace_id="m0", opens_turn=False, purpose="critique", critique_triggered=True)
        books.call(critique, tokens=(1, 0, 1))
    assert books.writer.flush(60)

    total = shown(ledger, "day").total
    assert (total.calls, total.turns, total.critiques, total.critique_rate) == (7, 4, 1, 0.25)


def test_the_newest_of_a_plans_records_counts(ledger: Database, books: Books) -> None:
    done = (StepOutcome(step=1, action="move", status=StepStatus.COMPLETED),)
    books.plan(a_plan("p1", revision=4, steps=done))
    books.plan(a_plan("p1", revision=2, status=PlanStatus.EXECUTING, ended_at=None))
    books.plan(a_plan("p1", revision=4, steps=done))
    assert books.writer.flush(60)
    failed = (StepOutcome(step=1, action="move", status=StepStatus.FAILED),)
    books.plan(a_plan("p1", revision=3, status=PlanStatus.EXECUTING, ended_at=None, steps=failed))
    assert books.writer.flush(60)

    [row] = rows(ledger, PLANS)
    assert (row["status"], row["revision"], row["seconds_to_confirm"]) == ("completed", 4, 30.0)
    [action] = shown(ledger).actions
    assert (action.attempted, action.failed) == (1, 0)


def test_the_booking_specifications_metrics(ledger: Database, books: Books) -> None:
    def seconds(count: int) -> Any:
        return NOON + timedelta(seconds=count)

    def went(action: str, status: StepStatus, kind: ErrorType | None = None) -> tuple[StepOutcome, ...]:
        return (StepOutcome(step=1, action=action, status=status, error_type=kind),)

    back = {"rollback_outcome": RollbackOutcome.COMPLETE, "status": PlanStatus.ROLLED_BACK}
    failed = {"rollback_trigger": RollbackTrigger.FAILURE, **back}
    undone = {"rollback_trigger": RollbackTrigger.UNDO, **back}
    for outcome in (
        a_plan("done", confirmed_at=seconds(10), steps=went("move", StepStatus.COMPLETED), clarifications=2),
        a_plan("undone", confirmed_at=seconds(20), steps=went("move", StepStatus.COMPLETED), **undone),
        a_plan("failed", confirmed_at=seconds(60), steps=went("move", StepStatus.FAILED, ErrorType.CONFLICT), **failed),
        a_plan("unknown", confirmed_at=seconds(90), status=PlanStatus.FAILED, steps=went("add", StepStatus.UNKNOWN)),
        a_plan("running", confirmed_at=seconds(30), status=PlanStatus.EXECUTING, ended_at=None),
        a_plan("replaced", confirmed_at=None, status=PlanStatus.CANCELLED, replaced=True),
        a_plan("expired", confirmed_at=None, status=PlanStatus.EXPIRED, clarifications=1),
        a_plan("waiting", confirmed_at=None, status=PlanStatus.PENDING_CONFIRMATION, ended_at=None),
    ):
        books.plan(outcome)
    assert books.writer.flush(60)

    found = shown(ledger, "venue")
    plans = found.all_plans
    assert plans.plans == 7
    assert plans.planning_accuracy == pytest.approx(5 / 7)
    assert plans.execution_success == pytest.approx(2 / 4)
    assert plans.clarification_rate == pytest.approx(3 / 7)
    assert plans.median_seconds_to_confirm == pytest.approx(30)
    assert plans.rollback_frequency == pytest.approx(1 / 4)
    assert [(a.action, a.attempted, a.failed) for a in found.actions] == [("add", 1, 1), ("move", 3, 1)]
    assert found.plans[0].model_dump(exclude={"name"}) == plans.model_dump(exclude={"name"})


def test_the_median_of_two_is_their_mean_and_of_none_is_none(ledger: Database, books: Books) -> None:
    assert shown(ledger).all_plans.median_seconds_to_confirm is None
    for number, seconds in enumerate((10, 40)):
        books.plan(a_plan(f"p{number}", confirmed_at=NOON + timedelta(seconds=seconds)))
    assert books.writer.flush(60)
    assert shown(ledger).all_plans.median_seconds_to_confirm == pytest.approx(25)


def test_a_report_tells_of_its_days_only(ledger: Database, books: Books) -> None:
    books.plan(a_plan("p1"))
    books.plan(a_plan("p2", drafted_at=NOON + timedelta(days=1)))
    assert books.writer.flush(60)

    one = ledger.run(lambda connection: report(connection, "day", DAY, DAY), 60)
    assert [(row.name, row.plans) for row in one.plans] == [(DAY.isoformat(), 1)]


def test_nothing_personal_gets_in(ledger: Database, books: Books) -> None:
    """A caller may use any text as a request's id, a person's address too. Everything else comes through the observer,
    and the ledger takes no more of it than it has columns for.
    """
    canary = "jane.canary@example.com"
    with books.observer.observe(
        "generation", "plan", canary, model="m", usage=a_call("c1", trace_id=canary), input=canary
    ) as seen:
        seen.update(output={"text": canary}, usage_details={"input": 1, "output": 1})
    books.observer.note("plan done", canary, metadata={"intent": canary}, outcome=a_plan("p1", trace_id=canary))
    assert books.writer.flush(60)

    assert len(rows(ledger, CALLS)) == len(rows(ledger, PLANS)) == 1
    kept = [rows(ledger, table) for table in METADATA.sorted_tables]
    assert "canary" not in repr(kept)
    [call], [plan] = rows(ledger, CALLS), rows(ledger, PLANS)
    assert call["trace_id"] == plan["trace_id"] != ""
