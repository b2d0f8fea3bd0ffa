"""What `iq stuck` finds: something that goes on only once a person has done something."""

import shlex
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from cli.escalations import age
from contracts.names import readable


class Kind(StrEnum):
    """Each has a heading in `docs/runbook.md`. Names are for cron jobs: they stay."""

    ATTRIBUTE_MISSING = "attribute_missing"
    NO_WORKER = "no_worker"
    TASK_FAILS = "task_fails"
    UNREADABLE = "unreadable"
    RETRYING = "retrying"
    ROLLBACK_RETRYING = "rollback_retrying"
    SIGN_IN = "sign_in"
    WEBHOOK = "webhook"
    UNANSWERED = "unanswered"
    UNKNOWN_OUTCOME = "unknown_outcome"
    MANUAL_STEPS = "manual_steps"
    CUT_OFF = "cut_off"


@dataclass(frozen=True)
class Finding:
    """`subject` is a workflow, a task queue, a key or a search attribute; `since` when it began to wait. `commands` are
    what to type next: any one of them settles it, once what `reason` tells was seen to, or tells whom to call."""

    kind: Kind
    subject: str
    since: datetime
    reason: str
    commands: tuple[str, ...]
    venue: str = ""

    def lines(self) -> list[str]:
        """As it is printed."""
        head = f"{age(self.since):>8}  {self.kind:<18}{self.subject}{f'  ({self.venue})' if self.venue else ''}"
        first, *others = self.commands
        # What a venue or a stranger wrote may stand in an error: it must not move the cursor of whoever reads it.
        told = [head, f"{'':10}why   {' '.join(readable(self.reason).split())}", f"{'':10}next  {first}"]
        return told + [f"{'':10}or    {other}" for other in others]

    def row(self) -> dict[str, Any]:
        """As JSON."""
        seconds = max(0, round((datetime.now(UTC) - self.since).total_seconds()))
        return {
            "kind": self.kind.value,
            "subject": self.subject,
            "venue": self.venue or None,
            "since": self.since.isoformat(),
            "age_seconds": seconds,
            "reason": self.reason,
            "commands": list(self.commands),
        }


def iq(*words: str) -> str:
    """A command of ours, as it is typed."""
    return shlex.join(["iq", *words])
