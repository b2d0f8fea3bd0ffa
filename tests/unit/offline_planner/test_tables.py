"""The offline planner and a request for a table, over the restaurant pack, with a fixed clock. Guarantees:

- name, phone, day, time, how many and a note are read from one message in Italian and English, and grounding accepts
  every one of them;
- missing values are asked for in one question, and may come over several messages, a bare number included;
- a weekday alone is that day; one that does not match the date is asked about, and never taken;
- an existing booking is moved, cancelled or asked about, and not made again; a denial makes nothing;
- the next message changes a pending plan, or one that has just failed;
- the planner ignores a pack whose tools take other values.
"""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from language.extraction import extract
from language.messages.catalogue import activate_locale, translate
from language.requests.creation import asks_to_book
from language.text.normalize import normalize_text
from offline_planner.bookings.booking_search import BookingFinder, LookUpLog
from offline_planner.bookings.table_creation import booked, booker_of
from offline_planner.brief import Brief, BriefStep
from offline_planner.chat import ChatState
from offline_planner.orders.contacts import UnclearError
from offline_planner.protocol import ProtocolMessage
from reasoning.grounding.grounding import ground_arguments
from registry import Pack
from tests.support.shipped import shipped
from tests.unit.offline_planner.test_making import brief_of, tools_of

WEDNESDAY = datetime(2026, 11, 25, 11, 0)
FRIDAY, SATURDAY, TOMORROW = "2026-11-27", "2026-11-28", "2026-11-26"
PHONE = "+393337654321"
ANNA = {"name": "Anna Verdi", "phone": PHONE, "date": FRIDAY, "start_time": "20:30", "guest_count": 4}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return shipped("restaurant")


def in_language(pack: Pack, locale: str) -> Any:
    """Return the restaurant in this language."""
    return pack.profile.model_copy(update={"locale": locale})


def call(pack: Pack, locale: str, *message: str, **brief: Any) -> dict[str, object] | None:
    """Return the planned call for these messages, the last one the current; between them we asked."""
    profile = in_language(pack, locale)
    activate_locale(locale, profile.words)
    found = brief_of(profile, WEDNESDAY)
    found = Brief(**{**{name: getattr(found, name) for name in Brief.__slots__}, **brief})
    spoken = [m for text in message for m in (ProtocolMessage("user", text), ProtocolMessage("assistant", "Which?"))][
        :-1
    ]
    calls = booked(ChatState.of(spoken, found), BookingFinder(found, tools_of(pack), LookUpLog.of(spoken)))
    return None if calls is None else dict(calls[0].arguments)


def question(pack: Pack, locale: str, *message: str) -> str:
    """Return the question about these messages."""
    with pytest.raises(UnclearError) as unclear:
        call(pack, locale, *message)
    return translate(f"planner.{unclear.value.code}", text=unclear.value.text)


ITALIAN: list[tuple[tuple[str, ...], dict[str, object]]] = [
    (("prenota un tavolo per 4 venerdì alle 20 e 30 a nome Anna Verdi, telefono 333 765 4321",), ANNA),
    (("puoi prenotare un tavolo per 4 venerdì alle 20 e 30 a nome Anna Verdi, telefono 333 765 4321?",), ANNA),
    (("prenota per 4 persone, Anna Verdi, venerdì alle 20:30, tel. +39 333 7654321, nota: un seggiolone",),
     {**ANNA, "notes": "un seggiolone"}),
    (("prenota un tavolo il 2026-11-27 alle 20:30 per 4 persone, Anna Verdi, +393337654321",), ANNA),
    (("un tavolo per quattro venerdì sera alle 20 e mezza per Anna Verdi 333 765 4321",), ANNA),
    (("prenota un tavolo alle 20 e 30 per 4 venerdì, Anna Verdi, 333 765 4321",), ANNA),
    (("nuova prenotazione per 6 sabato alle 13 a nome Colombo cell 333 765 4321",),
     {**ANNA, "name": "Colombo", "date": SATURDAY, "start_time": "13:00", "guest_count": 6}),
    (("prenota un tavolo per 4 venerdì 27 novembre alle 20:30 a nome D'Angelo Maria, 333 765 4321",),
     {**ANNA, "name": "D'Angelo Maria"}),
    (("Prenota un tavolo per due domani alle 20 a nome rossi, 3337654321",),
     {**ANNA, "name": "rossi", "date": TOMORROW, "start_time": "20:00", "guest_count": 2}),
    (("Prenota un tavolo", "venerdì alle 20 e 30", "siamo in 4", "Anna Verdi", "333 765 4321"), ANNA),
    (("Prenota un tavolo", "venerdì alle 20 e 30", "4", "anna verdi", "333 765 4321"), {**ANNA, "name": "anna verdi"}),
    (("prenota un tavolo per Anna Verdi", "per 4", "venerdì alle 20 e 30", "il numero è 333 765 4321"), ANNA),
    (("prenota un tavolo per 4 venerdì a nome Anna Verdi", "333 765 4321", "alle 20 e 30"), ANNA),
    (("prenota un tavolo per 3 venerdì alle 20 a nome Anna Verdi", "333 765 4321, e siamo in 4, alle 20 e 30"), ANNA),
]  # fmt: skip
ENGLISH: list[tuple[tuple[str, ...], dict[str, object]]] = [
    (("book a table for 4 on Friday at 8:30pm, Anna Verdi, +39 333 765 4321",), ANNA),
    (("can you book a table for 4 on Friday at 8:30pm for Anna Verdi, +39 333 765 4321?",), ANNA),
    (("reserve a table tomorrow at 8 for 2 people under Smith, phone 333 765 4321",),
     {**ANNA, "name": "Smith", "date": TOMORROW, "start_time": "20:00", "guest_count": 2}),
    (("a table for two on Saturday at 9pm for Will Green, +44 20 7946 0958",),
     {"name": "Will Green", "phone": "+442079460958", "date": SATURDAY, "start_time": "21:00", "guest_count": 2}),
    (("i'd like to book a table", "Friday at 8:30pm for 4", "Mark Twain", "333 765 4321"),
     {**ANNA, "name": "Mark Twain"}),
    (("Book a table", "Friday at 8:30pm", "4", "the name is Anna Verdi", "333 765 4321"), ANNA),
]  # fmt: skip


@pytest.mark.parametrize(
    ("locale", "message", "wanted"),
    [("it-IT", *one) for one in ITALIAN] + [("en-GB", *one) for one in ENGLISH],
    ids=lambda value: value[0][:40] if isinstance(value, tuple) else "",
)
def test_a_table_is_asked_for(pack: Pack, locale: str, message: tuple[str, ...], wanted: dict[str, object]) -> None:
    assert call(pack, locale, *message) == wanted
    words = extract(message[::-1], WEDNESDAY.replace(tzinfo=ZoneInfo("Europe/Rome")), in_language(pack, locale))
    held = ground_arguments(words, pack.actions["create_booking"], wanted, None, {})  # type: ignore[arg-type]
    assert held == wanted


@pytest.mark.parametrize(
    ("locale", "message", "asked"),
    [
        ("it-IT", "Prenota un tavolo",
         "Mi può dire ancora il giorno, l’orario, quante persone, il numero di telefono e a che nome?"),
        ("en-GB", "Book a table",
         "Could you also tell me the day, the time, how many people, the phone number and the name?"),
        ("it-IT", "prenota un tavolo per 4 venerdì sera, Anna Verdi 333 765 4321", "Mi può dire ancora l’orario?"),
        ("it-IT", "prenota un tavolo per 4 venerdì alle 20 a nome Anna Verdi",
         "Mi può dire ancora il numero di telefono?"),
        ("it-IT", "prenota un tavolo per 4 venerdì alle 20, 333 765 4321", "Mi può dire ancora a che nome?"),
        ("it-IT", "prenota un tavolo venerdì alle 20, Anna Verdi 333 765 4321", "Mi può dire ancora quante persone?"),
        ("it-IT", "prenota un tavolo per 4 venerdì alle 20, Anna Verdi 333 765 4321 o 333 765 4322",
         "Quale numero di telefono devo segnare?"),
        ("it-IT", "prenota un tavolo per 4 ieri alle 20 a nome Anna Verdi 333 765 4321",
         "“ieri alle 20” è già passato. Quale giorno e ora devo mettere?"),
        # The 28th is a Saturday.
        ("it-IT", "prenota un tavolo per 4 venerdì 28 novembre alle 20 a nome Anna Verdi 333 765 4321",
         "Quale giorno intende con “venerdì 28 novembre alle 20”?"),
        ("en-GB", "book a table for 4 on Friday 28 November at 8pm, Anna Verdi, +39 333 765 4321",
         "Which day do you mean by “Friday 28 November at 8pm”?"),
    ],
)  # fmt: skip
def test_what_is_missing_or_cannot_be_is_asked_about(pack: Pack, locale: str, message: str, asked: str) -> None:
    assert question(pack, locale, message) == asked


@pytest.mark.parametrize(
    ("locale", "message"),
    [
        ("it-IT", "sposta il tavolo di Rossi alle 21"),
        ("it-IT", "annulla la prenotazione di Rossi"),
        ("it-IT", "porta il tavolo di Rossi a 6 persone"),
        ("it-IT", "non prenotare niente"),
        ("it-IT", "c'è un tavolo per 4 venerdì alle 20?"),
        ("it-IT", "chi ha prenotato per venerdì?"),
        ("it-IT", "hanno prenotato un tavolo per 4"),
        ("it-IT", "il tavolo di Rossi passa a 5"),
        ("en-GB", "is there a table for 4 on Friday at 8?"),
        ("en-GB", "move Rossi's booking to 9pm"),
        ("en-GB", "Rossi booked a table for 4"),
        ("en-GB", "don't book a table"),
        ("en-GB", "the table for 4 under Rossi, make it 5"),
    ],
)
def test_what_is_there_is_not_made_again(pack: Pack, locale: str, message: str) -> None:
    assert call(pack, locale, message) is None


def test_a_day_that_was_asked_about_leaves_the_hour(pack: Pack) -> None:
    message = "prenota un tavolo per 4 sabato 27 novembre alle 20 e 30 a nome Anna Verdi 333 765 4321"
    assert call(pack, "it-IT", message, "venerdì") == ANNA


def test_what_was_reported_beforehand_leaves_the_request_open(pack: Pack) -> None:
    """ "There is no table then." is no question, and the reply reports that the request is open."""
    message = "prenota un tavolo per 4 venerdì alle 20 a nome Anna Verdi 333 765 4321"
    profile = in_language(pack, "it-IT")
    found = brief_of(profile, WEDNESDAY)
    spoken = [
        ProtocolMessage("user", message),
        ProtocolMessage("assistant", "Non ci sono tavoli."),
        ProtocolMessage("user", "alle 20 e 30"),
    ]
    for many, wanted in ((1, ANNA), (0, None)):
        brief = Brief(**{**{name: getattr(found, name) for name in Brief.__slots__}, "open": many})
        calls = booked(ChatState.of(spoken, brief), BookingFinder(brief, tools_of(pack), LookUpLog.of(spoken)))
        assert (dict(calls[0].arguments) if calls else None) == wanted


def test_another_order_ends_what_was_begun(pack: Pack) -> None:
    assert call(pack, "it-IT", "Prenota un tavolo", "anzi, annulla la prenotazione di Rossi") is None


@pytest.mark.parametrize("where", ["pending", "failed"])
@pytest.mark.parametrize(
    ("message", "change"),
    [
        ("alle 21", {"start_time": "21:00"}),
        ("sabato", {"date": SATURDAY}),
        ("siamo in 5", {"guest_count": 5}),
        ("un'ora più tardi", {"start_time": "21:30"}),
        ("a nome Bruno", {"name": "Bruno"}),
        ("il telefono è 333 111 2222", {"phone": "+393331112222"}),
    ],
)
def test_a_plan_that_waits_is_changed(pack: Pack, where: str, message: str, change: dict[str, object]) -> None:
    step = BriefStep("create_booking", dict(ANNA), 1)
    assert call(pack, "it-IT", message, **{where: (step,)}) == {**ANNA, **change}


@pytest.mark.parametrize("message", ["va bene", "annulla", "sposta il tavolo di Rossi alle 21", "alle 20 e 30"])
def test_what_changes_nothing_of_it_is_not_for_it(pack: Pack, message: str) -> None:
    assert call(pack, "it-IT", message, pending=(BriefStep("create_booking", dict(ANNA), 1),)) is None


def test_what_the_venue_calls_its_things_tells(pack: Pack) -> None:
    assert asks_to_book(normalize_text("Vorrei una canoa per domani"), ("canoa",))
    assert not asks_to_book(normalize_text("Vorrei una canoa per domani"), ("tavolo",))


@pytest.mark.parametrize("name", ["roller", "bookeo", "calendar"])
def test_other_packs_are_left_alone(name: str) -> None:
    assert booker_of(tools_of(shipped(name))) is None
