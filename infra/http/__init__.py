"""Bounded HTTP bodies, and defaults of our servers."""
