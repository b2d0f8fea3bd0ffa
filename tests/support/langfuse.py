"""A Langfuse on loopback that keeps what it receives: spans by OTLP over HTTP, scores by its API. It may be
unavailable, or stop answering. It runs in a separate thread, because a test's loop is sometimes busy for seconds."""

import asyncio
import gzip
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request, Response
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from infra.http.http_server import http_server
from tests.support.stacks import free_base
from tests.support.waiting import LIMIT

OTLP = "/api/public/otel/v1/traces"


@dataclass
class Node:
    """A span as it was sent, and its children in the order of their beginnings."""

    name: str
    span_id: str
    parent_id: str
    trace_id: str
    began: float
    ended: float
    attributes: dict[str, Any]
    below: "list[Node]" = field(default_factory=list)

    @property
    def kind(self) -> str:
        """Return its type in Langfuse."""
        return str(self.attributes["langfuse.observation.type"])

    @property
    def output(self) -> Any:
        """Return its output."""
        return json.loads(self.attributes.get("langfuse.observation.output", "null"))

    @property
    def input(self) -> Any:
        """Return its input; a text that is no JSON as it is."""
        text = self.attributes.get("langfuse.observation.input", "null")
        try:
            return json.loads(text)
        except ValueError:
            return text

    def metadata(self, name: str) -> Any:
        """Return one value of its metadata."""
        return json.loads(self.attributes.get(f"langfuse.observation.metadata.{name}", "null"))

    def all(self) -> "list[Node]":
        """Return it and all its descendants."""
        return [self, *(node for one in self.below for node in one.all())]

    def named(self, name: str) -> "Node":
        """Return the descendant of that name."""
        return next(node for node in self.all() if node.name == name)

    def names(self) -> dict[str, Any]:
        """Return the tree in names, of those of the spec and of calls."""
        return {node.name: node.names() for node in self.below}


class Langfuse:
    """Everything that was sent."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.scores: list[dict[str, Any]] = []
        self.away = False
        self.answering = threading.Event()
        self.answering.set()
        self.app = FastAPI()
        self.app.post("/{path:path}")(self._take)
        self.url = ""

    async def _take(self, request: Request) -> Response:
        body = await request.body()
        if request.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        if self.away:
            return Response(status_code=503)
        self.paths.append(request.url.path)
        await asyncio.to_thread(self.answering.wait)
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        if request.url.path == OTLP:
            return Response(ExportTraceServiceResponse().SerializeToString(), media_type="application/x-protobuf")
        shown = json.loads(body)
        self.scores += shown if isinstance(shown, list) else [shown]
        return Response(json.dumps({"id": "s"}), media_type="application/json")

    def sent(self) -> list[Node]:
        """Return every span as often as it was sent."""
        return [
            node_of(span)
            for path, body in zip(self.paths, self.bodies, strict=False)
            if path == OTLP
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def traces(self) -> dict[str, list[Node]]:
        """Return the roots of each trace: one where it is whole. A span that was sent twice is one."""
        nodes = {(node.trace_id, node.span_id): node for node in self.sent()}
        tops: dict[str, list[Node]] = {}
        for node in sorted(nodes.values(), key=lambda one: (one.began, one.ended)):
            above = nodes.get((node.trace_id, node.parent_id))
            (above.below if above is not None else tops.setdefault(node.trace_id, [])).append(node)
        return tops

    async def trace(self, root: str, within: float = LIMIT) -> Node:
        """Return the whole trace of that id, once nothing of it is missing but what is sent later."""
        deadline = asyncio.get_running_loop().time() + within
        while True:
            tops = self.traces().get(root, [])
            if len(tops) == 1 and tops[0].name == f"user_request_{root}":
                return tops[0]
            assert asyncio.get_running_loop().time() < deadline, [top.name for top in tops]
            await asyncio.sleep(0.1)


def node_of(span: Any) -> Node:
    """Return a span of the protocol as a node."""
    shown = {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in span.attributes}
    return Node(
        span.name, span.span_id.hex(), span.parent_span_id.hex(), span.trace_id.hex(), span.start_time_unix_nano / 1e9,
        span.end_time_unix_nano / 1e9, shown,
    )  # fmt: skip


@asynccontextmanager
async def a_langfuse() -> AsyncIterator[Langfuse]:
    """Start one that answers, at `url`."""
    one = Langfuse()
    port = free_base(1)
    server = http_server(one.app, "127.0.0.1", port)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    await server.until_started()
    one.url = f"http://127.0.0.1:{port}"
    yield one
    one.answering.set()
    server.should_exit = True
    await asyncio.to_thread(thread.join, 10)
