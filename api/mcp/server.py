"""The server behind the door: how a call of a tool (`offered.py`) is carried out."""

import hashlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi.exceptions import RequestValidationError
from mcp.server.lowlevel.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
)
from pydantic import ValidationError

from api.errors import explained
from api.mcp import bookings, people, proposing, tools
from api.mcp.asking import AskedError
from api.mcp.call import Call
from api.mcp.caller import Context, Parts, who_asks
from api.mcp.offered import INSTRUCTIONS, NAME, OFFERED, TOOLS, Offered
from api.mcp.refusing import explain_answers
from api.mcp.told import refused
from clients.errors import RequestError, refuse
from contracts.bounds import cleaned, deeper
from contracts.enums import ServiceErrorType
from language.catalogue import say
from reasoning import wording

log = logging.getLogger(__name__)

_DEPTH = 5
"""Levels: no tool takes a nested argument."""

_DOES: dict[str, Callable[[Call, Any], Awaitable[CallToolResult]]] = {
    "propose_change": proposing.propose_change,
    "confirm_plan": tools.confirm_plan,
    "answer_question": tools.answer_question,
    "get_plan": tools.get_plan,
    "get_answers": people.get_answers,
    "cancel_plan": tools.cancel_plan,
    "skip_step": tools.skip_step,
    "undo_plan": tools.undo_plan,
    "find_bookings": bookings.find_bookings,
}


def create_server(parts: Parts) -> Server[dict[str, Any]]:
    """The server. What it asks of a person travels with the client, sealed with the ring's keys: any facade goes on."""

    async def call_tool(ctx: Context, params: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
        offered = OFFERED.get(params.name)
        if offered is None:
            raise MCPError(INVALID_PARAMS, f"There is no tool {params.name[:100]}. tools/list tells which there are.")
        try:
            return await _called(parts, offered, ctx, params)
        except AskedError as asked:
            return asked.result
        except RequestError as error:
            return counted(error)
        except RequestValidationError as error:
            return counted(RequestError(explained(error)))
        except Exception:
            log.exception("unexpected in %s", params.name)
            return counted(RequestError(wording.unavailable("service")))

    def counted(error: RequestError) -> CallToolResult:
        parts.services.observer.count("refusal", error_type=error.kind.value)
        return refused(error)

    async def list_tools(ctx: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=TOOLS)

    settings = parts.services.settings
    server: Server[dict[str, Any]] = Server(
        NAME,
        version="1",
        title="Booking updates",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    security = RequestStateSecurity(
        keys=settings.ring().drawn(b"iq mcp request state"),
        ttl=max(settings.confirm_within, settings.answer_within) + 60,
        bind_principal=_principal,
    )
    server.middleware.append(explain_answers)
    server.middleware.append(RequestStateBoundary(security, default_audience=NAME))
    return server


def _principal(ctx: Context) -> str:
    """For whom a question was asked: nobody else answers it."""
    assert ctx.request is not None
    named = ("authorization", "x-user-id", "x-venue-id")
    return hashlib.sha256("\n".join(ctx.request.headers.get(name, "") for name in named).encode()).hexdigest()


async def _called(parts: Parts, offered: Offered, ctx: Context, params: CallToolRequestParams) -> CallToolResult:
    assert ctx.request is not None
    who = await who_asks(parts, ctx.request)
    given = params.arguments or {}
    if deeper(given, _DEPTH):
        raise refuse(ServiceErrorType.INVALID_REQUEST, say("refuse.unreadable"))
    try:
        # Names as they were sent: one without its unseen characters is another's.
        names = {name: value for name, value in given.items() if name.endswith("_id")}
        args = offered.takes.model_validate({**cleaned(given), **names})
    except ValidationError as wrong:
        raise RequestValidationError(wrong.errors()) from None
    return await _DOES[params.name](Call.of(parts, who, ctx, params), args)
