"""The report of `GET /v1/usage` and `iq usage`. The database sums by group; this module sums over the groups."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, func, select

from contracts.usage import AttemptedActionRow, PlanRow, UsageReport, UsageRow
from infra.ledger import metrics
from infra.ledger.schema import CALLS, PLANS, STEPS

By = Literal["mode", "venue", "day"]

_COLUMN = {"mode": "mode", "venue": "venue_id", "day": "day"}
_NANO = 1_000_000_000
_ALL = "all"

Sums = Counter[str]


def report(connection: Connection, by: By, since: date, until: date) -> UsageReport:
    """Return usage and plans of the days from `since` to `until`, both included, in UTC. A plan counts on the day it
    was drafted."""
    usage = _usage_sums(connection, by, CALLS.c.day.between(since, until))
    plans = _plan_sums(connection, by, PLANS.c.day.between(since, until))
    confirmed = _seconds_to_confirm(connection, by, PLANS.c.day.between(since, until))
    return UsageReport(
        by=by,
        since=since,
        until=until,
        usage=tuple(_usage_row(name, usage[name]) for name in sorted(usage)),
        total=_usage_row(_ALL, _added_up(usage)),
        plans=tuple(_plan_row(name, plans[name], confirmed[name]) for name in sorted(plans)),
        all_plans=_plan_row(_ALL, _added_up(plans), _added_up(confirmed)),
        actions=tuple(_actions(connection, STEPS.c.day.between(since, until))),
    )


def _usage_sums(connection: Connection, by: By, these: ColumnElement[bool]) -> dict[str, Sums]:
    group = CALLS.c[_COLUMN[by]]
    columns = [value.label(name) for name, value in metrics.CALL_METRICS.items()]
    found = _sums(connection.execute(select(group.label("name"), *columns).where(these).group_by(group)))
    # A separate query, because it counts distinct values over the few rows of an index.
    judged = select(group.label("name"), metrics.CRITIQUES.label("critiques"))
    for row in connection.execute(judged.where(CALLS.c.critique_triggered, these).group_by(group)):
        found[str(row.name)]["critiques"] = row.critiques
    return found


def _usage_row(name: str, sums: Sums) -> UsageRow:
    calls, turns, critiques = sums["calls"], sums["turns"], sums["critiques"]
    return UsageRow(
        name=name,
        calls=calls,
        turns=turns,
        input_tokens=sums["input_tokens"],
        cached_tokens=sums["cached_tokens"],
        output_tokens=sums["output_tokens"],
        latency_ms=sums["latency_ms"] / calls if calls else None,
        cost_usd=sums["cost_nano"] / _NANO if sums["priced"] or not calls else None,
        unpriced_calls=calls - sums["priced"],
        multiplier=round(sums["multiplier"] / calls, 6) if calls else None,
        critiques=critiques,
        critique_rate=min(1.0, critiques / turns) if turns else None,
    )


def _plan_sums(connection: Connection, by: By, these: ColumnElement[bool]) -> dict[str, Sums]:
    group = PLANS.c[_COLUMN[by]]
    columns = [func.count().label("plans")]
    for name, share in metrics.PLAN_METRICS.items():
        columns += [share.of.label(f"{name} of"), share.among.label(f"{name} among")]
    asked = select(group.label("name"), *columns).where(these, metrics.SETTLED).group_by(group)
    return _sums(connection.execute(asked))


def _seconds_to_confirm(connection: Connection, by: By, these: ColumnElement[bool]) -> dict[str, Counter[int]]:
    """Return the number of plans by seconds to confirmation. There are few distinct values, however many plans."""
    group, seconds = PLANS.c[_COLUMN[by]], metrics.SECONDS_TO_CONFIRM
    asked = select(group.label("name"), seconds.label("seconds"), func.count().label("plans"))
    found: defaultdict[str, Counter[int]] = defaultdict(Counter)
    counted = asked.where(these, metrics.SETTLED, seconds.is_not(None)).group_by(group, seconds)
    for row in connection.execute(counted):
        found[str(row.name)][row.seconds] = row.plans
    return found


def _plan_row(name: str, sums: Sums, confirmed: Counter[int]) -> PlanRow:
    shares = {m: _share(sums[f"{m} of"], sums[f"{m} among"]) for m in metrics.PLAN_METRICS}
    return PlanRow(name=name, plans=sums["plans"], median_seconds_to_confirm=_median(confirmed), **shares)


def _share(of: float, among: float) -> float | None:
    return of / among if among else None


def _median(counted: Counter[int]) -> float | None:
    """Return the middle value, or the mean of the two in the middle."""
    among = counted.total()
    if not among:
        return None
    middle: list[int] = []
    passed = 0
    for value in sorted(counted):
        passed += counted[value]
        while len(middle) < 2 and passed > (among - 1 + len(middle)) // 2:
            middle.append(value)
    return sum(middle) / 2


def _actions(connection: Connection, these: ColumnElement[bool]) -> list[AttemptedActionRow]:
    asked = (
        select(STEPS.c.action, metrics.ACTIONS.among.label("attempted"), metrics.ACTIONS.of.label("failed"))
        .where(these)
        .group_by(STEPS.c.action)
        .order_by(STEPS.c.action)
    )
    return [
        AttemptedActionRow(
            action=r.action, attempted=r.attempted, failed=int(r.failed), failure_rate=int(r.failed) / r.attempted
        )
        for r in connection.execute(asked)
    ]


def _sums(rows: Any) -> dict[str, Sums]:
    # PostgreSQL returns sums of integers as decimals.
    return {
        str(row.name): Counter(
            {k: v if isinstance(v, float) else int(v or 0) for k, v in row._mapping.items() if k != "name"}
        )
        for row in rows
    }


def _added_up(groups: Mapping[str, Counter[Any]]) -> Counter[Any]:
    total: Counter[Any] = Counter()
    for sums in groups.values():
        total.update(sums)
    return total
