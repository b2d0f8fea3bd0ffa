"""Every effect by name and shape: all that workflows see of `activities/`.

Names are compatibility data: they stand in the histories of running plans (a test pins them). Each is
implemented under the same name in this room; calling one of these stubs is a mistake in wiring.
"""

from temporalio import activity

from contracts import drafting, effects, escalation
from contracts.assessment import Critique, CritiqueRequest
from contracts.messages import ChatMemory
from contracts.model import ModelReply, ReasonRequest

NOT_DONE = "not_done"
"""The kind of failure by which `act` and `undo_step` tell that a write did not do what was asked; its first detail is
their reply. Compatibility data, like the names of activities."""

NOTHING_SENT, NOTHING_UNDER_WAY = "nothing sent", "nothing under way"
"""The last heartbeat of a try of `undo_step` that ended by itself: behind the first, no try has sent the compensation
yet. Compatibility data, too."""


class NotWiredError(NotImplementedError):
    """A signature was called instead of its implementation."""


@activity.defn(name="reason")
async def reason(request: ReasonRequest) -> ModelReply:
    """Ask the model for its next move. Safe to retry."""
    raise NotWiredError("reason")


@activity.defn(name="critique")
async def critique(request: CritiqueRequest) -> Critique:
    """Ask the model a second time, about what it is about to do. Safe to retry."""
    raise NotWiredError("critique")


@activity.defn(name="look_up")
async def look_up(request: drafting.LookUpRequest) -> drafting.LookUpReply:
    """Run a read-only action. Safe to retry."""
    raise NotWiredError("look_up")


@activity.defn(name="draft")
async def draft(request: drafting.DraftRequest) -> drafting.DraftReply:
    """Freeze writing calls into steps with previews. Reads only; safe to retry."""
    raise NotWiredError("draft")


@activity.defn(name="take_snapshot")
async def take_snapshot(request: effects.SnapshotRequest) -> effects.SnapshotReply:
    """Read what a step will change and compare it with what was confirmed. Safe to retry."""
    raise NotWiredError("take_snapshot")


@activity.defn(name="act")
async def act(request: effects.ActRequest) -> effects.ActReply:
    """Send one write. Never retried: a lost call is an unknown outcome, settled by `read_back`."""
    raise NotWiredError("act")


@activity.defn(name="read_back")
async def read_back(request: effects.ActRequest) -> effects.ActReply:
    """Find out whether a write landed. Reads only; safe to retry."""
    raise NotWiredError("read_back")


@activity.defn(name="undo_step")
async def undo_step(request: effects.UndoRequest) -> effects.UndoReply:
    """Reverse one step. Reads first, so that a retry never reverses twice. The first detail of a try that fails for now
    is a reply that tells why, and whether a compensation may have been sent."""
    raise NotWiredError("undo_step")


@activity.defn(name="wipe_token")
async def wipe_token(reference: str) -> None:
    """Forget an operator's token."""
    raise NotWiredError("wipe_token")


@activity.defn(name="mark_user")
async def mark_user(call: effects.MarkCall) -> effects.MarkReply:
    """By what an operator's own plans are found. Local: it asks nobody once the cluster is known."""
    raise NotWiredError("mark_user")


@activity.defn(name="claim_confirm")
async def claim_confirm(call: effects.ClaimCall) -> effects.ClaimReply:
    """Settle with its caller that a word takes effect: every word, though the persisted name says confirm. Safe to
    retry: what is granted once is granted again."""
    raise NotWiredError("claim_confirm")


@activity.defn(name="recall_chat")
async def recall_chat(conversation_id: str) -> ChatMemory | None:
    """What the chat's last closed run left behind."""
    raise NotWiredError("recall_chat")


@activity.defn(name="confirm_pending")
async def confirm_pending(call: effects.AssentCall) -> effects.AssentReply:
    """Confirm the session's pending plan on typed assent."""
    raise NotWiredError("confirm_pending")


@activity.defn(name="drop_pending")
async def drop_pending(call: effects.AssentCall) -> effects.AssentReply:
    """Cancel the session's pending plan, as superseded or on the operator's word."""
    raise NotWiredError("drop_pending")


@activity.defn(name="undo_done")
async def undo_done(call: effects.AssentCall) -> effects.AssentReply:
    """Undo the plan that the chat carried out last, on the operator's word."""
    raise NotWiredError("undo_done")


@activity.defn(name="answer_plan")
async def answer_plan(call: effects.AssentCall) -> effects.AssentReply:
    """Give a running plan the answer to its question."""
    raise NotWiredError("answer_plan")


@activity.defn(name="look_at_plan")
async def look_at_plan(call: effects.AssentCall) -> effects.AssentReply:
    """A plan of the chat as it stands. Reads only; safe to retry."""
    raise NotWiredError("look_at_plan")


@activity.defn(name="plan_state")
async def plan_state(plan_id: str) -> effects.PlanState:
    """Whether a plan still runs."""
    raise NotWiredError("plan_state")


@activity.defn(name="question_slot")
async def question_slot(call: effects.SlotCall) -> None:
    """Ask the session's chat for the question slot, or give it back; wakes a closed chat."""
    raise NotWiredError("question_slot")


@activity.defn(name="record_escalation")
async def record_escalation(record: escalation.EscalationRecord) -> None:
    """Write in the ledger how an escalation stands. Safe to retry: a row is known by its escalation."""
    raise NotWiredError("record_escalation")


@activity.defn(name="call_webhook")
async def call_webhook(call: escalation.WebhookCall) -> escalation.WebhookReply:
    """Tell the venue's webhook of an escalation. Safe to retry: the receiver knows a call by its id."""
    raise NotWiredError("call_webhook")


@activity.defn(name="tell_chat")
async def tell_chat(call: escalation.PersonCall) -> None:
    """Bring a person's answer into its chat; wakes a closed chat. Safe to retry: a chat hears each once."""
    raise NotWiredError("tell_chat")
