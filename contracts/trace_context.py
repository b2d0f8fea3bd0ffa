"""Where in the trace of its request something belongs (`docs/traces.md`). It travels encrypted, like whatever else an
activity is asked; what leaves the process of it are a pseudonym of user and session, and ids."""

from contracts.base import FrozenModel

REQUEST = "request"
"""Keys of a trace's spans, each once in a trace: the whole of it,"""
UNDERSTANDING = "understanding"
"""what the operator wants,"""
PLANNING = "planning"
"""what is to be done,"""
CONFIRMATION = "confirmation"
"""the operator's word,"""
EXECUTION = "execution"
"""carrying it out,"""
ROLLBACK = "rollback"
"""putting back what a plan that failed had done,"""
UNDO = "undo"
"""and what a plan that was done had."""


def step_key(step: int) -> str:
    """The key of one step's span."""
    return f"step-{step}"


class TraceContext(FrozenModel):
    """The key of the span that something is a part of, and whose it is."""

    span: str = REQUEST
    venue_id: str = ""
    session_id: str = ""
    user_id: str = ""
    plan_id: str = ""
