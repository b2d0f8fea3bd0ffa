"""What a bad model with twelve habits gets past the core, in both modes: `python -m bench.habits`.

The cases of `tests/integration/stack/test_twelve_habits.py`, over HTTP on a real stack of each mode. A model that
insists on what is wrong is sure of itself all the while, and so is its second look: what is held back is held back by
code. Prints a table by habit: what the operator was shown (the right plan, a question or words, a wrong plan), and how
many calls to the model that took. The last line is JSON.
"""

import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import offline_planner
from infra.http.http_server import http_server
from tests.integration.stack.test_twelve_habits import CASES, is_right, offered
from tests.support.operator import Operator
from tests.support.roller import Roller
from tests.support.scripted_model import ScriptedModel
from tests.support.stacks import a_stack, free_base, own_token

MODES = {"standard": {"tariff: pro": "tariff: basic"}, "adaptive": None}


def shown(turn: Mapping[str, Any], right: Mapping[str, Any], booking: dict[str, Any]) -> str:
    """What an operator saw."""
    if turn["type"] != "plan":
        return "escalation" if turn["type"] == "escalation" else "asked or told"
    return "right plan" if is_right(turn["plan"], right, booking) else "wrong plan"


async def played(url: str, scripted: ScriptedModel, venue: dict[str, str] | None) -> dict[str, Counter[str]]:
    """By habit, what was shown and how many calls were made."""
    found: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as data:
        async with a_stack(Path(data), venue=venue, model_base_url=url) as stack:
            for habit, sentence, calls, right in CASES:
                scripted.calls = 0
                facade = f"http://127.0.0.1:{stack.ports.facade}"
                async with (
                    Operator(facade, token=await own_token(stack)) as operator,
                    Roller(f"http://127.0.0.1:{stack.ports.roller}") as roller,
                ):
                    turn, booking = await offered(operator, roller, scripted, sentence, calls)
                row = found.setdefault(habit, Counter())
                row[shown(turn, right, booking)] += 1
                row["calls"] += scripted.calls
    return found


async def main() -> None:
    """Print the table."""
    scripted, port = ScriptedModel(offline_planner.create_app()), free_base(1)
    server = http_server(scripted.app, "127.0.0.1", port)
    serving = asyncio.create_task(server.serve())
    await server.until_started()
    report = {mode: await played(f"http://127.0.0.1:{port}/v1", scripted, venue) for mode, venue in MODES.items()}
    server.should_exit = True
    await serving
    print(
        "| habit | mode | right plan | asked or told | escalation | wrong plan | calls |\n|---|---|---|---|---|---|---|"
    )
    for habit in report["standard"]:
        for mode, rows in report.items():
            row = rows[habit]
            cells = [row[c] for c in ("right plan", "asked or told", "escalation", "wrong plan", "calls")]
            print(f"| {habit} | {mode} | {' | '.join(map(str, cells))} |")
    print(json.dumps({mode: sum((Counter(row) for row in rows.values()), Counter()) for mode, rows in report.items()}))


if __name__ == "__main__":
    asyncio.run(main())
