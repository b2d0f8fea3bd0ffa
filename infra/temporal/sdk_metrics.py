"""The Temporal SDK's own metrics. The SDK serves them on a free loopback port; the process's `/metrics` passes them on,
protected by the process's own key."""

import logging
import socket
from functools import lru_cache

import httpx
from temporalio.runtime import (
    LogForwardingConfig,
    LoggingConfig,
    PrometheusConfig,
    Runtime,
    TelemetryConfig,
    TelemetryFilter,
)

_WAITS = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
"""Seconds; the alert on the queue uses 5."""
_OVERRIDES = {f"{of}_schedule_to_start_latency": _WAITS for of in ("activity", "workflow_task")}
_WITHIN = 2.0


class MeasuredRuntime:
    """A runtime for clients and workers, and the address of its metrics. Raises `RuntimeError` if no loopback port is
    free."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._address = f"127.0.0.1:{probe.getsockname()[1]}"
        self.runtime = Runtime(
            telemetry=TelemetryConfig(
                # While Temporal is unavailable the SDK would log each try; `infra/temporal/health.py` logs the outage
                # once.
                logging=LoggingConfig(
                    filter=TelemetryFilter(core_level="ERROR", other_level="ERROR"),
                    forwarding=LogForwardingConfig(
                        logger=logging.getLogger("temporalio.core"),
                        append_log_fields_to_message=False,
                    ),
                ),
                metrics=PrometheusConfig(
                    bind_address=self._address,
                    counters_total_suffix=True,
                    unit_suffix=True,
                    durations_as_seconds=True,
                    histogram_bucket_overrides=_OVERRIDES,
                ),
            )
        )

    async def text(self) -> bytes:
        """Return the metrics in Prometheus' text format; empty if the runtime does not answer."""
        try:
            async with httpx.AsyncClient(trust_env=False, timeout=_WITHIN) as client:
                return (await client.get(f"http://{self._address}/metrics")).content
        except httpx.HTTPError:
            return b""


@lru_cache
def measured() -> MeasuredRuntime:
    """Return the process's only runtime, because a runtime has threads of its own."""
    return MeasuredRuntime()
