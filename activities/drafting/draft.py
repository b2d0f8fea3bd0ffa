"""The draft under construction: the request, the reads made for it, and the result of each of its calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from activities.booking_refresh import detail_look_ups
from activities.drafting.calls import pending_preview
from clients.venue.client import VenueResponse
from contracts.action import AtomicAction
from contracts.base import QuickAction
from contracts.booking import BookingSummary
from contracts.chat_completion import ToolCall
from contracts.drafting import CompletedRead, DraftReply, DraftRequest
from contracts.enums import ParameterRole, SafetyTier
from contracts.step_activities import DraftedStep
from contracts.venue import VenueProfile
from language.extraction import Extraction
from language.messages.catalogue import activate_locale, translate
from reasoning.drafting import booking_resolution, completeness, step_order
from reasoning.drafting.alternatives import ConditionalRequest
from reasoning.drafting.booking_list import merge_search_terms
from reasoning.drafting.confidence import confidence_in, reasoning_for
from reasoning.drafting.new_bookings import creates_again
from reasoning.drafting.planned_step import PlannedStep
from reasoning.drafting.short_replies import undo_or_cancel
from reasoning.execution import placeholders


class PreflightError(Exception):
    """A step that is known to fail. `quick_actions` suggest alternatives that would work."""

    def __init__(self, message: str, quick_actions: tuple[QuickAction, ...] = ()) -> None:
        super().__init__(message)
        self.quick_actions = quick_actions


class NoAvailabilityError(PreflightError):
    """A step for which there is no availability."""


class NoOpCall(NamedTuple):
    """Why a call has no effect, as text. `no_availability` is set if the reason is missing availability."""

    text: str
    no_availability: bool = False


@dataclass(slots=True)
class PlanDraft:
    """One draft: the request, the venue, the reads made so far and the results. `no_ops` maps a call's index to why it
    has no effect, `single_role` is the parameter role that a call set, if it set exactly one. `looks` are the reads
    that are steps of the plan, `detail_look_ups` the look-ups of a single item by kind."""

    request: DraftRequest
    profile: VenueProfile
    now: datetime
    read_cache: dict[str, VenueResponse] = field(default_factory=dict)
    steps: list[DraftedStep] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    no_ops: dict[int, NoOpCall] = field(default_factory=dict)
    reads: list[CompletedRead] = field(default_factory=list)
    bookings: list[BookingSummary] = field(default_factory=list)
    single_role: ParameterRole | None = None
    planned: dict[int, PlannedStep] = field(default_factory=dict)
    call_indexes: list[int] = field(default_factory=list)
    creating_actions: frozenset[str] = frozenset()
    detail_look_ups: Mapping[str, AtomicAction] = field(default_factory=dict)

    def settle(self, evidence: Extraction, actions: Mapping[str, AtomicAction]) -> DraftReply | None:
        """Resolve the bookings of the calls. Returns the question or error message if that fails."""
        request, self.bookings = self.request, list(self.request.bookings)
        self.creating_actions = frozenset(name for name, a in actions.items() if not a.read_only and creates_again(a))
        self.detail_look_ups = detail_look_ups(actions)
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
                match booking_resolution.resolve_booking(str(value), evidence, chat, used, self._beside(call)):
                    case booking_resolution.Ambiguous(candidates):
                        question = translate("ask.which_booking")
                        return DraftReply(question=question, candidates=candidates, profile=self.profile)
                    case booking_resolution.Unknown():
                        unseen = f"No {thing} {value} was looked up: find it first."
                        return DraftReply(problems=(unseen,), profile=self.profile)
                    case booking_resolution.Resolved(booking):
                        self.bookings.append(booking)
        return None

    def _beside(self, call: ToolCall) -> set[str]:
        """Return the bookings that the other calls name."""
        own = {str(call.arguments.get(name)) for name in call.bookings}
        return {str(other.arguments.get(n)) for other in self.request.calls for n in other.bookings} - own

    def _chat(self, thing: str) -> booking_resolution.KnownBookings:
        """Return the chat's known bookings of one kind: a customer's id is not a voucher's. The question uses the
        kind's name."""
        request = self.request
        activate_locale(self.profile.locale, self.profile.words, thing)
        kept = ([b for b in some if b.thing == thing] for some in (request.offered, request.known))
        every = [f.model_copy(update={"rows": tuple(b for b in f.rows if b.thing == thing)}) for f in request.found]
        offered, known, *found = merge_search_terms([*kept, *(f.rows for f in every)])
        seen = tuple(f.model_copy(update={"rows": r}) for f, r in zip(every, found, strict=True))
        return booking_resolution.KnownBookings(seen, offered, known, request.spoken)

    def _waiting(self, call: ToolCall, value: str, bookings: Sequence[BookingSummary]) -> BookingSummary | None:
        """Return the booking of a pending step that returns unchanged next to new calls. It needs no mention again."""
        same = any(p.action_id == call.name and p.parameters == dict(call.arguments) for p in self.request.pending)
        if not same or len(self.request.calls) <= len(self.request.pending):
            return None
        return next((b for b in bookings if value in (b.booking_id, b.reference)), None)

    def differing(self, conditional: ConditionalRequest) -> DraftReply | None:
        """Return a mismatch between plan and message: first for the model to correct, then for the operator."""
        request, evidence = self.request, conditional.first.evidence
        if self.problems or not request.operator_messages:
            return None
        if request.after_change and (unclear := self._undo_or_cancel(evidence)) is not None:
            return unclear
        if (unsaid := self._unsettled(conditional)) is not None:
            return unsaid
        known = [*self.bookings, *request.offered, *(b for f in request.found for b in f.rows)]
        first = [step for index, step in self.planned.items() if conditional.alternative_to(index) is None]
        instead = [step for place, step in self.planned.items() if not conditional.has_alternative(place)]
        found = completeness.find_mismatch(evidence, first, request.pending, known, makers=self.creating_actions)
        if found is None and len(first) < len(self.planned):
            found = completeness.find_mismatch(conditional.instead.evidence, instead, (), known)
        if found is None:
            return None
        if request.insists:
            return self.asks(found.question, None)
        return DraftReply(problems=(found.hint,), difference=True, profile=self.profile)

    def _unsettled(self, conditional: ConditionalRequest) -> DraftReply | None:
        """Return the conditions in the operator's message that the plan ignores."""
        hint = ""
        if text := conditional.unverifiable_condition:
            if self.request.insists:
                return self.asks(translate("ask.on_condition", text=text), None)
            hint = f"the operator made it depend on what you cannot see (“{text}”): ask, and plan nothing"
        elif text := conditional.unplanned_alternative:
            if self.request.insists:
                return self.asks(translate("ask.otherwise", text=text), None)
            hint = f"the operator also gave an alternative (“{text}”): a step with only_if_failed"
        elif conditional.unmarked_optional and not self.request.insists:
            hint = "the operator can do without a part of this: mark its step optional by arrange_steps"
        return DraftReply(problems=(hint,), difference=True, profile=self.profile) if hint else None

    def _undo_or_cancel(self, evidence: Extraction) -> DraftReply | None:
        """Ask whether "Cancel the whole thing" just after a change means undo or cancel the booking."""
        for step in self.planned.values():
            risky = step.action.safety is SafetyTier.HIGH_RISK
            if risky and not completeness.points_at_booking(evidence.messages[0], evidence, step.booking):
                return self.asks(translate("ask.undo_or_cancel"), None, undo_or_cancel([step.booking]))
        return None

    def asks(
        self, question: str, role: ParameterRole | None, quick_actions: tuple[QuickAction, ...] = ()
    ) -> DraftReply:
        """Return a question about the resolved booking."""
        return DraftReply(
            question=question,
            expected_role=role,
            quick_actions=quick_actions,
            resolved_bookings=tuple(self.bookings),
            reads=tuple(self.reads),
            profile=self.profile,
        )

    def known(self, why: PreflightError) -> DraftReply:
        """Return the reply that replaces a plan known to fail."""
        reply = self.asks(str(why), None, why.quick_actions)
        return reply.model_copy(update={"no_availability": isinstance(why, NoAvailabilityError)})

    def reply(self, conditional: ConditionalRequest) -> DraftReply:
        """Return the steps, their errors, or that nothing would change."""
        if self.problems:
            return DraftReply(problems=tuple(self.problems), profile=self.profile)
        remark = " ".join(idle.text for idle in self.no_ops.values() if idle.text)
        if not self.steps:
            return self.asks(
                f"{remark} {translate('knowable.what_instead')}", self.single_role if len(self.no_ops) == 1 else None
            )
        steps = [self._with_labels(step) for step in self.steps]
        return DraftReply(
            steps=step_order.with_dependencies(
                steps, self.request.arranged, self.call_indexes, offset=len(self.reads), for_room=conditional.for_room
            ),
            reads=tuple(self.reads),
            resolved_bookings=tuple(self.bookings),
            note=remark,
            dropped_calls=tuple(self.no_ops),
            profile=self.profile,
            reasoning=reasoning_for(
                self.steps, self.request.operator_messages[0] if self.request.operator_messages else ""
            ),
            confidence=confidence_in(self.steps, conditional.first.evidence),
        )

    def _with_labels(self, step: DraftedStep) -> DraftedStep:
        """Return the step with its open values, numbered after the read steps."""
        if not self.reads or not placeholders.present(step.parameters):
            return step
        return step.model_copy(update={"preview": pending_preview(step.action, step.parameters, len(self.reads))})
