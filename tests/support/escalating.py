"""Escalated turns, without a model that has doubts: every message that asks for staff is escalated. All that comes
after a turn is the product's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from contracts.enums import EscalationReason
from contracts.turn import EscalationTurn
from workflows.chat import turn as turns
from workflows.chat.turn_result import TurnResult

ASKS = "ask a person:"
SHOWN = "A person will take over and answer here."

_WORK_OUT = turns.TurnRunner.run


async def _work_out(self: turns.TurnRunner) -> TurnResult:
    if self._request.user_message.startswith(ASKS):
        turn = EscalationTurn(message=SHOWN, reason="not sure enough")
        return TurnResult(turn=turn, reply_text=SHOWN, escalates=EscalationReason.LOW_CONFIDENCE)
    return await _WORK_OUT(self)


@contextmanager
def people_are_asked() -> Iterator[None]:
    """Escalate in the workers of this process, as long as the block lasts."""
    with patch.object(turns.TurnRunner, "run", _work_out):
        yield
