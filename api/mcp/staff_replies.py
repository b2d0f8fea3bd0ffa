"""Staff replies, for a client that receives nothing between its calls: read by a tool, and added to the answer to the
next message of the same conversation."""

import asyncio
from collections.abc import Sequence

from mcp_types import CallToolResult

from api.mcp.context import McpToolContext
from api.mcp.results import result
from api.mcp.schemas import Answers, ConversationArguments, EscalationState
from clients.errors import ApiError, api_error, service_unavailable
from contracts.chat_messages import TranscriptEntry
from contracts.enums import ServiceErrorType as E
from language.messages.catalogue import translate
from workflows.workflow_ids import chat_workflow

_EVERY = 1.0
"""Seconds between reads of a chat, because staff take minutes."""

_ENDS = frozenset({"person", "lapsed"})


async def get_answers(call: McpToolContext, args: ConversationArguments) -> CallToolResult:
    """Return the escalations of a conversation with their status; with a wait, once none is open or the wait is over.
    Raises `ApiError`."""
    call.timeout = float(args.wait_seconds)
    while True:
        handed = handed_in(await _shown(call, args.session_id))
        if not any(one.status == "waiting" for one in handed) or call.left <= 0:
            break
        await asyncio.sleep(min(_EVERY, call.left))
    lines = [one.text for one in handed if one.text]
    waiting = [one.reference for one in handed if one.status == "waiting"]
    if waiting:
        lines.append(translate("mcp.still_waiting", references=waiting))
    message = " ".join(lines) or translate("mcp.nothing_handed")
    return result(Answers(session_id=args.session_id, message=message, handed=handed), message)


async def since_the_last_message(call: McpToolContext, session_id: str, request_id: str) -> list[EscalationState]:
    """Return the staff replies since the operator's last message, other than this one. They are optional: if they
    cannot be read in time, the message is answered without them."""
    try:
        entries = await _shown(call, session_id)
    except ApiError:
        return []
    messages = [one.number for one in entries if one.kind == "message" and one.request_id != request_id]
    return handed_in([one for one in entries if one.number > (messages[-1] if messages else 0) and one.kind in _ENDS])


def handed_in(entries: Sequence[TranscriptEntry]) -> list[EscalationState]:
    """Return the escalations in order. An escalation may have dropped out of the transcript before its reply."""
    found: dict[str, EscalationState] = {}
    for one in entries:
        if one.reference is None:
            continue
        if one.kind == "escalation":
            found.setdefault(one.reference, EscalationState(reference=one.reference, status="waiting"))
        elif one.kind in _ENDS:
            status = "answered" if one.kind == "person" else "lapsed"
            found[one.reference] = EscalationState(reference=one.reference, status=status, text=one.text)
    return list(found.values())


async def _shown(call: McpToolContext, session_id: str) -> Sequence[TranscriptEntry]:
    chat = chat_workflow(call.caller.pack.profile.venue_id, session_id)
    with service_unavailable("unavailable.unseen_chat"):
        view = await call.parts.services.chats.transcript(chat, 0)
    if view is None or view.owner is None:
        raise api_error(E.NOT_FOUND, translate("refuse.no_chat"), translate("refuse.no_chat_next"))
    if view.owner != call.caller.user_id:
        raise api_error(E.FORBIDDEN, translate("refuse.foreign_chat"), translate("refuse.foreign_chat_next"))
    return view.entries
