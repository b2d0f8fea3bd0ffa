"""The bounds themselves. Guarantees:

- A model's arguments become plain, shallow, finite JSON, or a sentence about what is wrong.
- The excerpt of a large answer is still JSON, within its length, and says what was left out.
- A transcript keeps its request and its latest rounds, and has no result without its call.
"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import limits
from contracts.base import Json
from contracts.chat_completion import ChatMessage, ToolCall
from tests.support.tables import table

DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=60) | st.dictionaries(st.text(max_size=30), inner, max_size=20),
    max_leaves=120,
)


@table(
    "raw, says",
    [
        ("[" * 15_000, "deep"), ('{"a": ' + "[" * 9 + "]" * 9 + "}", "deep"), ('{"a": NaN}', "not valid"),
        ('{"a": 1e999}', "not valid"), ('{"a": "\\ud800"}', "no text"), ('{"a": "\\u0000"}', "no text"),
        ("[1]", "object"), ("{", "not valid"), (json.dumps({"a": "x" * 20_000}), "longer"), ("9" * 5000, "not valid"),
    ],
)  # fmt: skip
def test_bad_arguments_become_a_sentence(raw: str, says: str) -> None:
    found, problems = limits.parse_arguments(raw)
    assert found == {}
    assert says in " ".join(problems)


@pytest.mark.parametrize("raw", ["{}", '{"a": [{"b": "è"}]}'])
def test_good_arguments_stay(raw: str) -> None:
    found, problems = limits.parse_arguments(raw)
    assert (found, problems) == (json.loads(raw), [])


@given(DOCUMENTS, st.integers(120, 4_000))
def test_what_is_shown_is_json_within_its_length(value: Json, most: int) -> None:
    text = limits.truncate_json(value, most)
    assert len(text) <= most
    json.loads(text)


def test_what_is_left_out_is_stated() -> None:
    rows = [{"booking_id": f"b-{n}", "name": "Emma Brown"} for n in range(1_000)]
    found = json.loads(limits.truncate_json(rows))
    assert found[0] == rows[0]
    assert "more left out" in found[-1]
    assert "too large" in limits.truncate_json({f"key {n}": n for n in range(10_000)})


def call(number: int) -> ChatMessage:
    made = ToolCall(id=f"c{number}", name="find_bookings", arguments={"keywords": "x" * 900})
    return ChatMessage(role="assistant", tool_calls=(made,))


def result(number: int) -> ChatMessage:
    return ChatMessage(role="tool", content="y" * 3_000, tool_call_id=f"c{number}")


@pytest.mark.parametrize("rounds", [1, 20, 200, 2_000])
def test_a_transcript_stays_within_its_bound(rounds: int) -> None:
    request = ChatMessage(role="user", content="move Emma")
    every = [request, *(m for n in range(rounds) for m in (call(n), result(n)))]
    kept = limits.trimmed_transcript(every, 50_000)
    assert sum(len(m.model_dump_json()) for m in kept) <= 50_000
    assert kept[0] == request and kept[-1] == every[-1], "the request and what came last stay"
    calls = {c.id for m in kept for c in m.tool_calls}
    assert {m.tool_call_id for m in kept if m.role == "tool"} == calls, "every call keeps its result"
    if rounds == 1:
        assert kept == tuple(every)
