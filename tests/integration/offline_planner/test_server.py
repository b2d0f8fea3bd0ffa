"""The HTTP server of the offline planner, on a real port. Guarantees:

- The openai client can talk to it, streaming or not, and gets the same answer.
- Every answer says that it comes from the offline planner.
- No body, however broken, gets anything but an error of the protocol's shape or a completion.
"""

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest
import uvicorn

from contracts.chat_completion import PlanningContext
from offline_planner import create_app
from reasoning.modes.planning import planning_prompt
from reasoning.modes.prompts import BUILTIN_TOOLS
from tests.support import http
from tests.support.shipped import tool_of
from tests.unit.offline_planner.chat import NOW, roller


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(create_app(), host="127.0.0.1", port=port, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(timeout=60)


def question(text: str) -> dict[str, Any]:
    pack = roller()
    reads = [a.name for a in pack.actions.values() if a.read_only]
    system = planning_prompt(pack.profile, NOW, reads, PlanningContext())
    return {
        "model": "offline-planner",
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": text}],
        "tools": [*(tool_of(a) for a in pack.actions.values()), *BUILTIN_TOOLS],
    }


def test_the_openai_client_reads_calls_whole_and_streamed(base: str) -> None:
    client = openai.OpenAI(base_url=f"{base}/v1", api_key="none")
    asked = question("Cancel 2001 and 2002")
    whole = client.chat.completions.create(**asked)
    calls = whole.choices[0].message.tool_calls or []
    assert whole.model == "offline-planner"
    assert whole.usage is not None
    assert [c.function.arguments for c in calls] == ['{"booking_id": "2001"}', '{"booking_id": "2002"}']
    with client.chat.completions.stream(**asked) as stream:
        final = stream.get_final_completion()
    streamed = final.choices[0].message.tool_calls or []
    assert [(c.id, c.function.name, c.function.arguments) for c in streamed] == [
        (c.id, c.function.name, c.function.arguments) for c in calls
    ]
    assert [m.id for m in client.models.list()] == ["offline-planner"]


def test_a_stream_ends_in_done(base: str) -> None:
    with httpx.stream("POST", f"{base}/v1/chat/completions", json={**question("hello"), "stream": True}) as answer:
        lines = [line for line in answer.iter_lines() if line]
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert lines[-1] == "data: [DONE]"


def test_every_answer_says_what_it_is(base: str) -> None:
    for path in ("/", "/v1/models", "/nowhere"):
        answer = http.get(f"{base}{path}")
        assert path == "/nowhere" or answer.headers["x-sandbox"] == "offline-planner"
    assert "Not a language model" in http.get(f"{base}/").text


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b"{}", b'{"messages": []}', b'{"messages": "x"}', b'{"messages": [1]}',
        b'{"messages": [{"role": 3}]}', b'{"messages": [{"role": "user", "content": 3}]}',
        b'{"messages": [{"role": "user"}], "tools": {}}', b'{"messages": [{"role": "user"}], "tools": [1]}',
        b'{"messages": [{"role": "assistant", "tool_calls": [{}]}]}', b"\xff\xfe", b"[" * 5000,
    ],
)  # fmt: skip
def test_a_broken_body_is_a_protocol_error(base: str, body: bytes) -> None:
    answer = http.post(f"{base}/v1/chat/completions", content=body)
    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]["message"]


ODD = ["", " ", "?", "'s", "move " * 900, "\u0000", "٣pm", "💥", "8231 " * 99, "note:", '"', "“”", "#", "@", "-"]


@pytest.mark.parametrize("text", ODD)
def test_any_text_gets_an_answer(base: str, text: str) -> None:
    answer = http.post(f"{base}/v1/chat/completions", json=question(text), timeout=60)
    assert answer.status_code == 200
    assert answer.json()["choices"][0]["message"]


def test_a_prompt_of_somebody_elses_gets_plain_words(base: str) -> None:
    answer = http.post(f"{base}/v1/chat/completions", json={"messages": [{"role": "user", "content": "hi"}]})
    assert "Not a language model" in answer.json()["choices"][0]["message"]["content"]
