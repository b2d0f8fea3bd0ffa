"""Commands to a plan (confirm, answer, skip, cancel, undo). A command is committed or aborted in Redis before its
caller gets an error, so an aborted command never takes effect. The API and the chats share this code.

    open in the command store ──▶ send to the plan, which commits before it acts ──▶ its answer
            │                                     │ no answer in time
            │ the store is unavailable            ▼
            ▼                                   abort: aborted ────▶ 503, final: it never takes effect
    503: nothing was sent                              committed ──▶ the plan; it took effect
                                                       unknown ────▶ 202 with the plan and a notice

A command is opened, and the plan's own copy of the token stored, in one call to the store. The plan's commit is the
second.

Every retry of a request has the same idempotency key, so a retry learns the outcome of the first attempt. If the store
is unavailable before anything is sent, the 503 is about this attempt only: an earlier one may have taken effect.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any

from clients.admission import AdmissionControl
from clients.errors import ApiError, ServiceUnavailableError, api_error, service_unavailable
from clients.temporal.calls import with_deadline
from clients.temporal.plans import PlanClient
from contracts.chat_messages import CancelRequest, ConfirmRequest, PlanView, PromptAnswer, SkipRequest, UndoRequest
from contracts.commands import AnswerPrompt, CancelPlan, CommandKind, ConfirmPlan, PlanCommand, SkipStep, UndoPlan
from contracts.enums import PlanStatus, ServiceErrorType, StepStatus
from contracts.plan import ExecutionPlan
from infra.errors import DependencyUnavailableError
from infra.stores.command_store import (
    ABORTED,
    COMMITTED,
    CommandResult,
    CommandStore,
    answer_id,
    content_in,
    content_of,
    idempotency_key,
    says_other,
    taken_under,
)
from infra.stores.store import answer_within
from infra.stores.token_vault import SealedToken, Vault
from language.messages.catalogue import translate
from reasoning import error_messages

log = logging.getLogger(__name__)


_WITHIN = 2.0
"""Seconds in which a plan must answer a command. Every route answers within three: a query, then the command."""
_UNDO_WITHIN = 10.0
"""Seconds for an undo, which reads every booking first (`workflows.plan.workflow` gives up after six)."""
LONGEST_WORD = _WITHIN + _UNDO_WITHIN
"""Seconds: the longest wait for any command."""
_WITHDRAW_WITHIN = 0.3
PLACE_WITHIN = 1.0
"""Seconds that a command may wait for its slot; the query of its plan may wait as long before it."""
OPEN_LONGER = 3.0
"""Seconds that a command stays open after the API stops waiting, so that the wait ends with an abort and not by Redis'
clock. If the API cannot abort it, it may take effect for this long."""


class PlanCommands:
    """Sends commands to plans."""

    def __init__(
        self,
        plans: PlanClient,
        vault: Vault,
        command_store: CommandStore,
        token_ttl: float,
        admission: AdmissionControl | None = None,
        several: Callable[[], bool] = lambda: True,
    ) -> None:
        """`several`: whether several venues are served, so that one may not take every slot."""
        self._plans = plans
        self._vault = vault
        self._command_store = command_store
        self._token_ttl = token_ttl
        self._admission = admission
        self._several = several

    async def execute(self, view: PlanView, command: PlanCommand, token: str | None = None) -> CommandResult:
        """Carry out a command on the plan in view. `token` is the operator's, for the venue; without it, a command that
        starts work can only report an earlier effect. Idempotent for a retry with the same `request_id`. Raises
        `ApiError`; after service_unavailable the command never takes effect."""
        async with self.slot(view.plan.venue_id, command, again=True):
            match command:
                case ConfirmPlan():
                    return await self._confirm(view, command, token)
                case AnswerPrompt():
                    return await self._answer(view, command)
                case SkipStep():
                    return await self._skip(view, command)
                case CancelPlan():
                    return await self._cancel(view, command)
                case UndoPlan():
                    return await self._undo(view, command, token)

    def slot(self, venue_id: str, command: PlanCommand, *, again: bool = False) -> AbstractAsyncContextManager[None]:
        """Hold a slot for a command that starts work: while its plan is queried, and `again` while it is sent. Entering
        raises `ApiError`: rate_limited, and nothing was sent."""
        if self._admission is None or not command.needs_slot:
            return contextlib.nullcontext()
        return self._admission.slot(
            venue_id, several=self._several(), then=translate(not_sent_key(command)), again=again
        )

    def check_capacity(self, venue_id: str, command: PlanCommand, *, known: bool) -> None:
        """Raise `ApiError` like `slot` if a command would find no slot. `known`: whether the venue accepted this caller
        lately."""
        if self._admission is not None and command.needs_slot:
            self._admission.check(venue_id, several=self._several(), then=translate(not_sent_key(command)), known=known)

    def observe_latency(self, seconds: float) -> None:
        """Record how many seconds a worker took to answer a query of a plan."""
        if self._admission is not None:
            self._admission.share.observe(seconds)

    async def _confirm(self, view: PlanView, command: ConfirmPlan, token: str | None) -> CommandResult:
        if command.request_id is not None and view.confirm_request_id == command.request_id:
            return CommandResult(view.plan)
        sendable = view.plan.status in (PlanStatus.PENDING_CONFIRMATION, PlanStatus.CONFIRMED)
        copy = self._copy_of(token) if sendable else None
        attempt, ticket, begun = await self._open(view, command, _WITHIN, copy=copy)
        if begun:
            return self.accepted(view, command.kind)
        if not sendable:
            again = (translate("next.again"),) if view.plan.status is PlanStatus.EXPIRED else ()
            raise api_error(
                ServiceErrorType.CONFLICT, error_messages.already_text(view.plan.status), *again, plan=view.plan
            )
        token_ref = _reference_of(copy, command)
        request = ConfirmRequest(
            user_id=command.user_id,
            request_id=command.request_id or attempt,
            token_ref=token_ref,
            commit_token=ticket,
        )
        return await self._send(
            view, command, ticket, self._plans.confirm(view.plan.plan_id, request, _WITHIN), token_ref
        )

    async def _answer(self, view: PlanView, command: AnswerPrompt) -> CommandResult:
        """Answer the open prompt. Raises `ApiError`: invalid_request if the request id was used for another answer."""
        text, prompt_id = command.text, command.prompt_id
        plan_id, prompt = view.plan.plan_id, view.plan.blocking_prompt
        content = content_of(plan_id, prompt_id or (prompt.prompt_id if prompt else None), text)
        taken = taken_under(
            idempotency_key(plan_id, command.kind, command.user_id, command.request_id), view.taken_answers
        )
        attempt, ticket, begun = (
            await self._open(view, command, _WITHIN, content=content) if not taken else ("", "", True)
        )
        # The chat has already compared an answer from a message, which is for the prompt that is open then.
        if not command.commit_token and says_other(taken or content_in(ticket), plan_id, prompt_id, text):
            raise api_error(
                ServiceErrorType.INVALID_REQUEST,
                translate("refuse.reused_answer"),
                translate("refuse.reused_answer_next"),
            )
        if begun:
            return self.accepted(view, command.kind, taken=bool(taken))
        if prompt is None:
            raise api_error(
                ServiceErrorType.CONFLICT,
                translate("refuse.nothing_asked"),
                error_messages.next_action_text(view.plan),
                plan=view.plan,
            )
        if prompt_id is None and view.prompts_asked > 1:
            raise api_error(ServiceErrorType.CONFLICT, translate("refuse.which_prompt"), plan=view.plan)
        if prompt_id not in (None, prompt.prompt_id):
            raise api_error(ServiceErrorType.CONFLICT, translate("refuse.answered"), plan=view.plan)
        name = answer_id(attempt, content)
        given = PromptAnswer(
            answer_id=name, user_id=command.user_id, text=text, prompt_id=prompt.prompt_id, commit_token=ticket
        )
        return await self._send(view, command, ticket, with_deadline(self._until_taken(plan_id, given), _WITHIN))

    async def _until_taken(self, plan_id: str, given: PromptAnswer) -> PlanView:
        await self._plans.answer(plan_id, given)
        while True:
            view = await self._plans.plan(plan_id)
            if given.answer_id in view.taken_answers:
                return view
            prompt = view.plan.blocking_prompt
            if not view.plan.stale and (prompt is None or prompt.prompt_id != given.prompt_id):
                raise api_error(ServiceErrorType.CONFLICT, translate("refuse.answered"), plan=view.plan)
            await asyncio.sleep(0.05)

    async def _cancel(self, view: PlanView, command: CancelPlan) -> CommandResult:
        _, ticket, begun = await self._open(view, command, _WITHIN)
        if begun:
            return self.accepted(view, command.kind)
        if view.plan.status.terminal:
            raise api_error(
                ServiceErrorType.CONFLICT,
                error_messages.already_text(view.plan.status),
                error_messages.next_action_text(view.plan),
                plan=view.plan,
            )
        request = CancelRequest(
            user_id=command.user_id,
            superseded_by=command.superseded_by,
            waits_for=command.waits_for,
            commit_token=ticket,
        )
        return await self._send(view, command, ticket, self._plans.cancel(view.plan.plan_id, request, _WITHIN))

    async def _skip(self, view: PlanView, command: SkipStep) -> CommandResult:
        """Skip a step. Raises `ApiError`: not_found for an unknown one."""
        step = command.step
        _, ticket, begun = await self._open(view, command, _WITHIN, of=f"{view.plan.plan_id} step {step}")
        if begun:
            shown = any(a.step == step and a.status is StepStatus.SKIPPED for a in view.plan.actions)
            return CommandResult(view.plan) if shown else self.accepted(view, command.kind)
        request = SkipRequest(user_id=command.user_id, step=step, commit_token=ticket)
        return await self._send(view, command, ticket, self._plans.skip(view.plan.plan_id, request, _WITHIN))

    async def _undo(self, view: PlanView, command: UndoPlan, token: str | None) -> CommandResult:
        """Undo the plan, which reads every booking first."""
        sendable = view.plan.status is PlanStatus.COMPLETED and view.plan.undo_until is not None
        copy = self._copy_of(token) if sendable else None
        _, ticket, begun = await self._open(view, command, _WITHIN + _UNDO_WITHIN, copy=copy)
        if begun:
            return self.accepted(view, command.kind)
        if not sendable:
            raise api_error(
                ServiceErrorType.CONFLICT,
                error_messages.cannot_undo(view.plan),
                error_messages.next_action_text(view.plan),
                plan=view.plan,
            )
        token_ref = _reference_of(copy, command)
        request = UndoRequest(user_id=command.user_id, token_ref=token_ref, commit_token=ticket)
        sending = self._plans.undo(view.plan.plan_id, request, _WITHIN, _UNDO_WITHIN)
        return await self._send(view, command, ticket, sending, token_ref)

    async def _open(
        self,
        view: PlanView,
        command: PlanCommand,
        wait: float,
        of: str = "",
        content: str = "",
        copy: SealedToken | None = None,
    ) -> tuple[str, str, bool]:
        """Open a command; return its idempotency key, commit token, and whether it took effect. `of` is the key's scope
        if not the plan, `content` that of an answer, `copy` the plan's own copy of the token, which is stored in the
        same call unless the command took effect. Raises `ServiceUnavailableError`: nothing was sent."""
        attempt = idempotency_key(of or view.plan.plan_id, command.kind, command.user_id, command.request_id)
        with service_unavailable(not_sent_key(command)):
            if command.commit_token:
                state = await self._command_store.state(command.commit_token, copy)
                return attempt, command.commit_token, state == COMMITTED
            opened = await self._command_store.open(attempt, wait + OPEN_LONGER, content, copy)
        return attempt, opened.commit_token, opened.state == COMMITTED

    def _copy_of(self, token: str | None) -> SealedToken | None:
        return self._vault.seal(token, self._token_ttl) if token is not None else None

    async def _send(
        self,
        view: PlanView,
        command: PlanCommand,
        ticket: str,
        sending: Coroutine[Any, Any, PlanView],
        token_ref: str = "",
    ) -> CommandResult:
        try:
            after = await sending
        except ServiceUnavailableError as away:
            state = await self.abort(ticket)
            if state == ABORTED:
                await self.wipe(token_ref)
                part = "worker" if view.plan.stale and away.part == "slow" else away.part
                raise ApiError(error_messages.unavailable_error(part, f"command.{command.kind}_refused")) from None
            return self.accepted(view, command.kind) if state == COMMITTED else self.unknown_outcome(view, command.kind)
        except ApiError as refused:
            await self.wipe(token_ref)
            if await self._started(ticket):
                # The same command was sent twice and the other was first, or the plan ended before this one counted.
                return self.accepted(view.model_copy(update={"plan": await self._as_it_stands(view)}), command.kind)
            if refused.kind is ServiceErrorType.CONFLICT and refused.answer.plan is None:
                refused.answer.plan = await self._as_it_stands(view)
            raise
        if token_ref and after.token_ref != token_ref:
            await self.wipe(token_ref)
        return CommandResult(after.plan)

    async def _as_it_stands(self, view: PlanView) -> ExecutionPlan:
        with contextlib.suppress(ApiError):
            return (await self._plans.plan(view.plan.plan_id)).plan
        return view.plan.model_copy(update={"stale": True})

    async def abort(self, ticket: str) -> str | None:
        """Abort a command that got no answer and return its state; None if the store does not answer in time."""
        try:
            async with answer_within(_WITHDRAW_WITHIN):
                return await self._command_store.abort(ticket)
        except DependencyUnavailableError:
            log.warning("the command store is unavailable: the outcome of a command is not known")
            return None

    async def committed_by(self, ticket: str) -> str:
        """Return what committed a command; empty if the store does not answer in time."""
        with contextlib.suppress(DependencyUnavailableError):
            async with answer_within(_WITHDRAW_WITHIN):
                return await self._command_store.committed_by(ticket)
        return ""

    async def _started(self, ticket: str) -> bool:
        with contextlib.suppress(DependencyUnavailableError):
            async with answer_within(_WITHDRAW_WITHIN):
                return await self._command_store.state(ticket) == COMMITTED
        return False

    async def wipe(self, reference: str) -> None:
        """Wipe an unused token. If the store is unavailable, the token's TTL removes it."""
        if reference:
            with contextlib.suppress(DependencyUnavailableError):
                async with answer_within(_WITHDRAW_WITHIN):
                    await self._vault.wipe(reference)

    @staticmethod
    def accepted(view: PlanView, kind: CommandKind, *, taken: bool = False) -> CommandResult:
        """Return the result of a command that took effect, with the plan in view, which may be older."""
        plan = view.plan
        if kind is CommandKind.CONFIRM and plan.status is PlanStatus.PENDING_CONFIRMATION:
            confirmed = {"status": PlanStatus.CONFIRMED, "confirmed_at": datetime.now(UTC), "stale": True}
            return CommandResult(plan.model_copy(update=confirmed))
        if _shows(plan, kind) or taken:
            return CommandResult(plan)
        if kind is CommandKind.DROP:
            return PlanCommands.unknown_outcome(view, kind)
        notice = translate(f"command.{kind}_begun")
        return CommandResult(plan.model_copy(update={"stale": True, "notice": notice}))

    @staticmethod
    def unknown_outcome(view: PlanView, kind: CommandKind) -> CommandResult:
        """Return the result of a command with unknown outcome, with the plan as it was."""
        notice = translate(f"command.{kind}_unknown")
        return CommandResult(view.plan.model_copy(update={"stale": True, "notice": notice}), certain=False)


def not_sent_key(command: PlanCommand) -> str:
    """Return the message key for a command that was not sent. With a request id, another attempt may have been sent."""
    return "unavailable.not_sent_again" if command.request_id else "unavailable.not_sent"


def _reference_of(copy: SealedToken | None, command: PlanCommand) -> str:
    """Return the reference of the plan's token. Raises `ApiError` if there is none: nothing was sent."""
    if copy is None:
        # The original caller has given up, and its token was wiped.
        raise ApiError(error_messages.unavailable_error("slow", not_sent_key(command)))
    return copy.reference


def _shows(plan: ExecutionPlan, kind: CommandKind) -> bool:
    """Return whether the plan's last known state already shows the effect of the command."""
    match kind:
        case CommandKind.CONFIRM | CommandKind.DROP:
            return plan.status is not PlanStatus.PENDING_CONFIRMATION
        case CommandKind.CANCEL:
            return plan.status.terminal
        case CommandKind.ANSWER:
            return plan.blocking_prompt is None
        case CommandKind.SKIP:
            return False
        case CommandKind.UNDO:
            return plan.rollback is not None
