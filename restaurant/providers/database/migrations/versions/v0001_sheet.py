"""The first sheet."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "restaurant_bookings",
        sa.Column("booking_id", sa.String, primary_key=True),
        sa.Column("restaurant_id", sa.String, nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("minute", sa.Integer, nullable=False),
        sa.Column("people", sa.Integer, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("phone", sa.String, nullable=False),
        sa.Column("notes", sa.String),
    )
    op.create_index("ix_restaurant_bookings_day", "restaurant_bookings", ["restaurant_id", "day", "minute"])
    op.create_index("ix_restaurant_bookings_phone", "restaurant_bookings", ["restaurant_id", "phone", "day"])


def downgrade() -> None:
    """Drop the table with all its rows."""
    op.drop_table("restaurant_bookings")
