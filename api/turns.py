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
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import Response

from api.schemas import RequestBody
from clients.admission import AdmissionControl
from clients.commands import OPEN_LONGER, PlanCommands
from clients.errors import ApiError, ServiceUnavailableError, service_unavailable
from clients.last_shown import LastShown
from clients.streams.session import Cursor, SessionEvent, SessionStreams
from clients.temporal.chats import TURN_ACCEPT_WITHIN, ChatClient
from clients.temporal.plans import PlanClient
from contracts.chat_messages import ChatStart, PlanEdit, PlanView, TranscriptEntry, TurnRequest
from contracts.commands import CommandKind
from contracts.enums import ShortReply
from contracts.errors import ServiceError
from contracts.turn import AnswerTurn, PlanTurn, Turn
from infra.observability.logging import bind_log_context, hashed
from infra.observability.observer import Observer
from infra.stores.command_store import ABORTED, COMMITTED, CommandStore, idempotency_key
from infra.stores.token_vault import Vault
from language.messages.catalogue import translate
from language.replies.message_reading import classify_message
from reasoning.drafting.short_replies import COMMANDS

_OPEN_LONGER = TURN_ACCEPT_WITHIN + 1 + OPEN_LONGER
"""Seconds beyond the turn's budget: the wait for its answer, and a margin."""
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

    async def open(
        self, chat: str, body: RequestBody, request_id: str, token: str, *, decides: bool = True
    ) -> TurnRequest:
        """Store a message's token and open the message; the chat uses the token until the turn is over. Unless it
        `decides`, it confirms, undoes and answers no plan, whatever its text. Raises `ServiceUnavailableError`: nothing
        was sent."""
        reading = classify_message(body.user_message, decides=decides, edited=body.edit is not None)
        budget = self._turn_budget
        name = idempotency_key(chat, "reply", body.user_id, request_id)
        sealed = self._vault.seal(token, budget + 30)
        with service_unavailable():
            opened = await self._command_store.open(name, budget + _OPEN_LONGER, token=sealed)
            if opened.state == COMMITTED:
                await self._vault.store(sealed)
        ticket = opened.commit_token
        now = datetime.now(UTC)
        return TurnRequest(
            request_key=request_key(body.user_id, request_id),
            request_id=request_id,
            user_id=body.user_id,
            user_message=body.user_message,
            token_ref=sealed.reference,
            accept_by=now + timedelta(seconds=min(budget, TURN_ACCEPT_WITHIN)),
            deadline=now + timedelta(seconds=budget),
            reply_token=ticket if reading.reply in COMMANDS else "",
            commit_token=ticket,
            shown_plan_id=await self.last_shown.last_offered(chat, body.user_id),
            reading=reading,
            edit=PlanEdit.model_validate(body.edit.model_dump()) if body.edit else None,
        )

    async def send(self, chat: str, turn: TurnRequest, start: ChatStart, response: Response) -> Turn:
        """Return the chat's answer (the chat is started if it does not run), or the answer after a timeout. Raises
        `ApiError`. The duration is recorded in any case."""
        began, came = time.monotonic(), "refused"
        try:
            answer = await self._heard(chat, turn, start, response)
            came = answer.type
            return answer
        finally:
            self.observer.count("turn", time.monotonic() - began, venue=start.venue_id, came=came)

    async def _heard(self, chat: str, turn: TurnRequest, start: ChatStart, response: Response) -> Turn:
        try:
            reply = await self.chats.turn(chat, start, turn)
        except ServiceUnavailableError as away:
            return await self.on_timeout(chat, turn, away.answer, response)
        finally:
            await self.commands.wipe(turn.token_ref)
        if reply.trace_id:
            bind_log_context(request_id=hashed(reply.trace_id))
        if reply.turn is None:
            assert reply.error is not None
            if reply.unsettled:
                return await self.on_timeout(chat, turn, reply.error, response)
            raise ApiError(reply.error)
        if isinstance(reply.turn, PlanTurn):
            await self.last_shown.offer(chat, reply.turn.plan)
            if reply.turn.plan.notice is not None:
                response.status_code = 202
        return reply.turn

    async def on_timeout(self, chat: str, turn: TurnRequest, error: ServiceError, response: Response) -> Turn:
        """Return the answer if the chat gave none, or none with the message's outcome. `error` names the unavailable
        part. Raises `ApiError`, unless the reply may have taken effect on a known plan."""
        word, state = turn.reading.reply, await self.commands.abort(turn.commit_token)
        if state == ABORTED:
            raise _because(error, "command.reply_refused" if word in COMMANDS else "command.message_refused")
        by = await self.commands.committed_by(turn.commit_token) if state == COMMITTED else ""
        kind = COMMANDS.get(word) if word else CommandKind.ANSWER if by and by != chat else None
        if kind is None or by == chat:
            await self.last_shown.note(chat, turn.user_id, "")
            raise _because(error, "command.message_unknown")
        view = await self._meant(chat, turn, by) if by or state != COMMITTED else None
        if state == COMMITTED:
            if view is None:
                return AnswerTurn(message=translate("command.reply_taken"))
            return PlanTurn(plan=await self.last_shown.put(self.commands.accepted(view, kind).plan))
        if view is None:
            raise _because(error, "command.reply_unknown")
        response.status_code = 202
        return PlanTurn(plan=await self.last_shown.put(self.commands.unknown_outcome(view, kind).plan))

    async def _meant(self, chat: str, turn: TurnRequest, plan_id: str) -> PlanView | None:
        """Return the plan that took this reply, or the only one that can have, if that is not certain: its current or
        last shown state. None if it could be another plan."""
        user = turn.user_id
        if not plan_id and turn.reading.reply is ShortReply.YES:
            plan_id = turn.shown_plan_id or ""
        with contextlib.suppress(ApiError, TimeoutError):
            async with asyncio.timeout(_LOOK_WITHIN):
                if not plan_id:
                    session = await self.chats.session(chat)
                    if session is not None and session.owner == user:
                        plan_id = session.pending_plan_id or ""
                if plan_id:
                    view = await self.plans.plan(plan_id)
                    return view if view.plan.user_id == user else None
        last = self.last_shown.plan(plan_id, user) if plan_id else None
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
