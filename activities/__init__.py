"""Temporal activities: all side effects of the workflows, one class per kind."""
