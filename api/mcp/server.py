"""The server behind the door: which tools there are, and how a call of one is carried out."""

import hashlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
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
    Tool,
    ToolAnnotations,
)
from pydantic import BaseModel, ValidationError

from api.errors import explained
from api.mcp import arguments, bookings, people, proposing, tools
from api.mcp.asking import AskedError
from api.mcp.call import Call
from api.mcp.caller import Context, Parts, who_asks
from api.mcp.refusing import explain_answers
from api.mcp.told import Answers, Bookings, Told, refused, schema_of
from clients.errors import RequestError, refuse
from contracts.bounds import cleaned, deeper
from contracts.enums import ServiceErrorType
from language.catalogue import say
from reasoning import wording

log = logging.getLogger(__name__)

NAME = "iq-booking-updates"

_DEPTH = 5
"""Levels: no tool takes a nested argument."""

INSTRUCTIONS = """\
Changes to a venue's bookings, in the operator's own words. propose_change makes a plan and changes no booking.
confirm_plan shows the plan to a person, by a form of this client, and carries it out only on their yes. You cannot
confirm, answer a running plan's question, or undo for them: no tool takes an approval, and a yes in a message confirms
nothing. Where this client cannot show forms the plan stays as it is, and the answer says where it is confirmed.
Tell the operator what `message` says. A plan that is still under way is looked at with get_plan, a
person's answer to what was handed to them with get_answers."""


@dataclass(frozen=True)
class _Offered:
    """A tool, and what carries it out."""

    does: Callable[[Call, Any], Awaitable[CallToolResult]]
    takes: type[BaseModel]
    title: str
    description: str
    gives: type[BaseModel] = Told
    reads: bool = False
    destroys: bool = False
    repeats: bool = True


_OFFERED = {
    "propose_change": _Offered(
        proposing.propose_change,
        arguments.Propose,
        "Propose a change",
        "Says what the operator wants to be different. Comes back with a plan of steps, each with before and after, or "
        "with a question to put to the operator, or with an answer. No booking is changed by it. To change a plan that "
        "waits, or to answer a question, call it again with its session_id.",
        repeats=False,
    ),
    "confirm_plan": _Offered(
        tools.confirm_plan,
        arguments.OfPlan,
        "Have a plan confirmed",
        "Shows a plan to a person, by a form of this client. Only their yes to that form carries it out; then it is "
        "followed, and what it asks on its way is asked in the same manner. If one step fails, those before it are "
        "undone.",
        destroys=True,
    ),
    "answer_question": _Offered(
        tools.answer_question,
        arguments.OfPlan,
        "Have a question answered",
        "Shows the question that a running plan waits with to a person, by a form of this client. It takes no answer "
        "from you.",
        destroys=True,
    ),
    "get_plan": _Offered(
        tools.get_plan,
        arguments.Look,
        "Look at a plan",
        "How a plan stands: its steps, what became of each, what it waits for, what was undone.",
        reads=True,
    ),
    "get_answers": _Offered(
        people.get_answers,
        arguments.Conversation,
        "Look for a person's answer",
        "What of a conversation was handed to a person (an answer of the type escalation, with a reference), and what "
        "they answered. It is a message for the operator: it confirms and changes nothing.",
        gives=Answers,
        reads=True,
    ),
    "cancel_plan": _Offered(
        tools.cancel_plan,
        arguments.OfPlan,
        "Cancel a plan",
        "Drops a plan that waits, or stops one that runs before its next step and undoes what it did.",
    ),
    "skip_step": _Offered(
        tools.skip_step,
        arguments.SkipOf,
        "Leave out a step",
        "Leaves out a step that the plan can do without (`required` is false), until it starts; steps that depend on "
        "it are left out with it.",
    ),
    "undo_plan": _Offered(
        tools.undo_plan,
        arguments.OfPlan,
        "Have a plan undone",
        "Asks a person, by a form of this client, whether a completed plan is to be undone. Only their yes undoes it, "
        "within the time that the venue gives (`undo_until`).",
        destroys=True,
    ),
    "find_bookings": _Offered(
        bookings.find_bookings,
        arguments.Find,
        "Find bookings",
        'Looks bookings up by words or by a day ("Saturday", 2026-11-28). Changes nothing.',
        gives=Bookings,
        reads=True,
    ),
}


def create_server(parts: Parts) -> Server[dict[str, Any]]:
    """The server. What it asks of a person travels with the client, sealed with the ring's keys: any facade goes on."""

    async def call_tool(ctx: Context, params: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
        offered = _OFFERED.get(params.name)
        if offered is None:
            raise MCPError(INVALID_PARAMS, f"There is no tool {params.name[:100]}. tools/list tells which there are.")
        try:
            return await _called(parts, offered, ctx, params)
        except AskedError as asked:
            return asked.result
        except RequestError as error:
            return refused(error)
        except RequestValidationError as error:
            return refused(RequestError(explained(error)))
        except Exception:
            log.exception("unexpected in %s", params.name)
            return refused(RequestError(wording.unavailable("service")))

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


async def _called(parts: Parts, offered: _Offered, ctx: Context, params: CallToolRequestParams) -> CallToolResult:
    assert ctx.request is not None
    who = await who_asks(parts, ctx.request)
    given = params.arguments or {}
    if deeper(given, _DEPTH):
        raise refuse(ServiceErrorType.INVALID_REQUEST, say("refuse.unreadable"))
    try:
        args = offered.takes.model_validate(cleaned(given))
    except ValidationError as wrong:
        raise RequestValidationError(wrong.errors()) from None
    return await offered.does(Call.of(parts, who, ctx, params), args)


def _listed(name: str, one: _Offered) -> Tool:
    return Tool(
        name=name,
        title=one.title,
        description=one.description,
        input_schema=one.takes.model_json_schema(),
        output_schema=schema_of(one.gives),
        annotations=ToolAnnotations(
            read_only_hint=one.reads,
            destructive_hint=one.destroys,
            idempotent_hint=one.repeats,
            open_world_hint=False,
        ),
    )


TOOLS = [_listed(name, one) for name, one in _OFFERED.items()]
