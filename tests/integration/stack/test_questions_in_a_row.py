"""How many clarifying questions a chat asks in a row (`IQ_CLARIFICATIONS`), over the whole stack. Guarantees:

- The chat asks this many, whatever they ask; instead of one more it advises what to type, and nothing waits.
- The advice restarts the count, and so does a plan.
"""

from pathlib import Path
from typing import Any

import pytest

from infra.config.settings import ROOT
from tests.integration.stack.test_italian_venue import ENGLISH
from tests.support.calendar import TOKEN
from tests.support.operator import Operator
from tests.support.restaurant import TOKEN as WAITER
from tests.support.restaurant import Trattoria, dining_stack
from tests.support.stacks import a_stack

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def kinds(operator: Operator, *message: str) -> list[dict[str, Any]]:
    """Send the messages; return their turns."""
    return [await operator.say(text) for text in message]


async def test_so_many_and_then_advice(model_url: str, tmp_path: Path) -> None:
    calendar = ROOT / "overlays" / "calendar"
    async with (
        a_stack(tmp_path, packs=(calendar,), model_base_url=model_url, clarifications=2) as running,
        Operator(f"http://127.0.0.1:{running.ports.facade}", token=TOKEN) as one,
    ):
        first, second, third = await kinds(one, "i want a meeting", "with Aviad", "at 3pm")
        assert [first["type"], second["type"], third["type"]] == ["clarification", "clarification", "answer"], third
        assert first["question"] != second["question"], "no question was asked again"
        assert "Please say it another way" in third["message"] and "in one message" in third["message"]
        again = await kinds(one, "i want a meeting", "with Aviad")
        assert [turn["type"] for turn in again] == ["clarification", "clarification"], "the count begins again"


async def test_in_italian_and_a_plan_begins_the_count_again(model_url: str, tmp_path: Path) -> None:
    async with (
        dining_stack(tmp_path, model_base_url=model_url, clarifications=2) as running,
        Operator(f"http://127.0.0.1:{running.ports.facade}", token=WAITER) as waiter,
        Trattoria(running) as trattoria,
    ):
        turns = await kinds(waiter, "prenota un tavolo", "per 4 persone", "alle 20:30")
        assert [turn["type"] for turn in turns] == ["clarification", "clarification", "answer"], turns
        assert "in un solo messaggio" in turns[2]["message"] and not ENGLISH.search(turns[2]["message"])
        day = trattoria.evening()
        whole = "prenota un tavolo per 4 persone, telefono 333 765 4321, a nome Anna Verdi"
        asked, plan, *more = await kinds(
            waiter, whole, f"il {day.day}/{day.month} alle 20:30", "lascia perdere", "prenota un tavolo", "per 4"
        )
        assert (asked["type"], plan["type"]) == ("clarification", "plan"), plan
        assert [turn["type"] for turn in more[1:]] == ["clarification", "clarification"], more
