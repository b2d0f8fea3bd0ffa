"""Checks that every request sent before the operator confirms, or without a confirmation, is a read.

One rule for all of them: an operation reads by its HTTP method, or because an author has declared so, beside it or in
an overlay of its own (`read_only: true`). An operation that an overlay uses to change something is not a read anywhere
else.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from contracts.action import AtomicAction, Operation
from registry.openapi.safety import is_read
from registry.overlays.findings import Findings
from registry.overlays.template_sources import reads_of

WAY_OUT = "name an operation that only reads; if this one does, say `read_only: true` beside `operation`"


@dataclass(frozen=True, slots=True)
class OnlyReads:
    """What the overlays in use declare about operations, by key: which only read, and which action changes something
    with one."""

    reading: frozenset[str]
    changing: dict[str, str]

    @classmethod
    def by(cls, actions: Iterable[AtomicAction]) -> "OnlyReads":
        """Return what these actions declare."""
        known = [*actions]
        changing = {action.operation.key: action.name for action in known if not action.read_only}
        return cls(frozenset(a.operation.key for a in known if a.read_only), changing)

    def problem(self, operation: Operation, *, declared: bool) -> str:
        """Return why an operation may not be sent without confirmation, "" where it may; `declared`: the author
        declares it a read beside it."""
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
