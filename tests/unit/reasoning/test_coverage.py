"""Completeness (`reasoning.drafting.completeness`): a plan is what was asked for, no more and no less. Guarantees:

- A high-risk step needs a separate verb, about its booking, not denied and not part of a note's text.
- A day, a time, a number or a contact of the message is in a step, identifies the booking, or is named as left out; so
  is a note and a cancellation.
- A value that "no, … instead" rejected does not come back; "also" rejects nothing.
- A complete plan has no difference, in both languages.
"""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from contracts.action import AtomicAction
from contracts.booking import BookingSummary
from contracts.enums import SafetyTier
from contracts.plan import PlannedAction
from contracts.step_activities import DraftedStep
from language.extraction import extract
from language.messages.catalogue import activate_locale
from reasoning.drafting.completeness import Mismatch, find_mismatch
from tests.support.shipped import shipped
from tests.support.tables import table
from tests.unit.reasoning.actions import a_booking

PACK = shipped("roller")
NOW = datetime(2026, 11, 21, 10, 0, tzinfo=ZoneInfo("Australia/Melbourne"))
EMMA = a_booking("b-1", "Emma Clarke", reference="8340", date="2026-11-28", start_time="15:00", guest_count=9)
MOVE, COUNT, NOTE, CANCEL = "reschedule_booking", "change_guest_count", "edit_note", "cancel_booking"
TO_4 = (MOVE, {"new_start_time": "16:00"})
TO_11 = (COUNT, {"guest_count": 11})
NUTS = (NOTE, {"note": "nut allergy"})
OFF: tuple[str, dict[str, Any]] = (CANCEL, {})


@pytest.fixture(autouse=True)
def english() -> None:
    activate_locale("en-AU")


def a_step(action: AtomicAction, parameters: dict[str, Any], booking: BookingSummary | None) -> DraftedStep:
    return DraftedStep(action=action, parameters=parameters, booking=booking)


def judged(*text: str, steps: list[tuple[str, dict[str, Any]]], pending: tuple[Any, ...] = ()) -> Mismatch | None:
    """Return the difference between these messages (latest first) and these steps."""
    waiting = [
        PlannedAction(
            step=n, action_id=name, title=name, parameters={"booking_id": "b-1", **given},
            safety_tier=SafetyTier.NORMAL, reversible=True,
        )
        for n, (name, given) in enumerate(pending, 1)
    ]  # fmt: skip
    planned = [a_step(PACK.actions[name], {"booking_id": "b-1", **given}, EMMA) for name, given in steps]
    return find_mismatch(extract(text, NOW, PACK.profile), planned, waiting, [EMMA])


@table("text, steps", [
    ("move emma clarke to 4pm", [TO_4]), ("emma clarke to 4pm and make it 11 kids", [TO_4, TO_11]),
    ("add a note to emma clarke: nut allergy", [NUTS]), ("cancel emma clarke's party", [OFF]),
    ("emma clarke's lot isn't happening", [OFF]), ("emma's saturday party at 3pm to 4pm", [TO_4]),
    ("2 kids can't make it for emma clarke", [(COUNT, {"guest_count": 7})]), ("disdici emma clarke", [OFF]),
    ("cancel emma clarke and note: mum is ill", [OFF, (NOTE, {"note": "mum is ill"})]),
    ("emma clarke alle 16 e sono in 11", [TO_4, TO_11]), ("8340 to 4pm", [TO_4]),
    ("emma clarke: nota, arrivano alle 14 in 3 auto", [(NOTE, {"note": "arrivano alle 14 in 3 auto"})]),
    ("emma's mum rang at 11, they want 4pm", [TO_4]), ("forget the note, just 4pm for emma clarke", [TO_4]),
])  # fmt: skip
def test_a_complete_plan_has_no_difference(text: str, steps: list[tuple[str, dict[str, Any]]]) -> None:
    assert judged(text, steps=steps) is None


@table("text, steps, words", [
    ("move emma clarke to 4pm", [TO_4, OFF], "“Cancel booking”"), ("emma clarke to 4pm", [OFF], "“Cancel booking”"),
    ("don't cancel emma clarke, 4pm instead", [OFF], "“Cancel booking”"),
    ("emma clarke to 4pm and make it 11 kids", [TO_4], "11 kids”"),
    ("note for emma clarke: cancel the booking if it rains", [(NOTE, {"note": "cancel the booking if it rains"}), OFF],
     "“Cancel booking”"),
    ("nota per emma clarke: disdici se piove", [(NOTE, {"note": "disdici se piove"}), OFF], "“Cancel booking”"),
    ("emma clarke 11 kids, and 4pm", [TO_11], "“4pm”"),
    ("emma clarke 11 kids and a note: nut allergy", [TO_11], "“note”"),
    ("cancel emma clarke's friday party", [(MOVE, {"new_date": "2026-11-27"})], "“cancel”"),
    ("emma clarke alle 16, e-mail emma@example.org", [TO_4], "“emma@example.org”"),
    ("emma clarke to 4pm and john smith to sunday", [TO_4], "“sunday”"),
])  # fmt: skip
def test_a_difference_is_named_by_its_words(text: str, steps: list[tuple[str, dict[str, Any]]], words: str) -> None:
    found = judged(text, steps=steps)
    assert found is not None
    assert words in found.question


@pytest.mark.parametrize(("text", "words"), [
    ("new appointment for emma clarke on saturday at 4pm", "new appointment"),
    ("can you put in a new booking for emma clarke at 4pm", "a new booking"),
    ("emma clarke wants another booking at 4pm", "wants another booking"),
    ("please create a booking for emma clarke, 4pm", "create a booking"),
    ("emma clarke would like an appointment at 4pm", "would like an appointment"),
    ("nuova prenotazione per emma clarke alle 16", "nuova prenotazione"),
    ("emma clarke, una prenotazione nuova alle 16", "prenotazione nuova"),
])  # fmt: skip
def test_something_new_is_no_change_of_what_there_is(text: str, words: str) -> None:
    found = judged(text, steps=[TO_4])
    assert found is not None and f"“{words}”" in found.question and "no step makes it" in found.hint


@pytest.mark.parametrize("text", [
    "move emma clarke's booking to a new slot at 4pm", "emma clarke needs a new booking time, 4pm",
    "emma clarke's new booking to 4pm", "sposta la nuova prenotazione di emma clarke alle 16",
    "change the new booking of emma clarke to 4pm", "move emma clarke to a new session at 4pm",
])  # fmt: skip
def test_what_is_new_already_is_changed(text: str) -> None:
    assert judged(text, steps=[TO_4]) is None


def test_no_question_about_a_plan_can_be_answered_by_a_bare_yes_or_no() -> None:
    """A yes would ask the same again, a no drops the whole pending plan: each question gives the reply to send
    instead."""
    unasked = judged("emma clarke to 4pm", steps=[TO_4, OFF])
    assert unasked is not None and "To have it, say “Cancel booking 8340”." in unasked.question
    assert judged("Cancel booking 8340", "emma clarke to 4pm", steps=[TO_4, OFF]) is None
    rejected = judged("no, move it to 4pm instead", steps=[TO_11, TO_4], pending=(TO_11,))
    forgotten = judged("make it 4pm", steps=[TO_4], pending=(TO_11,))
    for found in (rejected, forgotten):
        assert found is not None and "should the plan be with" in found.question.lower()
        assert found.question.endswith("or without it?")


@pytest.mark.parametrize("before", ["no, move it to 4pm instead", "make it 4pm"])
def test_with_it_and_without_it_are_taken(before: str) -> None:
    for keeps in ("with it", "with", "con", "keep the kids in"):
        assert judged(keeps, before, steps=[TO_11, TO_4], pending=(TO_11,)) is None, keeps
    for drops in ("without it", "without", "senza"):
        assert judged(drops, before, steps=[TO_4], pending=(TO_11,)) is None, drops


def test_what_was_turned_down_does_not_come_back() -> None:
    assert judged("no, move it to 4pm instead", steps=[TO_11, TO_4], pending=(TO_11,)) is not None
    assert judged("no, spostala invece alle 16", steps=[TO_11, TO_4], pending=(TO_11,)) is not None
    assert judged("no, move it to 4pm instead", steps=[TO_4], pending=(TO_11,)) is None
    assert judged("and also move it to 4pm", steps=[TO_11, TO_4], pending=(TO_11,)) is None


def test_what_waits_is_not_forgotten_by_a_change_to_it() -> None:
    found = judged("make it 4pm", steps=[TO_4], pending=((MOVE, {"new_start_time": "17:00"}), TO_11))
    assert found is not None and "“change_guest_count”" in found.question
    assert judged("make it 4pm", steps=[TO_4, TO_11], pending=((MOVE, {"new_start_time": "17:00"}), TO_11)) is None
    for text in ("just 4pm", "4pm, forget the kids", "solo alle 16", "no, 4pm instead"):
        assert judged(text, steps=[TO_4], pending=((MOVE, {"new_start_time": "17:00"}), TO_11)) is None, text


@pytest.mark.parametrize("answer", ["reference 8340", "emma clarke", "the one at 3pm"])
def test_an_answer_to_our_question_leaves_nothing_of_the_request_out(answer: str) -> None:
    found = judged(answer, "emma clarke to 4pm and make it 11 kids", steps=[TO_4])
    assert found is not None and "11 kids" in found.question
    assert judged(answer, "emma clarke to 4pm and make it 11 kids", steps=[TO_4, TO_11]) is None


@pytest.mark.parametrize(
    ("text", "steps"), [("emma clarke to 5 n make it 11 kids", [TO_11]), ("8340 to 5, nut allergy", [NUTS])]
)
def test_a_bare_number_to_change_to_is_not_lost(text: str, steps: list[tuple[str, dict[str, Any]]]) -> None:
    found = judged(text, steps=steps)
    assert found is not None and "left out" in found.question


def test_what_is_left_alone_does_not_come_back() -> None:
    found = judged("leave the kids, start at 4pm", steps=[TO_4, TO_11], pending=(TO_11,))
    assert found is not None and "kids" not in found.question
    assert judged("leave the kids, start at 4pm", steps=[TO_4], pending=(TO_11,)) is None


def test_a_no_to_our_question_turns_down_no_step() -> None:
    assert judged("no, 11", "also some more people", steps=[TO_4, TO_11], pending=(TO_4,)) is None
    assert judged("no, 11 kids instead", steps=[TO_4, TO_11], pending=(TO_4,)) is not None


def test_a_cancellation_put_right_needs_no_verb_of_its_own() -> None:
    assert judged("i meant emma clarke", steps=[OFF], pending=(OFF,)) is None
    assert judged("i meant emma clarke", steps=[OFF], pending=(TO_4,)) is not None


def test_who_is_ill_is_why_and_nothing_left_out() -> None:
    assert judged("emma clarke's party is off, the kid has chickenpox", steps=[OFF]) is None


@pytest.mark.parametrize("text", ["segna emma clarke alle 16", "segnati emma clarke alle 16"])
def test_to_enter_an_hour_writes_nothing_down(text: str) -> None:
    assert judged(text, steps=[TO_4]) is None


FIRST = a_booking("b-3", "Lia Rossi", label="Rossi party", reference="7003", date="2026-12-03", start_time="18:00")
LATER = a_booking("b-15", "Lia Rossi", label="Rossi party", reference="7015", date="2026-12-15", start_time="18:00")


@pytest.mark.parametrize(
    "text",
    [
        "rossi on the 3rd and rossi on the 15th both start at 6.30 now",
        "rossi on the 3rd and the 15th both to 6.30pm",
        "rossi on the 3rd, 6.30pm",
    ],
)
def test_a_day_behind_a_name_is_that_bookings_and_no_new_day(text: str) -> None:
    """A plan for one half, with the day of the omitted booking as the other's new day, does not match the message."""
    mixed = DraftedStep(
        action=PACK.actions[MOVE], parameters={"new_date": FIRST.date, "new_start_time": "18:30"}, booking=LATER
    )
    both = [a_step(PACK.actions[MOVE], {"new_start_time": "18:30"}, b) for b in (FIRST, LATER)]
    evidence = extract([text], NOW, PACK.profile)
    found = find_mismatch(evidence, [mixed], (), [LATER, FIRST])
    assert found is not None and "3rd" in found.question and "is on that day" in found.question
    assert find_mismatch(evidence, both, (), [LATER, FIRST]) is None
    to_that_day = extract(["move rossi to the 3rd"], NOW, PACK.profile)
    moved = a_step(PACK.actions[MOVE], {"new_date": FIRST.date}, LATER)
    assert find_mismatch(to_that_day, [moved], (), [LATER, FIRST]) is None


def test_so_many_more_behind_a_note_are_asked_about() -> None:
    """A plan that only writes the number into the note looks right, and changes nothing."""
    for text, note in (
        ("note egg allergy on 8340 and 1 extra kid", "egg allergy on 8340 and 1 extra kid"),
        ("nota per 8340: allergia alle uova e 2 bambini in più", "allergia alle uova e 2 bambini in più"),
    ):
        found = judged(text, steps=[(NOTE, {"note": note})])
        assert found is not None and "only be written in the note" in found.question
    counted = [(NOTE, {"note": "egg allergy and 1 extra kid"}), (COUNT, {"guest_count": 10})]
    assert judged("note egg allergy on 8340 and 1 extra kid", steps=counted) is None
    quoted = judged("add to 8340 “cake and 2 more kids”", steps=[(NOTE, {"note": "cake and 2 more kids"})])
    assert quoted is None
    chairs = judged(
        "note for 8340: allergic to nuts, 2 more chairs", steps=[(NOTE, {"note": "allergic to nuts, 2 more chairs"})]
    )
    assert chairs is None
    alone = judged("note for 8340: 2 more kids may come", steps=[(NOTE, {"note": "2 more kids may come"})])
    assert alone is None


def test_a_reason_behind_a_cancellation_takes_no_one_off() -> None:
    found = judged("cancel emma clarke pls kid is sick", steps=[(COUNT, {"guest_count": 8})])
    assert found is not None and "cancel" in found.question
    assert judged("cancel one kid from emma clarke", steps=[(COUNT, {"guest_count": 8})]) is None


JOHN = a_booking("b-2", "John Smith", reference="8341", date="2026-11-28", start_time="13:00", guest_count=7)


@table("text", [
    "cancel john smith, and for emma clarke make it 4pm", "emma clarke to 4pm and cancel john smith",
    "move emma clarke to 4pm. cancel john smith", "emma clarke to 4pm, john smith cancelled please",
    "cancel 8341 and move 8340 to 4pm", "cancel john smith and emma clarke to 4pm",
    "move 8340 to 4pm and cancel 8341", "8340 to 4pm, 8341 cancel it",
    "sposta emma clarke alle 16 e disdici john smith", "disdici 8341, e 8340 alle 16",
])  # fmt: skip
def test_a_verb_is_stated_of_one_booking_and_asks_for_no_step_on_another(text: str) -> None:
    evidence = extract([text], NOW, PACK.profile, [EMMA, JOHN])
    move = DraftedStep(
        action=PACK.actions[MOVE], parameters={"booking_id": "b-1", "new_start_time": "16:00"}, booking=EMMA
    )
    off = {one.reference: a_step(PACK.actions[CANCEL], {"booking_id": one.booking_id}, one) for one in (JOHN, EMMA)}

    def asked(*steps: DraftedStep) -> str:
        found = find_mismatch(evidence, steps, [], [EMMA, JOHN])
        return found.question if found else ""

    assert asked(off["8341"], move) == ""
    for steps in ((*off.values(), move), (off["8340"], move)):
        assert "“Cancel booking”" in asked(*steps) and "8340" in asked(*steps)


@table("text", [
    "cancel emma clarke and john smith", "cancel 8340 and 8341", "cancel 8341, 8340",
    "cancel john smith and emma clarke please", "disdici emma clarke e john smith",
])  # fmt: skip
def test_a_verb_may_be_stated_of_two_bookings(text: str) -> None:
    evidence = extract([text], NOW, PACK.profile, [EMMA, JOHN])
    steps = [a_step(PACK.actions[CANCEL], {"booking_id": one.booking_id}, one) for one in (EMMA, JOHN)]
    assert find_mismatch(evidence, steps, [], [EMMA, JOHN]) is None
