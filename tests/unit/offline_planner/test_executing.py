"""Executing a confirmed plan. Guarantees:

- the next unfinished step, with exactly the confirmed values, placeholders filled from the results of steps;
- the planner asks for a value that the venue misses, with its choices, and fills in the answer;
- a value that the venue requires in another form is rewritten, once; a step that keeps failing is given up;
- a finished plan ends with a plain sentence.
"""

import json
from typing import Any

import pytest

from contracts.plan import PlannedAction
from tests.unit.offline_planner.chat import execution, names
from tests.unit.offline_planner.test_conversation import pending


def shown(message: dict[str, Any], result: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a reply and the result of its first call."""
    call_id = message["tool_calls"][0]["id"]
    return [message, {"role": "tool", "tool_call_id": call_id, "content": json.dumps(result)}]


def test_steps_run_in_order_and_end_in_words() -> None:
    goal: list[PlannedAction] = pending(
        ("change_guest_count", {"booking_id": "b-1", "guest_count": 14}),
        ("edit_note", {"booking_id": "{{step_1.booking_id}}", "note": "cake"}),
    )
    message, calls = execution(goal)
    assert [(c.name, c.arguments) for c in calls] == [("change_guest_count", {"booking_id": "b-1", "guest_count": 14})]
    transcript = shown(message, {"status": "done", "result": {"booking_id": "b-9"}})
    message, calls = execution(goal, transcript)
    assert [(c.name, c.arguments) for c in calls] == [("edit_note", {"booking_id": "b-9", "note": "cake"})]
    message, calls = execution(goal, transcript + shown(message, {"status": "done", "result": None}))
    assert (message["content"], calls) == ("All steps are done.", [])


def test_two_steps_of_one_tool_are_two_calls() -> None:
    goal = pending(("cancel_booking", {"booking_id": "b-1"}), ("cancel_booking", {"booking_id": "b-2"}))
    message, calls = execution(goal)
    _, calls = execution(goal, shown(message, {"status": "done", "result": None}))
    assert calls[0].arguments == {"booking_id": "b-2"}


def test_a_missing_value_is_asked_with_its_choices_and_filled_in() -> None:
    goal = pending(("cancel_booking", {"booking_id": "b-1", "issue_refund": True}))
    message, _ = execution(goal)
    transcript = shown(message, {"error": "refundType is required", "status": 400})
    message, calls = execution(goal, transcript)
    assert names(calls) == ["ask_operator"]
    assert "Cash" in calls[0].arguments["choices"]
    for answer, value in (("cash please", "Cash"), ("by bank transfer", "BankTransfer"), ("Gift card", "GiftCard")):
        _, calls = execution(goal, transcript + shown(message, {"operator": answer}))
        assert calls[0].arguments == {"booking_id": "b-1", "issue_refund": True, "refund_type": value}


def test_the_venues_own_words_for_a_missing_value_are_enough() -> None:
    goal = pending(("cancel_booking", {"booking_id": "b-1", "issue_refund": True}))
    message, _ = execution(goal)
    _, calls = execution(goal, shown(message, {"error": "ROLLER wants to know how the refund was made."}))
    assert names(calls) == ["ask_operator"]


def test_a_format_is_mended_once() -> None:
    goal = pending(("reschedule_booking", {"booking_id": "b-1", "new_start_time": "9:30"}))
    message, _ = execution(goal)
    transcript = shown(message, {"error": "startTime must be HH:MM"})
    message, calls = execution(goal, transcript)
    assert calls[0].arguments["new_start_time"] == "09:30"
    _, calls = execution(goal, transcript + shown(message, {"error": "startTime must be HH:MM"}))
    assert names(calls) == ["cannot_help"]


def test_a_phone_is_mended_to_international_form() -> None:
    goal = pending(("update_contact", {"booking_id": "b-1", "phone": "0412 345 678"}))
    message, _ = execution(goal)
    _, calls = execution(goal, shown(message, {"error": "phone must start with + and the country code"}))
    assert calls[0].arguments["phone"] == "+61412345678"


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ({"error": "too many", "status": 400, "code": None}, "The venue did not accept this: too many"),
        ({"error": "too many"}, "so it was not sent: too many"),
        ({"error": "too many", "status": None, "code": None}, "so it was not sent: too many"),
    ],
)
def test_an_error_that_nothing_mends_is_given_up_and_reported_as_whose_it_is(result: dict[str, Any], text: str) -> None:
    goal = pending(("change_guest_count", {"booking_id": "b-1", "guest_count": 14}))
    message, _ = execution(goal)
    _, calls = execution(goal, shown(message, result))
    assert names(calls) == ["cannot_help"]
    assert text in str(calls[0].arguments["message"])
