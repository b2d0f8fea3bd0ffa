"""Every closed set of values in the product. They are wire values: part of the HTTP contract.

Also what a short reply asserts about its plan, beside yes or no.
"""

from enum import StrEnum


class PlanStatus(StrEnum):
    """The status of a plan (`docs/state-model.md`)."""

    PENDING_CONFIRMATION = "pending_confirmation"
    CONFIRMED = "confirmed"
    EXECUTING = "executing"
    COMPLETED = "completed"
    FAILED = "failed"
    ROLLED_BACK = "rolled_back"
    EXPIRED = "expired"
    CANCELLED = "cancelled"

    @property
    def terminal(self) -> bool:
        """Return whether no further step will run; a failed plan may still be rolling back."""
        return self in _TERMINAL


_TERMINAL = frozenset(
    {PlanStatus.COMPLETED, PlanStatus.FAILED, PlanStatus.ROLLED_BACK, PlanStatus.EXPIRED, PlanStatus.CANCELLED}
)

ALLOWED_TRANSITIONS: dict[PlanStatus, frozenset[PlanStatus]] = {
    PlanStatus.PENDING_CONFIRMATION: frozenset({PlanStatus.CONFIRMED, PlanStatus.EXPIRED, PlanStatus.CANCELLED}),
    PlanStatus.CONFIRMED: frozenset({PlanStatus.EXECUTING, PlanStatus.FAILED, PlanStatus.CANCELLED}),
    PlanStatus.EXECUTING: frozenset({PlanStatus.COMPLETED, PlanStatus.FAILED, PlanStatus.CANCELLED}),
    PlanStatus.COMPLETED: frozenset({PlanStatus.ROLLED_BACK}),
    PlanStatus.FAILED: frozenset({PlanStatus.ROLLED_BACK}),
    PlanStatus.ROLLED_BACK: frozenset(),
    PlanStatus.EXPIRED: frozenset(),
    PlanStatus.CANCELLED: frozenset(),
}
"""Status only moves forward; `completed` to `rolled_back` is an undo."""


class StepStatus(StrEnum):
    """The status of one step of a plan. `unknown`: the write, or its undo, may or may not have been applied."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"
    UNKNOWN = "unknown"
    REVERSED = "reversed"


class SafetyTier(StrEnum):
    """How dangerous an action is. No request can reach a blocked action."""

    NORMAL = "normal"
    HIGH_RISK = "high_risk"
    BLOCKED = "blocked"


class ErrorType(StrEnum):
    """What went wrong with one venue call (`docs/state-model.md`, "Errors").

    `partly_applied`: the venue accepted the write and did something else than requested.
    """

    BAD_REQUEST = "bad_request"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    NETWORK = "network"
    UNKNOWN_OUTCOME = "unknown_outcome"
    PARTLY_APPLIED = "partly_applied"


class RefusalReason(StrEnum):
    """Why the venue refused: no availability, by a rule of its overlay that declares a conflict; or another reason,
    which its overlay declares, or a conflict that no rule names. A request that the venue cannot read, or cannot serve
    now, is not refused in this sense."""

    NO_ROOM = "no_room"
    KNOWN = "known"


class ServiceErrorType(StrEnum):
    """What went wrong with one request to this service; each has one HTTP status."""

    INVALID_REQUEST = "invalid_request"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    TOO_LARGE = "too_large"
    RATE_LIMITED = "rate_limited"
    SERVICE_UNAVAILABLE = "service_unavailable"

    @property
    def http_status(self) -> int:
        """Return the HTTP status of this error."""
        return _HTTP_STATUS[self]


_HTTP_STATUS = {
    ServiceErrorType.INVALID_REQUEST: 422,
    ServiceErrorType.UNAUTHORIZED: 401,
    ServiceErrorType.FORBIDDEN: 403,
    ServiceErrorType.NOT_FOUND: 404,
    ServiceErrorType.CONFLICT: 409,
    ServiceErrorType.TOO_LARGE: 413,
    ServiceErrorType.RATE_LIMITED: 429,
    ServiceErrorType.SERVICE_UNAVAILABLE: 503,
}


class RollbackState(StrEnum):
    """The progress of undoing a failed plan."""

    RUNNING = "running"
    WAITING_FOR_SIGN_IN = "waiting_for_sign_in"
    DONE = "done"


class RollbackTrigger(StrEnum):
    """Why a rollback was started."""

    FAILURE = "failure"
    CANCELLED = "cancelled"
    UNDO = "undo"


class RollbackOutcome(StrEnum):
    """Whether everything that was applied has been undone."""

    COMPLETE = "complete"
    PARTIAL = "partial"


class StepRollbackOutcome(StrEnum):
    """The result of rolling back one applied step."""

    REVERSED = "reversed"
    FAILED = "failed"
    IRREVERSIBLE = "irreversible"
    NOT_NEEDED = "not_needed"


class CritiqueDecision(StrEnum):
    """What a critique of a planned action decides (guided reasoning, "Critique Prompt")."""

    PROCEED = "proceed"
    ASK_USER = "ask_user"
    ESCALATE = "escalate"


class CritiqueTrigger(StrEnum):
    """Why a reply is looked at a second time (guided reasoning, "Critique trigger check")."""

    DESTRUCTIVE = "destructive"
    LOW_CONFIDENCE = "low_confidence"
    MISSING_PARAMETERS = "missing_parameters"
    NEEDS_CONFIRMATION = "needs_confirmation"
    NOT_ASSURED = "not_assured"


class EscalationReason(StrEnum):
    """Why a message was handed to a person."""

    LOW_CONFIDENCE = "low_confidence"
    CRITIQUE = "critique"
    CRITIQUE_FAILED = "critique_failed"
    NO_TIME = "no_time"
    ASKED = "asked"


class EscalationStatus(StrEnum):
    """The status of an escalation. `lapsed`: staff did not answer before its timeout."""

    OPEN = "open"
    RESOLVED = "resolved"
    LAPSED = "lapsed"


class ShortReply(StrEnum):
    """The meaning of a message that code understands by itself (`language.replies.short_replies`)."""

    YES = "yes"
    NO = "no"
    WAIT = "wait"
    STOP = "stop"
    UNDO = "undo"
    CANCEL = "cancel"
    YES_CANCEL = "yes_cancel"
    WHAT_CHANGED = "what_changed"
    RETRY = "retry"


class OpenQuestion(StrEnum):
    """A question of ours whose answer code recognises by itself."""

    UNDO_OR_CANCEL = "undo_or_cancel"


class AiMode(StrEnum):
    """How much self-checking surrounds a model call (guided reasoning, "Architecture")."""

    STANDARD = "standard"
    ADAPTIVE = "adaptive"

    @classmethod
    def _missing_(cls, value: object) -> "AiMode | None":
        # The specification's first name for it, which its own tables still use.
        return cls.ADAPTIVE if value == "premium" else None


class ParameterRole(StrEnum):
    """What a parameter means, so that code never names a pack's fields."""

    BOOKING = "booking"
    SEARCH = "search"
    DATE = "date"
    TIME = "time"
    COUNT = "count"
    FIRST_NAME = "first_name"
    LAST_NAME = "last_name"
    EMAIL = "email"
    PHONE = "phone"
    NOTE = "note"
    CHOICE = "choice"
    DURATION = "duration"
    TIME_ZONE = "time_zone"

    @property
    def words(self) -> str:
        """Return the role as a model reads it at the end of a parameter's description."""
        return _ROLE_WORDS[self]


_ROLE_WORDS = {
    ParameterRole.BOOKING: "a booking id from a look-up",
    ParameterRole.SEARCH: "words to search by",
    ParameterRole.DATE: "a day, YYYY-MM-DD",
    ParameterRole.TIME: "a time of day, HH:MM on a 24-hour clock",
    ParameterRole.COUNT: "a head count",
    ParameterRole.FIRST_NAME: "a person's first name",
    ParameterRole.LAST_NAME: "a person's last name",
    ParameterRole.EMAIL: "an e-mail address",
    ParameterRole.PHONE: "a phone number",
    ParameterRole.NOTE: "free text, in the operator's words",
    ParameterRole.CHOICE: "one of the listed choices",
    ParameterRole.DURATION: "how long, in minutes",
    ParameterRole.TIME_ZONE: "whose clock the day and time are by, an IANA time zone",
}


CANCEL = "cancel"
"""The effect of a step that cancels; for other steps it is the roles of the values that they set."""
