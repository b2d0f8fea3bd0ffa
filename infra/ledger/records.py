"""Records that wait to be written. Separate from the writer, because a process has records before it has loaded a
database."""

from datetime import UTC, datetime

from contracts.base import FrozenModel, Instant
from contracts.usage import CallUsage, PlanOutcome
from infra.ledger.pricing import PriceTable
from infra.observability.observer import CACHED


class CallRecord(FrozenModel):
    """One model call: tokens are counts, money is nanodollars, None if unknown."""

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
        """Return price times the tariff's multiplier."""
        return None if self.price_nano is None else round(self.price_nano * self.usage.multiplier)


def call_record(
    usage: CallUsage, model: str, tokens: dict[str, int], latency_ms: float, prices: PriceTable
) -> CallRecord:
    """Return the record of a call that was just answered, from Langfuse's names of its tokens."""
    uncached, cached, output = (max(0, int(tokens.get(k) or 0)) for k in ("input", CACHED, "output"))
    return CallRecord(
        usage=usage,
        at=datetime.now(UTC),
        model=model,
        input_tokens=uncached + cached,
        cached_tokens=cached,
        output_tokens=output,
        latency_ms=latency_ms,
        # Every answer uses tokens: if none are reported, the cost is unknown.
        price_nano=prices.nanodollars(model, uncached=uncached, cached=cached, output=output)
        if uncached + cached + output
        else None,
    )


Record = CallRecord | PlanOutcome
"""A record that the observer passes to the ledger."""
