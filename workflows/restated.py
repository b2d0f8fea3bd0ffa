"""A message as a model reads it, once code has settled what needs no model: which of the listed bookings it chooses,
and that it drops what was asked for before."""

from dataclasses import dataclass

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.booking import BookingSummary
    from contracts.enums import ShortReply
    from contracts.messages import ChatMemory, ChatStart, TurnRequest
    from contracts.turn import ClarificationTurn
    from language.nouns import things_of
    from language.replies import bare_value
    from reasoning.choosing import chosen
    from workflows.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Restated:
    """The request with the words that are left to read, and what the chat remembers for them. `chosen` is the booking
    that they are; `drops`: what was asked for before, a plan that waits included, is wanted no more."""

    request: TurnRequest
    memory: ChatMemory
    chosen: BookingSummary | None = None
    drops: bool = False

    def noted(self, outcome: Outcome) -> Outcome:
        """What the message comes to, with the booking that it chose and the words as they were read."""
        if self.chosen is not None and self.chosen.booking_id not in {b.booking_id for b in outcome.settled}:
            outcome.settled = [*outcome.settled, self.chosen]
        return outcome


def restated(start: ChatStart, memory: ChatMemory, request: TurnRequest) -> Restated:
    """What is left of a message to be read. A choice becomes the booking's number, so that no words of it are read; of
    "forget that, move it to 4pm" the second half is read as if the first half had never been asked for."""
    if request.edit is not None or request.wants_person or request.reply is ShortReply.RETRY:
        return Restated(request, memory)
    if request.after_drop and _drops(memory, request.after_drop):
        left = request.model_copy(update={"user_message": request.after_drop, "points_back": False})
        return Restated(left, _without_request(memory), drops=True)
    booking = chosen(request.user_message, _listed(memory), things_of(start.words, start.locale))
    if booking is None:
        return Restated(request, memory)
    number = booking.reference or booking.booking_id
    known = (*(b for b in memory.known if b.booking_id != booking.booking_id), booking)
    return Restated(
        request.model_copy(update={"user_message": number}), memory.model_copy(update={"known": known}), chosen=booking
    )


def _drops(memory: ChatMemory, rest: str) -> bool:
    """Whether there is something to drop. "Scrap that, Thursday" puts right the day that was asked for, and no more."""
    value = bare_value(rest)
    if not memory.pending_steps:
        return bool(memory.clarifications) and not value
    return not value & {
        p.role for step in memory.pending_steps for p in step.action.parameters if p.name in step.parameters
    }


def _listed(memory: ChatMemory) -> tuple[BookingSummary, ...]:
    """The bookings that our last question listed."""
    last = memory.turns[-1].turn if memory.turns and memory.clarifications else None
    return tuple(last.candidates) if isinstance(last, ClarificationTurn) else ()


def _without_request(memory: ChatMemory) -> ChatMemory:
    """The memory of a chat that knows its bookings and has been asked for nothing."""
    return memory.model_copy(
        update={
            "messages": (),
            "clarifications": 0,
            "asked_for": None,
            "pending_steps": (),
            "pending_plan": None,
            "pending_said": (),
            "no_room": False,
        }
    )
