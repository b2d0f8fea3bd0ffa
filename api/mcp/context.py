"""One call of a tool: its operator, its deadline, and the progress that its client receives."""

import time
from dataclasses import dataclass, field

from mcp_types import CallToolRequestParams

from api.mcp.auth import Context, McpCaller, McpServices, caller_of
from api.mcp.elicitation import Elicitor
from api.routes.plans import PlanAccess
from contracts.plan import ExecutionPlan


@dataclass
class McpToolContext:
    """The context of a tool call."""

    parts: McpServices
    caller: McpCaller
    ctx: Context
    elicitor: Elicitor
    timeout: float
    """Seconds that the call may take, without the time that a person needs."""
    began: float = field(default_factory=time.monotonic)
    notifications: int = 0

    @classmethod
    def of(cls, parts: McpServices, caller: McpCaller, ctx: Context, params: CallToolRequestParams) -> "McpToolContext":
        """Return the context of a new call."""
        return cls(parts, caller, ctx, Elicitor(ctx, params), parts.services.settings.mcp_call_timeout)

    @property
    def by(self) -> PlanAccess:
        """Return the access to the operator's own plans."""
        return caller_of(self.parts, self.caller)

    @property
    def left(self) -> float:
        """Return the seconds until the call must answer. A person's time does not count."""
        return max(0.0, self.began + self.timeout + self.elicitor.waited - time.monotonic())

    @property
    def wants_progress(self) -> bool:
        """Return whether the client asked for progress."""
        return bool(self.ctx.meta and self.ctx.meta.get("progress_token") is not None)

    async def progress(self, text: str) -> None:
        """Send progress to a client that asked for it."""
        if self.wants_progress:
            self.notifications += 1
            await self.ctx.session.report_progress(self.notifications, message=text)

    def where(self, plan: ExecutionPlan, way: str) -> str:
        """Return the API call by which the operator's own front end does the same."""
        assert self.ctx.request is not None
        return f"POST {str(self.ctx.request.base_url).rstrip('/')}/v1/plans/{plan.plan_id}/{way}"
