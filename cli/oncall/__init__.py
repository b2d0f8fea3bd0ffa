"""Commands for the on-call engineer: what is stuck, what one plan is doing, whether today's code still replays the open
workflows, a manual decision, and another model's proposals (`docs/runbook.md`)."""
