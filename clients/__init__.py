"""Clients of other systems: Temporal (plans, chats, escalations), venues, models, the registry and the ledger."""
