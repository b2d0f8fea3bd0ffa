"""Shared parts of all sandboxes: ASGI parts, faults, counters and a document store."""
