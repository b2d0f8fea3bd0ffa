"""The guard: a model's call reaches the venue only if it is the confirmed step with the confirmed values.

Guarantees of `judge`, each one probe:
- the next confirmed action with its values goes out; values that the model leaves out are taken from the confirmed
  ones;
- another action of the plan has to wait its turn (mend); one that is not in the plan widens it (the plan fails);
- another value for a confirmed parameter widens; the same value in another form goes out as it was confirmed;
- which booking, which day, what time and how many are never filled in later; anything else only with a value that the
  operator's answer grounds (E1);
- placeholders are resolved here, wherever they occur; a value that no step put out widens;
- schema problems go back to the model, but never hide a widening.

And of `is_later_step`: a call is early only if all of its values and no others match a step that is still to come.
"""

from typing import Any

import pytest

from contracts.base import Json
from reasoning.execution.guard import Allow, Correct, ExceedsPlan, Verdict, is_later_step, judge
from tests.unit.reasoning.actions import a_call, an_action

ACTION = an_action()
CONFIRMED: dict[str, Json] = {"booking_id": "8231", "new_start_time": "15:00"}


def verdict_on(
    *problems: str,
    confirmed: dict[str, Json] | None = None,
    outputs: dict[int, Json] | None = None,
    answered: bool = False,
    filled: dict[str, Json] | None = None,
    name: str = "change_booking",
    **arguments: Json,
) -> Verdict:
    plan = frozenset({"change_booking", "send_confirmation"})
    call = a_call(name, *problems, **arguments).model_copy(update={"filled": filled or {}})
    values = CONFIRMED if confirmed is None else confirmed
    return judge(call, ACTION, values, plan, outputs or {}, answered=answered)


def test_the_confirmed_step_goes() -> None:
    assert verdict_on(booking_id="8231", new_start_time="15:00") == Allow(CONFIRMED)


def test_what_the_model_leaves_out_is_taken_from_what_was_confirmed() -> None:
    assert verdict_on(new_start_time="15:00") == Allow(CONFIRMED)
    assert verdict_on() == Allow(CONFIRMED)


def test_null_means_left_out() -> None:
    assert verdict_on(booking_id=None, new_date=None) == Allow(CONFIRMED)


def test_another_step_of_the_plan_has_to_wait_its_turn() -> None:
    verdict = verdict_on(name="send_confirmation")

    assert verdict == Correct("The next step of the confirmed plan is change_booking; call it first.")


def test_an_action_outside_the_plan_widens_it() -> None:
    assert verdict_on(name="cancel_booking") == ExceedsPlan(
        "“cancel_booking” is not part of the plan that was confirmed"
    )


def test_an_argument_that_the_action_does_not_have_is_mended() -> None:
    assert verdict_on(colour="red") == Correct("change_booking has no parameter colour.")


def test_another_value_widens_and_says_which() -> None:
    assert verdict_on(new_start_time="16:00") == ExceedsPlan("new_start_time would become 16:00 instead of 15:00")


def test_another_booking_widens() -> None:
    assert isinstance(verdict_on(booking_id="8232"), ExceedsPlan)


def test_the_same_value_in_another_form_goes_out_as_it_was_confirmed() -> None:
    assert verdict_on(new_start_time="3 pm") == Allow(CONFIRMED)
    phone = {"phone": "+61412345678"}
    assert verdict_on(confirmed=phone, phone="0412 345 678") == Allow(phone)
    assert verdict_on(confirmed=phone, phone="\u202a+61 (0)412\u2011345\u2011678\u202c") == Allow(phone)
    rome = {"phone": "+390655501234"}
    assert verdict_on(confirmed=rome, phone="+39 (0)6 5550 1234") == Allow(rome), "Italy keeps its 0"


def test_a_value_without_a_role_goes_out_as_it_was_confirmed_too() -> None:
    assert verdict_on(confirmed={"reason": "Running late"}, reason="running  late") == Allow({"reason": "Running late"})


@pytest.mark.parametrize(("name", "confirmed", "given"), [
    ("note", "Gate code AbC", "gate code abc"), ("first_name", "DeAnna", "Deanna"),
    ("note", "two  spaces", "two spaces"),
])  # fmt: skip
def test_names_and_notes_go_out_as_confirmed(name: str, confirmed: str, given: str) -> None:
    call: dict[str, Any] = {name: given}

    assert verdict_on(confirmed={name: confirmed}, **call) == Allow({name: confirmed})


@pytest.mark.parametrize(("name", "value"), [
    ("booking_id", "9"), ("new_date", "2026-11-28"), ("new_start_time", "15:00"), ("guests", 14),
])  # fmt: skip
@pytest.mark.parametrize("answered", [False, True])
def test_the_substance_of_a_plan_is_never_filled_in_later(name: str, value: Json, answered: bool) -> None:
    verdict = verdict_on(confirmed={"phone": "0491 570 156"}, answered=answered, **{name: value})

    assert verdict == ExceedsPlan(f"{name} = {value} was not part of the plan that was confirmed")


def test_a_gap_is_filled_only_with_what_the_answer_says() -> None:
    asked_first = Correct("reason was not confirmed: ask the operator for it with ask_operator, or leave it out.")
    not_stated = Correct("The operator's answer does not say that reason is late: ask about reason, or leave it out.")

    assert verdict_on(reason="late") == asked_first
    assert verdict_on(reason="late", answered=True) == not_stated
    assert verdict_on(reason="LATE", answered=True, filled={"reason": "late"}) == Allow({**CONFIRMED, "reason": "late"})
    assert verdict_on(reason="late", answered=True, filled={"phone": "1"}) == not_stated


def test_a_placeholder_becomes_what_the_earlier_step_put_out() -> None:
    confirmed = {"booking_id": "{{step_1.booking.id}}"}

    assert verdict_on(confirmed=confirmed, outputs={1: {"booking": {"id": "b-7"}}}) == Allow({"booking_id": "b-7"})


def test_a_placeholder_repeated_or_resolved_by_the_model_goes() -> None:
    confirmed, outputs = {"booking_id": "{{step_1.id}}"}, {1: {"id": "b-7"}}

    for given in ("{{step_1.id}}", "{{ step_1.id }}", "b-7"):
        assert verdict_on(confirmed=confirmed, outputs=outputs, booking_id=given) == Allow({"booking_id": "b-7"})


def test_a_placeholder_resolved_to_something_else_widens() -> None:
    verdict = verdict_on(confirmed={"booking_id": "{{step_1.id}}"}, outputs={1: {"id": "b-7"}}, booking_id="b-8")

    assert verdict == ExceedsPlan("booking_id would become b-8 instead of b-7")


def test_a_placeholder_inside_a_list_is_resolved_too() -> None:
    confirmed: dict[str, Json] = {"reason": {"ids": ["{{step_1.id}}", "x"]}}

    assert verdict_on(confirmed=confirmed, outputs={1: {"id": 7}}) == Allow({"reason": {"ids": [7, "x"]}})
    assert verdict_on(confirmed=confirmed, outputs={1: {"id": 7}}, **confirmed) == Allow({"reason": {"ids": [7, "x"]}})


def test_a_model_cannot_bring_a_placeholder_of_its_own() -> None:
    assert verdict_on(outputs={1: {"id": 7}}, reason="{{step_1.id}}") == Allow(CONFIRMED)


def test_a_value_that_no_step_put_out_widens() -> None:
    verdict = verdict_on(confirmed={"booking_id": "{{step_1.id}}"}, outputs={1: {"other": 1}})

    assert verdict == ExceedsPlan("a value is missing: booking_id: step 1 did not return id")


def test_schema_problems_go_back_to_the_model() -> None:
    assert verdict_on("new_start_time: write it as HH:MM", "guests: 1 or more") == Correct(
        "new_start_time: write it as HH:MM guests: 1 or more"
    )


def test_a_widening_is_not_hidden_by_a_schema_problem() -> None:
    assert isinstance(verdict_on("new_start_time: write it as HH:MM", new_start_time="4pm"), ExceedsPlan)


@pytest.mark.parametrize(
    ("name", "value"), [("new_date", "2026-12-01"), ("new_start_time", "17:00"), ("booking_id", "8232")]
)
def test_an_answer_fills_in_no_decisive_value(name: str, value: str) -> None:
    confirmed: dict[str, Json] = {key: given for key, given in CONFIRMED.items() if key != name}
    verdict = verdict_on(confirmed=confirmed, answered=True, filled={name: value}, **{name: value})
    assert isinstance(verdict, ExceedsPlan), verdict


@pytest.mark.parametrize(("name", "given", "early"), [
    ("change_booking", {"booking_id": "9", "new_start_time": "4pm"}, True),
    ("change_booking", {"booking_id": 9, "new_start_time": "16.00", "new_date": None}, True),
    ("change_booking", {"booking_id": "9"}, False),
    ("change_booking", {"booking_id": "9", "new_start_time": "17:00"}, False),
    ("change_booking", {"booking_id": "9", "new_start_time": "16:00", "note": "late"}, False),
    ("cancel_booking", {"booking_id": "9", "new_start_time": "16:00"}, False),
    ("change_booking", {}, False),
])  # fmt: skip
def test_a_later_step_called_before_its_turn_is_known_by_all_of_its_values(
    name: str, given: dict[str, Json], early: bool
) -> None:
    later: list[dict[str, Json]] = [{"booking_id": "7"}, {"booking_id": "9", "new_start_time": "16:00"}]
    assert is_later_step(a_call(name, **given), ACTION, later) is early
    assert not is_later_step(a_call(name, **given), ACTION, later[:1])
