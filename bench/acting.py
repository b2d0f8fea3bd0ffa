"""What benchmarks of whole plans act with: a model that always plans the same, and bookings of guests whom nobody else
has."""

import asyncio
import json
from collections.abc import Mapping
from datetime import date, timedelta
from itertools import count
from typing import Any
from uuid import uuid4

import httpx
from fastapi import FastAPI

_PARTY = 61001
_serial = count(1)


def model_that_plans(steps: Mapping[str, Mapping[str, Any]], seconds: float = 0.0) -> FastAPI:
    """A model that takes so long for each call: it looks a booking up, plans these steps, carries the next out."""
    app = FastAPI()

    @app.post("/v1/chat/completions")
    async def complete(body: dict[str, Any]) -> dict[str, Any]:
        messages = body["messages"]
        calls = _next_calls(messages, steps) if messages else {}
        await asyncio.sleep(seconds)
        made = [
            {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
            for n, (name, given) in enumerate(calls.items())
        ]
        message = {"role": "assistant", "content": None if made else "Done.", "tool_calls": made or None}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {"id": "c", "object": "chat.completion", "created": 0, "model": "quick", "choices": [choice]}

    return app


def _next_calls(messages: list[dict[str, Any]], steps: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    system, last = messages[0]["content"], messages[-1]
    brief = json.JSONDecoder().raw_decode(system, system.index("```json\n") + 8)[0]
    if brief["task"] == "execute":
        return next(({s["tool"]: s["arguments"]} for s in brief["steps"] if s["status"] != "completed"), {})
    if last["role"] != "tool":
        return {"find_bookings": {"keywords": last["content"].rpartition(" for ")[2]}}
    found = json.loads(last["content"])
    booking = (found[0] if isinstance(found, list) else found)["booking_id"]
    return {name: {"booking_id": booking, **given} for name, given in steps.items()}


def a_guest() -> str:
    """A name that nobody else has, in letters alone: a digit would be read as a count."""
    return f"Bench {''.join(chr(ord('a') + int(c, 16)) for c in uuid4().hex[:10]).capitalize()}"


async def booked(client: httpx.AsyncClient, venue: str, guest: str) -> tuple[str, str]:
    """(a fresh booking's id, a token of its own: ROLLER's sandbox at `venue` counts calls by token)."""
    token = f"bench-{uuid4().hex}"
    (await client.post(f"{venue}/_sandbox/tokens", json={"token": token})).raise_for_status()
    first, last = guest.split(" ")
    day = (date.today() + timedelta(days=10 + next(_serial) % 290)).isoformat()
    body = {
        "externalId": uuid4().hex,
        "name": guest,
        "customer": {"firstName": first, "lastName": last, "email": f"{last}@example.com", "phone": "0491 570 156"},
        "items": [{"productId": _PARTY, "quantity": 2, "bookingDate": day, "startTime": "10:00"}],
    }
    answer = await client.post(f"{venue}/bookings", json=body, headers={"Authorization": f"Bearer {token}"})
    return answer.raise_for_status().json()["uniqueId"], token
