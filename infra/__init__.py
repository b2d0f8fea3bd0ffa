"""Plumbing that knows no booking: settings, Temporal, keys, tokens, claims, locks, tracing."""
