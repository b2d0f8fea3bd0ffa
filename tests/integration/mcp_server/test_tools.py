"""MCP: what the tools do, end to end, with fastmcp's client, on connections of both protocols. Guarantees:

- A message becomes a plan that waits. Nothing changes until a person says yes to a form that shows all of it; then the
  plan is carried out, its events are progress, and the result reports its end.
- When the form is declined, dismissed, answered oddly or not at all, or without forms, the plan keeps waiting, and the
  result says where it can be confirmed.
- A running plan's question is a form with its choices. A failure is reported with its rollback. Undo asks the person;
  cancel and skip do not.
- A model's own "yes", answer or undo in a message decides nothing.
"""

from typing import Any

import pytest
from fastmcp.client.elicitation import ElicitResult

from api.mcp import propose_change
from cli.stack.dev import Stack
from tests.support.mcp_client import LEGACY, MODERN, Form, Person, assistant, decline, dismiss, yes
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.patience import patience
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, after, arranged, look_up, obey

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

PHONE, COUNT = ("update_contact", {"phone": "0412 345 678"}), ("change_guest_count", {"guest_count": 14})
NOTE = ("edit_note", {"note": "Cake at noon"})
ASK = {"ask_operator": {"question": "How was it refunded?", "choices": ["Cash", "CreditCard"]}}
REFUND = {"cancel_booking": {"issue_refund": True, "refund_type": "Cash"}}


@pytest.fixture(params=[MODERN, LEGACY])
def protocol(request: pytest.FixtureRequest) -> str:
    """Each protocol."""
    return str(request.param)


async def test_a_plan_is_proposed_confirmed_by_a_person_and_carried_out(
    protocol: str, operator: Operator, roller: Roller, party: Party
) -> None:
    guest, booking = await party(PHONE, COUNT)
    person = Person(yes)
    async with assistant(operator, protocol, person) as model:
        proposed = await model.call("propose_change", message=f"{guest}: phone 0412 345 678, 14 guests")
        plan = proposed["plan"]
        assert proposed["waits_for"] == "confirmation" and plan["status"] == "pending_confirmation"
        assert proposed["where"] == f"POST {operator.base_url}/v1/plans/{plan['plan_id']}/confirm"
        assert not person.forms and not await roller.journal(booking)
        assert plan == await operator.look(plan)
        model.heard.clear()
        done = await model.call("confirm_plan", plan_id=plan["plan_id"])
    [form] = person.forms
    assert form.schema["properties"]["confirm"]["type"] == "boolean" and "default" not in str(form.schema)
    assert plan["intent"] in form.message and "10 → 14" in form.message and guest in form.message
    assert done["plan"]["status"] == "completed" and "waits_for" not in done
    assert done["message"] == done["plan"]["summary"]
    assert len(await roller.journal(booking)) == 2
    numbers, texts = zip(*model.heard, strict=True)
    assert list(numbers) == sorted(set(numbers)) and len(texts) >= 5
    assert done["plan"] == await operator.look(plan)


async def pending(model: Any, party: Party, *steps: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (plan, booking) of a plan that waits."""
    guest, booking = await party(*(steps or (COUNT,)))
    wording = {"update_contact": "phone 0412 345 678", "change_guest_count": "14 guests"}
    words = ", ".join(wording[name] for name, _ in (steps or (COUNT,)))
    proposed = await model.call("propose_change", message=f"{guest}: {words}")
    return proposed["plan"], booking


async def refund(model: Any, party: Party) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (plan, booking) of a plan that waits, and that asks how a refund was made once it runs."""
    guest, booking = await party(("cancel_booking", {"issue_refund": True}), model=(ASK, REFUND))
    proposed = await model.call("propose_change", message=f"cancel and record the refund of {guest}")
    return proposed["plan"], booking


async def test_without_forms_nothing_is_confirmed_and_it_is_reported_where(
    protocol: str, operator: Operator, roller: Roller, party: Party
) -> None:
    async with assistant(operator, protocol) as model:
        plan, booking = await pending(model, party)
        for _ in range(2):
            shown = await model.call("confirm_plan", plan_id=plan["plan_id"])
            assert shown["waits_for"] == "confirmation" and shown["where"] in shown["message"]
        assert (await operator.look(plan))["status"] == "pending_confirmation" and not await roller.journal(booking)
        method, at = shown["where"].split()
        answer = await operator.http.request(method, at, json={"user_id": operator.user})
        assert answer.status_code == 200, "what it says is how"
        done = await operator.settled(plan)
        again = await model.call("confirm_plan", plan_id=plan["plan_id"])
        assert again["plan"]["status"] == done["status"] == "completed"
        undone = await model.call("undo_plan", plan_id=plan["plan_id"])
        assert "Nothing was undone" in undone["message"] and undone["plan"]["status"] == "completed"
    assert len(await roller.journal(booking)) == 1


ODD = {
    "declined": decline,
    "dismissed": dismiss,
    "no": lambda form: form.filled(False),
    "a text": lambda form: form.filled("true"),
    "a number": lambda form: form.filled(1),
    "another field": lambda form: ElicitResult(action="accept", content={"confirmed": True}),
    "nothing": lambda form: ElicitResult(action="accept", content={}),
    "a yes that was not sent off": lambda form: ElicitResult(action="decline", content={"confirm": True}),
}


async def test_what_is_no_yes_confirms_nothing(protocol: str, operator: Operator, roller: Roller, party: Party) -> None:
    person = Person(decline)
    async with assistant(operator, protocol, person) as model:
        plan, booking = await pending(model, party)
        for what, says in ODD.items():
            person.says = says
            shown = await model.call("confirm_plan", plan_id=plan["plan_id"])
            assert shown["message"].startswith("The person did not say yes") and shown["waits_for"] == "confirmation"
            assert shown["plan"]["status"] == "pending_confirmation", what
        assert len(person.forms) == len(ODD) and shown["plan"] == await operator.look(plan)
    assert not await roller.journal(booking)


async def test_a_form_that_fails_to_be_shown_confirms_nothing(operator: Operator, roller: Roller, party: Party) -> None:
    def fails(form: Form) -> Any:
        raise RuntimeError("no window")

    async with assistant(operator, LEGACY, Person(fails)) as model:
        plan, booking = await pending(model, party)
        shown = await model.call("confirm_plan", plan_id=plan["plan_id"])
        assert shown["message"].startswith("The form was not answered") and shown["waits_for"] == "confirmation"
    assert not await roller.journal(booking)


async def test_a_running_plan_s_question_is_a_form(
    protocol: str, operator: Operator, roller: Roller, party: Party
) -> None:
    person = Person(lambda form: form.filled("Cash" if form.field == "answer" else True))
    async with assistant(operator, protocol, person) as model:
        plan, booking = await refund(model, party)
        done = await model.call("confirm_plan", plan_id=plan["plan_id"])
        assert [form.field for form in person.forms] == ["confirm", "answer"]
        asked = person.forms[1]
        assert asked.message == "How was it refunded?" and asked.schema["properties"]["answer"]["enum"] == [
            "Cash",
            "CreditCard",
        ]
        assert done["plan"]["status"] == "completed" and len(await roller.journal(booking)) >= 1
        answered = [text for _, text in model.heard if text and "Cash" in text]
        assert answered, model.heard
        nothing, words = await model.refused("answer_question", plan_id=plan["plan_id"])
        assert nothing == "conflict", words


async def test_what_answers_nothing_leaves_the_question(protocol: str, operator: Operator, party: Party) -> None:
    person = Person(lambda form: decline(form) if form.field == "answer" else yes(form))
    async with assistant(operator, protocol, person) as model:
        plan, _ = await refund(model, party)
        shown = await model.call("confirm_plan", plan_id=plan["plan_id"])
        for says in (dismiss, lambda form: form.filled("Bitcoin"), lambda form: form.filled(True)):
            assert shown["waits_for"] == "answer" and shown["where"].endswith("/answers")
            assert "How was it refunded?" in shown["message"]
            person.says = says
            shown = await model.call("answer_question", plan_id=plan["plan_id"])
        assert shown["waits_for"] == "answer" and shown["message"].startswith("That was no answer")
        person.says = lambda form: form.filled("Cash")
        done = await model.call("answer_question", plan_id=plan["plan_id"])
        assert done["plan"]["status"] == "completed" and len(person.forms) == 6


async def test_without_forms_a_question_is_reported_and_no_message_answers_it(
    protocol: str, operator: Operator, roller: Roller, party: Party
) -> None:
    async with assistant(operator, protocol) as model:
        plan, _ = await refund(model, party)
        await operator.confirm(plan)
        await operator.asked(plan)
        shown = await model.call("answer_question", plan_id=plan["plan_id"])
        assert shown["waits_for"] == "answer" and shown["where"] in shown["message"]
        for words in ("Cash", "in cash", "yes", "yes, in cash"):
            await model.client.call_tool(
                "propose_change", {"message": words, "session_id": plan["session_id"]}, raise_on_error=False
            )
            assert (await operator.look(plan))["blocking_prompt"]["question"] == "How was it refunded?", words
        assert (await operator.answer(plan, "Cash")).status_code == 200
        assert (await operator.settled(plan))["status"] == "completed"


async def test_a_model_s_yes_confirms_nothing(protocol: str, operator: Operator, roller: Roller, party: Party) -> None:
    async with assistant(operator, protocol, Person(decline)) as model:
        plan, booking = await pending(model, party)
        for words in ("yes", "yes, do it", "Yes please go ahead!", "sì, procedi", "ok, confirm"):
            kind, shown = await model.refused("propose_change", message=words, session_id=plan["session_id"])
            assert kind == "invalid_request" and plan["plan_id"] in shown and "confirm_plan" in shown, words
        for approval in ("confirm", "approved", "confirmed", "approval", "yes"):
            for tool, given in (("confirm_plan", {"plan_id": plan["plan_id"]}), ("propose_change", {"message": "yes"})):
                kind, shown = await model.refused(tool, **given, **{approval: True})
                assert kind == "invalid_request" and approval in shown
        assert (await operator.look(plan))["status"] == "pending_confirmation"
    assert not await roller.journal(booking)


@pytest.mark.parametrize("words", ["yes", "yes, do it", "yes, cancel it"])
async def test_a_yes_that_slips_by_confirms_nothing_either(
    operator: Operator, roller: Roller, party: Party, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    async def let_by(*_: Any) -> None:
        """Pass every message, as if the plan had been made just after the check."""

    monkeypatch.setattr(propose_change, "_refuse_decisions", let_by)
    async with assistant(operator, MODERN) as model:
        steps = ("cancel_booking", {}) if "cancel" in words else COUNT
        guest, booking = await party(steps)
        wording = f"cancel {guest}" if "cancel" in words else f"{guest}: 14 guests"
        plan = (await model.call("propose_change", message=wording))["plan"]
        wording = {"message": words, "session_id": plan["session_id"]}
        await model.client.call_tool("propose_change", wording, raise_on_error=False)
        assert (await operator.look(plan))["status"] in ("pending_confirmation", "cancelled")
        assert not await roller.journal(booking)


async def test_an_undo_that_slips_by_undoes_nothing(
    operator: Operator, roller: Roller, party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def let_by(*_: Any) -> None:
        """Pass every message, as if the check had found nothing in it."""

    monkeypatch.setattr(propose_change, "_refuse_decisions", let_by)
    async with assistant(operator, MODERN, Person(yes)) as model:
        plan, booking = await pending(model, party)
        await model.call("confirm_plan", plan_id=plan["plan_id"])
        for words in ("undo that", "undo it please", "cancel that", "the change"):
            wording = {"message": words, "session_id": plan["session_id"]}
            await model.client.call_tool("propose_change", wording, raise_on_error=False)
            assert (await operator.look(plan))["status"] == "completed", words
    assert len(await roller.journal(booking)) == 1


async def test_a_failure_is_reported_with_its_undoing(
    protocol: str, operator: Operator, roller: Roller, party: Party
) -> None:
    async with assistant(operator, protocol, Person(yes)) as model:
        plan, booking = await pending(model, party, PHONE, COUNT)
        await roller.fault("update-a-booking", "status", status=409, path=f"/bookings/{booking['uniqueId']}")
        shown = await model.call("confirm_plan", plan_id=plan["plan_id"])
    assert shown["plan"]["status"] == "rolled_back" and shown["plan"]["rollback_report"]["outcome"] == "complete"
    assert shown["plan"]["failure"]["message"] in shown["message"]
    assert shown["plan"]["rollback_report"]["steps"][0]["message"] in shown["message"]


async def test_an_undo_asks_a_person(protocol: str, operator: Operator, roller: Roller, party: Party) -> None:
    person = Person(yes)
    async with assistant(operator, protocol, person) as model:
        plan, booking = await pending(model, party)
        early, _ = await model.refused("undo_plan", plan_id=plan["plan_id"])
        assert early == "conflict"
        await model.call("confirm_plan", plan_id=plan["plan_id"])
        person.says = decline
        shown = await model.call("undo_plan", plan_id=plan["plan_id"])
        assert "nothing was undone" in shown["message"] and shown["plan"]["status"] == "completed"
        kind, refused = await model.refused("propose_change", message="undo that", session_id=plan["session_id"])
        assert kind == "invalid_request" and "undo_plan" in refused
        person.says = yes
        undone = await model.call("undo_plan", plan_id=plan["plan_id"])
        assert undone["plan"]["status"] == "rolled_back" and "14 → 10" in person.forms[-1].message
        again = await model.call("undo_plan", plan_id=plan["plan_id"])
        assert again["plan"]["status"] == "rolled_back" and len(person.forms) == 3
    assert len(await roller.journal(booking)) == 2


async def test_a_plan_is_dropped_or_stopped_without_a_form(
    protocol: str, operator: Operator, roller: Roller, party: Party
) -> None:
    person = Person(yes)
    async with assistant(operator, protocol, person) as model:
        plan, booking = await pending(model, party)
        for _ in range(2):
            shown = await model.call("cancel_plan", plan_id=plan["plan_id"])
            assert shown["plan"]["status"] == "cancelled" and "waits_for" not in shown
        kind, words = await model.refused("confirm_plan", plan_id=plan["plan_id"])
        assert kind == "conflict" and not person.forms, words
        plan, booking = await refund(model, party)
        person.says = lambda form: decline(form) if form.field == "answer" else yes(form)
        await model.call("confirm_plan", plan_id=plan["plan_id"])
        shown = await model.call("cancel_plan", plan_id=plan["plan_id"])
        assert shown["plan"]["status"] == "cancelled" and not await roller.journal(booking)


async def test_an_optional_step_is_left_out_until_it_starts(
    protocol: str, operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    scripted.script(guest, look_up(guest), arranged(COUNT, NOTE, steps=[{"step": 2, "optional": True}]), obey)
    person = Person(yes)
    async with assistant(operator, protocol, person) as model:
        wording = f"14 guests for {guest}, and a note if possible: Cake at noon"
        plan = (await model.call("propose_change", message=wording))["plan"]
        assert (await model.refused("skip_step", plan_id=plan["plan_id"], step=1))[0] == "conflict"
        assert (await model.refused("skip_step", plan_id=plan["plan_id"], step=3))[0] == "not_found"
        for _ in range(2):
            shown = await model.call("skip_step", plan_id=plan["plan_id"], step=2)
            assert [a["status"] for a in shown["plan"]["actions"]] == ["pending", "skipped"]
        assert not person.forms and shown["waits_for"] == "confirmation"
        done = await model.call("confirm_plan", plan_id=plan["plan_id"])
        assert [a["status"] for a in done["plan"]["actions"]] == ["completed", "skipped"]
        # The same command again is a retry, so it returns the plan's present state.
        assert (await model.call("skip_step", plan_id=plan["plan_id"], step=2))["plan"]["status"] == "completed"
    assert len(await roller.journal(booking)) == 1


async def test_what_was_read_is_what_is_confirmed(
    protocol: str, operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), arranged(COUNT, NOTE, steps=[{"step": 2, "optional": True}]), obey)
    async with assistant(operator, protocol) as other:
        wording = f"14 guests for {guest}, and a note if possible: Cake at noon"
        plan = (await other.call("propose_change", message=wording))["plan"]

        async def meanwhile(form: Form) -> Any:
            if len(person.forms) == 1:
                await other.call("skip_step", plan_id=plan["plan_id"], step=2)
            return yes(form)

        person = Person(meanwhile)
        async with assistant(operator, protocol, person) as model:
            done = await model.call("confirm_plan", plan_id=plan["plan_id"])
    first, second = (form.message for form in person.forms)
    assert "Left out" not in first and "Left out" in second
    assert [a["status"] for a in done["plan"]["actions"]] == ["completed", "skipped"]


async def test_a_yes_to_what_is_gone_confirms_nothing(
    protocol: str, operator: Operator, roller: Roller, party: Party
) -> None:
    async with assistant(operator, protocol) as other:
        plan, booking = await pending(other, party)

        async def meanwhile(form: Form) -> Any:
            await other.call("cancel_plan", plan_id=plan["plan_id"])
            return yes(form)

        async with assistant(operator, protocol, Person(meanwhile)) as model:
            kind, words = await model.refused("confirm_plan", plan_id=plan["plan_id"])
    assert kind == "conflict" and "cancelled" in words and not await roller.journal(booking)


async def test_a_message_amends_in_its_session_and_a_question_is_reported(
    protocol: str, operator: Operator, roller: Roller, party: Party, scripted: ScriptedModel
) -> None:
    async with assistant(operator, protocol) as model:
        plan, _ = await pending(model, party)
        guest = plan["actions"][0]["whom"]
        again = await model.call("propose_change", message="no, drop it", session_id=plan["session_id"])
        assert again["session_id"] == plan["session_id"] and (await operator.look(plan))["status"] == "cancelled", guest
        for first in ("Anna", "Otto"):
            await roller.book(f"{first} Twinworthy")
        which = await model.call("propose_change", message="make it 13 guests for Twinworthy")
        assert which["type"] == "clarification" and len(which["candidates"]) >= 2 and "plan" not in which
        assert which["session_id"] != plan["session_id"]


async def test_bookings_are_found_by_words_and_by_day(protocol: str, operator: Operator, roller: Roller) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    async with assistant(operator, protocol) as model:
        found = await model.call("find_bookings", query=guest)
        [one] = found["bookings"]
        assert one["booking_id"] == booking["uniqueId"] and guest in found["message"]
        day = await model.call("find_bookings", query=one["date"])
        assert booking["uniqueId"] in [row["booking_id"] for row in day["bookings"]]
        assert {row["date"] for row in day["bookings"]} == {one["date"]}
        assert (await model.call("find_bookings", query="nobody-of-this-name"))["bookings"] == []
        journal = await roller.journal(booking)
        off = await roller.http.post(f"/bookings/{booking['uniqueId']}/cancel", json={"issueRefund": False})
        assert off.is_success
        [gone] = (await model.call("find_bookings", query=guest))["bookings"]
        assert gone["cancelled"] and gone["label"].endswith("(cancelled)")
        kind, words = await model.refused("find_bookings", query="x")
        assert kind == "invalid_request" and "Give more of a name" in words
    assert not journal


async def test_a_call_that_lasts_too_long_tells_what_is_known(
    protocol: str, operator: Operator, party: Party, stack: Stack
) -> None:
    guest, _ = await party(COUNT, model=(after(4, obey), obey))
    async with assistant(operator, protocol, Person(yes)) as model:
        plan = (await model.call("propose_change", message=f"{guest}: 14 guests"))["plan"]
        with patience(stack, mcp_call_timeout=1.0):
            shown = await model.call("confirm_plan", plan_id=plan["plan_id"])
        assert shown["plan"]["status"] in ("confirmed", "executing") and "Still under way" in shown["message"]
        model.heard.clear()
        done = await model.call("get_plan", plan_id=plan["plan_id"], wait_seconds=20)
        assert done["plan"]["status"] == "completed" and model.heard
