"""What was confirmed is what happens, and an undo undoes it: over HTTP against the tests' own small venue, which other
users change at the same time. Guarantees:

- A write that was applied is undone even when the snapshot cannot see it. A created thing counts as undone when it is
  gone.
- No change by another user is overwritten. Where the changes cannot be told apart, the booking is left, and both values
  are reported to staff. That holds during an undo, too, which then ends in part.
- The worker reads what a write is built from again just before it sends the write.
- A marker proves that a write was applied; only `verify` proves that it is as requested. One that was applied otherwise
  is a failure.
- No high-risk step and no unseen value hides behind a placeholder.
- A failed read proves nothing. The same booking under two ids is one booking.
"""

from collections.abc import AsyncIterator
from itertools import count
from typing import Any

import pytest

from tests.support.operator import Operator
from tests.support.scripted_model import ScriptedModel, obey
from tests.support.small_venue import SmallVenue, served, write_pack
from tests.support.stacks import a_stack, free_base

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

_NUMBERS = count(1001)


@pytest.fixture(scope="module")
async def small(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[SmallVenue, str]]:
    """(the venue, the API's address)."""
    venue, port, folder = SmallVenue(), free_base(1), tmp_path_factory.mktemp("small")
    settings: dict[str, Any] = {
        "packs": (write_pack(folder),), "venue_urls": {"small": f"http://127.0.0.1:{port}"},
        "model_base_url": model_url,
    }  # fmt: skip
    async with served(venue, port), a_stack(folder / "data", **settings) as stack:
        yield venue, f"http://127.0.0.1:{stack.ports.facade}"


@pytest.fixture
async def venue(small: tuple[SmallVenue, str]) -> AsyncIterator[SmallVenue]:
    """The venue; its hooks and faults are cleared after the test."""
    one = small[0]
    hook = one.hook
    yield one
    one.hook, one.fails, one.answers, one.most_guests, one.ignores_writes = hook, {}, {}, 1000, False


@pytest.fixture
async def operator(small: tuple[SmallVenue, str]) -> AsyncIterator[Operator]:
    """An operator with a fresh chat."""
    async with Operator(small[1]) as operator:
        yield operator


def a_party(venue: SmallVenue, **fields: Any) -> str:
    """Add a fresh party; return its id."""
    name = f"p-{next(_NUMBERS)}"
    venue.add(name, **fields)
    return name


async def planned(
    operator: Operator, scripted: ScriptedModel, party: str, text: str, *calls: dict[str, Any], then: Any = obey
) -> Any:
    """Return a plan of these calls on a party that was looked up; `then` carries it out."""
    scripted.script(party, {"get_party": {"booking_id": party}}, list(calls), then)
    return await operator.plan_for(f"{text}, party {party}")


async def carried_out(operator: Operator, plan: dict[str, Any]) -> dict[str, Any]:
    """Confirm the plan; return it once it has ended."""
    await operator.confirm(plan)
    return await operator.settled(plan)


def refuse(what: str) -> Any:
    """Return a model that gives up instead of calling the last step."""

    def reply(body: dict[str, Any]) -> Any:
        text = obey(body)
        return {"cannot_help": {"message": "no"}} if isinstance(text, dict) and what in text else text

    return reply


async def test_a_write_that_the_snapshot_cannot_see_is_undone_all_the_same(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue, notes="old")
    calls = [
        {"note_unseen": {"booking_id": party, "note": "bring socks"}},
        {"resize": {"booking_id": party, "guests": 12}},
    ]
    plan = await planned(operator, scripted, party, "note bring socks and 12 guests", *calls, then=refuse("resize"))
    ended = await carried_out(operator, plan)
    assert ended["status"] == "rolled_back", ended
    assert ended["rollback_report"]["outcome"] == "complete"
    assert venue.parties[party]["notes"] == "old"
    assert [w for w, _ in venue.writes if party in w] == [f"PUT {party}"] * 2


async def test_a_made_thing_is_undone_when_it_is_gone(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    calls = [{"order_dessert": {"booking_id": party, "pieces": 12}}, {"resize": {"booking_id": party, "guests": 12}}]
    plan = await planned(operator, scripted, party, "12 pieces of cake and 12 guests", *calls, then=refuse("resize"))
    ended = await carried_out(operator, plan)
    assert ended["rollback_report"]["outcome"] == "complete", ended
    [order] = [o for o in venue.orders.values() if o["party"] == party]
    assert order["state"] == "cancelled"


async def test_a_made_thing_that_staff_have_changed_is_not_cancelled(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    calls = [{"order_dessert": {"booking_id": party, "pieces": 8}}]
    plan = await carried_out(operator, await planned(operator, scripted, party, "8 pieces of cake", *calls))
    assert plan["status"] == "completed", plan
    [order] = [o for o in venue.orders.values() if o["party"] == party]
    order["pieces"] = 20
    answer = await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)
    assert answer.status_code == 409, answer.text
    assert order["state"] == "open"


async def test_an_undo_that_the_venue_ignores_is_not_stated_to_be_done(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    calls = [{"resize": {"booking_id": party, "guests": 14}}, {"note_unseen": {"booking_id": party, "note": "x y"}}]
    plan = await planned(operator, scripted, party, "14 guests and note x y", *calls, then=refuse("note_unseen"))

    async def ignore(what: str, _: int) -> None:
        venue.ignores_writes = venue.ignores_writes or (what == "PUT party" and venue.parties[party]["guests"] == 14)

    venue.hook = ignore
    ended = await carried_out(operator, plan)
    assert venue.parties[party]["guests"] == 14
    assert ended["rollback_report"]["outcome"] == "partial", ended
    assert "back to 10" in ended["rollback_report"]["manual_steps"][0]
    assert "put back" not in ended["summary"].replace("could be put back", "")


async def test_what_staff_wrote_meanwhile_is_never_overwritten(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    calls = [{"resize": {"booking_id": party, "guests": 14}}, {"note_unseen": {"booking_id": party, "note": "x y"}}]

    def ask(body: dict[str, Any]) -> Any:
        text = obey(body)
        return {"ask_operator": {"question": "Really?"}} if isinstance(text, dict) and "note_unseen" in text else text

    plan = await planned(operator, scripted, party, "14 guests and note x y", *calls, then=ask)
    await operator.confirm(plan)
    await operator.asked(plan)
    venue.parties[party]["guests"] = 17
    assert (await operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=operator.user)).status_code == 202
    ended = await operator.settled(plan)
    assert venue.parties[party]["guests"] == 17
    report = ended["rollback_report"]
    assert report["outcome"] == "partial", ended
    [manual] = report["manual_steps"]
    assert all(value in manual for value in ("10", "14", "17")), manual
    assert "somebody else" in report["steps"][0]["message"]


async def test_a_change_during_an_undo_is_kept_and_reported(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    calls = [{"resize": {"booking_id": party, "guests": 14}}, {"order_dessert": {"booking_id": party, "pieces": 8}}]
    plan = await planned(operator, scripted, party, "14 guests and 8 pieces of cake", *calls)
    assert (await carried_out(operator, plan))["status"] == "completed"

    async def staff(what: str, _: int) -> None:
        if what == "POST order":
            # The undo was accepted, and cancels the dessert; then comes the number of guests.
            venue.parties[party]["guests"] = 17

    venue.hook = staff
    answer = await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)
    assert (answer.status_code, answer.json()["rollback"]) == (202, {"state": "running"})
    report = (await operator.settled(plan))["rollback_report"]
    assert venue.parties[party]["guests"] == 17
    assert [(s["step"], s["outcome"]) for s in report["steps"]] == [(2, "reversed"), (1, "failed")], report
    [manual] = report["manual_steps"]
    assert report["outcome"] == "partial" and all(value in manual for value in ("10", "14", "17")), report


async def test_a_change_between_snapshot_and_write_stops_the_write(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    plan = await planned(operator, scripted, party, "14 guests", {"resize": {"booking_id": party, "guests": 14}})
    reads = 0

    async def staff(what: str, _: int) -> None:
        nonlocal reads
        reads += what == "GET party"
        if reads == 2:
            # The snapshot has been taken; this is the read just before the write.
            venue.parties[party]["guests"] = 11

    venue.hook = staff
    ended = await carried_out(operator, plan)
    assert (ended["status"], ended["failure"]["error_type"]) == ("failed", "conflict"), ended
    assert venue.parties[party]["guests"] == 11
    assert not [w for w, _ in venue.writes if w == f"PUT {party}"]


async def test_landed_otherwise_is_a_failure_that_is_reported_and_compensated(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    venue.most_guests = 12
    plan = await planned(operator, scripted, party, "14 guests", {"resize": {"booking_id": party, "guests": 14}})
    ended = await carried_out(operator, plan)
    assert ended["status"] == "rolled_back", ended
    assert ended["failure"]["error_type"] == "partly_applied"
    assert "12 instead of 14" in ended["failure"]["message"]
    assert [(r["status"], r["error_type"]) for r in ended["results"]] == [("failed", "partly_applied")]
    assert ended["rollback_report"]["outcome"] == "complete"
    assert venue.parties[party]["guests"] == 10


async def test_a_high_risk_step_cannot_hide_behind_a_placeholder(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    hidden = [{"resize": {"booking_id": party, "guests": 9}}, {"shut_down": {"booking_id": "{{step_1.size}}"}}]
    scripted.script(party, {"get_party": {"booking_id": party}}, hidden)
    turn = await operator.say(f"make party {party} 9 guests")
    assert turn["type"] != "plan", turn


async def test_what_is_settled_is_resolved_while_drafting_and_shown(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    calls = [{"resize": {"booking_id": party, "guests": 9}}, {"shut_down": {"booking_id": "{{step_1.booking_id}}"}}]
    plan = await planned(operator, scripted, party, "9 guests, then shut it down", *calls)
    assert plan["actions"][1]["parameters"] == {"booking_id": party}
    assert plan["actions"][1]["preview"] == [{"field": "Party", "before": "open", "after": "ended"}]


async def test_a_step_whose_effect_is_still_open_says_so(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    calls = [{"order_dessert": {"booking_id": party, "pieces": 9}},
             {"note_unseen": {"booking_id": party, "note": "{{step_1.order_id}}"}}]  # fmt: skip
    plan = await planned(operator, scripted, party, "9 pieces, note the order", *calls)
    assert any("when step 1 is done" in line["after"] for line in plan["actions"][1]["preview"])
    ended = await carried_out(operator, plan)
    assert ended["status"] == "completed", ended
    note = venue.parties[party]["notes"]
    assert ended["actions"][1]["parameters"]["note"] == note
    assert ended["actions"][1]["preview"][0]["after"] == note


@pytest.mark.parametrize("statuses", [(500,), (429,), (503, 500, 429)])
async def test_a_look_that_fails_after_the_write_costs_nothing(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel, statuses: tuple[int, ...]
) -> None:
    party = a_party(venue)
    calls = [{"resize": {"booking_id": party, "guests": 14}}, {"note_unseen": {"booking_id": party, "note": "x y"}}]
    plan = await planned(operator, scripted, party, "14 guests and note x y", *calls)
    await _fail_after_the_write(venue, statuses)
    ended = await carried_out(operator, plan)
    assert ended["status"] == "completed", ended
    assert (await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)).status_code == 202
    assert (await operator.settled(plan))["rollback_report"]["outcome"] == "complete"
    assert venue.parties[party]["guests"] == 10


async def test_what_no_one_could_look_at_is_reported_and_settled_by_the_next_step(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    calls = [{"resize": {"booking_id": party, "guests": 14}}, {"resize": {"booking_id": party, "guests": 15}}]
    plan = await planned(operator, scripted, party, "14 guests, then 15", *calls)
    await _fail_after_the_write(venue, (500,) * 15)
    ended = await carried_out(operator, plan)
    assert ended["status"] == "completed", ended
    assert "could not be looked at" in ended["results"][0]["message"]
    assert (await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)).status_code == 202
    assert (await operator.settled(plan))["rollback_report"]["outcome"] == "complete"
    assert venue.parties[party] == {**venue.parties[party], "guests": 10}


async def _fail_after_the_write(venue: SmallVenue, statuses: tuple[int, ...]) -> None:
    async def hook(what: str, _: int) -> None:
        if what == "PUT party" and "GET party" not in venue.fails:
            venue.fail("GET party", *statuses)

    venue.hook = hook


async def test_one_booking_under_two_ids_is_one_booking(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    reference = f"77{party[2:]}"
    venue.parties[party]["reference"] = reference
    calls = [{"resize": {"booking_id": party, "guests": 14}}, {"resize": {"booking_id": reference, "guests": 15}}]
    scripted.script(reference, {"get_party": {"booking_id": reference}}, list(calls), obey)
    plan = await operator.plan_for(f"14 guests for party {party}, then 15 for {reference}")
    assert [a["parameters"]["booking_id"] for a in plan["actions"]] == [party, party]
    ended = await carried_out(operator, plan)
    assert ended["status"] == "completed", ended
    assert venue.parties[party]["guests"] == 15
