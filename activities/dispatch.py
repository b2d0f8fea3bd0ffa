"""The one write of a step: made of what is there this moment, and sent once.

An idempotent write may be sent again where the venue or the way to it failed. Before that it is read again: what has
taken effect is not sent a second time, and what somebody else has changed meanwhile is not overwritten.
"""

import asyncio
import time

from activities.leaving import Leaving
from clients.reads import Reader
from clients.venue import Answered, HeldBackError, VenueClient, VenueError, unreadable
from contracts.action import HttpRequest
from contracts.effects import ActRequest, StepScope
from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from infra.locks import Hold
from reasoning import wording
from registry import Scope, always_refused, build_request, landing, unchanged

_FAILED_ON_THE_WAY = (ErrorType.SERVER_ERROR, ErrorType.TIMEOUT, ErrorType.NETWORK)


class Dispatch:
    """Sends one write under the locks of `hold`."""

    def __init__(self, venues: VenueClient, request: ActRequest, token: str, hold: Hold, retry_within: float) -> None:
        """`retry_within`: seconds after which an idempotent write is not sent once more."""
        self._retry_within = retry_within
        self._venues = venues
        self._step = step = request.scope
        self._action = step.action
        self._token = token
        self._hold = hold
        self._reader = Reader(venues, step.token_ref, step.trace_id, token=token)
        self._settles = step.profile.settle_seconds
        self._leaving = Leaving(hold, step.profile.read_max_age_seconds, venues.timeout + self._settles)
        self._scope = scope_of(step).with_(before=request.before)

    async def prepare(self) -> tuple[Scope, HttpRequest]:
        """The request, made of what is there this moment. Raises `VenueError`, also when that is not what the
        operator confirmed, and `UnrenderableError`: nothing was sent."""
        scope = self._scope
        if self._action.snapshot is not None:
            read = await self._read()
            if not unchanged(self._action, read):
                if landing.unreadable_now(self._action, read):
                    raise unreadable("not what it was")
                raise VenueError(wording.changed_since(), sent=False)
            scope = scope.with_(before=read.now)
            if (why := always_refused(self._action, scope)) is not None:
                # Somebody was quicker: what shows afterwards would be theirs.
                raise VenueError(VenueFailure(error_type=ErrorType.CONFLICT, message=why), sent=False)
        sent = build_request(self._action, scope)
        return scope.with_(request=sent), sent

    @property
    def is_recent(self) -> bool:
        """Whether the write left so short a time ago that what a look shows is surely its own doing."""
        return time.monotonic() - self._leaving.left_at <= self._step.profile.read_max_age_seconds

    async def send(self, sent: HttpRequest) -> Answered | VenueError:
        """What the venue made of the write: its answer, or how it failed. Raises `HeldBackError`: nothing was sent.

        The locks are then held on for as long as what was sent may take effect: `settle_seconds` after an answer, and
        the time of a call more where this try is broken off in mid-call.
        """
        self._hold.keep_for = self._leaving.lands_within
        try:
            answer = await self._answer(sent)
        except HeldBackError:
            self._hold.keep_for = 0
            raise
        self._hold.keep_for = self._settles if isinstance(answer, Answered) or answer.may_have_landed else 0
        return answer

    async def _answer(self, sent: HttpRequest) -> Answered | VenueError:
        pauses = list(self._action.retry.pauses) if self._action.idempotent and self._action.retry else []
        began, failed = time.monotonic(), None
        while True:
            try:
                return await self._call(sent)
            except HeldBackError:
                if failed is None:
                    raise
                return failed
            except VenueError as refused:
                if failed is not None or refused.may_have_landed:
                    # A refusal behind a call that may have taken effect may be because that one did.
                    failed = VenueError(refused.failure, sent=True)
                if pauses and _worth_another(refused) and time.monotonic() - began < self._retry_within:
                    await asyncio.sleep(pauses.pop(0))
                    if await self._as_before():
                        continue
                return failed or refused

    async def _call(self, sent: HttpRequest) -> Answered:
        step = self._step
        return await self._venues.send_with_token(
            step.profile.base_url,
            sent,
            self._token,
            action=self._action,
            trace_id=step.trace_id,
            write=self._leaving.write,
        )

    async def _read(self) -> Scope:
        seen = await self._leaving.read(lambda: self._reader.snapshot(self._action, self._scope))
        return self._scope.with_(now=seen.document)

    async def _as_before(self) -> bool:
        """Whether the write has had no effect yet, as far as a read shows."""
        if self._action.snapshot is None:
            return True
        try:
            return unchanged(self._action, await self._read())
        except VenueError:
            return False


def scope_of(step: StepScope) -> Scope:
    """What the templates of a step see."""
    scope = Scope.of(step.action, step.parameters, step.profile, step.idempotency_key)
    return scope.with_(in_place_of=step.in_place_of)


def _worth_another(refused: VenueError) -> bool:
    """Whether the venue or the way to it failed. One that has answered no, or asks for patience, has been heard."""
    return refused.failure.error_type in (_FAILED_ON_THE_WAY if refused.sent else (ErrorType.NETWORK,))
