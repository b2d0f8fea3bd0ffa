"""Interceptors that add the ids of an activity's plan and request to every line that is logged while it runs."""

from typing import Any

from temporalio import activity
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from infra.observability.logging import ids_for, logging_context, remember_request
from infra.observability.observer import SITE, CallSite


class LogContextInterceptor(Interceptor):
    """Adds the ids of the plan and the request to the log lines of a worker's activities."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        """See `Interceptor`."""
        return _LogContextActivity(next)


class _LogContextActivity(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        info = activity.info()
        workflow_id = info.workflow_id or ""
        remember_request(workflow_id, _request_of(input))
        known = ids_for(workflow_id)
        with logging_context(**known, activity=info.activity_type, attempt=str(info.attempt)):
            return await super().execute_activity(input)


def _request_of(input: ExecuteActivityInput) -> str:
    """Return the request of an activity's calls: its input has the id itself, or in its step."""
    for given in input.args:
        found = getattr(given, "trace_id", None) or getattr(getattr(given, "scope", None), "trace_id", None)
        if isinstance(found, str):
            return found
    return ""


class TraceContextInterceptor(Interceptor):
    """Sets the trace context of a worker's activities from their input (`contracts.trace_context`)."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        """See `Interceptor`."""
        return _TraceContextActivity(next)


class _TraceContextActivity(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        info = activity.info()
        asked = input.args[0] if input.args else None
        place = getattr(asked, "trace_context", None) or getattr(getattr(asked, "scope", None), "trace_context", None)
        before = SITE.set(CallSite(f"{info.workflow_run_id}:{info.activity_id}:{info.attempt}", place))
        try:
            return await super().execute_activity(input)
        finally:
            SITE.reset(before)
