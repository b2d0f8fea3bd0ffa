"""The connection to Temporal: client, profile, task queues, interceptors, search attributes."""
