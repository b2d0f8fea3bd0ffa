"""Alembic's entry point. Uses the connection that `restaurant.providers.database.schema` holds, in its transaction."""

from alembic import context

from restaurant.providers.database.schema import METADATA, VERSIONS

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=VERSIONS,
    # SQLite's tables are created in a transaction, too, so that half a step is never left.
    transactional_ddl=True,
)
context.run_migrations()
