"""What Alembic runs: over the connection that `restaurant.providers.database.migrate` holds, in its transaction."""

from alembic import context

from restaurant.providers.database.schema import METADATA, VERSIONS

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=VERSIONS,
    # SQLite's tables are made in a transaction, too: half a step is never left behind.
    transactional_ddl=True,
)
context.run_migrations()
