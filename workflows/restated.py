"""A message as a model reads it, once code has settled what needs no model: which of the listed bookings it chooses,
and that it drops what was asked for before."""

from dataclasses import dataclass

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.booking import BookingSummary
    from contracts.enums import ShortReply
    from contracts.messages import ChatMemory, ChatStart, TurnRequest
    from contracts.turn import ClarificationTurn
    from language.choosing import chosen
    from language.nouns import things_of
    from language.replies import bare_value
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
    if request.after_drop and (memory.pending_steps or memory.clarifications):
        left = request.model_copy(update={"user_message": request.after_drop, "points_back": False})
        drops = not _puts_right(memory, request.after_drop)
        return Restated(left, _without_request(memory) if drops else memory, drops=drops)
    booking = chosen(request.user_message, _listed(memory), workflow.now(), things_of(start.words, start.locale))
    if booking is None:
        return Restated(request, memory)
    number = booking.reference or booking.booking_id
    known = (*(b for b in memory.known if b.booking_id != booking.booking_id), booking)
    # The list is done with: "4pm", said next, is no pick of the one in it that starts at 4pm.
    chose = memory.model_copy(update={"known": known, "offered": ()})
    return Restated(request.model_copy(update={"user_message": number}), chose, chosen=booking)


def _puts_right(memory: ChatMemory, rest: str) -> bool:
    """Whether a value puts right what was asked for: "scrap that, Thursday" is another day, and all else stays."""
    value, steps = bare_value(rest), memory.pending_steps
    roles = {p.role for step in steps for p in step.action.parameters if p.name in step.parameters}
    return bool(value) and (not steps or bool(value & roles))


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
