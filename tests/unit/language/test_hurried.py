"""Words typed in a hurry.

Guarantees: a common word that has lost its vowels is read, in either language; a real abbreviation that looks like one
stays as it is, and so does every word with a vowel.
"""

import pytest

from language.requests.parts import expand_abbreviations
from language.text.lexer import expand_abbreviation
from tests.support.tables import table


@table(
    "code, typed, meant",
    [
        ("en", "sry", "sorry"), ("en", "chng", "change"), ("en", "prty", "party"), ("en", "tmrw", "tomorrow"),
        ("en", "fwd", "forward"), ("it", "sn", "sono"), ("it", "nn", "non"), ("it", "qst", "questo"),
        ("it", "ke", "che"), ("it", "spst", "sposta"),
    ],
)  # fmt: skip
def test_a_word_without_its_vowels(code: str, typed: str, meant: str) -> None:
    assert expand_abbreviation(typed, code) == meant


@pytest.mark.parametrize(("code", "typed"), [("en", "mr"), ("en", "pm"), ("en", "hrs"), ("en", "emma"), ("it", "km")])
def test_what_is_no_such_word_stays(code: str, typed: str) -> None:
    assert expand_abbreviation(typed, code) == typed


def test_a_message_is_written_out() -> None:
    assert expand_abbreviations("drummond sn in 9", "it-IT") == "drummond sono in 9"
    assert expand_abbreviations("sry, 5.45", "en-AU") == "sorry, 5.45"
