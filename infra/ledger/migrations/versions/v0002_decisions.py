"""What people have decided about what code could not settle."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "decisions",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String, nullable=False),
        sa.Column("workflow_id", sa.String, nullable=False),
        sa.Column("step", sa.Integer),
        sa.Column("decision", sa.String, nullable=False),
    )
    op.create_index("ix_decisions_workflow_id", "decisions", ["workflow_id", "number"])


def downgrade() -> None:
    """Take it away, with all that it holds."""
    op.drop_table("decisions")
