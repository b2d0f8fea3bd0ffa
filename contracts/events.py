"""Events of a running plan for its watchers (multi-step messaging, "Token Flow").

A plan numbers its events from 1, without a gap. They follow from its history alone, so that another worker that takes
up the plan emits the same events under the same numbers. The set of emitted changes and their order are therefore
compatibility data like the names of signals.
"""

from enum import StrEnum

from pydantic import Field

from contracts.base import FrozenModel, Instant
from contracts.enums import ErrorType, PlanStatus, StepRollbackOutcome, StepStatus


class EventKind(StrEnum):
    """What an event tells."""

    INITIATED = "initiated"
    CONFIRMED = "confirmed"
    STOPPING = "stopping"
    STEP_STARTED = "step_started"
    PROGRESS = "progress"
    STEP_RESULT = "step_result"
    STEP_SKIPPED = "step_skipped"
    PROMPT_OPENED = "prompt_opened"
    PROMPT_ANSWERED = "prompt_answered"
    PROMPT_CLOSED = "prompt_closed"
    ROLLING_BACK = "rolling_back"
    SIGN_IN_NEEDED = "sign_in_needed"
    REVERSAL = "reversal"
    COMPLETE = "complete"
    SEPARATE_MESSAGE = "separate_message"


class PlanEvent(FrozenModel):
    """One event. `text` is what an operator reads, in the venue's language; never empty.

    `step` counts from 1 and is set wherever an event is about one step; `name` is that step's title. `initiated` has
    `reasoning` (why these steps, as text) and `confidence` (1 to 10). A step's result is `completed`, `failed` or
    `unknown` as `step_status`; a reversal has its `outcome`; `complete` the plan's `status`. An event of a question
    names its `prompt_id`. `in_chat`: the chat has emitted it already, while the plan was drafted, so a session's stream
    does not repeat it.
    """

    number: int = Field(ge=1)
    at: Instant
    kind: EventKind
    text: str = Field(min_length=1)
    step: int | None = None
    name: str | None = None
    reasoning: str | None = None
    confidence: int | None = Field(default=None, ge=1, le=10)
    step_status: StepStatus | None = None
    error_type: ErrorType | None = None
    outcome: StepRollbackOutcome | None = None
    status: PlanStatus | None = None
    prompt_id: str | None = None
    choices: tuple[str, ...] | None = None
    in_chat: bool | None = None


class EventsView(FrozenModel):
    """A plan's events after a number, as the query `events` shows them. `over`: no more will come."""

    events: tuple[PlanEvent, ...] = ()
    over: bool = False
