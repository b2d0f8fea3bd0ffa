"""What waits to be written. Apart from how it is written: a process has these before it has loaded a database."""

from contracts.base import Frozen, Instant
from contracts.usage import CallUsage, PlanOutcome


class CallRecord(Frozen):
    """One model call, as it went: tokens are counts, money is nanodollars, None where it is not known."""

    usage: CallUsage
    at: Instant
    model: str
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    latency_ms: float
    price_nano: int | None


Record = CallRecord | PlanOutcome
"""What the ledger is told through the one door."""
