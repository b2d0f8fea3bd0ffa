"""An AG-UI client that is not AG-UI's own: it sends whatever a test gives it, conforming or not, and checks each stream
for the rules of every stream: one run from RUN_STARTED to its end, everything closed that was opened, snapshots before
an interrupt. It holds messages, state and interrupts as a client does."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import jsonpatch
from ag_ui.core import Event as AnyEvent
from pydantic import TypeAdapter

from tests.support.operator import Operator
from tests.support.waiting import LIMIT

Event = dict[str, Any]

_EVENT: TypeAdapter[Any] = TypeAdapter(AnyEvent)


class Client:
    """One thread of one operator."""

    def __init__(self, operator: Operator, thread: str | None = None) -> None:
        self.one = operator
        self.thread = thread or operator.session
        self.messages: list[Event] = []
        self.state: Any = {}
        self.interrupts: list[Event] = []

    def body(self, message: str | None = None, **more: Any) -> Event:
        """Return the input of the next run."""
        if message is not None:
            self.messages.append({"id": f"m-{uuid4().hex[:8]}", "role": "user", "content": message})
        props = {"user_id": self.one.user, **more.pop("props", {})}
        return {
            "threadId": self.thread,
            "runId": f"run-{uuid4().hex[:8]}",
            "messages": self.messages,
            "state": self.state,
            "tools": [],
            "context": [],
            "forwardedProps": props,
            **more,
        }

    async def stream(self, body: Event) -> AsyncIterator[Event]:
        """Yield the events of a run as they come, unchecked."""
        async with self.one.http.stream("POST", "/v1/ag-ui", json=body) as response:
            text = await response.aread() if response.status_code != 200 else b""
            assert response.status_code == 200, text
            assert response.headers["content-type"].startswith("text/event-stream")
            async for line in response.aiter_lines():
                assert "\r" not in line
                if line.startswith("data:"):
                    yield json.loads(line.removeprefix("data:"))

    async def send(self, body: Event, within: float = LIMIT) -> "Shown":
        """Send an input and return the whole run."""
        events = []
        async with asyncio.timeout(within):
            async for event in self.stream(body):
                events.append(event)
        shown = Shown(events, self.messages, self.state)
        shown.check(body)
        self.messages, self.state = shown.messages, shown.state
        if shown.end["type"] == "RUN_FINISHED":
            self.interrupts = shown.interrupts
        return shown

    async def say(self, message: str, **more: Any) -> "Shown":
        """Send a message."""
        return await self.send(self.body(message, **more))

    async def answer(self, payload: Any, **more: Any) -> "Shown":
        """Resolve the one open interrupt."""
        [one] = self.interrupts
        return await self.send(self.body(resume=[resolved(one, payload)], **more))

    async def command(self, do: str, **more: Any) -> "Shown":
        """Send a command."""
        return await self.send(self.body(props={"command": {"do": do, **more}}))


def resolved(interrupt: Event, payload: Any) -> Event:
    """Return an entry of `resume` that answers."""
    return {"interruptId": interrupt["id"], "status": "resolved", "payload": payload}


def cancelled(interrupt: Event) -> Event:
    """Return an entry of `resume` that abandons."""
    return {"interruptId": interrupt["id"], "status": "cancelled"}


class Shown:
    """A received run, and the client's state after it."""

    def __init__(self, events: list[Event], messages: list[Event], state: Any) -> None:
        self.events = events
        self.end = events[-1]
        self.messages = json.loads(json.dumps(messages))
        self.state = state
        for event in events:
            self._apply(event)

    @property
    def interrupts(self) -> list[Event]:
        """Return the interrupts that ended the run."""
        found: list[Event] = self.outcome.get("interrupts", [])
        return found

    @property
    def outcome(self) -> Event:
        """Return why the run ended."""
        assert self.end["type"] == "RUN_FINISHED", self.end
        found: Event = self.end.get("outcome", {})
        return found

    @property
    def texts(self) -> list[str]:
        """Return the texts of this run."""
        return [event["delta"] for event in self.events if event["type"] == "TEXT_MESSAGE_CONTENT"]

    def of(self, kind: str) -> list[Event]:
        """Return the events of a type."""
        return [event for event in self.events if event["type"] == kind]

    @property
    def steps(self) -> list[str]:
        """Return the steps in the order they began."""
        return [event["stepName"] for event in self.of("STEP_STARTED")]

    def refused(self, code: str) -> Event:
        """Return the RUN_ERROR that the run ended with."""
        assert self.end["type"] == "RUN_ERROR", self.end
        assert self.end["code"] == code, self.end
        assert self.events[0]["type"] == "RUN_STARTED"
        return self.end

    def _apply(self, event: Event) -> None:
        match event["type"]:
            case "STATE_SNAPSHOT":
                self.state = event["snapshot"]
            case "STATE_DELTA":
                self.state = jsonpatch.apply_patch(self.state, event["delta"])
            case "MESSAGES_SNAPSHOT":
                self.messages = event["messages"]
            case "TEXT_MESSAGE_CONTENT":
                held = [m for m in self.messages if m["id"] == event["messageId"]]
                assert not held, "told twice"
                self.messages.append({"id": event["messageId"], "role": "assistant", "content": event["delta"]})

    def check(self, body: Event) -> None:
        """Check the rules of every stream."""
        types = [event["type"] for event in self.events]
        for event in self.events:
            _EVENT.validate_python(event)
            assert not [key for key, value in event.items() if value is None], event
        assert types[0] == "RUN_STARTED" and types[-1] in ("RUN_FINISHED", "RUN_ERROR"), types
        assert (
            types.count("RUN_STARTED") == 1 and types[:-1].count("RUN_FINISHED") == types[:-1].count("RUN_ERROR") == 0
        )
        assert self.events[0]["protocolVersion"] == "1.0"
        for event in (self.events[0], self.end):
            if event["type"] != "RUN_ERROR":
                assert (event["threadId"], event["runId"]) == (body["threadId"], body["runId"])
        if types[-1] == "RUN_FINISHED":
            self._all_closed()
            if self.interrupts:
                assert types[-3:-1] == ["STATE_SNAPSHOT", "MESSAGES_SNAPSHOT"]

    def _all_closed(self) -> None:
        opened: set[tuple[str, str]] = set()
        for event in self.events:
            kind, _, what = event["type"].rpartition("_")
            name = event.get("stepName") or event.get("messageId") or event.get("toolCallId") or ""
            if what in ("START", "STARTED") and kind != "RUN":
                assert (kind, name) not in opened, event
                opened.add((kind, name))
            elif what in ("END", "FINISHED") and kind != "RUN":
                opened.remove((kind, name))
            elif event["type"] in ("TEXT_MESSAGE_CONTENT", "TOOL_CALL_ARGS"):
                assert (kind, name) in opened and event["delta"]
        assert not opened, opened
