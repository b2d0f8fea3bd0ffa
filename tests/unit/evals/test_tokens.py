"""The cost of adaptive mode, over the exact bytes (`bench/tokens.py`, `docs/guided-reasoning.md`).

- On the specification's traffic mix a model that requests the schemas it calls, and the current offline planner, use at
  least 40% fewer tokens and cost at least 15% less; their critiques and schemas are counted.
- The context that the offline planner requests changes nothing of its plans.
- The specification's own counts come to 46% and 18%.
"""

import json
import re
from collections.abc import Sequence

import pytest

from bench import tokens as bench
from contracts.chat_completion import ChatMessage, ModelReply
from infra.config.settings import ROOT
from language.messages.catalogue import activate_locale
from offline_planner import adaptive as planner
from reasoning.modes.base import ToolOffer
from tests.support.shipped import served


def test_the_specifications_own_counts() -> None:
    assert bench._spec() == {"tokens saved": 0.464, "cost saved": 0.18}


@pytest.mark.slow
@pytest.mark.skipif(not (bench.CASES / "dialogues-bookings.json").is_file(), reason="the shared cases are not here")
async def test_the_traffic_mix() -> None:
    registries = served("roller")
    known = json.loads((bench.CASES / "dialogues-bookings.json").read_text())
    parts = [(s, await bench._three(registries, known, [(t, False, []) for t in texts])) for _, s, texts in bench.MIX]
    for model in ("frugal", "offline"):
        figures = bench._figures(parts)[model]
        assert figures["tokens saved"] >= 0.40 and figures["Claude Sonnet saved"] >= 0.15, model
    risky = parts[2][1]
    assert all(len(cost.calls) == 4 for cost in risky["frugal"]), "schemas, look-up, plan and second look"


class Ended(bench.Played):
    """Keeps the model's last reply."""

    last: object = None

    def _critique(self, text: str, reply: ModelReply, offer: ToolOffer, cost: bench.Cost) -> None:
        return

    def _over(self, reply: ModelReply, messages: list[ChatMessage]) -> bool:
        self.last = [(call.name, call.arguments) for call in reply.tool_calls] or reply.text
        return super()._over(reply, messages)


async def _ends(texts: Sequence[bench.Row]) -> list[tuple[object, int]]:
    """Return the result of each message, and how many calls it takes."""
    registries = served("roller")
    ends: list[tuple[object, int]] = []
    for text, italian, own in texts:
        activate_locale("it" if italian else "en")
        played = Ended(registries, own, italian)
        cost = await played.adaptive(text, None)
        ends.append((played.last, len(cost.calls)))
    return ends


@pytest.mark.slow
async def test_what_is_asked_to_be_seen_changes_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = sorted((ROOT / "evals" / "cases").glob("requests_*.jsonl"))
    texts = [row for file in cases for row in bench._rows(file) if re.search("cancel|annull|disdi", row[0], re.I)]
    frugal = await _ends(texts)
    monkeypatch.setattr(planner, "_only_cancels", lambda *_: False)
    asks_for_all = await _ends(texts)
    assert len(texts) > 20
    assert [end for end, _ in frugal] == [end for end, _ in asks_for_all]
    # Some were not sure by these alone, and asked for the rest.
    assert sum(calls for _, calls in frugal) > sum(calls for _, calls in asks_for_all)
