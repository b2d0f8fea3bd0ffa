"""When a reply is looked at a second time, and what may come of that.

Guarantees:
- the truth table: a reply without a call never, a look-up only where it is doubted, a change for each of five reasons;
- 7 is sure, 6 is not; 6 may still go on, 5 may not;
- the model may add to what the overlay says of danger, and clear none of it;
- no decision but a yes lets anything go on, and what asks for nothing but a confirmation is a yes;
- a critique's answer is read tolerantly, and what is no decision is a failure;
- what code has decided is settled and is not asked; the guard stands by the same list.
"""

from itertools import product
from typing import Any

import pytest

from contracts.assessment import Assessed, Assessment, Critique, CritiqueRequest
from contracts.enums import CritiqueDecision as D
from contracts.enums import CritiqueTrigger as T
from contracts.enums import EscalationReason as E
from contracts.enums import SafetyTier
from contracts.model import Completion
from reasoning.checklist import QUESTIONS, Point, settled_of
from reasoning.critique import Calls, called, decided, destructive, too_unsure, triggers
from reasoning.critiquing import UnreadableError, prompt, read
from reasoning.guard import Mend, Widens, judge
from reasoning.mode import Offer
from tests.support.tables import table
from tests.unit.reasoning.actions import a_call, a_venue, an_action


def judged(confidence: int = 9, *doubts: str, **fields: Any) -> Assessed:
    return Assessed(assessment=Assessment(confidence=confidence, **fields), doubts=doubts)


SURE = judged()
NONE = Assessed(doubts=("there is no assessment",))

TABLE: list[tuple[Calls, bool, bool, Assessed, tuple[T, ...]]] = [
    # what it calls, destructive by code, lacking by code, what it says of itself, why it is looked at
    (Calls.NONE, False, False, SURE, ()),
    (Calls.NONE, True, True, NONE, ()),
    (Calls.NONE, False, False, judged(1), ()),
    (Calls.READS, False, False, SURE, ()),
    (Calls.READS, True, True, SURE, ()),
    (Calls.READS, False, False, judged(7), ()),
    (Calls.READS, False, False, judged(6), (T.LOW_CONFIDENCE,)),
    (Calls.READS, False, False, judged(9, missing_params=("x",), needs_confirmation=True, is_destructive=True), ()),
    (Calls.READS, False, False, NONE, (T.NOT_ASSURED,)),
    (Calls.READS, False, False, judged(9, "it contradicts"), (T.NOT_ASSURED,)),
    (Calls.CHANGES, False, False, SURE, ()),
    (Calls.CHANGES, False, False, judged(7), ()),
    (Calls.CHANGES, False, False, judged(6), (T.LOW_CONFIDENCE,)),
    (Calls.CHANGES, True, False, SURE, (T.DESTRUCTIVE,)),
    (Calls.CHANGES, True, False, judged(10, is_destructive=False), (T.DESTRUCTIVE,)),
    (Calls.CHANGES, False, False, judged(9, is_destructive=True), (T.DESTRUCTIVE,)),
    (Calls.CHANGES, False, True, SURE, (T.MISSING_PARAMETERS,)),
    (Calls.CHANGES, False, False, judged(9, missing_params=("date",)), (T.MISSING_PARAMETERS,)),
    (Calls.CHANGES, False, False, judged(9, needs_confirmation=True), (T.NEEDS_CONFIRMATION,)),
    (Calls.CHANGES, False, False, NONE, (T.NOT_ASSURED,)),
    (Calls.CHANGES, False, False, judged(9, "it contradicts"), (T.NOT_ASSURED,)),
    (Calls.CHANGES, True, True, judged(1, "?", needs_confirmation=True),
     (T.DESTRUCTIVE, T.LOW_CONFIDENCE, T.MISSING_PARAMETERS, T.NEEDS_CONFIRMATION, T.NOT_ASSURED)),
]  # fmt: skip


@table("calls, destroys, lacks, assessed, expected", TABLE)
def test_the_truth_table(
    calls: Calls, destroys: bool, lacks: bool, assessed: Assessed, expected: tuple[T, ...]
) -> None:
    assert triggers(calls, destroys=destroys, lacks=lacks, assessed=assessed) == expected


def test_every_row_of_what_there_is() -> None:
    """All 3 × 2⁵ × {sure, unsure} combinations against the rule in the specification's words."""
    for calls, destroys, lacks, says, asks, assured, low in product(Calls, *[(False, True)] * 6):
        doubts = () if assured else ("?",)
        fields = {"is_destructive": says, "needs_confirmation": asks}
        assessed = judged(6 if low else 7, *doubts, **fields)
        doubted = low or not assured
        change = calls is Calls.CHANGES and (destroys or lacks or says or asks)
        expected = calls is not Calls.NONE and (doubted or change)
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
    assert called([write, look]) is Calls.READS
    assert called([write]) is Calls.CHANGES
    assert called([write.model_copy(update={"kind": "builtin"})]) is Calls.NONE


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
    assert decided(Critique(decision=decision, only_confirmation=only), assessed) == expected
    assert too_unsure(assessed) is (confidence is not None and confidence < 6)


def answered(text: str) -> Critique:
    return read(Completion(text=text), "en-AU")


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
    said = answered(f'{{"decision": "ESCALATE", "message": "{message}"}}')
    assert not said.only_confirmation, "a person who is called is no question"


def test_what_code_has_decided_is_settled_and_not_asked() -> None:
    settled, left = settled_of(drafted=True)
    assert left == (Point.FITTING,), "all else was held against the words"
    assert "A confirmation follows" in settled[Point.CONFIRMED]
    _, called_only = settled_of(drafted=False)
    assert called_only == (Point.UNAMBIGUOUS, Point.FITTING, Point.REQUESTED)
    incomplete, _ = settled_of(drafted=False, lacking=["order_id"])
    assert "NOT given: order_id" in incomplete[Point.COMPLETE]
    for drafted in (True, False):
        done, rest = settled_of(drafted=drafted)
        assert {*done, *rest} == set(Point) == set(QUESTIONS) and not set(done) & set(rest)


def test_the_prompt_holds_the_checklist_and_no_word_of_the_operator() -> None:
    settled, left = settled_of(drafted=True)
    request = CritiqueRequest(
        venue_id="v-1", now="2026-11-27T09:05:00+11:00", said=("Cancel John", "hi"), steps=(),
        triggers=(T.DESTRUCTIVE,), assessed=judged(7), settled=tuple(settled.values()),
        open=tuple(QUESTIONS[p] for p in left),
    )  # fmt: skip
    offer = Offer(a_venue(), {}, [], [], "", lambda *_: [])
    made = prompt(request, offer)
    assert made.purpose == "critique" and made.tools == []
    for needed in ('"task": "critique"', "PROCEED", "ASK_USER", "ESCALATE", QUESTIONS[Point.FITTING], "7 of 10"):
        assert needed in made.system
    assert QUESTIONS[Point.COMPLETE] not in made.system and "Cancel John" not in made.system
    assert made.messages is not None and [m.content for m in made.messages] == ["hi", "Cancel John"]


@pytest.mark.parametrize(("call", "point"), [
    (a_call("other"), Point.REQUESTED), (a_call("later"), Point.FITTING),
    (a_call(unheard="1"), Point.VALID), (a_call(booking_id="b-2"), Point.CONFIRMED),
    (a_call(guests=9), Point.CONFIRMED), (a_call(phone="1"), Point.REQUESTED),
    (a_call("change_booking", "wrong form"), Point.VALID),
])  # fmt: skip
def test_the_guard_stands_by_the_same_list(call: Any, point: Point) -> None:
    verdict = judge(
        call, an_action(), {"booking_id": "b-1"}, frozenset({"change_booking", "later"}), {}, answered=False
    )
    assert isinstance(verdict, Mend | Widens) and verdict.point is point


def test_what_an_answer_does_not_say_is_unclear_and_not_unasked() -> None:
    call, plan = a_call(phone="1"), frozenset({"change_booking"})
    verdict = judge(call, an_action(), {"booking_id": "b-1"}, plan, {}, answered=True)
    assert isinstance(verdict, Mend) and verdict.point is Point.UNAMBIGUOUS
