"""How patient chats and plans are. Like messages, these stand in histories: add fields with defaults, never rename."""

from contracts.base import Frozen


class PlanPolicy(Frozen):
    """How patient a plan is; all in seconds but the counts. Read from settings when a plan is drafted, so that a
    change of settings never touches a plan in flight.

    `venue_queue` and `model_queue` are the task queues of what asks a venue or a model; "", as in plans from before,
    is the queue of the workflow itself."""

    confirm_within: float = 900
    answer_within: float = 600
    model_timeout: float = 30
    call_timeout: float = 60
    heartbeat: float = 4
    start_within: float = 10
    read_back_every: float = 1
    sign_in_within: float = 600
    rollback_within: float = 300
    corrections: int = 3
    questions: int = 5
    task_queue: str = "iq"
    venue_queue: str = ""
    model_queue: str = ""


class ChatPolicy(Frozen):
    """How patient a chat is; all in seconds but the counts."""

    turn_budget: float = 15
    idle_after: float = 3600
    clarifications: int = 3
    look_ups: int = 8
    messages_kept: int = 20
    shown_kept: int = 200
    turns_kept: int = 20
    internal_kept: int = 100
    context_rounds: int = 3
    escalation_lapses: float = 604_800
    continue_after_events: int = 4000
    plan: PlanPolicy = PlanPolicy()
