"""What adaptive mode costs, over the exact bytes (`bench/tokens.py`, `docs/guided-reasoning.md`).

- On the specification's traffic mix a model that asks for the schemas it calls sends and says at least 40% fewer tokens
  and costs at least 15% less; its critiques and schemas are counted.
- The specification's own counts come to 46% and 18%.
"""

import json

import pytest

from bench import tokens as bench
from clients.registries import Registries
from infra.published_version import MemoryPublishedVersion
from infra.settings import ROOT
from registry import Registry


def test_the_specifications_own_counts() -> None:
    assert bench._spec() == {"tokens saved": 0.464, "cost saved": 0.18}


@pytest.mark.skipif(not (bench.CASES / "dialogues-bookings.json").is_file(), reason="the shared cases are not here")
async def test_the_traffic_mix() -> None:
    registries = Registries(Registry((ROOT / "overlays" / "roller",)), MemoryPublishedVersion())
    known = json.loads((bench.CASES / "dialogues-bookings.json").read_text())
    parts = [(s, await bench._three(registries, known, [(t, False, []) for t in texts])) for _, s, texts in bench.MIX]
    figures = bench._figures(parts)["frugal"]
    assert figures["tokens saved"] >= 0.40 and figures["Claude Sonnet saved"] >= 0.15
    risky = parts[2][1]
    assert all(len(cost.calls) == 4 for cost in risky["frugal"]), "schemas, look-up, plan and second look"
