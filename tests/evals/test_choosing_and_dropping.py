"""Chats of our own in which something is chosen from a list, or dropped, through the whole core, in both languages.

- No chat is wrong, and nineteen of twenty are right where something is chosen, nine of ten where something is dropped.
"""

import json

import pytest

from cli import evals
from infra.settings import ROOT, Settings

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


@pytest.mark.parametrize(
    ("name", "least"), [("dialogues_22", 0.95), ("dialogues_23", 0.9), ("dialogues_24", 0.95), ("dialogues_25", 0.9), ("dialogues_26", 0.95)]
)
async def test_chats_are_right(name: str, least: float, capsys: pytest.CaptureFixture[str]) -> None:
    file = ROOT / "evals" / "cases" / f"{name}.jsonl"
    assert await evals.run("dialogues", Settings(_env_file=None), file, show_misses=True) == 0
    printed = capsys.readouterr().out
    line = json.loads(printed.strip().splitlines()[-1])
    assert line["wrong"] == 0, printed
    assert line["right"] >= least * line["cases"] >= 20, printed
