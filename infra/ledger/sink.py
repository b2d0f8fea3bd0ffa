"""The ledger as a sink of observations, beside Langfuse: a model call's tokens and cost, and a plan's outcome."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from contracts.usage import CallUsage, PlanOutcome
from infra.ledger.records import PriceTable, call_record
from infra.ledger.writer_thread import LedgerWriter
from infra.observability.observer import Counted, Kind, Observation


class _CallEntry:
    """Collects the fields of a call while it lasts."""

    def __init__(self) -> None:
        self.tokens: dict[str, int] | None = None

    def update(self, **fields: Any) -> None:
        """Keep the tokens only."""
        self.tokens = fields.get("usage_details", self.tokens)


class LedgerSink:
    """Queues records for the writer. A call without an answer costs nothing, and leaves no row."""

    def __init__(self, writer: LedgerWriter, prices: PriceTable) -> None:
        self._writer = writer
        self._prices = prices

    @contextmanager
    def on_call(self, kind: Kind, name: str, trace_id: str, fields: dict[str, Any]) -> Iterator[Observation]:
        """See `Sink`."""
        call, begun, usage = _CallEntry(), time.monotonic(), fields.get("usage")
        try:
            yield call
        finally:
            if isinstance(usage, CallUsage) and call.tokens is not None:
                latency = (time.monotonic() - begun) * 1000
                model = str(fields.get("model") or "")
                self._writer.put(call_record(usage, model, call.tokens, latency, self._prices))

    def on_record(self, name: str, trace_id: str, fields: dict[str, Any]) -> None:
        """See `Sink`."""
        outcome = fields.get("outcome")
        if isinstance(outcome, PlanOutcome):
            self._writer.put(outcome)

    def on_count(self, what: Counted, labels: dict[str, str], seconds: float | None) -> None:
        """See `Counter`. Does nothing, because the ledger's rows have these counts."""

    def flush(self) -> None:
        """See `Sink`. Drops what the ledger does not accept in time, because no process waits for it."""
        self._writer.close()
