"""The result of one turn of a chat."""

from dataclasses import dataclass, field

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.booking import BookingSummary
    from contracts.drafting import CompletedRead
    from contracts.enums import AiMode, EscalationReason, OpenQuestion, ParameterRole
    from contracts.errors import ServiceError
    from contracts.step_activities import DraftedStep
    from contracts.turn import Turn
    from contracts.venue import VenueProfile

_KNOWN_KEPT = 10


class TurnRejectedError(Exception):
    """The turn cannot be served; `answer` is the API's response."""

    def __init__(self, answer: ServiceError) -> None:
        super().__init__(answer.message)
        self.answer = answer


@dataclass(slots=True)
class TurnResult:
    """The result of a turn: a reply, or steps for a plan. `escalates` is the reason if it is escalated."""

    turn: Turn | None = None
    steps: tuple[DraftedStep, ...] = ()
    profile: VenueProfile | None = None
    reply_text: str = ""
    operator_messages: tuple[str, ...] = ()
    note: str = ""
    reasoning: str = ""
    confidence: int = 5
    offered: tuple[BookingSummary, ...] = ()
    settled: list[BookingSummary] = field(default_factory=list)
    is_question: bool = False
    expected_role: ParameterRole | None = None
    open_question: OpenQuestion | None = None
    reads: tuple[CompletedRead, ...] = ()
    no_room: bool = False
    escalates: EscalationReason | None = None
    mode: AiMode | None = None

    def merge_known(self, known: tuple[BookingSummary, ...]) -> tuple[BookingSummary, ...]:
        """Return the bookings that the chat has mentioned, the latest last."""
        now = {b.booking_id: b for b in self.settled}
        return (*(b for b in known if b.booking_id not in now), *now.values())[-_KNOWN_KEPT:]
