"""A model that says what a test tells it to, over the real OpenAI protocol.

A script belongs to the sessions whose first user message contains its key. Requests without a script go to the offline
planner, so that one running stack serves both kinds of test.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
from fastapi import FastAPI, Request, Response

from tests.support import http

Reply = dict[str, Any] | str | Callable[[dict[str, Any]], Any]
"""A tool call `{"tool": {...arguments}}` (several keys: several calls), a text, or a function of the request's body
that returns one of them, an HTTP `Response`, or sleeps."""


class ScriptedModel:
    """Queues of replies by key."""

    def __init__(self, otherwise: Any) -> None:
        self._scripts: dict[str, list[Reply]] = {}
        self._said: dict[str, tuple[Any, Any]] = {}
        self.seen: dict[str, list[dict[str, Any]]] = {}
        self._otherwise = http.client(transport=httpx.ASGITransport(app=otherwise), base_url="http://model")
        self.app = FastAPI()
        self.app.post("/v1/chat/completions")(self._complete)

    def script(self, key: str, *replies: Reply) -> None:
        """Say these in turn to sessions whose messages contain `key` (of several, the longest such key); the last one
        is repeated."""
        self._scripts[key] = list(replies)
        self._said.pop(key, None)
        self.seen[key] = []

    async def _complete(self, request: Request) -> Response:
        body = await request.json()
        said = json.dumps(body["messages"])
        key = max((k for k in self._scripts if k in said), key=len, default=None)
        if key is None:
            answer = await self._otherwise.post("/v1/chat/completions", json=body)
            return Response(answer.content, answer.status_code, media_type="application/json")
        if await request.is_disconnected():
            # On a busy machine: whoever asked has given up and asks again, and hears this reply then.
            return Response(status_code=503)
        asked, said_before = self._said.get(key, (None, None))
        if asked == body:
            # The same question once more: a reply that came too late on a busy machine is not lost to the script.
            return Response(json.dumps(completion(said_before)), media_type="application/json")
        self.seen[key].append(body)
        script = self._scripts[key]
        reply = script.pop(0) if len(script) > 1 else script[0]
        at_once = True
        if callable(reply):
            reply = reply(body)
            if asyncio.iscoroutine(reply):
                at_once, reply = False, await reply
        if isinstance(reply, Response):
            return reply
        if at_once:
            self._said[key] = (body, reply)
        return Response(json.dumps(completion(reply)), media_type="application/json")


def completion(reply: Any) -> dict[str, Any]:
    """A chat completion that says or calls this."""
    message: dict[str, Any] = {"role": "assistant", "content": reply if isinstance(reply, str) else None}
    if isinstance(reply, list | dict):
        calls = list(reply.items()) if isinstance(reply, dict) else [next(iter(c.items())) for c in reply]
        message["tool_calls"] = [
            {
                "id": f"call_{i}_{abs(hash(str(a))) % 10**8}",
                "type": "function",
                "function": {"name": n, "arguments": a if isinstance(a, str) else json.dumps(a)},
            }
            for i, (n, a) in enumerate(calls)
        ]
    return {
        "id": "chatcmpl-test",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def brief_of(body: dict[str, Any]) -> dict[str, Any]:
    """The brief of a request's prompt."""
    system: str = body["messages"][0]["content"]
    brief: dict[str, Any] = json.JSONDecoder().raw_decode(system, system.index("```json\n") + 8)[0]
    return brief


def executes(body: dict[str, Any]) -> bool:
    """Whether a request is about a plan that is carried out."""
    return bool(brief_of(body)["task"] == "execute")


def found(body: dict[str, Any], index: int = 0) -> str:
    """The booking id in the last look-up's result."""
    rows = json.loads(body["messages"][-1]["content"])
    row = rows[index] if isinstance(rows, list) else rows
    return str(row["booking_id"])


def look_up(keywords: str) -> Reply:
    """Search for a booking."""
    return {"find_bookings": {"keywords": keywords}}


def then(*calls: tuple[str, dict[str, Any]]) -> Reply:
    """Plan these calls for the booking just found."""
    return lambda body: [{name: {"booking_id": found(body), **arguments}} for name, arguments in calls]


def arranged(*calls: tuple[str, dict[str, Any]], steps: list[dict[str, Any]]) -> Reply:
    """The same, and how they stand to one another."""
    return lambda body: [
        *({name: {"booking_id": found(body), **arguments}} for name, arguments in calls),
        {"arrange_steps": {"steps": steps}},
    ]


def obey(body: dict[str, Any]) -> Any:
    """Carry out the confirmed plan step by step, as a well-behaved model would."""
    step = next((s for s in brief_of(body)["steps"] if s["status"] in ("pending", "running")), None)
    return {step["tool"]: step["arguments"]} if step else "All steps are done."


def says(status: int, body: Any = None) -> Callable[[dict[str, Any]], Response]:
    """An HTTP answer that is no completion."""
    return lambda _: Response(json.dumps(body), status, media_type="application/json")


def after(seconds: float, reply: Any) -> Reply:
    """A slow reply."""

    async def later(_: dict[str, Any]) -> Any:
        await asyncio.sleep(seconds)
        return reply

    return later


def held(until: asyncio.Event, reply: Callable[[dict[str, Any]], Any]) -> Reply:
    """A reply that comes when the test lets it, however busy the machine is; it stands for every later one, too, since
    a call that was given up is made again."""

    async def later(body: dict[str, Any]) -> Any:
        await asyncio.wait_for(until.wait(), 120)
        return reply(body)

    return later
