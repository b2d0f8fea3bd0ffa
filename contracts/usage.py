"""Records of model calls and plans for billing and monitoring, and the reports on them. No personal data: names of
venues, models and actions, ids, times and counts."""

from datetime import date
from enum import StrEnum

from pydantic import Field

from contracts.base import FrozenModel, Instant
from contracts.enums import (
    AiMode,
    ErrorType,
    EscalationReason,
    EscalationStatus,
    PlanStatus,
    RollbackOutcome,
    RollbackTrigger,
    StepStatus,
)


class CallUsage(FrozenModel):
    """What one model call was for. `call_id` is the run, the activity and its attempt: the same
    however often its record is written; `purpose` is `plan`,
    `execute` or `critique`; `critique_triggered` tells of a critique that its turn was judged by. `opens_turn`: it is
    the first call of an operator's message. `multiplier` is the tariff's of this mode, at that moment."""

    call_id: str
    venue_id: str
    mode: AiMode
    purpose: str
    plan_id: str = ""
    trace_id: str = ""
    critique_triggered: bool = False
    opens_turn: bool = False
    tariff: str = ""
    multiplier: float = Field(default=1.0, ge=0)


class StepOutcome(FrozenModel):
    """How one step that was attempted ended; `error_type` where the venue refused it. `seconds` is how long it took
    from its first call to its end, None where it has none yet."""

    step: int
    action: str
    status: StepStatus
    error_type: ErrorType | None = None
    seconds: float | None = Field(default=None, ge=0)


class AuditAction(StrEnum):
    """A command of an operator that took effect on a plan."""

    ASKED = "asked"
    CONFIRMED = "confirmed"
    ANSWERED = "answered"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    REPLACED = "replaced"
    UNDONE = "undone"


class AuditEntry(FrozenModel):
    """An audit log entry: the user, command, plan and time; `number` counts a plan's from 1. `user_id` is the id by
    which the caller knows the user."""

    plan_id: str
    number: int
    venue_id: str
    user_id: str
    action: AuditAction
    at: Instant


class PlanOutcome(FrozenModel):
    """The status of a plan. Of two records of one plan the one with the higher `revision` counts, whichever is written
    first. `requested_at` is when the request's first message came; `clarifications` is the number of questions asked
    before it; `steps` are those attempted so far. `before` is the status of the previous record. `settled`: nothing
    more happens by itself. `ends`: that is so for the first time; an undo afterwards is no second end. `deeds` are all
    audit entries so far, for the ledger alone."""

    plan_id: str
    venue_id: str
    mode: AiMode
    status: PlanStatus
    before: PlanStatus = PlanStatus.PENDING_CONFIRMATION
    settled: bool = False
    ends: bool = False
    revision: int
    requested_at: Instant
    drafted_at: Instant
    confirmed_at: Instant | None = None
    first_action_at: Instant | None = None
    ended_at: Instant | None = None
    clarifications: int = 0
    replaced: bool = False
    rollback_trigger: RollbackTrigger | None = None
    rollback_outcome: RollbackOutcome | None = None
    steps: tuple[StepOutcome, ...] = ()
    trace_id: str = ""
    audit_entries: tuple[AuditEntry, ...] = Field(default=(), repr=False)

    @property
    def seconds_to_confirm(self) -> int | None:
        """See `seconds_to_confirm`."""
        return seconds_to_confirm(self.requested_at, self.confirmed_at)


def seconds_to_confirm(requested_at: Instant, confirmed_at: Instant | None) -> int | None:
    """Return the whole seconds from the request to its confirmation; None where it was not confirmed."""
    return round((confirmed_at - requested_at).total_seconds()) if confirmed_at is not None else None


class EscalationRow(FrozenModel):
    """One message that was handed to a person. `reference` is what that person finds it by, and no name."""

    escalation_id: str
    venue_id: str
    reason: EscalationReason
    reference: str = ""
    status: EscalationStatus = EscalationStatus.OPEN
    created_at: Instant
    resolved_at: Instant | None = None


class UsageRow(FrozenModel):
    """Model calls of one mode, venue or day (`name`), or of all. Tokens are counts, `cost_usd` dollars: price times
    multiplier, None where no call has a known price; `unpriced_calls` are those that no cost is known of.
    `multiplier` is the calls' mean. `critique_rate` is the share of messages that were judged by a critique."""

    name: str
    calls: int
    turns: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    latency_ms: float | None
    cost_usd: float | None
    unpriced_calls: int
    multiplier: float | None
    critiques: int
    critique_rate: float | None


class PlanRow(FrozenModel):
    """The booking specification's metrics over plans of one mode, venue or day, or of all; shares go from 0 to 1 and
    are None where there is nothing to take a share of. `docs/ledger.md` defines each."""

    name: str
    plans: int
    planning_accuracy: float | None
    execution_success: float | None
    clarification_rate: float | None
    median_seconds_to_confirm: float | None
    rollback_frequency: float | None


class AttemptedActionRow(FrozenModel):
    """How often a step of one action that was attempted failed, or ended unknown. An attempted step may not have been
    sent: a check before the request can end it."""

    action: str
    attempted: int
    failed: int
    failure_rate: float


class UsageReport(FrozenModel):
    """What `GET /v1/usage` tells of the days from `since` to `until`, both included, in UTC."""

    by: str
    since: date
    until: date
    usage: tuple[UsageRow, ...]
    total: UsageRow
    plans: tuple[PlanRow, ...]
    all_plans: PlanRow
    actions: tuple[AttemptedActionRow, ...]


class ModeRow(FrozenModel):
    """The mode of a venue, or of the venues of a tariff, and its origin. `kind` is `venue` or `tariff`. `toggled` is
    None without an override: then `default` applies, from the tariff or its file. `multiplier` is that of `mode`. Not
    `tariff_known`: a venue names a tariff that `overlays/tariffs.yaml` does not have, and is served like one that names
    none."""

    kind: str
    name: str
    mode: AiMode
    default: AiMode
    toggled: AiMode | None = None
    tariff: str = ""
    multiplier: float | None = None
    by: str = ""
    at: Instant | None = None
    tariff_known: bool = True


class ModeChange(FrozenModel):
    """One line of the audit trail: `before` and `after` are None where a toggle was not there, or was taken away."""

    at: Instant
    by: str
    kind: str
    name: str
    before: AiMode | None
    after: AiMode | None
