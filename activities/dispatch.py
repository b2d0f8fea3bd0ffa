"""The single write of a step: rendered from a fresh read, and sent once.

An idempotent write may be sent again if the venue or the connection failed. It is read again before that: a write that
was applied is not repeated, and a change by staff or another plan is not overwritten.

The conditions for sending a write: its locks are held, its input was just read, and its activity was not cancelled.

A process may be paused at any moment (a stopped container, a busy host) and continue without noticing. By then staff
may have changed the booking, and another worker may hold the lock. So the age of the read is checked last, when the
connection is open. What remains is the network time to the venue (`docs/saga.md`, "What remains").
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from temporalio import activity

from clients.venue.client import VenueClient, VenueResponse, Write
from clients.venue.errors import HeldBackError, VenueError, malformed_response_error
from clients.venue.reads import SnapshotReader
from contracts.credentials import HttpRequest
from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from contracts.step_activities import ActRequest, StepScope
from infra.stores.booking_locks import HeldLock
from reasoning import error_messages
from registry import BoundAction, TemplateRenderError

_T = TypeVar("_T")


class WriteSender:
    """Checks one write before it is sent, at `left_at` (by `clock`). `max_age`: seconds for which a read is valid or,
    without a read, the decision to send. `lands_within`: seconds after sending in which the write may be applied; its
    locks are held for as long, also if this process dies."""

    def __init__(
        self, hold: HeldLock, max_age: float, lands_within: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.hold = hold
        self._max_age = max_age
        self.lands_within = lands_within
        self._clock = clock
        self._fresh_since = self.left_at = clock()

    async def read(self, read: Callable[[], Awaitable[_T]]) -> _T:
        """Read the input of the write. An answer that took longer than it is valid is read once more, because the
        process may have been paused. Raises what `read` raises."""
        began = self._clock()
        found = await read()
        if self._clock() - began > self._max_age:
            found = await read()
            # A second slow answer means that the venue is this slow, so it is accepted.
            began = self._clock()
        self._fresh_since = began
        return found

    @property
    def write(self) -> Write:
        """Return the marker for the call that writes."""
        return Write(last_check=self._may_leave)

    async def _may_leave(self) -> bool:
        held = await self.hold.extend(self.lands_within)
        young = self._clock() - self._fresh_since <= self._max_age
        self.left_at = self._clock()
        return held and young and not activity.is_cancelled()


_FAILED_ON_THE_WAY = (ErrorType.SERVER_ERROR, ErrorType.TIMEOUT, ErrorType.NETWORK)


class Dispatch:
    """Sends one write under the locks of `hold`."""

    def __init__(
        self, venues: VenueClient, request: ActRequest, token: str, hold: HeldLock, retry_within: float
    ) -> None:
        """`retry_within`: seconds after which an idempotent write is not retried."""
        self._retry_within = retry_within
        self._venues = venues
        self._step = step = request.scope
        self._action = step.action
        self._token = token
        self._hold = hold
        self._reader = SnapshotReader(venues, step.token_ref, step.trace_id, token=token)
        self._settles = step.profile.settle_seconds
        self._leaving = WriteSender(hold, step.profile.read_max_age_seconds, venues.timeout + self._settles)
        self._bound = bind(step).with_(before=request.before)

    async def prepare(self) -> BoundAction:
        """Return the action with its request, rendered from a fresh read. Raises `VenueError`, also when the state is
        not what the operator confirmed, and `TemplateRenderError`. Nothing was sent in either case."""
        bound = self._bound
        if self._action.snapshot is not None:
            read = await self._read()
            if not read.unchanged():
                if read.shape_changed():
                    raise malformed_response_error("not what it was")
                raise VenueError(error_messages.drift_error(), sent=False)
            bound = bound.with_(before=read.now)
            if (why := bound.preflight_rejection()) is not None:
                # A concurrent change was first. A later read would show that change, not ours.
                raise VenueError(VenueFailure(error_type=ErrorType.CONFLICT, message=why), sent=False)
        return bound.with_request()

    @property
    def is_recent(self) -> bool:
        """Return whether the write was sent so recently that a read can only show its own effect."""
        return time.monotonic() - self._leaving.left_at <= self._step.profile.read_max_age_seconds

    async def send(self, sent: HttpRequest) -> VenueResponse | VenueError:
        """Send the write and return the venue's answer, or the error. Raises `HeldBackError`: nothing was sent.

        The locks are held for as long as the write may still be applied: `settle_seconds` after an answer, plus the
        call's timeout if this attempt is aborted during the call.
        """
        self._hold.keep_for = self._leaving.lands_within
        try:
            answer = await self._answer(sent)
        except HeldBackError:
            self._hold.keep_for = 0
            raise
        self._hold.keep_for = self._settles if isinstance(answer, VenueResponse) or answer.may_have_landed else 0
        return answer

    async def _answer(self, sent: HttpRequest) -> VenueResponse | VenueError:
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
                    # A rejection after a call with unknown outcome may be caused by that call having been applied.
                    failed = VenueError(refused.failure, sent=True)
                if pauses and _worth_another(refused) and time.monotonic() - began < self._retry_within:
                    await asyncio.sleep(pauses.pop(0))
                    if await self._as_before():
                        continue
                return failed or refused

    async def _call(self, sent: HttpRequest) -> VenueResponse:
        step = self._step
        return await self._venues.send_with_token(
            step.profile.base_url,
            sent,
            self._token,
            action=self._action,
            trace_id=step.trace_id,
            write=self._leaving.write,
        )

    async def _read(self) -> BoundAction:
        snapshot = await self._leaving.read(lambda: self._reader.snapshot(self._bound))
        return self._bound.with_(now=snapshot.document)

    async def _as_before(self) -> bool:
        """Return whether a read shows no effect of the write yet."""
        if self._action.snapshot is None:
            return True
        try:
            return (await self._read()).unchanged()
        except (VenueError, TemplateRenderError):
            return False


def bind(step: StepScope) -> BoundAction:
    """Return the action of a step with its parameters."""
    bound = BoundAction.of(step.action, step.parameters, step.profile, step.idempotency_key)
    return bound.with_(in_place_of=step.is_fallback)


def _worth_another(refused: VenueError) -> bool:
    """Return whether the venue or the connection failed. A rejection or a rate limit is an answer and is not
    retried."""
    return refused.failure.error_type in (_FAILED_ON_THE_WAY if refused.sent else (ErrorType.NETWORK,))
