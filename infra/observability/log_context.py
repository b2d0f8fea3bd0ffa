"""The ids on log lines: of the plan, and of the request that it was made for. Neither holds personal data. A caller
chooses a request's id freely, so a line has its hash, which the ledger and Langfuse show too."""

import re
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from threading import Lock

import structlog

_REMEMBERED = 10_000
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_PLAN = re.compile(rf"plan-({_UUID})")
_OPAQUE = re.compile(rf"{_UUID}|[0-9a-f]{{16,64}}", re.IGNORECASE)

_requests: OrderedDict[str, str] = OrderedDict()
_lock = Lock()


def hashed(request_id: str) -> str:
    """Return the first 32 hex digits of the id's SHA-256."""
    return sha256(request_id.encode()).hexdigest()[:32] if request_id else ""


def opaque(http_id: str) -> str:
    """Return an id that a caller gave a call: unchanged if it is a UUID or hex digits, else its hash."""
    return http_id if _OPAQUE.fullmatch(http_id) else hashed(http_id)


def remember_request(workflow_id: str, request_id: str) -> None:
    """Record the request that a workflow is working on, for log lines of code that does not know it."""
    if not request_id:
        return
    with _lock:
        _requests[workflow_id] = hashed(request_id)
        _requests.move_to_end(workflow_id)
        if len(_requests) > _REMEMBERED:
            _requests.popitem(last=False)


def ids_for(workflow_id: str) -> dict[str, str]:
    """Return the known ids of a workflow."""
    if not workflow_id:
        return {}
    plan, request = _PLAN.fullmatch(workflow_id), _requests.get(workflow_id)
    return (
        {"workflow_id": workflow_id}
        | ({"plan_id": plan[1]} if plan else {})
        | ({"request_id": request} if request else {})
    )


@contextmanager
def logging_context(**ids: str) -> Iterator[None]:
    """Add these ids to the lines that this task logs within the context."""
    with structlog.contextvars.bound_contextvars(**{k: v for k, v in ids.items() if v}):
        yield


def bind_log_context(**ids: str) -> None:
    """Add ids for the rest of this task's `logging_context`, once an id is known."""
    structlog.contextvars.bind_contextvars(**{k: v for k, v in ids.items() if v})
