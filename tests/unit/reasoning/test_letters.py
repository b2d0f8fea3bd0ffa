"""Values that a model writes differently from how they look (`reasoning.grounding.grounding`). Guarantees:

- An invisible character is refused in every text, even if the operator's message holds it, and the question names it.
- A word of two alphabets is refused unless the operator wrote that very word.
- An answer to a running plan and a value typed into a field hold no such character either.
- Digits with an invisible character between them are one number.
- A preview writes out invisible characters, those of the venue's data too.
"""

from typing import Any

import pytest

from contracts.chat_completion import AnswerGiven
from contracts.chat_messages import EditedValue
from contracts.step_activities import DraftedStep
from contracts.venue import VenueProfile
from language.extraction import extract
from language.messages.catalogue import activate_locale
from reasoning import error_messages
from reasoning.drafting.edits import misfit
from reasoning.grounding.answers import ground_answer
from reasoning.grounding.grounding import Ungrounded, ground_arguments
from registry import BoundAction
from tests.unit.reasoning.actions import a_booking
from tests.unit.reasoning.test_quotes_and_names import NOW, PACK

NOTE = PACK.actions["edit_note"]
EMMA = a_booking("b-1", "Emma Clarke", reference="8340", date="2026-11-28", start_time="15:00", guest_count=9)


@pytest.fixture(autouse=True)
def english() -> None:
    activate_locale("en-AU")


def noted(message: str, note: str, profile: VenueProfile = PACK.profile) -> Any:
    found = ground_arguments(extract((message,), NOW, profile, [EMMA]), NOTE, {"note": note}, EMMA, {})
    return error_messages.doubt(found) if isinstance(found, Ungrounded) else found["note"]


@pytest.mark.parametrize(("message", "note", "shown"), [
    ("note for emma: nut allergy", "nut \u202eallergy", "U+202E"),
    ("note for emma: nut allergy", "nut allergy\u200b", "U+200B"),
    ("note for emma: nut \u202eallergy", "nut \u202eallergy", "U+202E"),
    ("note for emma: nut allergy", "nut аllergy", "“аllergy” mixes letters of two alphabets: а (Cyrillic)"),
])  # fmt: skip
def test_a_value_that_is_not_what_it_looks_like_is_refused(message: str, note: str, shown: str) -> None:
    asked = noted(message, note)
    assert shown in asked and "note" in asked and note not in asked


@pytest.mark.parametrize("note", ["nut аllergy", "Zoë is coeliac 👩\u200d👧", "nut allergy\nand no eggs"])
def test_what_the_operator_wrote_so_stands(note: str) -> None:
    assert noted(f"note for emma: {note}", note) == note


def test_an_answer_and_a_typed_value_hold_none() -> None:
    answer = [AnswerGiven(text="it is nut\u200b allergy", parameter="note")]
    assert ground_answer(NOTE, {"note": "nut\u200b allergy"}, {}, answer, NOW, PACK.profile) == {}
    message = [AnswerGiven(text="it is nut allergy", parameter="note")]
    assert ground_answer(NOTE, {"note": "nut allergy"}, {}, message, NOW, PACK.profile) == {"note": "nut allergy"}
    step = DraftedStep(action=NOTE, parameters={"booking_id": "b-1", "note": "x"})
    assert "U+202E" in misfit([step], [EditedValue(step=1, parameter="note", value="a\u202eb")], None)
    assert misfit([step], [EditedValue(step=1, parameter="note", value="a\nb")], None) == ""


def test_a_phone_number_loses_the_marks_that_it_was_copied_with() -> None:
    action = PACK.actions["update_contact"]
    words = extract(("emma's new mobile is \u202a0412 345 678\u202c",), NOW, PACK.profile, [EMMA])
    found = ground_arguments(words, action, {"phone": "\u202a0412 345 678\u202c"}, EMMA, {})
    assert not isinstance(found, Ungrounded) and found == {"phone": "+61412345678"}
    step = DraftedStep(action=action, parameters={"booking_id": "b-1", "phone": "1"})
    assert misfit([step], [EditedValue(step=1, parameter="phone", value="\u202a0412 345 678\u202c")], None) == ""


@pytest.mark.parametrize(("count", "borne"), [(12, True), (2, False), (1, False)])
def test_a_number_is_read_as_it_looks(count: int, borne: bool) -> None:
    action = PACK.actions["change_guest_count"]
    words = extract(("emma: 1\u200b2 guests",), NOW, PACK.profile, [EMMA])
    found = ground_arguments(words, action, {"guest_count": count}, EMMA, {})
    assert (not isinstance(found, Ungrounded) and found == {"guest_count": 12}) is borne


def test_a_preview_writes_out_what_is_not_seen() -> None:
    bound = BoundAction.of(NOTE, {"booking_id": "b-1", "note": "cake"}, PACK.profile)
    before = {"uniqueId": "b-1", "comments": "no \u202eeggs", "name": "Emma"}
    (line,) = bound.with_(before=before).preview()
    assert line.before == "no [U+202E]eggs"
    assert "[U+202E]" in line.after and "\u202e" not in line.after
