"""An issue of `iq stuck`: something that continues only after a person acts."""

import shlex
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from cli.commands.escalations import age
from contracts.identifiers import sanitize_display_text


class IssueKind(StrEnum):
    """Each kind has a heading in `docs/runbook.md`. Cron jobs depend on the names, so they do not change."""

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
class Issue:
    """One issue. `subject` is a workflow, a task queue, a key or a search attribute; `since` is when it began to wait.
    `commands` are the next commands to type: any one of them settles it, once the cause in `reason` is fixed, or names
    whom to call."""

    kind: IssueKind
    subject: str
    since: datetime
    reason: str
    commands: tuple[str, ...]
    venue: str = ""

    def lines(self) -> list[str]:
        """Return the lines as they are printed."""
        head = f"{age(self.since):>8}  {self.kind:<18}{self.subject}{f'  ({self.venue})' if self.venue else ''}"
        first, *others = self.commands
        # An error may hold text from a venue or a stranger, which must not move the terminal's cursor.
        lines = [head, f"{'':10}why   {' '.join(sanitize_display_text(self.reason).split())}", f"{'':10}next  {first}"]
        return lines + [f"{'':10}or    {other}" for other in others]

    def row(self) -> dict[str, Any]:
        """Return the issue as JSON."""
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
    """Return an `iq` command as it is typed."""
    return shlex.join(["iq", *words])
