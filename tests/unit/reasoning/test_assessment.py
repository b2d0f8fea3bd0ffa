"""Parsing of a model's assessment of its own reply.

Guarantees:
- the specification's example is parsed as it requires, and the operator does not see its block;
- fences, `//` comments, surplus commas, trailing text, wrong types and a missing end do no harm;
- of several blocks the most doubtful counts; none, an unreadable one and a confidence outside 1 to 10 are doubts, and
  one below 1 lets nothing proceed;
- a confidence in plain text, empty tags and bare data are hidden from the operator;
- an assessment that contradicts the calls of the reply is a doubt;
- every request for context counts, also where the rest is not believed.
"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.chat_completion import Assessment, ParsedAssessment, ToolCall
from reasoning.critique.assessment import check_consistency, parse_assessment, strip_assessment
from reasoning.critique.triggers import below_threshold
from tests.support.tables import table

EXAMPLE = """I'd be happy to cancel that order for you!

<assessment>
{"confidence": 7, "tool_call": "cancel_order", "tool_params": {"order_id": "123"},
 "missing_params": [], "is_destructive": true, "needs_confirmation": true}
</assessment>"""

COMMENTED = """<assessment>
{
  "confidence": 8,           // 1-10, how confident are you in this response?
  "tool_call": "tool_name",  // or null if no tool
  "tool_params": {},         // parameters you're using
  "missing_params": [],      // required params you don't have
  "is_destructive": false,   // cancel, delete, refund = true
  "needs_confirmation": false // should user confirm before action?
}
</assessment>"""


def block(**fields: object) -> str:
    return f"<assessment>{json.dumps({'confidence': 8, **fields})}</assessment>"


def test_the_example_of_the_specification() -> None:
    found = parse_assessment(EXAMPLE)
    assert found.visible == "I'd be happy to cancel that order for you!"
    assert found.assessed.trusted
    assert found.assessed.assessment == Assessment(
        confidence=7, tool_call="cancel_order", tool_params={"order_id": "123"}, is_destructive=True,
        needs_confirmation=True,
    )  # fmt: skip


def test_the_form_that_the_specification_shows_has_comments() -> None:
    found = parse_assessment(COMMENTED)
    assert found.assessed.trusted and found.assessed.assessment is not None
    assert (found.assessed.assessment.confidence, found.assessed.assessment.tool_call) == (8, "tool_name")
    assert found.visible == ""


@table("text", [
    f"Hello.\n```json\n{block()}\n```", f"Hello. {block()} ", f"{block()}\nHello.", "Hello.<ASSESSMENT >\n"
    '{"confidence": 8}</ Assessment>', 'Hello. <assessment>{"confidence": 8}', "Hello.\n<assessment>```json\n"
    '{"confidence": 8,}\n```\n</assessment>', 'Hello. <assessment>My view: {"confidence": 8} as I said</assessment>',
    'Hello.\n{"confidence": 8, "tool_call": null, "tool_params": {}}', 'Hello.\n```json\n{"confidence": 8}\n```',
    'Hello. <assessment>{"confidence": 8, "tool_params": {"url": "http://x//y"}}</assessment>',
])  # fmt: skip
def test_how_it_is_written_does_no_harm(text: str) -> None:
    found = parse_assessment(text)
    assert found.visible == "Hello."
    assert found.assessed.trusted and found.assessed.assessment is not None
    assert found.assessed.assessment.confidence == 8


@table("fields, expected", [
    ({"confidence": "8"}, {}), ({"confidence": 8.0}, {}), ({"confidence": "8/10"}, {}),
    ({"tool_call": "null"}, {}), ({"tool_call": 7}, {}), ({"tool_call": {"name": "x"}}, {"tool_call": "x"}),
    ({"tool_params": None}, {}), ({"tool_params": [1]}, {}),
    ({"missing_params": "date"}, {"missing_params": ("date",)}),
    ({"missing_params": {"date": 1}}, {"missing_params": ("date",)}), ({"missing_params": [1, None]}, {}),
    ({"is_destructive": "true"}, {"is_destructive": True}), ({"is_destructive": "no"}, {}),
    ({"needs_confirmation": 1}, {}), ({"mood": "good"}, {}),
])  # fmt: skip
def test_wrong_types_are_read_as_far_as_they_say_something(
    fields: dict[str, object], expected: dict[str, object]
) -> None:
    found = parse_assessment(block(**fields)).assessed
    assert found.trusted
    assert found.assessment == Assessment(**{"confidence": 8, **expected})  # type: ignore[arg-type]


@table("text", [
    "Hello.", "<assessment></assessment>", "<assessment>sure</assessment>", "<assessment>{broken</assessment>",
    "<assessment>[8]</assessment>", block(confidence=None), block(confidence=11),
    block(confidence=True), block(confidence="high"), block(confidence=10.5),
    '<assessment>{"confidence": 3, "confidence": 9}</assessment>',
    block(confidence=1e99),
    "<assessment>{}</assessment>",
])  # fmt: skip
def test_what_cannot_be_believed_is_not_assured(text: str) -> None:
    found = parse_assessment(text)
    assert not found.assessed.trusted and found.assessed.contradictions and found.assessed.assessment is None
    assert "assessment" not in found.visible


@pytest.mark.parametrize("message", [0, -3, 0.9, "0", "-1", "0.3", "0/10", -1e99])
def test_less_than_the_least_is_a_doubt_and_lets_nothing_proceed(message: object) -> None:
    found = parse_assessment(block(confidence=message)).assessed
    assert not found.trusted and below_threshold(found)


@pytest.mark.parametrize(("text", "left"), [
    ("Which booking? (confidence 3/10)", "Which booking?"),
    ("Which booking? I rate my confidence at 3.", "Which booking?"),
    ("Which booking? <assess></assess>", "Which booking?"), ("Quale? La mia confidenza è 3 su 10.", "Quale?"),
    ("Which booking? [self confidence: low]", "Which booking?"), ('{"decision": "PROCEED"}', ""),
    ('```json\n{"calls": []}\n```', ""), ("Her confidence class is at 3.", "Her confidence class is at 3."),
    ("Confidence 4 out of 10. Which booking?", "Which booking?"),
])  # fmt: skip
def test_a_confidence_in_words_and_bare_data_are_for_no_one(text: str, left: str) -> None:
    assert parse_assessment(f'{text}\n<assessment>{{"confidence": 8}}</assessment>').visible == left
    assert parse_assessment(text).visible == left


@pytest.mark.parametrize(("message", "counts"), [
    (5.5, 5), (2.5, 2), (7.5, 7), ("5 out of 10", 5), ("~4", 4), ("5,5", 5), ("9 / 10", 9), ("6 su 10", 6),
])  # fmt: skip
def test_between_two_confidences_the_lower_counts(message: object, counts: int) -> None:
    found = parse_assessment(block(confidence=message)).assessed
    assert found.assessment is not None and found.assessment.confidence == counts


@table("text", [
    'Hello. <assessment type="self">{"confidence": 3}</assessment>', 'Hello. &lt;assessment&gt;{"confidence": 3}',
    'Hello. <asses<assessment></assessment>sment>{"confidence": 3}</assessment>',
    'Hello. </assessment>{"confidence": 3}<assessment>', 'Hello. ```json\n{"confidence": 3}\n``` ',
    'Hello. Assessment: {"confidence": 3}', 'Hello. **Self-assessment:**\n```json\n{"confidence": 3}\n```',
    '{"confidence": 3} Hello.', 'Hello. <assessments>{"confidence": 3}</assessments>',
    'Hello. <self_assessment>{"confidence": 3}</self_assessment>', 'Hello. <iq:assessment>{"confidence": 3}',
    'Hello. <assess\u200bment>{"confidence": 3}', 'Hello. <assess\nment>{"confidence": 3}</assess\nment>',
    'Hello. ＜assessment＞{"confidence": 3}＜/assessment＞', "Hello. {'confidence': 3, 'tool_call': None}",
    'Hello. {"Confidence": 3}', 'Hello. {"assessment": {"confidence": 3}}',
    'Hello. {"tool_params": {"a": {"b": {"c": 1}}}, "confidence": 3}',
    '<think>I doubt it {x</think>Hello. <assessment>{"confidence": 3}</assessment>',
    'Hello. [assessment]{"confidence": 3}[/assessment]', 'Hello. {"confidence": 3, "tool_params": {"a": 1}',
])  # fmt: skip
def test_in_whatever_form_it_is_written_no_one_reads_it_and_it_counts(text: str) -> None:
    found = parse_assessment(text)
    assert found.visible == "Hello."
    read = found.assessed.assessment
    assert (read is not None and read.confidence == 3) or not found.assessed.trusted


@pytest.mark.parametrize("text", [
    "Hello. {confidence: 9}", "Sure! confidence = 9", "Hello. is_destructive: false", "Hello. <assessment/",
    "Hello. <thinking", "tool_params none. Hello.",
])  # fmt: skip
def test_what_cannot_be_reported_from_it_is_withheld(text: str) -> None:
    assert parse_assessment(text).visible == "" and not parse_assessment(text).assessed.trusted


@pytest.mark.parametrize("text", [
    "The risk assessment is on file.", "I say so with confidence, 10 guests come.", "Prices: {adult} 25 < 30 > 20",
    "½ price & more &amp; fun", "Is a “health assessment” needed?", 'A note: {"gift": 1}',
])  # fmt: skip
def test_other_words_stay_as_they_are(text: str) -> None:
    assert parse_assessment(text).visible == text


@pytest.mark.parametrize("bound", [1, 10])
def test_the_bounds_themselves_are_confidences(bound: int) -> None:
    found = parse_assessment(block(confidence=bound)).assessed
    assert found.trusted and found.assessment is not None and found.assessment.confidence == bound


def test_of_several_the_most_doubtful_counts() -> None:
    found = parse_assessment(f"A {block(confidence=9)} b {block(confidence=4)} c {block(confidence=8)}")
    assert found.visible.split() == ["A", "b", "c"]
    assert found.assessed.assessment is not None and found.assessed.assessment.confidence == 4
    assert not parse_assessment(f"{block()} <assessment>?</assessment>").assessed.trusted, (
        "an unreadable one is more doubtful"
    )
    risky = parse_assessment(f"{block()} {block(is_destructive=True)}").assessed.assessment
    assert risky is not None and risky.is_destructive


def test_what_it_asks_to_see_counts_whatever_else_is_wrong() -> None:
    keys = ["policies.returns", "faqs"]
    assert parse_assessment(block(confidence=99, needs_more_context=keys)).asks_for == tuple(keys)
    assert parse_assessment(block(needs_more_context="faqs") + block(needs_more_context=["faqs", 1])).asks_for == (
        "faqs",
    )


def call(name: str = "cancel", kind: str = "write", **arguments: object) -> ToolCall:
    return ToolCall(id="1", name=name, kind=kind, arguments=arguments)  # type: ignore[arg-type]


@table("judged, calls, fits", [
    ({"tool_call": "cancel"}, [call()], True), ({"tool_call": "move"}, [call()], False), ({}, [call()], False),
    ({}, [], True), ({"tool_call": "cancel"}, [], True), ({}, [call("ask_operator", "builtin")], True),
    ({"tool_call": "ask_operator"}, [call("ask_operator", "builtin")], True),
    ({"tool_call": "move"}, [call(), call("move")], True),
    ({"tool_call": "cancel", "tool_params": {"id": 7}}, [call(id="7")], True),
    ({"tool_call": "cancel", "tool_params": {"id": "8"}}, [call(id="7")], False),
    ({"tool_call": "cancel", "tool_params": {"other": "8"}}, [call(id="7")], False),
    ({"tool_call": "cancel", "tool_params": {"id": "7", "refund": "full"}}, [call(id="7")], False),
    ({"tool_call": "cancel", "tool_params": {"id": "7", "refund": None, "note": "", "n": False}}, [call(id="7")], True),
    ({"tool_call": "cancel", "tool_params": {"id": None}}, [call(id="7")], False),
    ({"tool_call": "cancel", "tool_params": {"tell": False}}, [call(tell=True)], False),
    ({"tool_call": "cancel", "tool_params": {"bookingId": "7"}}, [call(booking_id="7")], True),
    ({"tool_call": "cancel", "tool_params": {"id": "7"}}, [call(id="7", refund="full")], True),
    ({"tool_call": "cancel", "tool_params": {"refund": "full"}}, [call(id="7"), call(id="7", refund="full")], True),
    ({"tool_call": "cancel", "missing_params": ("id",)}, [call(id="7")], False),
    ({"tool_call": "cancel", "missing_params": ("id",)}, [call()], True),
])  # fmt: skip
def test_what_contradicts_the_calls_is_a_doubt(judged: dict[str, object], calls: list[ToolCall], fits: bool) -> None:
    before = ParsedAssessment(assessment=Assessment(**{"confidence": 9, **judged}))  # type: ignore[arg-type]
    assert check_consistency(before, calls).trusted is fits


def test_a_value_that_the_core_fills_in_is_no_contradiction() -> None:
    judged = ParsedAssessment(assessment=Assessment(confidence=9, tool_call="book", tool_params={"minutes": 30}))
    filled = {"book": {"minutes": 30}, "cancel": {"minutes": 60}}
    assert check_consistency(judged, [call("book")], filled).trusted
    assert not check_consistency(judged, [call("book")], {"book": {"minutes": 60}}).trusted
    assert not check_consistency(judged, [call("book", minutes=45)], filled).trusted
    assert not check_consistency(judged, [call("book")]).trusted


@given(st.text(alphabet=st.sampled_from('<>/{}":,[] assessmentconfidence0189.`\n'), max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    assert "<assessment>" not in strip_assessment(f"{text} <assessment>{text}</assessment>")
    found = parse_assessment(text).assessed
    assert found.assessment is None or 1 <= found.assessment.confidence <= 10


def test_what_turns_a_line_or_drives_a_terminal_is_not_stated() -> None:
    assert (
        strip_assessment("Is it \u202e05:3 ta\u202c?\nOr \x1b[31mlater\x1b[0m?") == "Is it 05:3 ta?\nOr [31mlater[0m?"
    )
    assert parse_assessment("\u202eabc").visible == "abc"
