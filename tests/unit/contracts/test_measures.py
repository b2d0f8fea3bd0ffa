"""The six key metrics have one definition (`contracts/metrics.py`). Guarantees:

- each matches the booking specification, on plans counted by hand;
- over any plans and steps at all, the ledger's SQL gives the same numbers as the definition itself;
- a later record of the same settled plan never contradicts a plan's score.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from statistics import fmean, median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, delete

from contracts import metrics
from contracts.enums import AiMode, PlanStatus, RollbackTrigger, StepStatus
from contracts.usage import PlanOutcome, StepOutcome, UsageReport
from infra.ledger import schema as ledger_tables
from infra.ledger.database import Database
from infra.ledger.reports import report
from infra.ledger.upserts import write
from tests.support.ledgers import NOON, a_ledger, a_plan, file_url


def a_step(status: StepStatus, step: int = 1, action: str = "move") -> StepOutcome:
    return StepOutcome(step=step, action=action, status=status)


STEPS = st.lists(
    st.builds(a_step, st.sampled_from(StepStatus), action=st.sampled_from(["move", "add"])), max_size=3
).map(lambda steps: tuple(one.model_copy(update={"step": n}) for n, one in enumerate(steps, 1)))
PLANS = st.lists(
    st.fixed_dictionaries(
        {
            "status": st.sampled_from(PlanStatus),
            "confirmed_at": st.none()
            | st.integers(0, 400).map(lambda n: NOON + timedelta(seconds=n, milliseconds=700)),
            "rollback_trigger": st.none() | st.sampled_from(RollbackTrigger),
            "clarifications": st.integers(0, 3),
            "venue_id": st.sampled_from(["hall", "farm"]),
            "steps": STEPS,
        }
    ),
    max_size=12,
).map(lambda rows: [a_plan(f"p{n}", **row) for n, row in enumerate(rows)])


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with a_ledger(file_url(tmp_path_factory.mktemp("measures"))) as database:
        yield database


def shown_of(ledger: Database, plans: list[PlanOutcome]) -> UsageReport:
    def work(connection: Connection) -> UsageReport:
        for table in (ledger_tables.PLANS, ledger_tables.STEPS):
            connection.execute(delete(table))
        write(connection, plans)
        return report(connection, "venue", NOON.date(), NOON.date())

    return ledger.run(work, 5, writes=True)


def compute(measure: metrics.Metric, rows: Iterable[metrics.Row]) -> float | None:
    """Return the metric of rows of one kind by its definition; None where none counts."""
    found = [value for row in rows if (value := metrics.score(measure, row)) is not None]
    if not found:
        return None
    return median(found) if measure.taken == "median" else fmean(found)


@settings(max_examples=60, deadline=None)
@given(plans=PLANS)
def test_the_ledger_comes_to_the_numbers_of_the_definition(ledger: Database, plans: list[PlanOutcome]) -> None:
    shown = shown_of(ledger, plans)
    by_venue = {row.name: row for row in shown.plans} | {"all": shown.all_plans}
    for name, row in by_venue.items():
        these = [plan for plan in plans if name in ("all", plan.venue_id)]
        for measure in metrics.MEASURES:
            if measure.of == "steps":
                continue
            field = "median_seconds_to_confirm" if measure.taken == "median" else measure.name
            assert getattr(row, field) == pytest.approx(compute(measure, these)), (measure.name, name)

    by_action: defaultdict[str, list[StepOutcome]] = defaultdict(list)
    for plan in plans:
        for step in plan.steps:
            by_action[step.action].append(step)
    assert {row.action: row.failure_rate for row in shown.actions} == {
        action: pytest.approx(compute(metrics.ACTION_FAILURE, steps)) for action, steps in by_action.items()
    }


def test_each_is_what_the_specification_says() -> None:
    rolled_back = {"status": PlanStatus.ROLLED_BACK, "rollback_trigger": RollbackTrigger.FAILURE}
    plans = [
        a_plan("done", clarifications=2),
        a_plan("undone", status=PlanStatus.ROLLED_BACK, rollback_trigger=RollbackTrigger.UNDO),
        a_plan("back", **rolled_back),
        a_plan("stopped", **{**rolled_back, "rollback_trigger": RollbackTrigger.CANCELLED}),
        a_plan("running", status=PlanStatus.EXECUTING),
        a_plan("replaced", status=PlanStatus.CANCELLED, confirmed_at=None, replaced=True),
        a_plan("waiting", status=PlanStatus.PENDING_CONFIRMATION, confirmed_at=None, clarifications=9),
    ]

    def metric(measure: metrics.Metric) -> float | None:
        return compute(measure, plans)

    assert metric(metrics.PLANNING_ACCURACY) == pytest.approx(5 / 6)
    assert metric(metrics.EXECUTION_SUCCESS) == pytest.approx(2 / 4)
    assert metric(metrics.CLARIFICATION_RATE) == pytest.approx(2 / 6)
    assert metric(metrics.SECONDS_TO_CONFIRM) == pytest.approx(30)
    assert metric(metrics.ROLLBACK_FREQUENCY) == pytest.approx(2 / 4)
    steps = [a_step(one) for one in (StepStatus.COMPLETED, StepStatus.FAILED, StepStatus.UNKNOWN, StepStatus.REVERSED)]
    assert compute(metrics.ACTION_FAILURE, steps) == pytest.approx(1 / 2)
    assert compute(metrics.ACTION_FAILURE, []) is None


def test_an_undo_takes_back_no_score_of_a_plan_that_was_done() -> None:
    done = a_plan("p", steps=(a_step(StepStatus.COMPLETED),))
    undone = done.model_copy(
        update={
            "status": PlanStatus.ROLLED_BACK,
            "rollback_trigger": RollbackTrigger.UNDO,
            "ended_at": datetime.now(UTC),
            "mode": AiMode.STANDARD,
        }
    )
    assert metrics.scores(done) == metrics.scores(undone)
    assert set(metrics.scores(done)) == {one.name for one in metrics.MEASURES if one.of == "plans"}
