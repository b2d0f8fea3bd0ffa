"""What people have answered to what was handed to them, for a client that hears nothing between its calls: looked at by
a tool, and told with the answer to the next message of the same conversation."""

import asyncio
from collections.abc import Sequence

from mcp_types import CallToolResult

from api.mcp.arguments import Conversation
from api.mcp.call import Call
from api.mcp.shapes import Answers, Handed
from api.mcp.told import result
from clients.errors import RequestError, UnansweredError, refuse
from contracts.enums import ServiceErrorType as E
from contracts.messages import ShownEntry
from language.catalogue import say
from workflows.ids import chat_workflow

_EVERY = 1.0
"""Seconds between looks at a chat: people take minutes."""

_ENDS = frozenset({"person", "lapsed"})


async def get_answers(call: Call, args: Conversation) -> CallToolResult:
    """What was handed to a person in a conversation, and what came of it; with a wait, once nothing waits any more or
    the wait is over. Raises `RequestError`."""
    call.within = float(args.wait_seconds)
    while True:
        handed = handed_in(await _shown(call, args.session_id))
        if not any(one.status == "waiting" for one in handed) or call.left <= 0:
            break
        await asyncio.sleep(min(_EVERY, call.left))
    told = [one.text for one in handed if one.text]
    waiting = [one.reference for one in handed if one.status == "waiting"]
    if waiting:
        told.append(say("mcp.still_waiting", references=waiting))
    message = " ".join(told) or say("mcp.nothing_handed")
    return result(Answers(session_id=args.session_id, message=message, handed=handed), message)


async def since_the_last_message(call: Call, session_id: str, request_id: str) -> list[Handed]:
    """What people have said in a conversation since its operator's last message, other than this one. It is an
    addition: where it cannot be read in time the message is answered without it."""
    try:
        entries = await _shown(call, session_id)
    except RequestError:
        return []
    said = [one.number for one in entries if one.kind == "said" and one.request_id != request_id]
    return handed_in([one for one in entries if one.number > (said[-1] if said else 0) and one.kind in _ENDS])


def handed_in(entries: Sequence[ShownEntry]) -> list[Handed]:
    """What was handed over, in order. What was said when may have fallen off a chat before it was answered."""
    found: dict[str, Handed] = {}
    for one in entries:
        if one.reference is None:
            continue
        if one.kind == "escalation":
            found.setdefault(one.reference, Handed(reference=one.reference, status="waiting"))
        elif one.kind in _ENDS:
            status = "answered" if one.kind == "person" else "lapsed"
            found[one.reference] = Handed(reference=one.reference, status=status, text=one.text)
    return list(found.values())


async def _shown(call: Call, session_id: str) -> Sequence[ShownEntry]:
    chat = chat_workflow(call.who.pack.profile.venue_id, session_id)
    try:
        view = await call.parts.services.chats.shown(chat, 0)
    except UnansweredError as away:
        raise UnansweredError(away.part, "away.unseen_chat") from None
    if view is None or view.owner is None:
        raise refuse(E.NOT_FOUND, say("refuse.no_chat"), say("refuse.no_chat_next"))
    if view.owner != call.who.user_id:
        raise refuse(E.FORBIDDEN, say("refuse.foreign_chat"), say("refuse.foreign_chat_next"))
    return view.entries
