"""One way to wait for the Temporal service: bounded, and every way of failing told apart.

Every wait is bounded: when no worker answers, callers get `service_unavailable` at once, not after the server's ten
seconds. The bounds are set on the call (`rpc_timeout`) and around it, since the SDK's own retries would wait longer.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from temporalio.client import (
    WorkflowFailureError,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
)
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode

from clients.errors import RequestError, UnansweredError, refuse
from contracts.enums import ServiceErrorType
from infra.outages import Outage
from infra.temporal import is_missing
from language.catalogue import say

T = TypeVar("T")

_AWAY = Outage(
    logging.getLogger(__name__), "calling Temporal", "whoever asked is told 503, or shown what was known last"
)

_TURNED_AWAY = 0.03
"""Seconds before a query that was turned away is asked again."""


async def bounded(call: Coroutine[Any, Any, T], seconds: float, part: str = "slow") -> T:
    """Wait at most so long, and turn every way of failing into a `RequestError`; into `UnansweredError` when nobody
    said no."""
    try:
        # Not `wait_for`: in Python 3.11 it may swallow a cancellation, so that one bound within another waits for ever.
        async with asyncio.timeout(seconds):
            found = await call
        _AWAY.worked()
        return found
    except TimeoutError:
        raise UnansweredError(part) from None
    except WorkflowUpdateRPCTimeoutOrCancelledError:
        _raise_if_cancelled()
        raise UnansweredError(part) from None
    except (WorkflowUpdateFailedError, WorkflowFailureError) as error:
        raise _from_workflow(error.cause) from None
    except RPCError as error:
        _raise_if_cancelled()
        raise _from_service(error, part) from None


def _raise_if_cancelled() -> None:
    """The SDK reports that its caller was cancelled as if Temporal were too slow, or away."""
    asking = asyncio.current_task()
    if asking is not None and asking.cancelling():
        raise asyncio.CancelledError


async def unbuffered(ask: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Ask a query until the service takes it: while a workflow is busy, Temporal lets one query wait for it and turns
    the others away at once. Call it within `bounded`."""
    while True:
        try:
            return await ask()
        except RPCError as error:
            if error.status is not RPCStatusCode.RESOURCE_EXHAUSTED:
                raise
        await asyncio.sleep(_TURNED_AWAY)


def _from_workflow(cause: BaseException | None) -> RequestError:
    if isinstance(cause, ApplicationError) and cause.type in set(ServiceErrorType):
        kind = ServiceErrorType(cause.type)
        refused = refuse(kind, cause.message, *map(str, cause.details))
        if kind is ServiceErrorType.SERVICE_UNAVAILABLE:
            refused.answer.suggestions, refused.answer.retry_after_seconds = [say("next.moment")], 5
        return refused
    return UnansweredError("service")


def _from_service(error: RPCError, part: str) -> RequestError:
    if error.status is RPCStatusCode.NOT_FOUND:
        if is_missing(error.message):
            return refuse(ServiceErrorType.NOT_FOUND, say("refuse.no_plan"), say("refuse.no_plan_next"))
        return refuse(ServiceErrorType.CONFLICT, say("refuse.plan_ended"))
    if error.status is RPCStatusCode.FAILED_PRECONDITION:
        # The service knows that nobody polls, or that the workflow's own task fails.
        return UnansweredError("worker" if "poll" in error.message else "slow")
    late = error.status in (RPCStatusCode.DEADLINE_EXCEEDED, RPCStatusCode.CANCELLED)
    if not late:
        _AWAY.failed(error.status.name)
    return UnansweredError(part if late else "temporal")
