"""Reading for the planner: look-ups, and freezing its writing calls into the steps of a plan."""

import json
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from temporalio import activity

from clients.preview_reads import read_for_preview
from clients.reads import Reader
from clients.registries import Registries
from clients.venue import Answered, VenueClient, VenueError, unreadable
from contracts import bounds
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.effects import DraftedStep, DraftReply, DraftRequest, Ground, LookUpReply, LookUpRequest
from contracts.enums import ErrorType, ParameterRole, SafetyTier
from contracts.model import ToolCall
from contracts.plan import PreviewLine
from contracts.venue import VenueProfile
from infra.heartbeat import beating
from infra.personal import words_in
from infra.traced import personal_keys, personal_words
from language import Candidate, resolve
from language.catalogue import say, speak
from reasoning import grounding, placeholders, wording
from reasoning.planning import RESOLVE_WHEN
from registry import (
    Scope,
    UnrenderableError,
    argument_problems,
    build_request,
    candidates,
    observe,
    preview_lines,
    settled_output,
)


class LookUps:
    """Read-only work for a turn."""

    def __init__(self, registries: Registries, venues: VenueClient) -> None:
        self._registries = registries
        self._venues = venues

    @activity.defn(name="look_up")
    async def look_up(self, request: LookUpRequest) -> LookUpReply:
        """See `signatures.look_up`."""
        async with beating():
            pack = await self._registries.pack(request.venue_id)
            speak(pack.profile.locale)
            if request.call.name == RESOLVE_WHEN:
                return LookUpReply(observation=_resolved(request, pack.profile))
            action = pack.actions.get(request.call.name)
            if action is None or not action.read_only:
                return LookUpReply(observation={"error": f"There is no look-up {request.call.name}."})
            problems = argument_problems(action, request.call.arguments)
            if problems:
                return LookUpReply(observation={"error": " ".join(problems)})
            scope = Scope.of(action, request.call.arguments, pack.profile)
            try:
                sent = build_request(action, scope)
                answer = await self._venues.send(
                    pack.profile.base_url, sent, request.token_ref, action=action, trace_id=request.trace_id
                )
            except VenueError as refused:
                if refused.failure.error_type is ErrorType.NOT_FOUND and action.output.candidates is not None:
                    return LookUpReply(observation={"found": 0}, candidates=())
                return LookUpReply(failure=refused.failure)
            except UnrenderableError as fault:
                return LookUpReply(observation={"error": str(fault)})
            scope = scope.with_(request=sent, response=answer.body)
            try:
                found = tuple(candidates(action, answer.body, scope)) if action.output.candidates is not None else None
                seen = observe(action, answer.body, scope)
            except UnrenderableError as fault:
                activity.logger.warning("%s was answered with something else: %s", action.name, fault)
                return LookUpReply(failure=unreadable("of another kind").failure)
            return LookUpReply(
                observation=json.loads(bounds.shown(seen)), candidates=found and found[: bounds.CANDIDATES]
            )

    @activity.defn(name="draft")
    async def draft(self, request: DraftRequest) -> DraftReply:
        """See `signatures.draft`."""
        async with beating():
            pack = await self._registries.pack(request.venue_id)
            speak(pack.profile.locale)
            now = request.now.astimezone(ZoneInfo(pack.profile.time_zone))
            words = grounding.Words(request.said, now, pack.profile)
            steps: list[DraftedStep] = []
            problems: list[str] = []
            kept: dict[str, Answered] = {}
            for number, asked in enumerate(request.calls, 1):
                action = pack.actions.get(asked.name)
                if action is None or action.read_only:
                    problems.append(f"{asked.name} is not an action that can be planned.")
                    continue
                call = _settled(asked, action, steps, pack.profile, request.bookings)
                found = argument_problems(action, call.arguments)
                found += placeholders.problems(number, call.arguments, [s.action for s in steps])
                if action.safety is SafetyTier.HIGH_RISK and placeholders.present(call.arguments):
                    found.append("a high-risk step cannot wait for what another returns: give its values")
                if found:
                    problems += [f"{call.name}: {p}" for p in found]
                    continue
                borne_out = _ground(words, action, call, request)
                if isinstance(borne_out, grounding.Doubt):
                    return DraftReply(question=wording.doubt(borne_out), profile=pack.profile)
                final = call.model_copy(update={"arguments": borne_out.arguments})
                try:
                    steps.append(await self._freeze(action, final, pack.profile, request, kept))
                except VenueError as refused:
                    return DraftReply(failure=refused.failure, profile=pack.profile)
                except UnrenderableError as fault:
                    problems.append(f"{call.name}: {fault}")
            return DraftReply(steps=() if problems else tuple(steps), problems=tuple(problems), profile=pack.profile)

    async def _freeze(
        self,
        action: AtomicAction,
        call: ToolCall,
        profile: VenueProfile,
        request: DraftRequest,
        kept: dict[str, Answered],
    ) -> DraftedStep:
        personal = personal_words(action, call.arguments)
        # What serves the search and the preview only would be carried through the plan's whole history.
        frozen = {"operation": action.operation.model_copy(update={"gives": ()}), "preview_reads": ()}
        step = DraftedStep(
            action=action.model_copy(update=frozen), parameters=call.arguments, personal=tuple(sorted(personal))
        )
        if placeholders.present(call.arguments):
            return step.model_copy(update={"preview": _still_open(call)})
        scope = Scope.of(action, call.arguments, profile)
        grounds: tuple[Ground, ...] = ()
        if action.snapshot is not None:
            reader = Reader(self._venues, request.token_ref, request.trace_id, kept)
            seen = await reader.snapshot(action, scope)
            scope, grounds = scope.with_(before=seen.document), seen.grounds_of(action)
            personal |= words_in(seen.document, personal_keys(action))
        scope = scope.with_(request=build_request(action, scope))
        looked = await read_for_preview(self._venues, action, scope, request.token_ref, request.trace_id, kept)
        scope = scope.with_(seen=looked)
        return step.model_copy(
            update={
                "preview": tuple(preview_lines(action, scope)),
                "grounds": grounds,
                "personal": tuple(sorted(personal)),
            }
        )


def _settled(
    call: ToolCall,
    action: AtomicAction,
    steps: Sequence[DraftedStep],
    profile: VenueProfile,
    bookings: Sequence[BookingSummary],
) -> ToolCall:
    """The call with everything that is settled already in its place: what an earlier step puts out whatever the venue
    answers, and each booking by its own id, so that two steps on one booking are seen to be on one booking."""
    known = {
        number: settled_output(step.action, Scope.of(step.action, step.parameters, profile))
        for number, step in enumerate(steps, 1)
        if not placeholders.present(step.parameters)
    }
    arguments = placeholders.resolve_known(call.arguments, known)
    ids = {b.reference: b.booking_id for b in bookings if b.reference}
    for parameter in action.with_role(ParameterRole.BOOKING):
        given = str(arguments.get(parameter.name))
        if given in ids:
            arguments[parameter.name] = ids[given]
    return call.model_copy(update={"arguments": arguments})


def _still_open(call: ToolCall) -> tuple[PreviewLine, ...]:
    """What a step that waits for an earlier one will do, as far as it is known, and what is still open."""
    lines = []
    for name, value in call.arguments.items():
        target = placeholders.reference(value)
        after = say("plan.still_open", step=target[0]) if target else value
        shown = after if isinstance(after, str) else json.dumps(after, ensure_ascii=False)
        lines.append(PreviewLine(field=name.replace("_", " ").capitalize(), before=None, after=shown))
    return tuple(lines)


def _ground(
    words: grounding.Words, action: AtomicAction, call: ToolCall, request: DraftRequest
) -> grounding.Grounded | grounding.Doubt:
    """The call's values as the operator's words bear them out."""
    ids = {str(call.arguments.get(p.name)) for p in action.with_role(ParameterRole.BOOKING)}
    booking = next((b for b in request.bookings if {b.booking_id, b.reference} & ids), None)
    amended = [p.parameters for p in request.pending if p.action_id == action.name]
    same = next((p for p in amended if ids & {str(v) for v in p.values()}), {})
    return words.ground(action, call.arguments, booking, same)


def _resolved(request: LookUpRequest, profile: VenueProfile) -> Json:
    """What a phrase about days and times means here, for a model that would rather not count days itself."""
    text = bounds.clean(str(request.call.arguments.get("text", "")), bounds.PHRASE)
    now = request.now.astimezone(ZoneInfo(profile.time_zone))
    found = resolve(text, now=now, tz=profile.time_zone, locale=profile.locale, policy=grounding.policy_of(profile))
    return {
        "status": found.status.value,
        "error": found.error,
        "date": found.date.isoformat() if found.date and found.date_stated else None,
        "time": found.time.strftime("%H:%M") if found.time and found.time_stated else None,
        "could_be": [] if found.ok else [_label(c) for c in found.candidates],
    }


def _label(could_be: Candidate) -> str:
    day = could_be.date.isoformat() if could_be.date else ""
    at = could_be.time.strftime("%H:%M") if could_be.time else ""
    return f"{day} {at}".strip()
