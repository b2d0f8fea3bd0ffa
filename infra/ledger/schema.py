"""The ledger's tables, for SQLite and PostgreSQL. `infra/ledger/migrations` creates them; a test compares the two.

Money is in whole nanodollars, so that sums are exact and equal in both databases. `day` is a row's day in UTC, by which
reports count. No column holds personal data; `trace_id` is a hash, the one that Langfuse shows.
"""

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Dialect,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    TypeDecorator,
)

HEAD = "0001"
"""The newest migration. A database at this version is not checked further at start."""


class Moment(TypeDecorator[datetime]):
    """A moment in UTC. SQLite stores no offset, so it is added when a value is read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert a value to UTC for the database."""
        if value is None:
            return None
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Add the offset to a value from the database."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


METADATA = MetaData()

CALLS = Table(
    "model_calls",
    METADATA,
    Column("call_id", String, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("day", Date, nullable=False),
    Column("venue_id", String, nullable=False),
    Column("tariff", String, nullable=False),
    Column("mode", String, nullable=False),
    Column("purpose", String, nullable=False),
    Column("model", String, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("cached_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("latency_ms", Float, nullable=False),
    Column("price_nano", BigInteger),
    Column("multiplier", Float, nullable=False),
    Column("cost_nano", BigInteger),
    Column("opens_turn", Boolean, nullable=False),
    Column("critique_triggered", Boolean, nullable=False),
    Column("plan_id", String, nullable=False),
    Column("trace_id", String, nullable=False),
    # All columns that a report sums, so that it reads only the index: a row is ten times as wide.
    Index(
        "ix_model_calls_report",
        "day",
        "mode",
        "venue_id",
        "opens_turn",
        "input_tokens",
        "cached_tokens",
        "output_tokens",
        "latency_ms",
        "cost_nano",
        "multiplier",
    ),
    Index("ix_model_calls_critiques", "critique_triggered", "day", "mode", "venue_id", "trace_id"),
)

PLANS = Table(
    "plans",
    METADATA,
    Column("plan_id", String, primary_key=True),
    Column("day", Date, nullable=False),
    Column("venue_id", String, nullable=False),
    Column("mode", String, nullable=False),
    Column("status", String, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("requested_at", Moment, nullable=False),
    Column("drafted_at", Moment, nullable=False),
    Column("confirmed_at", Moment),
    Column("first_action_at", Moment),
    Column("ended_at", Moment),
    Column("seconds_to_confirm", Integer),
    Column("clarifications", Integer, nullable=False),
    Column("replaced", Boolean, nullable=False),
    Column("rollback_trigger", String),
    Column("rollback_outcome", String),
    Column("trace_id", String, nullable=False),
    Index("ix_plans_day", "day", "mode", "venue_id", "status", "seconds_to_confirm"),
)

STEPS = Table(
    "plan_steps",
    METADATA,
    Column("plan_id", String, primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("day", Date, nullable=False),
    Column("venue_id", String, nullable=False),
    Column("mode", String, nullable=False),
    Column("action", String, nullable=False),
    Column("status", String, nullable=False),
    Column("error_type", String),
    Index("ix_plan_steps_day", "day", "action", "status"),
)

ESCALATIONS = Table(
    "escalations",
    METADATA,
    Column("escalation_id", String, primary_key=True),
    Column("venue_id", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("reference", String, nullable=False),
    Column("status", String, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("resolved_at", Moment),
    Index("ix_escalations_venue_id", "venue_id", "status", "created_at"),
)

TOGGLES = Table(
    "mode_toggles",
    METADATA,
    Column("kind", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("mode", String, nullable=False),
    Column("set_by", String, nullable=False),
    Column("set_at", Moment, nullable=False),
)

CHANGES = Table(
    "mode_changes",
    METADATA,
    # SQLite numbers rows by itself only if the key is an INTEGER.
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("at", Moment, nullable=False),
    Column("by", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("name", String, nullable=False),
    Column("before", String),
    Column("after", String),
    Index("ix_mode_changes_at", "at"),
)

DECISIONS = Table(
    "decisions",
    METADATA,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("at", Moment, nullable=False),
    Column("by", String, nullable=False),
    Column("workflow_id", String, nullable=False),
    Column("step", Integer),
    Column("decision", String, nullable=False),
    Index("ix_decisions_workflow_id", "workflow_id", "number"),
)

AUDIT_LOG = Table(
    "audit_log",
    METADATA,
    Column("plan_id", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("venue_id", String, nullable=False),
    Column("user_id", String, nullable=False),
    Column("action", String, nullable=False),
    Index("ix_audit_log_at", "at"),
    Index("ix_audit_log_user_id", "user_id", "at"),
)
