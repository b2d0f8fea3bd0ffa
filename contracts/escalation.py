"""Escalations, their status and the staff replies (guided reasoning, "Escalation integration").

Compatibility data like all of `contracts/chat_messages.py`, because workflow histories hold it.
"""

from typing import Literal

from pydantic import Field

from contracts.base import FrozenModel, Instant
from contracts.enums import EscalationReason, EscalationStatus
from contracts.venue import Noun

ANSWER_MOST = 1800
"""Characters of a person's answer: an entry of a chat holds it with who answers."""
BY_MOST = 60
"""Characters of the name under which a person answers."""
SEEN_MOST = 12
"""Lines of a chat that the person who takes over is shown."""


class TranscriptLine(FrozenModel):
    """One line of a chat as its operator saw it; `role` is whose it is."""

    at: Instant
    role: Literal["user", "assistant", "person"]
    text: str


class EscalationStart(FrozenModel):
    """A message that is escalated to staff. `asked` is the operator's message, `reply` the answer to it, `seen` the
    transcript up to then. `reference` is the name that both sides use. `lapse_after` is in seconds."""

    escalation_id: str
    reference: str
    venue_id: str
    session_id: str
    user_id: str
    conversation_id: str
    reason: EscalationReason
    asked: str
    reply: str
    opened_at: Instant
    seen: tuple[TranscriptLine, ...] = ()
    locale: str = "en"
    nouns: dict[str, dict[str, Noun]] = Field(default_factory=dict)
    lapse_after: float = 604_800


class OmittedEscalation(FrozenModel):
    """An escalation that is missing from a list: its workflow did not answer (`unanswered`), or the caller's keys
    cannot decrypt it (`unreadable`). It holds none of the content."""

    escalation_id: str
    venue_id: str = ""
    opened_at: Instant
    why: Literal["unanswered", "unreadable"]


class Resolve(FrozenModel):
    """A person's answer. `request_id` tells a retry from a second answer; `by` is the name it is shown under, "" for
    none. Judged by the workflow, which says what is wrong with it."""

    request_id: str
    message: str
    by: str = ""


class StaffAnswer(FrozenModel):
    """A person's answer that was taken."""

    request_id: str
    message: str
    by: str
    at: Instant


class EscalationView(FrozenModel):
    """An escalation with its status. `delivered_at`: when its answer, or its timeout, was shown in the chat; until then
    it is pending."""

    start: EscalationStart
    status: EscalationStatus
    answer: StaffAnswer | None = None
    delivered_at: Instant | None = None
    ended_at: Instant | None = None


class EscalationRecord(FrozenModel):
    """A row for the ledger, which every caller with access to reports may read: no content and no personal data. `at`
    is when the status last changed."""

    escalation_id: str
    venue_id: str
    reason: EscalationReason
    status: EscalationStatus
    at: Instant
    reference: str = ""
    opened_at: Instant | None = None


class WebhookCall(FrozenModel):
    """The body of a call to a venue's webhook about an escalation."""

    escalation_id: str
    reference: str
    venue_id: str
    session_id: str
    reason: EscalationReason
    question: str
    opened_at: Instant


class WebhookReply(FrozenModel):
    """What a webhook answered: `message` where it resolves the escalation. `called` is False where the venue sets
    none."""

    called: bool
    message: str | None = None
    by: str = ""


class StaffReplySignal(FrozenModel):
    """The signal that delivers a staff reply to a chat, which belongs to `user_id`; or, `lapsed`, the timeout: then
    `message` is the operator's original message."""

    escalation_id: str
    reference: str
    user_id: str
    message: str
    by: str
    lapsed: bool = False


class DeliverStaffReply(FrozenModel):
    """The errand of bringing it there; a chat that has closed is started for it."""

    conversation_id: str
    venue_id: str
    session_id: str
    says: StaffReplySignal
    locale: str = "en"
    nouns: dict[str, dict[str, Noun]] = Field(default_factory=dict)
