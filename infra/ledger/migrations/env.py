"""Alembic's entry point. Uses the connection that `infra.database.migrate` holds, in its transaction."""

from alembic import context

from infra.ledger.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    # SQLite's tables are created in a transaction, too, so that half a step is never left.
    transactional_ddl=True,
)
context.run_migrations()
