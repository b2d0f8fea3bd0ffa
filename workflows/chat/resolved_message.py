"""A message as the model reads it, after code has resolved what needs no model: which of the listed bookings it
selects, and that it drops the earlier request. A local activity compares the message with the chat's bookings, because
it reads word lists."""

from dataclasses import dataclass
from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.booking import BookingSummary
    from contracts.chat_messages import ChatMemory, TurnRequest
    from contracts.enums import ShortReply
    from contracts.message_reading import BookingMatch, BookingMatchRequest, MessageTrait, RemainingRequest
    from contracts.step_activities import DraftedStep
    from contracts.turn import ClarificationTurn
    from workflows.chat.session import ChatSession
    from workflows.chat.turn_result import TurnResult


_WITHIN = timedelta(seconds=10)


async def match_bookings(chat: ChatSession, request: TurnRequest) -> BookingMatch:
    """Return how a message matches the chat's bookings. Raises `ActivityError`."""
    memory, reading = chat.memory, request.reading
    asking = asking_plan(chat)
    asking_steps = _steps_of(memory, asking) if asking is not None and not reading.for_whom.empty else ()
    listed = listed_bookings(memory) if request.edit is None else ()
    if reading.qualifiers.empty and not asking_steps and not listed:
        return BookingMatch()
    return await workflow.execute_local_activity(
        signatures.match_bookings,
        BookingMatchRequest(
            message=request.user_message,
            reading=reading,
            now=workflow.now(),
            locale=chat.start.locale,
            nouns=chat.start.nouns,
            listed=listed,
            known=(*memory.known_bookings, *memory.offered_bookings),
            steps=memory.pending_steps or (memory.done.steps if memory.done is not None else ()),
            asking_steps=asking_steps,
        ),
        schedule_to_close_timeout=_WITHIN,
        retry_policy=RetryPolicy(maximum_attempts=3),
    )


def asking_plan(chat: ChatSession) -> str | None:
    """Return the id of the running plan that waits for an answer, unless another plan waits to be confirmed."""
    running, memory = chat.running, chat.memory
    asks = running is not None and running.asks and memory.pending_plan_id is None
    return memory.running_plan_id if asks else None


def _steps_of(memory: ChatMemory, plan_id: str) -> tuple[DraftedStep, ...]:
    plans = (*((memory.done,) if memory.done is not None else ()), *memory.earlier_plans)
    return next((plan.steps for plan in plans if plan.plan_id == plan_id), ())


def listed_bookings(memory: ChatMemory) -> tuple[BookingSummary, ...]:
    """Return the bookings that our last question listed."""
    last = memory.turns[-1].turn if memory.turns and memory.clarifications else None
    return tuple(last.candidates) if isinstance(last, ClarificationTurn) else ()


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


def restated(memory: ChatMemory, request: TurnRequest, match: BookingMatch) -> Restated:
    """Return what is left of a message to be read. A selection becomes the booking's number, so that none of its words
    are read. Of "forget that, move it to 4pm", the second half is read as if the first request had never been made."""
    reading, rest = request.reading, request.reading.after_drop
    if request.edit is not None or reading.has(MessageTrait.WANTS_PERSON) or reading.reply is ShortReply.RETRY:
        return Restated(request, memory)
    if rest is not None and (memory.pending_steps or memory.clarifications):
        drops, left = not _corrects_value(memory, rest), _with(request, rest.text, rest.traits)
        return Restated(left, _without_request(memory) if drops else memory, drops=drops)
    booking = next((b for b in listed_bookings(memory) if b.booking_id == match.chosen), None)
    if booking is None:
        return Restated(request, memory)
    number = booking.reference or booking.booking_id
    known = (*(b for b in memory.known_bookings if b.booking_id != booking.booking_id), booking)
    # The list is closed: a following "4pm" does not select the booking in it that starts at 4pm.
    chose = memory.model_copy(update={"known_bookings": known, "offered_bookings": ()})
    points_back = tuple(trait for trait in reading.traits if trait is MessageTrait.HAS_ANAPHORA)
    return Restated(_with(request, number, points_back), chose, chosen=booking)


def _with(request: TurnRequest, text: str, traits: tuple[MessageTrait, ...]) -> TurnRequest:
    reading = request.reading.model_copy(update={"traits": traits})
    return request.model_copy(update={"user_message": text, "reading": reading})


def _corrects_value(memory: ChatMemory, rest: RemainingRequest) -> bool:
    """Return whether a value corrects the request: "scrap that, Thursday" changes the day and keeps the rest."""
    steps = memory.pending_steps
    roles = {p.role for step in steps for p in step.action.parameters if p.name in step.parameters}
    return bool(rest.roles) and (not steps or bool(roles.intersection(rest.roles)))


def _without_request(memory: ChatMemory) -> ChatMemory:
    """Return the memory with its bookings but without any request."""
    return memory.model_copy(
        update={
            "messages": (),
            "clarifications": 0,
            "asked_for": None,
            "open_question": None,
            "pending_steps": (),
            "pending_plan": None,
            "pending_messages": (),
            "last_was_full": False,
        }
    )
