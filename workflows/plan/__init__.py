"""The plan workflow: confirmation, execution, rollback, undo."""
