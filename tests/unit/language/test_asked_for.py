"""The kind of value that a question asks for, by its words (`language/redaction/asked_for.py`): each kind in English
and Italian, two at once, a number of any kind, and nothing where the question asks for none."""

from language.redaction.vocabulary import asked_for
from tests.support.tables import table


@table("question, kinds", [
    ("How many guests should it be in all?", ["count"]), ("Per quante persone?", ["count"]),
    ("Which day or time should it be moved to?", ["date", "time"]), ("A che ora?", ["time"]),
    ("What is the new phone number?", ["phone"]), ("Qual è il numero di telefono?", ["phone"]),
    ("Which e-mail address is it?", ["email"]), ("What should the note say?", ["note"]),
    ("I have changed the time. Which one is it?", []), ("Which booking is it?", []),
    ("What is the new number?", []), ("What number of guests?", ["count"]), ("The day is not free.", []),
])  # fmt: skip
def test_by_its_words(question: str, kinds: list[str]) -> None:
    assert asked_for(question, "en") == kinds
