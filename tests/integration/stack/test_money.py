"""A booking's price survives a change of day, time or guests, and its undo (over HTTP against the stack). Guarantees:

- An agreed price and a discount are carried over: what was not changed costs what it did, to the cent.
- The plan shows a total that changes before it is confirmed, and it is the venue's total afterwards.
- Undo and rollback restore the price; items before the one that counts are left alone.
- The plan warns of what cannot be carried over or read (discount names, package choices, discounts of the whole
  booking).
"""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.asking import asking
from tests.support.operator import Operator
from tests.support.roller import PARTY, Roller, a_name, days_ahead
from tests.support.scripted_model import ScriptedModel, look_up, obey, then

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

JUMP, SOCKS = 62001, 65001
Line = dict[str, Any]
MOVE = ("reschedule_booking", {"new_start_time": "15:00"})


def line(product: int, quantity: int, *, day: str, **more: Any) -> Line:
    """Return one item of a new booking."""
    timed = {} if product == SOCKS else {"startTime": "10:00"}
    return {"productId": product, "quantity": quantity, "bookingDate": day, **timed, **more}


async def booked(roller: Roller, *lines: Line, **more: Any) -> dict[str, Any]:
    """Return a booking of its own guest with these items."""
    first, last = a_name().split(" ")
    customer = {"firstName": first, "lastName": last, "email": f"{first}.{last}@example.com", "phone": None}
    body = {"externalId": f"e4-{uuid4().hex}", "customer": customer, "items": list(lines), **more}
    response = await roller.http.post("/bookings", json=body)
    assert response.status_code == 201, response.text
    return await roller.booking(response.json()["uniqueId"])


async def drafted(
    operator: Operator, scripted: ScriptedModel, booking: dict[str, Any], *calls: tuple[str, dict[str, Any]]
) -> dict[str, Any]:
    """Return the plan that a model drafts for these calls."""
    guest = booking["name"]
    scripted.script(guest, look_up(guest), then(*calls), obey)
    return await operator.plan_for(asking(guest, *calls))


def shown(plan: dict[str, Any], field: str, step: int = 0) -> list[tuple[Any, Any]]:
    """Return (before, after) of the preview's lines with that label."""
    return [(p.get("before"), p["after"]) for p in plan["actions"][step]["preview"] if p["field"] == field]


async def carried_out(operator: Operator, plan: dict[str, Any]) -> dict[str, Any]:
    """Confirm the plan; return it once it has completed."""
    await operator.confirm(plan)
    done = await operator.settled(plan)
    assert done["status"] == "completed", done
    return done


async def undone(operator: Operator, plan: dict[str, Any]) -> dict[str, Any]:
    """Undo the plan; return it once it was undone as a whole."""
    response: httpx.Response = await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)
    assert response.status_code == 202, response.text
    found = await operator.settled(plan)
    assert (found["status"], found["rollback_report"]["outcome"]) == ("rolled_back", "complete"), found
    return found


def lines_of(booking: dict[str, Any]) -> list[tuple[int, int, float]]:
    """Return (product, quantity, price of the line) of each item in order."""
    return [(i["productId"], i["quantity"], round(i["cost"] * i["quantity"] - i["discount"], 2))
            for i in booking["items"]]  # fmt: skip


def a_day() -> str:
    """Return a day far from other tests' days."""
    return days_ahead(310 + uuid4().int % 400)


AGREED = {
    "an agreed price": ([{"product": PARTY, "quantity": 10, "priceOverride": 12.5}], {}, 125.0),
    "a discount that does not divide": (
        [{"product": PARTY, "quantity": 3, "priceOverride": 45.0}], {"discounts": [{"amount": 10.0}]}, 125.0,
    ),
    "a percentage on several items": (
        [{"product": PARTY, "quantity": 7}, {"product": SOCKS, "quantity": 5}],
        {"discounts": [{"percentage": 12.5}]}, 211.31,
    ),
    "a discount on one of three": (
        [{"product": SOCKS, "quantity": 2}, {"product": PARTY, "quantity": 9}, {"product": JUMP, "quantity": 4}],
        {"discounts": [{"amount": 20.0, "productIds": [JUMP]}]}, 353.0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", AGREED)
async def test_moving_a_booking_costs_nothing_and_neither_does_its_undo(
    operator: Operator, roller: Roller, scripted: ScriptedModel, case: str
) -> None:
    lines, more, total = AGREED[case]
    day = a_day()
    before = await booked(roller, *[line(day=day, **each) for each in lines], **more)
    assert before["total"] == total
    plan = await drafted(operator, scripted, before, MOVE)
    assert shown(plan, "Total") == [], "it does not change"
    done = await carried_out(operator, plan)
    after = await roller.booking(before["uniqueId"])
    assert (after["total"], lines_of(after)) == (total, lines_of(before))
    assert {i["sessionStartTime"] for i in after["items"] if "sessionStartTime" in i} == {"15:00"}
    await undone(operator, done)
    again = await roller.booking(before["uniqueId"])
    assert (again["total"], again["remainder"], lines_of(again)) == (total, before["remainder"], lines_of(before))


COUNTED = [
    ("an agreed price", 14, "125.00 AUD", "175.00 AUD", 175.0),
    ("an agreed price", 8, "125.00 AUD", "100.00 AUD", 100.0),
    ("a discount that does not divide", 4, "125.00 AUD", "166.67 AUD", 166.67),
    ("a discount that does not divide", 2, "125.00 AUD", "83.33 AUD", 83.33),
    ("a percentage on several items", 14, "211.31 AUD", "407.31 AUD", 407.31),
    ("a discount on one of three", 6, "353.00 AUD", "257.00 AUD", 257.0),
]


@pytest.mark.parametrize(("case", "guests", "was", "becomes", "total"), COUNTED)
async def test_a_new_guest_count_costs_what_the_preview_says(
    operator: Operator, roller: Roller, scripted: ScriptedModel, case: str, guests: int, was: str, becomes: str,
    total: float,
) -> None:  # fmt: skip
    lines, more, _ = AGREED[case]
    day = a_day()
    before = await booked(roller, *[line(day=day, **each) for each in lines], **more)
    plan = await drafted(operator, scripted, before, ("change_guest_count", {"guest_count": guests}))
    assert shown(plan, "Total") == [(was, becomes)]
    done = await carried_out(operator, plan)
    after = await roller.booking(before["uniqueId"])
    assert after["total"] == total
    assert [i["quantity"] for i in after["items"] if i["productId"] == PARTY] == [guests]
    await undone(operator, done)
    again = await roller.booking(before["uniqueId"])
    assert (again["total"], lines_of(again)) == (before["total"], lines_of(before))


async def test_two_steps_on_one_booking_are_no_conflict_and_are_rolled_back(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    day = a_day()
    lines, more, total = AGREED["a percentage on several items"]
    before = await booked(roller, *[line(day=day, **each) for each in lines], **more)
    count, note = ("change_guest_count", {"guest_count": 14}), ("edit_note", {"note": "Cake"})
    plan = await drafted(operator, scripted, before, count, MOVE, note)
    await roller.fault("update-a-booking", "status", skip=2)
    await operator.confirm(plan)
    found = await operator.settled(plan)
    assert (found["status"], found["rollback_report"]["outcome"]) == ("rolled_back", "complete"), found
    assert [r["status"] for r in found["results"]][:2] == ["completed", "completed"]
    again = await roller.booking(before["uniqueId"])
    assert (again["total"], lines_of(again)) == (total, lines_of(before))


async def test_items_before_the_one_that_counts_are_left_alone(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    day = a_day()
    before = await booked(
        roller, line(SOCKS, 2, day=day), line(PARTY, 9, day=day), discounts=[{"amount": 3.0, "productIds": [SOCKS]}]
    )
    plan = await drafted(operator, scripted, before, ("change_guest_count", {"guest_count": 14}))
    assert shown(plan, "Guests") == [("9", "14")]
    assert shown(plan, "Discount") == [], "the discounted item stays as it is"
    await carried_out(operator, plan)
    after = await roller.booking(before["uniqueId"])
    assert after["items"][0] == before["items"][0]
    assert (after["discount"], after["total"]) == (3.0, 452.0)


async def test_a_discount_whose_name_is_lost_is_reported_beforehand(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    before = await booked(roller, line(PARTY, 10, day=a_day()), discounts=[{"percentage": 10}])
    plan = await drafted(operator, scripted, before, MOVE)
    assert [was for was, _ in shown(plan, "Discount")] == ["32.00 AUD"]
    assert "name or code" in shown(plan, "Discount")[0][1]


async def test_package_choices_that_would_be_lost_are_reported_beforehand(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    chosen = [{"productId": "65001", "quantity": 10}]
    before = await booked(roller, line(PARTY, 10, day=a_day(), partyPackageInclusions=chosen))
    kept = (await roller.http.get(f"/_sandbox/choices/{before['uniqueId']}")).json()
    assert kept[0]["partyPackageInclusions"] == chosen
    plan = await drafted(operator, scripted, before, MOVE)
    assert any("chose in the package" in after for _, after in shown(plan, "Extras")), plan["actions"][0]["preview"]


async def test_what_is_no_package_loses_nothing(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    before = await booked(roller, line(JUMP, 4, day=a_day()))
    assert shown(await drafted(operator, scripted, before, MOVE), "Extras") == []


async def test_when_the_packages_cannot_be_read_the_preview_says_so(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    before = await booked(roller, line(JUMP, 4, day=a_day()))
    await roller.fault("get-product-detail", "status", times=4)
    plan = await drafted(operator, scripted, before, MOVE)
    assert any("could not be read" in after for _, after in shown(plan, "Extras"))
    await carried_out(operator, plan)


async def test_a_discount_of_the_whole_booking_is_reported_and_stands(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    before = await booked(roller, line(JUMP, 4, day=a_day()), discounts=[{"code": "SUMMER", "amount": 8.0}])
    assert (before["total"], before["discount"]) == (70.0, 8.0)
    plan = await drafted(operator, scripted, before, ("change_guest_count", {"guest_count": 6}))
    ((was, reported),) = shown(plan, "Extras")
    assert was == "8.00 AUD off the whole booking" and "check the total" in reported
    total, remark = shown(plan, "Total")
    assert total == ("70.00 AUD", "109.00 AUD") and "may come out differently" in remark[1]
    await undone(operator, await carried_out(operator, plan))
    assert (await roller.booking(before["uniqueId"]))["total"] == 70.0


async def test_a_cancellation_shows_what_was_paid(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    paid = [{"id": "TX-1", "paymentType": "Cash", "amount": 50.0}]
    before = await booked(roller, line(PARTY, 10, day=a_day()), payments=paid)
    plan = await drafted(operator, scripted, before, ("cancel_booking", {}))
    assert shown(plan, "Paid")[0][0] == "50.00 AUD of 320.00 AUD"
