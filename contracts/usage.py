"""What is kept of a model call, so that it can be billed and its use be seen. No personal data."""

from contracts.base import Frozen
from contracts.enums import AiMode


class CallUsage(Frozen):
    """What one model call was for. `call_id` is the same however often its record is written; `purpose` is `plan`,
    `execute` or `critique`; `critique_triggered` tells of a critique that its turn was judged by."""

    call_id: str
    venue_id: str
    mode: AiMode
    purpose: str
    plan_id: str = ""
    trace_id: str = ""
