"""Freezing a model's writing calls into the steps of a plan: what they would change is read, what was not said is asked
about, and what is known beforehand not to work is told instead."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from temporalio import activity

from clients.preview_reads import read_for_preview
from clients.reads import Reader
from clients.registries import Registries
from clients.venue import Answered, VenueClient, VenueError
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.effects import DraftedStep, DraftReply, DraftRequest, Ground
from contracts.enums import ParameterRole, SafetyTier
from contracts.model import ToolCall
from contracts.plan import PreviewLine
from contracts.quick import QuickAction
from contracts.venue import VenueProfile
from infra.heartbeat import beating
from infra.personal import words_in
from infra.traced import personal_keys, personal_words
from language.catalogue import say, speak
from reasoning import coverage, grounding, knowable, placeholders, quick, resolution, wording
from reasoning.bookings import found_by_all
from reasoning.evidence import Evidence
from registry import (
    Pack,
    Scope,
    UnrenderableError,
    alternatives,
    always_refused,
    argument_problems,
    build_request,
    candidates,
    intended_lines,
    lacking_room,
    preview_lines,
    rule_message,
    settled_output,
)

_ROOM_WITHIN = 3.0
"""Seconds: an operator waits, and a venue without room says so itself."""


class _KnownError(Exception):
    """A step that is known not to work; `quick_actions` ask for what would."""

    def __init__(self, message: str, quick_actions: tuple[QuickAction, ...] = ()) -> None:
        super().__init__(message)
        self.quick_actions = quick_actions


@dataclass(slots=True)
class _Draft:
    """One draft: the request, whose venue, the reads made for it so far, and what has come of it. `idle` says of a
    call, by its place, that it would change nothing, `only` the kind of value that it set."""

    request: DraftRequest
    profile: VenueProfile
    now: datetime
    kept: dict[str, Answered] = field(default_factory=dict)
    steps: list[DraftedStep] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    idle: dict[int, str] = field(default_factory=dict)
    bookings: list[BookingSummary] = field(default_factory=list)
    only: ParameterRole | None = None
    planned: list[coverage.Step] = field(default_factory=list)

    def settle(self, evidence: Evidence) -> DraftReply | None:
        """Single out the bookings of the calls; what is asked or told where that does not work."""
        request, self.bookings = self.request, list(self.request.bookings)
        rows = found_by_all([request.offered, request.known, *(f.rows for f in request.found)])
        offered, known, *found = rows
        seen = tuple(f.model_copy(update={"rows": r}) for f, r in zip(request.found, found, strict=True))
        chat = resolution.Chat(seen, offered, known, request.spoken)
        for call in () if self.bookings else request.calls:
            used = {str(v) for v in call.arguments.values()}
            for name in call.bookings:
                value = call.arguments.get(name)
                if value is None or placeholders.reference(value) is not None:
                    continue
                if (same := self._waiting(call, str(value), [*offered, *known])) is not None:
                    self.bookings.append(same)
                    continue
                match resolution.settle(str(value), evidence, chat, used):
                    case resolution.WhichOne(candidates):
                        question = say("ask.which_booking")
                        return DraftReply(question=question, candidates=candidates, profile=self.profile)
                    case resolution.NotSeen():
                        unseen = f"No booking {value} was looked up: find it first."
                        return DraftReply(problems=(unseen,), profile=self.profile)
                    case resolution.Settled(booking):
                        self.bookings.append(booking)
        return None

    def _waiting(self, call: ToolCall, value: str, bookings: Sequence[BookingSummary]) -> BookingSummary | None:
        """The booking of a step that waits already and comes back as it is, beside more: it needs no words again."""
        same = any(p.action_id == call.name and p.parameters == dict(call.arguments) for p in self.request.pending)
        if not same or len(self.request.calls) <= len(self.request.pending):
            return None
        return next((b for b in bookings if value in (b.booking_id, b.reference)), None)

    def differing(self, evidence: Evidence) -> DraftReply | None:
        """A difference between the plan and the words: for the model to mend first, then for the operator."""
        request = self.request
        if self.problems or not request.said:
            return None
        if request.after_change and (unclear := self._undo_or_cancel(evidence)) is not None:
            return unclear
        known = [*self.bookings, *request.offered, *(b for f in request.found for b in f.rows)]
        found = coverage.difference(evidence, self.planned, request.pending, known)
        if found is None:
            return None
        if request.insists:
            return self.asks(found.question, None)
        return DraftReply(problems=(found.hint,), difference=True, profile=self.profile)

    def _undo_or_cancel(self, evidence: Evidence) -> DraftReply | None:
        """ "Cancel the whole thing", just after a change: that, or the booking?"""
        for step in self.planned:
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
            profile=self.profile,
        )

    def reply(self) -> DraftReply:
        """The steps, what is wrong with them, or that nothing would change."""
        if self.problems:
            return DraftReply(problems=tuple(self.problems), profile=self.profile)
        remark = " ".join(self.idle.values())
        if not self.steps:
            return self.asks(f"{remark} {say('knowable.what_instead')}", self.only if len(self.idle) == 1 else None)
        return DraftReply(
            steps=tuple(self.steps),
            settled=tuple(self.bookings),
            remark=remark,
            left_out=tuple(self.idle),
            profile=self.profile,
        )


class Drafting:
    """Drafts plans. Reads only."""

    def __init__(self, registries: Registries, venues: VenueClient) -> None:
        self._registries = registries
        self._venues = venues

    @activity.defn(name="draft")
    async def draft(self, request: DraftRequest) -> DraftReply:
        """See `signatures.draft`."""
        async with beating():
            pack = await self._registries.pack(request.venue_id)
            profile = pack.profile
            speak(profile.locale)
            now = request.now.astimezone(ZoneInfo(profile.time_zone))
            words = grounding.Words(request.said, now, profile, request.before)
            draft = _Draft(request, profile, now)
            unsettled = draft.settle(words.evidence)
            if unsettled is not None:
                return unsettled
            bookings = draft.bookings = await self._as_they_are(pack, draft)
            for place, asked in enumerate(request.calls):
                action = pack.actions.get(asked.name)
                if action is None or action.read_only:
                    draft.problems.append(f"{asked.name} is not an action that can be planned.")
                    continue
                call = _settled(asked, action, draft.steps, profile, bookings)
                found = _problems(place + 1, action, call, draft.steps)
                if found:
                    draft.problems += found
                    continue
                booking = _booking_of(action, call, bookings)
                borne_out = _borne_out(words, draft, action, call, place)
                if isinstance(borne_out, grounding.Doubt):
                    return draft.asks(wording.doubt(borne_out, draft.now.date()), borne_out.role)
                final = call.model_copy(update={"arguments": borne_out.arguments})
                draft.planned.append(coverage.Step(action, final.arguments, booking))
                try:
                    await self._add(draft, action, final, booking, place)
                except _KnownError as known:
                    return draft.asks(str(known), None, known.quick_actions)
                except VenueError as refused:
                    return DraftReply(failure=refused.failure, profile=profile)
                except UnrenderableError as fault:
                    draft.problems.append(f"{call.name}: {fault}")
            return draft.differing(words.evidence) or draft.reply()

    async def _add(
        self, draft: _Draft, action: AtomicAction, call: ToolCall, booking: BookingSummary | None, place: int
    ) -> None:
        """Freeze one call into a step, or note that it would change nothing. Raises `_KnownError`, `VenueError`,
        `UnrenderableError`."""
        step, intended = await self._freeze(draft, action, call, booking)
        refers = any(placeholders.present(other.arguments) for other in draft.request.calls)
        if not refers and knowable.changes_nothing(intended):
            draft.idle[place] = knowable.already_so(booking, intended, call.arguments)
            draft.only = _only_role(action, call)
        else:
            draft.steps.append(step)

    async def _freeze(
        self, draft: _Draft, action: AtomicAction, call: ToolCall, booking: BookingSummary | None
    ) -> tuple[DraftedStep, Sequence[PreviewLine]]:
        """The step, and the lines that it is meant to change, changed or not."""
        request, profile = draft.request, draft.profile
        personal = personal_words(action, call.arguments)
        # What serves the search, the preview and this draft only would be carried through the plan's whole history.
        frozen = {
            "operation": action.operation.model_copy(update={"gives": ()}),
            "preview_reads": (),
            "refuses": (),
            "room": None,
        }
        step = DraftedStep(
            action=action.model_copy(update=frozen), parameters=call.arguments, personal=tuple(sorted(personal))
        )
        if placeholders.present(call.arguments):
            return step.model_copy(update={"preview": _still_open(action, call)}), ()
        scope = Scope.of(action, call.arguments, profile)
        grounds: tuple[Ground, ...] = ()
        if action.snapshot is not None:
            reader = Reader(self._venues, request.token_ref, request.trace_id, draft.kept)
            seen = await reader.snapshot(action, scope)
            scope, grounds = scope.with_(before=seen.document), seen.grounds_of(action)
            personal |= words_in(seen.document, personal_keys(action))
        scope = scope.with_(request=build_request(action, scope))
        refused = always_refused(action, scope)
        refused = refused or knowable.hindrance(action, call.arguments, booking, draft.now, profile)
        if refused:
            raise _KnownError(refused)
        looked = await read_for_preview(self._venues, action, scope, request.token_ref, request.trace_id, draft.kept)
        scope = scope.with_(seen=looked)
        preview, intended = tuple(preview_lines(action, scope)), intended_lines(action, scope)
        if not knowable.changes_nothing(intended) and not _comes_after_another(draft):
            await self._refuse_without_room(draft, action, scope)
        told = {"preview": preview, "grounds": grounds, "personal": tuple(sorted(personal))}
        return step.model_copy(update=told), intended

    async def _as_they_are(self, pack: Pack, draft: _Draft) -> list[BookingSummary]:
        """The bookings that were singled out, as they are now: a chat may know one from before its last change. One
        that cannot be read stays as it is known."""
        look = next((a for a in pack.actions.values() if _shows_one(a)), None)
        if look is None:
            return draft.bookings
        return list(await asyncio.gather(*(self._as_it_is(look, draft, b) for b in draft.bookings)))

    async def _as_it_is(self, look: AtomicAction, draft: _Draft, known: BookingSummary) -> BookingSummary:
        [parameter, *_] = look.with_role(ParameterRole.BOOKING)
        scope = Scope.of(look, {parameter.name: known.booking_id}, draft.profile)
        try:
            reader = Reader(self._venues, draft.request.token_ref, draft.request.trace_id, draft.kept)
            found = candidates(look, await reader.one(look, scope), scope)
        except (VenueError, UnrenderableError):
            return known
        same = next((b for b in found if b.booking_id == known.booking_id), None)
        return known if same is None else same.model_copy(update={"found_by": known.found_by})

    async def _refuse_without_room(self, draft: _Draft, action: AtomicAction, scope: Scope) -> None:
        """Raises `_KnownError` where the pack's own read says that there is no room. A read that fails stops nothing:
        the venue says so itself."""
        if action.room is None:
            return
        try:
            reader = Reader(self._venues, draft.request.token_ref, draft.request.trace_id, draft.kept)
            async with asyncio.timeout(_ROOM_WITHIN):
                answer = await reader.read(action, action.room.read, scope)
                rule = lacking_room(action, answer, scope)
                if rule is None:
                    return
                others: tuple[QuickAction, ...] = ()
                if rule.alternatives is not None:
                    others = alternatives(action, rule, await reader.read(action, rule.alternatives, scope), scope)
        except (VenueError, UnrenderableError, TimeoutError) as error:
            activity.logger.warning("room for %s could not be looked up: %s", action.name, type(error).__name__)
            return
        message = rule_message(action, rule, scope) or ""
        labels = [one.label for one in others]
        told = f"{message} {say('next.instead', options=labels)}." if labels else message
        raise _KnownError(told, tuple(one for one in others if one.say))


def _comes_after_another(draft: _Draft) -> bool:
    """Whether an earlier step changes what the last one needs room for, so that nobody can look yet."""
    *earlier, last = draft.planned
    return any(step.action.room and step.booking == last.booking for step in earlier)


def _only_role(action: AtomicAction, call: ToolCall) -> ParameterRole | None:
    """The kind of value that a call sets, where it sets one."""
    given = [p.role for p in action.parameters if call.arguments.get(p.name) is not None]
    roles = [role for role in given if role is not ParameterRole.BOOKING]
    return roles[0] if len(roles) == 1 else None


def _shows_one(action: AtomicAction) -> bool:
    """Whether an action looks at one booking, by its id, and tells what it is."""
    required = [p for p in action.parameters if p.required]
    return (
        action.read_only
        and action.output.candidates is not None
        and len(required) == 1
        and required[0].role is ParameterRole.BOOKING
    )


def _problems(number: int, action: AtomicAction, call: ToolCall, steps: Sequence[DraftedStep]) -> list[str]:
    found = argument_problems(action, call.arguments)
    found += placeholders.problems(number, call.arguments, [s.action for s in steps])
    if action.safety is SafetyTier.HIGH_RISK and placeholders.present(call.arguments):
        found.append("a high-risk step cannot wait for what another returns: give its values")
    return [f"{call.name}: {p}" for p in found]


def _booking_of(action: AtomicAction, call: ToolCall, bookings: Sequence[BookingSummary]) -> BookingSummary | None:
    ids = {str(call.arguments.get(p.name)) for p in action.with_role(ParameterRole.BOOKING)}
    return next((b for b in bookings if {b.booking_id, b.reference} & ids), None)


def _borne_out(
    words: grounding.Words, draft: _Draft, action: AtomicAction, call: ToolCall, place: int
) -> grounding.Grounded | grounding.Doubt:
    """Each argument of a call, borne out by what was said beside the other calls."""
    request, bookings = draft.request, draft.bookings
    singled_out = {b.booking_id for b in bookings}
    return words.ground(
        action,
        call.arguments,
        _booking_of(action, call, bookings),
        _amended(action, call, request),
        others=[*bookings, *(b for b in request.known if b.booking_id not in singled_out)],
        expected=request.asked_for,
        taken={str(v) for n, c in enumerate(request.calls) if n != place for v in c.arguments.values()},
    )


def _amended(action: AtomicAction, call: ToolCall, request: DraftRequest) -> Mapping[str, Json]:
    """The same step's values in the plan that is being changed."""
    ids = {str(call.arguments.get(p.name)) for p in action.with_role(ParameterRole.BOOKING)}
    amended = [p.parameters for p in request.pending if p.action_id == action.name]
    own = next((p for p in amended if ids & {str(v) for v in p.values()}), None)
    # "I meant 8084": what waited for another booking was meant for this one.
    moved = amended[0] if len(amended) == len(request.pending) == 1 else {}
    return own if own is not None else moved


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


def _still_open(action: AtomicAction, call: ToolCall) -> tuple[PreviewLine, ...]:
    """What a step that waits for an earlier one will do, as far as it is known, and what is still open."""
    lines = []
    for name, value in call.arguments.items():
        target = placeholders.reference(value)
        after = say("plan.still_open", step=target[0]) if target else value
        parameter = action.parameter(name)
        shown = after if isinstance(after, str) else json.dumps(after, ensure_ascii=False)
        shown = wording.value_words(parameter.role if parameter else None, shown)
        lines.append(PreviewLine(field=name.replace("_", " ").capitalize(), before=None, after=shown))
    return tuple(lines)
