"""The position of a span in the trace of its request (`docs/traces.md`). It travels encrypted, like every input of an
activity; only a pseudonym of user and session, and ids, leave the process."""

from contracts.base import FrozenModel

REQUEST = "request"
"""Keys of a trace's spans, each once in a trace: the whole request,"""
UNDERSTANDING = "understanding"
"""what the operator wants,"""
PLANNING = "planning"
"""the drafting of the plan,"""
CONFIRMATION = "confirmation"
"""the operator's confirmation,"""
EXECUTION = "execution"
"""the execution of the plan,"""
ROLLBACK = "rollback"
"""the rollback of a failed plan,"""
UNDO = "undo"
"""and the undo of a completed one."""


def step_key(step: int) -> str:
    """Return the key of one step's span."""
    return f"step-{step}"


class TraceContext(FrozenModel):
    """The key of the parent span, and the owner of the trace."""

    span: str = REQUEST
    venue_id: str = ""
    session_id: str = ""
    user_id: str = ""
    plan_id: str = ""
