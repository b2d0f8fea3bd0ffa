"""With Langfuse's keys set: what reaches its OTLP endpoint, byte for byte. The endpoint is a real server on loopback.

Guarantees:
- All observations of one request carry one trace id, whichever call they belong to and whichever process made them.
- A span is sent once it has ended, with its own times, below one that may be sent later; sent twice, it is the same
  span; it has user and session by pseudonyms only.
- A model call carries prompt, response, model, tokens and latency; a venue call its request and its answer.
- A call that failed says so, without the error's text or stack.
- No e-mail address, phone number or bearer token is in any byte that leaves the process; dates, times and booking
  references still are.
- The keys travel as basic authentication and nowhere else.
"""

import asyncio
import base64
import gzip
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi import FastAPI, Request, Response
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from infra.config.settings import ROOT
from infra.http.http_server import http_server
from infra.observability.observer import request_name
from tests.integration.infra import traced_process

NAME = request_name(traced_process.TRACE)


@dataclass
class Endpoint:
    """A Langfuse that keeps what it receives."""

    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    app: FastAPI = field(default_factory=FastAPI)

    def __post_init__(self) -> None:
        self.app.post("/{path:path}")(self._take)

    async def _take(self, request: Request) -> Response:
        body = await request.body()
        if request.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        self.paths.append(request.url.path)
        return Response(ExportTraceServiceResponse().SerializeToString(), media_type="application/x-protobuf")

    def spans(self) -> Iterator[Any]:
        for body in self.bodies:
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in resource.scope_spans:
                    yield from scope.spans


@pytest.fixture(scope="module")
async def endpoint() -> Endpoint:
    """What the endpoint received from one traced process."""
    recorded = Endpoint()
    server = http_server(recorded.app, "127.0.0.1", 0)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    port = server.servers[0].sockets[0].getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.integration.infra.traced_process", cwd=ROOT,
        env={**os.environ, "LANGFUSE_PUBLIC_KEY": "pk-test", "LANGFUSE_SECRET_KEY": "sk-test",
             "LANGFUSE_HOST": f"http://127.0.0.1:{port}"},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    async with asyncio.timeout(110):
        out, _ = await process.communicate()
    assert process.returncode == 0, out.decode()
    server.should_exit = True
    await task
    return recorded


def span(endpoint: Endpoint, name: str) -> Any:
    return next(s for s in endpoint.spans() if s.name == name)


def attributes(one: Any) -> dict[str, Any]:
    return {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in one.attributes}


def test_observations_go_to_langfuses_otlp_endpoint(endpoint: Endpoint) -> None:
    assert set(endpoint.paths) == {"/api/public/otel/v1/traces"}
    assert {s.name for s in endpoint.spans()} == {"plan", "update_contact", "get_booking", "execution", NAME}


def test_one_request_is_one_trace(endpoint: Endpoint) -> None:
    assert len({s.trace_id for s in endpoint.spans()}) == 1


def test_a_model_call_carries_model_tokens_and_latency(endpoint: Endpoint) -> None:
    one = span(endpoint, "plan")
    shown = attributes(one)

    assert shown["langfuse.observation.type"] == "generation"
    assert shown["langfuse.observation.model.name"] == "offline-planner"
    assert json.loads(shown["langfuse.observation.usage_details"]) == {"input": 123, "output": 45}
    assert shown["gen_ai.request.model"] == "offline-planner" and shown["gen_ai.operation.name"] == "chat"
    assert (shown["gen_ai.usage.input_tokens"], shown["gen_ai.usage.output_tokens"]) == (123, 45)
    assert 0.05 <= (one.end_time_unix_nano - one.start_time_unix_nano) / 1e9 < 5


def test_a_model_call_carries_prompt_and_response(endpoint: Endpoint) -> None:
    shown = attributes(span(endpoint, "plan"))

    prompt = json.loads(shown["langfuse.observation.input"])
    assert prompt[0] == {"role": "system", "content": "You are the booking assistant."}
    assert prompt[1]["content"] == "Move booking 8231 to 2026-11-28 15:00, mail [email], call [number]."
    assert json.loads(shown["langfuse.observation.output"])["calls"] == [{"name": "reschedule_booking"}]


def test_a_venue_call_carries_request_and_answer(endpoint: Endpoint) -> None:
    shown = attributes(span(endpoint, "update_contact"))

    assert shown["langfuse.observation.type"] == "tool"
    assert json.loads(shown["langfuse.observation.input"]) == {
        "method": "PUT", "path": "/guests/77", "body": {"email": "[email]", "phone": "[number]"},
    }  # fmt: skip
    assert json.loads(shown["langfuse.observation.output"]) == {"ok": True, "phone": "[number]"}


def test_a_span_of_hours_stands_below_one_that_is_reported_later(endpoint: Endpoint) -> None:
    root, below = span(endpoint, NAME), span(endpoint, "execution")

    assert root.parent_span_id == b"" and below.parent_span_id == root.span_id
    assert (below.end_time_unix_nano - below.start_time_unix_nano) / 1e9 == 3600
    assert below.start_time_unix_nano / 1e9 == (traced_process.MOMENT + traced_process.HOUR).timestamp()
    assert attributes(root)["langfuse.internal.is_app_root"] is True
    assert "langfuse.internal.is_app_root" not in attributes(below)


def test_a_span_that_is_reported_twice_is_the_same(endpoint: Endpoint) -> None:
    assert len([s for s in endpoint.spans() if s.name == "execution"]) == 2
    assert len({s.span_id for s in endpoint.spans() if s.name == "execution"}) == 1


def test_user_and_session_stand_in_it_by_pseudonyms(endpoint: Endpoint) -> None:
    shown = attributes(span(endpoint, "execution"))

    assert len(shown["user.id"]) == len(shown["session.id"]) == 32
    assert not any(w.encode() in b for w in (traced_process.USER, traced_process.SESSION) for b in endpoint.bodies)


def test_what_a_span_shows_is_masked(endpoint: Endpoint) -> None:
    shown = attributes(span(endpoint, "execution"))

    assert (
        shown["langfuse.trace.name"] == NAME and json.loads(shown["langfuse.observation.metadata.plan_id"]) == "plan-1"
    )
    assert json.loads(shown["langfuse.observation.metadata.steps"]) == [{"step": 1, "action": "edit_note"}]
    assert json.loads(shown["langfuse.observation.metadata.by"]) == "[email]"


def test_a_failed_call_says_so_without_the_errors_text(endpoint: Endpoint) -> None:
    one = span(endpoint, "get_booking")
    shown = attributes(one)

    assert shown["langfuse.observation.level"] == "ERROR"
    assert shown["langfuse.observation.status_message"] == "conflict 409"
    assert "it broke on" not in str(one)


@pytest.mark.parametrize("secret", [
    traced_process.EMAIL, traced_process.PHONE, traced_process.PHONE.replace(" ", ""), "491 570", traced_process.TOKEN,
    "john.smith", "sk-test",
])  # fmt: skip
def test_no_personal_data_and_no_secret_in_any_byte(endpoint: Endpoint, secret: str) -> None:
    assert endpoint.bodies
    assert not any(secret.encode() in body for body in endpoint.bodies)


@pytest.mark.parametrize("readable", ["booking 8231", "2026-11-28 15:00", "/bookings/8231"])
def test_what_on_call_needs_stays_readable(endpoint: Endpoint, readable: str) -> None:
    assert any(readable.encode() in body for body in endpoint.bodies)


def test_the_keys_travel_as_basic_authentication(endpoint: Endpoint) -> None:
    wanted = "Basic " + base64.b64encode(b"pk-test:sk-test").decode()

    assert {headers["authorization"] for headers in endpoint.headers} == {wanted}
