"""What is handed to a person, how it stands, and what the person answers (guided reasoning, "Escalation integration").

Compatibility data like all of `contracts/messages.py`: it stands in workflow histories.
"""

from typing import Literal

from pydantic import Field

from contracts.base import Frozen, Instant
from contracts.enums import EscalationReason, EscalationStatus
from contracts.venue import Word

ANSWER_MOST = 1800
"""Characters of a person's answer: an entry of a chat holds it with who answers."""
BY_MOST = 60
"""Characters of the name under which a person answers."""
SEEN_MOST = 12
"""Lines of a chat that the person who takes over is shown."""


class SeenLine(Frozen):
    """One line of a chat as its operator saw it; `role` is whose it is."""

    at: Instant
    role: Literal["user", "assistant", "person"]
    text: str


class EscalationStart(Frozen):
    """A message that is handed to a person. `asked` is what the operator said, `told` what they were answered, `seen`
    the lines of the chat up to then. `reference` is what both sides call it. `lapse_after` is in seconds."""

    escalation_id: str
    reference: str
    venue_id: str
    session_id: str
    user_id: str
    conversation_id: str
    reason: EscalationReason
    asked: str
    told: str
    opened_at: Instant
    seen: tuple[SeenLine, ...] = ()
    locale: str = "en"
    words: dict[str, dict[str, Word]] = Field(default_factory=dict)
    lapse_after: float = 604_800


class LeftOut(Frozen):
    """One that is missing from a list: its workflow did not answer (`unanswered`), or what it says cannot be opened
    with the keys of whoever asks (`unreadable`). Nothing of what is in it."""

    escalation_id: str
    venue_id: str = ""
    opened_at: Instant
    why: Literal["unanswered", "unreadable"]


class Resolve(Frozen):
    """A person's answer. `request_id` tells a retry from a second answer; `by` is the name it is shown under, "" for
    none. Judged by the workflow, which says what is wrong with it."""

    request_id: str
    message: str
    by: str = ""


class PersonsAnswer(Frozen):
    """A person's answer that was taken."""

    request_id: str
    message: str
    by: str
    at: Instant


class EscalationView(Frozen):
    """An escalation as it stands. `delivered_at`: when its answer, or that nobody gave one, came into the chat; until
    then it is on its way."""

    start: EscalationStart
    status: EscalationStatus
    answer: PersonsAnswer | None = None
    delivered_at: Instant | None = None
    ended_at: Instant | None = None


class EscalationRecord(Frozen):
    """A row for the ledger, which anybody who reports may read: nothing of what anybody said, and of nobody. `at` is
    since when it stands so."""

    escalation_id: str
    venue_id: str
    reason: EscalationReason
    status: EscalationStatus
    at: Instant
    reference: str = ""
    opened_at: Instant | None = None


class WebhookCall(Frozen):
    """What a venue's webhook is told of an escalation."""

    escalation_id: str
    reference: str
    venue_id: str
    session_id: str
    reason: EscalationReason
    question: str
    opened_at: Instant


class WebhookReply(Frozen):
    """What a webhook answered: `message` where it resolves the escalation. `called` is False where the venue sets
    none."""

    called: bool
    message: str | None = None
    by: str = ""


class PersonSays(Frozen):
    """The signal by which a person's answer comes into a chat, which belongs to `user_id`; or, `lapsed`, that nobody
    gave one in time: then `message` is what the operator had asked."""

    escalation_id: str
    reference: str
    user_id: str
    message: str
    by: str
    lapsed: bool = False


class PersonCall(Frozen):
    """The errand of bringing it there; a chat that has closed is started for it."""

    conversation_id: str
    venue_id: str
    session_id: str
    says: PersonSays
    locale: str = "en"
    words: dict[str, dict[str, Word]] = Field(default_factory=dict)
