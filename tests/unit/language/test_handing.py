"""A request for staff is understood in both languages, whatever courtesies are around it. A message that only reports
on others, mentions people at a table, or puts it into a note is no such request."""

import pytest

from language.replies.message_reading import asks_for_a_person
from tests.support.tables import table


@table(
    "text",
    [
        "vorrei parlare con una persona",
        "Voglio parlare con un operatore!",
        "Scusi, posso parlare con qualcuno?",
        "mi fa parlare con un responsabile per favore",
        "mi passi una persona vera",
        "passami un operatore umano, grazie",
        "mi può passare un collega?",
        "Un operatore, per favore",
        "parlare con una persona",
        "vorrei parlare con una persona del ristorante per una cena di 20",
        "get me a human",
        "I want to speak to a person",
        "i'd like to talk to someone",
        "Can I talk to a real person please?",
        "please connect me to an agent",
        "put me through to a manager",
        "a human please",
        "let me speak with somebody from the team",
        "speak to a person",
    ],
)
def test_who_asks_for_a_person(text: str) -> None:
    assert asks_for_a_person(text)


@table(
    "text",
    [
        "una persona",
        "una persona in più",
        "vorrei una persona in più",
        "un tavolo per una persona",
        "porta il tavolo di Rossi a una persona",
        "la signora Rossi vorrebbe parlare con una persona",
        "aggiungi nota: vuole parlare con una persona",
        "non voglio parlare con una persona",
        "vorrei parlare con Mario",
        "sposta il tavolo di Operatore alle 21",
        "she wants to talk to a person",
        "i want a meeting with a person",
        "i need to talk to Marco",
        "add a note: wants to speak to a person",
        "I don't want to speak to a person",
        "2 people",
        "make it one person",
        "tell a person",
        "",
        "yes",
    ],
)
def test_who_does_not(text: str) -> None:
    assert not asks_for_a_person(text)


@pytest.mark.parametrize("text", ["speak to a person about ", "vorrei parlare con una persona, per favore, di "])
def test_a_long_text_is_not_looked_through(text: str) -> None:
    assert asks_for_a_person(text + "x" * 100)
    assert not asks_for_a_person(text + "x" * 5_000)
