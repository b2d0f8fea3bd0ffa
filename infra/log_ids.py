"""The ids that log lines carry: of the plan, and of the request that it was made of. Both tell nothing of anybody: a
caller may have made a request's id of anything, so what stands in a line is its hash, the one that the ledger and
Langfuse show."""

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
    """The first 32 hex digits of its SHA-256."""
    return sha256(request_id.encode()).hexdigest()[:32] if request_id else ""


def opaque(http_id: str) -> str:
    """An id that a caller gave a call: as it is where it is a UUID or a row of hex digits, else its hash."""
    return http_id if _OPAQUE.fullmatch(http_id) else hashed(http_id)


def remember(workflow_id: str, request_id: str) -> None:
    """The request that a workflow is busy with, for lines of its own: it logs without knowing it."""
    if not request_id:
        return
    with _lock:
        _requests[workflow_id] = hashed(request_id)
        _requests.move_to_end(workflow_id)
        if len(_requests) > _REMEMBERED:
            _requests.popitem(last=False)


def ids_of(workflow_id: str) -> dict[str, str]:
    """What is known of a workflow."""
    if not workflow_id:
        return {}
    plan, request = _PLAN.fullmatch(workflow_id), _requests.get(workflow_id)
    return (
        {"workflow_id": workflow_id}
        | ({"plan_id": plan[1]} if plan else {})
        | ({"request_id": request} if request else {})
    )


@contextmanager
def about(**ids: str) -> Iterator[None]:
    """Lines that are logged within it, in this task, carry these ids."""
    with structlog.contextvars.bound_contextvars(**{k: v for k, v in ids.items() if v}):
        yield


def also_about(**ids: str) -> None:
    """The same for the rest of this task's `about`, once an id is known."""
    structlog.contextvars.bind_contextvars(**{k: v for k, v in ids.items() if v})
