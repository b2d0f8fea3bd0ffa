"""A guest's question and the knowledge base's answer.

Guarantees:
- each entry's own question, and each keyword alone, finds that entry; the contract's examples do;
- of three times 40 questions in other voices, written before the matcher had seen one, no more go wrong than
  docs/restaurant.md says: none gets another entry's answer. Half of the second and the third are of no entry, and most
  of those share a word with one;
- a word that may mean something else answers nothing by itself among other words, and nothing within a phrase in which
  it does;
- below 0.6 there is no answer; a letter that is wrong in a long word is no matter, a short word must be right;
- each entry of octodemo is found, in Italian and in English.
"""

from pathlib import Path

import pytest
from pydantic import ValidationError

from infra.config.settings import ROOT
from restaurant.faq import THRESHOLD, best_entry, scores
from restaurant.knowledge import FaqEntry, KnowledgeBase, read_folder
from tests.support.tables import table

ALL = read_folder(ROOT / "restaurant" / "kb")
OCTO = ALL["octodemo"]
SETS = {"fresh": 38, "misleading": 39, "company": 40}
"""How many of each 40 are answered right."""


def found(kb: KnowledgeBase, question: str) -> str:
    entry = best_entry(kb, question)
    return entry.id if entry else ""


@pytest.mark.parametrize("kb", ALL.values(), ids=list(ALL))
def test_what_stands_in_an_entry_finds_it(kb: KnowledgeBase) -> None:
    for entry in kb.faq:
        assert found(kb, entry.question) == entry.id
        for keyword in (*entry.keywords, *entry.words):
            assert found(kb, f"Scusi, {keyword}?") == entry.id, keyword


def test_gluten() -> None:
    assert {found(kb, "Avete opzioni per celiaci senza glutine?") for kb in ALL.values()} == {"gluten"}


@pytest.mark.parametrize(("name", "right"), SETS.items())
def test_forty_fresh_questions(name: str, right: int) -> None:
    lines = (Path(__file__).parent / f"faq_{name}.tsv").read_text(encoding="utf-8").splitlines()
    asked = [line.split("\t") for line in lines]
    assert len(asked) == 40
    got = [(found(OCTO, question), wanted, question) for question, wanted in asked]
    assert [row for row in got if row[0] and row[0] != row[1]] == []
    assert sum(one == wanted for one, wanted, _ in got) >= right


@table(
    "question, wanted",
    [
        ("avete piatti senza glutne", "gluten"),
        ("c'e il parchegio?", "parking"),
        ("Can I pay by credit card?", "cards"),
        ("are children welcome?", "children"),
        ("can we come?", ""),
        ("carne o pesce?", ""),
        ("dogs?", "animals"),
        ("do dogs bark here at night?", ""),
        ("do you sell hot dogs? and may I bring my dog?", "animals"),
        ("Do you accept dogs and cats?", "animals"),
        ("avete piatti senza lattosio?", ""),
        ("is there a park?", ""),
        ("is there a parking?", "parking"),
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


@pytest.mark.parametrize(
    "wrong", [{}, {"keywords": ["glutine"], "beside": ["piatti"]}, {"words": ["pos"], "but_nots": ["x"]}]
)
def test_an_entry_that_cannot_be_found_is_refused(wrong: dict[str, list[str]]) -> None:
    with pytest.raises(ValidationError):
        FaqEntry(id="x", question="Che cosa?", answer="Questo.", **wrong)  # type: ignore[arg-type]
