"""Effects that wait until a test gives each call its result."""

import asyncio
from datetime import timedelta
from typing import Any

from temporalio import activity
from temporalio.exceptions import ApplicationError

from tests.workflows.fakes import Effects


def lost() -> ApplicationError:
    """Return the error of a call that failed without an answer."""
    # With a type, as an error that the activity itself raises: its write is not repeated. That of a dead worker may be.
    return ApplicationError("lost", type="lost", non_retryable=True)


def busy() -> ApplicationError:
    """Return the error of a call that may be retried in a second."""
    return ApplicationError("429", type="rate_limited", next_retry_delay=timedelta(seconds=1))


class Puppets(Effects):
    """Effects whose calls wait for the test to set their results."""

    def __init__(self) -> None:
        super().__init__()
        self.ended = set[str]()
        self._waiting: asyncio.Queue[tuple[str, str, asyncio.Future[Any]]] = asyncio.Queue()

    async def next_call(self, plan: str) -> tuple[str, asyncio.Future[Any]]:
        """Return the next waiting call of this plan's workflow."""
        while True:
            of, label, shown = await self._waiting.get()
            if of == plan:
                return label, shown

    async def _answer(self, label: str, request: Any, usual: Any) -> Any:
        plan = activity.info().workflow_id or ""
        if plan in self.ended:
            # A busy server may hand out a call once more although its plan has ended.
            return usual
        self.calls.append(label)
        if label.split()[0] not in ("reason", "snapshot", "act", "read_back", "undo", "look"):
            return usual
        shown: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        await self._waiting.put((plan, label, shown))
        reply = await shown
        reply = usual if reply is None else reply
        if isinstance(reply, BaseException):
            raise reply
        return reply
