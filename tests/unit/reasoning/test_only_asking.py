"""Below a confidence of six the operator sees only a question.

Guarantees:
- statements, announcements and claims beside a question are not shown; a question that only asks for agreement does not
  count; where no other question is left, our own question replaces it;
- that applies to a reply's text, to the tool that asks, and to the question of a critique;
- a reply without a question is left for staff; one that is sure enough stays as it is;
- several different decisions in one critique are unreadable, whatever their order and form.
"""

from typing import Any

import pytest

from contracts.chat_completion import ChatMessage, Critique, ModelReply, ReasonRequest, ToolCall
from contracts.enums import CritiqueDecision
from language.messages.catalogue import activate_locale
from language.replies.questions import questions_in
from reasoning.critique.prompt import UnreadableError, only_asking, read
from reasoning.modes import adaptive
from reasoning.modes.base import ToolOffer
from tests.support.tables import table
from tests.unit.reasoning.actions import a_venue

STANDARD = "What should be changed, and on which booking?"
CASES = [
    ("I'll refund it. Which one?", "Which one?"), ("Done, ok?", ""), ("I've moved it, is that all right?", ""),
    ("Which booking do you mean?", "Which booking do you mean?"), ("Cash or card?", "Cash or card?"),
    ("I will cancel 8084 now, right?", ""), ("The party is at 3pm. Shall I move it?", "Shall I move it?"),
    ("Refunds take 5 days, so which one?", "Which one?"), ("I have refunded it?", ""), ("Really?", "Really?"),
    ("It is cancelled - what else?", "What else?"), ("Which one, the first or the second?",) * 2,
    ("For Saturday, which time should it be?", "Which time should it be?"), ("Did you know dogs are welcome?", ""),
    ("Is it fine that I've cancelled it?", ""), ("Quale intende? Lo sposto io.", "Quale intende?"),
    ("Ho annullato tutto, va bene?", ""), ("La sposto, quale intende?", "Quale intende?"), ("Fatto, giusto?", ""),
    ("How many guests? And on which day?", "How many guests? On which day?"), ("?", ""),
]  # fmt: skip


@table("wording, asked", CASES)
def test_what_a_text_asks(wording: str, asked: str) -> None:
    assert questions_in(wording, "en") == asked


def replied(confidence: int, text: str = "", question: str | None = None) -> ModelReply:
    request = ReasonRequest(
        venue_id="v-1", now="2026-11-27T09:05:00+11:00", messages=(ChatMessage(role="user", content="move it"),)
    )
    block = f'<assessment>{{"confidence": {confidence}, "tool_call": null}}</assessment>'
    asks = ToolCall(id="1", name="ask_operator", arguments={"question": question})
    calls = (asks,) if question is not None else ()
    completion = ModelReply(text=f"{text}{block}", tool_calls=calls)
    return adaptive.read(request, ToolOffer(a_venue(), {}, [], [], "", lambda *_: []), completion)


@pytest.mark.parametrize(("wording", "asked"), [
    ("I'll refund it. Which one?", "Which one?"), ("Done, ok?", STANDARD), ("Which one?", "Which one?"),
])  # fmt: skip
def test_an_unsure_reply_only_asks(wording: str, asked: str) -> None:
    reply = replied(5, wording)
    assert reply.text == asked and reply.statement is not None
    assert (reply.statement.plain, reply.statement.only_asks) == (asked, True)
    reply = replied(5, question=wording)
    assert reply.tool_calls[0].arguments["question"] == asked
    assert reply.statement is not None and reply.statement.plain == asked


def test_a_tool_that_asks_nothing_asks_the_cores_question() -> None:
    assert replied(5, question="I'll refund it.").tool_calls[0].arguments["question"] == STANDARD
    activate_locale("it")
    assert replied(5, question="Ci penso io.").tool_calls[0].arguments["question"].endswith("in quale prenotazione?")


def test_what_is_no_question_is_left_for_a_person_and_what_is_sure_as_it_is() -> None:
    assert replied(5, "I will have a look.").text == "I will have a look."
    assert replied(6, "The party is at 3pm. Shall I move it?").text == "The party is at 3pm. Shall I move it?"


def test_a_second_look_at_an_unsure_reply_only_asks() -> None:
    asks = Critique(decision=CritiqueDecision.ASK_USER, message="It was refunded. Which one?")
    assert only_asking(asks, "en").message == "Which one?"
    asks = Critique(decision=CritiqueDecision.ASK_USER, message="Done, ok?")
    assert only_asking(asks, "en").message == STANDARD
    escalates = Critique(decision=CritiqueDecision.ESCALATE, message="It was refunded.")
    assert only_asking(escalates, "en") == escalates


YES, NO, ASK = ('{"decision": "PROCEED"}', '{"decision": "ESCALATE"}', '{"decision": "ASK_USER", "message": "Which?"}')


@table("text", [
    f"{YES} {NO}", f"{NO} {YES}", f"{YES} {ASK}", f"[{YES}, {NO}]", f"{YES} {{broken {NO}", f"{YES} {{\"a\": }} {NO}",
    f'{YES} {{"Decision": "ESCALATE"}}', f'{YES} {{"DECISION": "escalate"}}', f"{YES} {{'decision': 'ESCALATE'}}",
    '{"decision": "PROCEED", "alternative": {"decision": "ESCALATE"}}', f"ESCALATE. {YES}", f"{YES} No: ASK_USER",
    '{"decision": "PROCEED", "decision": "ESCALATE"}', f"Decision: ESCALATE {YES}", f"{YES}\ndecision = ask user",
])  # fmt: skip
def test_a_yes_beside_a_no_is_none(text: str) -> None:
    with pytest.raises(UnreadableError):
        read(ModelReply(text=text), "en")


@pytest.mark.parametrize("text", [
    f"An example would be {YES} but I am unsure.", f"Do not do this:\n```json\n{YES}\n```", f"{YES} Not really.",
    '{"decision": "PROCEED", "reasoning": "It is odd. ESCALATE would be wiser."}', f"I doubt it. {YES}",
    '{"decision": "PROCEED", "reason": "though one should escalate this"}',
    '{"decision": "PROCEED", "message": "Which of the two is meant?"}',
    '{"decision": "PROCEED", "checks": {"correct_tool": false}}',
    '{"decision": "PROCEED", "checks": [{"check": "correct tool", "passed": "no"}]}',
])  # fmt: skip
def test_a_yes_with_something_against_it_is_none(text: str) -> None:
    with pytest.raises(UnreadableError):
        read(ModelReply(text=text), "en")


@pytest.mark.parametrize("text", [YES, f"{YES} {YES}", f'{YES} {{"decision": "proceed"}}', f"PROCEED. {YES}",
                                  f"Here is my decision:\n```json\n{YES}\n```", f"Sure! {YES} Thanks!",
                                  '{"decision": "PROCEED", "message": "Shall I go ahead?", "checks": {"tool": true}}',
                                  '{"decision": "PROCEED", "reasoning": "no reason to ESCALATE"}'])  # fmt: skip
def test_a_yes_that_is_stated_twice_is_one(text: str) -> None:
    made: Any = read(ModelReply(text=text), "en")
    assert made.decision is CritiqueDecision.PROCEED
