"""What compatible endpoints send is understood (`clients/completion.py`).

- Each known habit gives the completion that a plain endpoint would have given, and its repair is named. A plain
  completion is repaired nowhere.
- What could be read in two ways is not repaired: it is a problem of its call, worded for the model.
- Of any body at all, the reader raises its own error alone, and its message has no text of the body.
- What it returns is within limits, has an id of its own for each call, and can be encoded.
"""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clients.completion import NoCompletionError, read_completion
from contracts import limits
from contracts.chat_completion import ModelReply
from tests.support.tables import for_test_all

ARGUMENTS = {"booking_id": "8231", "guest_count": 15, "note": "cake"}
TEXT = json.dumps(ARGUMENTS)


def call(**fields: Any) -> dict[str, Any]:
    """Return a plain call; a field of None is left out."""
    made = {"id": "c1", "type": "function", "function": {"name": "change", "arguments": TEXT}, **fields}
    return {name: value for name, value in made.items() if value is not ...}


def function(arguments: Any = TEXT, name: Any = "change") -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def body(message: dict[str, Any], **fields: Any) -> bytes:
    return json.dumps({"model": "m", "choices": [{"message": message, "finish_reason": "stop"}], **fields}).encode()


def read(message: dict[str, Any], **fields: Any) -> ModelReply:
    return read_completion(body(message, **fields), "asked")[0]


def repairs_of(message: dict[str, Any]) -> tuple[str, ...]:
    return read_completion(body(message), "asked")[1]


def stream(*deltas: dict[str, Any]) -> bytes:
    chunks = [{"model": "m", "choices": [{"delta": delta}]} for delta in deltas]
    chunks.append({"model": "m", "choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}})
    return b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in chunks) + b"data: [DONE]\n\n"


HABITS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "plain": (call(), ()),
    "arguments as an object": (call(function=function(ARGUMENTS)), ("arguments_object",)),
    "arguments encoded twice": (call(function=function(json.dumps(TEXT))), ("arguments_json",)),
    "arguments in a fence": (call(function=function(f"```json\n{TEXT}\n```")), ("arguments_json",)),
    "an extra comma": (call(function=function(TEXT[:-1] + ",}")), ("arguments_json",)),
    "no type": (call(type=...), ("call_type",)),
    "type null": (call(type=None), ("call_type",)),
    "no id": (call(id=...), ("call_id",)),
    "id null": (call(id=None), ("call_id",)),
    "id a number": (call(id=7), ("call_id",)),
    "the function's fields beside it": (call(function=..., name="change", arguments=TEXT), ("call_shape",)),
    "a namespace before the name": (call(function=function(name="functions.change")), ("call_name",)),
    "a channel after the name": (call(function=function(name="change<|channel|>commentary")), ("call_name",)),
}


@pytest.mark.parametrize("habit", HABITS)
def test_a_habit_is_read_as_a_plain_call(habit: str) -> None:
    written, repairs = HABITS[habit]
    message = {"role": "assistant", "content": None, "tool_calls": [written]}
    found = read(message)
    [only] = found.tool_calls
    assert (only.name, only.arguments, only.problems) == ("change", ARGUMENTS, ())
    assert only.id and repairs_of(message) == repairs


def test_raw_line_breaks_in_arguments_are_kept() -> None:
    message = {"tool_calls": [call(function=function('{"note": "bring cake\nand\tcandles"}'))]}
    found = read(message)
    assert found.tool_calls[0].arguments == {"note": "bring cake\nand\tcandles"}
    assert repairs_of(message) == ("arguments_json",)


@pytest.mark.parametrize("raw", [None, "", ...])
def test_no_arguments_are_an_empty_object(raw: Any) -> None:
    written = {"name": "change"} if raw is ... else function(raw)
    found = read({"tool_calls": [call(function=written)]})
    assert (found.tool_calls[0].arguments, found.tool_calls[0].problems) == ({}, ())


@pytest.mark.parametrize("raw", ['{"a": 1} {"b": 2}', "{a: 1}", "[1]", "7", "true", '{"a": 1', 5, ["a"]])
def test_what_could_be_meant_in_several_ways_is_a_problem(raw: Any) -> None:
    found = read({"tool_calls": [call(function=function(raw))]})
    assert found.tool_calls[0].arguments == {} and found.tool_calls[0].problems


def test_a_reply_that_was_cut_off_is_named_so() -> None:
    message = {"tool_calls": [call(function=function('{"booking_id": "82'))]}
    cut, _ = read_completion(body(message, choices=[{"message": message, "finish_reason": "length"}]), "m")
    assert "cut off" in cut.tool_calls[0].problems[0]
    assert "cut off" not in read(message).tool_calls[0].problems[0]
    whole = {"tool_calls": [call()]}
    ended, _ = read_completion(body(whole, choices=[{"message": whole, "finish_reason": "length"}]), "m")
    assert (ended.tool_calls[0].arguments, ended.tool_calls[0].problems) == (ARGUMENTS, ())


def test_ids_that_repeat_become_different_ones() -> None:
    message = {"tool_calls": [call(), call(), call(id="")]}
    found = read(message)
    assert found.tool_calls[0].id == "c1" and len({one.id for one in found.tool_calls}) == 3
    assert repairs_of(message) == ("call_id", "call_id")


def test_one_call_that_is_no_list_and_the_older_form() -> None:
    assert read({"tool_calls": call()}).tool_calls[0].arguments == ARGUMENTS
    older = {"function_call": function()}
    assert read(older).tool_calls[0].arguments == ARGUMENTS and "function_call" in repairs_of(older)


def test_calls_of_another_kind_are_no_calls_of_ours() -> None:
    assert read({"content": "hi", "tool_calls": [call(type="custom"), 5, None]}).tool_calls == ()


PART = {"type": "text", "text": "day?"}


@pytest.mark.parametrize(
    ("message", "text", "repair"),
    [
        ({"content": "Which day?"}, "Which day?", ()),
        ({"content": None}, "", ()),
        ({"content": [{"type": "text", "text": "Which "}, PART]}, "Which day?", "content_parts"),
        ({"content": [{"type": "thinking", "thinking": [{"text": "hm"}]}, PART]}, "day?", "content_parts"),
        ({"content": {"type": "text", "text": {"value": "Which day?"}}}, "Which day?", "content_parts"),
        ({"content": "<think>They want it moved.</think>Which day?"}, "Which day?", "thoughts"),
        ({"content": "They want it moved.</think>\nWhich day?"}, "\nWhich day?", "thoughts"),
        ({"content": "<think>They want it"}, "", "thoughts"),
        ({"content": None, "refusal": "I cannot help."}, "I cannot help.", "refusal"),
    ],
)  # fmt: skip
def test_the_text_is_found(message: dict[str, Any], text: str, repair: Any) -> None:
    found = read(message)
    assert (found.text, repairs_of(message)) == (text, (repair,) if repair else ())


def test_a_stream_that_was_not_asked_for_is_put_together() -> None:
    found, repairs = read_completion(
        stream(
            {"role": "assistant", "content": "Let "},
            {"content": "me look.", "reasoning_content": "They "},
            {"reasoning_content": "want it moved."},
            {"tool_calls": [{"index": 0, **call(function=function(TEXT[:9]))}]},
            {"tool_calls": [{"index": 0, "function": {"arguments": TEXT[9:]}}]},
            {"tool_calls": [{"index": 1, **call(id="c2", function=function("{}", "other"))}]},
        ),
        "asked",
    )  # fmt: skip
    assert found.text == "Let me look."
    assert [(one.id, one.name, one.arguments) for one in found.tool_calls] == [
        ("c1", "change", ARGUMENTS),
        ("c2", "other", {}),
    ]
    assert found.extras == {"reasoning_content": "They want it moved."}
    assert (found.input_tokens, found.output_tokens, repairs) == (5, 2, ("stream",))


def test_what_the_protocol_does_not_define_is_kept_as_it_came() -> None:
    signature = {"google": {"thought_signature": "sig-1"}}
    found = read({"tool_calls": [call(extra_content=signature)], "reasoning_details": [{"data": "x"}]})
    assert found.tool_calls[0].extras == {"extra_content": signature}
    assert found.extras == {"reasoning_details": [{"data": "x"}]}


@pytest.mark.parametrize(
    "sent",
    [b"", b"<html>secret</html>", b"[]", b"null", b'{"error": {"message": "secret"}}', b'{"choices": []}',
     b'{"choices": null}', b'{"choices": [null]}', b'{"choices": [{"message": null}]}',
     b'{"choices": [{"message": "secret"}]}',
     b"data: secret\n\n", b"data: [DONE]\n\n", b"\xff\xfe", b'{"choices": [{"message": {"x": NaN}}]}', b"[" * 5000],
)  # fmt: skip
def test_a_body_without_a_message_is_one_error(sent: bytes) -> None:
    with pytest.raises(NoCompletionError) as raised:
        read_completion(sent, "m")
    assert "secret" not in str(raised.value)


def test_usage_beside_no_message_is_kept_for_the_bill() -> None:
    with pytest.raises(NoCompletionError) as raised:
        read_completion(b'{"choices": [], "usage": {"prompt_tokens": 9}}', "m")
    assert raised.value.usage == (9, 0, 0)


def object_of(**fields: Any) -> Any:
    """Return objects with any of these fields, each as the protocol has it or as anything else."""
    return st.fixed_dictionaries({}, optional={name: values | TREES for name, values in fields.items()})


LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8) | st.just(TEXT)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FUNCTIONS = object_of(name=st.just("change"), arguments=st.just(TEXT))
CALLS = object_of(id=st.just("c1"), type=st.just("function"), function=FUNCTIONS, extra=TREES)
MESSAGES = object_of(
    role=TREES,
    content=st.text(max_size=20),
    refusal=TREES,
    function_call=FUNCTIONS,
    tool_calls=st.lists(CALLS | TREES, max_size=14),
    reasoning_content=TREES,
)
CHOICES = st.lists(object_of(message=MESSAGES, finish_reason=TREES), max_size=2)
BODIES = object_of(choices=CHOICES, usage=TREES, model=TREES, error=TREES)


@pytest.mark.parametrize("examples", [500, *for_test_all(10_000)])
def test_any_body_is_a_completion_or_the_one_error(examples: int) -> None:
    how = settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    how(given(document=BODIES, streamed=st.booleans())(is_read_or_refused))()


def is_read_or_refused(document: dict[str, Any], streamed: bool) -> None:
    sent = json.dumps(document).encode()
    if streamed:
        sent = b"data: " + sent.replace(b'"message"', b'"delta"') + b"\n\n"
    try:
        found, _ = read_completion(sent, "asked")
    except NoCompletionError:
        return
    assert len(found.text) <= limits.TEXT and len(found.tool_calls) <= limits.CALLS
    assert len({one.id for one in found.tool_calls}) == len(found.tool_calls) and all(
        one.id for one in found.tool_calls
    )
    found.model_dump_json().encode()
