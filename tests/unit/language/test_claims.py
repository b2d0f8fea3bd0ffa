"""Which sentences of a model claim an effect, in English and Italian (`effects/*.txt`, a sentence a line).

- Claims are removed, whatever actor they name and however they are worded; questions, refusals, conditions and
  results of a look-up stay, word for word.
- In a mixed text only the claims are removed; a question keeps what it asks, and is removed as a whole where one word
  would be left of it.
- An operator's message that may ask for a change is recognised by its verbs.
"""

from pathlib import Path

import pytest

from language.replies.effect_claims import asks_for_change, without_effect_claims
from tests.support.tables import table

FOLDER = Path(__file__).parent / "effects"
LANGUAGES = ("en", "it")


def rows(language: str, kind: str) -> list[str]:
    return (FOLDER / f"{language}_{kind}.txt").read_text(encoding="utf-8").splitlines()


@table("language, claim", [(each, row) for each in LANGUAGES for row in rows(each, "claims")])
def test_a_claim_goes(language: str, claim: str) -> None:
    assert without_effect_claims(claim, language) == ""


@table("language, row", [(each, row) for each in LANGUAGES for row in rows(each, "harmless")])
def test_what_claims_nothing_stays(language: str, row: str) -> None:
    assert without_effect_claims(row, language) == row


@table(
    "text, left",
    [
        ("I have cancelled booking 8231. Anything else?", "Anything else?"),
        ("I've moved it, which one is next?", "which one is next?"),
        ("I cannot refund here. I have cancelled it, though.", "I cannot refund here."),
        ("Emma has 4 guests at 3 p.m. today. Done!", "Emma has 4 guests at 3 p.m. today."),
        ("It costs 12.50 AUD each.", "It costs 12.50 AUD each."),
        ("Ho annullato tutto. Quale altra prenotazione?", "Quale altra prenotazione?"),
        ("Was a refund given, and how?", "Was a refund given, and how?"),
        ("Has the deposit been refunded, or is it kept?", "Has the deposit been refunded, or is it kept?"),
        ("I have refunded it, and how?", ""),
        ("I've cancelled it, right?", ""),
        ("Ho rimborsato tutto, e come?", ""),
        ("Ho annullato, giusto?", ""),
        ("", ""),
    ],
)
def test_only_the_claims_go(text: str, left: str) -> None:
    assert without_effect_claims(text, "it-IT" if "Ho" in text else "en-AU") == left


@pytest.mark.parametrize(
    ("message", "asks"),
    [
        ("cancel booking 8231", True), ("sposta Rossi alle 15", True), ("is booking 8231 cancelled?", True),
        ("what time is Emma's party?", False), ("a che ora è la festa di Rossi?", False),
    ],
)  # fmt: skip
def test_a_wish_is_known_by_its_verb(message: str, asks: bool) -> None:
    assert asks_for_change(message) is asks


def test_a_long_text_takes_no_time() -> None:
    assert without_effect_claims("the the of and to " * 2_000, "en")
    assert without_effect_claims("ora è la " * 2_000, "it") is not None
