"""The operator's token, as a plan knows it: a reference to the vault, which may be replaced while the plan runs.

When the venue no longer accepts the token, a rollback waits for the operator to sign in again instead of giving up; the
facade hands over the new reference once the venue has accepted the new token.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from temporalio import workflow

WAITS_FOR_SIGN_IN = "waits for the operator to sign in again"
"""What its timer says; on-call finds it by this."""


class Credentials:
    """The reference in use, and all that were, so that they can be wiped in the end."""

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
        """Wait for another token than the rejected one, which may have come meanwhile; False when the grace, counted
        once over all waits, is over. `notify` hears when the waiting begins and ends."""
        if self.current != rejected:
            return True
        self._until = self._until or workflow.now() + self._grace
        left = self._until - workflow.now()
        notify(True)
        # No `finally`: it would also run, outside the workflow, when a cached workflow is put aside.
        try:
            await workflow.wait_condition(
                lambda: self.current != rejected,
                timeout=max(left, timedelta()),
                timeout_summary=WAITS_FOR_SIGN_IN,
            )
        except TimeoutError:
            notify(False)
            return False
        notify(False)
        return True
