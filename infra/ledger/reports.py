"""What `GET /v1/usage` and `iq usage` tell, worked out in the database."""

from datetime import date
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Float, Row, and_, cast, func, select

from contracts.usage import ActionRow, PlanRow, UsageReport, UsageRow
from infra.ledger import metrics as m
from infra.ledger.schema import CALLS, PLANS, STEPS

By = Literal["mode", "venue", "day"]

_COLUMN = {"mode": "mode", "venue": "venue_id", "day": "day"}
_NANO = 1_000_000_000
_TOTAL = "all"


def report(connection: Connection, by: By, since: date, until: date) -> UsageReport:
    """Usage and plans of the days from `since` to `until`, both included, in UTC; a plan is of the day it was drafted
    on."""
    return UsageReport(
        by=by,
        since=since,
        until=until,
        usage=tuple(_usage(connection, by, since, until)),
        total=next(iter(_usage(connection, None, since, until))),
        plans=tuple(_plans(connection, by, since, until)),
        all_plans=next(iter(_plans(connection, None, since, until))),
        actions=tuple(_actions(connection, since, until)),
    )


def _usage(connection: Connection, by: By | None, since: date, until: date) -> list[UsageRow]:
    columns: list[ColumnElement[Any]] = [
        m.CALLS_MADE.label("calls"),
        m.TURNS.label("turns"),
        m.INPUT_TOKENS.label("input_tokens"),
        m.CACHED_TOKENS.label("cached_tokens"),
        m.OUTPUT_TOKENS.label("output_tokens"),
        m.LATENCY_MS.label("latency_ms"),
        m.COST_NANO.label("cost_nano"),
        m.UNPRICED.label("unpriced"),
        m.MULTIPLIER.label("multiplier"),
    ]
    asked = _grouped(select(*columns).where(CALLS.c.day.between(since, until)), CALLS, by)
    # By itself: it counts what differs, over the few rows that an index leads to.
    critiques = select(m.CRITIQUES.label("critiques")).where(
        CALLS.c.critique_triggered, CALLS.c.day.between(since, until)
    )
    judged = {_name(row, by): row.critiques for row in connection.execute(_grouped(critiques, CALLS, by))}
    return [_usage_row(row, _name(row, by), judged.get(_name(row, by), 0)) for row in connection.execute(asked)]


def _usage_row(row: Row[Any], name: str, critiques: int) -> UsageRow:
    turns = int(row.turns or 0)
    return UsageRow(
        name=name,
        calls=row.calls,
        turns=turns,
        input_tokens=int(row.input_tokens or 0),
        cached_tokens=int(row.cached_tokens or 0),
        output_tokens=int(row.output_tokens or 0),
        latency_ms=row.latency_ms,
        cost_usd=None if row.cost_nano is None else int(row.cost_nano) / _NANO,
        unpriced_calls=row.unpriced,
        multiplier=row.multiplier,
        critiques=critiques,
        critique_rate=min(1.0, critiques / turns) if turns else None,
    )


def _plans(connection: Connection, by: By | None, since: date, until: date) -> list[PlanRow]:
    these = and_(m.SETTLED, PLANS.c.day.between(since, until))
    asked = select(
        func.count().label("plans"),
        m.PLANNING_ACCURACY.label("accuracy"),
        m.EXECUTION_SUCCESS.label("success"),
        m.CLARIFICATION_RATE.label("clarifications"),
        m.ROLLBACK_FREQUENCY.label("rollbacks"),
    ).where(these)
    medians = _medians(connection, by, these)
    return [
        PlanRow(
            name=(name := _name(row, by)),
            plans=row.plans,
            planning_accuracy=row.accuracy,
            execution_success=row.success,
            clarification_rate=row.clarifications,
            median_seconds_to_confirm=medians.get(name),
            rollback_frequency=row.rollbacks,
        )
        for row in connection.execute(_grouped(asked, PLANS, by))
    ]


def _medians(connection: Connection, by: By | None, these: ColumnElement[bool]) -> dict[str, float]:
    """The middle one of each group, or the mean of the two in the middle: one way for both databases."""
    group = [PLANS.c[_COLUMN[by]]] if by else []
    seconds = m.SECONDS_TO_CONFIRM
    place = func.row_number().over(partition_by=group or None, order_by=seconds)
    among = func.count().over(partition_by=group or None)
    columns = [*(g.label("name") for g in group), seconds.label("s"), place.label("place"), among.label("among")]
    ranked = select(*columns).where(these, seconds.is_not(None)).subquery()
    middle = ranked.c.place.in_([(ranked.c.among + 1) // 2, (ranked.c.among + 2) // 2])
    asked = select(cast(func.avg(ranked.c.s), Float).label("median")).where(middle)
    if by:
        asked = asked.add_columns(ranked.c.name).group_by(ranked.c.name)
    return {_name(row, by): row.median for row in connection.execute(asked) if row.median is not None}


def _actions(connection: Connection, since: date, until: date) -> list[ActionRow]:
    asked = (
        select(STEPS.c.action, m.ACTION_SENT.label("sent"), m.ACTION_FAILED.label("failed"))
        .where(STEPS.c.day.between(since, until))
        .group_by(STEPS.c.action)
        .order_by(STEPS.c.action)
    )
    return [
        ActionRow(action=r.action, sent=r.sent, failed=int(r.failed), failure_rate=int(r.failed) / r.sent)
        for r in connection.execute(asked)
    ]


def _grouped(asked: Any, table: Any, by: By | None) -> Any:
    if by is None:
        return asked
    group = table.c[_COLUMN[by]]
    return asked.add_columns(group.label("name")).group_by(group).order_by(group)


def _name(row: Row[Any], by: By | None) -> str:
    return str(row.name) if by else _TOTAL
