"""The operator's token in a plan: a reference to the vault, which may be replaced while the plan runs.

If the venue no longer accepts the token, a rollback waits for the operator to sign in again instead of giving up. The
API sends the new reference once the venue has accepted the new token.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from temporalio import workflow

WAITS_FOR_SIGN_IN = "waits for the operator to sign in again"
"""The summary of its timer, by which on-call finds it."""


class Credentials:
    """The current reference, and all earlier ones, so that they can be wiped in the end."""

    def __init__(self, grace: float) -> None:
        self._grace = timedelta(seconds=grace)
        self._until: datetime | None = None
        self.current = ""
        self.used: list[str] = []

    def replace(self, reference: str) -> None:
        """Use this token from now on."""
        if reference not in self.used:
            self.used.append(reference)
        self.current = reference

    async def renewed(self, rejected: str, notify: Callable[[bool], None]) -> bool:
        """Wait for a token other than the rejected one, which may already be there. Returns False if the grace period,
        counted once over all waits, is over. `notify` is called when the wait begins and ends."""
        if self.current != rejected:
            return True
        self._until = self._until or workflow.now() + self._grace
        remaining = self._until - workflow.now()
        notify(True)
        # No `finally`, because it would also run outside the workflow when a cached workflow is evicted.
        try:
            await workflow.wait_condition(
                lambda: self.current != rejected,
                timeout=max(remaining, timedelta()),
                timeout_summary=WAITS_FOR_SIGN_IN,
            )
        except TimeoutError:
            notify(False)
            return False
        notify(False)
        return True
