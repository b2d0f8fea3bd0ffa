"""Drafts a first overlay for an operation, from its document alone."""
