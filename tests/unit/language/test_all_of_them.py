"""Words that ask for all bookings of a name. Guarantees, in English and Italian:

- "both" asks for two, "all" for up to five, beside the name and a noun for bookings, or as the whole answer;
- both kids, all guests, "that's all" and "all good" ask for no booking.
"""

import pytest

from contracts.booking import BookingSummary
from language.requests.booking_names import means_all
from tests.support.tables import table

PETROVS = [
    BookingSummary(booking_id=str(n), reference=str(n), guest_name="Hannah Petrov", label=f"Petrov {what}")
    for n, what in enumerate(("birthday", "outing", "dinner", "reunion", "league", "trip"), 1)
]
ALL = [
    ("en", "move both petrov parties to 3pm"), ("en", "move all of hannah petrov's bookings to 3pm"),
    ("en", "move all the petrovs to 3pm"), ("en", "cancel both of hannah's bookings"), ("en", "both please"),
    ("en", "all of them"), ("it", "sposta tutte e due le petrov alle 15"), ("it", "tutte e due"),
    ("it", "entrambe le prenotazioni di hannah"), ("it", "sposta tutte le feste di hannah petrov"),
]  # fmt: skip
NONE = [
    ("en", "all the petrov kids have allergies"), ("en", "cancel petrov, that's all"),
    ("en", "all good, cancel the petrov party"), ("en", "cancel petrov, both kids are ill"),
    ("en", "all 12 petrov kids"), ("en", "that's all"), ("en", "cancel petrov, all the bookings are wrong"),
    ("it", "tutti i bambini dei petrov"), ("it", "petrov, tutto bene"),
]  # fmt: skip


@table("locale, text", ALL)
def test_all_are_asked_for(locale: str, text: str) -> None:
    assert means_all(text, PETROVS[:2], locale)


@table("locale, text", NONE)
def test_something_else_is_all(locale: str, text: str) -> None:
    assert not means_all(text, PETROVS[:2], locale)


@pytest.mark.parametrize(
    ("text", "many", "asked"),
    [("both", 3, False), ("all of them", 3, True), ("all of them", 6, False), ("all of them", 1, False)],
)
def test_the_number_of_bookings_fits(text: str, many: int, asked: bool) -> None:
    assert means_all(text, PETROVS[:many], "en") is asked
