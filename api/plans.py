"""`/v1/plans/{id}`: look, confirm, answer, cancel, undo. Ownership is checked before anything is told or done."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID, uuid4

from fastapi import APIRouter, Depends, Path, Query

from activities.desk import ACCEPT_WITHIN, DeskError, refuse
from activities.wiring import Parts
from api.auth import PartsDep, Token, TokenCheck
from api.bodies import AnswerBody, ConfirmBody, UserBody
from api.errors import documented
from api.requests import pack_of
from contracts.base import Identifier
from contracts.enums import PlanStatus, RollbackState
from contracts.enums import ServiceErrorType as E
from contracts.messages import Answer, CancelRequest, ConfirmRequest, PlanView, SignedIn, UndoPlan
from contracts.plan import ExecutionPlan
from infra.vault import TokenMissing
from language.catalogue import say, spoken
from reasoning import wording

router = APIRouter(prefix="/plans/{plan_id}", tags=["plans"])

_ERRORS = documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.CONFLICT, E.SERVICE_UNAVAILABLE)


def plan_id_of(plan_id: Annotated[str, Path(description="The plan's id, a UUID")]) -> str:
    """The id, checked: what is no UUID names no plan. Raises `DeskError`: not_found."""
    try:
        return str(UUID(plan_id.removeprefix("plan-")))
    except ValueError:
        raise refuse(E.NOT_FOUND, _say("no_plan"), _say("no_plan_next")) from None


def _say(name: str) -> str:
    return say(f"refuse.{name}", spoken())


PlanId = Annotated[str, Depends(plan_id_of)]


def _accept_by() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=ACCEPT_WITHIN)


async def _own_plan(parts: PartsDep, tokens: TokenCheck, plan_id: str, user_id: str, token: str) -> PlanView:
    view = await parts.desk.plan(plan_id)
    pack = pack_of(parts, view.plan.venue_id)
    if view.plan.user_id != user_id:
        raise refuse(E.FORBIDDEN, _say("foreign_plan"), _say("foreign_plan_next"))
    waiting = view.plan.rollback is not None and view.plan.rollback.state is RollbackState.WAITING_FOR_SIGN_IN
    renewed = waiting or await _differs(parts, view, token)
    await tokens.admit(pack, token, anew=renewed, within=1.0)
    if renewed:
        await _hand_over(parts, plan_id, user_id, token)
    return view


async def _hand_over(parts: Parts, plan_id: str, user_id: str, token: str) -> None:
    """Give a plan the operator's new token. A plan that has ended meanwhile wipes nothing any more, so none is kept
    for it: it is looked at before, since its own token is gone, too, once it has ended, and after."""
    if (await parts.desk.plan(plan_id)).plan.settled:
        return
    reference = await parts.vault.put(token, parts.settings.token_ttl)
    try:
        await parts.desk.signed_in(plan_id, SignedIn(user_id=user_id, token_ref=reference))
        ended = (await parts.desk.plan(plan_id)).plan.settled
    except DeskError as error:
        if error.error.error_type is not E.CONFLICT:
            raise
        ended = True
    if ended:
        await parts.vault.wipe(reference)


async def _differs(parts: PartsDep, view: PlanView, token: str) -> bool:
    """Whether the plan is at work with another token than this one."""
    if view.token_ref is None or view.plan.settled:
        return False
    try:
        return await parts.vault.get(view.token_ref) != token
    except TokenMissing:
        return True


@router.get(
    "", response_model=ExecutionPlan, response_model_exclude_none=True, responses=_ERRORS, summary="Look at a plan"
)
async def look(
    plan_id: PlanId, user_id: Annotated[Identifier, Query()], parts: PartsDep, token: Token, tokens: TokenCheck
) -> ExecutionPlan:
    """The plan as it stands. Poll until its status is terminal and `rollback.state`, if any, is `done`."""
    return (await _own_plan(parts, tokens, plan_id, user_id, token)).plan


@router.post(
    "/confirm",
    response_model=ExecutionPlan,
    response_model_exclude_none=True,
    responses=_ERRORS,
    summary="Confirm a plan",
)
async def confirm(
    plan_id: PlanId, body: ConfirmBody, parts: PartsDep, token: Token, tokens: TokenCheck
) -> ExecutionPlan:
    """Confirm once; execution starts at once. Idempotent while `confirmed`, and for a retry with the same `request_id`.
    After a 503 the plan is still pending, for good: confirm again."""
    view = await _own_plan(parts, tokens, plan_id, body.user_id, token)
    request_id = body.request_id or str(uuid4())
    if view.confirm_request_id is not None and view.confirm_request_id == body.request_id:
        return view.plan
    if view.plan.status not in (PlanStatus.PENDING_CONFIRMATION, PlanStatus.CONFIRMED):
        raise refuse(
            E.CONFLICT,
            wording.already(view.plan.status, spoken()),
            *((say("next.again", spoken()),) if view.plan.status is PlanStatus.EXPIRED else ()),
            plan=view.plan,
        )
    reference = await parts.vault.put(token, parts.settings.token_ttl)
    request = ConfirmRequest(
        user_id=body.user_id,
        request_id=request_id,
        token_ref=reference,
        deadline=_accept_by(),
        attempt=str(uuid4()),
    )
    try:
        confirmed = await parts.desk.confirm(view, request)
    except DeskError:
        await parts.vault.wipe(reference)
        raise
    if confirmed.token_ref != reference:
        await parts.vault.wipe(reference)
    return confirmed.plan


@router.post(
    "/answers",
    response_model=ExecutionPlan,
    response_model_exclude_none=True,
    responses=_ERRORS,
    summary="Answer a question",
)
async def answer(plan_id: PlanId, body: AnswerBody, parts: PartsDep, token: Token, tokens: TokenCheck) -> ExecutionPlan:
    """Answer the question that the plan waits with; execution then goes on."""
    view = await _own_plan(parts, tokens, plan_id, body.user_id, token)
    prompt = view.plan.blocking_prompt
    if prompt is None:
        raise refuse(E.CONFLICT, _say("nothing_asked"), plan=view.plan)
    if body.prompt_id is None and view.prompts_asked > 1:
        raise refuse(E.CONFLICT, _say("which_prompt"), plan=view.plan)
    if body.prompt_id not in (None, prompt.prompt_id):
        raise refuse(E.CONFLICT, _say("answered"), plan=view.plan)
    given = Answer(
        answer_id=str(uuid4()),
        user_id=body.user_id,
        text=body.user_message,
        prompt_id=body.prompt_id or prompt.prompt_id,
    )
    await parts.desk.answer(plan_id, given)
    for pause in (0.0, 0.05, 0.1, 0.2, 0.4):
        await asyncio.sleep(pause)
        view = await parts.desk.plan(plan_id)
        if given.answer_id in view.taken_answers:
            return view.plan
        if not view.plan.stale and view.plan.blocking_prompt is None:
            break
    if view.plan.stale:
        raise DeskError(wording.unavailable(spoken()))
    raise refuse(E.CONFLICT, _say("answered"), plan=view.plan)


@router.post(
    "/cancel", status_code=202, response_model=ExecutionPlan, response_model_exclude_none=True, responses=_ERRORS,
    summary="Cancel a plan",
)  # fmt: skip
async def cancel(plan_id: PlanId, body: UserBody, parts: PartsDep, token: Token, tokens: TokenCheck) -> ExecutionPlan:
    """Drop a pending plan, or stop an executing one before its next step and undo what it did."""
    view = await _own_plan(parts, tokens, plan_id, body.user_id, token)
    if view.plan.status.terminal:
        raise refuse(E.CONFLICT, wording.already(view.plan.status, spoken()), plan=view.plan)
    return (await parts.desk.cancel(plan_id, CancelRequest(user_id=body.user_id, deadline=_accept_by()))).plan


@router.post(
    "/undo", status_code=202, response_model=ExecutionPlan, response_model_exclude_none=True, responses=_ERRORS,
    summary="Undo a completed plan",
)  # fmt: skip
async def undo(plan_id: PlanId, body: UserBody, parts: PartsDep, token: Token, tokens: TokenCheck) -> ExecutionPlan:
    """Reverse a completed plan within the venue's undo window."""
    view = await _own_plan(parts, tokens, plan_id, body.user_id, token)
    if view.plan.status is not PlanStatus.COMPLETED or view.plan.undo_until is None:
        raise refuse(E.CONFLICT, _say("cannot_undo"), plan=view.plan)
    reference = await parts.vault.put(token, parts.settings.token_ttl)
    try:
        undone = await parts.desk.undo(
            plan_id, UndoPlan(user_id=body.user_id, token_ref=reference, deadline=_accept_by())
        )
    except DeskError:
        await parts.vault.wipe(reference)
        raise
    return undone.plan
