"""The draft activity: turns a model's write calls into the steps of a plan. It reads what each step would change, asks
about values that the operator did not give, and reports calls that are known to fail."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from temporalio import activity

from activities.booking_refresh import refresh_bookings
from activities.drafting.calls import (
    booking_of,
    label_of,
    pending_preview,
    pending_values,
    problems_of,
    resolve_known_values,
    single_role,
)
from activities.drafting.draft import NoAvailabilityError, NoOpCall, PlanDraft, PreflightError
from clients.registry import Registries
from clients.venue.availability import check_availability
from clients.venue.client import VenueClient
from clients.venue.errors import VenueError
from clients.venue.reads import SnapshotReader, read_for_preview
from contracts import limits
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.chat_completion import ToolCall
from contracts.drafting import CompletedRead, DraftReply, DraftRequest
from contracts.enums import ErrorType, ParameterRole
from contracts.errors import VenueFailure
from contracts.persisted_names import Activity
from contracts.plan import PreviewLine
from contracts.step_activities import DraftedStep, StateFingerprint
from infra.redaction.names import find_names
from infra.redaction.trace_redaction import personal_keys, personal_words
from infra.temporal.heartbeat import heartbeating
from language.messages.catalogue import activate_locale, translate
from reasoning import error_messages
from reasoning.drafting import preflight, step_order
from reasoning.drafting.alternatives import ConditionalRequest
from reasoning.drafting.booking_list import with_status
from reasoning.drafting.planned_step import PlannedStep
from reasoning.execution import placeholders
from reasoning.grounding import grounding
from registry import (
    Scope,
    TemplateRenderError,
    build_request,
    goal_lines,
    preflight_rejection,
    preview_lines,
)

_ROOM_WITHIN = 3.0
"""Seconds for an availability check while drafting. It is short because an operator waits, and a full venue rejects the
write itself."""


class DraftActivity:
    """Drafts plans. It only reads from the venue."""

    def __init__(self, registries: Registries, venues: VenueClient) -> None:
        self._registries = registries
        self._venues = venues

    @activity.defn(name=Activity.DRAFT)
    async def draft(self, request: DraftRequest) -> DraftReply:
        """See `signatures.draft`."""
        async with heartbeating():
            pack = await self._registries.pack(request.venue_id)
            profile = pack.profile
            activate_locale(profile.locale, profile.words)
            now = request.now.astimezone(ZoneInfo(profile.time_zone))
            shown = [*request.bookings, *request.offered, *request.known, *(b for f in request.found for b in f.rows)]
            conditional = ConditionalRequest(
                request.operator_messages, request.calls, request.arranged, now, profile, request.before, shown
            )
            draft = PlanDraft(request, profile, now)
            draft.problems += step_order.problems(request.arranged, len(request.calls))
            # Values that are in the plan already were grounded when it was drafted.
            draft.problems += () if request.edited or request.declared else conditional.problems(request.arranged)
            if draft.problems:
                return draft.reply(conditional)
            unsettled = draft.settle(conditional.first.evidence, pack.actions)
            if unsettled is not None:
                return await self._asked_again(draft, unsettled)
            # The chat may know a booking from before its last change. A deleted booking is rejected where its step is
            # read.
            read = await self._read_again(draft, draft.bookings)
            draft.bookings = [read.get(b.booking_id) or b for b in draft.bookings]
            for index, asked in enumerate(request.calls):
                reply = await self._call(draft, pack.actions.get(asked.name), asked, index, conditional)
                if reply is not None:
                    return reply
            differs = None if request.edited else draft.differing(conditional)
            return differs or draft.reply(conditional)

    async def _call(
        self,
        draft: PlanDraft,
        action: AtomicAction | None,
        asked: ToolCall,
        index: int,
        conditional: ConditionalRequest,
    ) -> DraftReply | None:
        """Add the step of one call to the draft, or a problem of the call; return a reply that ends the draft."""
        request, profile = draft.request, draft.profile
        if action is None or action.read_only:
            draft.problems.append(f"{asked.name} is not an action that can be planned.")
            return None
        call = resolve_known_values(asked, action, draft.steps, profile, draft.bookings)
        found = problems_of(index + 1, action, call, draft.steps)
        if found:
            draft.problems += found
            return None
        booking = booking_of(action, call, draft.bookings)
        # Values typed into a form field or already in the plan have no message text to be grounded in.
        if request.edited:
            pending = _as_pending(draft, index)
            grounded = grounding.ground_typed(action, call.arguments, pending, draft.now, profile)
        else:
            grounded = _grounded(conditional, draft, action, call, index)
        if isinstance(grounded, grounding.Ungrounded):
            if request.edited:
                return DraftReply(problems=("a typed value is none of its kind",), profile=profile)
            return draft.asks(error_messages.doubt(grounded, draft.now.date()), grounded.role)
        final = call.model_copy(update={"arguments": grounded.arguments})
        draft.planned[index] = PlannedStep(action, final.arguments, booking)
        try:
            await self._add(draft, action, final, booking, index, conditional)
        except PreflightError as known:
            return draft.known(known)
        except VenueError as rejected:
            return DraftReply(failure=rejected.failure, profile=profile)
        except TemplateRenderError as fault:
            draft.problems.append(f"{call.name}: {fault}")
        return None

    async def _add(
        self,
        draft: PlanDraft,
        action: AtomicAction,
        call: ToolCall,
        booking: BookingSummary | None,
        index: int,
        conditional: ConditionalRequest,
    ) -> None:
        """Add one call as a step, or record that it would change nothing, or that there is no availability where the
        operator gave a fallback. Raises `PreflightError`, `VenueError`, `TemplateRenderError`."""
        first = conditional.alternative_to(index)
        if first is not None and first in draft.no_ops and not draft.no_ops[first].no_availability:
            draft.no_ops[index] = NoOpCall("")
            return
        try:
            step, intended = await self._freeze(draft, action, call, booking, index, first)
        except NoAvailabilityError as full:
            if not conditional.has_alternative(index):
                raise
            draft.no_ops[index] = NoOpCall(str(full), no_availability=True)
            return
        refers = any(placeholders.present(other.arguments) for other in draft.request.calls)
        if not refers and preflight.is_no_op(intended):
            settled = booking is None or booking.booking_id not in draft.request.in_flux
            why = preflight.no_change_text(booking, intended, call.arguments) if settled else preflight.in_flux(booking)
            draft.no_ops[index] = NoOpCall(why)
            draft.single_role = single_role(action, call)
        else:
            draft.steps.append(step)
            draft.call_indexes.append(index)

    async def _freeze(
        self,
        draft: PlanDraft,
        action: AtomicAction,
        call: ToolCall,
        booking: BookingSummary | None,
        index: int,
        instead_of: int | None,
    ) -> tuple[DraftedStep, Sequence[PreviewLine]]:
        """Return the step and the preview lines that it is meant to change, changed or not."""
        request, profile = draft.request, draft.profile
        personal = personal_words(action, call.arguments)
        step = DraftedStep(
            action=_for_history(action),
            parameters=call.arguments,
            confirm_label=label_of(action, None),
            personal=tuple(sorted(personal)),
            is_fallback=request.is_fallback or (instead_of is not None and instead_of in draft.no_ops),
            read_by=_shown_by(draft.detail_look_ups.get(action.thing), action),
        )
        if placeholders.present(call.arguments):
            return step.model_copy(update={"preview": pending_preview(action, call.arguments)}), ()
        if never := preflight.dst_gap_error(action, call.arguments, booking, draft.now, profile):
            raise PreflightError(never)
        scope = Scope.of(action, call.arguments, profile)
        grounds: tuple[StateFingerprint, ...] = ()
        if action.snapshot is not None:
            reader = SnapshotReader(self._venues, request.token_ref, request.trace_id, draft.read_cache)
            snapshot = await reader.snapshot(action, scope)
            scope, grounds = scope.with_(before=snapshot.document), snapshot.grounds_of(action)
            personal |= find_names(snapshot.document, personal_keys(action))
        scope = scope.with_(request=build_request(action, scope))
        refused = preflight_rejection(action, scope)
        refused = refused or preflight.find_obstacle(action, call.arguments, booking, draft.now, profile)
        if refused:
            raise PreflightError(refused)
        looked = await read_for_preview(
            self._venues, action, scope, request.token_ref, request.trace_id, draft.read_cache
        )
        scope = scope.with_(seen=looked)
        preview, intended = tuple(preview_lines(action, scope)), goal_lines(action, scope)
        if not preflight.is_no_op(intended) and not _comes_after_another(draft, instead_of):
            await self._refuse_without_room(draft, action, scope, index)
        fields = {"preview": preview, "confirm_label": label_of(action, scope), "fingerprints": grounds}
        fields["personal"] = tuple(sorted(personal))
        return step.model_copy(update=fields), intended

    async def _read_again(self, draft: PlanDraft, known: Sequence[BookingSummary]) -> dict[str, BookingSummary | None]:
        reader = SnapshotReader(self._venues, draft.request.token_ref, draft.request.trace_id, draft.read_cache)
        return await refresh_bookings(reader, draft.detail_look_ups, draft.profile, known)

    async def _asked_again(self, draft: PlanDraft, asked: DraftReply) -> DraftReply:
        """Return the same question with refreshed candidates. Candidates from this turn's look-ups were just read;
        candidates beyond the displayed ones are only counted."""
        fresh = {b.booking_id for found in draft.request.found for b in found.rows}
        shown = asked.candidates[: limits.CANDIDATES_SHOWN]
        read = await self._read_again(draft, [b for b in shown if b.booking_id not in fresh])
        there = [b for b in asked.candidates if read.get(b.booking_id, b) is not None]
        rows = tuple(with_status([now], draft.now)[0] if (now := read.get(b.booking_id)) else b for b in there)
        if asked.candidates and not rows:
            return asked.model_copy(update={"candidates": (), "question": translate("ask.no_match")})
        return asked.model_copy(update={"candidates": rows})

    async def _refuse_without_room(self, draft: PlanDraft, action: AtomicAction, scope: Scope, index: int) -> None:
        """Raise `NoAvailabilityError` if the pack's availability check finds no availability. A failed check is
        ignored, because the venue rejects the write itself; a failed check that is a step of the plan raises its error.
        """
        room = action.availability
        if room is None:
            return
        read = CompletedRead(name=room.step.name, title=room.step.title, call=index) if room.step else None
        if read is not None and draft.request.looks_later:
            draft.reads.append(read)
            return
        started = datetime.now(UTC)
        reader = SnapshotReader(self._venues, draft.request.token_ref, draft.request.trace_id, draft.read_cache)
        try:
            async with asyncio.timeout(_ROOM_WITHIN):
                found = await check_availability(reader, action, scope)
        except (VenueError, TemplateRenderError, TimeoutError) as error:
            if read is not None:
                raise _availability_failure(error) from None
            activity.logger.warning("room for %s could not be looked up: %s", action.name, type(error).__name__)
            return
        if read is not None and room.step is not None:
            read = CompletedRead(
                **read.model_dump(include={"name", "title", "call"}),
                result=(room.step.lacking or found.message) if isinstance(found, VenueFailure) else found,
                error_type=found.error_type if isinstance(found, VenueFailure) else None,
                started_at=started,
                finished_at=datetime.now(UTC),
            )
            draft.reads.append(read)
        if isinstance(found, VenueFailure):
            labels = list(found.alternatives)
            text = f"{found.message} {translate('next.instead', options=labels)}." if labels else found.message
            raise NoAvailabilityError(text, found.quick_actions)


def _for_history(action: AtomicAction) -> AtomicAction:
    """Return the action without what only search, preview and drafting use: a step stays in its plan's history."""
    return action.model_copy(
        update={
            "operation": action.operation.model_copy(update={"gives": ()}),
            "preview_reads": (),
            "rejects_when": (),
            # A read that is itself a step is repeated before the write.
            "availability": action.availability if action.availability and action.availability.step else None,
            "confirm": "",
        }
    )


def _availability_failure(error: Exception) -> Exception:
    """Return the error of an availability check that is a step of the plan, as the venue's failure."""
    if not isinstance(error, TimeoutError):
        return error
    message, suggestions = error_messages.failure_message(ErrorType.TIMEOUT)
    failure = VenueFailure(error_type=ErrorType.TIMEOUT, message=message, suggestions=suggestions)
    return VenueError(failure, sent=True)


def _shown_by(read_action: AtomicAction | None, action: AtomicAction) -> tuple[str, str] | None:
    """Return the read that shows what a step creates."""
    if read_action is None or action.with_role(ParameterRole.BOOKING):
        return None
    return read_action.name, read_action.with_role(ParameterRole.BOOKING)[0].name


def _comes_after_another(draft: PlanDraft, instead_of: int | None) -> bool:
    """Return whether an earlier step changes what the last step needs availability for, so that it cannot be checked
    yet. The step that the last one is a fallback for does not count: it will have changed nothing."""
    *earlier, last = (step for index, step in draft.planned.items() if index != instead_of)
    return any(
        step.action.availability and step.booking is not None and step.booking == last.booking for step in earlier
    )


def _as_pending(draft: PlanDraft, index: int) -> Mapping[str, Json]:
    """Return the values of the step at this index of the pending plan."""
    pending = draft.request.pending
    return pending[index].parameters if index < len(pending) else {}


def _grounded(
    conditional: ConditionalRequest, draft: PlanDraft, action: AtomicAction, call: ToolCall, index: int
) -> grounding.GroundedArguments | grounding.Ungrounded:
    """Return each argument of a call, grounded in the part of the message that the other calls do not use."""
    request, bookings = draft.request, draft.bookings
    singled_out = {b.booking_id for b in bookings}
    return conditional.statements_for(index).ground(
        action,
        call.arguments,
        booking_of(action, call, bookings),
        conditional.inherited_values(index) or pending_values(action, call, request),
        others=[*bookings, *(b for b in request.known if b.booking_id not in singled_out)],
        expected=request.asked_for,
        taken={str(v) for n, c in enumerate(request.calls) if n != index for v in c.arguments.values()},
    )
