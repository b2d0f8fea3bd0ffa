"""Different wordings of the same request, in English and Italian. Guarantees:

- a change is understood whatever the sentence around it: terse, polite, as a report, with the old value named;
- past, rejected and replaced values are never set;
- figures beside another booking, a name or a head count's own word are counts; otherwise the planner asks about them.
"""

from typing import Any

import pytest

from tests.support.tables import table
from tests.unit.offline_planner.chat import Chat, arguments, asked, names

MOVE, COUNT, CONTACT, NOTE, CANCEL = (
    "reschedule_booking", "change_guest_count", "update_contact", "edit_note", "cancel_booking",
)  # fmt: skip
NOON = {"new_start_time": "12:00"}


def at(time: str, day: str = "") -> dict[str, str]:
    return ({"new_date": day} if day else {}) | {"new_start_time": time}


def check(language: str, text: str, *wanted: tuple[str, str, dict[str, Any]]) -> None:
    calls = Chat(language=language).say(text)
    found = [(c.name, c.arguments.pop("booking_id", ""), dict(c.arguments)) for c in calls]
    assert found == list(wanted)


@table(
    "language, text, booking, values",
    [
        ("en", "Nadia Rahman would rather come at 5pm", "Nadia Rahman", at("17:00")),
        ("en", "Same day but 2pm for the Ferris party", "Ferris", at("14:00")),
        ("en", "Is it ok to move Ruby Tan to 4 tomorrow?", "Ruby Tan", at("16:00", "2026-11-22")),
        ("en", "Lucas Meyer asked if he can come an hour later", "Lucas Meyer", at("14:00")),
        ("en", "Jasmine Wu just rang, she can't do Saturday, can we do Sunday 2pm", "Jasmine Wu",
         at("14:00", "2026-11-22")),
        ("en", "Leo Park is currently at 3pm, change it to 5pm", "Leo Park", at("17:00")),
        ("en", "Lily Evans - different day, make it Monday 7 December", "Lily Evans", {"new_date": "2026-12-07"}),
        ("en", "we have to move the Schmidt booking, new date is 10 December", "Schmidt", {"new_date": "2026-12-10"}),
        ("en", "rschdl bkng 8231 fri 1pm", "8231", at("13:00", "2026-11-27")),
        ("it", "rinvia la QX-8841 a lunedì 30 novembre a mezzogiorno", "QX-8841", {"new_date": "2026-11-30", **NOON}),
        ("it", "Elisa Riva ha chiamato, sabato non può più, facciamo domenica alle 14", "Elisa Riva",
         at("14:00", "2026-11-22")),
        ("it", "mi sposti la Fontana dalle 15 alle 17?", "Fontana", at("17:00")),
        ("it", "sposta la 8231 alle 17 invece delle 15", "8231", at("17:00")),
        ("it", "Luca Mei chiede se può venire un'ora dopo", "Luca Mei", at("14:00")),
        ("it", "sposta la festa di Mia a domani alle 16", "Mia", at("16:00", "2026-11-22")),
        ("it", "è possibile spostare Diego Ramos più tardi, diciamo alle 17", "Diego Ramos", at("17:00")),
        ("it", "posticipala di un'ora e mezza, la 8231", "8231", at("14:30")),
    ],
)  # fmt: skip
def test_a_move(language: str, text: str, booking: str, values: dict[str, str]) -> None:
    check(language, text, (MOVE, booking, values))


@table(
    "language, text, booking, count",
    [
        ("en", "put Leo Park down for 14 instead of 12", "Leo Park", 14),
        ("en", "headcount for O'Brien = 22", "O'Brien", 22),
        ("en", "the Chan party is 18 now", "Chan", 18),
        ("en", "Jack Ryan's group has grown to 26", "Jack Ryan", 26),
        ("en", "it's 9 adults and 12 kids for BK-7004 now", "BK-7004", 21),
        ("en", "change the Lowe one to 15 guests", "Lowe", 15),
        ("en", "drop 2 kids from 8231", "8231", 10),
        ("en", "change 8231 from 12 to 14", "8231", 14),
        ("en", "cancel 3 kids from 8231", "8231", 9),
        ("en", "increase 8231 by 3", "8231", 15),
        ("en", "there's been a change, Fox party is 19 kids", "Fox", 19),
        ("it", "il numero di invitati della BK-3307 deve essere 18", "BK-3307", 18),
        ("it", "Iva Alti scende a 9 bambini", "Iva Alti", 9),
        ("it", "riduci la 8231 di 3", "8231", 9),
        ("it", "annulla 3 bambini dalla 8231", "8231", 9),
        ("it", "assicurati che la prenotazione Schmid sia per 24 persone", "Schmid", 24),
    ],
)
def test_a_head_count(language: str, text: str, booking: str, count: int) -> None:
    check(language, text, (COUNT, booking, {"guest_count": count}))


@table(
    "language, text, booking, values",
    [
        ("en", "Update Leo Park: email leo@x.com", "Leo Park", {"email": "leo@x.com"}),
        ("en", "the contact for booking 7781 is now Hannah Webb", "7781",
         {"first_name": "Hannah", "last_name": "Webb"}),
        ("en", "put the booking 6120 in the name of Carla Diaz", "6120", {"first_name": "Carla", "last_name": "Diaz"}),
        ("en", "Amir Haddad's surname is spelled Hadad", "Amir Haddad", {"last_name": "Hadad"}),
        ("en", "Erin Doyle changed her mobile to 0433 221 908", "Erin Doyle", {"phone": "+61433221908"}),
        ("en", "ph for 7200 0433 000 999", "7200", {"phone": "+61433000999"}),
        ("en", "her new email is zoe@x.com - Zoe Katz", "Zoe Katz", {"email": "zoe@x.com"}),
        ("it", "il referente della prenotazione 7781 ora è Anna Vitale", "7781",
         {"first_name": "Anna", "last_name": "Vitale"}),
        ("it", "Irene Dolce ha cambiato cellulare, ora è 333 221 9087", "Irene Dolce", {"phone": "+393332219087"}),
        ("it", "aggiorna anche l'email di Emma Sala: emma@sala.it", "Emma Sala", {"email": "emma@sala.it"}),
    ],
)  # fmt: skip
def test_a_contact(language: str, text: str, booking: str, values: dict[str, str]) -> None:
    check(language, text, (CONTACT, booking, values))


@pytest.mark.parametrize(
    ("language", "text", "booking", "note"),
    [
        ("en", "Add to booking 5110's notes 'no balloons please'", "5110", "no balloons please"),
        ("en", "Put on Leo Park's booking that grandma uses a wheelchair", "Leo Park", "grandma uses a wheelchair"),
        ("en", "please note that the Park party is bringing a pinata", "Park", "the Park party is bringing a pinata"),
        ("en", "7200: allergy note - no peanuts", "7200", "no peanuts"),
        ("it", "segnati sulla festa Benni che arrivano in pullman", "Benni", "arrivano in pullman"),
        ("it", "registra che la festa Volpi paga in contanti", "Volpi", "la festa Volpi paga in contanti"),
    ],
)
def test_a_note(language: str, text: str, booking: str, note: str) -> None:
    check(language, text, (NOTE, booking, {"note": note}))


@pytest.mark.parametrize(
    ("language", "text", "booking"),
    [
        ("en", "The Rossi party won't be coming anymore, cancel it", "Rossi"),
        ("en", "get rid of the booking for Dean Walsh", "Dean Walsh"),
        ("en", "remove booking 3310 from the system", "3310"),
        ("en", "cancellation for 7003 please", "7003"),
        ("it", "la festa Russo non si fa più, cancellala", "Russo"),
        ("it", "mi cancelli la HX-3321?", "HX-3321"),
    ],
)
def test_a_cancellation(language: str, text: str, booking: str) -> None:
    check(language, text, (CANCEL, booking, {}))


def test_several_bookings_each_with_their_own() -> None:
    check("en", "Set 8231 to 12 guests and 8232 to 15", (COUNT, "8231", {"guest_count": 12}),
          (COUNT, "8232", {"guest_count": 15}))  # fmt: skip
    check("it", "metti la 7200 e la 7201 a 12 ospiti", (COUNT, "7200", {"guest_count": 12}),
          (COUNT, "7201", {"guest_count": 12}))  # fmt: skip
    check("it", "annulla sia la HX-3321 che la 4417", (CANCEL, "HX-3321", {}), (CANCEL, "4417", {}))
    check("en", "First cancel 1180, then move 1181 to 2pm and add 2 guests to it", (CANCEL, "1180", {}),
          (MOVE, "1181", at("14:00")), (COUNT, "1181", {"guest_count": 14}))  # fmt: skip


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_surname_in_the_plural_or_with_an_article_is_searched_as_stated(language: str) -> None:
    chat = Chat(language=language)
    chat.say("move the Hendersons to 5pm" if language == "en" else "sposta i Torrisi alle 17")
    assert names(chat.looked_up) == ["find_bookings"]
    assert arguments(chat.looked_up) == [{"keywords": "Hendersons" if language == "en" else "Torrisi"}]


@table(
    "language, text, wanted",
    [
        ("en", "Could the Ferris birthday party be moved to Tuesday the 1st of December at five o'clock, please?",
         (MOVE, "Ferris", at("17:00", "2026-12-01"))),
        ("en", "push Leo Park's do back to 5, they knock off late", (MOVE, "Leo Park", at("17:00"))),
        ("en", "bring Leo Park's booking forward by one day, with no change of time",
         (MOVE, "Leo Park", {"new_date": "2026-11-24"})),
        ("en", "Leo Park to the following friday, same time", (MOVE, "Leo Park", {"new_date": "2026-11-27"})),
        ("en", "Leo Park needs to come 45 mins ealier", (MOVE, "Leo Park", at("12:15"))),
        ("en", "8231 chg to thu 26/11 1130", (MOVE, "8231", at("11:30", "2026-11-26"))),
        ("it", "Leo Parri viene alle 15", (MOVE, "Leo Parri", at("15:00"))),
        ("it", "la festa di Leo Parri comincia alle due meno un quarto", (MOVE, "Leo Parri", at("13:45"))),
        ("en", "make the Leo Park party 14", (COUNT, "Leo Park", {"guest_count": 14})),
        ("en", "Leo Park rang to say there will only be three of them", (COUNT, "Leo Park", {"guest_count": 3})),
        ("en", "Leo Park kids r down to 10, two r sick", (COUNT, "Leo Park", {"guest_count": 10})),
        ("en", "put Leo Park down as 11", (COUNT, "Leo Park", {"guest_count": 11})),
        ("en", "Leo Park are 20 now, were 12", (COUNT, "Leo Park", {"guest_count": 20})),
        ("it", "Leo Parri sn in 9", (COUNT, "Leo Parri", {"guest_count": 9})),
        ("it", "metti 9 bimbi alla 8231", (COUNT, "8231", {"guest_count": 9})),
        ("it", "Leo Parri non sono più 12 ma 9", (COUNT, "Leo Parri", {"guest_count": 9})),
        ("en", "8231 note wheelchair access needed", (NOTE, "8231", {"note": "wheelchair access needed"})),
        ("it", "segna su 8231 ke un bimbo è allergico al latte",
         (NOTE, "8231", {"note": "un bimbo è allergico al latte"})),
        ("it", "scrivi che la mail di Leo Parri è leo@example.it", (CONTACT, "Leo Parri", {"email": "leo@example.it"})),
        ("en", "Leo Park's party is off, kid has chickenpox", (CANCEL, "Leo Park", {})),
        ("it", "elimina la 8231", (CANCEL, "8231", {})),
    ],
)  # fmt: skip
def test_what_fresh_voices_stated(language: str, text: str, wanted: tuple[str, str, dict[str, Any]]) -> None:
    check(language, text, wanted)


@pytest.mark.parametrize(
    ("language", "text"), [("en", "bump Leo Park to 3"), ("en", "Leo Park has one child with a nut allergy")]
)
def test_what_may_be_either_is_asked(language: str, text: str) -> None:
    assert asked(Chat(language=language).say(text))
