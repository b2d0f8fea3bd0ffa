"""Sentences about a booking that order nothing, with every booking found. Guarantees:

- arrival times, a child's age, reported speech, unchanged values and the doings of some of the guests set nothing;
- an errand for another person, a refused order and an old number set nothing;
- the planner asks about a remark on a booking or a guest, and refuses what is clearly outside.
"""

import pytest

from tests.support.tables import table
from tests.unit.offline_planner.chat import Chat, arguments, asked, names, nothing_planned, refused

EN = [
    "Leo is coming at 3pm with 14 kids", "Leo Park arrives at 3pm", "8231 kicks off at 3pm",
    "8231 is at 3pm with 14 kids",
    "the Parks are rocking up at 3pm sunday", "Leo Park comes in at 3 with 14 kids", "Leo Park has 3pm on Sunday",
    "Leo Park thinks it's Sunday", "Leo Park enquired about Sunday", "0412 345 678 rang about Sunday",
    "would 5pm work for Leo Park?", "leave 8231 at 14 kids", "keep 8231 at 3pm", "no need to move 8231 to 5pm",
    "can Leo Park cancel?", "Leo Park can cancel", "I don't want to cancel 4417", "3 kids from 8231 are sick",
    "2 kids from 8231 arrive late", "8231 gets 3 free kids", "old number for 8231 is 0412 345 678",
    "shift 8231 off Sunday", "take Leo Park off the waiting list", "Leo works Sunday",
    "Molly turns 7 on Sunday", "the Ahmed party at 4pm is late", "flag 8231 for 3pm", "reach Leo Park at 3pm",
    "Leo Park wants to be picked up at 3pm", "8231 email bounced leo@x.com", "did we cancel 8231?", "great job today",
    "8231 is under the name Hans Keller", "see you sunday",
]  # fmt: skip
IT = [
    "la mamma di Leo arriva alle 15", "di' a Leo che è alle 15", "dille che è alle 15",
    "Leo Parri ha le 15", "Leo Parri voleva le 15", "lascia la 8231 a 14 bambini",
    "abbiamo annullato la 8231?", "Leo Parri potrebbe annullare", "2 bambini della 8231 arrivano tardi",
    "aggiungi 2 tavoli alla 8231", "il vecchio numero della 8231 è 347 123 4567",
    "quelli di sabato hanno cambiato idea",
    "il 347 123 4567 ha chiamato per domenica", "Leo Parri compie 14 anni domenica", "ci vediamo domenica",
    "il papà di Leo Parri passa alle 15", "passa da Leo Parri alle 15", "segnala la 8231 a Leo alle 15",
    "non voglio annullare la 4417", "tieni la 8231 alle 15", "Leo Parri sta pensando a domenica",
]  # fmt: skip


@table("language, text", [("en", s) for s in EN] + [("it", s) for s in IT])
def test_nothing_is_planned(language: str, text: str) -> None:
    calls = Chat(language=language).say(text)
    assert nothing_planned(calls), calls


@table(
    "language, text",
    [
        ("en", "the number is wrong"), ("en", "Poppy's party needs more space"), ("en", "Molly is turning 8"),
        ("en", "the Bakers can't make it"), ("en", "she rang again"), ("en", "the details are wrong"),
        ("en", "something's wrong with 8231"), ("en", "they're running late"), ("en", "Isabella is now vegan"),
        ("it", "il numero è sbagliato"), ("it", "Marta compie 8 anni"), ("it", "la signora Rossi ha richiamato"),
        ("it", "serve più spazio per la festa Neri"), ("it", "i Conti non possono più"),
    ],
)  # fmt: skip
def test_a_remark_about_a_guest_is_asked_about(language: str, text: str) -> None:
    assert asked(Chat(language=language).say(text))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Bake a cake for Leo's party"), ("en", "The boiler is broken"), ("en", "what's our refund policy?"),
        ("en", "we need more chairs"), ("it", "ordina 10 kg di farina"),
        ("it", "chi ha vinto la partita?"), ("it", "raccontami una storia"),
    ],
)  # fmt: skip
def test_what_is_clearly_outside_is_refused(language: str, text: str) -> None:
    assert refused(Chat(language=language).say(text))


@pytest.mark.parametrize(
    ("language", "text", "booking"),
    [
        ("en", "07700 900412 wants their party at noon on Sunday instead", "07700 900412"),
        ("en", "The Whitfields can only do noon on Sunday now, please change it", "Whitfields"),
        ("en", "Archie Bell's mum would like Sunday instead, noon please", "Archie Bell"),
        ("it", "La festa di Sofia domenica dovrebbe iniziare a mezzogiorno invece che alle 15", "Sofia"),
    ],
)
def test_a_wish_is_no_statement(language: str, text: str, booking: str) -> None:
    calls = Chat(language=language).say(text)
    assert names(calls) == ["reschedule_booking"]
    assert arguments(calls)[0] | {"new_date": ""} == {
        "booking_id": booking, "new_date": "", "new_start_time": "12:00"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "bookings"),
    [
        ("Both 4401 and 4402 need to move to 5pm", ["4401", "4402"]),
        ("8231 and 8232 need to move to 5pm", ["8231", "8232"]),
        ("Oliver Stone and Harriet Dean both need to go to 5pm", ["Oliver Stone", "Harriet Dean"]),
    ],
)
def test_no_booking_of_several_is_lost(text: str, bookings: list[str]) -> None:
    calls = Chat().say(text)
    assert arguments(calls) == [{"booking_id": b, "new_start_time": "17:00"} for b in bookings]
