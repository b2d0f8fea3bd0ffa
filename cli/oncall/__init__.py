"""What on-call needs at three in the morning: what is stuck, what one plan is doing, whether today's code still replays
what is open, a person's decision, and what another model would have said (`docs/runbook.md`)."""
