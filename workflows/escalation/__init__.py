"""The escalation workflow: a message that waits for staff."""
