"""The ledger as a sink of observations, beside Langfuse: of a model call its tokens and cost, of a plan how it
stands."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from contracts.usage import CallUsage, PlanOutcome
from infra.ledger.prices import PriceTable
from infra.ledger.records import call_record
from infra.ledger.writer import Writer
from infra.observe import Counted, Kind, Observation


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
                model = str(fields.get("model") or "")
                self._writer.put(call_record(usage, model, call.tokens, latency, self._prices))

    def noted(self, name: str, trace_id: str, fields: dict[str, Any]) -> None:
        """See `observe.Sink`."""
        outcome = fields.get("outcome")
        if isinstance(outcome, PlanOutcome):
            self._writer.put(outcome)

    def counted(self, what: Counted, labels: dict[str, str], seconds: float | None) -> None:
        """See `observe.Counter`. Its rows tell what the ledger keeps."""

    def flush(self) -> None:
        """See `observe.Sink`. What the ledger does not take in time is given up: no process stays for it."""
        self._writer.close()
