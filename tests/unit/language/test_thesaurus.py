"""The thesaurus of venue words, and names recognised by their capitals. Guarantees:

- A word, its plural, its tense and its Italian forms belong to their group; a phrase counts for itself and not for its
  single words, with other words inside it where it may have them, and never across half a sentence.
- A text is read by the words of one language: Italian "fine" is no English word.
- Every group has entries in both languages, none twice, none empty.
- A name is a capital inside a sentence that is no word of the language or of venues; a message gives a value for a
  person where a name follows "for" or is a possessive.
"""

import pytest

from language.text.names import find_names, for_whom
from language.vocabulary.thesaurus import Thesaurus, entries, languages_of, venue_words
from tests.support.tables import table


def groups(text: str) -> set[str]:
    return {name for name, _ in venue_words().meant(text.lower().split(), languages_of(text))}


@table(
    "message, group",
    [
        ("scrapping the bookings", "to cancel"),
        ("two reservations", "booking"),
        ("call the whole party off", "to cancel"),
        ("she wants her money back", "refund"),
        ("a gift card for them", "voucher"),
        ("their membership", "membership"),
        ("the bills of the club", "invoice"),
        ("a cheaper tariff for it", "price"),
        ("at the till", "till"),
        ("disdici tutto", "to cancel"),
        ("le prenotazioni di domani", "booking"),
        ("rimborsala subito", "refund"),
        ("vorrei stornare il conto", "refund"),
        ("un buono regalo per lei", "voucher"),
        ("gli abbonamenti", "membership"),
        ("la fattura della scuola", "invoice"),
        ("quanti coperti sono", "party_size"),
        ("lo sconto della festa", "discount"),
    ],
)
def test_words_speak_of_their_group(message: str, group: str) -> None:
    assert group in groups(message)


def test_a_phrase_counts_for_itself_alone() -> None:
    assert "card" not in groups("put it on a gift card")
    assert "card" in groups("put it on the card")
    assert "to cancel" not in groups("call Emma about the kids and the cake and then turn the heating off")


def test_a_text_is_read_in_one_language() -> None:
    assert "location" in groups("the address of the branch")
    assert "location" in groups("la sede è chiusa")
    assert "resource" not in groups("what we made in sale of the week"), "sale is a hall in Italian"


def test_words_of_ones_own_are_found_in_any_language() -> None:
    own = Thesaurus({"voucher": {"": ["gift pass", "regalone"]}})
    assert own.meant("due regaloni".split(), ("it",)) == [("voucher", (1,))]
    assert own.meant("two gift passes".split(), ("en",)) == [("voucher", (1, 2))]


def test_every_group_has_both_languages_and_no_word_twice() -> None:
    for name, words in entries().items():
        assert set(words) == {"en", "it"}, name
        for rows in words.values():
            assert all(rows), name
            assert len(rows) == len(set(rows)), (name, [e for e in rows if rows.count(e) > 1])


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("scrap the Tuesday class for the Murphys", ["murphys"]), ("Tom Baxter has a new email", ["tom", "baxter"]),
        ("the Rowing Club owes us", ["rowing", "club"]), ("disdici l'abbonamento di Marco Conti", ["marco", "conti"]),
        ("Take the Visa off. On Monday. In July", []), ("CANCEL IT ALL", []),
        ("scrap it\nZumba is off", []), ("Refund it", []),
    ],
)  # fmt: skip
def test_names_are_reported_by_capitals(message: str, names: list[str]) -> None:
    assert find_names(message) == names


@table(
    "message, names, strange",
    [
        ("15 guests for Oliver Green", ("oliver", "green"), ()), ("15 for kowalski", (), ("kowalski",)),
        ("3pm for KOWALSKI", ("kowalski",), ()), ("15 persone per Rossi", ("rossi",), ()),
        ("Kowalski's should be 15 guests", (), ("kowalski",)), ("fifteen guests for Emma", ("emma",), ()),
        ("Oliver Green", (), ()), ("For Kowalski", (), ()), ("table for 4", (), ()), ("12 for lunch", (), ()),
        ("3pm for the party", (), ()), ("per le 15", (), ()), ("the 2 for Monday", (), ()), ("15", (), ()),
    ],
)  # fmt: skip
def test_for_whom_a_value_is_given(message: str, names: tuple[str, ...], strange: tuple[str, ...]) -> None:
    found = for_whom(message)
    assert (found.names, found.strange) == (names, strange)
