"""`iq eval`: the scores that the product promises, on the shared cases, and the commands' errors for bad files.
Guarantees:

- The resolver: every own case right; public ones at least 90% right and at most 1% wrong after reasoned exclusions
  (`tests/unit/language/test_cases.py` lists those).
- The offline planner with the core's own rules around it: at least 90% right, every "ask" asked, no wrong plan, in both
  languages. Any OpenAI-compatible model can be evaluated instead.
- The core's grounding over proposals of a model: a ratchet, it only gets better.
- Chats of several turns through the whole stack, with the offline planner: at least 90% right, none wrong. A third of
  them here (`make eval` scores all).
- The last line is JSON: cases, right, asked, wrong.
"""

import json
import shutil
from pathlib import Path

import pytest

from cli.commands import eval
from evals import scoring
from evals.scorecard import BadCasesError, read_cases
from infra.config.settings import ROOT, Settings

pytestmark = pytest.mark.slow

CASES = Path(ROOT).parent / "shared" / "cases"
needs_cases = pytest.mark.skipif(not CASES.exists(), reason="../shared/cases is not there")


def last_line(capsys: pytest.CaptureFixture[str]) -> dict[str, int]:
    """Return the JSON at the end of the output."""
    found: dict[str, int] = json.loads(capsys.readouterr().out.strip().splitlines()[-1])
    return found


@needs_cases
@pytest.mark.parametrize("name", ["own_en", "own_it", "own_edge"])
async def test_every_own_case_is_right(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert await eval.run("when", Settings(_env_file=None), CASES / f"{name}.jsonl", show_misses=False) == 0
    line = last_line(capsys)
    assert line["right"] == line["cases"] > 10


@needs_cases
@pytest.mark.parametrize("name", ["when_en", "when_it"])
def test_public_cases_are_nearly_all_right(name: str) -> None:
    line = json.loads(scoring.evaluate(CASES / f"{name}.jsonl").line())
    assert line["right"] >= 0.9 * line["cases"]
    assert line["wrong"] <= 0.02 * line["cases"], "before the exclusions of tests/unit/language/test_cases.py"


@needs_cases
async def test_the_offline_planner_makes_no_wrong_plan(capsys: pytest.CaptureFixture[str]) -> None:
    assert await eval.run("utterances", Settings(_env_file=None), CASES / "utterances.jsonl", show_misses=True) == 0
    printed = capsys.readouterr().out
    line = json.loads(printed.strip().splitlines()[-1])
    assert line["cases"] == 82
    assert line["right"] >= 0.9 * 82, printed
    assert line["wrong"] == 0, printed
    row = next(r for r in printed.splitlines() if r.startswith("ask "))
    assert row.split()[1] == row.split()[2], "every ask is asked"


async def test_a_strangers_requests_are_served_no_worse_than_at_first(capsys: pytest.CaptureFixture[str]) -> None:
    path = ROOT / "evals" / "cases" / "requests_1.jsonl"
    assert await eval.run("utterances", Settings(_env_file=None), path, show_misses=False) == 0
    line = last_line(capsys)
    assert line["cases"] == 60
    assert line["right"] >= 31, "its first run (evals/cases/README.md)"
    assert line["wrong"] == 0, "its first run had one: a time was left out"


@needs_cases
async def test_what_the_core_makes_of_a_models_proposals_is_scored(capsys: pytest.CaptureFixture[str]) -> None:
    assert await eval.run("grounding", Settings(_env_file=None), CASES / "grounding.jsonl", show_misses=False) == 0
    line = last_line(capsys)
    assert (line["cases"], line["right"] + line["asked"] + line["wrong"]) == (168, 168)
    assert line["right"] >= 168, "as good as on 2026-11-22, when every value had its own evidence"
    assert line["wrong"] == 0


async def test_proposals_of_our_own_stand_and_fall_as_they_should(capsys: pytest.CaptureFixture[str]) -> None:
    path = ROOT / "evals" / "cases" / "grounding_1.jsonl"
    assert await eval.run("grounding", Settings(_env_file=None), path, show_misses=False) == 0
    line = last_line(capsys)
    assert line["right"] == line["cases"] > 250


@pytest.mark.slow
@needs_cases
@pytest.mark.parametrize("name", ["dialogues", "requests"])
async def test_chats_through_the_whole_stack(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chats = (CASES / f"{name}.jsonl").read_text().splitlines()
    assert len(chats) == 30
    file = tmp_path / f"{name}.jsonl"
    file.write_text("\n".join(chats[::3]) + "\n")
    shutil.copy(CASES / "dialogues-bookings.json", tmp_path)
    assert await eval.run("dialogues", Settings(_env_file=None), file, show_misses=True) == 0
    printed = capsys.readouterr().out
    line = json.loads(printed.strip().splitlines()[-1])
    assert line["right"] >= 0.9 * line["cases"] > 8, printed
    assert line["wrong"] == 0, printed


@pytest.mark.parametrize(
    ("text", "words"), [("{nope\n", "not JSON"), ("", "no cases"), ('{"x": 1}\n', "needs a `text`")]
)
async def test_a_bad_case_file_is_named_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(text)
    with pytest.raises(BadCasesError, match=words):
        read_cases(file)
    assert await eval.run("when", Settings(_env_file=None), tmp_path / "missing.jsonl", show_misses=False) == 2


def test_a_file_of_another_kind_of_case_is_refused_by_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text('{"text": "tomorrow at 3", "gold": []}\n')
    with pytest.raises(BadCasesError, match=r"cases\.jsonl:1: a case needs a `reference`"):
        scoring.evaluate(tmp_path / "cases.jsonl")


async def test_another_model_can_be_evaluated(
    tmp_path: Path, model_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps({"text": "hello", "lang": "en", "expect": "refuse", "gold": []}) + "\n")
    settings = Settings(_env_file=None, model_base_url=model_url, model="anything")
    assert await eval.run("utterances", settings, file, show_misses=False) == 0
    printed = capsys.readouterr().out
    assert f"anything at {model_url}" in printed
