"""Optional steps and conditional steps, over HTTP (multi-step messaging, "Step Skipping", "Conditional Steps").
Guarantees:

- "4pm, if there is no room 5pm": the plan shows both, in words. The second is sent only where the venue rejects the
  first, and is left out, with the reason, where that works. Only the venue's own rejection counts, and only for want of
  room where the operator said so; an outage or an unreadable request is no rejection. "If that doesn't work" is any
  rejection by the venue.
- A step requested "if possible" costs the plan nothing where the venue rejects it.
- The operator can skip an optional step until it starts, and with it the steps that depend on it; no other step.
- A model cannot make a plan less binding than the operator did.
"""

import asyncio
from typing import Any

import pytest

from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name, days_ahead
from tests.support.scripted_model import ScriptedModel, arranged, executes, held, look_up, obey
from tests.support.watching import Watcher, closing

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

FIRST, INSTEAD = (
    ("reschedule_booking", {"new_start_time": "16:00"}),
    ("reschedule_booking", {"new_start_time": "17:00"}),
)
PHONE = ("update_contact", {"phone": "0412 345 678"})
NOTE, COUNT = ("edit_note", {"note": "Cake at noon"}), ("change_guest_count", {"guest_count": 14})
OTHERWISE = [{"step": 2, "only_if_failed": 1}]


async def drafted(
    operator: Operator,
    roller: Roller,
    scripted: ScriptedModel,
    message: str,
    *calls: Any,
    steps: Any,
    model: Any = (obey,),
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (the plan, its booking) that these words and these calls lead to."""
    guest = a_name()
    booking = await roller.book(guest)
    scripted.script(guest, look_up(guest), arranged(*calls, steps=steps), *model)
    return await operator.plan_for(message.format(guest)), booking


def shown(plan: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [(a["status"], a.get("left_out")) for a in plan["actions"]]


async def start_of(roller: Roller, booking: dict[str, Any]) -> str:
    return str((await roller.booking(booking["uniqueId"]))["items"][0]["sessionStartTime"])


async def test_what_is_wanted_instead_is_sent_where_the_venue_refuses_the_first(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    message = "move {} to 4pm, if there's no room 5pm instead"
    plan, booking = await drafted(operator, roller, scripted, message, FIRST, INSTEAD, steps=OTHERWISE)
    first, second = plan["actions"]
    assert (first["required"], second["required"]) == (False, True)
    text = "Only if there is no room for step 1 (Reschedule booking)"
    assert second["when"] == {"step": 1, "ended": "failed", "refused": "no_room", "text": text}
    assert "If there is no room for step 1: Reschedule booking" in plan["intent"]
    await roller.fill(booking["items"][0]["bookingDate"], "16:00")
    watcher = Watcher(operator, plan)
    watching = asyncio.create_task(watcher.until(closing))
    done = await operator.settled(await operator.confirm(plan))
    assert done["status"] == "completed", done
    assert [a["status"] for a in done["actions"]] == ["failed", "completed"]
    assert await start_of(roller, booking) == "17:00"
    assert "Step 1 (Reschedule booking) did not work" in done["summary"]
    assert len(await roller.journal(booking)) == 1
    events = [(e["kind"], e.get("step"), e.get("step_status")) for e in await watching]
    results = [e for e in events if e[0] == "step_result"]
    assert results == [("step_result", 1, "failed"), ("step_result", 2, "completed")]
    assert events[-2][0] == "complete"


async def test_what_is_wanted_instead_is_left_out_where_the_first_works(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    message = "move {} to 4pm, otherwise 5pm"
    plan, booking = await drafted(operator, roller, scripted, message, FIRST, INSTEAD, steps=OTHERWISE)
    done = await operator.settled(await operator.confirm(plan))
    assert done["status"] == "completed" and await start_of(roller, booking) == "16:00"
    assert shown(done) == [("completed", None), ("skipped", "Not needed, since step 1 (Reschedule booking) worked.")]
    await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)
    undone = await operator.until(done, lambda p: p["status"] == "rolled_back")
    assert undone["rollback_report"]["outcome"] == "complete" and await start_of(roller, booking) == "10:00"


async def test_where_there_is_no_room_now_the_other_is_planned_at_once(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest, day = a_name(), days_ahead(40)
    await roller.book(guest, day=day)
    await roller.fill(day, "16:00")
    scripted.script(guest, look_up(guest), arranged(FIRST, INSTEAD, steps=OTHERWISE), obey)
    turn = await operator.say(f"move {guest} to 4pm, if there's no room 5pm instead")
    assert turn["type"] == "plan", turn
    [action] = turn["plan"]["actions"]
    assert action["parameters"]["new_start_time"] == "17:00" and action["required"] and "when" not in action


async def test_what_is_away_has_not_refused(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    """A venue that fails has not rejected for want of room, and the operator asked for 5pm only in that case."""
    message = "move {} to 4pm, if that's full 5pm"
    plan, booking = await drafted(operator, roller, scripted, message, FIRST, INSTEAD, steps=OTHERWISE)
    await roller.fault("update-a-booking", "status", status=503)
    done = await operator.settled(await operator.confirm(plan))
    assert done["status"] == "failed" and done["failure"]["step"] == 1, done
    assert await start_of(roller, booking) == "10:00" and await roller.journal(booking) == []


ROOM, ANY = "move {} to 4pm, if there's no room 5pm", "move {} to 4pm, if that doesn't work 5pm"


@pytest.mark.parametrize("message", [ROOM, ANY])
@pytest.mark.parametrize("status", [400, 422])
async def test_what_the_venue_cannot_read_it_has_not_refused(
    operator: Operator, roller: Roller, scripted: ScriptedModel, message: str, status: int
) -> None:
    """A malformed request is our fault, and the operator did not ask for 5pm in that case."""
    plan, booking = await drafted(operator, roller, scripted, message, FIRST, INSTEAD, steps=OTHERWISE)
    await roller.fault("update-a-booking", "status", status=status, times=9)
    done = await operator.settled(await operator.confirm(plan))
    assert done["status"] == "failed" and done["failure"]["step"] == 1, done
    assert [a["status"] for a in done["actions"]] == ["failed", "skipped"]
    assert await start_of(roller, booking) == "10:00" and await roller.journal(booking) == []


@pytest.mark.parametrize(("message", "ended"), [(ROOM, "failed"), (ANY, "completed")])
async def test_a_no_that_the_overlay_knows_is_none_for_want_of_room(
    operator: Operator, roller: Roller, scripted: ScriptedModel, message: str, ended: str
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    first, instead = PHONE, ("update_contact", {"phone": "0412 345 679"})
    words = (
        message.replace("move {} to 4pm", "phone of {} 0412 345 678").replace("5pm", "phone 0412 345 679").format(guest)
    )
    scripted.script(guest, look_up(guest), arranged(first, instead, steps=OTHERWISE), obey)
    plan = await operator.plan_for(words)
    await roller.fault("update-guest-detail", "status", status=400, times=3)
    done = await operator.settled(await operator.confirm(plan))
    assert done["status"] == ended, done
    assert len(await roller.journal(booking)) == (ended == "completed")


@pytest.mark.parametrize("status", [403, 503])
async def test_a_plan_goes_on_without_what_was_wanted_if_possible(
    operator: Operator, roller: Roller, scripted: ScriptedModel, status: int
) -> None:
    message = "14 guests for {}, and if possible the phone 0412 345 678"
    steps = [{"step": 1, "optional": True}]
    plan, booking = await drafted(operator, roller, scripted, message, PHONE, COUNT, steps=steps)
    assert "If possible: " in plan["intent"] and [a["required"] for a in plan["actions"]] == [False, True]
    await roller.fault("update-guest-detail", "status", status=status, times=9)
    done = await operator.settled(await operator.confirm(plan))
    assert [a["status"] for a in done["actions"]] == ["failed", "completed"], done
    assert done["status"] == "completed" and "did not work" in done["summary"]
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == 14


async def test_a_model_cannot_make_a_plan_less_binding(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    """The model may make no step optional and none an alternative by itself: it gets a message, and corrects its
    plan.
    """
    guest = a_name()
    booking = await roller.book(guest)
    loose = [{"step": 1, "optional": True}, {"step": 2, "only_if_failed": 1}]
    scripted.script(
        guest, look_up(guest), arranged(COUNT, NOTE, steps=loose),
        {"change_guest_count": {"booking_id": booking["uniqueId"], "guest_count": 14},
         "edit_note": {"booking_id": booking["uniqueId"], "note": "Cake at noon"}}, obey,
    )  # fmt: skip
    plan = await operator.plan_for(f"14 guests for {guest}, and a note: Cake at noon")
    assert [(a["required"], a.get("when")) for a in plan["actions"]] == [(True, None), (True, None)]
    shown_model = scripted.seen[guest][2]["messages"][-1]["content"]
    assert "leave only_if_failed out" in shown_model and "leave optional out" in shown_model


async def test_a_step_is_skipped_until_it_starts(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    message = "14 guests for {}, and a note if possible: Cake at noon"
    steps = [{"step": 2, "optional": True}]
    looked = asyncio.Event()
    slow = (held(looked, obey),)
    plan, booking = await drafted(operator, roller, scripted, message, COUNT, NOTE, steps=steps, model=slow)
    skip = f"/v1/plans/{plan['plan_id']}/steps/2/skip"
    await operator.confirm(plan)
    answer = await operator.post(skip, user_id=operator.user, request_id="s1")
    assert answer.status_code == 200 and shown(answer.json())[1] == ("skipped", "Left out, as you asked."), answer.text
    again = await operator.post(skip, user_id=operator.user, request_id="s1")
    assert again.status_code == 200 and shown(again.json())[1][0] == "skipped", "a retry hears the same"
    other = await operator.post(skip.replace("/2/", "/1/"), user_id=operator.user, request_id="s1")
    expect_error(other, 409, "conflict")  # A command of its own, though under the same request_id.
    looked.set()
    done = await operator.settled(plan)
    assert done["status"] == "completed" and shown(done)[1] == ("skipped", "Left out, as you asked.")
    assert "Cake at noon" not in str((await roller.booking(booking["uniqueId"])).get("comments"))
    assert len([b for b in scripted.seen[booking["name"]] if executes(b)]) == 1
    expect_error(await operator.post(skip, user_id=operator.user), 409, "conflict")


async def test_those_that_depend_on_a_skipped_step_go_with_it_by_name(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    message = "14 guests for {}, and if possible the phone 0412 345 678, and then the note Cake at noon"
    steps = [{"step": 1, "optional": True}, {"step": 2, "only_if_done": 1}]
    plan, booking = await drafted(operator, roller, scripted, message, PHONE, NOTE, COUNT, steps=steps)
    answer = await operator.post(f"/v1/plans/{plan['plan_id']}/steps/1/skip", user_id=operator.user)
    assert answer.status_code == 200, answer.text
    why = "Left out, since step 1 (Update contact details) was not carried out."
    assert shown(answer.json()) == [("skipped", "Left out, as you asked."), ("skipped", why), ("pending", None)]
    for left_out, intent in ((False, plan["intent"]), (True, answer.json()["intent"])):
        assert ("412345678" in intent, "Cake" in intent) == (not left_out, not left_out), intent
        assert "14" in intent, "what is left is what the plan is for"
    done = await operator.settled(await operator.confirm(plan))
    assert done["status"] == "completed"
    assert [a["status"] for a in done["actions"]] == ["skipped", "skipped", "completed"]
    assert "Cake" not in str((await roller.booking(booking["uniqueId"])).get("comments"))


async def test_a_step_is_skipped_while_it_is_asked_about(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    message = "14 guests for {}, and a note if possible: Cake at noon"
    asks = {"ask_operator": {"question": "Which cake?", "parameter": "note"}}
    steps = [{"step": 2, "optional": True}]
    plan, booking = await drafted(operator, roller, scripted, message, COUNT, NOTE, steps=steps, model=(obey, asks))
    await operator.confirm(plan)
    prompt = (await operator.asked(plan))["blocking_prompt"]
    answer = await operator.post(f"/v1/plans/{plan['plan_id']}/steps/2/skip", user_id=operator.user)
    assert answer.status_code == 200, answer.text
    done = await operator.settled(plan)
    assert (done["status"], done.get("blocking_prompt")) == ("completed", None)
    assert shown(done)[1] == ("skipped", "Left out, as you asked.")
    late = await operator.answer(plan, "Lemon", prompt_id=prompt["prompt_id"])
    expect_error(late, 409, "conflict")
    events = await Watcher(operator, plan).until(closing)
    assert [e["kind"] for e in events if e["kind"].startswith("prompt_")] == ["prompt_opened", "prompt_closed"]
    assert len(await roller.journal(booking)) == 1


async def test_only_what_can_be_done_without_is_skipped(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    message = "14 guests for {}, and a note if possible: Cake at noon"
    steps = [{"step": 2, "optional": True}]
    plan, _ = await drafted(operator, roller, scripted, message, COUNT, NOTE, steps=steps)
    path = f"/v1/plans/{plan['plan_id']}/steps"

    async def refused(step: int, status: int, kind: str, user: str = operator.user) -> str:
        answer = await operator.post(f"{path}/{step}/skip", user_id=user)
        return str(expect_error(answer, status, kind)["message"])

    assert "cannot be left out" in await refused(1, 409, "conflict")
    assert "There is no step 7" in await refused(7, 404, "not_found")
    await refused(2, 403, "forbidden", "somebody-else")
    assert (await operator.look(plan)) == plan, "and nothing of it changed anything"
    skipped = await operator.post(f"{path}/2/skip", user_id=operator.user)
    assert skipped.status_code == 200 and skipped.json()["status"] == "pending_confirmation"
    assert "left out already" in await refused(2, 409, "conflict")
    done = await operator.settled(await operator.confirm(plan))
    assert [a["status"] for a in done["actions"]] == ["completed", "skipped"]


async def test_what_may_stand_is_not_gone_on_from(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    """The answer to an optional step was lost, and its outcome is unknown: the plan stops and rolls back."""
    message = "14 guests for {}, and if possible the phone 0412 345 678"
    steps = [{"step": 1, "optional": True}]
    plan, booking = await drafted(operator, roller, scripted, message, PHONE, COUNT, steps=steps)
    await roller.fault("update-guest-detail", "drop_after")
    await roller.fault("get-guest-detail", "status", status=503, times=24, skip=2)
    done = await operator.settled(await operator.confirm(plan))
    assert done["status"] in ("failed", "rolled_back"), done
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == 10
