"""The health check of Temporal: logs one line when it stops answering, and one when it answers again. Calls that fail
meanwhile raise to their callers; a line for each would hide everything else."""

import asyncio
import contextlib
import logging
import time
from datetime import UTC, datetime, timedelta

from temporalio.client import Client
from temporalio.service import RPCError

log = logging.getLogger(__name__)

_IN_A_ROW = 2
"""A single late answer is no outage."""


class TemporalHealth:
    """Checks from `start` to `stop`, every `every` seconds. An answer may take `timeout` seconds."""

    def __init__(self, client: Client, every: float = 2.0, timeout: float = 2.0) -> None:
        self._client = client
        self._every, self._timeout = every, timeout
        self._task: asyncio.Task[None] | None = None
        self.away_since: datetime | None = None
        """The time of the first failure in the current row; None while Temporal answers."""

    def start(self) -> None:
        """Start the checks."""
        self._task = asyncio.create_task(self._look())

    async def stop(self) -> None:
        """Stop the checks."""
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
                        "Temporal does not answer at %s (%s): plans pause, and requests are answered 503",
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
            async with asyncio.timeout(self._timeout + 1):
                healthy = await self._client.service_client.check_health(timeout=timedelta(seconds=self._timeout))
        except RPCError as error:
            return error.status.name
        except (TimeoutError, RuntimeError) as error:
            return type(error).__name__
        return "" if healthy else "not serving"
