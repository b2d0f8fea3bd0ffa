"""A guest's question and the knowledge base's answer.

Guarantees:
- each entry's own question, and each keyword alone, finds that entry; the contract's examples do;
- of 40 questions in another voice, written before the matcher had seen one, no more go wrong than docs/restaurant.md
  says: none gets another entry's answer;
- below 0.6 there is no answer; a letter that is wrong in a long word is no matter, a short word must be right;
- each entry of octodemo is found, in Italian and in English.
"""

from pathlib import Path

import pytest

from infra.settings import ROOT
from restaurant.faq import THRESHOLD, best_entry, scores
from restaurant.knowledge import KnowledgeBase, read_folder

ALL = read_folder(ROOT / "restaurant" / "kb")
OCTO = ALL["octodemo"]
FRESH = [
    line.split("\t") for line in (Path(__file__).parent / "faq_fresh.tsv").read_text(encoding="utf-8").splitlines()
]


def found(kb: KnowledgeBase, question: str) -> str:
    entry = best_entry(kb, question)
    return entry.id if entry else ""


@pytest.mark.parametrize("kb", ALL.values(), ids=list(ALL))
def test_what_stands_in_an_entry_finds_it(kb: KnowledgeBase) -> None:
    for entry in kb.faq:
        assert found(kb, entry.question) == entry.id
        for keyword in entry.keywords:
            assert found(kb, f"Scusi, {keyword}?") == entry.id, keyword


def test_gluten() -> None:
    assert {found(kb, "Avete opzioni per celiaci senza glutine?") for kb in ALL.values()} == {"gluten"}


def test_forty_fresh_questions() -> None:
    assert len(FRESH) == 40
    got = [(found(OCTO, question), wanted) for question, wanted in FRESH]
    assert sum(one == wanted for one, wanted in got) >= 38
    assert [pair for pair in got if pair[0] and pair[0] != pair[1]] == []


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("avete piatti senza glutne", "gluten"),
        ("c'e il parchegio?", "parking"),
        ("Can I pay by credit card?", "cards"),
        ("are children welcome?", "children"),
        ("can we come?", ""),
        ("carne o pesce?", ""),
        ("siete aperti domenica?", ""),
        ("", ""),
        ("?!", ""),
    ],
)
def test_letters_and_limits(question: str, wanted: str) -> None:
    assert found(OCTO, question) == wanted


def test_the_threshold_is_between() -> None:
    whole = max(scores(OCTO, "avete un parcheggio?"), key=lambda one: one.score)
    assert whole.score == 1.0 and THRESHOLD == 0.6
    assert all(0 <= one.score <= 1 for one in scores(OCTO, "vorrei sapere se avete tavoli grandi"))
    assert best_entry(OCTO, "vorrei sapere se avete tavoli grandi") is None
