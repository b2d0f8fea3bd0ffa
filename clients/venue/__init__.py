"""Calls of a venue's API: authentication, reads, writes, rate limits."""
