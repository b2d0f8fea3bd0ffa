"""The state that a client shares: the plan that the run is about, and what its last message came to.

    {"plan": ExecutionPlan or null, "turn": {"type", "quick_actions", "candidates", "reason", "reference"} or null}

Told whole first, then as JSON Patch (RFC 6902). What a client sends as its state is ignored.
"""

from collections.abc import Iterator
from typing import Any

import jsonpatch
from ag_ui.core import BaseEvent, StateDeltaEvent, StateSnapshotEvent

from contracts.plan import ExecutionPlan
from contracts.turn import PlanTurn, Turn

_BESIDE_ITS_WORDS = {"type", "quick_actions", "candidates", "reason", "reference"}


class SharedState:
    """What the client of one run knows."""

    def __init__(self) -> None:
        self._state: dict[str, Any] = {"plan": None, "turn": None}
        self._told: dict[str, Any] | None = None

    def plan(self, plan: ExecutionPlan) -> Iterator[BaseEvent]:
        """Tell how the plan stands, where that is news."""
        self._state = {**self._state, "plan": plan.model_dump(mode="json", exclude_none=True)}
        yield from self._news()

    def turn(self, turn: Turn) -> Iterator[BaseEvent]:
        """Tell what a message came to beside its words."""
        if isinstance(turn, PlanTurn):
            told = turn.model_dump(mode="json", exclude_none=True, exclude={"plan", "message"})
        else:
            told = turn.model_dump(mode="json", exclude_none=True, include=_BESIDE_ITS_WORDS)
        self._state = {**self._state, "turn": told}
        yield from self._news()

    def snapshot(self) -> StateSnapshotEvent:
        """All of it."""
        self._told = self._state
        return StateSnapshotEvent(snapshot=self._state)

    def _news(self) -> Iterator[BaseEvent]:
        if self._told is None:
            yield self.snapshot()
            return
        operations = jsonpatch.make_patch(self._told, self._state).patch
        self._told = self._state
        if operations:
            yield StateDeltaEvent(delta=operations)
