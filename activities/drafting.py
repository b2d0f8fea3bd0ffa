"""Freezing a model's writing calls into the steps of a plan: what they would change is read, what was not said is asked
about, and what is known beforehand not to work is told instead."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from temporalio import activity

from activities.as_it_is import read_again
from activities.draft import Draft, Idle, KnownError, NoRoomError
from activities.draft_calls import amended, booking_of, label_of, only_role, problems_of, settled, still_open
from clients.preview_reads import read_for_preview
from clients.reads import Reader
from clients.registries import Registries
from clients.room import look_for_room
from clients.venue import VenueClient, VenueError
from contracts import bounds
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.drafting import DraftReply, DraftRequest, MadeLook
from contracts.effects import DraftedStep, Ground
from contracts.enums import ErrorType, ParameterRole
from contracts.errors import VenueFailure
from contracts.model import ToolCall
from contracts.plan import PreviewLine
from infra.heartbeat import beating
from infra.personal import words_in
from infra.traced import personal_keys, personal_words
from language.catalogue import say, speak
from reasoning import arranging, coverage, grounding, knowable, placeholders, wording
from reasoning.bookings import marked
from reasoning.wished import Wishes
from registry import (
    Scope,
    UnrenderableError,
    always_refused,
    build_request,
    intended_lines,
    preview_lines,
)

_ROOM_WITHIN = 3.0
"""Seconds: an operator waits, and a venue without room says so itself."""


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
            shown = [*request.bookings, *request.offered, *request.known, *(b for f in request.found for b in f.rows)]
            wishes = Wishes(request.said, request.calls, request.arranged, now, profile, request.before, shown)
            draft = Draft(request, profile, now)
            draft.problems += arranging.problems(request.arranged, len(request.calls))
            # What stands in the plan already was said for it.
            draft.problems += () if request.edited or request.declared else wishes.problems(request.arranged)
            if draft.problems:
                return draft.reply(wishes)
            unsettled = draft.settle(wishes.first.evidence, pack.actions)
            if unsettled is not None:
                return await self._asked_anew(draft, unsettled)
            # A chat may know one from before its last change. One that is gone is refused where its step is read.
            read = await self._read_again(draft, draft.bookings)
            bookings = draft.bookings = [read.get(b.booking_id) or b for b in draft.bookings]
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
                except KnownError as known:
                    return draft.known(known)
                except VenueError as refused:
                    return DraftReply(failure=refused.failure, profile=profile)
                except UnrenderableError as fault:
                    draft.problems.append(f"{call.name}: {fault}")
            differs = None if request.edited else draft.differing(wishes)
            return differs or draft.reply(wishes)

    async def _add(
        self,
        draft: Draft,
        action: AtomicAction,
        call: ToolCall,
        booking: BookingSummary | None,
        place: int,
        wishes: Wishes,
    ) -> None:
        """Freeze one call into a step, or note that it would change nothing, or that there is no room for it where
        something else is wanted then. Raises `KnownError`, `VenueError`, `UnrenderableError`."""
        first = wishes.stands_for(place)
        if first is not None and first in draft.idle and not draft.idle[first].no_room:
            draft.idle[place] = Idle("")
            return
        try:
            step, intended = await self._freeze(draft, action, call, booking, place, first)
        except NoRoomError as full:
            if not wishes.has_alternative(place):
                raise
            draft.idle[place] = Idle(str(full), no_room=True)
            return
        refers = any(placeholders.present(other.arguments) for other in draft.request.calls)
        if not refers and knowable.changes_nothing(intended):
            draft.idle[place] = Idle(knowable.already_so(booking, intended, call.arguments))
            draft.only = only_role(action, call)
        else:
            draft.steps.append(step)
            draft.places.append(place)

    async def _freeze(
        self,
        draft: Draft,
        action: AtomicAction,
        call: ToolCall,
        booking: BookingSummary | None,
        place: int,
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
            # A read that is a step is made again before the write.
            "room": action.room if action.room and action.room.step else None,
            "confirm": "",
        }
        step = DraftedStep(
            action=action.model_copy(update=frozen),
            parameters=call.arguments,
            confirm_label=label_of(action, None),
            personal=tuple(sorted(personal)),
            in_place_of=request.in_place_of or (instead_of is not None and instead_of in draft.idle),
            shown_by=_shown_by(draft.shows.get(action.thing), action),
        )
        if placeholders.present(call.arguments):
            return step.model_copy(update={"preview": still_open(action, call.arguments)}), ()
        if never := knowable.never_comes(action, call.arguments, booking, draft.now, profile):
            raise KnownError(never)
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
            raise KnownError(refused)
        looked = await read_for_preview(self._venues, action, scope, request.token_ref, request.trace_id, draft.kept)
        scope = scope.with_(seen=looked)
        preview, intended = tuple(preview_lines(action, scope)), intended_lines(action, scope)
        if not knowable.changes_nothing(intended) and not _comes_after_another(draft, instead_of):
            await self._refuse_without_room(draft, action, scope, place)
        told = {"preview": preview, "confirm_label": label_of(action, scope), "grounds": grounds}
        told["personal"] = tuple(sorted(personal))
        return step.model_copy(update=told), intended

    async def _read_again(self, draft: Draft, known: Sequence[BookingSummary]) -> dict[str, BookingSummary | None]:
        reader = Reader(self._venues, draft.request.token_ref, draft.request.trace_id, draft.kept)
        return await read_again(reader, draft.shows, draft.profile, known)

    async def _asked_anew(self, draft: Draft, asked: DraftReply) -> DraftReply:
        """The same question, its candidates as they are now. Those that this turn's look-ups show have just been read;
        further ones than are shown are only counted."""
        fresh = {b.booking_id for found in draft.request.found for b in found.rows}
        shown = asked.candidates[: bounds.CANDIDATES_SHOWN]
        read = await self._read_again(draft, [b for b in shown if b.booking_id not in fresh])
        there = [b for b in asked.candidates if read.get(b.booking_id, b) is not None]
        rows = tuple(marked([now], draft.now)[0] if (now := read.get(b.booking_id)) else b for b in there)
        if asked.candidates and not rows:
            return asked.model_copy(update={"candidates": (), "question": say("ask.no_match")})
        return asked.model_copy(update={"candidates": rows})

    async def _refuse_without_room(self, draft: Draft, action: AtomicAction, scope: Scope, place: int) -> None:
        """Raises `NoRoomError` where the pack's own read says that there is no room. A read that fails stops nothing,
        since the venue says so itself; one that is a step of the plan raises what it failed with."""
        room = action.room
        if room is None:
            return
        look = MadeLook(name=room.step.name, title=room.step.title, call=place) if room.step else None
        if look is not None and draft.request.looks_later:
            draft.looks.append(look)
            return
        started = datetime.now(UTC)
        reader = Reader(self._venues, draft.request.token_ref, draft.request.trace_id, draft.kept)
        try:
            async with asyncio.timeout(_ROOM_WITHIN):
                found = await look_for_room(reader, action, scope)
        except (VenueError, UnrenderableError, TimeoutError) as error:
            if look is not None:
                raise _unlooked(error) from None
            activity.logger.warning("room for %s could not be looked up: %s", action.name, type(error).__name__)
            return
        if look is not None and room.step is not None:
            made = MadeLook(
                **look.model_dump(include={"name", "title", "call"}),
                result=(room.step.lacking or found.message) if isinstance(found, VenueFailure) else found,
                error_type=found.error_type if isinstance(found, VenueFailure) else None,
                started_at=started,
                finished_at=datetime.now(UTC),
            )
            draft.looks.append(made)
        if isinstance(found, VenueFailure):
            labels = list(found.alternatives)
            told = f"{found.message} {say('next.instead', options=labels)}." if labels else found.message
            raise NoRoomError(told, found.quick_actions)


def _unlooked(error: Exception) -> Exception:
    """What a look that is a step of the plan failed with, as the venue's failure."""
    if not isinstance(error, TimeoutError):
        return error
    message, suggestions = wording.failure_words(ErrorType.TIMEOUT)
    failure = VenueFailure(error_type=ErrorType.TIMEOUT, message=message, suggestions=suggestions)
    return VenueError(failure, sent=True)


def _shown_by(look: AtomicAction | None, action: AtomicAction) -> tuple[str, str] | None:
    """How what a step makes anew is looked at afterwards."""
    if look is None or action.with_role(ParameterRole.BOOKING):
        return None
    return look.name, look.with_role(ParameterRole.BOOKING)[0].name


def _comes_after_another(draft: Draft, instead_of: int | None) -> bool:
    """Whether an earlier step changes what the last one needs room for, so that nobody can look yet. One that it stands
    in for will have changed nothing."""
    *earlier, last = (step for place, step in draft.planned.items() if place != instead_of)
    return any(step.action.room and step.booking is not None and step.booking == last.booking for step in earlier)


def _as_pending(draft: Draft, place: int) -> Mapping[str, Json]:
    """The values of the step in this place of the plan that waits."""
    pending = draft.request.pending
    return pending[place].parameters if place < len(pending) else {}


def _borne_out(
    wishes: Wishes, draft: Draft, action: AtomicAction, call: ToolCall, place: int
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
