"""Watchers of a plan over server-sent events, like a browser."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Callable
from typing import Any

import httpx

from tests.support.operator import Operator
from tests.support.waiting import LIMIT

Event = dict[str, Any]


class NotNowError(Exception):
    """The API refused a watcher, or nothing more can come."""


def stream(
    operator: Operator, plan: dict[str, Any], after: int = 0, opened: asyncio.Event | None = None, **query: str
) -> AsyncGenerator[tuple[str, str, str], None]:
    """Yield (id, event, data) of each event of a plan until the stream ends."""
    return shown(operator, f"/v1/plans/{plan['plan_id']}/events", str(after or ""), opened, **query)


async def shown(
    operator: Operator, address: str, last: str, opened: asyncio.Event | None = None, **query: str
) -> AsyncGenerator[tuple[str, str, str], None]:
    """Yield (id, event, data) of each event after the last received id, until the stream ends. `opened` is set once it
    has begun."""
    headers = {"Last-Event-ID": last} if last else {}
    asked = operator.http.stream("GET", address, params={"user_id": operator.user, **query}, headers=headers)
    async with asked as response:
        if response.status_code in (204, 401, 503):
            raise NotNowError(response.status_code)
        assert response.status_code == 200, (await response.aread(), response.status_code)
        assert response.headers["content-type"].startswith("text/event-stream")
        if opened is not None:
            opened.set()
        fields: dict[str, list[str]] = {}
        async for line in response.aiter_lines():
            if line.startswith(":"):
                continue
            if line:
                name, _, value = line.partition(":")
                fields.setdefault(name, []).append(value.removeprefix(" "))
            elif fields:
                yield fields["id"][0], "".join(fields.get("event", [])), "\n".join(fields.get("data", []))
                fields = {}


class Watcher:
    """Watches a plan from its first event on; `events` are those received so far."""

    def __init__(self, operator: Operator, plan: dict[str, Any]) -> None:
        self._one, self._plan = operator, plan
        self.events: list[Event] = []
        self.cuts = 0
        self.opened = asyncio.Event()

    async def until(self, ready: Callable[[Event], bool], within: float = LIMIT) -> list[Event]:
        """Watch until an event is as wanted, reconnecting after the last event when the connection breaks."""
        async with asyncio.timeout(within):
            while True:
                shown = stream(self._one, self._plan, len(self.events), self.opened)
                with contextlib.suppress(httpx.TransportError, NotNowError):
                    async with contextlib.aclosing(shown):
                        async for number, kind, data in shown:
                            event = json.loads(data)
                            assert (number, kind) == (str(event["number"]), event["kind"])
                            self.events.append(event)
                            if ready(event):
                                return self.events
                self.cuts += 1
                await asyncio.sleep(0.1)


class SessionWatcher:
    """Watches a session: `events` are (event, data) so far, `last` the cursor after them."""

    def __init__(self, operator: Operator, last: str = "") -> None:
        self._one, self.last = operator, last
        self.opened = asyncio.Event()
        self.events: list[tuple[str, Event]] = []

    async def until(self, ready: Callable[[Event], bool], within: float = LIMIT) -> list[tuple[str, Event]]:
        """Watch until an event is as wanted, reconnecting with the cursor when the connection breaks."""
        async with asyncio.timeout(within):
            while True:
                heard = shown(self._one, f"/v1/sessions/{self._one.session}/events", self.last, self.opened)
                with contextlib.suppress(httpx.TransportError, NotNowError):
                    async with contextlib.aclosing(heard):
                        async for cursor, event, data in heard:
                            self.last = cursor
                            self.events.append((event, json.loads(data)))
                            if ready(self.events[-1][1]):
                                return self.events
                await asyncio.sleep(0.1)


def kinds(events: list[Event]) -> list[str]:
    """Return the kinds of events, progress left out."""
    return [event["kind"] for event in events if event["kind"] != "progress"]


def closing(event: Event) -> bool:
    """Return whether it is the last event of a plan."""
    return bool(event["kind"] == "separate_message")
