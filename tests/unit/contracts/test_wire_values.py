"""Values that are recorded in histories, databases and callers' code. Renaming one breaks running systems.

Guarantees:
- the wire values of every enum are exactly these; one may be added here, none removed or renamed;
- each `ServiceErrorType` has the HTTP status the design gives it;
- every `ParameterRole` reads as words to a model.
"""

from enum import StrEnum

import pytest

from contracts import enums
from contracts.commands import CommandKind
from contracts.enums import ParameterRole, ServiceErrorType
from contracts.message_reading import MessageTrait
from contracts.step_activities import WriteOutcome
from tests.support.tables import table

PINNED: dict[type[StrEnum], str] = {
    enums.PlanStatus: "pending_confirmation confirmed executing completed failed rolled_back expired cancelled",
    enums.StepStatus: "pending running completed failed skipped unknown reversed",
    enums.SafetyTier: "normal high_risk blocked",
    enums.ErrorType: "bad_request unauthorized forbidden not_found conflict rate_limited server_error timeout network "
    "unknown_outcome partly_applied",
    enums.RefusalReason: "no_room known",
    enums.ServiceErrorType: "invalid_request unauthorized forbidden not_found conflict too_large rate_limited "
    "service_unavailable",
    enums.RollbackState: "running waiting_for_sign_in done",
    enums.RollbackTrigger: "failure cancelled undo",
    enums.RollbackOutcome: "complete partial",
    enums.StepRollbackOutcome: "reversed failed irreversible not_needed",
    enums.ShortReply: "yes no wait stop undo cancel yes_cancel what_changed retry",
    enums.OpenQuestion: "undo_or_cancel",
    enums.CritiqueDecision: "proceed ask_user escalate",
    enums.CritiqueTrigger: "destructive low_confidence missing_parameters needs_confirmation not_assured",
    enums.EscalationReason: "low_confidence critique critique_failed no_time asked",
    enums.EscalationStatus: "open resolved lapsed",
    enums.AiMode: "standard adaptive",
    enums.ParameterRole: "booking search date time count first_name last_name email phone note choice duration "
    "time_zone",
    CommandKind: "confirm answer cancel undo skip drop",
    MessageTrait: "asks_change may_answer wants_person small_talk chose_undo has_anaphora stops",
    WriteOutcome: "applied not_applied otherwise unknown",
}


def test_every_enum_is_pinned() -> None:
    ours = {e for e in vars(enums).values() if isinstance(e, type) and issubclass(e, StrEnum) and e is not StrEnum}

    assert ours | {CommandKind, MessageTrait, WriteOutcome} == set(PINNED)


@table("enum", PINNED)
def test_wire_values_are_pinned(enum: type[StrEnum]) -> None:
    assert [str(member) for member in enum] == PINNED[enum].split()


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("invalid_request", 422), ("unauthorized", 401), ("forbidden", 403), ("not_found", 404), ("conflict", 409),
        ("too_large", 413), ("rate_limited", 429), ("service_unavailable", 503),
    ],
)  # fmt: skip
def test_each_service_error_has_one_http_status(kind: str, status: int) -> None:
    assert ServiceErrorType(kind).http_status == status


def test_no_two_service_errors_share_a_status() -> None:
    assert len({kind.http_status for kind in ServiceErrorType}) == len(ServiceErrorType)


@table("role", ParameterRole)
def test_every_role_reads_as_words(role: ParameterRole) -> None:
    assert len(role.words.split()) >= 2
