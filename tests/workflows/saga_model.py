"""A reference model of a plan, without Temporal: `test_saga_model.py` compares the real workflow with it.

`next` is what the plan waits for: a call by its label (`act 2`), or `looks`, `answer`, `sign_in`, `window`, `end`. Each
method is an event. Written from `docs/state-model.md` and `docs/saga.md`, not from the code.
"""

from dataclasses import dataclass, field

CORRECTIONS = 3
QUESTIONS = 5
DONE = ("reversed", "not_needed")


@dataclass
class Step:
    """One step: its status, whether it can be undone, and whether the venue has refused an attempt."""

    reversible: bool
    status: str = "pending"
    refused: bool = False


@dataclass
class Model:
    """One confirmed plan."""

    steps: list[Step]
    next: str = "reason 1"
    status: str = "confirmed"
    trigger: str = ""
    cancelled: bool = False
    token: int = 1
    sent: list[int] = field(default_factory=list)
    undo_calls: list[str] = field(default_factory=list)
    rows: list[tuple[int, str]] = field(default_factory=list)
    may_stand: dict[int, bool] = field(default_factory=dict)
    """Steps to undo, in the order they acted; True when it is certain that they were applied."""
    _at: int = 1
    _mistakes: int = 0
    _asked: int = 0
    _to_undo: list[int] = field(default_factory=list)
    _token_used: int = 1
    _grace_over: bool = False
    to_look_at: list[str] = field(default_factory=list)

    # Executing

    def _begin(self, step: int) -> None:
        if self.cancelled:
            self._stop()
        elif step > len(self.steps):
            self.status = "completed"
            open_to_undo = any(self.steps[n - 1].reversible for n in self.may_stand)
            self.next = "window" if open_to_undo else "end"
        else:
            self._mistakes = 0 if step != self._at else self._mistakes
            self._at, self.next = step, f"reason {step}"

    def reasoned(self, outcome: str) -> None:
        """Take the model's reply: it obeys, asks, refuses, or is unavailable."""
        if outcome == "away":
            return self._stop()
        self.status = "executing"
        if self.cancelled or outcome == "refuses" or (outcome == "asks" and self._asked == QUESTIONS):
            return self._stop()
        if outcome == "asks":
            self._asked += 1
            self.next = "answer"
        else:
            self._step.status = "running"
            self.next = f"snapshot {self._at}"

    def answered(self) -> None:
        """Take the operator's answer."""
        self._begin(self._at)

    def not_answered(self) -> None:
        """Let the question time out."""
        self._stop()

    def seen(self, holds: bool) -> None:
        """Take the snapshot of what the step would change."""
        if not holds:
            self._step.status = "failed"
            return self._stop()
        if self.cancelled:
            return self._stop()
        self.sent.append(self._at)
        self.may_stand[self._at] = False
        self.next = f"act {self._at}"

    def acted(self, outcome: str) -> None:
        """Take the write's result: applied, refused for good, refused for a value that the model may mend, or
        uncertain."""
        if outcome == "applied":
            self._step.status = "completed"
            self.may_stand[self._at] = True
            return self._begin(self._at + 1)
        if outcome == "uncertain":
            self.next = f"read_back {self._at}"
            return None
        del self.may_stand[self._at]
        if outcome == "bad value" and self._mistakes + 1 < CORRECTIONS:
            self._mistakes += 1
            self._step.refused = True
            return self._begin(self._at)
        self._step.status = "failed"
        return self._stop()

    def read(self, outcome: str) -> None:
        """Take the read after an uncertain write."""
        if outcome == "unknown":
            self._step.status = "unknown"
            return self._stop()
        self.acted("applied" if outcome == "applied" else "refused")

    # Ending early

    def cancel(self) -> None:
        """Take a cancel that the plan accepts."""
        self.cancelled = True
        if self.next == "answer":
            self._stop()
        elif self.next == "window":
            self.next = "end"

    def _stop(self) -> None:
        for step in self.steps:
            if step.status in ("pending", "running"):
                # A step that was attempted is not reported as one that never began.
                step.status = "failed" if step.refused else "skipped"
        if self.may_stand:
            self._roll_back("cancelled" if self.cancelled else "failure")
        else:
            self.status, self.next = "cancelled" if self.cancelled else "failed", "end"

    def _roll_back(self, trigger: str) -> None:
        self.trigger = trigger
        self._to_undo = sorted(self.may_stand)
        self._undo_next()

    def _undo_next(self) -> None:
        while self._to_undo:
            step = self._to_undo[-1]
            if self.may_stand[step] and not self.steps[step - 1].reversible:
                self.rows.append((self._to_undo.pop(), "irreversible"))
                continue
            return self._send_undo(step)
        self.status, self.next = "rolled_back", "end"
        return None

    def _send_undo(self, step: int) -> None:
        self.next = f"undo {step}"
        self.undo_calls.append(self.next)
        self._token_used = self.token

    def undone(self, outcome: str) -> None:
        """Take a compensation's result; `busy` may be retried, `signed out` needs another token."""
        step = self._to_undo[-1]
        if outcome == "busy":
            return self.undo_calls.append(self.next)
        if outcome == "signed out" and self.token != self._token_used:
            return self._send_undo(step)
        if outcome == "signed out" and not self._grace_over:
            self.next = "sign_in"
            return None
        self._settle("failed" if outcome in ("signed out", "lost") else outcome)
        return None

    def _settle(self, outcome: str) -> None:
        step = self._to_undo.pop()
        self.rows.append((step, outcome))
        if outcome == "reversed":
            self.steps[step - 1].status = "reversed"
        self._undo_next()

    def signed_in(self) -> None:
        """Give the operator a valid token again."""
        self.token += 1
        if self.next == "sign_in":
            self._send_undo(self._to_undo[-1])

    def grace_over(self) -> None:
        """Let the sign-in grace period run out."""
        self._grace_over = True
        self._settle("failed")

    # Undoing a completed plan

    def undo_asked(self) -> None:
        """Start an undo: the plan first reads every booking that can be undone, all at once."""
        self.to_look_at = [f"look {n}" for n in sorted(self.may_stand) if self.steps[n - 1].reversible]
        self.token += 1
        self.next = "looks"

    def looked(self, holds: bool) -> bool:
        """Take the reads. Return whether the undo begins; otherwise it is refused."""
        if holds:
            self._roll_back("undo")
        else:
            self.next = "end" if self.cancelled else "window"
        return holds

    def window_over(self) -> None:
        """Close the undo window without an undo."""
        self.next = "end"

    # The end

    @property
    def manual(self) -> int:
        """Return the number of manual steps: exactly what is still applied, or may be."""
        return sum(outcome not in DONE for _, outcome in self.rows)

    @property
    def _step(self) -> Step:
        return self.steps[self._at - 1]
