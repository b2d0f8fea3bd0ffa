"""Every name that workflow histories hold, in one place. From 1.0 on a change would break plans in flight.

`tests/integration/activities/test_names.py` pins them.
"""


class WorkflowType:
    """Types of workflows."""

    PLAN = "Plan"
    CONVERSATION = "Conversation"
    ESCALATION = "Escalation"


class Update:
    """Updates of a plan, a conversation and an escalation. Each is the name of its method: the SDK types no other
    form."""

    CONFIRM = "confirm"
    CANCEL = "cancel"
    SKIP_STEP = "skip_step"
    UNDO = "undo"
    HANDLE_REQUEST = "handle_request"
    RESOLVE = "resolve"


class Signal:
    """Signals, to a plan and to a conversation."""

    ANSWER = "answer"
    TOKEN_RENEWED = "token_renewed"
    PROMPT_SLOT_GRANTED = "prompt_slot_granted"
    REQUEST_PROMPT_SLOT = "request_prompt_slot"
    STAFF_REPLY = "staff_reply"
    DRAFT_BEGUN = "draft_begun"


class Query:
    """Queries, to a plan, a conversation and an escalation."""

    PLAN = "plan"
    EVENTS = "events"
    SESSION = "session"
    TRANSCRIPT = "transcript"
    DEBUG = "debug"
    ESCALATION = "escalation"


class Activity:
    """Activities: of the model, of a venue, of a plan's commands, and of escalations."""

    REASON = "reason"
    CRITIQUE = "critique"
    LOOK_UP = "look_up"
    DRAFT = "draft"
    TAKE_SNAPSHOT = "take_snapshot"
    ACT = "act"
    READ_BACK = "read_back"
    UNDO_STEP = "undo_step"
    WIPE_TOKEN = "wipe_token"
    OWNER_LABEL = "owner_label"
    MATCH_BOOKINGS = "match_bookings"
    COMMIT_COMMAND = "commit_command"
    LOAD_CHAT_MEMORY = "load_chat_memory"
    EXECUTE_COMMAND = "execute_command"
    GET_PLAN = "get_plan"
    PLAN_STATE = "plan_state"
    REQUEST_PROMPT_SLOT = "request_prompt_slot"
    RECORD_ESCALATION = "record_escalation"
    CALL_WEBHOOK = "call_webhook"
    DELIVER_STAFF_REPLY = "deliver_staff_reply"


class SearchAttribute:
    """Search attributes, as on-call types them into the Temporal UI."""

    STATUS = "IqStatus"
    VENUE = "IqVenue"
    PHASE = "IqPhase"
    USER = "IqUser"
    SINCE = "IqSince"


NOT_DONE = "not_done"
"""The kind of failure by which `act` and `undo_step` say that a write did not do what was asked; its first detail is
their reply."""

NOTHING_SENT, NOTHING_UNDER_WAY = "nothing sent", "nothing under way"
"""The last heartbeat of a try of `undo_step` that ended by itself: with the first, no try has sent the
compensation yet, and the next need not wait. A try that was lost with its worker leaves neither, so the next one waits
until nothing can land any more."""
