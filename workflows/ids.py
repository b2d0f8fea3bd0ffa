"""Workflow ids: the one place that spells them. They are compatibility data, and they tell nothing of anybody."""

import hashlib


def plan_workflow(plan_id: str) -> str:
    """The workflow id of a plan."""
    return f"plan-{plan_id}"


def plan_of_workflow(workflow_id: str) -> str:
    """The plan whose workflow has this id."""
    return workflow_id.removeprefix("plan-")


def escalation_workflow(escalation_id: str) -> str:
    """The workflow id of an escalation."""
    return f"escalation-{escalation_id}"


def escalation_of_workflow(workflow_id: str) -> str:
    """The escalation whose workflow has this id."""
    return workflow_id.removeprefix("escalation-")


def chat_workflow(venue_id: str, session_id: str) -> str:
    """The workflow id of a chat: a hash of both."""
    name = f"{venue_id}\n{session_id}"
    return f"chat-{hashlib.sha256(name.encode()).hexdigest()[:32]}"
