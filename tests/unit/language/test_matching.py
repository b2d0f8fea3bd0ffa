"""The entry that answers a question, by `language.venue_facts.matching`.

Guarantees:
- a synonym is found by all its words near one another, in any order and form; with a question mark it is a wording,
  which counts if nothing else is asked;
- a question that is half about something else has no answer, and one about another allergen none, whatever it shares;
- a word with another meaning in its phrase ("hot dog") does not count, nor does a word that only begins otherwise;
- words of nearly any question neither find an entry nor speak against one.
"""

from contracts.venue import Faq
from language.venue_facts.matching import best_entry, scores
from tests.support.tables import table

ENTRIES = (
    Faq(question="Gli animali sono ammessi?", answer="Sì, al guinzaglio.", synonyms=("portare cane", "con un cane")),
    Faq(question="Avete piatti senza glutine?", answer="Sì.", synonyms=("celiaco",)),
    Faq(question="Avete un parcheggio?", answer="Sì, privato.", synonyms=("posteggiare", "parking")),
    Faq(question="Accettate carte di credito?", answer="Sì.", synonyms=("pagare carta", "bancomat?")),
    Faq(question="Si può pagare in contanti?", answer="Sì.", synonyms=("cash?",)),
    Faq(question="Ci sono tavoli all'aperto?", answer="Sì.", synonyms=("mangiare fuori",)),
)


def found(question: str) -> str:
    entry = best_entry(question, ENTRIES)
    return entry.question if entry else ""


@table(
    "question, wanted",
    [
        ("il cane, lo posso portare?", "Gli animali sono ammessi?"),
        ("lo portiamo a cena, e poi domani torniamo a prendere il cane", ""),
        ("cani e gatti?", "Gli animali sono ammessi?"),
        ("quanti cani avete?", ""),
        ("fate hot dog?", ""),
        ("fate hot dog con un cane?", "Gli animali sono ammessi?"),
        ("mia figlia è celiaca, riuscite a farle una torta?", "Avete piatti senza glutine?"),
        ("piatti senza glutine e senza lattosio?", ""),
        ("sono celiaca e allergica alle noci, che cosa mangio?", ""),
        ("si può festeggiare da voi?", ""),
        ("si può postegiare da voi?", "Avete un parcheggio?"),
        ("is there a park?", ""),
        ("can we pay?", ""),
        ("avete il bancomat stasera?", "Accettate carte di credito?"),
        ("dove trovo un bancomat in zona?", ""),
        ("prendete i contanti?", "Si può pagare in contanti?"),
        ("fate credito?", ""),
        ("fuori avete posto?", "Ci sono tavoli all'aperto?"),
        ("fuori menu che cosa avete?", ""),
        ("e il guinzaglio per gli animali?", "Gli animali sono ammessi?"),
    ],
)
def test_what_answers(question: str, wanted: str) -> None:
    assert found(question) == wanted


def test_a_wrong_letter_takes_a_fifth() -> None:
    assert scores("avete il parchegio?", ENTRIES)[2] == 0.8
    assert scores("avete il parcheggio?", ENTRIES)[2] == 1.0


def test_a_word_of_grammar_has_no_other_form() -> None:
    animals = [Faq(question="Gli animali sono ammessi?", answer="Sì.", synonyms=("cane",))]
    assert scores("can we come?", animals) == [0.0] and scores("e i cani, da voi?", animals) == [1.0]


def test_without_entries_or_words_there_is_none() -> None:
    assert best_entry("avete un parcheggio?", ()) is None
    assert best_entry("", ENTRIES) is None and best_entry("?!", ENTRIES) is None
    assert scores("x", [Faq(question="…", answer="…", synonyms=("--",))]) == [0.0]
