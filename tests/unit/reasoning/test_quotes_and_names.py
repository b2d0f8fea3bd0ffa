"""Only the operator's own words ground a value or a cancel. Guarantees:

- A word of a guest's name, of a booking's title or of the venue's name is no count, no day and no way to pay, in small
  letters and in large ones; the same word beside the name, or by itself, still is one.
- A quote of another person grounds no value and no cancel, unless the operator adopts it.
- A reported request is a request; a question, a guest who only stays away, and a report that ends in a request for
  advice are none.
- An address keeps its parts, though a guest has the same name.
"""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from contracts.booking import BookingSummary
from contracts.step_activities import DraftedStep
from contracts.venue import VenueProfile
from language.extraction import extract
from language.messages.catalogue import activate_locale
from reasoning.drafting.completeness import find_mismatch
from reasoning.grounding.grounding import Ungrounded, ground_arguments
from tests.support.shipped import shipped
from tests.support.tables import table

PACK = shipped("roller")
NOW = datetime(2026, 11, 21, 10, 0, tzinfo=ZoneInfo("Australia/Melbourne"))
COUNT, MOVE, CANCEL, CONTACT = "change_guest_count", "reschedule_booking", "cancel_booking", "update_contact"
NOTE = "edit_note"


@pytest.fixture(autouse=True)
def english() -> None:
    activate_locale("en-AU")


def called(guest: str, title: str = "") -> BookingSummary:
    return BookingSummary(
        booking_id="b-1", reference="8340", guest_name=guest, date="2026-11-28", start_time="15:00", guest_count=9,
        label=f"{title or guest}, Sat 28 Nov 3pm, 9 guests",
    )  # fmt: skip


FOURTEEN, SUNDAY = called("Ada Fourteen", "Fourteen party"), called("Beppe Sunday", "Sunday family")
CARD, CASH = called("Ann Card", "Ann Card birthday"), called("Refund Cash birthday")
EMMA = called("Emma Clarke", "Emma Clarke 8th birthday")


def taken(text: str, booking: BookingSummary, action: str, venue: VenueProfile = PACK.profile, **given: Any) -> Any:
    """Return the grounded values of those that a model proposes, or the name of the one that we ask about."""
    found = ground_arguments(extract((text,), NOW, venue, [booking]), PACK.actions[action], given, booking, {})
    return found.parameter if isinstance(found, Ungrounded) else found


@table("text, booking, action, given", [
    ("move the Fourteen party to 4pm", FOURTEEN, COUNT, {"guest_count": 14}),
    ("move the fourteen party to 4pm", FOURTEEN, COUNT, {"guest_count": 14}),
    ("Mrs Fourteen rang, they come at 4pm", FOURTEEN, COUNT, {"guest_count": 14}),
    ("put Fourteen's do at 4pm", FOURTEEN, COUNT, {"guest_count": 14}),
    ("Sunday family to 4pm", SUNDAY, MOVE, {"new_date": "2026-11-29"}),
    ("move Sunday to 4pm", SUNDAY, MOVE, {"new_date": "2026-11-29"}),
    ("cancel Refund Cash birthday", CASH, CANCEL, {"issue_refund": True}),
    ("emma wrote \"can we come at 5pm?\"", EMMA, MOVE, {"new_start_time": "17:00"}),
    ("\"we will be 14\", emma wrote", EMMA, COUNT, {"guest_count": 14}),
    ("got this: “we need 5pm instead”", EMMA, MOVE, {"new_start_time": "17:00"}),
    ("emma wrote: we would like 5pm instead", EMMA, MOVE, {"new_start_time": "17:00"}),
    ("emma wrote \"we have a nut allergy\"", EMMA, NOTE, {"note": "nut allergy"}),
    ("emma asked for 5pm. what should I do?", EMMA, MOVE, {"new_start_time": "17:00"}),
    ("Emma ha scritto: «possiamo venire alle 17?»", EMMA, MOVE, {"new_start_time": "17:00"}),
])  # fmt: skip
def test_what_is_not_the_operators_is_asked_for(
    text: str, booking: BookingSummary, action: str, given: dict[str, Any]
) -> None:
    assert taken(text, booking, action, **given) in given


@table("text, booking, action, given", [
    ("Mrs Fourteen wants 14 people", FOURTEEN, COUNT, {"guest_count": 14}),
    ("make it fourteen for Mrs Fourteen", FOURTEEN, COUNT, {"guest_count": 14}),
    ("make the party fourteen", FOURTEEN, COUNT, {"guest_count": 14}),
    ("bump Fourteen up to 20 people", FOURTEEN, COUNT, {"guest_count": 20}),
    ("move the Sunday family to Monday", SUNDAY, MOVE, {"new_date": "2026-11-23"}),
    ("Sunday family: make it Sunday", SUNDAY, MOVE, {"new_date": "2026-11-22"}),
    ("Ann Card is off, refunded on her card", CARD, CANCEL, {"issue_refund": True, "refund_type": "CreditCard"}),
    ("emma clarke 8th december 4pm", EMMA, MOVE, {"new_date": "2026-12-08", "new_start_time": "16:00"}),
    ("please note what emma wrote: \"we have a nut allergy\"", EMMA, NOTE, {"note": "nut allergy"}),
    ("note for emma: \"my cake comes at 5\"", EMMA, NOTE, {"note": "my cake comes at 5"}),
    ("emma asked for 5pm", EMMA, MOVE, {"new_start_time": "17:00"}),
    ("emma's mum said 5pm works better, change it", EMMA, MOVE, {"new_start_time": "17:00"}),
    ("use EMMA@CLARKE.COM", EMMA, CONTACT, {"email": "EMMA@clarke.com"}),
    ("the address is emma at clarke dot com", EMMA, CONTACT, {"email": "emma@clarke.com"}),
])  # fmt: skip
def test_what_is_the_operators_stands(text: str, booking: BookingSummary, action: str, given: dict[str, Any]) -> None:
    assert taken(text, booking, action, **given) == given


def test_a_way_to_pay_that_only_a_name_says_is_left_out() -> None:
    text = "cancel Ann Card birthday, money was given back"
    assert taken(text, CARD, CANCEL, issue_refund=True, refund_type="CreditCard") == {"issue_refund": True}


def test_the_venues_own_name_is_no_value() -> None:
    venue = PACK.profile.model_copy(update={"name": "Fourteen Acres"})
    text = "emma comes to Fourteen Acres at 4pm"
    assert taken(text, EMMA, COUNT, venue, guest_count=14) == "guest_count"
    assert taken(f"{text} with 14 people", EMMA, COUNT, venue, guest_count=14) == {"guest_count": 14}


def asked_for_cancel(text: str, booking: BookingSummary = EMMA) -> bool:
    evidence = extract((text,), NOW, PACK.profile, [booking])
    step = DraftedStep(action=PACK.actions[CANCEL], parameters={"booking_id": "b-1"}, booking=booking)
    return find_mismatch(evidence, [step], [], [booking]) is None


@table("text", [
    "her friend cancelled", "two kids cancelled", "her cousin can't make it", "la sua amica ha disdetto",
    "he asked: 'please cancel my booking'. what should I do?", 'emma wrote "please cancel my booking"',
    'got this from emma: "we need to cancel"', "emma texted: please cancel our booking",
    "emma clarke asked us to cancel, what should i do", "emma asked if she could cancel", "she might cancel",
    "emma ha scritto: 'annulla la mia prenotazione'",
    "emma mi chiede: vorrei annullare la mia prenotazione, cosa faccio?",
])  # fmt: skip
def test_a_cancel_that_only_somebody_else_speaks_of_is_asked_about(text: str) -> None:
    assert not asked_for_cancel(text)


@table("text", [
    "emma clarke cancelled", "emma's mum has cancelled", "the guest wants to cancel", "they've cancelled",
    "cancel it, she said she is ill", "anna asked us to cancel her booking",
    "emma asked if we could cancel her booking",
    'emma wrote "please cancel my booking". please do that', "cancel emma clarke. what should i tell her?",
    "her friend cancelled the booking for emma", "emma clarke ha disdetto", "la signora clarke chiede di annullare",
    "disdici emma, ha detto che sta male",
])  # fmt: skip
def test_a_reported_request_is_one(text: str) -> None:
    assert asked_for_cancel(text)


def test_a_name_is_no_verb() -> None:
    assert not asked_for_cancel("move Scrap Remove to 4pm", called("Scrap Remove"))
    assert asked_for_cancel("remove Scrap Remove", called("Scrap Remove"))
