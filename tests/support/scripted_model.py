"""A model that says what a test tells it to, over the real OpenAI protocol.

A script belongs to the sessions whose first user message contains its key. Requests without a script go to the offline
planner, so that one running stack serves both kinds of test.
"""

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
from fastapi import FastAPI, Request, Response

from tests.support import http

_JSON = "application/json"

Reply = dict[str, Any] | str | Callable[[dict[str, Any]], Any]
"""A tool call `{"tool": {...arguments}}` (several keys: several calls), a text, or a function of the request's body
that returns one of them, an HTTP `Response`, or sleeps."""


class ScriptedModel:
    """Queues of replies by key."""

    def __init__(self, otherwise: Any) -> None:
        self._scripts: dict[str, list[Reply]] = {}
        self._text: dict[str, list[tuple[Any, Any]]] = {}
        self._critiques: dict[str, list[Reply]] = {}
        self.critiqued: dict[str, list[dict[str, Any]]] = {}
        self.calls = 0
        self.seen: dict[str, list[dict[str, Any]]] = {}
        self._otherwise = http.client(transport=httpx.ASGITransport(app=otherwise), base_url="http://model")
        self.app = FastAPI()
        self.app.post("/v1/chat/completions")(self._complete)

    def script(self, key: str, *replies: Reply) -> None:
        """Say these in turn to sessions whose messages contain `key` (of several, the longest such key); the last one
        is repeated."""
        self._scripts[key] = list(replies)
        self._text.pop(key, None)
        self.seen[key] = []
        self._critiques.pop(key, None)
        self.critiqued[key] = []

    def critique(self, key: str, *replies: Reply) -> None:
        """Say these in turn where what is about to be done for `key` is looked at a second time, the last one again and
        again. Without it everything may proceed."""
        self._critiques[key] = list(replies)

    async def _complete(self, request: Request) -> Response:
        body = await request.json()
        self.calls += 1
        wording = json.dumps(body["messages"])
        key = max((k for k in self._scripts if k in wording), key=len, default=None)
        brief = _brief_in(body)
        if key is not None and brief.get("task") == "critique":
            return await self._critiqued(key, body)
        unseen = _unseen_tools(body, brief)
        if key is not None and unseen and not self._plain(key):
            # As a well-behaved model would: no script has to say so.
            return Response(json.dumps(completion(assessed("", needs_more_context=unseen))), media_type=_JSON)
        if key is None:
            answer = await self._otherwise.post("/v1/chat/completions", json=body)
            return Response(answer.content, answer.status_code, media_type="application/json")
        if await request.is_disconnected():
            # On a busy machine: whoever asked has given up and asks again, and hears this reply then.
            return Response(status_code=503)
        script, question = self._scripts[key], _without_the_time(body)
        text_before = [reply for asked, reply in self._text.get(key, ()) if asked == question]
        if script[0] is obey and brief.get("task") != "execute":
            # Asked to plan once more: the plan of before, which did not arrive in time, is what was meant.
            text_before = text_before or [reply for _, reply in self._text.get(key, ())]
        if text_before:
            # The same question once more: a reply that came too late on a busy machine is not lost to the script, nor
            # are those of a whole turn that was.
            return Response(json.dumps(completion(text_before[-1], brief)), media_type="application/json")
        self.seen[key].append(body)
        reply = script.pop(0) if len(script) > 1 else script[0]
        at_once = True
        if callable(reply):
            reply = reply(body)
            if asyncio.iscoroutine(reply):
                at_once, reply = False, await reply
        if isinstance(reply, Response):
            return reply
        if at_once:
            self._text.setdefault(key, []).append((question, reply))
        return Response(json.dumps(completion(reply, brief)), media_type="application/json")

    def _plain(self, key: str) -> bool:
        """Whether the next reply is one that says itself what it wants to see, or nothing of itself."""
        return isinstance(self._scripts[key][0], Judged)

    async def _critiqued(self, key: str, body: dict[str, Any]) -> Response:
        self.critiqued[key].append(body)
        script = self._critiques.get(key, [decides("PROCEED")])
        reply = script.pop(0) if len(script) > 1 else script[0]
        if callable(reply):
            reply = reply(body)
            if asyncio.iscoroutine(reply):
                reply = await reply
        return reply if isinstance(reply, Response) else Response(json.dumps(completion(reply)), media_type=_JSON)


@dataclass(frozen=True)
class Judged:
    """A reply with what it says of itself: the text of a block, "" for none."""

    reply: Any
    block: str


def assessed(reply: Any, *, confidence: Any = 9, tool_call: str | None = None, **fields: Any) -> Judged:
    """A reply with its assessment; what is not given is as it should be."""
    judged = {**_good(reply), "confidence": confidence, **fields}
    if tool_call is not None:
        judged["tool_call"] = tool_call
    return Judged(reply, f"<assessment>\n{json.dumps(judged)}\n</assessment>")


def bare(reply: Any, block: str = "") -> Judged:
    """A reply that says nothing of itself, or this."""
    return Judged(reply, block)


def decides(decision: str, message: str = "", reasoning: str = "scripted") -> str:
    """What a critique answers."""
    return json.dumps({"decision": decision, "reasoning": reasoning, "message": message})


def _good(reply: Any) -> dict[str, Any]:
    calls = list(reply.items()) if isinstance(reply, dict) else []
    calls = [next(iter(c.items())) for c in reply] if isinstance(reply, list) else calls
    made = [(n, a) for n, a in calls if n not in ("ask_operator", "cannot_help", "arrange_steps")]
    return {
        "confidence": 9,
        "tool_call": made[0][0] if made else None,
        "tool_params": {},
        "missing_params": [],
        "is_destructive": False,
        "needs_confirmation": False,
        "needs_more_context": [],
    }


def _without_the_time(body: dict[str, Any]) -> str:
    """A request, as it would be at any minute."""
    return re.sub(r'\\"now\\": \\"[^"]*\\"', "", json.dumps(body))


def _brief_in(body: dict[str, Any]) -> dict[str, Any]:
    try:
        return brief_of(body)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return {}


def _unseen_tools(body: dict[str, Any], brief: dict[str, Any]) -> list[str]:
    """In adaptive mode, the tools that are named and not sent."""
    if brief.get("mode") != "adaptive":
        return []
    sent = {tool["function"]["name"] for tool in body.get("tools") or ()}
    named = [*brief.get("look_ups", ()), *brief.get("tools", ())]
    return [f"tool_schema:{name}" for name in named if name not in sent]


def completion(reply: Any, brief: dict[str, Any] | None = None) -> dict[str, Any]:
    """A chat completion that says or calls this; in adaptive mode with a good assessment, where it has none."""
    if not isinstance(reply, Judged) and (brief or {}).get("mode") == "adaptive":
        reply = assessed(reply) if not isinstance(reply, str) or "<assessment>" not in reply else reply
    block = reply.block if isinstance(reply, Judged) else ""
    reply = reply.reply if isinstance(reply, Judged) else reply
    text = f"{reply if isinstance(reply, str) else ''}\n{block}".strip() if block else reply
    message: dict[str, Any] = {"role": "assistant", "content": text if isinstance(text, str) else None}
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
