"""What Alembic runs: over the connection that `infra.ledger.migrate` holds, in its transaction."""

from alembic import context

from infra.ledger.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    # SQLite's tables are made in a transaction, too: half a step is never left behind.
    transactional_ddl=True,
)
context.run_migrations()
