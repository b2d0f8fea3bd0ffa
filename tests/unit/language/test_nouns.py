"""A venue's own nouns in our sentences. Guarantees:

- every sentence, in every language, works with any noun: no gap is left, and Italian articles, endings and elisions
  agree with its gender and its first letters;
- a venue that names nothing gets bookings, guests and the booking system; one language of a pack's nouns is enough, the
  other then uses ours.
"""

import re

import pytest

from contracts.venue import Noun
from language.messages.catalogue import activate_locale, languages, messages, translate
from language.messages.nouns import DEFAULTS, NounForms

_GAP = re.compile(r"{[{%].*?[}%]}")

PREN, TAVOLO, APP, SPETT, ORA = (
    Noun(one="prenotazione", many="prenotazioni", gender="f"),
    Noun(one="tavolo", many="tavoli"),
    Noun(one="appuntamento", many="appuntamenti"),
    Noun(one="spettacolo", many="spettacoli"),
    Noun(one="ora", many="ore", gender="f"),
)


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        (PREN, "la #|della #|una #|nessuna #|quella #|questa #"),
        (TAVOLO, "il #|del #|un #|nessun #|quel #|questo #"),
        (APP, "l'#|dell'#|un #|nessun #|quell'#|questo #"),
        (SPETT, "lo #|dello #|uno #|nessuno #|quello #|questo #"),
        (ORA, "l'#|dell'#|un'#|nessun'#|quell'#|questa #"),
    ],
)  # fmt: skip
def test_italian_small_words_agree(word: Noun, forms: str) -> None:
    noun = NounForms(word)
    assert [noun.il, noun.form("del"), noun.un, noun.nessun, noun.quel, noun.questo] == forms.replace(
        "#", word.one
    ).split("|")


@pytest.mark.parametrize(
    ("one", "message"), [("order", "an order"), ("table", "a table"), ("hour", "an hour"), ("unit", "a unit")]
)
def test_english_articles(one: str, message: str) -> None:
    assert NounForms(Noun(one=one)).a == message


@pytest.mark.parametrize("language", languages())
def test_every_sentence_can_be_stated_with_any_word(language: str) -> None:
    """Sentences that take nothing else; a missing form would be an error."""
    for word in (PREN, TAVOLO, APP, SPETT, ORA):
        own = {kind: {language: word} for kind in ("booking", "guest", "system")}
        activate_locale(language, own)
        for key, source in messages(language).items():
            asked = set(re.findall(r"(?:thing|guest|system)\.(\w+)", source))
            assert all(getattr(NounForms(word), form) for form in asked), key
            if "{" not in re.sub(r"{{ (?:thing|guest|system)\.\w+ }}", "", source):
                assert "{" not in translate(key)
    activate_locale("en")


@pytest.mark.parametrize("language", languages())
def test_no_sentence_says_a_word_that_a_venue_has_its_own_for(language: str) -> None:
    ours = {"en": r"\bbookings?\b|\bguests?\b", "it": r"\bprenotazion[ei]\b|\bospit[ei]\b"}[language]
    found = [key for key, text in messages(language).items() if re.search(ours, _GAP.sub("", text), re.IGNORECASE)]
    assert found == []


def test_a_pack_s_own_words() -> None:
    own = {"booking": {"en": Noun.model_validate("lesson"), "it": Noun.model_validate(["lezione", "lezioni", "f"])}}
    activate_locale("en-GB", own)
    assert translate("ask.which_booking") == "Which lesson do you mean?"
    assert translate("read.one", row="Ann", reference="7") == "Ann. Reference 7.", (
        "a table's reference is no table's number"
    )
    activate_locale("it-IT", {**own, "system": {"it": Noun(one="gestionale", many="gestionali")}})
    assert translate("failure.not_found").startswith("Questa lezione non esiste più: potrebbe essere stata modificata")
    assert translate("failure.server_error").startswith("Il gestionale è ")
    activate_locale("it-IT", own, "voucher")
    assert translate("ask.which_booking") == "Quale prenotazione intende?"
    activate_locale("it-IT", {**own, "voucher": {"it": Noun(one="buono", many="buoni")}}, "voucher")
    assert translate("failure.not_found").startswith(
        "Questo buono non esiste più: potrebbe essere stato modificato o eliminato"
    )
    activate_locale("en")
    assert translate("ask.which_booking") == "Which booking do you mean?"
    assert DEFAULTS["booking"]["en"].many == "bookings"
