"""Authentication: tokens, service keys, page and staff sessions, rate limits."""
