"""Calls to the Temporal service with a time limit and a specific error for each kind of failure.

Every wait is bounded: without a worker, callers get `service_unavailable` at once, not after the server's ten seconds.
The limits are set on the call (`rpc_timeout`) and around it, because the SDK's own retries would take longer.
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

from clients.errors import ApiError, ServiceUnavailableError, api_error
from contracts.enums import ServiceErrorType
from infra.observability.logging import OutageLog
from infra.temporal.client import is_missing
from language.messages.catalogue import translate

T = TypeVar("T")

log = logging.getLogger(__name__)

_AWAY = OutageLog(log, "calling Temporal", "callers get 503, or the last known state")

_TURNED_AWAY = 0.03
"""Seconds before a query that was rejected as busy is sent again."""


async def with_deadline(call: Coroutine[Any, Any, T], seconds: float, part: str = "slow") -> T:
    """Await a call for at most so many seconds, and convert every failure into an `ApiError`; into
    `ServiceUnavailableError` if no answer came."""
    try:
        # Not `wait_for`: in Python 3.11 it may swallow a cancellation, so that nested timeouts may never end.
        async with asyncio.timeout(seconds):
            found = await call
        _AWAY.success()
        return found
    except TimeoutError:
        raise ServiceUnavailableError(part) from None
    except WorkflowUpdateRPCTimeoutOrCancelledError:
        _raise_if_cancelled()
        raise ServiceUnavailableError(part) from None
    except (WorkflowUpdateFailedError, WorkflowFailureError) as error:
        raise _from_workflow(error.cause) from None
    except RPCError as error:
        _raise_if_cancelled()
        raise _from_service(error, part) from None


def _raise_if_cancelled() -> None:
    """Raise `CancelledError` if the caller was cancelled, because the SDK reports that as a Temporal timeout
    or outage."""
    asking = asyncio.current_task()
    if asking is not None and asking.cancelling():
        raise asyncio.CancelledError


async def query_with_retry(ask: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Send a query until the service accepts it. While a workflow is busy, Temporal queues one query and rejects the
    others at once. Call it within `with_deadline`."""
    while True:
        try:
            return await ask()
        except RPCError as error:
            if error.status is not RPCStatusCode.RESOURCE_EXHAUSTED:
                raise
        await asyncio.sleep(_TURNED_AWAY)


def _from_workflow(cause: BaseException | None) -> ApiError:
    if isinstance(cause, ApplicationError) and cause.type in set(ServiceErrorType):
        kind = ServiceErrorType(cause.type)
        refused = api_error(kind, cause.message, *map(str, cause.details))
        if kind is ServiceErrorType.SERVICE_UNAVAILABLE:
            refused.answer.suggestions, refused.answer.retry_after_seconds = [translate("next.moment")], 5
        return refused
    return ServiceUnavailableError("service")


def _from_service(error: RPCError, part: str) -> ApiError:
    if error.status is RPCStatusCode.NOT_FOUND:
        if is_missing(error.message):
            return api_error(ServiceErrorType.NOT_FOUND, translate("refuse.no_plan"), translate("refuse.no_plan_next"))
        return api_error(ServiceErrorType.CONFLICT, translate("refuse.plan_ended"))
    if error.status is RPCStatusCode.FAILED_PRECONDITION:
        # The service knows that no worker polls, or that the workflow's task fails.
        return ServiceUnavailableError("worker" if "poll" in error.message else "slow")
    if error.status is RPCStatusCode.INVALID_ARGUMENT:
        # Temporal answers but does not know a name in the request: a search attribute is not registered.
        log.error("Temporal rejected a request: %s", error.message)
        return ServiceUnavailableError("service")
    late = error.status in (RPCStatusCode.DEADLINE_EXCEEDED, RPCStatusCode.CANCELLED)
    if not late:
        _AWAY.failure(error.status.name)
    return ServiceUnavailableError(part if late else "temporal")
