"""Text that looks like an order and is none. Guarantees, with every booking found:

- a statement, a question, a hedge, a condition or a refusal changes nothing;
- a detail of something else (a cake, a room, an invitation) is never a booking's own;
- a name consists only of the words that are one.
"""

import pytest

from tests.support.tables import table
from tests.unit.offline_planner.chat import Chat, asked, nothing_planned, refused

EN = [
    "Leo Park's party is on Saturday at 3pm", "8231 is booked for 3pm", "8231 was 12 kids", "8231 ends at 5pm",
    "Is Daisy Bell coming today?", "is 8231 14 kids?", "8231 has 14 kids right?", "should I cancel 8231?",
    "confirm 8231 at 3pm", "check 8231 is at 3pm", "tell Leo Park it's 3pm now", "8231 might need to move to 3pm",
    "what if we moved 4417 to 5pm?", "cancel 8231 if Leo calls", "8231 shouldn't be at 3pm", "Leo doesn't want 3pm",
    "anything but 3pm for 8231", "8231 3pm at the latest", "8231 from 3pm to 5pm", "8231 at least 14 kids",
    "14 kids maximum for 8231 or so", "about 14 kids for 8231", "up 2 kids on 8231 maybe",
    "the cake for Leo Park is at 3pm", "move 8231 to room 2", "move 8231 to the party room at 3pm",
    "move 8231 balloons 3pm", "send the invite to leo@x.com for 8231",
    "cancel Emma's bookings", "move all of Sunday's parties to Monday",
    "Leo Park's email is not leo@x.com", "the surname on 8231 is misspelled", "Leo Park moved to Sydney",
    "Set an alarm for 3pm", "Add a pizza package to booking 8231", "set up party room 2 for 15 kids",
    "new booking for Saturday 4pm, 12 kids",
    "new appointment for Leo Park on 7 December at 11am", "Leo Park would like another session at 4pm",
    "they need 12 pizzas for booking 8231 at 3pm", "8231 2 pizzas",
]  # fmt: skip
IT = [
    "la festa di Leo Parri è sabato alle 15", "Leo Parri è prenotato alle 15", "Leo Parri era di 14 bambini",
    "la 8231 è di 14 bambini?", "la 8231 ha 14 bambini giusto?", "conferma la 8231 alle 15",
    "controlla che la 8231 sia alle 15", "forse la 8231 va spostata alle 15", "annulla la 8231 se chiama Leo",
    "la 8231 non può essere alle 15", "Leo non vuole le 15", "8231 dalle 15 alle 17", "8231 almeno 14 bambini",
    "8231 massimo 14 bambini", "mancano 3 bambini alla 8231", "la torta di Leo Parri è alle 15",
    "sposta la 8231 in sala 2", "fai pagare 14 bambini alla 8231",
    "manda l'invito a leo@x.it per la 8231", "l'email di Leo Parri non è leo@x.it", "la 8231 finisce alle 17",
    "imposta una sveglia alle 15", "aggiungi un pacchetto pizza alla 8231", "nuova prenotazione sabato alle 16",
    "servono 12 pizze per la 8231 alle 15", "e se spostassimo la 8231 alle 17?",
]  # fmt: skip


@table("language, text", [("en", s) for s in EN] + [("it", s) for s in IT])
def test_nothing_is_planned(language: str, text: str) -> None:
    calls = Chat(language=language).say(text)
    assert nothing_planned(calls), calls


@pytest.mark.parametrize(
    "text", ["Set an alarm for 3pm", "print the waiver for 8231", "set up party room 2 for 15 kids"]
)
def test_what_is_nobodys_booking_is_refused(text: str) -> None:
    assert refused(Chat().say(text))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "cancel 8231, no wait, 8232"), ("en", "cancel 8231 and move it to Sunday"),
        ("en", "cancel the cancellation of 8231"),         ("en", "8231 14 kids including 4 toddlers"),
        ("it", "annulla la 8231, anzi la 8232"), ("it", "annulla la 8231 e spostala a domenica"),
        ("it", "annulla l'annullamento della 8231"), ("it", "8231 14 bambini compresi 4 adulti"),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_asked(language: str, text: str) -> None:
    assert asked(Chat(language=language).say(text))
