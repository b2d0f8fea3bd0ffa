"""Infrastructure without booking logic: settings, Temporal, keys, tokens, commands, locks, tracing."""
