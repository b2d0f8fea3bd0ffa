"""What waits to be written. Apart from how it is written: a process has these before it has loaded a database."""

from datetime import UTC, datetime

from contracts.base import Frozen, Instant
from contracts.usage import CallUsage, PlanOutcome
from infra.ledger.prices import PriceTable
from infra.observe import CACHED


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

    @property
    def cost_nano(self) -> int | None:
        """Price times the tariff's multiplier."""
        return None if self.price_nano is None else round(self.price_nano * self.usage.multiplier)


def call_record(
    usage: CallUsage, model: str, tokens: dict[str, int], latency_ms: float, prices: PriceTable
) -> CallRecord:
    """What a call cost that was answered just now, by Langfuse's names of its tokens."""
    uncached, cached, output = (max(0, int(tokens.get(k) or 0)) for k in ("input", CACHED, "output"))
    return CallRecord(
        usage=usage,
        at=datetime.now(UTC),
        model=model,
        input_tokens=uncached + cached,
        cached_tokens=cached,
        output_tokens=output,
        latency_ms=latency_ms,
        # No answer takes no tokens: none of them told means that nobody knows what it cost.
        price_nano=prices.nanodollars(model, uncached=uncached, cached=cached, output=output)
        if uncached + cached + output
        else None,
    )


Record = CallRecord | PlanOutcome
"""What the ledger is told through the one door."""
