"""Requests whose traces a test checks, and their rows in the ledger and in Prometheus."""

import asyncio
import hashlib
from typing import Any

import httpx
from prometheus_client.parser import text_string_to_metric_families

from cli.stack.dev import Stack
from contracts.metrics import MEASURES
from infra.observability.observer import trace_of
from tests.support import http
from tests.support.langfuse import Langfuse, Node
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.waiting import LIMIT
from workflows.workflow_ids import request_trace

PHONE, EMAIL = "0412 987 654", "zelie.new@example.org"
CONTACT = ("update_contact", {"phone": PHONE, "email": EMAIL})
COUNT = ("change_guest_count", {"guest_count": 14})
ENDS = ("_count", "_sum")


class Scene:
    """A guest with a booking, and a model that does what is asked for it."""

    def __init__(self, operator: Operator, roller: Roller, scripted: ScriptedModel, langfuse: Langfuse) -> None:
        self.operator, self.roller, self.scripted, self.langfuse = operator, roller, scripted, langfuse
        self.guest = a_name()
        self.booking: dict[str, Any] = {}

    async def begin(self, *then_says: Any) -> str:
        """Book, and script the model. Return the operator's message."""
        self.booking = await self.roller.book(self.guest)
        self.scripted.script(self.guest, look_up(self.guest), then(CONTACT, COUNT), *(then_says or (obey,)))
        return f"{self.guest}: phone {PHONE}, email {EMAIL}, 14 guests"

    async def post(self, text: str, request_id: str) -> httpx.Response:
        """Send it once with this request id, whatever the answer is."""
        one = self.operator
        body = {"user_message": text, "session_id": one.session, "user_id": one.user, "request_id": request_id}
        return await one.post("/v1/requests", **body)

    async def trace(self, request_id: str) -> Node:
        """Return the trace of that request, once it is whole."""
        one = self.operator
        key = hashlib.sha256(f"{one.user}\n{request_id}".encode()).hexdigest()
        return await self.langfuse.trace(trace_of(request_trace("roller-demo", one.session, one.user, key)))


async def all_sent(traced: Stack) -> None:
    """Wait until Langfuse has received all that has happened so far."""
    assert traced.services is not None
    observer = traced.services.observer
    assert observer._background is not None
    await asyncio.to_thread(observer._background.drain, LIMIT)
    for sink in observer._sinks:
        await asyncio.to_thread(sink._client.flush)  # type: ignore[attr-defined]


async def counted(traced: Stack) -> dict[str, tuple[float, float]]:
    """Return (count, sum) of each key metric, as Prometheus reads them."""
    async with http.client(base_url=f"http://127.0.0.1:{traced.ports.facade}") as one:
        answer = await one.get("/metrics")
    shown = {family.name: family.samples for family in text_string_to_metric_families(answer.text)}
    return {
        measure.name: tuple(sum(s.value for s in shown[f"iq_{measure.name}"] if s.name.endswith(end)) for end in ENDS)
        for measure in MEASURES
    }  # type: ignore[misc]


async def reported(traced: Stack) -> dict[str, Any]:
    """Return the ledger's report on all plans."""
    async with http.client(base_url=f"http://127.0.0.1:{traced.ports.facade}") as one:
        answer = await one.get("/v1/usage")
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json()
    return shown
