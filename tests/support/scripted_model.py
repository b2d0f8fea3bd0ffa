"""A model that replies as a test scripts it, over the real OpenAI protocol.

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
        """Give these replies in turn to sessions whose messages contain `key` (of several, the longest such key); the
        last one is repeated."""
        self._scripts[key] = list(replies)
        self._text.pop(key, None)
        self.seen[key] = []
        self._critiques.pop(key, None)
        self.critiqued[key] = []

    def critique(self, key: str, *replies: Reply) -> None:
        """Give these replies in turn to the critique of a plan for `key`, the last one repeated. Without them the
        critique accepts everything."""
        self._critiques[key] = list(replies)

    async def _complete(self, request: Request) -> Response:
        body = await request.json()
        self.calls += 1
        if body.get("tools") == []:
            return Response('{"error": {"message": "Invalid tools: empty array."}}', 400, media_type=_JSON)
        wording = json.dumps(body["messages"])
        key = max((k for k in self._scripts if k in wording), key=len, default=None)
        brief = _brief_in(body)
        if key is not None and brief.get("task") == "critique":
            return await self._critiqued(key, body)
        unseen = _unseen_tools(body, brief)
        if key is not None and unseen and not self._plain(key):
            # As a well-behaved model does: no script has to do it.
            return Response(json.dumps(completion(assessed("", needs_more_context=unseen))), media_type=_JSON)
        if key is None:
            answer = await self._otherwise.post("/v1/chat/completions", json=body)
            return Response(answer.content, answer.status_code, media_type="application/json")
        if await request.is_disconnected():
            # On a busy machine the caller has given up and asks again: it then gets this reply.
            return Response(status_code=503)
        script, question = self._scripts[key], _without_the_time(body)
        text_before = [reply for asked, reply in self._text.get(key, ()) if asked == question]
        if script[0] is obey and brief.get("task") != "execute":
            # A second request to plan: it means the previous plan, which did not arrive in time.
            text_before = text_before or [reply for _, reply in self._text.get(key, ())]
        if text_before:
            # The same request again: the script does not lose a reply that came too late on a busy machine, nor those
            # of a whole turn that did.
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
        """Return whether the next reply has its own assessment, or none."""
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
    """A reply with its assessment: the text of a block, "" for none."""

    reply: Any
    block: str


def assessed(reply: Any, *, confidence: Any = 9, tool_call: str | None = None, **fields: Any) -> Judged:
    """Return a reply with its assessment; the fields that are not given are good ones."""
    judged = {**_good(reply), "confidence": confidence, **fields}
    if tool_call is not None:
        judged["tool_call"] = tool_call
    return Judged(reply, f"<assessment>\n{json.dumps(judged)}\n</assessment>")


def bare(reply: Any, block: str = "") -> Judged:
    """Return a reply without an assessment, or with this block."""
    return Judged(reply, block)


def decides(decision: str, message: str = "", reasoning: str = "scripted") -> str:
    """Return the answer of a critique."""
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
    """Return a request without its time, for comparison."""
    return re.sub(r'\\"now\\": \\"[^"]*\\"', "", json.dumps(body))


def _brief_in(body: dict[str, Any]) -> dict[str, Any]:
    try:
        return brief_of(body)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return {}


def _unseen_tools(body: dict[str, Any], brief: dict[str, Any]) -> list[str]:
    """Return, in adaptive mode, the tools that are named and not sent."""
    if brief.get("mode") != "adaptive":
        return []
    sent = {tool["function"]["name"] for tool in body.get("tools") or ()}
    named = [*brief.get("look_ups", ()), *brief.get("tools", ())]
    return [f"tool_schema:{name}" for name in named if name not in sent]


def completion(reply: Any, brief: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a chat completion with this text or these calls; in adaptive mode with a good assessment, where it has
    none."""
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
    """Return the brief of a request's prompt."""
    system: str = body["messages"][0]["content"]
    brief: dict[str, Any] = json.JSONDecoder().raw_decode(system, system.index("```json\n") + 8)[0]
    return brief


def executes(body: dict[str, Any]) -> bool:
    """Return whether a request is about a running plan."""
    return bool(brief_of(body)["task"] == "execute")


def found(body: dict[str, Any], index: int = 0) -> str:
    """Return the booking id in the last look-up's result."""
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
    """Plan these calls likewise, and arrange them."""
    return lambda body: [
        *({name: {"booking_id": found(body), **arguments}} for name, arguments in calls),
        {"arrange_steps": {"steps": steps}},
    ]


def obey(body: dict[str, Any]) -> Any:
    """Run the confirmed plan step by step, as a well-behaved model does."""
    step = next((s for s in brief_of(body)["steps"] if s["status"] in ("pending", "running")), None)
    return {step["tool"]: step["arguments"]} if step else "All steps are done."


def says(status: int, body: Any = None) -> Callable[[dict[str, Any]], Response]:
    """Return an HTTP answer that is no completion."""
    return lambda _: Response(json.dumps(body), status, media_type="application/json")


def busy(status: int = 429, body: bytes = b"{}", **headers: str) -> Callable[[dict[str, Any]], Response]:
    """Return the answer of an endpoint that asks its callers to wait, with these headers (`_` for `-`)."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: Response(body, status, headers=named, media_type=_JSON)


def after(seconds: float, reply: Any) -> Reply:
    """Return a slow reply."""

    async def later(_: dict[str, Any]) -> Any:
        await asyncio.sleep(seconds)
        return reply

    return later


def held(until: asyncio.Event, reply: Callable[[dict[str, Any]], Any]) -> Reply:
    """Return a reply that comes once the test lets it, however busy the machine is; it also answers every later call,
    because a call that was given up is made again."""

    async def later(body: dict[str, Any]) -> Any:
        await asyncio.wait_for(until.wait(), 120)
        return reply(body)

    return later
