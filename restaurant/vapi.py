"""The envelope of a voice assistant's tool calls, in Vapi's form, and its answer.

A message has one call or several, as `toolCallList[].{id, name, arguments}` or `toolCalls[].function.{name,
arguments}`; `arguments` is an object or a JSON text. Each is answered in order with one line of JSON, always with HTTP
200. The calling number (`call.customer.number`) decides whose bookings may be seen and changed.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from restaurant import messages_it
from restaurant.errors import Code
from restaurant.providers.timeouts import bounded
from restaurant.schemas import requests
from restaurant.schemas.responses import ErrorAnswer, reduced
from restaurant.tools.context import RestaurantCaller, ToolContext
from restaurant.tools.dispatch import TOOLS, Tool, call

_MOST_CALLS = 20
"""Calls of one message that are carried out; a voice assistant sends a handful."""
_TOO_MANY = reduced(ErrorAnswer(error_code=Code.VALIDATION_ERROR, message=messages_it.TOO_MANY_CALLS))
"""The answer to each call beyond, because the assistant would wait for a call without one."""


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
    """The caller's phone number."""

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
    """Vapi's request. Other fields are ignored."""

    message: VapiMessage


class VapiResult(BaseModel):
    """One call's answer: `result` is one line of JSON, the tool's reduced payload or an error."""

    toolCallId: str  # noqa: N815 - Vapi's name
    result: str


class VapiAnswer(BaseModel):
    """Answers in the order of the calls."""

    results: list[VapiResult]


_BY_PHONE = frozenset({"inboundPhoneCall", "outboundPhoneCall"})
"""Kinds of calls that have a caller's number, withheld or not."""


@dataclass(frozen=True)
class _Asked:
    call_id: str
    name: str | None
    arguments: object


def is_envelope(body: object) -> bool:
    """Return whether a body is a message of Vapi's and not a tool's own."""
    return isinstance(body, dict) and isinstance(body.get("message"), dict)


def caller_of(body: Mapping[str, Any]) -> RestaurantCaller | None:
    """Return the caller of a message: None if the message does not identify one; a caller without bookings if the
    number is withheld or unreadable."""
    message = body["message"]
    within = message.get("call")
    customers = [one.get("customer") for one in (within, message) if isinstance(one, dict)]
    customer = next((one for one in customers if isinstance(one, dict)), None)
    if customer is None:
        return RestaurantCaller("") if isinstance(within, dict) and within.get("type") in _BY_PHONE else None
    try:
        return RestaurantCaller(requests.phone(customer.get("number")))
    except ValueError:
        return RestaurantCaller("")


async def answer(
    desk: ToolContext, body: Mapping[str, Any], caller: RestaurantCaller, only: Tool | None = None
) -> VapiAnswer:
    """Answer each call of a message in order, because a later one may depend on an earlier. All together get the
    timeout of one, because the guest on the phone waits for the whole message. `only`: the tool whose URL the message
    was sent to. A message without calls has no results."""
    results = []
    with bounded(desk.call_within):
        for number, request in enumerate(_calls(body["message"])):
            payload = await _one(desk, request, caller, only) if number < _MOST_CALLS else _TOO_MANY
            results.append(VapiResult(toolCallId=request.call_id, result=one_line(payload)))
    return VapiAnswer(results=results)


def one_line(payload: Mapping[str, Any]) -> str:
    """Return JSON without a line break, with letters unescaped."""
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":"))


async def _one(desk: ToolContext, request: _Asked, caller: RestaurantCaller, only: Tool | None) -> dict[str, Any]:
    tool = TOOLS.get(request.name) if request.name else only
    if tool is None or not tool.by_voice or (only is not None and tool is not only):
        return reduced(ErrorAnswer(error_code=Code.VALIDATION_ERROR, message=messages_it.NOT_OFFERED))
    arguments = request.arguments
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
    fields = function if isinstance(function, dict) else one
    name, arguments = fields.get("name"), fields.get("arguments", fields.get("parameters", {}))
    call_id = one.get("id")
    return _Asked(
        call_id if isinstance(call_id, str) else str(call_id or ""),
        name if isinstance(name, str) else None,
        {} if arguments is None else arguments,
    )
