"""Every value that a change sends is compared with what is read afterwards (`registry.lint.unverified_values`), or the
result says that it was not checked.

- A sent value that `verify` does not compare is an error, with the file's line and the ways out.
- It compares a value by its name or by its place in the request. What picks the thing, and what operators do not know,
  needs no comparison; nor does anything where there is no `verify`.
- `not_readable` is for values that no read shows: the result names those that were sent.
- A draft declares what it does not compare.
- A refund that is not recorded as asked, another price of a line and another phone number are not as requested.
"""

from pathlib import Path
from typing import Any

import pytest

from infra.config.settings import ROOT
from registry import BoundAction
from registry.openapi.schema_reading import parts_of
from registry.overlays.yaml_file import read_limited_yaml
from tests.support.shipped import shipped
from tests.support.tables import table
from tests.unit.registry.studio import OVERLAY, load
from tests.unit.registry.test_draft_envelopes import PATHS, draft

_CHECK = "now.startsAt | same_instant(request.body.startsAt)"


def noted(check: str = _CHECK, more: str = "", place: str = "in: body.note, ") -> str:
    """Return the overlay with a note that is sent."""
    overlay = OVERLAY.replace(
        "  new_time: {", f"  note: {{{place}type: string, required: false{more}}}\n  new_time: {{"
    )
    overlay = overlay.replace(f"[{_CHECK}]", f'["{check}"]')
    return overlay.replace("sample:\n", "  - {label: Note, after: \"{{ note or '' }}\"}\nsample:\n")


def errors(pack: Any) -> list[tuple[str, str]]:
    return [(found.pointer, found.message) for found in pack.findings if found.level == "error"]


def test_a_value_that_is_sent_and_never_compared_is_an_error(tmp_path: Path) -> None:
    pack = load(tmp_path / "studio", noted())
    (found,) = [f for f in pack.findings if f.level == "error"]
    assert (found.pointer, found.line, "move_lesson" in pack.actions) == ("parameters.note", 10, False)
    assert "`verify` does not compare it" in found.message
    assert "now.… == note" in found.hint and "`not_readable: why`" in found.hint


@pytest.mark.parametrize(
    ("check", "more", "place"),
    [
        (f"{_CHECK} and (not note or now.note == note)", "", "in: body.note, "),
        (f"{_CHECK} and now.note == request.body.note | default('')", "", "in: body.note, "),
        (_CHECK, ", not_readable: no read shows it", "in: body.note, "),
        (_CHECK, ", technical: true", "in: body.note, "),
        (_CHECK, "", ""),
    ],
    ids=["by its name", "by its place", "not readable", "technical", "not sent"],
)
def test_what_needs_no_more(tmp_path: Path, check: str, more: str, place: str) -> None:
    overlay = noted(check, more, place).split("sample:")[0] + "sample: none\n"
    assert errors(load(tmp_path / "studio", overlay)) == []


def test_without_verify_nothing_is_claimed(tmp_path: Path) -> None:
    lines = noted().split("sample:")[0] + "sample: none\n"
    assert errors(load(tmp_path / "studio", lines.replace(f'verify:\n  all: ["{_CHECK}"]\n', ""))) == []


def test_what_is_compared_is_readable(tmp_path: Path) -> None:
    overlay = noted(f"{_CHECK} and (not note or now.note == note)", ", not_readable: no read shows it")
    ((place, message),) = errors(load(tmp_path / "studio", overlay))
    assert place == "parameters.note.not_readable" and "a read shows it" in message


def test_the_result_names_what_was_not_checked() -> None:
    action = shipped("bookeo").actions["cancel_booking"]
    booking = {"booking": {"title": "Giulia Rossi", "canceled": True}}
    bound = BoundAction.of(action, {"booking_id": "26", "notify_customer": True, "reason": "ill"}, None, "k")
    bound = bound.with_(before=booking, now=booking)
    assert bound.applied_reply("").summary == (
        "The booking of Giulia Rossi (26) is cancelled."
        " The booking system does not show this, so it was not checked: notify customer, reason."
    )
    quietly = BoundAction.of(action, {"booking_id": "26"}, None, "k").with_(before=booking, now=booking)
    assert quietly.applied_reply("").summary == "The booking of Giulia Rossi (26) is cancelled."


def test_a_draft_declares_what_it_does_not_compare(tmp_path: Path) -> None:
    written, action = draft(tmp_path, PATHS, "POST /bookings/{bookingUid}/cancel")
    assert "not_readable" in written["parameters"]["reason"] and action.verify is not None
    made, _ = draft(tmp_path, PATHS, "POST /bookings")
    assert not any("not_readable" in row for row in made["parameters"].values())


PAID = {"status": "Paid", "total": 100, "remainder": 20, "payments": [{"bookingPaymentId": 1, "paymentMethod": "Cash"}]}


@table("call, more, as_asked", [
    ({"issue_refund": True, "refund_type": "GiftCard"}, [{"bookingPaymentId": 2, "paymentMethod": "Giftcard"}], True),
    ({"issue_refund": True, "refund_type": "GiftCard"}, [{"bookingPaymentId": 2, "paymentMethod": "Cash"}], False),
    ({"issue_refund": True, "refund_type": "GiftCard"}, [], False),
    ({}, [{"bookingPaymentId": 2, "paymentMethod": "Cash"}], False),
    ({}, [], True),
])  # fmt: skip
def test_a_refund_is_recorded_as_asked(call: dict[str, Any], more: list[Any], as_asked: bool) -> None:
    action = shipped("roller").actions["cancel_booking"]
    bound = BoundAction.of(action, {"booking_id": "b-1", **call}, None, "k").with_(before=PAID)
    now = {**PAID, "status": "Cancelled", "payments": [*PAID["payments"], *more]}  # type: ignore[misc]
    assert bound.with_(now=now).matches_request() is as_asked


def sample(pack: str, name: str) -> Any:
    return parts_of(read_limited_yaml(ROOT / "overlays" / pack / "actions" / f"{name}.yaml").data)["sample"]


@table("shown, as_asked", [("+39 347 765 4321", True), ("+39 347 765 0000", False)])
def test_another_phone_number_is_not_as_asked(shown: str, as_asked: bool) -> None:
    loaded, given = shipped("bookeo"), sample("bookeo", "book_lesson")
    call = {**given["call"], "phone": "347 765 4321", "email": "a@b.example"}
    bound = BoundAction.of(loaded.actions["book_lesson"], call, loaded.profile, "k").with_(before=given["before"])
    customer = {
        **given["after"]["named"]["customer"],
        "phoneNumbers": [{"number": shown}],
        "emailAddress": "A@b.example",
    }
    now = {**given["after"], "named": {**given["after"]["named"], "customer": customer}}
    assert bound.with_(now=now).matches_request() is as_asked


@table("cost, as_asked", [(24.0, True), (25.0, False)])
def test_another_price_of_a_line_is_not_as_asked(cost: float, as_asked: bool) -> None:
    """What the booking costs as a whole says nothing where ROLLER adds to it."""
    given = sample("roller", "change_guest_count")
    before = {**given["before"], "items": [{**item, "cost": 24.0} for item in given["before"]["items"]]}
    now = {**given["after"], "items": [{**item, "cost": cost} for item in given["after"]["items"]]}
    bound = BoundAction.of(shipped("roller").actions["change_guest_count"], given["call"], None, "k")
    assert bound.with_(before={**before, "total": 1000}, now={**now, "total": 1}).matches_request() is as_asked
