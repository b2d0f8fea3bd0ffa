"""Working out a plan: what the look-ups and the draft of a turn are asked for and what they answer.

Like the other effects, these are recorded in histories: from 1.0 on fields are added with defaults, and never renamed.
"""

from contracts.base import FrozenModel, Instant, Json, QuickAction
from contracts.booking import BookingSummary, FoundBookings
from contracts.chat_completion import ToolCall
from contracts.enums import ErrorType, OpenQuestion, ParameterRole
from contracts.errors import VenueFailure
from contracts.plan import PlannedAction
from contracts.step_activities import DraftedStep
from contracts.trace_context import TraceContext
from contracts.venue import VenueProfile


class LookUpRequest(FrozenModel):
    """Run one read-only action of the venue's registry, or work out a day and time. Of the bookings that the chat has
    spoken of (`known`), those that are looked for are found, too."""

    venue_id: str
    token_ref: str
    call: ToolCall
    now: Instant
    trace_id: str = ""
    trace_context: TraceContext | None = None
    known: tuple[BookingSummary, ...] = ()


class LookUpReply(FrozenModel):
    """The result of a look-up: the observation for the model, the bookings found, and the text for the operator
    (`text`). `more`: the list has more rows than were read."""

    observation: Json = None
    candidates: tuple[BookingSummary, ...] | None = None
    text: str = ""
    more: bool = False
    failure: VenueFailure | None = None


class StepDependency(FrozenModel):
    """How a step depends on the others, as a model declares it: both fields count from 1. `only_if_failed` and
    `only_if_done` name an earlier step. The operator's words, never the model's, decide for which errors that
    applies."""

    step: int
    optional: bool = False
    only_if_failed: int | None = None
    only_if_done: int | None = None


class CompletedRead(FrozenModel):
    """A read that is a step of the plan, made while it was drafted: `name` and `title` as in `PlannedReadTemplate`,
    what came of it in words, and the kind of error where it speaks against the change. `call` is the call of
    the draft that it is for (from 0). Without `result` it is still to be made."""

    name: str
    title: str
    call: int = 0
    result: str | None = None
    error_type: ErrorType | None = None
    started_at: Instant | None = None
    finished_at: Instant | None = None


class DraftRequest(FrozenModel):
    """Turns the writing tool calls of one plan into steps, and reads what each would change.

    `operator_messages` are those of the open request, latest first. Values must be grounded in it, in the
    identified bookings, or in `pending`, the plan being amended. The bookings are identified from `found` (this turn's
    look-ups), `offered` and `known`, unless they were identified before (`bookings`). `asked_for` is the kind of value
    that our last question was about; `insists`: the model already got a report of a difference between its plan and the
    messages; `after_change`: the chat has just carried out a change; `before` are the messages for the waiting plan,
    latest first. `edited`: each value is in that plan already, or the operator typed it in. `declared`: the
    dependencies of the steps come from a template or were confirmed before, not from the model. `request_id` is
    that of the message. `is_fallback`: the chat's preferred request had no availability.
    `in_flux` are the ids of bookings that a plan of the chat is still changing or restoring.
    """

    venue_id: str
    token_ref: str
    calls: tuple[ToolCall, ...]
    now: Instant
    operator_messages: tuple[str, ...]
    bookings: tuple[BookingSummary, ...] = ()
    pending: tuple[PlannedAction, ...] = ()
    found: tuple[FoundBookings, ...] = ()
    offered: tuple[BookingSummary, ...] = ()
    known: tuple[BookingSummary, ...] = ()
    spoken: tuple[str, ...] = ()
    asked_for: ParameterRole | None = None
    insists: bool = False
    after_change: bool = False
    before: tuple[str, ...] = ()
    edited: bool = False
    arranged: tuple[StepDependency, ...] = ()
    declared: bool = False
    request_id: str = ""
    is_fallback: bool = False
    in_flux: tuple[str, ...] = ()
    trace_id: str = ""
    trace_context: TraceContext | None = None


class DraftBegun(FrozenModel):
    """The plan of a message is drafted, and the reads that are steps of it begin: their titles, and what the plan is
    for."""

    request_id: str
    intent: str
    reasoning: str = ""
    confidence: int = 5
    reads: tuple[str, ...] = ()


class DraftReply(FrozenModel):
    """The steps, or the reason why there are none: `problems` for the model to correct, including a `difference` from
    the messages; `question` for the operator, when a value is not grounded or is known to be impossible, with
    `quick_actions` for possible ones; `failure` when the venue rejected a read.

    `resolved_bookings` are the identified bookings, `candidates` those from which the operator must pick,
    `expected_role` the kind of value that the question is about, `open_question` the question if code recognises its
    answer. `note` is shown with the plan, about the `dropped_calls` (counted from 0), which would change nothing.
    `reasoning` explains these steps, `confidence` (1 to 10) is how sure code is of them. `reads` are the reads that are
    steps of the plan; `no_availability`: the question is due to missing availability."""

    steps: tuple[DraftedStep, ...] = ()
    problems: tuple[str, ...] = ()
    difference: bool = False
    question: str | None = None
    expected_role: ParameterRole | None = None
    open_question: OpenQuestion | None = None
    candidates: tuple[BookingSummary, ...] = ()
    resolved_bookings: tuple[BookingSummary, ...] = ()
    quick_actions: tuple[QuickAction, ...] = ()
    note: str = ""
    dropped_calls: tuple[int, ...] = ()
    failure: VenueFailure | None = None
    profile: VenueProfile
    reasoning: str = ""
    confidence: int = 5
    reads: tuple[CompletedRead, ...] = ()
    no_availability: bool = False
