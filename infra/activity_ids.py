"""The ids of an activity's plan and request, on every line that is logged while it runs."""

from typing import Any

from temporalio import activity
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from infra import log_ids


class IdsOnLines(Interceptor):
    """An interceptor of a worker."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        """See `Interceptor`."""
        return _Bound(next)


class _Bound(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        info = activity.info()
        workflow_id = info.workflow_id or ""
        log_ids.remember(workflow_id, _request_of(input))
        known = log_ids.ids_of(workflow_id)
        with log_ids.about(**known, activity=info.activity_type, attempt=str(info.attempt)):
            return await super().execute_activity(input)


def _request_of(input: ExecuteActivityInput) -> str:
    """The request that a call is made for: calls tell it as their own, or as their step's."""
    for given in input.args:
        found = getattr(given, "trace_id", None) or getattr(getattr(given, "scope", None), "trace_id", None)
        if isinstance(found, str):
            return found
    return ""
