"""Create the ledger's tables.

Until 1.0 a schema change is made here; from 1.0 on it is a revision of its own.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the tables."""
    _model_calls()
    _plans()
    _plan_steps()
    _escalations()
    _mode_toggles()
    _mode_changes()
    _decisions()
    _audit_log()


def downgrade() -> None:
    """Drop the tables with all their rows."""
    names = "audit_log decisions mode_changes mode_toggles escalations plan_steps plans model_calls"
    for name in names.split():
        op.drop_table(name)


def _model_calls() -> None:
    op.create_table(
        "model_calls",
        sa.Column("call_id", sa.String, primary_key=True),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("venue_id", sa.String, nullable=False),
        sa.Column("tariff", sa.String, nullable=False),
        sa.Column("mode", sa.String, nullable=False),
        sa.Column("purpose", sa.String, nullable=False),
        sa.Column("model", sa.String, nullable=False),
        sa.Column("input_tokens", sa.BigInteger, nullable=False),
        sa.Column("cached_tokens", sa.BigInteger, nullable=False),
        sa.Column("output_tokens", sa.BigInteger, nullable=False),
        sa.Column("latency_ms", sa.Float, nullable=False),
        sa.Column("price_nano", sa.BigInteger),
        sa.Column("multiplier", sa.Float, nullable=False),
        sa.Column("cost_nano", sa.BigInteger),
        sa.Column("opens_turn", sa.Boolean, nullable=False),
        sa.Column("critique_triggered", sa.Boolean, nullable=False),
        sa.Column("plan_id", sa.String, nullable=False),
        sa.Column("trace_id", sa.String, nullable=False),
    )
    report = "day mode venue_id opens_turn input_tokens cached_tokens output_tokens latency_ms cost_nano multiplier"
    op.create_index("ix_model_calls_report", "model_calls", report.split())
    critiques = ["critique_triggered", "day", "mode", "venue_id", "trace_id"]
    op.create_index("ix_model_calls_critiques", "model_calls", critiques)


def _plans() -> None:
    op.create_table(
        "plans",
        sa.Column("plan_id", sa.String, primary_key=True),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("venue_id", sa.String, nullable=False),
        sa.Column("mode", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("requested_at", _MOMENT, nullable=False),
        sa.Column("drafted_at", _MOMENT, nullable=False),
        sa.Column("confirmed_at", _MOMENT),
        sa.Column("first_action_at", _MOMENT),
        sa.Column("ended_at", _MOMENT),
        sa.Column("seconds_to_confirm", sa.Integer),
        sa.Column("clarifications", sa.Integer, nullable=False),
        sa.Column("replaced", sa.Boolean, nullable=False),
        sa.Column("rollback_trigger", sa.String),
        sa.Column("rollback_outcome", sa.String),
        sa.Column("trace_id", sa.String, nullable=False),
    )
    op.create_index("ix_plans_day", "plans", ["day", "mode", "venue_id", "status", "seconds_to_confirm"])


def _plan_steps() -> None:
    op.create_table(
        "plan_steps",
        sa.Column("plan_id", sa.String, primary_key=True),
        sa.Column("step", sa.Integer, primary_key=True),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("venue_id", sa.String, nullable=False),
        sa.Column("mode", sa.String, nullable=False),
        sa.Column("action", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("error_type", sa.String),
    )
    op.create_index("ix_plan_steps_day", "plan_steps", ["day", "action", "status"])


def _escalations() -> None:
    op.create_table(
        "escalations",
        sa.Column("escalation_id", sa.String, primary_key=True),
        sa.Column("venue_id", sa.String, nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("reference", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("resolved_at", _MOMENT),
    )
    op.create_index("ix_escalations_venue_id", "escalations", ["venue_id", "status", "created_at"])


def _mode_toggles() -> None:
    op.create_table(
        "mode_toggles",
        sa.Column("kind", sa.String, primary_key=True),
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("mode", sa.String, nullable=False),
        sa.Column("set_by", sa.String, nullable=False),
        sa.Column("set_at", _MOMENT, nullable=False),
    )


def _mode_changes() -> None:
    op.create_table(
        "mode_changes",
        sa.Column("number", _NUMBER, primary_key=True, autoincrement=True),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("by", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("before", sa.String),
        sa.Column("after", sa.String),
    )
    op.create_index("ix_mode_changes_at", "mode_changes", ["at"])


def _decisions() -> None:
    op.create_table(
        "decisions",
        sa.Column("number", _NUMBER, primary_key=True, autoincrement=True),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("by", sa.String, nullable=False),
        sa.Column("workflow_id", sa.String, nullable=False),
        sa.Column("step", sa.Integer),
        sa.Column("decision", sa.String, nullable=False),
    )
    op.create_index("ix_decisions_workflow_id", "decisions", ["workflow_id", "number"])


def _audit_log() -> None:
    op.create_table(
        "audit_log",
        sa.Column("plan_id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("venue_id", sa.String, nullable=False),
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("action", sa.String, nullable=False),
    )
    op.create_index("ix_audit_log_at", "audit_log", ["at"])
    op.create_index("ix_audit_log_user_id", "audit_log", ["user_id", "at"])
