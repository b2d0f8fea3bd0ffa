"""What is sent before a person has confirmed anything, or without asking them: it may only read.

One rule for all of it: an operation reads by its HTTP method, or because a person has declared so, beside it or in an
overlay of its own (`read_only: true`). What an overlay uses to change something counts as no read anywhere else.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from contracts.action import AtomicAction, Operation
from registry.findings import Findings
from registry.sources import reads_of
from registry.tiers import is_read

WAY_OUT = "name an operation that only reads; if this one does, say `read_only: true` beside `operation`"


@dataclass(frozen=True, slots=True)
class OnlyReads:
    """What the overlays in use say of operations, by their keys: which only read, and which action changes something
    with one."""

    reading: frozenset[str]
    changing: dict[str, str]

    @classmethod
    def by(cls, actions: Iterable[AtomicAction]) -> "OnlyReads":
        """What these actions say."""
        known = [*actions]
        changing = {action.operation.key: action.name for action in known if not action.read_only}
        return cls(frozenset(a.operation.key for a in known if a.read_only), changing)

    def problem(self, operation: Operation, *, declared: bool) -> str:
        """Why an operation may not be sent unasked, "" where it may; `declared`: a person says so beside it."""
        method, key = operation.method.upper(), operation.key
        if declared or (key not in self.changing and (is_read(method) or key in self.reading)):
            return ""
        user = f", and {self.changing[key]} changes something with it" if key in self.changing else ""
        return f"{key} ({method}) is sent before anybody has confirmed anything, and may be a write{user}"

    def check(self, action: AtomicAction, findings: Findings) -> None:
        """Add a finding for every read of the action that may be a write."""
        for key, read in reads_of(action):
            if problem := self.problem(read.operation, declared=read.read_only):
                findings.once("error", (*key, "operation"), problem, WAY_OUT)
