"""Records that wait to be written, and the cost of a model call. Separate from the writer, because a process has
records before it has loaded a database."""

from collections.abc import Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from contracts.base import FrozenModel, Instant
from contracts.usage import CallUsage, PlanOutcome
from contracts.venue import Price
from infra.observability.observer import CACHED

_NANO = 1_000
"""Nanodollars per token, for a dollar per million tokens."""


class PriceTable:
    """A table of prices. The first price whose name matches a model applies."""

    def __init__(self, prices: Sequence[Price] = ()) -> None:
        self._prices = tuple(prices)

    def nanodollars(self, model: str, *, uncached: int, cached: int, output: int) -> int | None:
        """Return the cost of a call by its tokens; None if the model's price is unknown."""
        price = next((p for p in self._prices if fnmatchcase(model.casefold(), p.model.casefold())), None)
        if price is None:
            return None
        cached_input = price.input if price.cached_input is None else price.cached_input
        return round((uncached * price.input + cached * cached_input + output * price.output) * _NANO)


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
