"""Guests' questions, over three sets, each written before the word lists or the matcher that it measures: 102 for the
restaurant and 62 for the trampoline park, half of them about things without an entry (`guests_first.jsonl`,
`guests_second.jsonl`, `guests_third.jsonl`; `docs/guided-reasoning.md` has the first scores).

Guarantees:
- no entry answers a question about a thing without an entry, an allergen above all;
- of the others all but a handful get their entry, and the rest "I don't know", never another one;
- an entry on one allergen answers no question about another, whether or not a list has its name.
"""

import json
from pathlib import Path

import pytest

from contracts.venue import Faq, VenueKnowledge
from language.messages.catalogue import activate_locale
from reasoning.venue_facts.entries import answering, entries_of
from tests.support.shipped import shipped
from tests.support.tables import table

HERE = Path(__file__).parent
CASES = [
    json.loads(line)
    for name in ("guests_first", "guests_second", "guests_third")
    for line in (HERE / f"{name}.jsonl").read_text().splitlines()
]
KNOWN = {pack: shipped(pack).knowledge for pack in ("restaurant", "roller")}
MISSED = 11
"""So many questions that an entry would answer get none."""
ALLERGENS = (
    "lattosio", "latte", "uova", "crostacei", "pesce", "arachidi", "soia", "noci", "frutta secca", "sedano", "senape",
    "sesamo", "solfiti", "lupini", "molluschi", "nichel", "lievito", "peperoni", "aglio",
)  # fmt: skip


def keys(question: str, known: VenueKnowledge) -> list[str]:
    activate_locale("en")
    return [entry.key for entry in answering(question, entries_of(known))]


@table("case", [c for c in CASES if not c["entry"]])
def test_what_no_entry_is_about_is_answered_by_none(case: dict[str, str]) -> None:
    assert keys(case["asked"], KNOWN[case["pack"]]) == []


def test_the_others_get_their_entry_or_none() -> None:
    asked = [case for case in CASES if case["entry"]]
    got = [(case, keys(case["asked"], KNOWN[case["pack"]])) for case in asked]
    assert [(case["asked"], found) for case, found in got if found not in ([case["entry"]], [])] == []
    missed = [case["asked"] for case, found in got if not found]
    assert len(missed) <= MISSED, missed


@pytest.mark.parametrize("pattern", [
    "avete piatti senza {}?", "fate qualcosa senza {}?", "sono allergico a {}, cosa posso mangiare?",
    "i piatti senza glutine contengono {}?", "avete opzioni senza glutine e senza {}?",
])  # fmt: skip
@pytest.mark.parametrize("allergen", ALLERGENS)
def test_one_allergen_is_not_another(pattern: str, allergen: str) -> None:
    assert keys(pattern.format(allergen), KNOWN["restaurant"]) == []


@pytest.mark.parametrize("question", [
    "do you have {}-free dishes?", "do you have dishes without {}?", "I'm allergic to {}, what can I eat?",
])  # fmt: skip
@pytest.mark.parametrize("allergen", ["lactose", "egg", "soy", "nut", "nickel", "mustard", "kiwi"])
def test_nor_in_english(question: str, allergen: str) -> None:
    assert keys(question.format(allergen), KNOWN["restaurant"]) == []


def test_nearly_the_same_words_of_another_thing() -> None:
    known = VenueKnowledge(faqs=(Faq(question="Avete anche dei primi piatti senza glutine?", answer="Sì."),))
    assert keys("avete anche dei primi piatti senza glutine?", known) == ["faqs.1"]
    assert keys("avete anche dei primi piatti senza uova?", known) == []
