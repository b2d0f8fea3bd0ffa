"""Families of verbs and turns of phrase, inflected. Guarantees:

- each intent is understood by its synonyms in English and Italian, formal, colloquial or typed on a phone;
- a typing slip in a word for people still counts them;
- a rare synonym with a capital inside a sentence is a name.
"""

from typing import Any

import pytest

from tests.support.tables import table
from tests.unit.offline_planner.chat import Chat

MOVE, COUNT, CONTACT, NOTE, CANCEL = (
    "reschedule_booking", "change_guest_count", "update_contact", "edit_note", "cancel_booking",
)  # fmt: skip
AT_FIVE = {"new_start_time": "17:00"}


def check(language: str, text: str, *wanted: tuple[str, str, dict[str, Any]]) -> None:
    calls = Chat(language=language).say(text)
    found = [(c.name, c.arguments.pop("booking_id", ""), dict(c.arguments)) for c in calls]
    assert found == list(wanted)


@table(
    "language, text",
    [
        ("en", "could we flick 8231 over to 5pm"), ("en", "chuck 8231 on for 5pm instead"),
        ("en", "reslot 8231 to 5pm"),
        ("en", "Please see that ref 8231 goes to 5pm"), ("en", "8231 has to be at 5pm"), ("en", "retime 8231 to 5pm"),
        ("en", "get 8231 in at 5pm"), ("en", "8231 ought to be at 5pm"), ("en", "swap 8231 round to 5pm"),
        ("it", "Potresti traslare la 8231 alle 17?"), ("it", "mi muovi la 8231 alle 17?"),
        ("it", "riprogrammiamo la 8231 alle 17"), ("it", "fai slittare la 8231 alle 17"),
        ("it", "ho bisogno che la 8231 sia alle 17"), ("it", "la 8231 va posticipata alle 17"),
        ("it", "procedi a spostare la 8231 alle 17"), ("it", "la 8231 slitterebbe alle 17"),
    ],
)  # fmt: skip
def test_a_move(language: str, text: str) -> None:
    check(language, text, (MOVE, "8231", AT_FIVE))


@table(
    "language, text, count",
    [
        ("en", "8231 has gone up to 24 children", 24),
        ("en", "whack another 4 kids on 8231", 16),
        ("en", "8231: 17 gests", 17),
        ("en", "8231 12 childern", 12),
        ("en", "we'll have 32 for 8231", 32),
        ("en", "8231's final number is 13", 13),
        ("en", "scale 8231 back to 9 kids", 9),
        ("it", "incrementa la 8231 a 30 invitati", 30),
        ("it", "i coperti della 8231 diventano 12", 12),
        ("it", "amplia la 8231 a 20 persone", 20),
        ("it", "nella 8231 mettici 16 persone", 16),
    ],
)
def test_a_head_count(language: str, text: str, count: int) -> None:
    check(language, text, (COUNT, "8231", {"guest_count": count}))


@pytest.mark.parametrize(
    ("language", "text", "booking"),
    [
        ("en", "8231 has been cancelled by the customer, please take it off", "8231"),
        ("en", "Ruby has pulled out so cancel 6027", "6027"),
        ("en", "please take booking 7044 off the calendar", "7044"),
        ("en", "Imogen Hart no longer wants her party, cancel it please", "Imogen Hart"),
        ("en", "scratch the booking for Koby Marsh", "Koby Marsh"), ("en", "wipe 8231", "8231"),
        ("it", "annullami la 6027", "6027"), ("it", "dai disdetta per la 6027", "6027"),
    ],
)  # fmt: skip
def test_a_cancellation(language: str, text: str, booking: str) -> None:
    check(language, text, (CANCEL, booking, {}))


def test_two_changes_of_one_named_booking() -> None:
    check(
        "en",
        "Set the Ahmed party at 5pm with 20 guests",
        (MOVE, "Ahmed", AT_FIVE),
        (COUNT, "Ahmed", {"guest_count": 20}),
    )
    check("en", "Delete 4410. Also 9083 needs 9 kids.", (CANCEL, "4410", {}), (COUNT, "9083", {"guest_count": 9}))
    check("en", "move 8231 to 5pm and note they need the wheelchair ramp", (MOVE, "8231", AT_FIVE),
          (NOTE, "8231", {"note": "they need the wheelchair ramp"}))  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text", "values"),
    [
        ("en", "Booking 8231 should be under the name Hans Keller", {"first_name": "Hans", "last_name": "Keller"}),
        ("it", "L'intestatario della 8231 dev'essere Giorgio Villa", {"first_name": "Giorgio", "last_name": "Villa"}),
        ("it", "nuova mail x la 8231: s.gatti@tin.it", {"email": "s.gatti@tin.it"}),
    ],
)
def test_a_contact(language: str, text: str, values: dict[str, str]) -> None:
    check(language, text, (CONTACT, "8231", values))


def test_a_half_hour_and_a_week_later_in_the_plural_of_courtesy() -> None:
    check("it", "Rimandiamo la 8231 di una settimana", (MOVE, "8231", {"new_date": "2026-12-02"}))


def test_a_rare_synonym_with_a_capital_is_a_name() -> None:
    check("en", "move Flip Chase to 5pm", (MOVE, "Flip Chase", AT_FIVE))
