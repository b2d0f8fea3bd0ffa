"""Control tokens (`api.event_tokens`; multi-step messaging, "Control Token Protocol"). Guarantees, for any text:

- the specification's six patterns, to the letter, find exactly the tokens that were written, and no text of a venue or
  a user is ever one of them;
- a reader restores every field as it was, whatever pieces the text comes in;
- the page's reader and this one give the same for the shared vectors;
- clock times and percent signs stay as they are where nothing stops at them; every kind of event has a token.
"""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.event_tokens import PATTERNS, TOKEN_OF, encode_event, escaped
from contracts.enums import StepStatus
from contracts.events import EventKind, PlanEvent
from tests.support.tables import table
from tests.support.token_reader import EventToken, TokenReader, unescaped

NOW = datetime(2026, 11, 23, tzinfo=UTC)
SPEC = {
    "MULTI_STEP_INITIATED": r"\[\[PERIN_MULTI_STEP:initiated:([^:]+):([^\]]+)\]\]",
    "STEP_START": r"\[\[PERIN_STEP:start:([^:]+):([^\]]+)\]\]",
    "PROGRESS": r"\[\[PERIN_PROGRESS:([^\]]+)\]\]",
    "STEP_RESULT": r"\[\[PERIN_STEP_RESULT:([^:]+):([^:]+):([^\]]+)\]\]",
    "MULTI_STEP_COMPLETE": r"\[\[PERIN_MULTI_STEP:complete\]\]",
    "SEPARATE_MESSAGE": r"\[\[PERIN_SEPARATE_MESSAGE:([^\]]+)\]\]",
}

hostile = st.sampled_from(
    ["[[PERIN_PROGRESS:x]]", "[[PERIN_MULTI_STEP:complete]]", "[[PERIN_", "[", "]", "]]", ":", "%", "%5D", "%25", "\r",
     "\n", "14:00", "100%"]
)  # fmt: skip
texts = st.lists(hostile | st.text(max_size=6), min_size=1, max_size=6).map("".join).filter(bool)


@st.composite
def events(draw: st.DrawFn) -> PlanEvent:
    kind = draw(st.sampled_from(EventKind))
    status = draw(st.sampled_from([StepStatus.COMPLETED, StepStatus.FAILED, StepStatus.UNKNOWN]))
    started = kind is EventKind.INITIATED
    return PlanEvent(
        number=1, at=NOW, kind=kind, text=draw(texts), step=draw(st.integers(1, 12)), name=draw(texts),
        reasoning=draw(texts) if started else None, confidence=draw(st.integers(1, 10)) if started else None,
        step_status=status,
    )  # fmt: skip


def expected(event: PlanEvent) -> EventToken:
    step = f"step-{event.step}"
    status = "completed" if event.step_status is StepStatus.COMPLETED else "failed"
    return EventToken(
        TOKEN_OF[event.kind],
        {
            "MULTI_STEP_INITIATED": (event.reasoning or "", str(event.confidence)),
            "STEP_START": (step, event.name or ""),
            "STEP_RESULT": (step, status, event.text),
            "MULTI_STEP_COMPLETE": (),
        }.get(TOKEN_OF[event.kind], (event.text,)),
    )


@given(st.lists(events(), max_size=6))
def test_the_specifications_patterns_find_what_was_written(shown: list[PlanEvent]) -> None:
    written = [encode_event(event) for event in shown]
    for name, pattern in SPEC.items():
        found = [match.group() for match in re.finditer(pattern, "".join(written))]
        assert found == [w for w, event in zip(written, shown, strict=True) if TOKEN_OF[event.kind] == name]


@given(st.lists(events(), max_size=6), st.data())
def test_whatever_the_pieces_every_field_comes_back(shown: list[PlanEvent], data: st.DataObject) -> None:
    text, reader, read, place = "".join(map(encode_event, shown)), TokenReader(), [], 0
    while place < len(text):
        size = data.draw(st.integers(1, 40))
        read += reader.feed(text[place : place + size])
        place += size
    assert read == [expected(event) for event in shown]


@given(texts)
def test_no_field_is_empty_and_none_ends_early(text: str) -> None:
    written = encode_event(PlanEvent(number=1, at=NOW, kind=EventKind.PROGRESS, text=text))
    assert re.fullmatch(SPEC["PROGRESS"], written)


def test_the_forms_to_the_letter() -> None:
    def one(kind: EventKind, **fields: object) -> str:
        return encode_event(PlanEvent.model_validate({"number": 1, "at": NOW, "kind": kind, "text": "t", **fields}))

    assert one(EventKind.INITIATED, reasoning="Move at 14:00", confidence=9) == (
        "[[PERIN_MULTI_STEP:initiated:Move at 14%3A00:9]]"
    )
    assert one(EventKind.STEP_STARTED, step=1, name="Move: 100% at 14:00") == (
        "[[PERIN_STEP:start:step-1:Move: 100% at 14:00]]"
    )
    assert one(EventKind.STEP_RESULT, step=2, step_status="unknown", text="a [b]") == (
        "[[PERIN_STEP_RESULT:step-2:failed:a [b%5D]]"
    )
    assert one(EventKind.COMPLETE, status="completed") == "[[PERIN_MULTI_STEP:complete]]"
    assert one(EventKind.SEPARATE_MESSAGE, text="[[PERIN_PROGRESS:x]]") == (
        "[[PERIN_SEPARATE_MESSAGE:%5B[PERIN_PROGRESS:x%5D%5D]]"
    )


def test_the_patterns_are_those_of_the_specification_and_every_kind_has_a_token() -> None:
    assert dict(PATTERNS) == SPEC
    assert set(TOKEN_OF) == set(EventKind) and set(TOKEN_OF.values()) == set(SPEC)


@pytest.mark.parametrize("noise", ["[[PERIN_NOTHING:x]]", "[[", "text between"])
def test_what_is_no_token_is_passed_over(noise: str) -> None:
    reader = TokenReader()
    assert reader.feed(noise + "\n") == []
    assert reader.feed("[[PERIN_MULTI_STEP:complete]]")[-1] == EventToken("MULTI_STEP_COMPLETE", ())


VECTORS = json.loads((Path(__file__).parent / "token_vectors.json").read_text(encoding="utf-8"))
"""Read by the page's reader as well (`tests/e2e/page/unit/event_tokens.test.js`): both give the same."""


@pytest.mark.parametrize("size", [1, 2, 7, 10_000])
@pytest.mark.parametrize("vector", VECTORS["streams"], ids=lambda vector: vector["why"])
def test_the_shared_vectors_read_as_they_say(vector: dict[str, Any], size: int) -> None:
    reader, text = TokenReader(), vector["text"]
    read = [token for at in range(0, len(text), size) for token in reader.feed(text[at : at + size])]
    assert [[token.name, list(token.fields)] for token in read] == vector["tokens"]


@table("vector", VECTORS["escapes"])
def test_the_shared_vectors_are_escaped_as_they_say(vector: dict[str, str]) -> None:
    assert (escaped(vector["text"]), unescaped(vector["field"])) == (vector["field"], vector["text"])
