"""`/v1/plans/{id}`: look, confirm, answer, leave out a step, cancel, undo. Ownership is checked before anything is
told or done."""

import contextlib
import time
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query, Response

from api.auth import IdempotencyKey, Token, TokenCache, id_of
from api.bodies import AnswerBody, WordBody
from api.errors import documented
from api.injected import LedgerDep, PlansDep, RegistriesDep, ShownDep, SignInDep, TokenCheck, WordsDep
from api.page_session import PageDep, PageSession
from api.requests import pack_of
from api.shown import Shown
from clients.errors import RequestError, UnansweredError, refuse
from clients.plans import PlanClient
from clients.registries import Registries
from clients.sign_in import SignIn
from clients.words import Kind, Said, Word, Words, not_sent
from contracts.enums import RollbackOutcome, RollbackState
from contracts.enums import ServiceErrorType as E
from contracts.messages import PlanView
from contracts.names import Identifier
from contracts.plan import ExecutionPlan
from infra.ledger.database import LedgerAwayError
from infra.ledger.decisions import Decisions
from language.catalogue import say, spoken
from reasoning import wording
from workflows.ids import plan_workflow

router = APIRouter(prefix="/plans/{plan_id}", tags=["plans"])

_DECISIONS_WITHIN = 0.5
"""Seconds: a plan is shown without them rather than late."""

_ERRORS = documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.CONFLICT, E.SERVICE_UNAVAILABLE)


_BUSY = documented(E.RATE_LIMITED)

_WORD_ERRORS = {
    **_ERRORS,
    202: {"model": ExecutionPlan, "description": "Received; `notice` says what is known of it. Look at the plan again"},
}


def plan_id_of(plan_id: Annotated[str, Path(description="The plan's id, a UUID")]) -> str:
    """The id, checked: what is no UUID names no plan. Raises `RequestError`: not_found."""
    try:
        return str(UUID(plan_id.removeprefix("plan-")))
    except ValueError:
        raise refuse(E.NOT_FOUND, _say("no_plan"), _say("no_plan_next")) from None


def _say(name: str) -> str:
    return say(f"refuse.{name}")


PlanId = Annotated[str, Depends(plan_id_of)]
Step = Annotated[int, Path(ge=1, le=1000, description="The step, counted from 1")]


@dataclass(frozen=True)
class Caller:
    """Who asks, and how the plan is found that is theirs."""

    plans: PlanClient
    registries: Registries
    sign_in: SignIn
    words: Words
    tokens: TokenCache
    shown: Shown
    token: str
    key: str | None
    page: PageSession | None
    decisions: Decisions | None = None

    async def own(self, plan_id: str, user_id: str, sends: Word | None = None) -> PlanView:
        """The caller's own plan. `sends`: the word that is to follow, which is not sent when this fails.
        Raises `RequestError`; after service_unavailable with the plan as it was shown to this user last, if it was."""
        try:
            async with await self._room(plan_id, user_id, sends):
                view = await self._admitted(plan_id, user_id)
        except UnansweredError as away:
            raise await self._unseen(away, plan_id, user_id, sends) from None
        except RequestError as error:
            if sends is not None and error.kind is E.SERVICE_UNAVAILABLE:
                error.answer.message = f"{error.answer.message} {say(not_sent(sends))}"
            raise
        await self.shown.keep(view.plan)
        return view

    async def _room(self, plan_id: str, user_id: str, sends: Word | None) -> AbstractAsyncContextManager[None]:
        """A place for looking at a plan to which a word is to be said: a look asks a worker as the word does, so those
        for which there is no place are told before it, and before the venue is asked about their token. Who has none of
        the venue takes no place."""
        if sends is None or not sends.asks_for_work:
            return contextlib.nullcontext()
        last = self.shown.plan(plan_id, user_id)
        venue_id = last.venue_id if last is not None else await self.plans.venue(plan_id)
        self.words.foreseen(venue_id, sends, known=self.tokens.knows(venue_id, self.token))
        if venue_id:
            await self.tokens.admit(pack_of(self.registries, venue_id), self.token, within=1.0)
        return self.words.place(venue_id, sends)

    async def _seen(self, plan_id: str) -> PlanView:
        began = time.monotonic()
        view = await self.plans.plan(plan_id)
        # Not where it failed: that there is no such plan Temporal says by itself, sooner than any worker answers.
        self.words.felt(time.monotonic() - began)
        return view

    async def _admitted(self, plan_id: str, user_id: str) -> PlanView:
        view, default = await self._seen(plan_id), spoken()
        pack = pack_of(self.registries, view.plan.venue_id)
        if view.plan.notice is not None and spoken() != default:
            # It was told before its venue's language was known.
            view = await self.plans.plan(plan_id)
        if self.page is not None and view.plan.venue_id != self.page.venue_id:
            raise refuse(E.FORBIDDEN, _say("foreign_name"), _say("signed_out_next"))
        if view.plan.user_id != user_id:
            raise refuse(E.FORBIDDEN, _say("foreign_plan"), _say("foreign_plan_next"))
        waiting = view.plan.rollback is not None and view.plan.rollback.state is RollbackState.WAITING_FOR_SIGN_IN
        renewed = waiting or await self.sign_in.differs(view, self.token)
        await self.tokens.admit(pack, self.token, anew=renewed, within=1.0)
        if renewed:
            await self.sign_in.hand_over(plan_id, user_id, self.token)
        return view

    async def _unseen(self, away: UnansweredError, plan_id: str, user_id: str, sends: Word | None) -> RequestError:
        # What was shown is told only to a token that the venue accepts, so not when it cannot be asked.
        last = self.shown.plan(plan_id, user_id) if away.part != "venue" else None
        if last is not None and self.page is not None and last.venue_id != self.page.venue_id:
            last = None
        if last is not None:
            await self.tokens.admit(pack_of(self.registries, last.venue_id), self.token, within=1.0)
        error = wording.unavailable(away.part, "away.last_seen" if last is not None else "away.unseen")
        if sends is not None:
            error.message = f"{error.message} {say(not_sent(sends))}"
        error.plan = last
        return RequestError(error)

    async def with_decisions(self, plan: ExecutionPlan) -> ExecutionPlan:
        """A plan that left something to a person, with what they have said of it since. Where the ledger is away it is
        shown as it ended."""
        partial = plan.rollback_report is not None and plan.rollback_report.outcome is RollbackOutcome.PARTIAL
        if self.decisions is None or not (partial or plan.uncertain or plan.stale):
            return plan
        name = plan_workflow(plan.plan_id)
        try:
            found = (await self.decisions.of([name], _DECISIONS_WITHIN)).get(name)
        except LedgerAwayError:
            return plan
        return plan.model_copy(update={"decisions": tuple(found)}) if found else plan

    async def tell(self, said: Said, response: Response) -> ExecutionPlan:
        """Answer with the plan; 202 when it is not known yet what became of the word."""
        if not said.certain:
            response.status_code = 202
        return await self.shown.keep(said.plan)


def caller(
    plans: PlansDep,
    registries: RegistriesDep,
    sign_in: SignInDep,
    tokens: TokenCheck,
    shown: ShownDep,
    words: WordsDep,
    token: Token,
    page: PageDep,
    ledger: LedgerDep,
    key: IdempotencyKey = None,
) -> Caller:
    """Who asks."""
    return Caller(plans, registries, sign_in, words, tokens, shown, token, key, page, Decisions(ledger))


CallerDep = Annotated[Caller, Depends(caller)]


@router.get("", response_model_exclude_none=True, responses=_ERRORS, summary="Look at a plan")
async def look(plan_id: PlanId, user_id: Annotated[Identifier, Query()], by: CallerDep) -> ExecutionPlan:
    """The plan as it stands. Poll until its status is terminal and `rollback.state`, if any, is `done`. With 503 how it
    stands is not known; `error.plan`, if there, is how it was last seen."""
    return await by.with_decisions((await by.own(plan_id, user_id)).plan)


@router.post(
    "/confirm", response_model_exclude_none=True, responses={**_WORD_ERRORS, **_BUSY}, summary="Confirm a plan"
)
async def confirm(plan_id: PlanId, body: WordBody, by: CallerDep, words: WordsDep, response: Response) -> ExecutionPlan:
    """Confirm once; execution starts at once. Idempotent while `confirmed`, and for a retry with the same `request_id`.
    After a 503 this try never takes effect, and one before it under the same `request_id` only where the answer says
    that it may have: confirm again."""
    word = Word(Kind.CONFIRM, body.user_id, id_of(body.request_id, by.key))
    view = await by.own(plan_id, body.user_id, word)
    return await by.tell(await words.confirm(view, word, by.token), response)


@router.post(
    "/answers", response_model_exclude_none=True, responses={**_WORD_ERRORS, **_BUSY}, summary="Answer a question"
)
async def answer(
    plan_id: PlanId, body: AnswerBody, by: CallerDep, words: WordsDep, response: Response
) -> ExecutionPlan:
    """Answer the question that the plan waits with; execution then goes on. A retry with the same `request_id`,
    question and text gets the same outcome; another question or text under it is refused with 422. After a 503 this try
    is never taken, and one before it under the same `request_id` only where the answer says that it may have been."""
    word = Word(Kind.ANSWER, body.user_id, id_of(body.request_id, by.key))
    view = await by.own(plan_id, body.user_id, word)
    return await by.tell(await words.answer(view, word, body.user_message, body.prompt_id), response)


@router.post("/steps/{step}/skip", response_model_exclude_none=True, responses=_WORD_ERRORS, summary="Leave out a step")
async def skip(
    plan_id: PlanId, step: Step, body: WordBody, by: CallerDep, words: WordsDep, response: Response
) -> ExecutionPlan:
    """Leave out a step that is not `required`, until it starts; those that depend on it are left out with it, and
    each says why in `left_out`. After a 503 nothing is left out by this try, and by one before it under the same
    `request_id` only where the answer says that it may have been. A `notice` says what is known where the plan does not
    show it yet."""
    word = Word(Kind.SKIP, body.user_id, id_of(body.request_id, by.key))
    view = await by.own(plan_id, body.user_id, word)
    return await by.tell(await words.skip(view, word, step), response)


@router.post("/cancel", status_code=202, response_model_exclude_none=True, responses=_ERRORS, summary="Cancel a plan")
async def cancel(plan_id: PlanId, body: WordBody, by: CallerDep, words: WordsDep, response: Response) -> ExecutionPlan:
    """Drop a pending plan, or stop an executing one before its next step and undo what it did. After a 503 the plan is
    not cancelled by this try, and by one before it under the same `request_id` only where the answer says that it may
    have been. A `notice` says what is known where the plan does not show it yet."""
    word = Word(Kind.CANCEL, body.user_id, id_of(body.request_id, by.key))
    view = await by.own(plan_id, body.user_id, word)
    return await by.tell(await words.cancel(view, word), response)


@router.post(
    "/undo",
    status_code=202,
    response_model_exclude_none=True,
    responses={**_ERRORS, **_BUSY},
    summary="Undo a completed plan",
)
async def undo(plan_id: PlanId, body: WordBody, by: CallerDep, words: WordsDep, response: Response) -> ExecutionPlan:
    """Reverse a completed plan within the venue's undo window. After a 503 nothing is undone by this try, and by one
    before it under the same `request_id` only where the answer says that it may have been. A `notice` says what is
    known where the plan does not show it yet."""
    word = Word(Kind.UNDO, body.user_id, id_of(body.request_id, by.key))
    view = await by.own(plan_id, body.user_id, word)
    return await by.tell(await words.undo(view, word, by.token), response)
