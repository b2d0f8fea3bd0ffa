"""The offline planner with ambiguous words, over rows that a look-up found. Guarantees:

- "porta Esposito a 9" is asked about, nine people or nine o'clock, and one word or both in full answer it; an article,
  a noun or a number that is no hour leave nothing to ask; in English "move … to 9" is an hour;
- a request to bring something moves no booking; a request to bring a booking to a day or an hour does;
- staff of an Italian venue may write English, and are understood.
"""

import pytest

from language.venue_facts.questions import asks_to_bring
from tests.unit.offline_planner.chat import Chat, arguments, asked, names

BOOKING = {"guest_count": 8, "date": "2026-11-25", "start_time": "20:00"}


def chat(language: str = "it") -> Chat:
    return Chat(lambda *_: {"booking_id": "b-1", "reference": "b-1", "name": "Esposito Anna", **BOOKING}, language)


@pytest.mark.parametrize("text", ["porta Esposito a 9", "porta la festa di Esposito a 6", "metti Esposito a 7",
                                  "make Esposito 9"])  # fmt: skip
def test_a_bare_number_is_asked_about(text: str) -> None:
    calls = chat().say(text)
    assert asked(calls) and "o le ore" in str(calls[0].arguments), calls


@pytest.mark.parametrize(("text", "answer", "tool"), [
    ("porta Esposito a 6", "persone", "guest"), ("porta Esposito a 6", "6 persone", "guest"),
    ("porta Esposito a 6", "ospiti", "guest"), ("porta Esposito a 6", "le ore", "move"),
    ("porta Esposito a 6", "alle 6", "move"), ("make Esposito 6", "people", "guest"),
    ("make Esposito 6", "the time", "move"),
])  # fmt: skip
def test_and_the_answer_settles_it(text: str, answer: str, tool: str) -> None:
    talk = chat()
    assert asked(talk.say(text))
    calls = talk.say(answer)
    assert not asked(calls), calls
    [values] = arguments(calls)
    assert (values.get("guest_count") == 6) is (tool == "guest"), values


@pytest.mark.parametrize(("text", "count"), [
    ("porta Esposito a 9 persone", 9), ("porta Esposito a 30", 30), ("porta Esposito alle 18", None),
    ("move Esposito to 6pm", None), ("move Esposito to 6", None),
])  # fmt: skip
def test_what_the_words_tell_is_not_asked(text: str, count: int | None) -> None:
    calls = chat().say(text)
    assert not asked(calls) and arguments(calls)[0].get("guest_count") == count, calls


@pytest.mark.parametrize("text", [
    "posso portare il cane?", "possiamo portare una torta?", "si può portare il passeggino?", "Posso portare il vino?",
    "è possibile portarci il gatto?", "va bene se porto il cane?", "can I bring my dog?", "may we bring a cake?",
    "is it ok to bring a pram?",
])  # fmt: skip
def test_bringing_something_moves_nothing(text: str) -> None:
    assert asks_to_bring(text)
    assert names(chat().say(text)) == ["cannot_help"]


@pytest.mark.parametrize("text", [
    "posso portare la prenotazione di Rossi alle 21?", "possiamo portare Rossi a domani?", "porta Rossi alle 21",
    "possiamo portare il tavolo di Rossi a 6?", "can we bring Rossi forward to 8?", "can we bring the booking forward?",
])  # fmt: skip
def test_bringing_a_booking_somewhere_does(text: str) -> None:
    assert not asks_to_bring(text)


@pytest.mark.parametrize(("text", "tool"), [
    ("cancel Esposito's booking", "cancel_booking"), ("please call off the Esposito party", "cancel_booking"),
])  # fmt: skip
def test_english_at_an_italian_venue(text: str, tool: str) -> None:
    assert names(chat().say(text)) == [tool]
