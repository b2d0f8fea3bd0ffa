"""A message on its way to its chat. It is written by a model, so it decides nothing: a yes in it confirms no plan."""

from collections.abc import Sequence
from uuid import UUID, uuid4, uuid5

from fastapi import Response
from mcp_types import CallToolResult
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from api.bodies import RequestBody
from api.mcp.arguments import Propose
from api.mcp.call import Call
from api.mcp.caller import hearing_of
from api.mcp.people import since_the_last_message
from api.mcp.shapes import Handed, Told
from api.mcp.told import result, tell
from api.under_way import begun, whole
from api.working import Working
from clients.errors import refuse
from contracts.enums import ServiceErrorType as E
from contracts.enums import ShortReply
from contracts.turn import AnswerTurn, ClarificationTurn, EscalationTurn, PlanTurn, Turn
from language.catalogue import say
from language.replies import read_reply
from workflows.ids import chat_workflow

_NAMESPACE = UUID("c5a5b7a2-0f5e-4b0c-9a0e-0d3c3c8f4f6b")


async def propose_change(call: Call, args: Propose) -> CallToolResult:
    """The turn that comes of a message. Raises `RequestError`."""
    venue_id, user_id = call.who.pack.profile.venue_id, call.who.user_id
    await call.parts.tokens.admit(call.who.pack, call.who.token)
    await call.parts.limits.count(venue=venue_id, user=user_id)
    named = args.request_id or _of_the_connection(call, args.message)
    request_id = named or str(uuid4())
    session_id = args.session_id or f"mcp-{uuid5(_NAMESPACE, f'{venue_id} {user_id} {request_id}')}"
    await _refuse_decisions(call, args, session_id)
    body = RequestBody(user_message=args.message, session_id=session_id, user_id=user_id, venue_id=venue_id)
    hearing = hearing_of(call.parts)
    turn = hearing.turn(call.who.pack, body, request_id, call.who.token, Response(), named is not None)
    if call.wants_progress:
        services, chat = call.parts.services, chat_workflow(venue_id, session_id)
        working = Working(services.chats, services.sessions, chat, user_id)
        after, task = await working.last(), begun(turn)
        async for entry in working.told(task, request_id, after):
            await call.progress(entry.text)
        done = await task
    else:
        done = await whole(turn)
    heard = await since_the_last_message(call, session_id, request_id) if args.session_id else []
    return _told(call, session_id, done, heard)


async def _refuse_decisions(call: Call, args: Propose, session_id: str) -> None:
    """Say where a yes or an undo is said instead. Without this they would be heard as any other words, and come to
    nothing. Raises `RequestError`."""
    read = read_reply(args.message)
    if read is None:
        return
    if read.kind is ShortReply.UNDO:
        raise refuse(E.INVALID_REQUEST, say("mcp.no_undo"), say("mcp.no_undo_next"))
    if read.kind in (ShortReply.YES, ShortReply.YES_CANCEL):
        chat = chat_workflow(call.who.pack.profile.venue_id, session_id)
        view = await call.parts.services.chats.session(chat)
        if view is not None and view.owner == call.who.user_id and view.pending_plan_id is not None:
            raise refuse(E.INVALID_REQUEST, say("mcp.no_yes"), say("mcp.no_yes_next", plan_id=view.pending_plan_id))


def _of_the_connection(call: Call, message: str) -> str | None:
    """An id that a client gives without knowing: that of its request, where its connection has one, too. A client that
    counts its requests anew still says each message."""
    request, handshake = call.ctx.request, call.ctx.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS
    session = request.headers.get("mcp-session-id") if request is not None and handshake else None
    return str(uuid5(_NAMESPACE, f"{session} {call.ctx.request_id!r}\n{message}")) if session else None


def _told(call: Call, session_id: str, turn: Turn, heard: Sequence[Handed]) -> CallToolResult:
    match turn:
        case PlanTurn():
            return tell(call, turn.plan, turn.message, heard)
        case ClarificationTurn():
            told = Told(type="clarification", session_id=session_id, message=turn.question, candidates=turn.candidates)
        case AnswerTurn() | EscalationTurn():
            told = Told(type=turn.type, session_id=session_id, message=turn.message)
    told.quick_actions, told.from_people = turn.quick_actions, list(heard)
    told.reference = turn.reference if isinstance(turn, EscalationTurn) else None
    told.message = " ".join([*(one.text for one in heard), told.message])
    return result(told, told.message)
