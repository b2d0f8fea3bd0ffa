"""Our own chats in which the operator chooses from a list, or drops something, through the whole core, in both
languages. Guarantees:

- No chat is wrong; nineteen of twenty are right where the operator chooses, nine of ten where the operator drops.
"""

import json

import pytest

from cli.commands import eval
from infra.config.settings import ROOT, Settings

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


LEAST = {22: 0.95, 23: 0.9, 24: 0.95, 25: 0.9, 26: 0.95, 27: 0.95, 28: 1.0}
"""The share of right chats that a set has had, by its number."""


@pytest.mark.parametrize("number", LEAST)
async def test_chats_are_right(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    file = ROOT / "evals" / "cases" / f"dialogues_{number}.jsonl"
    assert await eval.run("dialogues", Settings(_env_file=None), file, show_misses=True) == 0
    printed = capsys.readouterr().out
    line = json.loads(printed.strip().splitlines()[-1])
    assert line["wrong"] == 0, printed
    assert line["cases"] >= 20, printed
    assert line["right"] >= LEAST[number] * line["cases"], printed
