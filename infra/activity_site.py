"""Tells the calls of an activity where in their request's trace they belong."""

from typing import Any

from temporalio import activity
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from infra.spans import SITE, CallSite


class Sited(Interceptor):
    """For a worker: what an activity is asked says what its calls are for (`contracts.tracing`)."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        """See `Interceptor`."""
        return _SitedActivity(next)


class _SitedActivity(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        info = activity.info()
        asked = input.args[0] if input.args else None
        place = getattr(asked, "place", None) or getattr(getattr(asked, "scope", None), "place", None)
        before = SITE.set(CallSite(f"{info.workflow_run_id}:{info.activity_id}:{info.attempt}", place))
        try:
            return await super().execute_activity(input)
        finally:
            SITE.reset(before)
