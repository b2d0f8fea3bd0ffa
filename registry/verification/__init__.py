"""Determines the outcome of a write and the undo state of a step."""
