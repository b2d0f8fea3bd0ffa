"""The work for the answer to a clarifying question, as Langfuse gets it. In a file of its own, because one stack of a
process records what workflows do. Guarantees:

- When a plan ends between a question and its answer, the read of what it made is in the trace of that question; no
  trace is left without its root.
"""

from pathlib import Path
from uuid import uuid4

import pytest

from infra.config.settings import ROOT
from tests.support.calendar import TOKEN, Calendar
from tests.support.langfuse import Node, a_langfuse
from tests.support.operator import Operator
from tests.support.stacks import a_stack
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

_IDLE = 4.0


async def test_what_a_plan_made_is_looked_at_in_the_trace_of_the_answer(model_url: str, tmp_path: Path) -> None:
    pack = ROOT / "overlays" / "calendar"
    keys = {"langfuse_public_key": f"pk-{uuid4().hex}", "langfuse_secret_key": "sk-answers"}
    async with (
        a_langfuse() as langfuse,
        a_stack(
            tmp_path, packs=(pack,), model_base_url=model_url, chat_idle=_IDLE, langfuse_host=langfuse.url, **keys
        ) as team,
        Calendar(f"http://127.0.0.1:{team.ports.calendar}") as calendar,
        Operator(f"http://127.0.0.1:{team.ports.facade}", token=TOKEN) as one,
    ):
        await calendar.reset()
        plan = await one.plan_for("i want a meeting with Aviad on Tuesday at 3pm")
        asked = await one.say("move the Zorbulina meeting to 5pm")
        await one.confirm(plan)
        made = (await one.settled(plan))["results"][-1]["made"]
        await one.say("move it to 4pm")

        def looks() -> list[Node]:
            return [n for n in langfuse.sent() if n.name == "get_meeting" and made in str(n.input)]

        async def whole() -> bool:
            tops = langfuse.traces().get(looks()[-1].trace_id, []) if looks() else []
            # Nodes are sent as they end, so one may come after its root on a busy machine.
            return any(
                top.name.startswith("user_request_") and [n.name for n in top.below].count("intent_understanding") == 2
                for top in tops
            )

        await soon(whole)
        [top] = langfuse.traces()[looks()[-1].trace_id]
        assert asked["type"] == "clarification"
        names = [node.name for node in top.below]
        assert "get_meeting" in names, names
