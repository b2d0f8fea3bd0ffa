"""Workflow ids, defined only here. They are compatibility data, and contain no personal data."""

import hashlib
from uuid import UUID, uuid5

_TRACES = UUID("2f1d8f0e-8a55-4b36-9d0f-6f0b5a1c7e42")


def plan_workflow(plan_id: str) -> str:
    """Return the workflow id of a plan."""
    return f"plan-{plan_id}"


def plan_of_workflow(workflow_id: str) -> str:
    """Return the id of the plan with this workflow id."""
    return workflow_id.removeprefix("plan-")


def escalation_workflow(escalation_id: str) -> str:
    """Return the workflow id of an escalation."""
    return f"escalation-{escalation_id}"


def escalation_of_workflow(workflow_id: str) -> str:
    """Return the id of the escalation with this workflow id."""
    return workflow_id.removeprefix("escalation-")


def request_trace(venue_id: str, session_id: str, user_id: str, request_key: str) -> str:
    """Return the trace id of one request: the same for a retry, another one for another chat's request."""
    return str(uuid5(_TRACES, "\n".join((venue_id, session_id, user_id, request_key))))


def chat_workflow(venue_id: str, session_id: str) -> str:
    """Return the workflow id of a chat: a hash of both arguments."""
    name = f"{venue_id}\n{session_id}"
    return f"chat-{hashlib.sha256(name.encode()).hexdigest()[:32]}"
