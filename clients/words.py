"""Words that may take effect (confirm, answer, skip, cancel, undo): said to a plan, and settled before anybody is told
that they have no effect. One way for all of them, shared by the facade and by what is typed in a chat.

    open in the claims' store ──▶ send to the plan, which claims before it acts ──▶ its answer
            │                                     │ no answer in time
            │ the store is away                   ▼
            ▼                              withdraw: withdrawn ──▶ 503, for good: it never takes effect
    503: nothing was sent                            started ────▶ the plan; it took effect
                                                     unknown ────▶ 202 with the plan and a notice

The attempt that is opened is the same for every retry of a request, so a retry learns what became of the first. Where
the store is away before anything was sent, that is said of this try only: an earlier one under the same id may stand.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from uuid import UUID, uuid4, uuid5

from clients.errors import RequestError, UnansweredError, refuse
from clients.places import Places
from clients.plans import PlanClient
from clients.same_answer import answer_id, content_of, says_other, taken_under
from clients.temporal import bounded
from contracts.enums import PlanStatus, ServiceErrorType, StepStatus
from contracts.messages import Answer, CancelRequest, ConfirmRequest, PlanView, SkipStep, UndoPlan
from contracts.plan import ExecutionPlan
from infra.claims import AWAY, STARTED, WITHDRAWN, Claims, content_in
from infra.vault import Vault
from language.catalogue import say
from reasoning import wording

log = logging.getLogger(__name__)

_NAMESPACE = UUID("b0f6a0c1-6c61-4a8c-8f0a-2f8a1f1f4f52")

_WITHIN = 2.0
"""Seconds in which a plan must have answered a word. Every route answers within three: a look, then the word."""
_UNDO_WITHIN = 10.0
"""Seconds for an undo, which looks at every booking first (`workflows.plan` gives up after six)."""
LONGEST_WORD = _WITHIN + _UNDO_WITHIN
"""Seconds that the slowest of them is waited for."""
_STORE_WITHIN = 1.0
_WITHDRAW_WITHIN = 0.3
PLACE_WITHIN = 1.0
"""Seconds that a word may wait for its place; a look at its plan as long before."""
OPEN_LONGER = 3.0
"""Seconds that a word stays open beyond the wait for it, so that the wait ends by a withdrawal and not by the store's
clock. When nobody could withdraw it, this is how long its effect stays open."""


class Kind(StrEnum):
    """What is said. `drop` cancels a pending plan that another is to replace. Each has its sentences in `[word]`."""

    CONFIRM = "confirm"
    ANSWER = "answer"
    CANCEL = "cancel"
    UNDO = "undo"
    SKIP = "skip"
    DROP = "drop"


_ASK_FOR_WORK = frozenset({Kind.CONFIRM, Kind.ANSWER, Kind.UNDO})


@dataclass(frozen=True, slots=True)
class Word:
    """One word of one request. A chat's yes or no comes with the ticket under which the facade has opened it."""

    kind: Kind
    user_id: str
    request_id: str | None = None
    ticket: str = ""

    @property
    def asks_for_work(self) -> bool:
        """Whether it needs a place: what takes work away is always heard, and what came in a message has that one's."""
        return self.kind in _ASK_FOR_WORK and not self.ticket


@dataclass(frozen=True, slots=True)
class Said:
    """The plan after a word, and whether it is known what became of the word; else the plan carries a notice."""

    plan: ExecutionPlan
    certain: bool = True


P = ParamSpec("P")


def _in_a_place(
    said: Callable[Concatenate["Words", PlanView, Word, P], Coroutine[Any, Any, Said]],
) -> Callable[Concatenate["Words", PlanView, Word, P], Coroutine[Any, Any, Said]]:
    """A word that asks for work has a place for its time, unless it came in a message, which has one."""

    @wraps(said)
    async def placed(words: "Words", view: PlanView, word: Word, /, *args: P.args, **given: P.kwargs) -> Said:
        async with words.place(view.plan.venue_id, word, again=True):
            return await said(words, view, word, *args, **given)

    return placed


def attempt_of(scope: str, kind: str, user_id: str, request_id: str | None) -> str:
    """The name of a request's attempt: the same for each retry of a request that has an id."""
    return str(uuid5(_NAMESPACE, f"{scope}\n{kind}\n{user_id}\n{request_id}") if request_id else uuid4())


class Words:
    """Says words to plans."""

    def __init__(
        self,
        plans: PlanClient,
        vault: Vault,
        claims: Claims,
        token_ttl: float,
        places: Places | None = None,
        several: Callable[[], bool] = lambda: True,
    ) -> None:
        """`several`: whether several venues are served, so that one may not take every place."""
        self._plans = plans
        self._vault = vault
        self._claims = claims
        self._token_ttl = token_ttl
        self._places = places
        self._several = several

    def place(self, venue_id: str, word: Word, *, again: bool = False) -> AbstractAsyncContextManager[None]:
        """Room for a word that asks for work: while its plan is looked at, and `again` while it is said. Entering
        raises `RequestError`: rate_limited, and nothing was sent."""
        if self._places is None or not word.asks_for_work:
            return contextlib.nullcontext()
        return self._places.one(venue_id, several=self._several(), then=say(not_sent(word)), again=again)

    def foreseen(self, venue_id: str, word: Word, *, known: bool) -> None:
        """Raises `RequestError` as `place` does, where a word would find none. `known`: whether it comes from somebody
        whom the venue accepted lately."""
        if self._places is not None and word.asks_for_work:
            self._places.foreseen(venue_id, several=self._several(), then=say(not_sent(word)), known=known)

    def felt(self, seconds: float) -> None:
        """A worker was asked how a plan stands, for so long."""
        if self._places is not None:
            self._places.share.felt(seconds)

    @_in_a_place
    async def confirm(self, view: PlanView, word: Word, token: str | None) -> Said:
        """Confirm the plan in view. Idempotent while `confirmed`. Without a token only an attempt that took effect
        already can be told of. Raises `RequestError`; after service_unavailable it never takes effect."""
        if word.request_id is not None and view.confirm_request_id == word.request_id:
            return Said(view.plan)
        attempt, ticket, begun = await self._open(view, word, _WITHIN)
        if begun:
            return self.begun(view, word)
        if view.plan.status not in (PlanStatus.PENDING_CONFIRMATION, PlanStatus.CONFIRMED):
            again = (say("next.again"),) if view.plan.status is PlanStatus.EXPIRED else ()
            raise refuse(ServiceErrorType.CONFLICT, wording.already(view.plan.status), *again, plan=view.plan)
        lent = await self._lend(word, token)
        request = ConfirmRequest(
            user_id=word.user_id,
            request_id=word.request_id or attempt,
            token_ref=lent,
            deadline=_deadline(_WITHIN),
            attempt=ticket,
        )
        return await self._send(view, word, ticket, self._plans.confirm(view.plan.plan_id, request, _WITHIN), lent)

    @_in_a_place
    async def answer(self, view: PlanView, word: Word, text: str, prompt_id: str | None) -> Said:
        """Answer the question that the plan in view waits with. Raises `RequestError` as `confirm` does, and
        invalid_request where its id came with another answer before."""
        plan_id, prompt = view.plan.plan_id, view.plan.blocking_prompt
        content = content_of(plan_id, prompt_id or (prompt.prompt_id if prompt else None), text)
        taken = taken_under(attempt_of(plan_id, word.kind, word.user_id, word.request_id), view.taken_answers)
        attempt, ticket, begun = await self._open(view, word, _WITHIN, content=content) if not taken else ("", "", True)
        # What comes in a message was compared by its chat, and is for the question that is open then.
        if not word.ticket and says_other(taken or content_in(ticket), plan_id, prompt_id, text):
            raise refuse(
                ServiceErrorType.INVALID_REQUEST, say("refuse.reused_answer"), say("refuse.reused_answer_next")
            )
        if begun:
            return self.begun(view, word, taken=bool(taken))
        if prompt is None:
            raise refuse(
                ServiceErrorType.CONFLICT, say("refuse.nothing_asked"), wording.way_on(view.plan), plan=view.plan
            )
        if prompt_id is None and view.prompts_asked > 1:
            raise refuse(ServiceErrorType.CONFLICT, say("refuse.which_prompt"), plan=view.plan)
        if prompt_id not in (None, prompt.prompt_id):
            raise refuse(ServiceErrorType.CONFLICT, say("refuse.answered"), plan=view.plan)
        name = answer_id(attempt, content)
        given = Answer(answer_id=name, user_id=word.user_id, text=text, prompt_id=prompt.prompt_id, attempt=ticket)
        return await self._send(view, word, ticket, bounded(self._until_taken(plan_id, given), _WITHIN))

    async def _until_taken(self, plan_id: str, given: Answer) -> PlanView:
        await self._plans.answer(plan_id, given)
        while True:
            view = await self._plans.plan(plan_id)
            if given.answer_id in view.taken_answers:
                return view
            prompt = view.plan.blocking_prompt
            if not view.plan.stale and (prompt is None or prompt.prompt_id != given.prompt_id):
                raise refuse(ServiceErrorType.CONFLICT, say("refuse.answered"), plan=view.plan)
            await asyncio.sleep(0.05)

    async def cancel(
        self, view: PlanView, word: Word, superseded_by: str | None = None, waits_for: str | None = None
    ) -> Said:
        """Drop the plan in view, or stop it before its next step; with `waits_for` only while it waits for that
        (`contracts.messages.CancelRequest`). Raises `RequestError` as `confirm` does."""
        _, ticket, begun = await self._open(view, word, _WITHIN)
        if begun:
            return self.begun(view, word)
        if view.plan.status.terminal:
            raise refuse(
                ServiceErrorType.CONFLICT, wording.already(view.plan.status), wording.way_on(view.plan), plan=view.plan
            )
        request = CancelRequest(
            user_id=word.user_id,
            deadline=_deadline(_WITHIN),
            superseded_by=superseded_by,
            waits_for=waits_for,
            attempt=ticket,
        )
        return await self._send(view, word, ticket, self._plans.cancel(view.plan.plan_id, request, _WITHIN))

    async def skip(self, view: PlanView, word: Word, step: int) -> Said:
        """Leave out a step of the plan in view that has not started. Raises `RequestError` as `confirm` does, and
        not_found for a step that there is not."""
        _, ticket, begun = await self._open(view, word, _WITHIN, of=f"{view.plan.plan_id} step {step}")
        if begun:
            shown = any(a.step == step and a.status is StepStatus.SKIPPED for a in view.plan.actions)
            return Said(view.plan) if shown else self.begun(view, word)
        request = SkipStep(user_id=word.user_id, step=step, deadline=_deadline(_WITHIN), attempt=ticket)
        return await self._send(view, word, ticket, self._plans.skip(view.plan.plan_id, request, _WITHIN))

    @_in_a_place
    async def undo(self, view: PlanView, word: Word, token: str) -> Said:
        """Undo the completed plan in view; looks at every booking first. Raises `RequestError` as `confirm` does."""
        _, ticket, begun = await self._open(view, word, _WITHIN + _UNDO_WITHIN)
        if begun:
            return self.begun(view, word)
        if view.plan.status is not PlanStatus.COMPLETED or view.plan.undo_until is None:
            raise refuse(
                ServiceErrorType.CONFLICT, wording.cannot_undo(view.plan), wording.way_on(view.plan), plan=view.plan
            )
        lent = await self._lend(word, token)
        request = UndoPlan(user_id=word.user_id, token_ref=lent, deadline=_deadline(_WITHIN), attempt=ticket)
        sending = self._plans.undo(view.plan.plan_id, request, _WITHIN, _UNDO_WITHIN)
        return await self._send(view, word, ticket, sending, lent)

    async def _open(
        self, view: PlanView, word: Word, wait: float, of: str = "", content: str = ""
    ) -> tuple[str, str, bool]:
        """The attempt, its ticket, and whether it has taken effect already; `of` is what of the plan it is about, where
        that is not the plan, `content` what it says. Raises `UnansweredError`: nothing was sent."""
        attempt = attempt_of(of or view.plan.plan_id, word.kind, word.user_id, word.request_id)
        try:
            async with asyncio.timeout(_STORE_WITHIN):
                if word.ticket:
                    return attempt, word.ticket, await self._claims.standing(word.ticket) == STARTED
                opened = await self._claims.open(attempt, wait + OPEN_LONGER, content)
        except AWAY:
            raise UnansweredError("store", not_sent(word)) from None
        return attempt, opened.ticket, opened.word == STARTED

    async def _lend(self, word: Word, token: str | None) -> str:
        """A reference to the plan's own copy of the token. Raises `RequestError`: nothing was sent."""
        if token is None:
            # Whoever said the word has gone: what it came with is wiped.
            raise RequestError(wording.unavailable("slow", not_sent(word)))
        try:
            async with asyncio.timeout(_STORE_WITHIN):
                return await self._vault.put(token, self._token_ttl)
        except AWAY:
            raise UnansweredError("store", not_sent(word)) from None

    async def _send(
        self, view: PlanView, word: Word, ticket: str, sending: Coroutine[Any, Any, PlanView], lent: str = ""
    ) -> Said:
        try:
            after = await sending
        except UnansweredError as away:
            stands = await self.withdraw(ticket)
            if stands == WITHDRAWN:
                await self.wipe(lent)
                part = "worker" if view.plan.stale and away.part == "slow" else away.part
                raise RequestError(wording.unavailable(part, f"word.{word.kind}_refused")) from None
            return self.begun(view, word) if stands == STARTED else self.unknown(view, word)
        except RequestError as refused:
            await self.wipe(lent)
            if await self._started(ticket):
                # The same word, said twice, and the other one was first; or the plan ended before it could count.
                return self.begun(view.model_copy(update={"plan": await self._as_it_stands(view)}), word)
            if refused.kind is ServiceErrorType.CONFLICT and refused.answer.plan is None:
                refused.answer.plan = await self._as_it_stands(view)
            raise
        if lent and after.token_ref != lent:
            await self.wipe(lent)
        return Said(after.plan)

    async def _as_it_stands(self, view: PlanView) -> ExecutionPlan:
        with contextlib.suppress(RequestError):
            return (await self._plans.plan(view.plan.plan_id)).plan
        return view.plan.model_copy(update={"stale": True})

    async def withdraw(self, ticket: str) -> str | None:
        """What stands of a word that nobody answered; None when that cannot be known in time."""
        try:
            async with asyncio.timeout(_WITHDRAW_WITHIN):
                return await self._claims.withdraw(ticket)
        except AWAY:
            log.warning("the claims' store is away: it is not known what becomes of a word")
            return None

    async def claimant(self, ticket: str) -> str:
        """Who has claimed a word; empty when that cannot be known in time."""
        with contextlib.suppress(*AWAY):
            async with asyncio.timeout(_WITHDRAW_WITHIN):
                return await self._claims.claimant(ticket)
        return ""

    async def _started(self, ticket: str) -> bool:
        with contextlib.suppress(*AWAY):
            async with asyncio.timeout(_WITHDRAW_WITHIN):
                return await self._claims.standing(ticket) == STARTED
        return False

    async def wipe(self, reference: str) -> None:
        """Forget a token that nothing will use; its time to live ends it where the store is away."""
        if reference:
            with contextlib.suppress(*AWAY):
                async with asyncio.timeout(_WITHDRAW_WITHIN):
                    await self._vault.wipe(reference)

    @staticmethod
    def begun(view: PlanView, word: Word, *, taken: bool = False) -> Said:
        """A word that took effect, told with the plan in view, which may be from before that."""
        plan = view.plan
        if word.kind is Kind.CONFIRM and plan.status is PlanStatus.PENDING_CONFIRMATION:
            confirmed = {"status": PlanStatus.CONFIRMED, "confirmed_at": datetime.now(UTC), "stale": True}
            return Said(plan.model_copy(update=confirmed))
        if _shows(plan, word.kind) or taken:
            return Said(plan)
        if word.kind is Kind.DROP:
            return Words.unknown(view, word)
        notice = say(f"word.{word.kind}_begun")
        return Said(plan.model_copy(update={"stale": True, "notice": notice}))

    @staticmethod
    def unknown(view: PlanView, word: Word) -> Said:
        """A word of which nobody can say yet whether it took effect, told with the plan as it was."""
        notice = say(f"word.{word.kind}_unknown")
        return Said(view.plan.model_copy(update={"stale": True, "notice": notice}), certain=False)


def not_sent(word: Word) -> str:
    """The key of what it means that a word was not passed on: another try under the same id may have been."""
    return "away.not_sent_again" if word.request_id else "away.not_sent"


def _deadline(wait: float) -> datetime:
    """For workers from before there were claims, which refuse what comes later."""
    return datetime.now(UTC) + timedelta(seconds=wait)


def _shows(plan: ExecutionPlan, kind: Kind) -> bool:
    """Whether a plan, as it was last seen, is past the word."""
    match kind:
        case Kind.CONFIRM | Kind.DROP:
            return plan.status is not PlanStatus.PENDING_CONFIRMATION
        case Kind.CANCEL:
            return plan.status.terminal
        case Kind.ANSWER:
            return plan.blocking_prompt is None
        case Kind.SKIP:
            return False
        case Kind.UNDO:
            return plan.rollback is not None
