"""Whether Temporal answers: one line in the log when it stops, one when it is back. What fails meanwhile says so to its
callers; a line for each of them would hide everything else."""

import asyncio
import contextlib
import logging
import time
from datetime import UTC, datetime, timedelta

from temporalio.client import Client
from temporalio.service import RPCError

log = logging.getLogger(__name__)

_IN_A_ROW = 2
"""A single answer that is late is no outage."""


class TemporalWatch:
    """Looks from `begin` to `end`, with `every` seconds in between; an answer may take `within` seconds."""

    def __init__(self, client: Client, every: float = 2.0, within: float = 2.0) -> None:
        self._client = client
        self._every, self._within = every, within
        self._task: asyncio.Task[None] | None = None
        self.away_since: datetime | None = None
        """When it was first found not to answer, of those in a row; None while it answers."""

    def begin(self) -> None:
        """Look from now on."""
        self._task = asyncio.create_task(self._look())

    async def end(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _look(self) -> None:
        failed, since = 0, 0.0
        address = self._client.service_client.config.target_host
        while True:
            why = await self._why_not()
            if why and not failed:
                since, self.away_since = time.monotonic(), datetime.now(UTC)
            if why:
                failed += 1
                if failed == _IN_A_ROW:
                    log.error(
                        "Temporal does not answer at %s (%s): plans stand still, and requests are answered 503",
                        address,
                        why,
                    )
            elif failed:
                if failed >= _IN_A_ROW:
                    log.warning("Temporal answers again at %s, after %.0f s", address, time.monotonic() - since)
                failed, self.away_since = 0, None
            await asyncio.sleep(self._every)

    async def _why_not(self) -> str:
        try:
            async with asyncio.timeout(self._within + 1):
                healthy = await self._client.service_client.check_health(timeout=timedelta(seconds=self._within))
        except RPCError as error:
            return error.status.name
        except (TimeoutError, RuntimeError) as error:
            return type(error).__name__
        return "" if healthy else "not serving"
