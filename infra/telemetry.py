"""What HTTP servers of ours do not do by themselves."""

from fastapi.telemetry import TelemetryConfig

TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False}
"""FastAPI would otherwise send a span of every request, its address and query included, to whatever tracer provider the
process has; ours come from `infra/observe.py`, masked."""
