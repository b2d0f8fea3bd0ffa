"""One draft as it grows: the request, the reads made for it, and what has come of each of its calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from activities.as_it_is import shows_of
from activities.draft_calls import still_open
from clients.venue import Answered
from contracts.action import AtomicAction
from contracts.booking import BookingSummary
from contracts.drafting import DraftReply, DraftRequest, MadeLook
from contracts.effects import DraftedStep
from contracts.enums import ParameterRole, SafetyTier
from contracts.model import ToolCall
from contracts.quick import QuickAction
from contracts.venue import VenueProfile
from language.catalogue import say, speak
from reasoning import arranging, coverage, placeholders, quick, resolution
from reasoning.anew import makes_anew
from reasoning.bookings import found_by_all
from reasoning.confidence import confidence_in, reasoning_for
from reasoning.evidence import Evidence
from reasoning.wished import Wishes


class KnownError(Exception):
    """A step that is known not to work; `quick_actions` ask for what would."""

    def __init__(self, message: str, quick_actions: tuple[QuickAction, ...] = ()) -> None:
        super().__init__(message)
        self.quick_actions = quick_actions


class NoRoomError(KnownError):
    """A step for which there is no room."""


class Idle(NamedTuple):
    """Why a call comes to nothing, in words; `no_room` where that is for want of room."""

    text: str
    no_room: bool = False


@dataclass(slots=True)
class Draft:
    """One draft: the request, whose venue, the reads made for it so far, and what has come of it. `idle` says of a
    call, by its place, that it comes to nothing, `only` the kind of value that it set. `looks` are the reads that are
    steps of the plan, `shows` the look-ups of one thing by its kind."""

    request: DraftRequest
    profile: VenueProfile
    now: datetime
    kept: dict[str, Answered] = field(default_factory=dict)
    steps: list[DraftedStep] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    idle: dict[int, Idle] = field(default_factory=dict)
    looks: list[MadeLook] = field(default_factory=list)
    bookings: list[BookingSummary] = field(default_factory=list)
    only: ParameterRole | None = None
    planned: dict[int, coverage.Step] = field(default_factory=dict)
    places: list[int] = field(default_factory=list)
    makers: frozenset[str] = frozenset()
    shows: Mapping[str, AtomicAction] = field(default_factory=dict)

    def settle(self, evidence: Evidence, actions: Mapping[str, AtomicAction]) -> DraftReply | None:
        """Single out the bookings of the calls; what is asked or told where that does not work."""
        request, self.bookings = self.request, list(self.request.bookings)
        self.makers = frozenset(name for name, a in actions.items() if not a.read_only and makes_anew(a))
        self.shows = shows_of(actions)
        for call in () if self.bookings else request.calls:
            used = {str(v) for v in call.arguments.values()}
            for name in call.bookings:
                value = call.arguments.get(name)
                if value is None or placeholders.reference(value) is not None:
                    continue
                action = actions.get(call.name)
                parameter = action.parameter(name) if action else None
                thing = parameter.thing if parameter else "booking"
                chat = self._chat(thing)
                if (same := self._waiting(call, str(value), [*chat.offered, *chat.known])) is not None:
                    self.bookings.append(same)
                    continue
                match resolution.settle(str(value), evidence, chat, used, self._beside(call)):
                    case resolution.WhichOne(candidates):
                        question = say("ask.which_booking")
                        return DraftReply(question=question, candidates=candidates, profile=self.profile)
                    case resolution.NotSeen():
                        unseen = f"No {thing} {value} was looked up: find it first."
                        return DraftReply(problems=(unseen,), profile=self.profile)
                    case resolution.Settled(booking):
                        self.bookings.append(booking)
        return None

    def _beside(self, call: ToolCall) -> set[str]:
        """The bookings that the other calls name."""
        own = {str(call.arguments.get(name)) for name in call.bookings}
        return {str(other.arguments.get(n)) for other in self.request.calls for n in other.bookings} - own

    def _chat(self, thing: str) -> resolution.Chat:
        """What the chat knows of one kind of thing: a customer's id is no voucher's. It is asked for by its name."""
        request = self.request
        speak(self.profile.locale, self.profile.words, thing)
        kept = ([b for b in some if b.thing == thing] for some in (request.offered, request.known))
        every = [f.model_copy(update={"rows": tuple(b for b in f.rows if b.thing == thing)}) for f in request.found]
        offered, known, *found = found_by_all([*kept, *(f.rows for f in every)])
        seen = tuple(f.model_copy(update={"rows": r}) for f, r in zip(every, found, strict=True))
        return resolution.Chat(seen, offered, known, request.spoken)

    def _waiting(self, call: ToolCall, value: str, bookings: Sequence[BookingSummary]) -> BookingSummary | None:
        """The booking of a step that waits already and comes back as it is, beside more: it needs no words again."""
        same = any(p.action_id == call.name and p.parameters == dict(call.arguments) for p in self.request.pending)
        if not same or len(self.request.calls) <= len(self.request.pending):
            return None
        return next((b for b in bookings if value in (b.booking_id, b.reference)), None)

    def differing(self, wishes: Wishes) -> DraftReply | None:
        """A difference between the plan and the words: for the model to mend first, then for the operator."""
        request, evidence = self.request, wishes.first.evidence
        if self.problems or not request.said:
            return None
        if request.after_change and (unclear := self._undo_or_cancel(evidence)) is not None:
            return unclear
        if (unsaid := self._unsettled(wishes)) is not None:
            return unsaid
        known = [*self.bookings, *request.offered, *(b for f in request.found for b in f.rows)]
        first = [step for place, step in self.planned.items() if wishes.stands_for(place) is None]
        instead = [step for place, step in self.planned.items() if not wishes.has_alternative(place)]
        found = coverage.difference(evidence, first, request.pending, known, makers=self.makers)
        if found is None and len(first) < len(self.planned):
            found = coverage.difference(wishes.instead.evidence, instead, (), known)
        if found is None:
            return None
        if request.insists:
            return self.asks(found.question, None)
        return DraftReply(problems=(found.hint,), difference=True, profile=self.profile)

    def _unsettled(self, wishes: Wishes) -> DraftReply | None:
        """On what the operator made a part depend, where the plan leaves that out."""
        hint = ""
        if said := wishes.unknowable:
            if self.request.insists:
                return self.asks(say("ask.on_condition", said=said), None)
            hint = f"the operator made it depend on what you cannot see (“{said}”): ask, and plan nothing"
        elif said := wishes.unplanned:
            if self.request.insists:
                return self.asks(say("ask.otherwise", said=said), None)
            hint = f"the operator also said what to do otherwise (“{said}”): a step with only_if_failed"
        elif wishes.unmarked and not self.request.insists:
            hint = "the operator can do without a part of this: mark its step optional by arrange_steps"
        return DraftReply(problems=(hint,), difference=True, profile=self.profile) if hint else None

    def _undo_or_cancel(self, evidence: Evidence) -> DraftReply | None:
        """ "Cancel the whole thing", just after a change: that, or the booking?"""
        for step in self.planned.values():
            risky = step.action.safety is SafetyTier.HIGH_RISK
            if risky and not coverage.points_at_booking(evidence.messages[0], evidence, step.booking):
                return self.asks(say("ask.undo_or_cancel"), None, quick.undo_or_cancel([step.booking]))
        return None

    def asks(
        self, question: str, role: ParameterRole | None, quick_actions: tuple[QuickAction, ...] = ()
    ) -> DraftReply:
        """A question about what was singled out."""
        return DraftReply(
            question=question,
            asks_for=role,
            quick_actions=quick_actions,
            settled=tuple(self.bookings),
            looks=tuple(self.looks),
            profile=self.profile,
        )

    def known(self, why: KnownError) -> DraftReply:
        """What is told instead of a plan that is known not to work."""
        reply = self.asks(str(why), None, why.quick_actions)
        return reply.model_copy(update={"no_room": isinstance(why, NoRoomError)})

    def reply(self, wishes: Wishes) -> DraftReply:
        """The steps, what is wrong with them, or that nothing would change."""
        if self.problems:
            return DraftReply(problems=tuple(self.problems), profile=self.profile)
        remark = " ".join(idle.text for idle in self.idle.values() if idle.text)
        if not self.steps:
            return self.asks(f"{remark} {say('knowable.what_instead')}", self.only if len(self.idle) == 1 else None)
        steps = [self._told(step) for step in self.steps]
        return DraftReply(
            steps=arranging.arranged(
                steps, self.request.arranged, self.places, behind=len(self.looks), for_room=wishes.for_room
            ),
            looks=tuple(self.looks),
            settled=tuple(self.bookings),
            remark=remark,
            left_out=tuple(self.idle),
            profile=self.profile,
            reasoning=reasoning_for(self.steps, self.request.said[0] if self.request.said else ""),
            confidence=confidence_in(self.steps, wishes.first.evidence),
        )

    def _told(self, step: DraftedStep) -> DraftedStep:
        """The step with what is still open of it, counted behind the looks."""
        if not self.looks or not placeholders.present(step.parameters):
            return step
        return step.model_copy(update={"preview": still_open(step.action, step.parameters, len(self.looks))})
