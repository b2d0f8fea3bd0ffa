"""How long the chats and plans of a stack wait, changed while it runs: a plan that must expire does so in a moment, and
one beside it that must be confirmed has all the time that a busy machine takes."""

from collections.abc import Iterator
from contextlib import contextmanager

from temporalio.client import WorkflowExecutionStatus

from cli.stack.dev import Stack
from tests.support.operator import Operator
from tests.support.waiting import soon
from workflows.workflow_ids import chat_workflow

LONG = 900.0
"""Seconds: longer than any test."""


@contextmanager
def patience(stack: Stack, **seconds: float) -> Iterator[None]:
    """Within the block these settings hold for each chat that begins, and for its plans. A chat keeps its first
    settings until it closes."""
    before = {name: getattr(stack.settings, name) for name in seconds}
    for name, value in seconds.items():
        setattr(stack.settings, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(stack.settings, name, value)


async def chat_closed(stack: Stack, operator: Operator, venue_id: str = "roller-demo") -> None:
    """Wait until the operator's chat has closed because it was idle."""
    assert stack.services is not None
    chat = stack.services.chats.client.get_workflow_handle(chat_workflow(venue_id, operator.session))

    async def closed() -> bool:
        return (await chat.describe()).status is not WorkflowExecutionStatus.RUNNING

    await soon(closed)
