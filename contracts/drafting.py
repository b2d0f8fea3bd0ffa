"""Working out a plan: what the look-ups and the draft of a turn are asked for and what they answer.

Like the other effects, these stand in histories: add fields with defaults, never rename.
"""

from contracts.base import Frozen, Instant, Json
from contracts.booking import BookingSummary, FoundBookings
from contracts.effects import DraftedStep
from contracts.enums import ErrorType, ParameterRole
from contracts.errors import VenueFailure
from contracts.model import ToolCall
from contracts.plan import PlannedAction
from contracts.quick import QuickAction
from contracts.tracing import TracePlace
from contracts.venue import VenueProfile


class LookUpRequest(Frozen):
    """Run one read-only action of the venue's registry, or work out a day and time. Of the bookings that the chat has
    spoken of (`known`), those that are looked for are found, too."""

    venue_id: str
    token_ref: str
    call: ToolCall
    now: Instant
    trace_id: str = ""
    place: TracePlace | None = None
    known: tuple[BookingSummary, ...] = ()


class LookUpReply(Frozen):
    """What a look-up showed: the observation for the model, bookings it found, and the same in words for the operator
    (`said`). `more`: there is more of the list than was read."""

    observation: Json = None
    candidates: tuple[BookingSummary, ...] | None = None
    said: str = ""
    more: bool = False
    failure: VenueFailure | None = None


class Arrangement(Frozen):
    """How a step stands to the others, as a model says: both count from 1. `only_if_failed` and `only_if_done` name an
    earlier step. For what refusals that is, is never a model's word, but the operator's."""

    step: int
    optional: bool = False
    only_if_failed: int | None = None
    only_if_done: int | None = None


class MadeLook(Frozen):
    """A read that is a step of the plan, made while it was drafted: `name` and `title` as in `LookTemplate`, what came
    of it in words, and the kind of error where it speaks against the change. `call` tells for which call of the draft
    (from 0). Without `result` it is still to be made."""

    name: str
    title: str
    call: int = 0
    result: str | None = None
    error_type: ErrorType | None = None
    started_at: Instant | None = None
    finished_at: Instant | None = None


class DraftRequest(Frozen):
    """Turn the writing tool calls of one plan into steps, reading what each would change.

    `said` is what the operator said in the open request, latest first; values must be borne out by it, by the bookings
    singled out, or by `pending`, the plan being amended. Which bookings those are is judged by `found` (this turn's
    look-ups), `offered` and `known`, unless the chat has judged it itself (`bookings`, in requests from before).
    `asked_for` is the kind of value that our last question was about; `insists`: the model has been told of a
    difference between its plan and the words; `after_change`: a change has just been carried out in the chat; `before`
    is what was said for the plan that waits, latest first. `edited`: each value stands in that plan already, or
    was typed into it by the operator. `declared`: how the steps stand to one another is not the model's word but a
    template's, or was confirmed before. `looks_later`: reads that are steps of the plan are told and not made.
    `in_place_of`: there was no room for what the chat asked for just before.
    """

    venue_id: str
    token_ref: str
    calls: tuple[ToolCall, ...]
    now: Instant
    said: tuple[str, ...]
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
    arranged: tuple[Arrangement, ...] = ()
    declared: bool = False
    looks_later: bool = False
    in_place_of: bool = False
    trace_id: str = ""
    place: TracePlace | None = None


class DraftReply(Frozen):
    """The steps, or what is wrong: `problems` for the model to mend, a `difference` from what was
    said among them; `question` for the operator, when a value is not
    borne out by what was said, or cannot be carried out as is known already, with `quick_actions` for what can;
    `failure` when the venue refused a read.

    `settled` are the bookings singled out, `candidates` those between which the operator must pick, `asks_for` the kind
    of value that the question is about. `remark` is said with the plan: of the calls `left_out` (counted from 0), which
    would change nothing. `reasoning` says why these steps, `confidence` (1 to 10) how sure code is of them.
    `looks` are the reads that are steps of the plan; `no_room` tells that the question is for want of room.
    """

    steps: tuple[DraftedStep, ...] = ()
    problems: tuple[str, ...] = ()
    difference: bool = False
    question: str | None = None
    asks_for: ParameterRole | None = None
    candidates: tuple[BookingSummary, ...] = ()
    settled: tuple[BookingSummary, ...] = ()
    quick_actions: tuple[QuickAction, ...] = ()
    remark: str = ""
    left_out: tuple[int, ...] = ()
    failure: VenueFailure | None = None
    profile: VenueProfile
    reasoning: str = ""
    confidence: int = 5
    looks: tuple[MadeLook, ...] = ()
    no_room: bool = False
