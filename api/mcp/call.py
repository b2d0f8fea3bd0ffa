"""One call of a tool: for whom, until when, and what its client hears meanwhile."""

import time
from dataclasses import dataclass, field

from mcp_types import CallToolRequestParams

from api.mcp.asking import Asking
from api.mcp.caller import Context, Parts, Who, caller_of
from api.plans import Caller
from contracts.plan import ExecutionPlan


@dataclass
class Call:
    """What a tool has in hand."""

    parts: Parts
    who: Who
    ctx: Context
    asking: Asking
    within: float
    """Seconds that it goes on without a person's doing."""
    began: float = field(default_factory=time.monotonic)
    told: int = 0

    @classmethod
    def of(cls, parts: Parts, who: Who, ctx: Context, params: CallToolRequestParams) -> "Call":
        """A call that has just come."""
        return cls(parts, who, ctx, Asking(ctx, params), parts.services.settings.mcp_call_within)

    @property
    def by(self) -> Caller:
        """How the operator's own plans are found."""
        return caller_of(self.parts, self.who)

    @property
    def left(self) -> float:
        """Seconds until what is known must be told. A person's time does not count."""
        return max(0.0, self.began + self.within + self.asking.waited - time.monotonic())

    @property
    def wants_progress(self) -> bool:
        """Whether the client has asked for it."""
        return bool(self.ctx.meta and self.ctx.meta.get("progress_token") is not None)

    async def progress(self, text: str) -> None:
        """Tell a client that asked for it what goes on."""
        if self.wants_progress:
            self.told += 1
            await self.ctx.session.report_progress(self.told, message=text)

    def where(self, plan: ExecutionPlan, way: str) -> str:
        """The call by which a front end of the operator's does the same."""
        assert self.ctx.request is not None
        return f"POST {str(self.ctx.request.base_url).rstrip('/')}/v1/plans/{plan.plan_id}/{way}"
