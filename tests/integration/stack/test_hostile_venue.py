"""A venue behind a gateway that lies: the operator reads what is true of the booking (`docs/saga.md`). Guarantees:

- A change in mid-plan that was applied behind any status, or whose connection was cut, is found and counts as made; one
  that was not applied never counts as made.
- "Everything was put back" is reported only where it is true; "was not sent" only of what was not sent.
- The same holds for an optional step and for a compensation: one that was applied behind a rejection is undone.
- iQ never applies a step twice, and floods of interim answers change nothing.
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.support.asking import asking
from tests.support.hostile_proxy import STATUSES, HostileProxy, Proxied, Trick, proxied
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name, content
from tests.support.scripted_model import ScriptedModel, arranged, look_up, obey, then
from tests.support.stacks import own_token

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

PHONE, GUESTS, NOTE, TIME = "0412 345 678", 14, "Cake at noon", "15:00"
PLAN = (
    ("update_contact", {"phone": PHONE}),
    ("change_guest_count", {"guest_count": GUESTS}),
    ("edit_note", {"note": NOTE}),
)
BOOKING = "/bookings/[^/]+"
SHORTLY = {"settle_seconds: 2": "settle_seconds: 0.6"}
LATE = 0.3
"""Seconds, within those after which a lost write can no longer land."""


def counts(body: Any) -> bool:
    """Return whether a body changes the guest count, or undoes that."""
    return "newItems" in body


def notes(body: Any) -> bool:
    """Return whether a body sets the note."""
    return bool(body.get("comments"))


@pytest.fixture(scope="module")
async def party_place(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Proxied]:
    """ROLLER behind the proxy."""
    async with proxied(tmp_path_factory.mktemp("hostile"), "roller", SHORTLY, model_base_url=model_url) as running:
        yield running


@pytest.fixture
async def gateway(party_place: Proxied) -> AsyncIterator[HostileProxy]:
    """The proxy; its tricks are cleared after the test."""
    one = party_place.proxies["roller"]
    yield one
    one.behave()


@pytest.fixture
async def roller(party_place: Proxied) -> AsyncIterator[Roller]:
    """The venue's own API, not through the proxy."""
    async with Roller(f"http://127.0.0.1:{party_place.ports.roller}") as one:
        yield one


@pytest.fixture
async def operator(party_place: Proxied) -> AsyncIterator[Operator]:
    """An operator with a fresh chat."""
    async with Operator(f"http://127.0.0.1:{party_place.ports.facade}", token=await own_token(party_place)) as one:
        yield one


class Truth:
    """A booking before a plan, and what is true of the plan after it."""

    def __init__(self, roller: Roller, booking: dict[str, Any], guest: dict[str, Any]) -> None:
        self._roller = roller
        self.booking, self.guest = booking, guest

    async def stands(self) -> dict[str, bool]:
        """Return for each action whether its change is in the booking now."""
        now = await self._roller.booking(self.booking["uniqueId"])
        guest = await self._roller.guest(self.booking)
        return {
            "update_contact": guest["phone"] != self.guest["phone"],
            "change_guest_count": now["items"][0]["quantity"] == GUESTS,
            "edit_note": NOTE in (now.get("comments") or ""),
            "reschedule_booking": now["items"][0]["sessionStartTime"] == TIME,
        }

    async def check(self, plan: dict[str, Any]) -> None:
        """Assert that all that the plan reports is true."""
        stands = await self.stands()
        report = plan.get("rollback_report") or {"steps": [], "outcome": None, "manual_steps": []}
        outcomes = {row["step"]: row["outcome"] for row in report["steps"]}
        for action in plan["actions"]:
            there, status = stands[action["action_id"]], action["status"]
            match outcomes.get(action["step"]):
                case "reversed" | "not_needed":
                    assert not there, (action, plan)
                case None:
                    assert there == (status == "completed"), (action, plan)
        if "Everything that this plan had changed was put back" in str(plan):
            assert content(await self._roller.booking(self.booking["uniqueId"])) == content(self.booking)
            assert not any(stands.values()), plan
        if report["outcome"] == "partial":
            assert any(self.booking["bookingReference"] in manual for manual in report["manual_steps"]), plan
        assert "not sent" not in str(plan), plan


async def drafted(
    operator: Operator,
    roller: Roller,
    scripted: ScriptedModel,
    *calls: Any,
    message: str = "",
    steps: list[dict[str, Any]] | None = None,
) -> tuple[dict[str, Any], Truth]:
    """Return a plan of these calls on a fresh booking, and its `Truth`."""
    guest = a_name()
    booking = await roller.book(guest)
    planned = arranged(*calls, steps=steps) if steps else then(*calls)
    scripted.script(guest, look_up(guest), planned, obey)
    plan = await operator.plan_for(message.format(guest) or asking(guest, *calls))
    return plan, Truth(roller, booking, await roller.guest(booking))


async def carried_out(operator: Operator, plan: dict[str, Any], truth: Truth) -> dict[str, Any]:
    """Confirm the plan; return it once it has ended and all it reports was checked."""
    await operator.confirm(plan)
    ended = await operator.settled(plan)
    await truth.check(ended)
    return ended


@pytest.mark.parametrize("status", sorted({303, 409, 425, 502, *STATUSES}))
async def test_f1_a_change_that_was_applied_behind_a_status_counts_as_made(
    operator: Operator, roller: Roller, scripted: ScriptedModel, gateway: HostileProxy, status: int
) -> None:
    plan, truth = await drafted(operator, roller, scripted, *PLAN)
    gateway.play(Trick(status=status, bare=status % 2 == 1), path=BOOKING, body=counts)
    ended = await carried_out(operator, plan, truth)
    assert ended["status"] == "completed", ended
    assert len(await roller.journal(truth.booking)) == 3, "each step once"


async def test_f1_a_change_that_took_the_last_room_and_was_sent_on_once_more_counts_as_made(
    operator: Operator, roller: Roller, scripted: ScriptedModel, gateway: HostileProxy
) -> None:
    """The pack declares the second answer as one that the venue gives before it does anything."""
    plan, truth = await drafted(operator, roller, scripted, *PLAN)
    full = {"errors": [{"name": "VenueCapacity", "message": "No room"}]}
    gateway.play(Trick(forwards=2, status=409, instead=full), path=BOOKING, body=counts)
    ended = await carried_out(operator, plan, truth)
    assert ended["status"] == "completed", ended


@pytest.mark.parametrize("status", [303, 400, 403, 404, 409, 422, 425, 429, 499, 502])
async def test_f1_a_change_that_was_not_applied_behind_a_status_never_counts_as_made(
    operator: Operator, roller: Roller, scripted: ScriptedModel, gateway: HostileProxy, status: int
) -> None:
    plan, truth = await drafted(operator, roller, scripted, *PLAN)
    gateway.play(Trick(forwards=0, status=status, bare=status % 2 == 1), path=BOOKING, body=counts, times=5)
    ended = await carried_out(operator, plan, truth)
    assert (ended["status"], ended["failure"]["step"]) == ("rolled_back", 2), ended
    assert ended["rollback_report"]["outcome"] == "complete", ended
    assert not any((await truth.stands()).values())


@pytest.mark.parametrize("status", [202, 302, 400, 409, 425, 504])
async def test_f1_an_effect_that_comes_after_the_answer_is_seen(
    operator: Operator, roller: Roller, scripted: ScriptedModel, gateway: HostileProxy, status: int
) -> None:
    plan, truth = await drafted(operator, roller, scripted, *PLAN)
    gateway.play(Trick(late=LATE, status=status), path=BOOKING, body=counts)
    ended = await carried_out(operator, plan, truth)
    assert ended["status"] == "completed", ended
    assert len(await roller.journal(truth.booking)) == 3, "each step once"


@pytest.mark.parametrize("trick", [Trick(forwards=2), Trick(forwards=2, status=409)], ids=str)
async def test_f1_a_change_that_was_sent_on_twice_is_one_change(
    operator: Operator, roller: Roller, scripted: ScriptedModel, gateway: HostileProxy, trick: Trick
) -> None:
    plan, truth = await drafted(operator, roller, scripted, *PLAN)
    gateway.play(trick, method="PUT", times=len(PLAN))
    ended = await carried_out(operator, plan, truth)
    assert ended["status"] == "completed", ended
    now = await roller.booking(truth.booking["uniqueId"])
    assert [item["quantity"] for item in now["items"]] == [GUESTS]
    assert now["comments"].count(NOTE) == 1
    await _undone(operator, ended, truth)


@pytest.mark.parametrize("status", [303, 400, 409, 425, 500])
async def test_f1_an_optional_step_that_was_applied_is_part_of_the_undo(
    operator: Operator, roller: Roller, scripted: ScriptedModel, gateway: HostileProxy, status: int
) -> None:
    message = "14 guests for {}, and a note if possible: Cake at noon"
    plan, truth = await drafted(
        operator, roller, scripted, PLAN[1], PLAN[2], message=message, steps=[{"step": 2, "optional": True}]
    )
    gateway.play(Trick(status=status), path=BOOKING, body=notes)
    ended = await carried_out(operator, plan, truth)
    assert [a["status"] for a in ended["actions"]] == ["completed", "completed"], ended
    await _undone(operator, ended, truth)


@pytest.mark.parametrize("trick", [
    *(Trick(status=status) for status in (303, 403, 404, 409, 422, 499, 500, 504)), Trick(cut=True),
    Trick(forwards=2, status=409), Trick(forwards=2),
    Trick(late=LATE, status=409), Trick(late=LATE, status=502), Trick(late=LATE, cut=True),
], ids=str)  # fmt: skip
async def test_f1_a_compensation_that_was_applied_behind_a_refusal_is_reported_as_undone(
    operator: Operator, roller: Roller, scripted: ScriptedModel, gateway: HostileProxy, trick: Trick
) -> None:
    plan, truth = await drafted(operator, roller, scripted, *PLAN)
    gateway.play(Trick(forwards=0, status=409), path=BOOKING, body=notes)
    gateway.play(trick, path=BOOKING, body=counts, skip=1)
    ended = await carried_out(operator, plan, truth)
    assert (ended["status"], ended["failure"]["step"]) == ("rolled_back", 3), ended
    report = ended["rollback_report"]
    assert [(row["step"], row["outcome"]) for row in report["steps"]] == [(2, "reversed"), (1, "reversed")], ended
    assert report["outcome"] == "complete"
    # Only what no undo restores is left to staff.
    assert all("is undone" in manual for manual in report["manual_steps"]), report


async def test_f3_an_earlier_step_is_undone_though_a_later_one_could_not_be(
    operator: Operator, roller: Roller, scripted: ScriptedModel, gateway: HostileProxy
) -> None:
    plan, truth = await drafted(operator, roller, scripted, PLAN[2], PLAN[1], PLAN[0])
    gateway.play(Trick(forwards=0, status=409), path="/guests/.*")
    gateway.play(Trick(forwards=0, status=403), path=BOOKING, body=counts, skip=1)
    ended = await carried_out(operator, plan, truth)
    rows = ended["rollback_report"]["steps"]
    assert [(row["step"], row["outcome"]) for row in rows] == [(2, "failed"), (1, "reversed")], ended
    assert [action for action, there in (await truth.stands()).items() if there] == ["change_guest_count"]
    assert not _blames_others(ended)
    [manual] = ended["rollback_report"]["manual_steps"]
    assert "10" in manual and NOTE not in manual, manual


async def test_f3_the_undoing_of_a_move_takes_back_the_count_that_could_not_be_undone(
    operator: Operator, roller: Roller, scripted: ScriptedModel, gateway: HostileProxy
) -> None:
    move = ("reschedule_booking", {"new_start_time": TIME})
    plan, truth = await drafted(operator, roller, scripted, move, PLAN[1], PLAN[2])
    gateway.play(Trick(forwards=0, status=409), path=BOOKING, body=notes)
    # After the move and the count comes the compensation of the count.
    gateway.play(Trick(forwards=0, status=403), path=BOOKING, body=counts, skip=2)
    ended = await carried_out(operator, plan, truth)
    rows = ended["rollback_report"]["steps"]
    assert [(row["step"], row["outcome"]) for row in rows] == [(2, "reversed"), (1, "reversed")], ended
    # Its own compensation was sent, too, so the report does not say which of the two restored the count.
    assert "with an earlier step" not in rows[0]["message"], rows
    assert not _blames_others(ended)
    assert len(gateway.played) == 2 and not any((await truth.stands()).values())


async def test_f3_where_both_undos_are_refused_neither_is_reported_as_undone(
    operator: Operator, roller: Roller, scripted: ScriptedModel, gateway: HostileProxy
) -> None:
    """The remaining count hides the move from the read; the move is there all the same."""
    move = ("reschedule_booking", {"new_start_time": TIME})
    plan, truth = await drafted(operator, roller, scripted, move, PLAN[1], PLAN[2])
    gateway.play(Trick(forwards=0, status=409), path=BOOKING, body=notes)
    gateway.play(Trick(forwards=0, status=403), path=BOOKING, body=counts, skip=2, times=2)
    ended = await carried_out(operator, plan, truth)
    rows = ended["rollback_report"]["steps"]
    assert [(row["step"], row["outcome"]) for row in rows] == [(2, "failed"), (1, "failed")], ended
    assert len(ended["rollback_report"]["manual_steps"]) == 2


def _blames_others(plan: dict[str, Any]) -> bool:
    return any(words in str(plan) for words in ("somebody else", "another plan"))


async def test_a_flood_of_interim_answers_changes_nothing(
    operator: Operator, roller: Roller, scripted: ScriptedModel, gateway: HostileProxy
) -> None:
    plan, truth = await drafted(operator, roller, scripted, *PLAN)
    # The flood lasts longer than a call may take, so the answer behind it is lost.
    gateway.play(Trick(interim=15, apart=0.4), path=BOOKING, body=counts)
    gateway.play(Trick(interim=300), method="GET", path=BOOKING, times=20)
    ended = await carried_out(operator, plan, truth)
    assert ended["status"] == "completed", ended
    assert len(await roller.journal(truth.booking)) == 3, "each step once"
    await _undone(operator, ended, truth)


@pytest.mark.parametrize("trick", [
    Trick(cut=True), Trick(forwards=2, cut=True), Trick(late=LATE, cut=True), Trick(interim=20, cut=True),
], ids=str)  # fmt: skip
async def test_a_cut_connection_behind_which_it_was_applied_changes_nothing(
    operator: Operator, roller: Roller, scripted: ScriptedModel, gateway: HostileProxy, trick: Trick
) -> None:
    plan, truth = await drafted(operator, roller, scripted, *PLAN)
    gateway.play(trick, path=BOOKING, body=counts)
    ended = await carried_out(operator, plan, truth)
    assert ended["status"] == "completed", ended
    await _undone(operator, ended, truth)


async def test_a_cut_connection_before_which_nothing_was_applied_is_reported_as_such(
    operator: Operator, roller: Roller, scripted: ScriptedModel, gateway: HostileProxy
) -> None:
    plan, truth = await drafted(operator, roller, scripted, *PLAN)
    gateway.play(Trick(forwards=0, interim=20, cut=True), path=BOOKING, body=counts)
    ended = await carried_out(operator, plan, truth)
    assert (ended["status"], ended["rollback_report"]["outcome"]) == ("rolled_back", "complete"), ended


async def _undone(operator: Operator, plan: dict[str, Any], truth: Truth) -> None:
    answer = await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)
    assert answer.status_code == 202, answer.text
    ended = await operator.settled(plan)
    await truth.check(ended)
    assert ended["rollback_report"]["outcome"] == "complete", ended
    assert not any((await truth.stands()).values())
