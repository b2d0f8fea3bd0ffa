"""What a chat starts goes on without it: how a plan or an escalation ends is no error of the chat's.

- A plan that fails or is terminated is logged by itself alone. Its chat logs no exception that was never retrieved.
"""

import asyncio
import gc
from typing import Any

import pytest
from temporalio import workflow

from workflows.chat import child_workflows

pytestmark = pytest.mark.asyncio


async def test_the_end_of_a_plan_is_no_error_of_its_chat(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    reported: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda _, context: reported.append(context))
    children = [loop.create_future()]

    async def started(*_: object, **__: object) -> asyncio.Future[None]:
        return children[0]

    monkeypatch.setattr(workflow, "start_child_workflow", started)
    await child_workflows.start_detached(lambda *_: asyncio.sleep(0), None, "plan-1", (), "a plan")  # type: ignore[arg-type]
    children.pop().set_exception(RuntimeError("terminated"))
    await asyncio.sleep(0)
    gc.collect()
    # The collection may also end futures that other tests left in this loop.
    assert [context for context in reported if str(context.get("exception")) == "terminated"] == []
