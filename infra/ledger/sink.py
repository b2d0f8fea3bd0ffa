"""The ledger as a sink of observations, beside Langfuse: of a model call its tokens and cost, of a plan how it
stands."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from contracts.usage import CallUsage, PlanOutcome
from infra.ledger.prices import PriceTable
from infra.ledger.records import CallRecord
from infra.ledger.writer import Writer
from infra.observe import CACHED, Kind, Observation


class _Call:
    """What is said of a call while it lasts."""

    def __init__(self) -> None:
        self.tokens: dict[str, int] | None = None

    def update(self, **fields: Any) -> None:
        """Only tokens are kept."""
        self.tokens = fields.get("usage_details", self.tokens)


class LedgerSink:
    """Puts records down to be written. A call that no answer came of costs nothing, and leaves no row."""

    def __init__(self, writer: Writer, prices: PriceTable) -> None:
        self._writer = writer
        self._prices = prices

    @contextmanager
    def opened(self, kind: Kind, name: str, trace_id: str, fields: dict[str, Any]) -> Iterator[Observation]:
        """See `observe.Sink`."""
        call, begun, usage = _Call(), time.monotonic(), fields.get("usage")
        try:
            yield call
        finally:
            if isinstance(usage, CallUsage) and call.tokens is not None:
                latency = (time.monotonic() - begun) * 1000
                self._writer.put(self._record(usage, str(fields.get("model") or ""), call.tokens, latency))

    def noted(self, name: str, trace_id: str, fields: dict[str, Any]) -> None:
        """See `observe.Sink`."""
        outcome = fields.get("outcome")
        if isinstance(outcome, PlanOutcome):
            self._writer.put(outcome)

    def flush(self) -> None:
        """See `observe.Sink`. What the ledger does not take in time is given up: no process stays for it."""
        self._writer.close()

    def _record(self, usage: CallUsage, model: str, tokens: dict[str, int], latency: float) -> CallRecord:
        uncached, cached, output = (max(0, int(tokens.get(k) or 0)) for k in ("input", CACHED, "output"))
        return CallRecord(
            usage=usage,
            at=datetime.now(UTC),
            model=model,
            input_tokens=uncached + cached,
            cached_tokens=cached,
            output_tokens=output,
            latency_ms=latency,
            # No answer takes no tokens: none of them told means that nobody knows what it cost.
            price_nano=self._prices.nanodollars(model, uncached=uncached, cached=cached, output=output)
            if uncached + cached + output
            else None,
        )
