"""How the ledger's tables came to be, step by step. `infra.ledger.migrate` runs what is missing."""
