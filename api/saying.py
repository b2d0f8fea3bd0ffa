"""One message on its way to its chat, and what is said of it when no answer comes. Each is opened and settled like
every word that may take effect (`clients.words`): a bare yes or no is claimed by its plan, any other message by the
chat before it makes a plan of it or replaces one. No other message changes a booking by itself."""

import asyncio
import contextlib
import hashlib
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from fastapi import Response

from api.bodies import RequestBody
from api.shown import Shown
from clients.chats import TURN_ACCEPT_WITHIN, ChatClient
from clients.errors import RequestError, UnansweredError
from clients.places import Places
from clients.plans import PlanClient
from clients.words import OPEN_LONGER, Kind, Word, Words, attempt_of
from contracts.aside import Aside
from contracts.enums import ShortReply
from contracts.errors import ServiceError
from contracts.messages import ChatStart, PlanEdit, PlanView, TurnRequest
from contracts.turn import AnswerTurn, PlanTurn, Turn
from infra.claims import AWAY, STARTED, WITHDRAWN, Claims
from infra.log_ids import also_about, hashed
from infra.observe import Observer
from infra.vault import Vault
from language.catalogue import say
from language.effects import asks_for_change
from language.handing import asks_for_a_person
from language.pointing import points_back
from language.replies import after_a_drop, chose_undo, read_reply
from language.somebody import for_whom

KINDS = {
    ShortReply.YES: Kind.CONFIRM,
    ShortReply.YES_CANCEL: Kind.CONFIRM,
    ShortReply.NO: Kind.CANCEL,
    ShortReply.WAIT: Kind.CANCEL,
    ShortReply.STOP: Kind.CANCEL,
    ShortReply.CANCEL: Kind.CANCEL,
    ShortReply.UNDO: Kind.UNDO,
}
"""What a short reply may come to on a plan. The others only look or ask."""

DECIDES = frozenset({ShortReply.YES, ShortReply.YES_CANCEL, ShortReply.UNDO})
"""Those by which bookings change: a person's to say, and nobody else's. The rest of them stop what is under way."""

_OPEN_LONGER = TURN_ACCEPT_WITHIN + 1 + OPEN_LONGER
"""Seconds beyond the turn's budget: as long as its answer is waited for, and then some."""
_STORE_WITHIN = 1.0
_LOOK_WITHIN = 1.0
"""Seconds for finding the plan that a reply was meant for, once it is known that its answer will not come."""


def request_key(user_id: str, request_id: str) -> str:
    """What the retry of a message is recognised by."""
    return hashlib.sha256(f"{user_id}\n{request_id}".encode()).hexdigest()


class Sayings:
    """How messages are sent; `turn_budget` in seconds."""

    def __init__(
        self,
        claims: Claims,
        vault: Vault,
        words: Words,
        chats: ChatClient,
        plans: PlanClient,
        shown: Shown,
        turn_budget: float,
        observer: Observer,
        places: Places,
    ) -> None:
        self._claims = claims
        self._vault = vault
        self._turn_budget = turn_budget
        self.observer = observer
        self.words = words
        self.chats = chats
        self.plans = plans
        self.shown = shown
        self.places = places

    async def begin(
        self, chat: str, body: RequestBody, request_id: str, token: str, *, decides: bool = True
    ) -> "Saying":
        """Put a message's token aside and open it. One that `decides` nothing confirms, undoes and answers no plan,
        whatever it says. Raises `UnansweredError`: nothing was sent."""
        read, budget = None if body.edit else read_reply(body.user_message), self._turn_budget
        reply = read.kind if read is not None and (decides or read.kind not in DECIDES) else None
        try:
            async with asyncio.timeout(_STORE_WITHIN):
                name = attempt_of(chat, "reply", body.user_id, request_id)
                ticket = (await self._claims.open(name, budget + _OPEN_LONGER)).ticket
                reference = await self._vault.put(token, budget + 30)
        except AWAY:
            raise UnansweredError("store") from None
        now = datetime.now(UTC)
        turn = TurnRequest(
            request_key=request_key(body.user_id, request_id),
            request_id=request_id,
            user_id=body.user_id,
            user_message=body.user_message,
            token_ref=reference,
            accept_by=now + timedelta(seconds=min(budget, TURN_ACCEPT_WITHIN)),
            deadline=now + timedelta(seconds=budget),
            attempt=ticket if reply in KINDS else "",
            settled_words=True,
            ticket=ticket,
            shown_plan_id=await self.shown.offered(chat, body.user_id),
            reply=reply,
            judged=True,
            chose_undo=decides and chose_undo(body.user_message),
            # Only what asks for no change can be an answer to a running plan.
            wants_change=not decides or asks_for_change(body.user_message),
            points_back=points_back(body.user_message),
            after_drop=after_a_drop(body.user_message),
            aside=read.aside if read is not None else Aside(),
            for_whom=for_whom(body.user_message),
            wants_person=body.edit is None and asks_for_a_person(body.user_message),
            edit=PlanEdit.model_validate(body.edit.model_dump()) if body.edit else None,
        )
        return Saying(self, chat, turn, reply)


@dataclass(frozen=True)
class Saying:
    """A message as it is sent. Its token is the chat's until the turn is over."""

    by: Sayings
    chat: str
    turn: TurnRequest
    reply: ShortReply | None

    async def heard(self, start: ChatStart, response: Response) -> Turn:
        """What the chat answers, which is started if it does not run, or what is said where no answer came. Raises
        `RequestError`. How long it took is counted, whatever comes of it."""
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
        except UnansweredError as away:
            return await self.unanswered(away.answer, response)
        finally:
            await self.by.words.wipe(self.turn.token_ref)
        if reply.trace_id:
            also_about(request_id=hashed(reply.trace_id))
        if reply.turn is None:
            assert reply.error is not None
            if reply.unsettled:
                return await self.unanswered(reply.error, response)
            raise RequestError(reply.error)
        if isinstance(reply.turn, PlanTurn):
            await self.by.shown.offer(self.chat, reply.turn.plan)
            if reply.turn.plan.notice is not None:
                response.status_code = 202
        return reply.turn

    async def unanswered(self, error: ServiceError, response: Response) -> Turn:
        """What is said when no answer came, or none that tells what became of a message. `error` names the part that
        is away. Raises `RequestError` unless the reply may have taken effect on a plan that is known."""
        stands = await self.by.words.withdraw(self.turn.ticket)
        if stands == WITHDRAWN:
            raise _because(error, "word.reply_refused" if self.reply in KINDS else "word.message_refused")
        by = await self.by.words.claimant(self.turn.ticket) if stands == STARTED else ""
        kind = KINDS.get(self.reply) if self.reply else Kind.ANSWER if by and by != self.chat else None
        if kind is None or by == self.chat:
            await self.by.shown.lose(self.chat, self.turn.user_id)
            raise _because(error, "word.message_unknown")
        view = await self._meant(by) if by or stands != STARTED else None
        word = Word(kind, self.turn.user_id)
        if stands == STARTED:
            if view is None:
                return AnswerTurn(message=say("word.reply_taken"))
            return PlanTurn(plan=await self.by.shown.keep(self.by.words.begun(view, word).plan))
        if view is None:
            raise _because(error, "word.reply_unknown")
        response.status_code = 202
        return PlanTurn(plan=await self.by.shown.keep(self.by.words.unknown(view, word).plan))

    async def _meant(self, plan_id: str) -> PlanView | None:
        """The plan that took this reply, or, where nobody took it for certain, the only one that can have: as it
        stands, or as it was shown last. None when it could be another one."""
        user = self.turn.user_id
        if not plan_id and self.reply is ShortReply.YES:
            plan_id = self.turn.shown_plan_id or ""
        with contextlib.suppress(RequestError, TimeoutError):
            async with asyncio.timeout(_LOOK_WITHIN):
                if not plan_id:
                    session = await self.by.chats.session(self.chat)
                    if session is not None and session.owner == user:
                        plan_id = session.pending_plan_id or ""
                if plan_id:
                    view = await self.by.plans.plan(plan_id)
                    return view if view.plan.user_id == user else None
        last = self.by.shown.plan(plan_id, user) if plan_id else None
        return PlanView(plan=last) if last is not None else None


def _because(error: ServiceError, then: str) -> RequestError:
    return RequestError(error.model_copy(update={"message": f"{error.message} {say(then)}"}))
