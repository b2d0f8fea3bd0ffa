"""A message as the model reads it, after code has resolved what needs no model: which of the listed bookings it
selects, and that it drops the earlier request."""

from dataclasses import dataclass

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.booking import BookingSummary
    from contracts.chat_messages import ChatMemory, ChatStart, TurnRequest
    from contracts.enums import ShortReply
    from contracts.turn import ClarificationTurn
    from language.messages.nouns import things_of
    from language.replies.choosing import chosen
    from language.replies.short_replies import bare_value
    from workflows.chat.turn_result import TurnResult


@dataclass(frozen=True, slots=True)
class Restated:
    """The request with the text that is left to read, and the matching memory. `chosen` is the booking that the message
    selected. `drops`: the earlier request, including a pending plan, is no longer wanted."""

    request: TurnRequest
    memory: ChatMemory
    chosen: BookingSummary | None = None
    drops: bool = False

    def noted(self, outcome: TurnResult) -> TurnResult:
        """Return the result of the message with the selected booking."""
        if self.chosen is not None and self.chosen.booking_id not in {b.booking_id for b in outcome.settled}:
            outcome.settled = [*outcome.settled, self.chosen]
        return outcome


def restated(start: ChatStart, memory: ChatMemory, request: TurnRequest) -> Restated:
    """Return what is left of a message to be read. A selection becomes the booking's number, so that none of its words
    are read. Of "forget that, move it to 4pm", the second half is read as if the first request had never been made."""
    if request.edit is not None or request.wants_person or request.reply is ShortReply.RETRY:
        return Restated(request, memory)
    if request.after_drop and (memory.pending_steps or memory.clarifications):
        left = request.model_copy(update={"user_message": request.after_drop, "has_anaphora": False})
        drops = not _puts_right(memory, request.after_drop)
        return Restated(left, _without_request(memory) if drops else memory, drops=drops)
    booking = chosen(request.user_message, _listed(memory), workflow.now(), things_of(start.nouns, start.locale))
    if booking is None:
        return Restated(request, memory)
    number = booking.reference or booking.booking_id
    known = (*(b for b in memory.known_bookings if b.booking_id != booking.booking_id), booking)
    # The list is closed: a following "4pm" does not select the booking in it that starts at 4pm.
    chose = memory.model_copy(update={"known_bookings": known, "offered_bookings": ()})
    return Restated(request.model_copy(update={"user_message": number}), chose, chosen=booking)


def _puts_right(memory: ChatMemory, rest: str) -> bool:
    """Return whether a value corrects the request: "scrap that, Thursday" changes the day and keeps the rest."""
    value, steps = bare_value(rest), memory.pending_steps
    roles = {p.role for step in steps for p in step.action.parameters if p.name in step.parameters}
    return bool(value) and (not steps or bool(value & roles))


def _listed(memory: ChatMemory) -> tuple[BookingSummary, ...]:
    """Return the bookings that our last question listed."""
    last = memory.turns[-1].turn if memory.turns and memory.clarifications else None
    return tuple(last.candidates) if isinstance(last, ClarificationTurn) else ()


def _without_request(memory: ChatMemory) -> ChatMemory:
    """Return the memory with its bookings but without any request."""
    return memory.model_copy(
        update={
            "messages": (),
            "clarifications": 0,
            "asked_for": None,
            "pending_steps": (),
            "pending_plan": None,
            "pending_messages": (),
            "last_was_full": False,
        }
    )
