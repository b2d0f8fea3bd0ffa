"""Invisible characters, and words that mix alphabets (`language.text.invisible`).

- An invisible character is named by its code, once, in order; a line may end where a note may have lines.
- Names of any language, emoji of several parts, kanji with a form, joiners of Arabic and Indian scripts, flags stay.
- A word that mixes alphabets is found, with its foreign letters; a text may hold words of many alphabets.
"""

import pytest

from language.text.invisible import foreign_letters, invisible_in, mixed_script_words, on_one_line, shown
from tests.support.tables import table

HONEST = [
    "Zoë Müller-O’Brien", "Zoe\u0308", "Łukasz Żółć", "İstanbul", "Straße", "Tシャツと東京Tower", "葛\U000e0100城",
    "👩\u200d👩\u200d👧", "👩🏽\u200d🚒", "🏳️\u200d🌈", "❤️", "1️⃣", "می\u200cخواهم", "क्\u200dष", "5 µm, 20 Ω",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "Алексей and Ἀλέξης", "김민수님", "a\u00a0b",
]  # fmt: skip


@table("text", HONEST)
def test_what_people_write_stays(text: str) -> None:
    assert invisible_in(text) == [] and mixed_script_words(text) == [] and shown(text) == text


@table("text, codes, reported", [
    ("nut \u202eallergy", ["U+202E"], "nut [U+202E]allergy"), ("a\u200bb", ["U+200B"], "a[U+200B]b"),
    ("a\u200db\u200cc", ["U+200D", "U+200C"], "a[U+200D]b[U+200C]c"), ("co\u00adop", ["U+00AD"], "co[U+00AD]op"),
    ("\ufeffhi\ufeff", ["U+FEFF"], "[U+FEFF]hi[U+FEFF]"), ("x\u2028y", ["U+2028"], "x[U+2028]y"),
    ("a\x07b", ["U+0007"], "a[U+0007]b"), ("a\ufe0fb", ["U+FE0F"], "a[U+FE0F]b"), ("\u3164", ["U+3164"], "[U+3164]"),
    ("hi\U000e0041\U000e0042", ["U+E0041", "U+E0042"], "hi[U+E0041][U+E0042]"),
    ("\u2066x\u2069", ["U+2066", "U+2069"], "[U+2066]x[U+2069]"),
])  # fmt: skip
def test_what_no_one_sees_is_named(text: str, codes: list[str], reported: str) -> None:
    assert invisible_in(text) == codes and shown(text) == reported


@table("text, reported", [
    ("a\nb", "a b"), ("a\r\n\tb", "a b"), ("a\u2028b", "a b"), ("a\x1b[31mb", "a[U+001B][31mb"), ("Zoë  B", "Zoë  B"),
])  # fmt: skip
def test_a_name_is_no_line_of_its_own(text: str, reported: str) -> None:
    assert on_one_line(text) == reported


def test_a_line_may_end_where_lines_may_be() -> None:
    assert invisible_in("one\ntwo", lines=True) == [] and invisible_in("one\ntwo") == ["U+000A"]


@pytest.mark.parametrize(("text", "words", "letters"), [
    ("nut аllergy", ["аllergy"], "а (Cyrillic)"), ("Αnna", ["Αnna"], "Α (Greek)"), ("Пaвел", ["Пaвел"], "a (Latin)"),
    ("pа\u0308yment", ["pа\u0308yment"], "а (Cyrillic)"), ("p\u0308аy", ["p\u0308аy"], "а (Cyrillic)"),
])  # fmt: skip
def test_a_word_of_two_alphabets_is_reported(text: str, words: list[str], letters: str) -> None:
    assert mixed_script_words(text) == words
    assert foreign_letters(words[0]) == letters
