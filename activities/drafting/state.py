"""The draft under construction: the request, what is known of its bookings, and how far each call has come."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple, Protocol, Self

from activities.drafting.calls import frozen, pending_preview, single_role
from clients.venue.reads import Snapshot
from contracts.action import AtomicAction
from contracts.base import Json, QuickAction
from contracts.booking import BookingSummary
from contracts.drafting import CompletedRead, DraftReply, DraftRequest
from contracts.enums import ParameterRole
from contracts.errors import VenueFailure
from contracts.plan import PreviewLine
from contracts.step_activities import DraftedStep
from contracts.venue import VenueProfile
from language.messages.catalogue import translate
from reasoning.drafting import step_order
from reasoning.drafting.alternatives import ConditionalRequest
from reasoning.drafting.confidence import confidence_in, reasoning_for
from reasoning.execution import placeholders
from registry import BoundAction


class DraftReads(Protocol):
    """What drafting reads. Every read raises `VenueError` and `TemplateRenderError`."""

    async def bookings(
        self, look_ups: Mapping[str, AtomicAction], known: tuple[BookingSummary, ...]
    ) -> dict[str, BookingSummary | None]:
        """Return these bookings as they are now, by id: None if one is gone. One that could not be read is missing."""

    async def snapshot(self, bound: BoundAction) -> Snapshot:
        """Return the state that a step depends on."""

    async def preview(self, bound: BoundAction) -> dict[str, Json]:
        """Return the results of the reads that only the preview needs, None for a failed one."""

    async def availability(self, bound: BoundAction) -> VenueFailure | str:
        """Return why there is no availability, or the text about it. Raises `TimeoutError`, too."""

    async def announce(self, draft: DraftReply) -> None:
        """Show the operator which reads of the plan begin now."""


class NoOpCall(NamedTuple):
    """Why a call has no effect, as text. `no_availability` is set if the reason is missing availability."""

    text: str
    no_availability: bool = False


@dataclass(frozen=True, slots=True)
class DraftCall:
    """One call, by its index (from 0), as the step that it becomes. `bound`, `intended` (the preview lines that it is
    meant to change, changed or not) and the rest of `step` are set when what it would change was read."""

    index: int
    step: DraftedStep
    bound: BoundAction | None = None
    intended: tuple[PreviewLine, ...] = ()
    no_op: NoOpCall | None = None


@dataclass(frozen=True, slots=True)
class DraftState:
    """One draft. `candidates` are the bookings among which the operator must choose, `detail_look_ups` the look-ups of
    a single item by kind, `reads` the reads that are steps of the plan."""

    request: DraftRequest
    profile: VenueProfile
    now: datetime
    actions: Mapping[str, AtomicAction]
    detail_look_ups: Mapping[str, AtomicAction]
    creating_actions: frozenset[str]
    conditional: ConditionalRequest
    bookings: tuple[BookingSummary, ...] = ()
    candidates: tuple[BookingSummary, ...] | None = None
    calls: tuple[DraftCall, ...] = ()
    reads: tuple[CompletedRead, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def no_ops(self) -> dict[int, NoOpCall]:
        """Return the calls without effect, by index."""
        return {call.index: call.no_op for call in self.calls if call.no_op is not None}

    def with_problems(self, *texts: str) -> Self:
        """Return the state with these problems added."""
        return replace(self, problems=(*self.problems, *texts))

    def with_call(self, changed: DraftCall) -> Self:
        """Return the state with this call in place of the one with its index."""
        return replace(self, calls=tuple(changed if c.index == changed.index else c for c in self.calls))

    def rejected(self, *problems: str) -> DraftReply:
        """Return problems for the model to correct."""
        return DraftReply(problems=problems, profile=self.profile)

    def differs(self, hint: str) -> DraftReply:
        """Return a difference between plan and messages for the model to correct."""
        return DraftReply(problems=(hint,), difference=True, profile=self.profile)

    def asks(
        self, question: str, role: ParameterRole | None, quick_actions: tuple[QuickAction, ...] = ()
    ) -> DraftReply:
        """Return a question about the resolved bookings."""
        return DraftReply(
            question=question,
            expected_role=role,
            quick_actions=quick_actions,
            resolved_bookings=self.bookings,
            reads=self.reads,
            profile=self.profile,
        )


def build(state: DraftState) -> DraftReply:
    """Return the steps of the plan, or that nothing would change."""
    no_ops = state.no_ops
    remark = " ".join(idle.text for idle in no_ops.values() if idle.text)
    drafted = [call for call in state.calls if call.no_op is None]
    kept = [(call.index, frozen(call.step)) for call in drafted]
    if not kept:
        unchanged = [c.step for c in state.calls if c.no_op is not None and not c.no_op.no_availability]
        role = single_role(unchanged[0]) if len(no_ops) == len(unchanged) == 1 else None
        return state.asks(f"{remark} {translate('preflight.what_instead')}", role)
    steps = [_with_labels(step, len(state.reads)) for _, step in kept]
    messages = state.request.operator_messages
    return DraftReply(
        steps=step_order.with_dependencies(
            steps,
            state.request.arranged,
            [index for index, _ in kept],
            offset=len(state.reads),
            for_room=state.conditional.for_room,
        ),
        reads=state.reads,
        resolved_bookings=state.bookings,
        note=remark,
        dropped_calls=tuple(no_ops),
        profile=state.profile,
        reasoning=reasoning_for([call.step for call in drafted], messages[0] if messages else ""),
        confidence=confidence_in([call.step for call in drafted], state.conditional.first),
    )


def _with_labels(step: DraftedStep, reads: int) -> DraftedStep:
    """Return the step with its open values, numbered after the read steps."""
    if not reads or not placeholders.present(step.parameters):
        return step
    return step.model_copy(update={"preview": pending_preview(step.action, step.parameters, reads)})
