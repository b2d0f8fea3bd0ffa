"""The signatures of all activities: all that workflows see of `activities/`.

Names are compatibility data: histories of running plans hold them (a test pins them). Each is implemented under the
same name in `activities/`; calling one of these stubs is a wiring error.
"""

from temporalio import activity

from contracts import drafting, escalation, step_activities
from contracts.chat_completion import Critique, CritiqueRequest, ModelReply, ReasonRequest
from contracts.chat_messages import ChatMemory
from contracts.message_reading import BookingMatch, BookingMatchRequest
from contracts.persisted_names import Activity


class NotWiredError(NotImplementedError):
    """A signature was called instead of its implementation."""


@activity.defn(name=Activity.REASON)
async def reason(request: ReasonRequest) -> ModelReply:
    """Ask the model for its next move. Safe to retry."""
    raise NotWiredError(Activity.REASON)


@activity.defn(name=Activity.CRITIQUE)
async def critique(request: CritiqueRequest) -> Critique:
    """Ask the model a second time, about what it is about to do. Safe to retry."""
    raise NotWiredError(Activity.CRITIQUE)


@activity.defn(name=Activity.LOOK_UP)
async def look_up(request: drafting.LookUpRequest) -> drafting.LookUpReply:
    """Run a read-only action. Safe to retry."""
    raise NotWiredError(Activity.LOOK_UP)


@activity.defn(name=Activity.DRAFT)
async def draft(request: drafting.DraftRequest) -> drafting.DraftReply:
    """Freeze writing calls into steps with previews. Reads only; safe to retry."""
    raise NotWiredError(Activity.DRAFT)


@activity.defn(name=Activity.TAKE_SNAPSHOT)
async def take_snapshot(request: step_activities.SnapshotRequest) -> step_activities.SnapshotReply:
    """Read what a step will change and compare it with what was confirmed. Safe to retry."""
    raise NotWiredError(Activity.TAKE_SNAPSHOT)


@activity.defn(name=Activity.ACT)
async def act(request: step_activities.ActRequest) -> step_activities.ActReply:
    """Send one write. Never retried: a lost call is an unknown outcome, settled by `read_back`."""
    raise NotWiredError(Activity.ACT)


@activity.defn(name=Activity.READ_BACK)
async def read_back(request: step_activities.ActRequest) -> step_activities.ActReply:
    """Find out whether a write landed. Reads only; safe to retry."""
    raise NotWiredError(Activity.READ_BACK)


@activity.defn(name=Activity.UNDO_STEP)
async def undo_step(request: step_activities.StepUndoRequest) -> step_activities.StepUndoResult:
    """Reverse one step. Reads first, so that a retry never reverses twice. The first detail of an attempt that fails
    temporarily is a reply with the reason, and whether a compensation may have been sent."""
    raise NotWiredError(Activity.UNDO_STEP)


@activity.defn(name=Activity.WIPE_TOKEN)
async def wipe_token(reference: str) -> None:
    """Forget an operator's token."""
    raise NotWiredError(Activity.WIPE_TOKEN)


@activity.defn(name=Activity.OWNER_LABEL)
async def owner_label(call: step_activities.OwnerLabelRequest) -> step_activities.OwnerLabel:
    """Return the label by which an operator's own plans are found. Local: it makes no request once the cluster is
    known."""
    raise NotWiredError(Activity.OWNER_LABEL)


@activity.defn(name=Activity.MATCH_BOOKINGS)
async def match_bookings(request: BookingMatchRequest) -> BookingMatch:
    """Compare a message with the chat's bookings by word lists. Local: it makes no request."""
    raise NotWiredError(Activity.MATCH_BOOKINGS)


@activity.defn(name=Activity.COMMIT_COMMAND)
async def commit_command(call: step_activities.CommitCommand) -> step_activities.CommitResult:
    """Commit a command of any kind with its caller, so that it takes effect. Safe to retry: a command committed once is
    committed again."""
    raise NotWiredError(Activity.COMMIT_COMMAND)


@activity.defn(name=Activity.LOAD_CHAT_MEMORY)
async def load_chat_memory(conversation_id: str) -> ChatMemory | None:
    """Return the memory that the chat's last closed run left."""
    raise NotWiredError(Activity.LOAD_CHAT_MEMORY)


@activity.defn(name=Activity.EXECUTE_COMMAND)
async def execute_command(call: step_activities.ChatCommand) -> step_activities.ChatCommandResult:
    """Carry out the operator's typed command on a plan of the chat. Safe to retry: a retry learns the outcome."""
    raise NotWiredError(Activity.EXECUTE_COMMAND)


@activity.defn(name=Activity.GET_PLAN)
async def get_plan(call: step_activities.PlanLookUp) -> step_activities.ChatCommandResult:
    """Return a plan of the chat with its current state. Reads only; safe to retry."""
    raise NotWiredError(Activity.GET_PLAN)


@activity.defn(name=Activity.PLAN_STATE)
async def plan_state(plan_id: str) -> step_activities.PlanState:
    """Return whether a plan still runs."""
    raise NotWiredError(Activity.PLAN_STATE)


@activity.defn(name=Activity.REQUEST_PROMPT_SLOT)
async def request_prompt_slot(call: step_activities.PromptSlotRequest) -> None:
    """Ask the session's chat for the question slot, or give it back; wakes a closed chat."""
    raise NotWiredError(Activity.REQUEST_PROMPT_SLOT)


@activity.defn(name=Activity.RECORD_ESCALATION)
async def record_escalation(record: escalation.EscalationRecord) -> None:
    """Record an escalation's status in the ledger. Safe to retry: the escalation identifies its row."""
    raise NotWiredError(Activity.RECORD_ESCALATION)


@activity.defn(name=Activity.CALL_WEBHOOK)
async def call_webhook(call: escalation.WebhookCall) -> escalation.WebhookReply:
    """Notify the venue's webhook of an escalation. Safe to retry: the receiver recognizes a call by its id."""
    raise NotWiredError(Activity.CALL_WEBHOOK)


@activity.defn(name=Activity.DELIVER_STAFF_REPLY)
async def deliver_staff_reply(call: escalation.DeliverStaffReply) -> None:
    """Deliver a person's answer to its chat; wakes a closed chat. Safe to retry: a chat accepts each once."""
    raise NotWiredError(Activity.DELIVER_STAFF_REPLY)
