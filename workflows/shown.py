"""What a chat keeps of what its operator saw, so that a page can show it again after a reload."""

from datetime import datetime, timedelta

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.messages import ShownEntry
    from contracts.turn import ClarificationTurn, PlanTurn, Turn

_LONGEST = timedelta(days=7)
"""As long as a closed chat is kept, too."""
_TEXT = 2000
"""Characters: the whole of it travels with the chat when its history starts afresh."""


def shown_with(
    shown: tuple[ShownEntry, ...], said: str, turn: Turn, told: str, now: datetime, kept: int
) -> tuple[ShownEntry, ...]:
    """The entries with a message and its answer behind them; what is older than a week, or too many, falls off."""
    number = shown[-1].number if shown else 0
    asked = ShownEntry(number=number + 1, at=now, kind="said", text=said[:_TEXT])
    labels = tuple(c.label for c in turn.candidates) if isinstance(turn, ClarificationTurn) else ()
    answer = ShownEntry(
        number=number + 2,
        at=now,
        kind=turn.type,
        text=told[:_TEXT],
        plan_id=turn.plan.plan_id if isinstance(turn, PlanTurn) else None,
        choices=labels + tuple(action.label for action in turn.quick_actions),
    )
    fresh = [entry for entry in shown if entry.at > now - _LONGEST]
    return (*fresh, asked, answer)[-kept:]
