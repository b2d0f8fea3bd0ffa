"""The envelope of a voice assistant's tool calls, as Vapi sends it, and its answer.

A message carries one call or several, as `toolCallList[].{id, name, arguments}` or `toolCalls[].function.{name,
arguments}`; `arguments` is an object or a JSON text. Each is answered in its order with one line of JSON, HTTP 200
whatever it says. The number that calls (`call.customer.number`) is whose bookings may be seen and changed.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from restaurant import requests, wording
from restaurant.answers import ErrorAnswer, reduced
from restaurant.codes import Code
from restaurant.providers.patience import bounded
from restaurant.tools.calling import TOOLS, Tool, call
from restaurant.tools.desk import Caller, Desk

_MOST_CALLS = 20
"""Calls of one message that are carried out; a voice assistant sends a handful."""
_TOO_MANY = reduced(ErrorAnswer(error_code=Code.VALIDATION_ERROR, message=wording.TOO_MANY_CALLS))
"""To each call beyond: one without an answer would be waited for."""


class VapiFunction(BaseModel):
    """A call in OpenAI's form."""

    name: str
    arguments: dict[str, Any] | str = Field(default_factory=dict)


class VapiToolCall(BaseModel):
    """One call: `name` and `arguments`, or `function` with both."""

    id: str
    name: str | None = None
    arguments: dict[str, Any] | str | None = None
    function: VapiFunction | None = None


class VapiCustomer(BaseModel):
    """Who calls."""

    number: str | None = Field(None, description="E.164")


class VapiCall(BaseModel):
    """The phone call that the message belongs to."""

    customer: VapiCustomer | None = None


class VapiMessage(BaseModel):
    """A message of a phone call with a voice assistant."""

    type: str = Field(examples=["tool-calls"])
    toolCallList: list[VapiToolCall] | None = None  # noqa: N815 - Vapi's name
    toolCalls: list[VapiToolCall] | None = None  # noqa: N815 - Vapi's name
    call: VapiCall | None = None


class VapiRequest(BaseModel):
    """What Vapi sends. Other fields of its are passed over."""

    message: VapiMessage


class VapiResult(BaseModel):
    """One call's answer: `result` is one line of JSON, the tool's reduced payload or an error."""

    toolCallId: str  # noqa: N815 - Vapi's name
    result: str


class VapiAnswer(BaseModel):
    """Answers in the order of the calls."""

    results: list[VapiResult]


_BY_PHONE = frozenset({"inboundPhoneCall", "outboundPhoneCall"})
"""Kinds of calls that somebody's number belongs to, withheld or not."""


@dataclass(frozen=True)
class _Asked:
    call_id: str
    name: str | None
    arguments: object


def is_envelope(body: object) -> bool:
    """Whether a body is a message of Vapi's and not a tool's own."""
    return isinstance(body, dict) and isinstance(body.get("message"), dict)


def caller_of(body: Mapping[str, Any]) -> Caller | None:
    """Who calls, by a message: None where it says nothing of who; nobody where the number is withheld or unreadable."""
    message = body["message"]
    within = message.get("call")
    customers = [one.get("customer") for one in (within, message) if isinstance(one, dict)]
    customer = next((one for one in customers if isinstance(one, dict)), None)
    if customer is None:
        return Caller("") if isinstance(within, dict) and within.get("type") in _BY_PHONE else None
    try:
        return Caller(requests.phone(customer.get("number")))
    except ValueError:
        return Caller("")


async def answer(desk: Desk, body: Mapping[str, Any], caller: Caller, only: Tool | None = None) -> VapiAnswer:
    """Answer each call of a message, one after the other: a later one may build on an earlier. All together take no
    longer than one may: whoever is on the telephone waits for the whole message. `only`: the tool whose URL the message
    was sent to. A message without calls has no results."""
    results = []
    with bounded(desk.call_within):
        for number, asked in enumerate(_calls(body["message"])):
            payload = await _one(desk, asked, caller, only) if number < _MOST_CALLS else _TOO_MANY
            results.append(VapiResult(toolCallId=asked.call_id, result=one_line(payload)))
    return VapiAnswer(results=results)


def one_line(payload: Mapping[str, Any]) -> str:
    """JSON without a line break, letters as they are."""
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":"))


async def _one(desk: Desk, asked: _Asked, caller: Caller, only: Tool | None) -> dict[str, Any]:
    tool = TOOLS.get(asked.name) if asked.name else only
    if tool is None or not tool.by_voice or (only is not None and tool is not only):
        return reduced(ErrorAnswer(error_code=Code.VALIDATION_ERROR, message=wording.NOT_OFFERED))
    arguments = asked.arguments
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments) if arguments.strip() else {}
        except (ValueError, RecursionError):
            arguments = None
    return reduced(await call(desk, tool, arguments, caller))


def _calls(message: Mapping[str, Any]) -> list[_Asked]:
    for key in ("toolCallList", "toolCalls"):
        listed = message.get(key)
        if isinstance(listed, list) and listed:
            return [_asked(one) for one in listed if isinstance(one, dict)]
    return []


def _asked(one: Mapping[str, Any]) -> _Asked:
    function = one.get("function")
    told = function if isinstance(function, dict) else one
    name, arguments = told.get("name"), told.get("arguments", told.get("parameters", {}))
    call_id = one.get("id")
    return _Asked(
        call_id if isinstance(call_id, str) else str(call_id or ""),
        name if isinstance(name, str) else None,
        {} if arguments is None else arguments,
    )
