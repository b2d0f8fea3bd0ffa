"""State shared between processes: in Redis, or in memory without Redis."""
