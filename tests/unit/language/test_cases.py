"""The resolver over the shared cases, scored as their README requires. Guarantees:

- own_en, own_it, own_edge: every row right
- when_en, when_it: at least 90% right and at most 1% wrong, after excluding at most 5% mislabelled rows
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from evals.scoring import now_of, score_case, zone_of
from infra.config.settings import ROOT
from language import resolve

CASES = ROOT.parent / "shared" / "cases"

EXCLUDED = {
    "hb-en-0364": "'a year from Christmas' is labelled Christmas itself",
    "hb-en-0370": "'this evening at 2' is labelled 14:00, which is no evening; ours is the night that follows",
    "hb-en-0371": "'tonight at 2' is labelled 14:00; the facts say the next calendar day",
    "hb-en-0388": "'this morning at 12' is labelled midnight of the next day",
    "hb-en-0456": "the label takes the second of two times ('15h05 20h15Leave')",
    "hb-en-0513": "'18th' said on 20 June is labelled 18 August, skipping July",
    "hb-it-0257": "'3:20' said at 04:30 offers 15:20 on the next day only; today's is ahead and in opening hours",
    "hb-it-0258": "as hb-it-0257",
}


def load(name: str) -> list[dict[str, Any]]:
    path = CASES / f"{name}.jsonl"
    if not path.exists():
        pytest.skip(f"the shared cases are not beside this checkout ({name}.jsonl)")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def score(cases: list[dict[str, Any]]) -> tuple[Counter[str], list[str]]:
    tally: Counter[str] = Counter()
    misses: list[str] = []
    for case in cases:
        resolution = resolve(case["text"], now=now_of(case), tz=zone_of(case), locale=case["lang"])
        result = score_case(case, resolution)
        tally[result] += 1
        if result != "right":
            misses.append(f"{result}: {case['id']} {case['text']!r} gave {resolution}")
    return tally, misses


@pytest.mark.parametrize("name", ["own_en", "own_it", "own_edge"])
def test_every_own_case_is_right(name: str) -> None:
    cases = load(name)
    tally, misses = score(cases)
    assert tally["right"] == len(cases), "\n".join(misses)


@pytest.mark.parametrize("name", ["when_en", "when_it"])
def test_public_cases_are_right_or_asked(name: str) -> None:
    everything = load(name)
    cases = [case for case in everything if case["id"] not in EXCLUDED]
    assert len(everything) - len(cases) <= 0.05 * len(everything)
    tally, misses = score(cases)
    assert tally["right"] >= 0.9 * len(cases), "\n".join(misses)
    assert tally["wrong"] <= 0.01 * len(cases), "\n".join(misses)


def test_edge_cases_keep_their_flag() -> None:
    """An edge row that expects an error or a question must not come back as a plain value, seven o'clock aside."""
    for case in load("own_edge"):
        expected = case["expected"]
        resolution = resolve(case["text"], now=now_of(case), tz=zone_of(case), locale=case["lang"])
        if expected.startswith("error:"):
            assert resolution.error == expected.removeprefix("error:"), case["text"]
        elif expected.startswith("ambiguous:") and case["id"] != "edge-033":
            assert resolution.status == "ambiguous", case["text"]
