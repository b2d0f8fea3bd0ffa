"""An operator's commands to a rehearsed plan, on a connection that may lose them: the real `PlanCommands` and
`PlanClient` against the real workflow, with a command store whose decisions a test may hold."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from clients.commands import PlanCommands
from clients.errors import ApiError, ServiceUnavailableError, api_error
from clients.temporal.plans import PlanClient
from contracts.chat_messages import CancelRequest, ConfirmRequest, PlanView, PromptAnswer, SkipRequest, UndoRequest
from contracts.enums import ServiceErrorType
from contracts.step_activities import CommitCommand, CommitResult
from infra.crypto.keyring import new_key_line, parse_ring
from infra.stores import store
from infra.stores.command_store import CommandStore, OpenCommand
from infra.stores.token_vault import SealedToken, Vault
from language.messages.catalogue import translate
from tests.workflows.rehearsal import DIRECT, Play, Stage

T = TypeVar("T")


class HeldCommandStore(CommandStore):
    """A command store without expiry that notes which plan committed which token."""

    def __init__(self) -> None:
        super().__init__(store.Store())
        self.asked: dict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self.decided: dict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self.gate = asyncio.Event()
        self.gate.set()
        self.turns_away = False
        """Whether a claim that finds the gate shut is turned away, to be asked again: nothing runs meanwhile, so the
        server may skip time."""

    async def open(
        self, attempt: str, seconds: float, content: str = "", token: SealedToken | None = None
    ) -> OpenCommand:
        """See `CommandStore.open`."""
        return await super().open(attempt, 24 * 3600, content, token)

    async def commit(self, ticket: str, by: str = "") -> bool:
        """See `CommandStore.commit`; waits for the gate."""
        self.asked[ticket].set()
        if self.turns_away and not self.gate.is_set():
            raise ConnectionError("the gate is shut")
        await self.gate.wait()
        granted = await super().commit(ticket, by)
        self.decided[ticket].set()
        return granted


class Line(PlanClient):
    """One command's way to its plan. The command arrives once `arrives` is set, however long ago its caller gave up,
    and the caller gets the answer once `answers` is set; with `lost` the caller gets nothing more."""

    def __init__(self, stage: Stage, look: Callable[[], Awaitable[PlanView]] | None = None) -> None:
        """`look` replaces the query of the plan, because the server that skips time stalls when several callers query
        it at once."""
        super().__init__(stage.env.client)
        self._look = look
        self.arrives, self.answers, self.lost = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.ticket = ""
        self.sent: asyncio.Task[Any] | None = None

    async def _heard(self, of: asyncio.Future[T]) -> T:
        """Return the answer, unless it is lost first."""
        lost = asyncio.ensure_future(self.lost.wait())
        answered = asyncio.ensure_future(self.answers.wait())
        try:
            await asyncio.wait((lost, answered), return_when=asyncio.FIRST_COMPLETED)
            if not self.lost.is_set():
                await asyncio.wait((lost, of), return_when=asyncio.FIRST_COMPLETED)
            if self.lost.is_set():
                raise ServiceUnavailableError("slow")
            return await of
        finally:
            lost.cancel()
            answered.cancel()

    async def _carry(self, ticket: str, send: Callable[[], Coroutine[Any, Any, T]]) -> T:
        async def arriving() -> T:
            await self.arrives.wait()
            try:
                return await send()
            except ApiError as refused:
                # The server that skips time does not distinguish an ended workflow from one that never existed.
                missing = refused.kind is ServiceErrorType.NOT_FOUND
                raise (
                    api_error(ServiceErrorType.CONFLICT, translate("refuse.plan_ended")) if missing else refused
                ) from None

        self.ticket = ticket
        self.sent = asyncio.create_task(arriving())
        self.sent.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await self._heard(self.sent)

    async def confirm(self, plan_id: str, request: ConfirmRequest, within: float) -> PlanView:
        """See `PlanClient`."""
        return await self._carry(request.commit_token, lambda: PlanClient.confirm(self, plan_id, request, within))

    async def cancel(self, plan_id: str, request: CancelRequest, within: float) -> PlanView:
        """See `PlanClient`."""
        return await self._carry(request.commit_token, lambda: PlanClient.cancel(self, plan_id, request, within))

    async def skip(self, plan_id: str, request: SkipRequest, within: float) -> PlanView:
        """See `PlanClient`."""
        return await self._carry(request.commit_token, lambda: PlanClient.skip(self, plan_id, request, within))

    async def undo(self, plan_id: str, request: UndoRequest, accepted_within: float, within: float) -> PlanView:
        """See `PlanClient`."""
        return await self._carry(
            request.commit_token, lambda: PlanClient.undo(self, plan_id, request, accepted_within, within)
        )

    async def answer(self, plan_id: str, answer: PromptAnswer) -> None:
        """See `PlanClient`."""
        await self._carry(answer.commit_token, lambda: PlanClient.answer(self, plan_id, answer))

    async def plan(self, plan_id: str) -> PlanView:
        """See `PlanClient`."""
        look = self._look() if self._look else PlanClient.plan(self, plan_id)
        return await self._heard(asyncio.ensure_future(look))


def words_on(line: PlanClient, claims: CommandStore) -> PlanCommands:
    """Return the API's commands on this connection."""
    return PlanCommands(line, Vault(store.Store(), parse_ring(new_key_line())), claims, 3600)


def claims_from(stage: Stage, claims: CommandStore) -> None:
    """Let the plans of a stage commit their commands in this store."""

    async def claim(call: CommitCommand) -> CommitResult:
        return CommitResult(granted=call.commit_token in DIRECT or await claims.commit(call.commit_token, call.by))

    stage.effects.claims = claim


def plan_id(play: Play) -> str:
    """Return the plan's id, derived from its workflow id."""
    return play.handle.id.removeprefix("plan-")
