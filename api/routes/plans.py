"""`/v1/plans/{id}`: read, confirm, answer, skip a step, cancel, undo. Ownership is checked before any answer or
command."""

import contextlib
import time
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query, Response

from api.auth.credentials import IdempotencyKey, Token, TokenCache, request_id_of
from api.auth.page_session import PageDep, PageSession
from api.dependencies import CommandsDep, FromState, LastShownDep, LedgerDep, PlansDep, RegistriesDep, TokenCheck
from api.errors import documented
from api.routes.messages import pack_of
from api.schemas import AnswerBody, CommandBody
from clients.commands import PlanCommands, not_sent_key
from clients.errors import ApiError, ServiceUnavailableError, api_error
from clients.last_shown import LastShown
from clients.registry import Registries
from clients.temporal.plans import PlanClient
from clients.token_refresh import TokenRefresh
from contracts.chat_messages import PlanView
from contracts.commands import AnswerPrompt, CancelPlan, ConfirmPlan, PlanCommand, SkipStep, UndoPlan
from contracts.enums import RollbackOutcome, RollbackState
from contracts.enums import ServiceErrorType as E
from contracts.identifiers import Identifier
from contracts.plan import ExecutionPlan
from infra.errors import DependencyUnavailableError
from infra.ledger.manual_decisions import ManualDecisionTable
from language.messages.catalogue import active_locale, translate
from reasoning import error_messages
from workflows.workflow_ids import plan_workflow

TokenRefreshDep = Annotated[TokenRefresh, Depends(FromState(lambda app: app.services.token_refresh))]

router = APIRouter(prefix="/plans/{plan_id}", tags=["plans"])

_DECISIONS_WITHIN = 0.5
"""Seconds after which a plan is returned without the decisions, rather than late."""

_ERRORS = documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.CONFLICT, E.SERVICE_UNAVAILABLE)


_BUSY = documented(E.RATE_LIMITED)

_WORD_ERRORS = {
    **_ERRORS,
    202: {"model": ExecutionPlan, "description": "Received; `notice` says what is known of it. Look at the plan again"},
}


def plan_id_of(plan_id: Annotated[str, Path(description="The plan's id, a UUID")]) -> str:
    """Return the id if it is a UUID, because no other id names a plan. Raises `ApiError`: not_found."""
    try:
        return str(UUID(plan_id.removeprefix("plan-")))
    except ValueError:
        raise api_error(E.NOT_FOUND, _say("no_plan"), _say("no_plan_next")) from None


def _say(name: str) -> str:
    return translate(f"refuse.{name}")


PlanId = Annotated[str, Depends(plan_id_of)]
Step = Annotated[int, Path(ge=1, le=1000, description="The step, counted from 1")]


@dataclass(frozen=True)
class PlanAccess:
    """The caller, and access to the caller's own plans."""

    plans: PlanClient
    registries: Registries
    token_refresh: TokenRefresh
    commands: PlanCommands
    tokens: TokenCache
    last_shown: LastShown
    token: str
    key: str | None
    page: PageSession | None
    decisions: ManualDecisionTable | None = None

    async def get_own(self, plan_id: str, user_id: str, sends: PlanCommand | None = None) -> PlanView:
        """Return the caller's own plan. `sends`: the command that follows; it is not sent if this call fails. Raises
        `ApiError`; service_unavailable has the plan as this user last saw it, if there is one."""
        try:
            async with await self._slot(plan_id, user_id, sends):
                view = await self._admitted(plan_id, user_id)
        except ServiceUnavailableError as away:
            raise await self._last_known(away, plan_id, user_id, sends) from None
        except ApiError as error:
            if sends is not None and error.kind is E.SERVICE_UNAVAILABLE:
                error.answer.message = f"{error.answer.message} {translate(not_sent_key(sends))}"
            raise
        await self.last_shown.put(view.plan)
        return view

    async def _slot(self, plan_id: str, user_id: str, sends: PlanCommand | None) -> AbstractAsyncContextManager[None]:
        """Return a slot for reading a plan that a command follows. The read needs a worker as the command does, so a
        caller is rejected first if there is no slot, before the venue checks its token. A caller whose token the venue
        rejects takes no slot."""
        if sends is None or not sends.needs_slot:
            return contextlib.nullcontext()
        last = self.last_shown.plan(plan_id, user_id)
        venue_id = last.venue_id if last is not None else await self.plans.venue(plan_id)
        self.commands.check_capacity(venue_id, sends, known=self.tokens.is_cached(venue_id, self.token))
        if venue_id:
            await self.tokens.verify(pack_of(self.registries, venue_id), self.token, timeout=1.0)
        return self.commands.slot(venue_id, sends)

    async def _seen(self, plan_id: str) -> PlanView:
        began = time.monotonic()
        view = await self.plans.plan(plan_id)
        # Not after a failure: Temporal reports a missing plan faster than any worker answers.
        self.commands.observe_latency(time.monotonic() - began)
        return view

    async def _admitted(self, plan_id: str, user_id: str) -> PlanView:
        view, default = await self._seen(plan_id), active_locale()
        pack = pack_of(self.registries, view.plan.venue_id)
        if view.plan.notice is not None and active_locale() != default:
            # It was rendered before its venue's language was known.
            view = await self.plans.plan(plan_id)
        if self.page is not None and view.plan.venue_id != self.page.venue_id:
            raise api_error(E.FORBIDDEN, _say("foreign_name"), _say("signed_out_next"))
        if view.plan.user_id != user_id:
            raise api_error(E.FORBIDDEN, _say("foreign_plan"), _say("foreign_plan_next"))
        waiting = view.plan.rollback is not None and view.plan.rollback.state is RollbackState.WAITING_FOR_SIGN_IN
        renewed = waiting or await self.token_refresh.is_new(view, self.token)
        await self.tokens.verify(pack, self.token, creates=renewed, timeout=1.0)
        if renewed:
            await self.token_refresh.apply(plan_id, user_id, self.token)
        return view

    async def _last_known(
        self, away: ServiceUnavailableError, plan_id: str, user_id: str, sends: PlanCommand | None
    ) -> ApiError:
        # The last known plan is shown only with a token that the venue accepts, so not if the venue is unavailable.
        last = self.last_shown.plan(plan_id, user_id) if away.part != "venue" else None
        if last is not None and self.page is not None and last.venue_id != self.page.venue_id:
            last = None
        if last is not None:
            await self.tokens.verify(pack_of(self.registries, last.venue_id), self.token, timeout=1.0)
        error = error_messages.unavailable_error(
            away.part, "unavailable.last_seen" if last is not None else "unavailable.unseen"
        )
        if sends is not None:
            error.message = f"{error.message} {translate(not_sent_key(sends))}"
        error.plan = last
        return ApiError(error)

    async def with_decisions(self, plan: ExecutionPlan) -> ExecutionPlan:
        """Return the plan with the staff's decisions about its open matters. If the ledger is unavailable, return the
        plan as it ended."""
        partial = plan.rollback_report is not None and plan.rollback_report.outcome is RollbackOutcome.PARTIAL
        if self.decisions is None or not (partial or plan.uncertain or plan.stale):
            return plan
        name = plan_workflow(plan.plan_id)
        try:
            found = (await self.decisions.of([name], _DECISIONS_WITHIN)).get(name)
        except DependencyUnavailableError:
            return plan
        return plan.model_copy(update={"decisions": tuple(found)}) if found else plan

    async def execute(self, plan_id: str, command: PlanCommand, response: Response) -> ExecutionPlan:
        """Carry out a command on the caller's own plan and return the plan as the answer; status 202 while the
        command's outcome is unknown. Raises `ApiError`."""
        view = await self.get_own(plan_id, command.user_id, command)
        result = await self.commands.execute(view, command, self.token)
        if not result.certain:
            response.status_code = 202
        return await self.last_shown.put(result.plan)


def caller(
    plans: PlansDep,
    registries: RegistriesDep,
    sign_in: TokenRefreshDep,
    tokens: TokenCheck,
    last_shown: LastShownDep,
    commands: CommandsDep,
    token: Token,
    page: PageDep,
    ledger: LedgerDep,
    key: IdempotencyKey = None,
) -> PlanAccess:
    """Return the access of the calling operator."""
    return PlanAccess(
        plans, registries, sign_in, commands, tokens, last_shown, token, key, page, ManualDecisionTable(ledger)
    )


CallerDep = Annotated[PlanAccess, Depends(caller)]


@router.get("", response_model_exclude_none=True, responses=_ERRORS, summary="Look at a plan")
async def get_plan(plan_id: PlanId, user_id: Annotated[Identifier, Query()], by: CallerDep) -> ExecutionPlan:
    """Return the current plan. Poll until its status is terminal and `rollback.state`, if any, is `done`. With 503 its
    state is unknown; `error.plan`, if present, is the last known one."""
    return await by.with_decisions((await by.get_own(plan_id, user_id)).plan)


@router.post(
    "/confirm", response_model_exclude_none=True, responses={**_WORD_ERRORS, **_BUSY}, summary="Confirm a plan"
)
async def confirm(plan_id: PlanId, body: CommandBody, by: CallerDep, response: Response) -> ExecutionPlan:
    """Confirm once; execution starts at once. Idempotent while `confirmed`, and for a retry with the same `request_id`.
    After a 503 this attempt never takes effect, and an earlier one under the same `request_id` only where the answer
    states that it may have: confirm again."""
    command = ConfirmPlan(user_id=body.user_id, request_id=request_id_of(body.request_id, by.key))
    return await by.execute(plan_id, command, response)


@router.post(
    "/answers", response_model_exclude_none=True, responses={**_WORD_ERRORS, **_BUSY}, summary="Answer a question"
)
async def answer(plan_id: PlanId, body: AnswerBody, by: CallerDep, response: Response) -> ExecutionPlan:
    """Answer the question that the plan waits with; execution then goes on. A retry with the same `request_id`,
    question and text gets the same outcome; another question or text under it is refused with 422. After a 503 this
    attempt never takes effect, and an earlier one under the same `request_id` only where the answer states that it may
    have."""
    command = AnswerPrompt(
        user_id=body.user_id,
        request_id=request_id_of(body.request_id, by.key),
        text=body.user_message,
        prompt_id=body.prompt_id,
    )
    return await by.execute(plan_id, command, response)


@router.post("/steps/{step}/skip", response_model_exclude_none=True, responses=_WORD_ERRORS, summary="Leave out a step")
async def skip(plan_id: PlanId, step: Step, body: CommandBody, by: CallerDep, response: Response) -> ExecutionPlan:
    """Leave out a step that is not `required`, until it starts; those that depend on it are left out with it, and
    each has the reason in `left_out`. After a 503 this attempt leaves out nothing, and an earlier one under the same
    `request_id` only where the answer states that it may have. A `notice` reports what is known where the plan does not
    show it yet."""
    command = SkipStep(user_id=body.user_id, request_id=request_id_of(body.request_id, by.key), step=step)
    return await by.execute(plan_id, command, response)


@router.post("/cancel", status_code=202, response_model_exclude_none=True, responses=_ERRORS, summary="Cancel a plan")
async def cancel(plan_id: PlanId, body: CommandBody, by: CallerDep, response: Response) -> ExecutionPlan:
    """Drop a pending plan, or stop an executing one before its next step and undo what it did. After a 503 this
    attempt does not cancel the plan, and an earlier one under the same `request_id` only where the answer states that
    it may have. A `notice` reports what is known where the plan does not show it yet."""
    command = CancelPlan(user_id=body.user_id, request_id=request_id_of(body.request_id, by.key))
    return await by.execute(plan_id, command, response)


@router.post(
    "/undo",
    status_code=202,
    response_model_exclude_none=True,
    responses={**_ERRORS, **_BUSY},
    summary="Undo a completed plan",
)
async def undo(plan_id: PlanId, body: CommandBody, by: CallerDep, response: Response) -> ExecutionPlan:
    """Reverse a completed plan within the venue's undo window. After a 503 this attempt undoes nothing, and an earlier
    one under the same `request_id` only where the answer states that it may have. A `notice` reports what is known
    where the plan does not show it yet."""
    command = UndoPlan(user_id=body.user_id, request_id=request_id_of(body.request_id, by.key))
    return await by.execute(plan_id, command, response)
