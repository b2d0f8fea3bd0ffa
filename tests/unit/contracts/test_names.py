"""Names that come in from outside.

Guarantees: an invisible character (controls, NUL among them, ends of lines, direction marks, joiners, blanks that count
as letters, halves of a character) is in no name, whatever else the name may hold; letters of every script and marks on
them are allowed; a name that cannot be refused is kept without such characters.
"""

from typing import Annotated

import pytest
from pydantic import TypeAdapter, ValidationError

from contracts.identifiers import UNSEEN, Identifier, Seen, is_printable, sanitize_display_text, strip_unprintable
from tests.support.tables import table

HIDDEN = [
    "\x00", "\x01", "\x1f", "\x7f", "\x85", "\n", "\t", "\u202e", "\u202a", "\u2066", "\u2069", "\u200b", "\u200c",
    "\u200d", "\u200e", "\u200f", "\u061c", "\u2028", "\u2029", "\ufeff", "\u00ad", "\u180e", "\ufe0f", "\u3164",
    "\u2800",
    "\U000e0041", "\U000e0100", "\ud83c", "\ue000", "\u034f",
]  # fmt: skip
NAME = TypeAdapter(Annotated[str, Seen])


@table("character", HIDDEN)
def test_what_is_not_seen_is_in_no_name(character: str) -> None:
    for text in (character, f"Ada{character}", f"{character}Ada", f"A{character}da"):
        assert not is_printable(text)
        with pytest.raises(ValidationError):
            TypeAdapter(Identifier).validate_python(text)
    if character != "\ud83c":
        with pytest.raises(ValidationError) as refused:
            NAME.validate_python(f"Ada{character}")
        assert refused.value.errors()[0]["type"] == UNSEEN
    assert strip_unprintable(f"A{character}da") == "Ada"


@pytest.mark.parametrize(
    "name", ["Ada", "Ada Lovelace", "Zoë", "Zoe\u0308", "Łukasz", "王小明", "أحمد", "O’Hara", "名"]
)
def test_a_name_of_any_script_is_one(name: str) -> None:
    assert is_printable(name) and NAME.validate_python(name) == name and strip_unprintable(name) == name


@pytest.mark.parametrize("name", ["session-1", "a.b:c@d+e_f", "é", "x" * 128])
def test_an_id(name: str) -> None:
    assert TypeAdapter(Identifier).validate_python(name) == name


def test_a_persons_words_keep_their_lines_and_drive_nothing() -> None:
    assert sanitize_display_text("Yes.\r\nBring\ta cake 👨‍👩‍👧.") == "Yes.\nBring a cake 👨‍👩‍👧."
    assert sanitize_display_text("a\x1b[31mred\x07 yes\u202esey\u2066\x00") == "a[31mred yessey"
    assert sanitize_display_text("שלום، أهلا") == "שלום، أهلا" and sanitize_display_text("\x07\u202e").strip() == ""
