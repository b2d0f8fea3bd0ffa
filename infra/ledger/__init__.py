"""The ledger: the one relational database (usage, outcomes, escalations, modes). `docs/ledger.md` describes its
tables."""
