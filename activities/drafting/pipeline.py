"""Drafting: a model's write calls become the steps of a plan, in stages:

    arrangement → resolve → refresh → ground → preflight → completeness → availability → build

Each stage takes the state and returns the next one, or the reply that ends the draft: a question for the operator, or
problems for the model to correct. The state is never changed in place. Only refresh, preflight and availability read
from the venue, through `DraftReads`.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime

from activities.drafting.calls import (
    booking_of,
    known_values,
    label_of,
    pending_preview,
    pending_values,
    problems_of,
    shown_by,
)
from activities.drafting.state import DraftCall, DraftReads, DraftState, NoOpCall, build
from clients.venue.errors import VenueError
from contracts import limits
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.chat_completion import ToolCall
from contracts.drafting import CompletedRead, DraftReply
from contracts.enums import ErrorType, OpenQuestion, SafetyTier
from contracts.errors import VenueFailure
from contracts.step_activities import DraftedStep, StateFingerprint
from infra.redaction.personal_data import find_names
from infra.redaction.trace_redaction import personal_keys, personal_words
from language.messages.catalogue import activate_locale, translate
from reasoning import error_messages
from reasoning.drafting import booking_resolution, completeness, preflight, step_order
from reasoning.drafting.booking_list import merge_search_terms, with_status
from reasoning.drafting.short_replies import undo_or_cancel
from reasoning.execution import placeholders
from reasoning.grounding import grounding
from registry import BoundAction, TemplateRenderError
from registry.presentation.preview import cut_label

log = logging.getLogger(__name__)


async def run_pipeline(state: DraftState, reads: DraftReads) -> DraftReply:
    """Return the steps of a plan, or the reason why there are none."""
    for stage in STAGES:
        try:
            result = await stage(state, reads)
        except VenueError as rejected:
            return DraftReply(failure=rejected.failure, profile=state.profile)
        if isinstance(result, DraftReply):
            return result
        if result.problems:
            return result.rejected(*result.problems)
        state = result
    return build(state)


def arrangement(state: DraftState) -> DraftState:
    """Check how the steps depend on each other, and that the operator named what a fallback or option is."""
    request = state.request
    problems = step_order.problems(request.arranged, len(request.calls))
    # Values that are in the plan already were grounded when it was drafted.
    if not (request.edited or request.declared):
        problems += state.conditional.problems(request.arranged)
    return replace(state, problems=tuple(problems))


def resolve(state: DraftState) -> DraftState | DraftReply:
    """Resolve the bookings that the calls name. Sets `candidates` where the operator must pick one."""
    bookings = list(state.request.bookings)
    for call in () if bookings else state.request.calls:
        used = {str(v) for v in call.arguments.values()}
        for name in call.bookings:
            value = call.arguments.get(name)
            if value is None or placeholders.reference(value) is not None:
                continue
            action = state.actions.get(call.name)
            parameter = action.parameter(name) if action else None
            thing = parameter.thing if parameter else "booking"
            chat = _known_bookings(state, thing)
            if (same := _already_pending(state, call, str(value), (*chat.offered, *chat.known))) is not None:
                bookings.append(same)
                continue
            evidence, others = state.conditional.first, _named_by_others(state, call)
            match booking_resolution.resolve_booking(str(value), evidence, chat, used, others):
                case booking_resolution.Ambiguous(candidates):
                    return replace(state, candidates=tuple(candidates))
                case booking_resolution.Unknown():
                    return state.rejected(f"No {thing} {value} was looked up: find it first.")
                case booking_resolution.Resolved(booking):
                    bookings.append(booking)
    return replace(state, bookings=tuple(bookings))


async def refresh(state: DraftState, reads: DraftReads) -> DraftState | DraftReply:
    """Read the resolved bookings again: the chat may know one from before its last change. A deleted one is rejected
    where its step is read. Candidates are read before the operator is asked to pick."""
    if state.candidates is None:
        read = await reads.bookings(state.detail_look_ups, state.bookings)
        return replace(state, bookings=tuple(read.get(b.booking_id) or b for b in state.bookings))
    # Those of this turn's look-ups were just read; those beyond the displayed ones are only counted.
    fresh = {b.booking_id for found in state.request.found for b in found.rows}
    shown = state.candidates[: limits.CANDIDATES_SHOWN]
    read = await reads.bookings(state.detail_look_ups, tuple(b for b in shown if b.booking_id not in fresh))
    there = [b for b in state.candidates if read.get(b.booking_id, b) is not None]
    rows = tuple(with_status([now], state.now)[0] if (now := read.get(b.booking_id)) else b for b in there)
    question = translate("ask.which_booking") if rows or not state.candidates else translate("ask.no_match")
    return DraftReply(question=question, candidates=rows, profile=state.profile)


def ground(state: DraftState) -> DraftState | DraftReply:
    """Ground every argument of each call in what the operator said, or ask for it."""
    for index, asked in enumerate(state.request.calls):
        action, earlier = state.actions.get(asked.name), [call.step for call in state.calls]
        if action is None or action.read_only:
            state = state.with_problems(f"{asked.name} is not an action that can be planned.")
            continue
        call = known_values(asked, action, earlier, state.profile, state.bookings)
        if found := problems_of(index + 1, action, call, earlier):
            state = state.with_problems(*found)
            continue
        grounded = _grounded(state, action, call, index)
        if isinstance(grounded, grounding.Ungrounded):
            if state.request.edited:
                return state.rejected("a typed value is none of its kind")
            return state.asks(error_messages.doubt(grounded, state.now.date()), grounded.role)
        step = DraftedStep(action=action, parameters=grounded, booking=booking_of(action, call, state.bookings))
        state = replace(state, calls=(*state.calls, DraftCall(index, step)))
    return state


async def preflight_checks(state: DraftState, reads: DraftReads) -> DraftState | DraftReply:
    """Read what each step would change, for its preview. Ends the draft for a step that is known to fail, and marks
    one that would change nothing."""
    refers = any(placeholders.present(call.arguments) for call in state.request.calls)
    for call in state.calls:
        first = state.conditional.alternative_to(call.index)
        if first is not None and first in state.no_ops:
            state = state.with_call(replace(call, no_op=NoOpCall("")))
            continue
        try:
            checked = await _check(state, call, reads)
        except TemplateRenderError as fault:
            state = state.with_problems(f"{call.step.action.name}: {fault}")
            continue
        if isinstance(checked, str):
            return state.asks(checked, None)
        if not refers and preflight.is_no_op(checked.intended):
            checked = replace(checked, no_op=NoOpCall(_no_change(state, checked)))
        state = state.with_call(checked)
    return state


def complete(state: DraftState) -> DraftState | DraftReply:
    """Compare the plan with the messages. A difference is first for the model to correct, then for the operator."""
    request, conditional, evidence = state.request, state.conditional, state.conditional.first
    if request.edited or not request.operator_messages:
        return state
    if request.after_change and (unclear := _undo_or_cancel(state)) is not None:
        return unclear
    if (ignored := _ignored_condition(state)) is not None:
        return ignored
    known = [*state.bookings, *request.offered, *(b for f in request.found for b in f.rows)]
    first = [call.step for call in state.calls if conditional.alternative_to(call.index) is None]
    instead = [call.step for call in state.calls if not conditional.has_alternative(call.index)]
    found = completeness.find_mismatch(evidence, first, request.pending, known, makers=state.creating_actions)
    if found is None and len(first) < len(state.calls):
        found = completeness.find_mismatch(conditional.instead, instead, (), known)
    if found is None:
        return state
    return state.asks(found.question, None) if request.insists else state.differs(found.hint)


async def availability(state: DraftState, reads: DraftReads) -> DraftState | DraftReply:
    """Check availability where the pack declares how. A check that fails is ignored, because the venue rejects the
    write itself; a check that is a step of the plan is announced before, and its failure ends the draft."""
    due = {call.index: call for call in state.calls if _needs_availability(state, call)}
    steps = {n: step for n, c in due.items() if (a := c.step.action.availability) and (step := a.step)}
    pending = {n: CompletedRead(name=step.name, title=step.title, call=n) for n, step in steps.items()}
    if pending:
        await reads.announce(build(replace(state, reads=tuple(pending.values()))))
    for call in state.calls:
        if state.conditional.alternative_to(call.index) in state.no_ops:
            fallback = call.step.model_copy(update={"is_fallback": True})
            state = state.with_call(replace(call, step=fallback))
        if call.index not in due:
            continue
        read, started = pending.get(call.index), datetime.now(UTC)
        try:
            found = await _available(call, reads, required=read is not None)
        except TemplateRenderError as fault:
            state = state.with_problems(f"{call.step.action.name}: {fault}")
            continue
        lacking = found if isinstance(found, VenueFailure) else None
        if read is not None:
            fields = {"result": str(found), "started_at": started, "finished_at": datetime.now(UTC)}
            if lacking is not None:
                fields |= {"result": steps[call.index].lacking or lacking.message, "error_type": lacking.error_type}
            state = replace(state, reads=(*state.reads, read.model_copy(update=fields)))
        if lacking is not None:
            labels = list(lacking.alternatives)
            text = f"{lacking.message} {translate('next.instead', options=labels)}." if labels else lacking.message
            if not state.conditional.has_alternative(call.index):
                asked = state.asks(text, None, lacking.quick_actions)
                return asked.model_copy(update={"no_availability": True})
            state = state.with_call(replace(call, no_op=NoOpCall(text, no_availability=True)))
    return state


Stage = Callable[[DraftState, DraftReads], Awaitable[DraftState | DraftReply]]


def _pure(stage: Callable[[DraftState], DraftState | DraftReply]) -> Stage:
    async def run(state: DraftState, _: DraftReads) -> DraftState | DraftReply:
        return stage(state)

    return run


STAGES: tuple[Stage, ...] = (
    _pure(arrangement),
    _pure(resolve),
    refresh,
    _pure(ground),
    preflight_checks,
    _pure(complete),
    availability,
)


def _named_by_others(state: DraftState, call: ToolCall) -> set[str]:
    """Return the bookings that the other calls name."""
    own = {str(call.arguments.get(name)) for name in call.bookings}
    return {str(other.arguments.get(n)) for other in state.request.calls for n in other.bookings} - own


def _known_bookings(state: DraftState, thing: str) -> booking_resolution.KnownBookings:
    """Return the chat's known bookings of one kind: a customer's id is not a voucher's. The question uses the kind's
    name."""
    request = state.request
    activate_locale(state.profile.locale, state.profile.words, thing)
    kept = ([b for b in some if b.thing == thing] for some in (request.offered, request.known))
    every = [f.model_copy(update={"rows": tuple(b for b in f.rows if b.thing == thing)}) for f in request.found]
    offered, known, *found = merge_search_terms([*kept, *(f.rows for f in every)])
    seen = tuple(f.model_copy(update={"rows": r}) for f, r in zip(every, found, strict=True))
    return booking_resolution.KnownBookings(seen, offered, known, request.spoken)


def _already_pending(
    state: DraftState, call: ToolCall, value: str, bookings: tuple[BookingSummary, ...]
) -> BookingSummary | None:
    """Return the booking of a pending step that returns unchanged next to new calls. It needs no mention again."""
    request = state.request
    same = any(p.action_id == call.name and p.parameters == dict(call.arguments) for p in request.pending)
    if not same or len(request.calls) <= len(request.pending):
        return None
    return next((b for b in bookings if value in (b.booking_id, b.reference)), None)


def _grounded(
    state: DraftState, action: AtomicAction, call: ToolCall, index: int
) -> dict[str, Json] | grounding.Ungrounded:
    """Return each argument of a call, grounded in the part of the message that the other calls do not use."""
    request, bookings = state.request, state.bookings
    if request.edited:
        # Values typed into a form field or already in the plan have no message text to be grounded in.
        pending = request.pending[index].parameters if index < len(request.pending) else {}
        return grounding.ground_typed(action, call.arguments, pending, state.now, state.profile)
    singled_out = {b.booking_id for b in bookings}
    return grounding.ground_arguments(
        state.conditional.words_for(index),
        action,
        call.arguments,
        booking_of(action, call, bookings),
        state.conditional.inherited_values(index) or pending_values(action, call, request),
        others=[*bookings, *(b for b in request.known if b.booking_id not in singled_out)],
        expected=request.asked_for,
        taken={str(v) for n, c in enumerate(request.calls) if n != index for v in c.arguments.values()},
    )


async def _check(state: DraftState, call: DraftCall, reads: DraftReads) -> DraftCall | str:
    """Return the call with its step and preview, or why it is known to fail. Raises `VenueError`,
    `TemplateRenderError`."""
    action, arguments, booking = call.step.action, call.step.parameters, call.step.booking
    personal = personal_words(action, arguments)
    step = call.step.model_copy(
        update={
            "confirm_label": cut_label(action.title),
            "personal": tuple(sorted(personal)),
            "is_fallback": state.request.is_fallback,
            "read_by": shown_by(state.detail_look_ups.get(action.thing), action),
        }
    )
    if placeholders.present(arguments):
        return replace(call, step=step.model_copy(update={"preview": pending_preview(action, arguments)}))
    if never := preflight.dst_gap_error(action, arguments, booking, state.now, state.profile):
        return never
    bound = BoundAction.of(action, arguments, state.profile)
    grounds: tuple[StateFingerprint, ...] = ()
    if action.snapshot is not None:
        snapshot = await reads.snapshot(bound)
        bound, grounds = bound.with_(before=snapshot.document), snapshot.grounds_of(action)
        personal |= find_names(snapshot.document, personal_keys(action))
    bound = bound.with_request()
    refused = bound.preflight_rejection() or preflight.find_obstacle(
        action, arguments, booking, state.now, state.profile
    )
    if refused:
        return refused
    bound = bound.with_(seen=await reads.preview(bound))
    update = {
        "preview": tuple(bound.preview()),
        "confirm_label": label_of(bound),
        "fingerprints": grounds,
        "personal": tuple(sorted(personal)),
    }
    return replace(call, step=step.model_copy(update=update), bound=bound, intended=tuple(bound.goal_lines()))


def _no_change(state: DraftState, call: DraftCall) -> str:
    """Return the text that a step would change nothing."""
    booking = call.step.booking
    if booking is None or booking.booking_id not in state.request.in_flux:
        return preflight.no_change_text(booking, call.intended, call.step.parameters)
    return preflight.in_flux(booking)


def _ignored_condition(state: DraftState) -> DraftReply | None:
    """Return the reply about a condition in the operator's message that the plan ignores."""
    insists, conditional = state.request.insists, state.conditional
    if text := conditional.unverifiable_condition:
        hint = f"the operator made it depend on what you cannot see (“{text}”): ask, and plan nothing"
        return state.asks(translate("ask.on_condition", text=text), None) if insists else state.differs(hint)
    if text := conditional.unplanned_alternative:
        hint = f"the operator also gave an alternative (“{text}”): a step with only_if_failed"
        return state.asks(translate("ask.otherwise", text=text), None) if insists else state.differs(hint)
    if conditional.unmarked_optional and not insists:
        return state.differs("the operator can do without a part of this: mark its step optional by arrange_steps")
    return None


def _undo_or_cancel(state: DraftState) -> DraftReply | None:
    """Ask whether "Cancel the whole thing" just after a change means undo or cancel the booking."""
    evidence = state.conditional.first
    for step in (call.step for call in state.calls):
        risky = step.action.safety is SafetyTier.HIGH_RISK
        if risky and not completeness.points_at_booking(evidence.messages[0], evidence, step.booking):
            asked = state.asks(translate("ask.undo_or_cancel"), None, undo_or_cancel([step.booking]))
            return asked.model_copy(update={"open_question": OpenQuestion.UNDO_OR_CANCEL})
    return None


def _needs_availability(state: DraftState, call: DraftCall) -> bool:
    """Return whether availability can be checked now. Where an earlier step changes what this one needs it for, it
    cannot. The step that this one is a fallback for does not count: it will have changed nothing."""
    if call.no_op is not None or call.bound is None or preflight.is_no_op(call.intended):
        return False
    instead_of, booking = state.conditional.alternative_to(call.index), call.step.booking
    earlier = [c.step for c in state.calls if c.index < call.index and c.index != instead_of]
    after_another = any(s.action.availability and s.booking is not None and s.booking == booking for s in earlier)
    return call.step.action.availability is not None and not after_another


async def _available(call: DraftCall, reads: DraftReads, *, required: bool) -> VenueFailure | str:
    """Return the result of a check, "" for a failed one. Raises `VenueError`, `TemplateRenderError` if it is
    required."""
    assert call.bound is not None
    try:
        return await reads.availability(call.bound)
    except (VenueError, TemplateRenderError, TimeoutError) as error:
        if not required:
            log.warning("no availability check for %s: %s", call.step.action.name, type(error).__name__)
            return ""
        if not isinstance(error, TimeoutError):
            raise
        message, suggestions = error_messages.failure_message(ErrorType.TIMEOUT)
        failure = VenueFailure(error_type=ErrorType.TIMEOUT, message=message, suggestions=suggestions)
        raise VenueError(failure, sent=True) from None
