"""A guest's question and the knowledge base's answer.

Guarantees:
- Each entry's own question, and each of its synonyms alone, finds that entry; the contract's examples do.
- Of six sets of questions no more fail than docs/restaurant.md says, and none gets another entry's answer. About half
  of them are of no entry, and many of those share a word with one.
- Below 0.6 there is no answer; a wrong letter in a long word does not matter, a short word must be right.
- Each entry of octodemo is found, in Italian and in English.
- An entry is a question, an answer and synonyms: any other key is refused.
"""

from pathlib import Path

import pytest
from pydantic import ValidationError

from infra.config.settings import ROOT
from language.venue_facts.matching import THRESHOLD, best_entry, scores
from restaurant.knowledge import FaqEntry, KnowledgeBase, read_folder
from tests.support.tables import table

ALL = read_folder(ROOT / "restaurant" / "kb")
OCTO = ALL["octodemo"]
SETS = {
    "fresh": (38, 40), "misleading": (39, 40), "company": (40, 40), "spoken": (99, 106), "meanwhile": (254, 265),
    "last": (76, 80),
}  # fmt: skip
"""How many of each are answered right."""


def found(kb: KnowledgeBase, question: str) -> str:
    entry = best_entry(question, kb.faq)
    return entry.id if entry else ""


@pytest.mark.parametrize("kb", ALL.values(), ids=list(ALL))
def test_what_stands_in_an_entry_finds_it(kb: KnowledgeBase) -> None:
    for entry in kb.faq:
        assert found(kb, entry.question) == entry.id
        for synonym in entry.synonyms:
            assert found(kb, f"Scusi, {synonym}") == entry.id, synonym


def test_gluten() -> None:
    assert {found(kb, "Avete opzioni per celiaci senza glutine?") for kb in ALL.values()} == {"gluten"}


@pytest.mark.parametrize(("name", "right", "all_"), [(name, *counts) for name, counts in SETS.items()])
def test_fresh_questions(name: str, right: int, all_: int) -> None:
    lines = (Path(__file__).parent / f"faq_{name}.tsv").read_text(encoding="utf-8").splitlines()
    asked = [line.split("\t") for line in lines]
    assert len(asked) == all_
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
    assert max(scores("avete un parcheggio?", OCTO.faq)) == 1.0 and THRESHOLD == 0.6
    assert all(0 <= score <= 1 for score in scores("vorrei sapere se avete tavoli grandi", OCTO.faq))
    assert best_entry("vorrei sapere se avete tavoli grandi", OCTO.faq) is None


@pytest.mark.parametrize("wrong", [{"keywords": ["glutine"]}, {"beside": ["piatti"]}, {"but_not": ["x"]}])
def test_another_key_is_refused(wrong: dict[str, list[str]]) -> None:
    with pytest.raises(ValidationError):
        FaqEntry(id="x", question="Che cosa?", answer="Questo.", **wrong)  # type: ignore[arg-type]
