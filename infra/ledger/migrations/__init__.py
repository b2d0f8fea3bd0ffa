"""The migrations of the ledger's tables, step by step. `infra.database.migrate` runs the missing ones."""
