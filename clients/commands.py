"""Commands to a plan (confirm, answer, skip, cancel, undo). A command is committed or aborted in Redis before its
caller gets an error, so an aborted command never takes effect. The API and the chats share this code.

    open in the command store ──▶ send to the plan, which commits before it acts ──▶ its answer
            │                                     │ no answer in time
            │ the store is unavailable            ▼
            ▼                                   abort: aborted ────▶ 503, final: it never takes effect
    503: nothing was sent                              committed ──▶ the plan; it took effect
                                                       unknown ────▶ 202 with the plan and a notice

Every retry of a request has the same idempotency key, so a retry learns the outcome of the first attempt. If the store
is unavailable before anything is sent, the 503 is about this attempt only: an earlier one may have taken effect.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from clients.admission import AdmissionControl
from clients.command_types import (
    CommandKind,
    CommandResult,
    PlanCommand,
    answer_id,
    content_of,
    idempotency_key,
    says_other,
    taken_under,
)
from clients.errors import ApiError, DependencyUnavailableError, api_error
from clients.temporal.calls import with_deadline
from clients.temporal.plans import PlanClient
from contracts.chat_messages import CancelRequest, ConfirmRequest, PlanView, PromptAnswer, SkipRequest, UndoRequest
from contracts.enums import PlanStatus, ServiceErrorType, StepStatus
from contracts.plan import ExecutionPlan
from infra.stores.command_store import ABORTED, COMMITTED, STORE_ERRORS, CommandStore, content_in
from infra.stores.token_vault import Vault
from language.messages.catalogue import translate
from reasoning import error_messages

log = logging.getLogger(__name__)


_WITHIN = 2.0
"""Seconds in which a plan must answer a command. Every route answers within three: a query, then the command."""
_UNDO_WITHIN = 10.0
"""Seconds for an undo, which reads every booking first (`workflows.plan.workflow` gives up after six)."""
LONGEST_WORD = _WITHIN + _UNDO_WITHIN
"""Seconds: the longest wait for any command."""
_STORE_WITHIN = 1.0
_WITHDRAW_WITHIN = 0.3
PLACE_WITHIN = 1.0
"""Seconds that a command may wait for its slot; the query of its plan may wait as long before it."""
OPEN_LONGER = 3.0
"""Seconds that a command stays open after the API stops waiting, so that the wait ends with an abort and not by Redis'
clock. If the API cannot abort it, it may take effect for this long."""


P = ParamSpec("P")


def _in_a_place(
    result: Callable[Concatenate["PlanCommands", PlanView, PlanCommand, P], Coroutine[Any, Any, CommandResult]],
) -> Callable[Concatenate["PlanCommands", PlanView, PlanCommand, P], Coroutine[Any, Any, CommandResult]]:
    """Run a command that starts work within a slot, unless it came in a message, which has one."""

    @wraps(result)
    async def placed(
        words: "PlanCommands", view: PlanView, word: PlanCommand, /, *args: P.args, **given: P.kwargs
    ) -> CommandResult:
        async with words.slot(view.plan.venue_id, word, again=True):
            return await result(words, view, word, *args, **given)

    return placed


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

    def slot(self, venue_id: str, command: PlanCommand, *, again: bool = False) -> AbstractAsyncContextManager[None]:
        """Hold a slot for a command that starts work: while its plan is queried, and `again` while it is sent. Entering
        raises `ApiError`: rate_limited, and nothing was sent."""
        if self._admission is None or not command.asks_for_work:
            return contextlib.nullcontext()
        return self._admission.slot(
            venue_id, several=self._several(), then=translate(not_sent_key(command)), again=again
        )

    def check_capacity(self, venue_id: str, command: PlanCommand, *, known: bool) -> None:
        """Raise `ApiError` like `slot` if a command would find no slot. `known`: whether the venue accepted this caller
        lately."""
        if self._admission is not None and command.asks_for_work:
            self._admission.check(venue_id, several=self._several(), then=translate(not_sent_key(command)), known=known)

    def observe_latency(self, seconds: float) -> None:
        """Record how many seconds a worker took to answer a query of a plan."""
        if self._admission is not None:
            self._admission.share.observe(seconds)

    @_in_a_place
    async def confirm(self, view: PlanView, command: PlanCommand, token: str | None) -> CommandResult:
        """Confirm the plan in view. Idempotent while `confirmed`. Without a token, only an earlier effect can be
        reported. Raises `ApiError`; after service_unavailable it never takes effect."""
        if command.request_id is not None and view.confirm_request_id == command.request_id:
            return CommandResult(view.plan)
        attempt, ticket, begun = await self._open(view, command, _WITHIN)
        if begun:
            return self.accepted(view, command)
        if view.plan.status not in (PlanStatus.PENDING_CONFIRMATION, PlanStatus.CONFIRMED):
            again = (translate("next.again"),) if view.plan.status is PlanStatus.EXPIRED else ()
            raise api_error(
                ServiceErrorType.CONFLICT, error_messages.already_text(view.plan.status), *again, plan=view.plan
            )
        token_copy = await self._lend(command, token)
        request = ConfirmRequest(
            user_id=command.user_id,
            request_id=command.request_id or attempt,
            token_ref=token_copy,
            commit_token=ticket,
        )
        return await self._send(
            view, command, ticket, self._plans.confirm(view.plan.plan_id, request, _WITHIN), token_copy
        )

    @_in_a_place
    async def answer(self, view: PlanView, command: PlanCommand, text: str, prompt_id: str | None) -> CommandResult:
        """Answer the open prompt of the plan in view. Raises `ApiError` like `confirm`, and invalid_request if the
        request id was used for another answer."""
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
            return self.accepted(view, command, taken=bool(taken))
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

    async def cancel(
        self, view: PlanView, command: PlanCommand, superseded_by: str | None = None, waits_for: str | None = None
    ) -> CommandResult:
        """Drop the plan in view, or stop it before its next step; with `waits_for` only while it waits for that
        (`contracts.chat_messages.CancelRequest`). Raises `ApiError` like `confirm`."""
        _, ticket, begun = await self._open(view, command, _WITHIN)
        if begun:
            return self.accepted(view, command)
        if view.plan.status.terminal:
            raise api_error(
                ServiceErrorType.CONFLICT,
                error_messages.already_text(view.plan.status),
                error_messages.next_action_text(view.plan),
                plan=view.plan,
            )
        request = CancelRequest(
            user_id=command.user_id,
            superseded_by=superseded_by,
            waits_for=waits_for,
            commit_token=ticket,
        )
        return await self._send(view, command, ticket, self._plans.cancel(view.plan.plan_id, request, _WITHIN))

    async def skip(self, view: PlanView, command: PlanCommand, step: int) -> CommandResult:
        """Skip a step of the plan in view that has not started. Raises `ApiError` like `confirm`, and not_found for an
        unknown step."""
        _, ticket, begun = await self._open(view, command, _WITHIN, of=f"{view.plan.plan_id} step {step}")
        if begun:
            shown = any(a.step == step and a.status is StepStatus.SKIPPED for a in view.plan.actions)
            return CommandResult(view.plan) if shown else self.accepted(view, command)
        request = SkipRequest(user_id=command.user_id, step=step, commit_token=ticket)
        return await self._send(view, command, ticket, self._plans.skip(view.plan.plan_id, request, _WITHIN))

    @_in_a_place
    async def undo(self, view: PlanView, command: PlanCommand, token: str) -> CommandResult:
        """Undo the completed plan in view; reads every booking first. Raises `ApiError` like `confirm`."""
        _, ticket, begun = await self._open(view, command, _WITHIN + _UNDO_WITHIN)
        if begun:
            return self.accepted(view, command)
        if view.plan.status is not PlanStatus.COMPLETED or view.plan.undo_until is None:
            raise api_error(
                ServiceErrorType.CONFLICT,
                error_messages.cannot_undo(view.plan),
                error_messages.next_action_text(view.plan),
                plan=view.plan,
            )
        token_copy = await self._lend(command, token)
        request = UndoRequest(user_id=command.user_id, token_ref=token_copy, commit_token=ticket)
        sending = self._plans.undo(view.plan.plan_id, request, _WITHIN, _UNDO_WITHIN)
        return await self._send(view, command, ticket, sending, token_copy)

    async def _open(
        self, view: PlanView, command: PlanCommand, wait: float, of: str = "", content: str = ""
    ) -> tuple[str, str, bool]:
        """Open a command; return its idempotency key, commit token, and whether it took effect. `of` is the key's scope
        if not the plan, `content` that of an answer. Raises `DependencyUnavailableError`: nothing was sent."""
        attempt = idempotency_key(of or view.plan.plan_id, command.kind, command.user_id, command.request_id)
        try:
            async with asyncio.timeout(_STORE_WITHIN):
                if command.commit_token:
                    return (
                        attempt,
                        command.commit_token,
                        await self._command_store.state(command.commit_token) == COMMITTED,
                    )
                opened = await self._command_store.open(attempt, wait + OPEN_LONGER, content)
        except STORE_ERRORS:
            raise DependencyUnavailableError("store", not_sent_key(command)) from None
        return attempt, opened.commit_token, opened.state == COMMITTED

    async def _lend(self, command: PlanCommand, token: str | None) -> str:
        """Return a reference to the plan's own copy of the token. Raises `ApiError`: nothing was sent."""
        if token is None:
            # The original caller has given up, and its token was wiped.
            raise ApiError(error_messages.unavailable_error("slow", not_sent_key(command)))
        try:
            async with asyncio.timeout(_STORE_WITHIN):
                return await self._vault.put(token, self._token_ttl)
        except STORE_ERRORS:
            raise DependencyUnavailableError("store", not_sent_key(command)) from None

    async def _send(
        self,
        view: PlanView,
        command: PlanCommand,
        ticket: str,
        sending: Coroutine[Any, Any, PlanView],
        token_copy: str = "",
    ) -> CommandResult:
        try:
            after = await sending
        except DependencyUnavailableError as away:
            state = await self.abort(ticket)
            if state == ABORTED:
                await self.wipe(token_copy)
                part = "worker" if view.plan.stale and away.part == "slow" else away.part
                raise ApiError(error_messages.unavailable_error(part, f"word.{command.kind}_refused")) from None
            return self.accepted(view, command) if state == COMMITTED else self.unknown_outcome(view, command)
        except ApiError as refused:
            await self.wipe(token_copy)
            if await self._started(ticket):
                # The same command was sent twice and the other was first, or the plan ended before this one counted.
                return self.accepted(view.model_copy(update={"plan": await self._as_it_stands(view)}), command)
            if refused.kind is ServiceErrorType.CONFLICT and refused.answer.plan is None:
                refused.answer.plan = await self._as_it_stands(view)
            raise
        if token_copy and after.token_ref != token_copy:
            await self.wipe(token_copy)
        return CommandResult(after.plan)

    async def _as_it_stands(self, view: PlanView) -> ExecutionPlan:
        with contextlib.suppress(ApiError):
            return (await self._plans.plan(view.plan.plan_id)).plan
        return view.plan.model_copy(update={"stale": True})

    async def abort(self, ticket: str) -> str | None:
        """Abort a command that got no answer and return its state; None if the store does not answer in time."""
        try:
            async with asyncio.timeout(_WITHDRAW_WITHIN):
                return await self._command_store.abort(ticket)
        except STORE_ERRORS:
            log.warning("the command store is unavailable: the outcome of a command is not known")
            return None

    async def committed_by(self, ticket: str) -> str:
        """Return what committed a command; empty if the store does not answer in time."""
        with contextlib.suppress(*STORE_ERRORS):
            async with asyncio.timeout(_WITHDRAW_WITHIN):
                return await self._command_store.committed_by(ticket)
        return ""

    async def _started(self, ticket: str) -> bool:
        with contextlib.suppress(*STORE_ERRORS):
            async with asyncio.timeout(_WITHDRAW_WITHIN):
                return await self._command_store.state(ticket) == COMMITTED
        return False

    async def wipe(self, reference: str) -> None:
        """Wipe an unused token. If the store is unavailable, the token's TTL removes it."""
        if reference:
            with contextlib.suppress(*STORE_ERRORS):
                async with asyncio.timeout(_WITHDRAW_WITHIN):
                    await self._vault.wipe(reference)

    @staticmethod
    def accepted(view: PlanView, command: PlanCommand, *, taken: bool = False) -> CommandResult:
        """Return the result of a command that took effect, with the plan in view, which may be older."""
        plan = view.plan
        if command.kind is CommandKind.CONFIRM and plan.status is PlanStatus.PENDING_CONFIRMATION:
            confirmed = {"status": PlanStatus.CONFIRMED, "confirmed_at": datetime.now(UTC), "stale": True}
            return CommandResult(plan.model_copy(update=confirmed))
        if _shows(plan, command.kind) or taken:
            return CommandResult(plan)
        if command.kind is CommandKind.DROP:
            return PlanCommands.unknown_outcome(view, command)
        notice = translate(f"word.{command.kind}_begun")
        return CommandResult(plan.model_copy(update={"stale": True, "notice": notice}))

    @staticmethod
    def unknown_outcome(view: PlanView, command: PlanCommand) -> CommandResult:
        """Return the result of a command with unknown outcome, with the plan as it was."""
        notice = translate(f"word.{command.kind}_unknown")
        return CommandResult(view.plan.model_copy(update={"stale": True, "notice": notice}), certain=False)


def not_sent_key(command: PlanCommand) -> str:
    """Return the message key for a command that was not sent. With a request id, another attempt may have been sent."""
    return "away.not_sent_again" if command.request_id else "away.not_sent"


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
