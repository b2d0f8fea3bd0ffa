"""Guided reasoning over HTTP, with a scripted model on a real stack: the test plan of its specification.

Guarantees:
- A simple message, and a look-up that the model is sure of, cost one call each and no critique.
- A plan that is destructive, doubted, incomplete or not assured gets a critique before the operator sees it.
- A critique that asks, or escalates, decides what the operator reads. One that fails twice, cannot be read or has no
  time left escalates, and never counts as a yes.
- Below a confidence of 6 a reply leads to nothing but a question.
- A question that asks for nothing but a confirmation becomes the plan to confirm.
- The venue's policies are quoted in its own words, or not at all.
- An assessment never reaches the operator, and every step of reasoning is on record.
"""

import asyncio
from typing import Any

import pytest

from cli.stack.dev import Stack
from contracts.chat_completion import InternalMessage
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, assessed, bare, decides, found, look_up, says, then
from workflows.chat.workflow import ConversationWorkflow
from workflows.workflow_ids import chat_workflow

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

CANCEL = "cancel_booking"
MOVE = "reschedule_booking"


def cancels(**judged: Any) -> Any:
    """Return a model's reply that cancels the booking that was found, with this assessment."""
    return lambda body: assessed({CANCEL: {"booking_id": found(body)}}, **judged)


def moves(**judged: Any) -> Any:
    """Return a model's reply that moves the booking to 3pm."""
    return lambda body: assessed({MOVE: {"booking_id": found(body), "new_start_time": "15:00"}}, **judged)


async def reasoned(stack: Stack, operator: Operator) -> list[InternalMessage]:
    """Return the internal messages of an operator's chat."""
    assert stack.services is not None
    chat = chat_workflow("roller-demo", operator.session)
    handle = stack.services.chats.client.get_workflow_handle_for(ConversationWorkflow.run, chat)
    return list((await handle.query(ConversationWorkflow.debug)).entries)


def kinds(entries: list[InternalMessage]) -> list[str]:
    return [entry.kind for entry in entries]


async def test_a_simple_message_is_one_call(operator: Operator, scripted: ScriptedModel, stack: Stack) -> None:
    guest = a_name()
    scripted.script(guest, assessed(f"Good morning! What should change for {guest}?"))
    turn = await operator.say(f"good morning, {guest} here")
    assert turn["type"] == "clarification" and "assessment" not in str(turn) and "confidence" not in str(turn)
    assert len(scripted.seen[guest]) == 1 and scripted.critiqued[guest] == []
    tools = [tool["function"]["name"] for tool in scripted.seen[guest][0]["tools"]]
    assert tools == ["ask_operator", "cannot_help"], "no schema was asked for"
    assert kinds(await reasoned(stack, operator)) == ["assessment", "decision"]


async def test_a_look_up_that_the_model_is_sure_of_is_not_doubted(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), assessed("That is the one."))
    turn = await operator.say(f"when does {guest} come?")
    assert turn["type"] == "answer" and guest in turn["message"]
    assert scripted.critiqued[guest] == []


@pytest.mark.parametrize(("message", "reply", "trigger"), [
    ("cancel {}", cancels(), "destructive"), ("cancel {}", cancels(is_destructive=False), "destructive"),
    ("move {} to 3pm", moves(is_destructive=True), "destructive"),
    ("move {} to 3pm", moves(confidence=6), "low_confidence"),
    ("move {} to 3pm", moves(needs_confirmation=True), "needs_confirmation"),
    ("move {} to 3pm", moves(missing_params=["new_date"]), "missing_parameters"),
    ("move {} to 3pm", moves(confidence="eleven"), "not_assured"),
    ("move {} to 3pm", moves(confidence=11), "not_assured"),
    ("move {} to 3pm", moves(tool_call=CANCEL), "not_assured"),
    ("move {} to 3pm", moves(tool_params={"new_start_time": "16:00"}), "not_assured"),
    ("move {} to 3pm", lambda body: bare({MOVE: {"booking_id": found(body), "new_start_time": "15:00"}}),
     "not_assured"),
])  # fmt: skip
async def test_what_is_doubted_is_looked_at_a_second_time(
    operator: Operator, roller: Roller, scripted: ScriptedModel, stack: Stack, message: str, reply: Any, trigger: str
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), reply)
    turn = await operator.say(message.format(guest))
    assert turn["type"] == "plan", "it may proceed"
    assert len(scripted.critiqued[guest]) == 1
    judged = [entry for entry in await reasoned(stack, operator) if entry.kind == "critique"]
    assert [trigger in entry.details["triggers"] for entry in judged] == [True]


async def test_a_sure_and_harmless_change_is_not_looked_at(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), moves(confidence=7))
    assert (await operator.say(f"move {guest} to 3pm"))["type"] == "plan"
    assert scripted.critiqued[guest] == []


async def test_a_critique_that_asks_is_what_the_operator_hears(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), cancels())
    scripted.critique(guest, decides("ASK_USER", "Which of the two parties do you mean?"))
    turn = await operator.say(f"cancel {guest}")
    assert turn["type"] == "clarification" and turn["question"] == "Which of the two parties do you mean?"


async def test_a_critique_that_escalates_hands_over(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    scripted.script(guest, look_up(guest), cancels())
    scripted.critique(guest, decides("ESCALATE", "SAID-TO-ITSELF", "SAID-TO-ITSELF, too"))
    turn = await operator.say(f"cancel {guest}")
    assert turn["type"] == "escalation" and turn["reason"] == "critique"
    assert "SAID-TO-ITSELF" not in str(turn), "what engineers may read is not the operator's"
    assert "a person has to look at it" in turn["message"] and "Nothing is changed" in turn["message"]
    assert (await roller.booking(booking["uniqueId"]))["items"] == booking["items"]


@pytest.mark.parametrize("broken", [
    says(500), says(200, {"choices": []}), "PROCEED", '{"decision": "GO"}', '{"decision": "ASK_USER", "message": ""}',
    '{"decision": true}',
], ids=["erring", "empty", "no JSON", "no decision", "asks nothing", "no word"])  # fmt: skip
async def test_a_critique_that_fails_twice_is_never_a_yes(
    operator: Operator, roller: Roller, scripted: ScriptedModel, stack: Stack, broken: Any
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), cancels())
    scripted.critique(guest, broken)
    turn = await operator.say(f"cancel {guest}")
    assert turn["type"] == "escalation" and turn["reason"] == "critique_failed"
    assert len(scripted.critiqued[guest]) == 2, "tried once more, then a person"
    assert "handed to a person: critique_failed" in [entry.text for entry in await reasoned(stack, operator)]


async def test_a_critique_is_tried_once_more(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), cancels())
    scripted.critique(guest, says(500), decides("proceed"))
    assert (await operator.say(f"cancel {guest}"))["type"] == "plan"


@pytest.mark.parametrize("answer", [
    '```json\n{"decision": "Proceed", // fine\n "reasoning": "ok", "message": null,}\n``` Good luck!',
    'Here is my decision: {"decision": "PROCEED", "reasoning": "all checks pass", "message": ""}',
])  # fmt: skip
async def test_a_decision_is_read_tolerantly(
    operator: Operator, roller: Roller, scripted: ScriptedModel, answer: str
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), cancels())
    scripted.critique(guest, answer)
    assert (await operator.say(f"cancel {guest}"))["type"] == "plan"


@pytest.mark.parametrize("confidence", [5, 0, -3, 0.9])
async def test_below_six_nothing_proceeds(
    operator: Operator, roller: Roller, scripted: ScriptedModel, confidence: object
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), moves(confidence=confidence))
    turn = await operator.say(f"move {guest} to 3pm")
    assert turn["type"] == "escalation" and turn["reason"] == "low_confidence"
    assert len(scripted.critiqued[guest]) == 1, "it was asked, and its yes did not count"


async def test_below_six_a_question_may_be_asked(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), moves(confidence=3))
    scripted.critique(guest, decides("ASK_USER", "To which day?"))
    assert (await operator.say(f"move {guest} to 3pm"))["question"] == "To which day?"


@pytest.mark.parametrize(("reply", "kind"), [
    (assessed("That is fine with us.", confidence=5), "escalation"),
    (assessed("That is fine with us.", confidence=6), "answer"),
    (assessed("Which party do you mean?", confidence=2), "clarification"),
    (assessed({"ask_operator": {"question": "Which party?"}}, confidence=2), "clarification"),
    (assessed({"cannot_help": {"message": "That is not for me."}}, confidence=5), "escalation"),
    (assessed({"cannot_help": {"message": "That is not for me."}}, confidence=6), "answer"),
])  # fmt: skip
async def test_without_a_tool_it_asks_or_hands_over(
    operator: Operator, scripted: ScriptedModel, reply: Any, kind: str
) -> None:
    guest = a_name()
    scripted.script(guest, reply)
    assert (await operator.say(f"hmm, {guest}"))["type"] == kind
    assert scripted.critiqued[guest] == []


async def test_a_doubted_look_up_is_judged_once_a_turn(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await roller.book(guest)
    doubted = assessed({"find_bookings": {"keywords": guest}}, confidence=6)
    scripted.script(guest, doubted, doubted, then((MOVE, {"new_start_time": "15:00"})))
    assert (await operator.say(f"move {guest} to 3pm"))["type"] == "plan"
    assert len(scripted.critiqued[guest]) == 1


@pytest.mark.parametrize("question", [
    "Just to confirm - you want to cancel this booking? This action cannot be undone.", "Are you sure?",
    "Vuoi davvero disdire questa prenotazione?",
])  # fmt: skip
async def test_a_question_that_only_confirms_is_the_plan_itself(
    operator: Operator, roller: Roller, scripted: ScriptedModel, question: str
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), cancels(needs_confirmation=True))
    scripted.critique(guest, decides("ASK_USER", question, "Destructive action requires confirmation"))
    turn = await operator.say(f"cancel {guest}")
    assert turn["type"] == "plan", "the operator is not asked twice"


async def test_three_turns_to_a_cancellation(
    operator: Operator, roller: Roller, scripted: ScriptedModel, stack: Stack
) -> None:
    """The specification's example: iQ asks for what is missing, the plan asks for the confirmation, and typed assent
    confirms it.
    """
    guest = a_name()
    booking = await roller.book(guest)
    number = booking["bookingReference"]
    scripted.script(
        "my booking please", assessed({CANCEL: {}}, missing_params=["booking_id"], is_destructive=True, confidence=8)
    )
    scripted.critique("my booking please", decides("ASK_USER", "Could you please provide the booking number?"))
    first = await operator.say("Cancel my booking please")
    assert first["type"] == "clarification" and first["question"] == "Could you please provide the booking number?"

    scripted.script("my booking please", {"find_bookings": {"keywords": number}}, cancels(is_destructive=True))
    sure = decides("ASK_USER", "Just to confirm - you want to cancel it?", "Destructive action requires confirmation")
    scripted.critique("my booking please", sure)
    second = await operator.say(f"Booking {number}")
    assert second["type"] == "plan" and [a["action_id"] for a in second["plan"]["actions"]] == [CANCEL]

    third = await operator.say("Yes, cancel it")
    assert third["type"] == "plan" and third["plan"]["plan_id"] == second["plan"]["plan_id"]
    ended = await operator.settled(second["plan"])
    assert ended["status"] == "completed"
    trail = [(entry.kind, entry.text) for entry in await reasoned(stack, operator)]
    assert [text for kind, text in trail if kind == "critique"] == [
        "ask_user: scripted", "ask_user: Destructive action requires confirmation",
    ]  # fmt: skip
    assert ("decision", "a plan: cancel_booking") in trail


async def test_a_tool_that_there_is_not_is_reported_and_then_explained(
    operator: Operator, scripted: ScriptedModel
) -> None:
    guest = a_name()
    scripted.script(guest, {"order_pizza": {"for": guest}}, {"order_pizza": {"for": guest}}, "never said")
    turn = await operator.say(f"order a pizza for {guest}")
    assert turn["type"] == "answer" and "I found no way to do that here" in turn["message"]
    assert "Move a booking" in turn["message"], "an alternative"
    assert "There is no tool order_pizza" in scripted.seen[guest][1]["messages"][-1]["content"]


@pytest.mark.parametrize(("model", "reported", "not_shown"), [
    ("A booking that is cancelled at least 48 hours before it begins is refunded in full.",
     "On returns the venue says: “A booking that is cancelled at least 48 hours", "Nothing is changed"),
    ("Sure, we always refund everything.", "On returns the venue says: “A booking that is cancelled", "always"),
    ("Refunds are paid within 90 days.", "On returns the venue says", "90 days"),
])  # fmt: skip
async def test_a_policy_is_quoted_or_no_one_knows(
    operator: Operator, scripted: ScriptedModel, model: str, reported: str, not_shown: str
) -> None:
    guest = a_name()
    scripted.script(guest, assessed(model))
    turn = await operator.say(f"what is your refund policy? {guest}")
    assert turn["type"] == "answer" and reported in turn["message"] and not_shown not in turn["message"]


async def test_a_policy_that_no_one_asked_about_is_not_made_up(operator: Operator, scripted: ScriptedModel) -> None:
    guest = a_name()
    scripted.script(guest, assessed("Hello! By the way, refunds are up to 100% for members."))
    turn = await operator.say(f"hello, {guest}")
    assert "100%" not in str(turn) and turn["message"].startswith("To change a booking, say")


@pytest.mark.parametrize(("asks", "model"), [
    ("are dogs allowed?", "Dogs are welcome."), ("are dogs allowed?", "Yes, they are!"),
    ("are dogs allowed?", {"cannot_help": {"message": "Dogs are welcome."}}),
    ("are dogs allowed?", {"ask_operator": {"question": "Dogs are welcome."}}),
])  # fmt: skip
async def test_what_the_venue_never_stated_no_one_knows(
    operator: Operator, scripted: ScriptedModel, asks: str, model: Any
) -> None:
    guest = a_name()
    scripted.script(guest, assessed(model))
    turn = await operator.say(f"{asks} {guest}")
    assert turn["type"] == "answer" and "welcome" not in str(turn) and "they are" not in str(turn)
    assert turn["message"].startswith("I don't know: nothing that the venue has told me says so.")


async def test_a_question_loses_what_it_states_of_the_venue(operator: Operator, scripted: ScriptedModel) -> None:
    guest = a_name()
    scripted.script(guest, assessed("Dogs are welcome. Which booking do you mean?"))
    turn = await operator.say(f"move {guest} to 4")
    assert (turn["type"], turn["question"]) == ("clarification", "Which booking do you mean?")


async def test_a_question_that_guests_ask_is_answered_as_the_venue_does(operator: Operator) -> None:
    turn = await operator.say("Is there parking?")
    assert "sixty free car spaces" in turn["message"] and "the venue says" in turn["message"]


async def test_no_time_left_is_a_person_and_not_a_yes(
    operator: Operator, roller: Roller, scripted: ScriptedModel, stack: Stack
) -> None:
    guest = a_name()
    await roller.book(guest)

    async def slowly(body: dict[str, Any]) -> Any:
        await asyncio.sleep(60)
        return decides("PROCEED")

    scripted.script(guest, look_up(guest), cancels())
    scripted.critique(guest, slowly)
    turn = await operator.say(f"cancel {guest}")
    assert turn["type"] == "escalation" and turn["reason"] in ("no_time", "critique_failed")


async def test_internal_messages_are_never_the_operators(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), cancels(confidence=7))
    scripted.critique(guest, decides("ASK_USER", "Which one?", "a secret thought"))
    await operator.say(f"cancel {guest}")
    about = {"user_id": operator.user, "venue_id": "roller-demo"}
    shown = (await operator.http.get(f"/v1/sessions/{operator.session}", params=about)).text
    assert "Which one?" in shown and "a secret thought" not in shown and "not assured" not in shown
