"""What a plan should do, told without Temporal: the reference that `test_saga_model.py` holds the real one against.

`next` is what the plan waits for: a call by its label (`act 2`), or `looks`, `answer`,
`sign_in`, `window`, `end`. Each method
is something that happens to it. Written from `docs/state-model.md` and `docs/saga.md`, not from the code.
"""

from dataclasses import dataclass, field

CORRECTIONS = 3
QUESTIONS = 5
DONE = ("reversed", "not_needed")


@dataclass
class Step:
    """One step: whether it can be undone, how it stands, and whether a try of it was refused."""

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
        """The model obeys, asks, refuses, or stays away."""
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
        """The operator answers."""
        self._begin(self._at)

    def not_answered(self) -> None:
        """The operator does not, in time."""
        self._stop()

    def seen(self, holds: bool) -> None:
        """What the step would change was looked at."""
        if not holds:
            self._step.status = "failed"
            return self._stop()
        if self.cancelled:
            return self._stop()
        self.sent.append(self._at)
        self.may_stand[self._at] = False
        self.next = f"act {self._at}"

    def acted(self, outcome: str) -> None:
        """The write was applied, refused for good, refused for a value that the model may mend, or is uncertain."""
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
        """The booking was looked at after an uncertain write."""
        if outcome == "unknown":
            self._step.status = "unknown"
            return self._stop()
        self.acted("applied" if outcome == "applied" else "refused")

    # Ending early

    def cancel(self) -> None:
        """A cancel that is heard."""
        self.cancelled = True
        if self.next == "answer":
            self._stop()
        elif self.next == "window":
            self.next = "end"

    def _stop(self) -> None:
        for step in self.steps:
            if step.status in ("pending", "running"):
                # One that was tried is no step that was never begun.
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
        """A reversal answered; `busy` may be tried again, `signed out` needs another token."""
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
        """The operator has a token again."""
        self.token += 1
        if self.next == "sign_in":
            self._send_undo(self._to_undo[-1])

    def grace_over(self) -> None:
        """The operator did not sign in in time."""
        self._grace_over = True
        self._settle("failed")

    # Undoing a completed plan

    def undo_asked(self) -> None:
        """All that can be undone is looked at first, at once."""
        self.to_look_at = [f"look {n}" for n in sorted(self.may_stand) if self.steps[n - 1].reversible]
        self.token += 1
        self.next = "looks"

    def looked(self, holds: bool) -> bool:
        """They were looked at. Whether the undo begins; else it is refused."""
        if holds:
            self._roll_back("undo")
        else:
            self.next = "end" if self.cancelled else "window"
        return holds

    def window_over(self) -> None:
        """Nobody undid it."""
        self.next = "end"

    # The end

    @property
    def manual(self) -> int:
        """How many things are left to a person: exactly what stands, or may."""
        return sum(outcome not in DONE for _, outcome in self.rows)

    @property
    def _step(self) -> Step:
        return self.steps[self._at - 1]
