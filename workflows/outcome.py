"""What one turn of a chat comes to."""

from dataclasses import dataclass, field

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.booking import BookingSummary
    from contracts.drafting import MadeLook
    from contracts.effects import DraftedStep
    from contracts.enums import EscalationReason, ParameterRole
    from contracts.errors import ServiceError
    from contracts.turn import Turn
    from contracts.venue import VenueProfile

_KNOWN_KEPT = 10


class RefusedError(Exception):
    """The turn cannot be served; `answer` is what the API says then."""

    def __init__(self, answer: ServiceError) -> None:
        super().__init__(answer.message)
        self.answer = answer


@dataclass(slots=True)
class Outcome:
    """What a turn comes to: something said, or steps to make a plan of."""

    turn: Turn | None = None
    steps: tuple[DraftedStep, ...] = ()
    profile: VenueProfile | None = None
    told: str = ""
    said: tuple[str, ...] = ()
    remark: str = ""
    reasoning: str = ""
    confidence: int = 5
    offered: tuple[BookingSummary, ...] = ()
    settled: list[BookingSummary] = field(default_factory=list)
    asked: bool = False
    asks_for: ParameterRole | None = None
    looks: tuple[MadeLook, ...] = ()
    no_room: bool = False
    escalates: EscalationReason | None = None

    def spoken_of(self, known: tuple[BookingSummary, ...]) -> tuple[BookingSummary, ...]:
        """The bookings that the chat has spoken of, the latest last."""
        now = {b.booking_id: b for b in self.settled}
        return (*(b for b in known if b.booking_id not in now), *now.values())[-_KNOWN_KEPT:]
