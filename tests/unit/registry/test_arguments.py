"""Checking a model's arguments.

- Valid ones give no problem; a null counts as not given; a whole placeholder passes any type, also inside lists.
- Days, times, e-mail addresses and counts are checked by their role, with messages a model can act on.
- Unknown, missing and `require_any` arguments are named.
"""

import pytest

import registry
from contracts.base import Json
from registry.tools.arguments import is_placeholder


def problems(pack: registry.Pack, name: str, **arguments: Json) -> list[str]:
    return registry.argument_problems(pack.actions[name], arguments)


def test_valid_arguments(pack: registry.Pack) -> None:
    assert problems(pack, "reschedule_booking", booking_id="8231", new_date="2026-11-28", new_start_time=None) == []
    assert problems(pack, "change_guest_count", booking_id="8231", guest_count=14) == []
    assert problems(pack, "update_contact", booking_id="8231", email="emma.o'neil+x@mail.example.com") == []
    assert problems(pack, "cancel_booking", booking_id="8231", issue_refund=True, refund_type="Cash") == []


@pytest.mark.parametrize("value", ["28/11/2026", "2026-13-01", "2026-02-30", "Saturday", "2026-11-28T15:00", ""])
def test_days(pack: registry.Pack, value: str) -> None:
    (problem,) = problems(pack, "reschedule_booking", booking_id="8231", new_date=value)
    assert problem.startswith("new_date: ")
    assert "YYYY-MM-DD" in problem


@pytest.mark.parametrize("value", ["3pm", "25:00", "15", "15:60", "3:00", "15:00:00"])
def test_times(pack: registry.Pack, value: str) -> None:
    (problem,) = problems(pack, "reschedule_booking", booking_id="8231", new_start_time=value)
    assert "HH:MM" in problem


@pytest.mark.parametrize("value", ["emma", "emma@", "@x.com", "emma@x", "a b@x.com", "emma@x..com"])
def test_emails(pack: registry.Pack, value: str) -> None:
    (problem,) = problems(pack, "update_contact", booking_id="8231", email=value)
    assert "e-mail" in problem


@pytest.mark.parametrize("value", [0, -3, 1.5, "14", True, [14]])
def test_counts(pack: registry.Pack, value: Json) -> None:
    (problem,) = problems(pack, "change_guest_count", booking_id="8231", guest_count=value)
    assert problem.startswith("guest_count: ")


def test_unknown_missing_and_any(pack: registry.Pack) -> None:
    assert problems(pack, "reschedule_booking", booking_id="8231") == ["give at least one of new_date, new_start_time"]
    (problem,) = problems(pack, "change_guest_count", guest_count=14)
    assert problem.startswith("booking_id: is required")
    unknown = problems(pack, "change_guest_count", booking_id="8231", guest_count=14, guest_cout=14)
    assert unknown == ["guest_cout: this action has no such argument; did you mean guest_count?"]
    assert "one of" in problems(pack, "cancel_booking", booking_id="1", refund_type="Bitcoin")[0]
    assert "3 characters" in problems(pack, "find_bookings", keywords="Em")[0]


def test_placeholders(pack: registry.Pack) -> None:
    given = {"booking_id": "{{step_1.booking_id}}", "guest_count": "{{ step_2.items[0].quantity }}"}
    assert problems(pack, "change_guest_count", **given) == []
    assert problems(pack, "change_guest_count", booking_id="8231", guest_count="about {{step_1.count}}")
    assert not is_placeholder("{{step_0.x}}")
    assert not is_placeholder("{{before.items}}")
