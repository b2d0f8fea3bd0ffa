"""Freezing a model's writing calls into the steps of a plan: what they would change is read, what was not said is asked
about, and what is known beforehand not to work is told instead."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self
from zoneinfo import ZoneInfo

from temporalio import activity

from activities.draft_calls import amended, booking_of, label_of, only_role, problems_of, settled, shows_one, still_open
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
from reasoning import arranging, coverage, grounding, knowable, placeholders, quick, resolution, wording
from reasoning.bookings import found_by_all
from reasoning.confidence import confidence_in, reasoning_for
from reasoning.evidence import Evidence
from reasoning.wished import Wishes
from registry import (
    Pack,
    Scope,
    UnrenderableError,
    alternatives,
    always_refused,
    build_request,
    candidates,
    intended_lines,
    lacking_room,
    preview_lines,
    rule_message,
)

_ROOM_WITHIN = 3.0
"""Seconds: an operator waits, and a venue without room says so itself."""


class _KnownError(Exception):
    """A step that is known not to work; `quick_actions` ask for what would."""

    def __init__(self, message: str, quick_actions: tuple[QuickAction, ...] = ()) -> None:
        super().__init__(message)
        self.quick_actions = quick_actions


class _NoRoomError(_KnownError):
    """A step for which there is no room."""


class _NoRoom(str):
    """Why a call is left out, where that is for want of room."""

    def __new__(cls, why: _NoRoomError) -> Self:
        return super().__new__(cls, str(why))


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
    planned: dict[int, coverage.Step] = field(default_factory=dict)
    places: list[int] = field(default_factory=list)

    def settle(self, evidence: Evidence, actions: Mapping[str, AtomicAction]) -> DraftReply | None:
        """Single out the bookings of the calls; what is asked or told where that does not work."""
        request, self.bookings = self.request, list(self.request.bookings)
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
                match resolution.settle(str(value), evidence, chat, used):
                    case resolution.WhichOne(candidates):
                        question = say("ask.which_booking")
                        return DraftReply(question=question, candidates=candidates, profile=self.profile)
                    case resolution.NotSeen():
                        unseen = f"No {thing} {value} was looked up: find it first."
                        return DraftReply(problems=(unseen,), profile=self.profile)
                    case resolution.Settled(booking):
                        self.bookings.append(booking)
        return None

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
        known = [*self.bookings, *request.offered, *(b for f in request.found for b in f.rows)]
        first = [step for place, step in self.planned.items() if wishes.stands_for(place) is None]
        instead = [step for place, step in self.planned.items() if wishes.stands_for(place) is not None]
        found = coverage.difference(evidence, first, request.pending, known)
        if found is None and instead:
            found = coverage.difference(wishes.instead.evidence, instead, (), known)
        if found is None:
            return None
        if request.insists:
            return self.asks(found.question, None)
        return DraftReply(problems=(found.hint,), difference=True, profile=self.profile)

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
            profile=self.profile,
        )

    def reply(self, wishes: Wishes) -> DraftReply:
        """The steps, what is wrong with them, or that nothing would change."""
        if self.problems:
            return DraftReply(problems=tuple(self.problems), profile=self.profile)
        remark = " ".join(filter(None, self.idle.values()))
        if not self.steps:
            return self.asks(f"{remark} {say('knowable.what_instead')}", self.only if len(self.idle) == 1 else None)
        return DraftReply(
            steps=arranging.arranged(self.steps, self.request.arranged, self.places),
            settled=tuple(self.bookings),
            remark=remark,
            left_out=tuple(self.idle),
            profile=self.profile,
            reasoning=reasoning_for(self.steps, self.request.said[0] if self.request.said else ""),
            confidence=confidence_in(self.steps, wishes.first.evidence),
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
            speak(profile.locale, profile.words)
            now = request.now.astimezone(ZoneInfo(profile.time_zone))
            wishes = Wishes(request.said, request.calls, request.arranged, now, profile, request.before)
            draft = _Draft(request, profile, now)
            draft.problems += arranging.problems(request.arranged, len(request.calls))
            # What stands in the plan already was said for it.
            draft.problems += () if request.edited else wishes.problems(request.arranged)
            if draft.problems:
                return draft.reply(wishes)
            unsettled = draft.settle(wishes.first.evidence, pack.actions)
            if unsettled is not None:
                return unsettled
            bookings = draft.bookings = await self._as_they_are(pack, draft)
            for place, asked in enumerate(request.calls):
                action = pack.actions.get(asked.name)
                if action is None or action.read_only:
                    draft.problems.append(f"{asked.name} is not an action that can be planned.")
                    continue
                call = settled(asked, action, draft.steps, profile, bookings)
                found = problems_of(place + 1, action, call, draft.steps)
                if found:
                    draft.problems += found
                    continue
                booking = booking_of(action, call, bookings)
                # Typed into its own field, or in the plan already: there are no words to hold it against.
                if request.edited:
                    borne_out = grounding.typed(action, call.arguments, _as_pending(draft, place), now, profile)
                else:
                    borne_out = _borne_out(wishes, draft, action, call, place)
                if isinstance(borne_out, grounding.Doubt):
                    if request.edited:
                        return DraftReply(problems=("a typed value is none of its kind",), profile=profile)
                    return draft.asks(wording.doubt(borne_out, draft.now.date()), borne_out.role)
                final = call.model_copy(update={"arguments": borne_out.arguments})
                draft.planned[place] = coverage.Step(action, final.arguments, booking)
                try:
                    await self._add(draft, action, final, booking, place, wishes)
                except _KnownError as known:
                    return draft.asks(str(known), None, known.quick_actions)
                except VenueError as refused:
                    return DraftReply(failure=refused.failure, profile=profile)
                except UnrenderableError as fault:
                    draft.problems.append(f"{call.name}: {fault}")
            differs = None if request.edited else draft.differing(wishes)
            return differs or draft.reply(wishes)

    async def _add(
        self,
        draft: _Draft,
        action: AtomicAction,
        call: ToolCall,
        booking: BookingSummary | None,
        place: int,
        wishes: Wishes,
    ) -> None:
        """Freeze one call into a step, or note that it would change nothing, or that there is no room for it where
        something else is wanted then. Raises `_KnownError`, `VenueError`, `UnrenderableError`."""
        first = wishes.stands_for(place)
        if first is not None and first in draft.idle and not isinstance(draft.idle[first], _NoRoom):
            draft.idle[place] = ""
            return
        try:
            step, intended = await self._freeze(draft, action, call, booking, first)
        except _NoRoomError as full:
            if not wishes.has_alternative(place):
                raise
            draft.idle[place] = _NoRoom(full)
            return
        refers = any(placeholders.present(other.arguments) for other in draft.request.calls)
        if not refers and knowable.changes_nothing(intended):
            draft.idle[place] = knowable.already_so(booking, intended, call.arguments)
            draft.only = only_role(action, call)
        else:
            draft.steps.append(step)
            draft.places.append(place)

    async def _freeze(
        self,
        draft: _Draft,
        action: AtomicAction,
        call: ToolCall,
        booking: BookingSummary | None,
        instead_of: int | None,
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
            "confirm": "",
        }
        step = DraftedStep(
            action=action.model_copy(update=frozen),
            parameters=call.arguments,
            confirm_label=label_of(action, None),
            personal=tuple(sorted(personal)),
        )
        if placeholders.present(call.arguments):
            return step.model_copy(update={"preview": still_open(action, call)}), ()
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
        if not knowable.changes_nothing(intended) and not _comes_after_another(draft, instead_of):
            await self._refuse_without_room(draft, action, scope)
        told = {"preview": preview, "confirm_label": label_of(action, scope), "grounds": grounds}
        told["personal"] = tuple(sorted(personal))
        return step.model_copy(update=told), intended

    async def _as_they_are(self, pack: Pack, draft: _Draft) -> list[BookingSummary]:
        """The bookings that were singled out, as they are now: a chat may know one from before its last change. One
        that cannot be read stays as it is known."""
        looks = {a.thing: a for a in reversed(list(pack.actions.values())) if shows_one(a)}
        return list(await asyncio.gather(*(self._as_it_is(looks.get(b.thing), draft, b) for b in draft.bookings)))

    async def _as_it_is(self, look: AtomicAction | None, draft: _Draft, known: BookingSummary) -> BookingSummary:
        if look is None:
            return known
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
        raise _NoRoomError(told, tuple(one for one in others if one.say))


def _comes_after_another(draft: _Draft, instead_of: int | None) -> bool:
    """Whether an earlier step changes what the last one needs room for, so that nobody can look yet. One that it stands
    in for will have changed nothing."""
    *earlier, last = (step for place, step in draft.planned.items() if place != instead_of)
    return any(step.action.room and step.booking == last.booking for step in earlier)


def _as_pending(draft: _Draft, place: int) -> Mapping[str, Json]:
    """The values of the step in this place of the plan that waits."""
    pending = draft.request.pending
    return pending[place].parameters if place < len(pending) else {}


def _borne_out(
    wishes: Wishes, draft: _Draft, action: AtomicAction, call: ToolCall, place: int
) -> grounding.Grounded | grounding.Doubt:
    """Each argument of a call, borne out by what was said beside the other calls."""
    request, bookings = draft.request, draft.bookings
    singled_out = {b.booking_id for b in bookings}
    return wishes.of(place).ground(
        action,
        call.arguments,
        booking_of(action, call, bookings),
        wishes.amended(place) or amended(action, call, request),
        others=[*bookings, *(b for b in request.known if b.booking_id not in singled_out)],
        expected=request.asked_for,
        taken={str(v) for n, c in enumerate(request.calls) if n != place for v in c.arguments.values()},
    )
