"""Sends one message to its chat, and answers if the chat does not. Each message is opened and settled like every
command (`clients.commands`): a plan commits a bare yes or no, the chat commits any other message before it makes or
replaces a plan. No other message changes a booking by itself.

The progress of a chat while it works on a message.
"""

import asyncio
import contextlib
import hashlib
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import Response

from api.last_shown import LastShown
from api.schemas import RequestBody
from clients.admission import AdmissionControl
from clients.command_types import CommandKind, PlanCommand, idempotency_key
from clients.commands import OPEN_LONGER, PlanCommands
from clients.errors import ApiError, DependencyUnavailableError
from clients.streams.session import Cursor, SessionEvent, SessionStreams
from clients.temporal.chats import TURN_ACCEPT_WITHIN, ChatClient
from clients.temporal.plans import PlanClient
from contracts.chat_messages import ChatStart, PlanEdit, PlanView, TranscriptEntry, TurnRequest
from contracts.enums import ReplyQualifiers, ShortReply
from contracts.errors import ServiceError
from contracts.turn import AnswerTurn, PlanTurn, Turn
from infra.observability.log_context import bind_log_context, hashed
from infra.observability.observer import Observer
from infra.stores.command_store import ABORTED, COMMITTED, STORE_ERRORS, CommandStore
from infra.stores.token_vault import Vault
from language.messages.catalogue import translate
from language.replies.effect_claims import asks_for_change
from language.replies.short_replies import after_a_drop, chose_undo, match_short_reply
from language.replies.small_talk import asks_for_a_person
from language.requests.cues import has_anaphora
from language.text.names import for_whom

KINDS = {
    ShortReply.YES: CommandKind.CONFIRM,
    ShortReply.YES_CANCEL: CommandKind.CONFIRM,
    ShortReply.NO: CommandKind.CANCEL,
    ShortReply.WAIT: CommandKind.CANCEL,
    ShortReply.STOP: CommandKind.CANCEL,
    ShortReply.CANCEL: CommandKind.CANCEL,
    ShortReply.UNDO: CommandKind.UNDO,
}
"""What a short reply may do to a plan. The other replies only read or ask."""

DECIDES = frozenset({ShortReply.YES, ShortReply.YES_CANCEL, ShortReply.UNDO})
"""Replies that change bookings: only a person may send them. The others stop running work."""

_OPEN_LONGER = TURN_ACCEPT_WITHIN + 1 + OPEN_LONGER
"""Seconds beyond the turn's budget: the wait for its answer, and a margin."""
_STORE_WITHIN = 1.0
_LOOK_WITHIN = 1.0
"""Seconds for finding the plan that a reply was meant for, once it is known that no answer will come."""


def request_key(user_id: str, request_id: str) -> str:
    """Return the idempotency key of a message."""
    return hashlib.sha256(f"{user_id}\n{request_id}".encode()).hexdigest()


class TurnService:
    """Sends messages; `turn_budget` in seconds."""

    def __init__(
        self,
        command_store: CommandStore,
        vault: Vault,
        commands: PlanCommands,
        chats: ChatClient,
        plans: PlanClient,
        last_shown: LastShown,
        turn_budget: float,
        observer: Observer,
        admission: AdmissionControl,
    ) -> None:
        self._command_store = command_store
        self._vault = vault
        self._turn_budget = turn_budget
        self.observer = observer
        self.commands = commands
        self.chats = chats
        self.plans = plans
        self.last_shown = last_shown
        self.admission = admission

    async def submit(
        self, chat: str, body: RequestBody, request_id: str, token: str, *, decides: bool = True
    ) -> "TurnSubmission":
        """Store a message's token and open the message. Unless it `decides`, it confirms, undoes and answers no plan,
        whatever its text. Raises `DependencyUnavailableError`: nothing was sent."""
        read, budget = None if body.edit else match_short_reply(body.user_message), self._turn_budget
        reply = read.kind if read is not None and (decides or read.kind not in DECIDES) else None
        try:
            async with asyncio.timeout(_STORE_WITHIN):
                name = idempotency_key(chat, "reply", body.user_id, request_id)
                ticket = (await self._command_store.open(name, budget + _OPEN_LONGER)).commit_token
                reference = await self._vault.put(token, budget + 30)
        except STORE_ERRORS:
            raise DependencyUnavailableError("store") from None
        now = datetime.now(UTC)
        turn = TurnRequest(
            request_key=request_key(body.user_id, request_id),
            request_id=request_id,
            user_id=body.user_id,
            user_message=body.user_message,
            token_ref=reference,
            accept_by=now + timedelta(seconds=min(budget, TURN_ACCEPT_WITHIN)),
            deadline=now + timedelta(seconds=budget),
            reply_token=ticket if reply in KINDS else "",
            commit_token=ticket,
            shown_plan_id=await self.last_shown.last_offered(chat, body.user_id),
            reply=reply,
            chose_undo=decides and chose_undo(body.user_message),
            # Only a message that asks for no change can answer a running plan's question.
            wants_change=not decides or asks_for_change(body.user_message),
            has_anaphora=has_anaphora(body.user_message),
            after_drop=after_a_drop(body.user_message),
            qualifiers=read.qualifiers if read is not None else ReplyQualifiers(),
            for_whom=for_whom(body.user_message),
            wants_person=body.edit is None and asks_for_a_person(body.user_message),
            edit=PlanEdit.model_validate(body.edit.model_dump()) if body.edit else None,
        )
        return TurnSubmission(self, chat, turn, reply)


@dataclass(frozen=True)
class TurnSubmission:
    """A message to send. The chat uses its token until the turn is over."""

    by: TurnService
    chat: str
    turn: TurnRequest
    reply: ShortReply | None

    async def send(self, start: ChatStart, response: Response) -> Turn:
        """Return the chat's answer (the chat is started if it does not run), or the answer after a timeout. Raises
        `ApiError`. The duration is recorded in any case."""
        began, came = time.monotonic(), "refused"
        try:
            turn = await self._heard(start, response)
            came = turn.type
            return turn
        finally:
            self.by.observer.count("turn", time.monotonic() - began, venue=start.venue_id, came=came)

    async def _heard(self, start: ChatStart, response: Response) -> Turn:
        try:
            reply = await self.by.chats.turn(self.chat, start, self.turn)
        except DependencyUnavailableError as away:
            return await self.on_timeout(away.answer, response)
        finally:
            await self.by.commands.wipe(self.turn.token_ref)
        if reply.trace_id:
            bind_log_context(request_id=hashed(reply.trace_id))
        if reply.turn is None:
            assert reply.error is not None
            if reply.unsettled:
                return await self.on_timeout(reply.error, response)
            raise ApiError(reply.error)
        if isinstance(reply.turn, PlanTurn):
            await self.by.last_shown.offer(self.chat, reply.turn.plan)
            if reply.turn.plan.notice is not None:
                response.status_code = 202
        return reply.turn

    async def on_timeout(self, error: ServiceError, response: Response) -> Turn:
        """Return the answer if the chat gave none, or none with the message's outcome. `error` names the unavailable
        part. Raises `ApiError`, unless the reply may have taken effect on a known plan."""
        state = await self.by.commands.abort(self.turn.commit_token)
        if state == ABORTED:
            raise _because(error, "word.reply_refused" if self.reply in KINDS else "word.message_refused")
        by = await self.by.commands.committed_by(self.turn.commit_token) if state == COMMITTED else ""
        kind = KINDS.get(self.reply) if self.reply else CommandKind.ANSWER if by and by != self.chat else None
        if kind is None or by == self.chat:
            await self.by.last_shown.invalidate(self.chat, self.turn.user_id)
            raise _because(error, "word.message_unknown")
        view = await self._meant(by) if by or state != COMMITTED else None
        command = PlanCommand(kind, self.turn.user_id)
        if state == COMMITTED:
            if view is None:
                return AnswerTurn(message=translate("word.reply_taken"))
            return PlanTurn(plan=await self.by.last_shown.put(self.by.commands.accepted(view, command).plan))
        if view is None:
            raise _because(error, "word.reply_unknown")
        response.status_code = 202
        return PlanTurn(plan=await self.by.last_shown.put(self.by.commands.unknown_outcome(view, command).plan))

    async def _meant(self, plan_id: str) -> PlanView | None:
        """Return the plan that took this reply, or the only one that can have, if that is not certain: its current or
        last shown state. None if it could be another plan."""
        user = self.turn.user_id
        if not plan_id and self.reply is ShortReply.YES:
            plan_id = self.turn.shown_plan_id or ""
        with contextlib.suppress(ApiError, TimeoutError):
            async with asyncio.timeout(_LOOK_WITHIN):
                if not plan_id:
                    session = await self.by.chats.session(self.chat)
                    if session is not None and session.owner == user:
                        plan_id = session.pending_plan_id or ""
                if plan_id:
                    view = await self.by.plans.plan(plan_id)
                    return view if view.plan.user_id == user else None
        last = self.by.last_shown.plan(plan_id, user) if plan_id else None
        return PlanView(plan=last) if last is not None else None


def _because(error: ServiceError, then: str) -> ApiError:
    return ApiError(error.model_copy(update={"message": f"{error.message} {translate(then)}"}))


class TurnProgress:
    """The progress of one message's chat."""

    def __init__(self, chats: ChatClient, sessions: SessionStreams, chat: str, user_id: str) -> None:
        self._chats, self._sessions, self._chat, self._user_id = chats, sessions, chat, user_id

    async def position(self) -> int:
        """Return the number of the chat's newest entry; 0 if the chat does not exist yet. Raises `ApiError`."""
        transcript = await self._chats.transcript(self._chat, 0)
        return transcript.last if transcript is not None else 0

    async def stream(
        self, turn: asyncio.Task[Any], request_id: str, after: int
    ) -> AsyncGenerator[TranscriptEntry, None]:
        """Yield the progress of one message after an entry, until its turn is done."""
        entries = self._sessions.subscribe(self._chat, self._user_id, Cursor(after))
        following: asyncio.Task[SessionEvent] | None = None
        try:
            while not turn.done():
                following = asyncio.ensure_future(anext(entries))
                await asyncio.wait({turn, following}, return_when=asyncio.FIRST_COMPLETED)
                if not following.done():
                    return
                entry = following.result().entry
                if entry is not None and entry.kind == "progress" and entry.request_id == request_id:
                    yield entry
        except StopAsyncIteration:
            return
        finally:
            if following is not None and not following.done():
                following.cancel()
                await asyncio.wait({following})
            await entries.aclose()
