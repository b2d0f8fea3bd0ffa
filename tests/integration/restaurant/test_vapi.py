"""A phone call with a voice assistant, end to end, over a real port.

Its messages are written by hand from what is public about Vapi's tool calls; Vapi itself has sent none of them.

Guarantees:
- A call is served from the first question to the cancellation, with several tool calls in one message, answered in
  their order, each by one line of JSON in which no time to be read out is written HH:MM.
- Both forms of a call are understood, at `/vapi` and at a tool's own URL, arguments as an object or as text.
- Whatever is in a message, the answer is HTTP 200 and every call has a result.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import httpx
import pytest

from infra.http.http_server import http_server
from restaurant.app import create_app
from tests.support.restaurants import MARIO, RunningRestaurant

LISTED, FUNCTIONS = "toolCallList", "toolCalls"


@pytest.fixture
async def url(door: RunningRestaurant) -> AsyncIterator[str]:
    """The service's real address."""
    server = http_server(create_app(door.service), "127.0.0.1", 0)
    serving = asyncio.create_task(server.serve())
    await server.until_started()
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    with suppress(asyncio.CancelledError):
        await serving


class PhoneCall:
    """One call: the assistant's messages and the answers it gets."""

    def __init__(self, http: httpx.AsyncClient, form: str = LISTED, as_text: bool = False) -> None:
        self.http, self.form, self.as_text, self.sent = http, form, as_text, 0

    async def tools(self, *calls: tuple[str, dict[str, Any]], path: str = "/vapi") -> list[dict[str, Any]]:
        sent = []
        for name, arguments in calls:
            self.sent += 1
            shown: Any = {"restaurant_id": "roma", **arguments}
            shown = json.dumps(shown) if self.as_text else shown
            call = {"name": name, "arguments": shown}
            named = call if self.form == LISTED else {"type": "function", "function": call}
            sent.append({"id": f"call_{self.sent}", **named})
        message = {"type": "tool-calls", self.form: sent, "call": {"id": "1", "customer": {"number": MARIO}}}
        answer = await self.http.post(path, json={"message": message})
        assert answer.status_code == 200
        results = answer.json()["results"]
        assert [one["toolCallId"] for one in results] == [one["id"] for one in sent]
        assert all("\n" not in one["result"] for one in results)
        return [json.loads(one["result"]) for one in results]


@pytest.mark.parametrize("form", [LISTED, FUNCTIONS])
@pytest.mark.parametrize("as_text", [False, True])
async def test_a_phone_call(url: str, form: str, as_text: bool) -> None:
    async with httpx.AsyncClient(base_url=url, verify=False) as http:
        call = PhoneCall(http, form, as_text)

        # "Vorrei un tavolo per quattro domani alle otto di sera."
        [day, time, openings] = await call.tools(
            ("resolve_relative_day", {"text": "domani"}),
            ("resolve_relative_time", {"text": "alle 8 di sera"}),
            ("is_open_now", {}),
        )
        assert (day["date"], time["time"], openings["open_now"]) == ("2026-02-19", "20:00", False)
        [free] = await call.tools(("check_openings", {"day": day["date"], "time": time["time"]}))
        assert free["available"] is True and free["message"] == "Disponibile."
        assert not {"slots", "lunch_range", "dinner_range", "nearest_slots"} & set(free)

        guest = {"day": day["date"], "time": "20:00", "people": "4", "name": "Mario Rossi", "phone": MARIO}
        [made, twice, listed] = await call.tools(
            ("create_booking", guest), ("create_booking", guest), ("list_bookings", {"phone": MARIO})
        )
        assert made["message"].startswith("Prenotazione confermata per giovedì 19 febbraio alle 20")
        assert twice["error_code"] == "DUPLICATE_BOOKING"
        assert listed["results"][0]["booking_id"] == made["booking_id"]

        # "Anzi, facciamo sabato, e siamo in tre."
        [moved] = await call.tools(
            ("modify_booking", {"booking_id": made["booking_id"], "new_day": "2026-02-21", "new_people": "3"})
        )
        assert moved["message"] == "Prenotazione modificata: sabato 21 febbraio alle 20."

        [gone] = await call.tools(("cancel_booking", {"booking_id": made["booking_id"]}), path="/api/cancel_booking")
        assert gone["message"] == "Prenotazione cancellata."
        [none] = await call.tools(("list_bookings", {"phone": MARIO}), path="/api/list_bookings")
        assert none["count"] == 0


async def test_more_calls_than_are_carried_out_are_answered(door: RunningRestaurant) -> None:
    listed = [{"id": str(n), "name": "is_open_now", "arguments": {"restaurant_id": "roma"}} for n in range(25)]
    body = {"message": {"type": "tool-calls", "toolCallList": listed}}
    results = (await door.http.post("/vapi", json=body)).json()["results"]
    assert [one["toolCallId"] for one in results] == [str(n) for n in range(25)]
    codes = [json.loads(one["result"]).get("error_code") for one in results]
    assert codes == [None] * 20 + ["VALIDATION_ERROR"] * 5


STRANGE: list[Any] = [
    {"message": {}},
    {"message": {"toolCallList": None, "toolCalls": None}},
    {"message": {"toolCallList": "x"}},
    {"message": {"toolCallList": [None, 1, {}, {"id": 7}, {"id": "a", "name": 3, "arguments": 4}]}},
    {"message": {"toolCallList": [{"id": "a", "name": "is_open_now", "arguments": "{"}]}},
    {"message": {"toolCallList": [{"id": "a", "name": "is_open_now", "arguments": "[1]"}]}},
    {"message": {"toolCalls": [{"id": "a", "function": "x"}]}},
    {
        "message": {
            "toolCalls": [{"id": "a", "function": {"name": "is_open_now"}}],
            "call": [],
            "customer": {"number": 5},
        }
    },
    {"message": "text"},
    {},
    [],
    None,
]


@pytest.mark.parametrize("body", STRANGE)
async def test_a_strange_message(door: RunningRestaurant, body: Any) -> None:
    for path in ("/vapi", "/api/is_open_now"):
        answer = await door.http.post(path, json=body)
        assert answer.status_code == 200
        found = answer.json()
        results = found.get("results", [])
        assert all(json.loads(one["result"])["error_code"] == "VALIDATION_ERROR" for one in results)
        assert "results" in found or found["error_code"] == "VALIDATION_ERROR"
