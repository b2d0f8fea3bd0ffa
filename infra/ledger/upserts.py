"""Records as rows. A record that is written twice makes one row. Of a plan's records the newest counts, in any order of
arrival."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Connection, Table, select
from sqlalchemy.dialects import postgresql, sqlite

from contracts.usage import PlanOutcome
from infra.ledger.records import CallRecord, Record
from infra.ledger.schema import AUDIT_LOG, CALLS, PLANS, STEPS
from infra.observability.logging import hashed

_ATTEMPTS = 20
"""More than the tries of a message's first call, because its turn has 15 seconds."""


def insert(connection: Connection, table: Table) -> Any:
    """Return an insert with a conflict clause: both databases have it, each with its own class."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def write(connection: Connection, records: Sequence[Record]) -> None:
    """Write the records, in the connection's transaction."""
    calls = [_call_row(r) for r in records if isinstance(r, CallRecord)]
    if calls:
        # A message is counted once, for the first written attempt of its first call.
        for index, row in enumerate(calls):
            row["opens_turn"] = row["opens_turn"] and not _opened(connection, row, calls[:index])
        connection.execute(insert(connection, CALLS).on_conflict_do_nothing(), calls)
    # In the same order in every process, so that two processes that write the same plans never deadlock.
    for outcome in sorted((r for r in records if isinstance(r, PlanOutcome)), key=lambda r: (r.plan_id, r.revision)):
        _write_plan(connection, outcome)


def trace_of(trace_id: str) -> str:
    """Return the id that all records of one request share, as Langfuse and the log show it."""
    return hashed(trace_id)


def _opened(connection: Connection, row: dict[str, Any], before: Sequence[dict[str, Any]]) -> bool:
    """Return whether another attempt of the same activity already counts as the message."""
    activity = row["call_id"].rpartition(":")[0]
    # By their names, which are the key, because databases sort text differently.
    others = {f"{activity}:{attempt}" for attempt in range(1, _ATTEMPTS + 1)} - {row["call_id"]}
    if any(one["opens_turn"] and one["call_id"] in others for one in before):
        return True
    found = select(CALLS.c.call_id).where(CALLS.c.call_id.in_(others), CALLS.c.opens_turn).limit(1)
    return connection.execute(found).first() is not None


def _call_row(record: CallRecord) -> dict[str, Any]:
    usage = record.usage
    return {
        "call_id": usage.call_id,
        "at": record.at,
        "day": _day(record.at),
        "venue_id": usage.venue_id,
        "tariff": usage.tariff,
        "mode": usage.mode.value,
        "purpose": usage.purpose,
        "model": record.model,
        "input_tokens": record.input_tokens,
        "cached_tokens": record.cached_tokens,
        "output_tokens": record.output_tokens,
        "latency_ms": record.latency_ms,
        "price_nano": record.price_nano,
        "multiplier": usage.multiplier,
        "cost_nano": record.cost_nano,
        "opens_turn": usage.opens_turn,
        "critique_triggered": usage.critique_triggered,
        "plan_id": usage.plan_id,
        "trace_id": trace_of(usage.trace_id),
    }


def _write_plan(connection: Connection, outcome: PlanOutcome) -> None:
    statement = insert(connection, PLANS).values(_plan_row(outcome))
    changed = {c.name: statement.excluded[c.name] for c in PLANS.columns if not c.primary_key}
    newer = statement.excluded.revision > PLANS.c.revision
    update = statement.on_conflict_do_update(index_elements=[PLANS.c.plan_id], set_=changed, where=newer)
    # Not by `rowcount`, because PostgreSQL's driver does not report it for an insert.
    if connection.execute(update.returning(PLANS.c.plan_id)).first() is None:
        return
    if outcome.audit_entries:
        rows = [{**entry.model_dump(), "action": entry.action.value} for entry in outcome.audit_entries]
        connection.execute(insert(connection, AUDIT_LOG).on_conflict_do_nothing(), rows)
    if outcome.steps:
        steps = insert(connection, STEPS)
        fields = {name: steps.excluded[name] for name in ("action", "status", "error_type")}
        connection.execute(
            steps.on_conflict_do_update(index_elements=[STEPS.c.plan_id, STEPS.c.step], set_=fields),
            _step_rows(outcome),
        )


def _plan_row(outcome: PlanOutcome) -> dict[str, Any]:
    trigger, ended = outcome.rollback_trigger, outcome.rollback_outcome
    return {
        "plan_id": outcome.plan_id,
        "day": _day(outcome.drafted_at),
        "venue_id": outcome.venue_id,
        "mode": outcome.mode.value,
        "status": outcome.status.value,
        "revision": outcome.revision,
        "requested_at": outcome.requested_at,
        "drafted_at": outcome.drafted_at,
        "confirmed_at": outcome.confirmed_at,
        "first_action_at": outcome.first_action_at,
        "ended_at": outcome.ended_at,
        "seconds_to_confirm": outcome.seconds_to_confirm,
        "clarifications": outcome.clarifications,
        "replaced": outcome.replaced,
        "rollback_trigger": trigger.value if trigger else None,
        "rollback_outcome": ended.value if ended else None,
        "trace_id": trace_of(outcome.trace_id),
    }


def _step_rows(outcome: PlanOutcome) -> list[dict[str, Any]]:
    shared = {
        "plan_id": outcome.plan_id,
        "day": _day(outcome.drafted_at),
        "venue_id": outcome.venue_id,
        "mode": outcome.mode.value,
    }
    return [
        shared
        | {
            "step": step.step,
            "action": step.action,
            "status": step.status.value,
            "error_type": step.error_type.value if step.error_type else None,
        }
        for step in outcome.steps
    ]


def _day(moment: datetime) -> date:
    return moment.astimezone(UTC).date()
