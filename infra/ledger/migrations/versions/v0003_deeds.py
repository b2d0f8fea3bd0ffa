"""Who asked, confirmed, answered and undid what."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "deeds",
        sa.Column("plan_id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("venue_id", sa.String, nullable=False),
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("word", sa.String, nullable=False),
    )
    op.create_index("ix_deeds_at", "deeds", ["at"])
    op.create_index("ix_deeds_user_id", "deeds", ["user_id", "at"])


def downgrade() -> None:
    """Take it away, with all that it holds."""
    op.drop_table("deeds")
