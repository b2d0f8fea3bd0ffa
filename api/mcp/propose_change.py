"""Sends a message to its chat. A model writes it, so it decides nothing: a yes in it confirms no plan."""

from collections.abc import Sequence
from uuid import UUID, uuid4, uuid5

from fastapi import Response
from mcp_types import CallToolResult
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from api.mcp.auth import hearing_of
from api.mcp.context import McpToolContext
from api.mcp.results import result, tell
from api.mcp.schemas import EscalationState, ProposeArguments, ToolResult
from api.mcp.staff_replies import since_the_last_message
from api.schemas import RequestBody
from api.shutdown import shielded, spawn
from api.turns import TurnProgress
from clients.errors import api_error
from contracts.enums import ServiceErrorType as E
from contracts.enums import ShortReply
from contracts.turn import AnswerTurn, ClarificationTurn, EscalationTurn, PlanTurn, Turn
from language.messages.catalogue import translate
from language.replies.short_replies import match_short_reply
from workflows.workflow_ids import chat_workflow

_NAMESPACE = UUID("c5a5b7a2-0f5e-4b0c-9a0e-0d3c3c8f4f6b")


async def propose_change(call: McpToolContext, args: ProposeArguments) -> CallToolResult:
    """Return the turn that answers a message. Raises `ApiError`."""
    venue_id, user_id = call.caller.pack.profile.venue_id, call.caller.user_id
    await call.parts.tokens.verify(call.caller.pack, call.caller.token)
    await call.parts.limits.count(venue=venue_id, user=user_id)
    named = args.request_id or _of_the_connection(call, args.message)
    request_id = named or str(uuid4())
    session_id = args.session_id or f"mcp-{uuid5(_NAMESPACE, f'{venue_id} {user_id} {request_id}')}"
    await _refuse_decisions(call, args, session_id)
    body = RequestBody(user_message=args.message, session_id=session_id, user_id=user_id, venue_id=venue_id)
    hearing = hearing_of(call.parts)
    turn = hearing.turn(call.caller.pack, body, request_id, call.caller.token, Response(), named is not None)
    if call.wants_progress:
        services, chat = call.parts.services, chat_workflow(venue_id, session_id)
        working = TurnProgress(services.chats, services.sessions, chat, user_id)
        after, task = await working.position(), spawn(turn)
        async for entry in working.stream(task, request_id, after):
            await call.progress(entry.text)
        done = await task
    else:
        done = await shielded(turn)
    escalations = await since_the_last_message(call, session_id, request_id) if args.session_id else []
    return _result_of(call, session_id, done, escalations)


async def _refuse_decisions(call: McpToolContext, args: ProposeArguments, session_id: str) -> None:
    """Reject a yes or an undo, and name the tool for it. Otherwise the chat would handle it as plain text, without
    effect. Raises `ApiError`."""
    read = match_short_reply(args.message)
    if read is None:
        return
    if read.kind is ShortReply.UNDO:
        raise api_error(E.INVALID_REQUEST, translate("mcp.no_undo"), translate("mcp.no_undo_next"))
    if read.kind in (ShortReply.YES, ShortReply.YES_CANCEL):
        chat = chat_workflow(call.caller.pack.profile.venue_id, session_id)
        view = await call.parts.services.chats.session(chat)
        if view is not None and view.owner == call.caller.user_id and view.pending_plan_id is not None:
            raise api_error(
                E.INVALID_REQUEST, translate("mcp.no_yes"), translate("mcp.no_yes_next", plan_id=view.pending_plan_id)
            )


def _of_the_connection(call: McpToolContext, message: str) -> str | None:
    """Return an id computed from the connection's session, the request's id and the message; None without a session.
    The message is included so that a client that restarts its request numbers can still send every message."""
    request, handshake = call.ctx.request, call.ctx.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS
    session = request.headers.get("mcp-session-id") if request is not None and handshake else None
    return str(uuid5(_NAMESPACE, f"{session} {call.ctx.request_id!r}\n{message}")) if session else None


def _result_of(
    call: McpToolContext, session_id: str, turn: Turn, escalations: Sequence[EscalationState]
) -> CallToolResult:
    match turn:
        case PlanTurn():
            return tell(call, turn.plan, turn.message, escalations)
        case ClarificationTurn():
            found = ToolResult(
                type="clarification", session_id=session_id, message=turn.question, candidates=turn.candidates
            )
        case AnswerTurn() | EscalationTurn():
            found = ToolResult(type=turn.type, session_id=session_id, message=turn.message)
    found.quick_actions, found.from_people = turn.quick_actions, list(escalations)
    found.reference = turn.reference if isinstance(turn, EscalationTurn) else None
    found.message = " ".join([*(one.text for one in escalations), found.message])
    return result(found, found.message)
