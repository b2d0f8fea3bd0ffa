"""When a reply gets a critique, and what the critique may decide.

Guarantees:
- the truth table: a reply without a call never, a look-up only where it is doubted, a change for each of five reasons;
- 7 is sure, 6 is not; 6 may still go on, 5 may not;
- the model may add to the overlay's dangers, and remove none of them;
- no decision but a yes lets anything go on, and a question that asks only for a confirmation is a yes;
- the critique's answer is read tolerantly, and an answer without a decision is a failure;
- the critique is not asked about what code has decided; the guard uses the same list.
"""

from itertools import product
from typing import Any

import pytest

from contracts.chat_completion import Assessment, Critique, CritiqueRequest, ModelReply, ParsedAssessment
from contracts.enums import CritiqueDecision as D
from contracts.enums import CritiqueTrigger as T
from contracts.enums import EscalationReason as E
from contracts.enums import SafetyTier
from reasoning.critique.prompt import UnreadableError, prompt, read
from reasoning.critique.triggers import (
    QUESTIONS,
    CallKind,
    CheckItem,
    below_threshold,
    classify_calls,
    decided_by_code,
    destructive,
    resolve,
    triggers,
)
from reasoning.execution.guard import Correct, ExceedsPlan, judge
from reasoning.modes.base import ToolOffer
from tests.support.tables import table
from tests.unit.reasoning.actions import a_call, a_venue, an_action


def judged(confidence: int = 9, *doubts: str, **fields: Any) -> ParsedAssessment:
    return ParsedAssessment(assessment=Assessment(confidence=confidence, **fields), contradictions=doubts)


SURE = judged()
NONE = ParsedAssessment(contradictions=("there is no assessment",))

TABLE: list[tuple[CallKind, bool, bool, ParsedAssessment, tuple[T, ...]]] = [
    # call, destructive by code, incomplete by code, the model's assessment, reasons for a critique
    (CallKind.NONE, False, False, SURE, ()),
    (CallKind.NONE, True, True, NONE, ()),
    (CallKind.NONE, False, False, judged(1), ()),
    (CallKind.READS, False, False, SURE, ()),
    (CallKind.READS, True, True, SURE, ()),
    (CallKind.READS, False, False, judged(7), ()),
    (CallKind.READS, False, False, judged(6), (T.LOW_CONFIDENCE,)),
    (CallKind.READS, False, False, judged(9, missing_params=("x",), needs_confirmation=True, is_destructive=True), ()),
    (CallKind.READS, False, False, NONE, (T.NOT_ASSURED,)),
    (CallKind.READS, False, False, judged(9, "it contradicts"), (T.NOT_ASSURED,)),
    (CallKind.CHANGES, False, False, SURE, ()),
    (CallKind.CHANGES, False, False, judged(7), ()),
    (CallKind.CHANGES, False, False, judged(6), (T.LOW_CONFIDENCE,)),
    (CallKind.CHANGES, True, False, SURE, (T.DESTRUCTIVE,)),
    (CallKind.CHANGES, True, False, judged(10, is_destructive=False), (T.DESTRUCTIVE,)),
    (CallKind.CHANGES, False, False, judged(9, is_destructive=True), (T.DESTRUCTIVE,)),
    (CallKind.CHANGES, False, True, SURE, (T.MISSING_PARAMETERS,)),
    (CallKind.CHANGES, False, False, judged(9, missing_params=("date",)), (T.MISSING_PARAMETERS,)),
    (CallKind.CHANGES, False, False, judged(9, needs_confirmation=True), (T.NEEDS_CONFIRMATION,)),
    (CallKind.CHANGES, False, False, NONE, (T.NOT_ASSURED,)),
    (CallKind.CHANGES, False, False, judged(9, "it contradicts"), (T.NOT_ASSURED,)),
    (CallKind.CHANGES, True, True, judged(1, "?", needs_confirmation=True),
     (T.DESTRUCTIVE, T.LOW_CONFIDENCE, T.MISSING_PARAMETERS, T.NEEDS_CONFIRMATION, T.NOT_ASSURED)),
]  # fmt: skip


@table("calls, destroys, lacks, assessed, expected", TABLE)
def test_the_truth_table(
    calls: CallKind, destroys: bool, lacks: bool, assessed: ParsedAssessment, expected: tuple[T, ...]
) -> None:
    assert triggers(calls, destroys=destroys, lacks=lacks, assessed=assessed) == expected


def test_every_row_of_what_there_is() -> None:
    """All 3 × 2⁵ × {sure, unsure} combinations against the rule in the specification's words."""
    for calls, destroys, lacks, says, asks, assured, low in product(CallKind, *[(False, True)] * 6):
        doubts = () if assured else ("?",)
        fields = {"is_destructive": says, "needs_confirmation": asks}
        assessed = judged(6 if low else 7, *doubts, **fields)
        doubted = low or not assured
        change = calls is CallKind.CHANGES and (destroys or lacks or says or asks)
        expected = calls is not CallKind.NONE and (doubted or change)
        assert bool(triggers(calls, destroys=destroys, lacks=lacks, assessed=assessed)) is expected


@pytest.mark.parametrize(("fields", "expected"), [
    ({}, False), ({"reversible": False}, True), ({"safety": SafetyTier.HIGH_RISK}, True),
    ({"read_only": True, "reversible": False}, False),
])  # fmt: skip
def test_destructive_is_what_the_overlay_says(fields: dict[str, Any], expected: bool) -> None:
    assert destructive(an_action(**fields)) is expected


def test_a_reply_that_looks_up_does_nothing_else() -> None:
    read_, write = a_call(), a_call()
    look = read_.model_copy(update={"kind": "read"})
    assert classify_calls([write, look]) is CallKind.READS
    assert classify_calls([write]) is CallKind.CHANGES
    assert classify_calls([write.model_copy(update={"kind": "builtin"})]) is CallKind.NONE


@table("decision, only, confidence, expected", [
    (D.PROCEED, False, 10, (D.PROCEED, None)), (D.PROCEED, False, 6, (D.PROCEED, None)),
    (D.PROCEED, False, None, (D.PROCEED, None)),
    (D.PROCEED, False, 5, (D.ESCALATE, E.LOW_CONFIDENCE)), (D.PROCEED, False, 1, (D.ESCALATE, E.LOW_CONFIDENCE)),
    (D.ASK_USER, False, 9, (D.ASK_USER, None)), (D.ASK_USER, False, 1, (D.ASK_USER, None)),
    (D.ASK_USER, True, 9, (D.PROCEED, None)), (D.ASK_USER, True, 5, (D.ESCALATE, E.LOW_CONFIDENCE)),
    (D.ESCALATE, False, 10, (D.ESCALATE, E.CRITIQUE)), (D.ESCALATE, True, 1, (D.ESCALATE, E.CRITIQUE)),
])  # fmt: skip
def test_what_comes_of_a_critique(
    decision: D, only: bool, confidence: int | None, expected: tuple[D, E | None]
) -> None:
    assessed = judged(confidence) if confidence is not None else NONE
    assert resolve(Critique(decision=decision, only_confirmation=only), assessed) == expected
    assert below_threshold(assessed) is (confidence is not None and confidence < 6)


def answered(text: str) -> Critique:
    return read(ModelReply(text=text), "en-AU")


@pytest.mark.parametrize(("text", "decision"), [
    ('{"decision": "PROCEED", "reasoning": "ok", "message": ""}', D.PROCEED),
    ('```json\n{"decision": "ask_user", "message": "Which day?"}\n```', D.ASK_USER),
    ('{"decision": "Ask User", "message": "Which day?",} Thanks!', D.ASK_USER),
    ('I think {"decision": "ESCALATE", // a person\n "message": "odd"}', D.ESCALATE),
    ('{"decision": "proceed"}', D.PROCEED), ('{"decision": " PROCEED ", "message": 7, "reasoning": null}', D.PROCEED),
])  # fmt: skip
def test_an_answer_is_read_tolerantly(text: str, decision: D) -> None:
    assert answered(text).decision is decision


@table("text", [
    "", "PROCEED", "[]", "{}", '{"decision": ""}', '{"decision": null}', '{"decision": "PROCEED or ASK_USER"}',
    '{"decision": ["PROCEED"]}', '{"decision": "ASK_USER"}', '{"decision": "ASK_USER", "message": " "}', '{"decision',
    '{"decision": "ASK_USER", "message": "I have cancelled it."}',
    '{"decision": "PROCEED"} {"decision": "ESCALATE"}', '{"decision": "ESCALATE", "decision": "PROCEED"}',
    'First {"decision": "PROCEED"}, or rather {"decision": "ASK_USER", "message": "Which day?"}',
])  # fmt: skip
def test_what_is_no_decision_is_a_failure(text: str) -> None:
    with pytest.raises(UnreadableError):
        answered(text)


@table("message, only", [
    ("Just to confirm - you want to cancel order #12345? This action cannot be undone.", True),
    ("Are you sure?", True), ("Do you want me to go ahead?", True), ("Shall I cancel it?", True),
    ("Confermi la cancellazione?", True), ("Sei sicura?", True),
    ("Which order do you want to cancel?", False), ("Do you want to cancel 8084 or 8085?", False),
    ("Could you please provide your order number?", False), ("Quale prenotazione vuoi davvero disdire?", False),
    ("When should I go ahead?", False),
    ("You are about to cancel the booking. Shall I proceed?", True),
    ("Are you sure? There is another booking for this guest.", False),
    ("Are you sure? The guest is on the way.", False),
    ("Do you want me to cancel the Smith booking instead?", False),
    ("Sei sicura? C'è anche un'altra prenotazione.", False),
])  # fmt: skip
def test_what_asks_for_nothing_but_a_confirmation(message: str, only: bool) -> None:
    asked = answered(f'{{"decision": "ASK_USER", "message": "{message}"}}')
    assert asked.only_confirmation is only
    wording = answered(f'{{"decision": "ESCALATE", "message": "{message}"}}')
    assert not wording.only_confirmation, "a person who is called is no question"


def test_what_code_has_decided_is_settled_and_not_asked() -> None:
    settled, left = decided_by_code(drafted=True)
    assert left == (CheckItem.FITTING,), "all else was held against the words"
    assert "A confirmation follows" in settled[CheckItem.CONFIRMED]
    _, called_only = decided_by_code(drafted=False)
    assert called_only == (CheckItem.UNAMBIGUOUS, CheckItem.FITTING, CheckItem.REQUESTED)
    incomplete, _ = decided_by_code(drafted=False, lacking=["order_id"])
    assert "NOT given: order_id" in incomplete[CheckItem.COMPLETE]
    for drafted in (True, False):
        done, rest = decided_by_code(drafted=drafted)
        assert {*done, *rest} == set(CheckItem) == set(QUESTIONS) and not set(done) & set(rest)


def test_the_prompt_holds_the_checklist_and_no_word_of_the_operator() -> None:
    settled, left = decided_by_code(drafted=True)
    request = CritiqueRequest(
        venue_id="v-1", now="2026-11-27T09:05:00+11:00", operator_messages=("Cancel John", "hi"), steps=(),
        triggers=(T.DESTRUCTIVE,), assessed=judged(7), settled=tuple(settled.values()),
        open=tuple(QUESTIONS[p] for p in left),
    )  # fmt: skip
    offer = ToolOffer(a_venue(), {}, [], [], "", lambda *_: [])
    made = prompt(request, offer)
    assert made.purpose == "critique" and made.tools == []
    for needed in ('"task": "critique"', "PROCEED", "ASK_USER", "ESCALATE", QUESTIONS[CheckItem.FITTING], "7 of 10"):
        assert needed in made.system
    assert QUESTIONS[CheckItem.COMPLETE] not in made.system and "Cancel John" not in made.system
    assert made.messages is not None and [m.content for m in made.messages] == ["hi", "Cancel John"]


@pytest.mark.parametrize(("call", "point"), [
    (a_call("other"), CheckItem.REQUESTED), (a_call("later"), CheckItem.FITTING),
    (a_call(unheard="1"), CheckItem.VALID), (a_call(booking_id="b-2"), CheckItem.CONFIRMED),
    (a_call(guests=9), CheckItem.CONFIRMED), (a_call(phone="1"), CheckItem.REQUESTED),
    (a_call("change_booking", "wrong form"), CheckItem.VALID),
])  # fmt: skip
def test_the_guard_stands_by_the_same_list(call: Any, point: CheckItem) -> None:
    verdict = judge(
        call, an_action(), {"booking_id": "b-1"}, frozenset({"change_booking", "later"}), {}, answered=False
    )
    assert isinstance(verdict, Correct | ExceedsPlan) and verdict.point is point


def test_what_an_answer_does_not_say_is_unclear_and_not_unasked() -> None:
    call, plan = a_call(phone="1"), frozenset({"change_booking"})
    verdict = judge(call, an_action(), {"booking_id": "b-1"}, plan, {}, answered=True)
    assert isinstance(verdict, Correct) and verdict.point is CheckItem.UNAMBIGUOUS
