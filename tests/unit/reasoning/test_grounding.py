"""Grounding: a plan holds only values that the operator gave, whatever the model is. Guarantees:

- Days, times, counts, e-mail addresses, phone numbers and names are kept only when the message grounds them.
- Code works out days and times again: where the message leaves no doubt, it wins over the model.
- An ambiguous, vague or invented value becomes a question with the options that the message allows.
- The booking that a look-up found, and the plan being amended, ground values too.
"""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.action import ActionParameter
from contracts.booking import BookingSummary
from contracts.enums import ParameterRole
from language.extraction import extract
from reasoning.grounding.grounding import Ungrounded, ground_arguments
from tests.support.shipped import shipped
from tests.support.tables import table
from tests.unit.reasoning.actions import a_venue, an_action

PACK = shipped("roller")
NOW = datetime(2026, 11, 18, 10, 0, tzinfo=ZoneInfo("Australia/Melbourne"))  # a Wednesday
BOOKING = BookingSummary(booking_id="b-1", reference="8231", date="2026-11-28", start_time="14:00", guest_count=10)


def ground(text: str, action: str, /, *earlier: str, amended: Any = None, locale: str = "en-AU", **given: Any) -> Any:
    """Return the result for a model's arguments of a step on the booking."""
    profile = PACK.profile.model_copy(update={"locale": locale})
    words = extract((text, *earlier), NOW, profile)
    verdict = ground_arguments(words, PACK.actions[action], {"booking_id": "b-1", **given}, BOOKING, amended or {})
    if not isinstance(verdict, Ungrounded):
        return {k: v for k, v in verdict.items() if k != "booking_id"}
    return verdict


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("move 8231 to Saturday at 3pm", {"new_date": "2026-11-21", "new_start_time": "15:00"}),
        ("move 8231 to 5 December", {"new_date": "2026-12-05"}),
        ("push it back to half past four", {"new_start_time": "16:30"}),
        ("same day, an hour later", {"new_start_time": "15:00"}),
        ("move it from Friday to Saturday", {"new_date": "2026-11-21"}),
        ("move from 2pm to 5pm", {"new_start_time": "17:00"}),
        ("keep the day, make it 4pm", {"new_date": "2026-11-28", "new_start_time": "16:00"}),
    ],
)
def test_days_and_times_that_were_stated_are_kept(text: str, given: dict[str, str]) -> None:
    assert ground(text, "reschedule_booking", **given) == given


@pytest.mark.parametrize(
    ("text", "given", "meant"),
    [
        ("move 8231 to Friday 4pm", {"new_date": "2026-11-21", "new_start_time": "16:00"},
         {"new_date": "2026-11-20", "new_start_time": "16:00"}),
        ("move 8231 to 3:30pm", {"new_start_time": "15:00"}, {"new_start_time": "15:30"}),
        ("move 8231 to 5 December", {"new_date": "2026-05-12"}, {"new_date": "2026-12-05"}),
        ("push it back an hour", {"new_start_time": "16:00"}, {"new_start_time": "15:00"}),
        ("tomorrow at noon", {"new_date": "2026-11-20", "new_start_time": "00:00"},
         {"new_date": "2026-11-19", "new_start_time": "12:00"}),
    ],
)  # fmt: skip
def test_where_model_and_words_disagree_the_words_win(text: str, given: dict[str, str], meant: dict[str, str]) -> None:
    assert ground(text, "reschedule_booking", **given) == meant


@table(
    "text, action, given, role",
    [
        ("move it", "reschedule_booking", {"new_date": "2026-11-21"}, ParameterRole.DATE),
        ("move it to Saturday", "reschedule_booking", {"new_start_time": "15:00"}, ParameterRole.TIME),
        ("move it to around 3", "reschedule_booking", {"new_start_time": "15:00"}, ParameterRole.TIME),
        ("move it to between 3 and 5", "reschedule_booking", {"new_start_time": "15:00"}, ParameterRole.TIME),
        ("move it to 30 February", "reschedule_booking", {"new_date": "2027-03-02"}, ParameterRole.DATE),
        ("move it to Saturday or Sunday", "reschedule_booking", {"new_date": "2026-11-24"}, ParameterRole.DATE),
        ("more guests please", "change_guest_count", {"guest_count": 12}, ParameterRole.COUNT),
        ("change the email", "update_contact", {"email": "someone@example.com"}, ParameterRole.EMAIL),
        ("new phone number", "update_contact", {"phone": "0412 345 678"}, ParameterRole.PHONE),
        ("rename the contact", "update_contact", {"first_name": "Daniel"}, ParameterRole.FIRST_NAME),
        ("call her Smith-Jones", "update_contact", {"last_name": "Jones-Smith"}, ParameterRole.LAST_NAME),
    ],
)
def test_what_no_one_stated_becomes_a_question(
    text: str, action: str, given: dict[str, Any], role: ParameterRole
) -> None:
    doubt = ground(text, action, **given)
    assert isinstance(doubt, Ungrounded)
    assert doubt.role is role


def test_a_weekday_that_does_not_match_its_date_is_asked_with_the_options() -> None:
    doubt = ground("move it to Friday 28 November", "reschedule_booking", new_date="2026-11-27")
    assert isinstance(doubt, Ungrounded)
    assert {"2026-11-27", "2026-11-28"} <= set(doubt.options) | {"2026-11-27"}


@pytest.mark.parametrize("hour", [0, 8, 13, 22])
def test_a_time_for_the_bookings_day_does_not_depend_on_the_clock_now(hour: int) -> None:
    words = extract(("same day but at 11",), NOW.replace(hour=hour), PACK.profile)
    given = {"booking_id": "b-1", "new_start_time": "11:00"}
    assert ground_arguments(words, PACK.actions["reschedule_booking"], given, BOOKING, {}) == given


@pytest.mark.parametrize(
    ("text", "given", "meant"),
    [
        ("make it 14", 14, 14),
        ("a dozen kids", 12, 12),
        ("2 more kids", 12, 12),
        ("2 more kids", 2, 12),
        ("double it", 20, 20),
        ("plus two adults", 2, 12),
        ("2 adults and 3 kids", 5, 5),
        ("drop from 10 people to 8", 8, 8),
    ],
)
def test_counts_resolve_against_the_booking(text: str, given: int, meant: int) -> None:
    assert ground(text, "change_guest_count", guest_count=given) == {"guest_count": meant}


@pytest.mark.parametrize(
    ("text", "given", "kept"),
    [
        ("email is New@Example.com", {"email": "New@Example.COM"}, {"email": "New@example.com"}),
        ("phone 0412 345 678", {"phone": "+61412345678"}, {"phone": "+61412345678"}),
        ("phone 0412 345 678", {"phone": "0412 345 678"}, {"phone": "+61412345678"}),
        ("phone +61 412 345 678", {"phone": "0412345678"}, {"phone": "+61412345678"}),
        ("rename to Zoë O'Neill", {"first_name": "Zoë", "last_name": "O'Neill"},
         {"first_name": "Zoë", "last_name": "O'Neill"}),
    ],
)  # fmt: skip
def test_contact_details_that_were_stated_are_kept_in_the_one_form_the_venue_stores(
    text: str, given: dict[str, str], kept: dict[str, str]
) -> None:
    assert ground(text, "update_contact", **given) == kept


def test_a_mistyped_address_gives_way_to_the_one_that_was_stated() -> None:
    assert ground("email: sara.bianchi@esempio.it", "update_contact", email="sara@esempio.it") == {
        "email": "sara.bianchi@esempio.it"
    }


def test_what_is_stated_and_denied_in_one_message_is_asked_about() -> None:
    asked = ground("cancel it with refund, no refund", "cancel_booking", issue_refund=True)
    assert isinstance(asked, Ungrounded) and asked.parameter == "issue_refund"


@pytest.mark.parametrize(
    ("given", "kept"),
    [("+61412345094", {"phone": "+61412345094"}), ("+61499999094", "phone"), ("+6141234509", "phone")],
)
def test_another_ending_leaves_the_rest_of_the_number_as_it_was(given: str, kept: object) -> None:
    found = ground("it ends in 094", "update_contact", amended={"phone": "+61412345678"}, phone=given)
    assert (found.parameter if isinstance(found, Ungrounded) else found) == kept


def test_an_optional_choice_no_one_made_is_left_out() -> None:
    assert ground("cancel it and record the refund", "cancel_booking", issue_refund=True, refund_type="Cash") == {
        "issue_refund": True
    }
    kept = ground("cancel it, refunded in cash", "cancel_booking", issue_refund=True, refund_type="Cash")
    assert kept["refund_type"] == "Cash"


@pytest.mark.parametrize(
    ("text", "refund"),
    [
        ("cancel it, refunded on the gift card", "GiftCard"),
        ("cancel it, refunded to her card", "CreditCard"),
        ("annulla, rimborsata in contanti", "Cash"),
    ],
)
def test_a_choice_is_made_by_its_own_whole_words(text: str, refund: str) -> None:
    for choice in ("Cash", "CreditCard", "GiftCard"):
        kept = ground(text, "cancel_booking", issue_refund=True, refund_type=choice)
        assert kept == {"issue_refund": True, **({"refund_type": choice} if choice == refund else {})}


@pytest.mark.parametrize(
    ("text", "value", "kept"),
    [
        ("cancel it", False, {}),
        ("cancel it, no refund", False, {"issue_refund": False}),
        ("cancel it, they got a refund", False, "issue_refund"),
        ("cancel it", True, "issue_refund"),
        ("cancel it, no refund", True, "issue_refund"),
        ("cancel it, don't forget the refund", True, {"issue_refund": True}),
    ],
)
def test_a_yes_needs_words_and_a_no_that_no_one_stated_is_left_out(text: str, value: bool, kept: Any) -> None:
    found = ground(text, "cancel_booking", issue_refund=value)
    assert (found.parameter if isinstance(found, Ungrounded) else found) == kept


@table("text, value, kept", [
    ("with a voucher please", True, {"send_voucher": True}), ("with a voucher please", False, "send_voucher"),
    ("no voucher", False, {"send_voucher": False}), ("no voucher", True, "send_voucher"),
    ("as before", False, {}), ("as before", True, "send_voucher"),
])  # fmt: skip
def test_where_no_words_are_declared_the_name_says_yes_and_its_denial_no(text: str, value: bool, kept: Any) -> None:
    voucher = ActionParameter(
        name="send_voucher", target=None, json_schema={"type": "boolean"}, required=False, description="Send it"
    )
    action = an_action(parameters=(voucher,))
    verdict = ground_arguments(extract((text,), NOW, a_venue()), action, {"send_voucher": value}, None, {})
    assert (verdict if not isinstance(verdict, Ungrounded) else verdict.parameter) == kept


def test_a_bare_number_answers_what_was_asked_and_nothing_else() -> None:
    words = extract(("5", "change the booking"), NOW, PACK.profile)
    hour = {"booking_id": "b-1", "new_start_time": "17:00"}
    heads = {"booking_id": "b-1", "guest_count": 5}
    reschedule, change = PACK.actions["reschedule_booking"], PACK.actions["change_guest_count"]
    asked_for_time = ParameterRole.TIME
    assert ground_arguments(words, reschedule, hour, BOOKING, {}, expected=asked_for_time) == hour
    assert isinstance(ground_arguments(words, change, heads, BOOKING, {}, expected=asked_for_time), Ungrounded)
    assert ground_arguments(words, change, heads, BOOKING, {}, expected=ParameterRole.COUNT) == heads


def test_what_is_stated_of_another_booking_of_the_chat_bears_nothing_out() -> None:
    emma = BOOKING.model_copy(update={"guest_name": "Emma Clarke"})
    leo = BOOKING.model_copy(update={"booking_id": "b-2", "reference": "8232", "guest_name": "Leo May"})
    words = extract(("emma at 4pm, leo at 5pm",), NOW, PACK.profile)
    reschedule = PACK.actions["reschedule_booking"]
    four = {"booking_id": "b-1", "new_start_time": "16:00"}
    five = {"booking_id": "b-2", "new_start_time": "17:00"}
    assert ground_arguments(words, reschedule, four, emma, {}, others=(emma, leo)) == four
    assert ground_arguments(words, reschedule, five, leo, {}, others=(emma, leo)) == five
    crossed = ground_arguments(words, reschedule, {"new_start_time": "17:00"}, emma, {}, others=(emma, leo))
    assert crossed != {"new_start_time": "17:00"}


def test_a_value_of_the_pending_plan_gives_way_to_what_is_stated_now() -> None:
    pending = {"new_start_time": "16:00"}
    found = ground("make it 5pm", "reschedule_booking", amended=pending, new_start_time="16:00")
    assert isinstance(found, Ungrounded) or found == {"new_start_time": "17:00"}


def test_a_shift_counts_from_the_pending_plan() -> None:
    pending = {"new_start_time": "16:00"}
    later = {"new_start_time": "17:00"}
    assert ground("an hour later", "reschedule_booking", amended=pending, **later) == later
    assert isinstance(
        ground("an hour later", "reschedule_booking", amended=pending, new_start_time="15:00"), Ungrounded
    )


def test_earlier_messages_of_the_open_request_bear_values_out() -> None:
    given = {"new_date": "2026-11-21", "new_start_time": "15:00"}
    assert ground("the second one", "reschedule_booking", "move Emma to Saturday at 3pm", **given) == given


def test_values_of_the_plan_being_amended_need_not_be_stated_again() -> None:
    amended = {"booking_id": "b-1", "new_date": "2026-12-05", "new_start_time": "15:00"}
    given = {"new_date": "2026-12-05", "new_start_time": "16:00"}
    assert ground("make it 4pm", "reschedule_booking", amended=amended, **given) == given


def test_italian_words_bear_out_too() -> None:
    given = {"new_date": "2026-12-05", "new_start_time": "10:30"}
    assert ground("rimanda al 5 dicembre alle 10:30", "reschedule_booking", locale="it-IT", **given) == given
    assert ground("quattordici bambini", "change_guest_count", locale="it-IT", guest_count=14) == {"guest_count": 14}


@given(st.integers(1, 500))
def test_a_count_without_any_number_stated_is_never_kept(count: int) -> None:
    verdict = ground("change the guest count of the party", "change_guest_count", guest_count=count)
    assert isinstance(verdict, Ungrounded) or verdict == {"guest_count": BOOKING.guest_count}


@given(st.dates(datetime(2026, 11, 19).date(), datetime(2028, 1, 1).date()))
def test_a_day_without_any_day_stated_is_never_kept(day: Any) -> None:
    verdict = ground("please move the party", "reschedule_booking", new_date=day.isoformat())
    assert isinstance(verdict, Ungrounded) or verdict == {"new_date": BOOKING.date}


@pytest.mark.parametrize("text", ["move 8231 to 8:30pm and make it 14 guests", "make it 14", "14 kids for 8231"])
def test_the_booked_count_is_not_borne_out_where_another_was_stated(text: str) -> None:
    assert ground(text, "change_guest_count", guest_count=10) != {"guest_count": 10}


@pytest.mark.parametrize("of", ["8231", "8340"])
def test_a_choice_that_is_stated_of_another_booking_is_none_of_this_one(of: str) -> None:
    other = BookingSummary(booking_id="b-2", reference="8340", date="2026-11-28", start_time="15:00", guest_count=8)
    booking = BOOKING if of == "8231" else other
    words = extract(("cancel 8231, we refunded it in cash, and cancel 8340",), NOW, PACK.profile, (BOOKING, other))
    arguments = {"booking_id": booking.booking_id, "issue_refund": True, "refund_type": "Cash"}
    verdict = ground_arguments(words, PACK.actions["cancel_booking"], arguments, booking, {}, others=(BOOKING, other))
    kept = set(verdict) if not isinstance(verdict, Ungrounded) else set()
    assert ("issue_refund" in kept) is (of == "8231")
