"""Reading for the planner: look-ups of the venue, told to the model and in words to the operator."""

import asyncio
import json
from collections.abc import Sequence
from functools import partial
from zoneinfo import ZoneInfo

from temporalio import activity

from activities.as_it_is import missed, read_again, shows_of
from clients.preview_reads import look_up_scope
from clients.reads import Reader
from clients.registries import Registries
from clients.venue import VenueClient, VenueError, unreadable
from contracts import bounds
from contracts.action import AtomicAction, ReadTemplate
from contracts.base import Answer, Json
from contracts.booking import BookingSummary
from contracts.drafting import LookUpReply, LookUpRequest
from contracts.enums import ErrorType, ParameterRole
from contracts.venue import VenueProfile
from infra.heartbeat import beating
from language import Candidate, resolve
from language.catalogue import say, speak
from reasoning import bookings
from reasoning.grounding import policy_of
from reasoning.planning import FIND_TOOLS, RESOLVE_WHEN
from registry import (
    Pack,
    Scope,
    UnrenderableError,
    answer_text,
    argument_problems,
    build_read,
    build_request,
    candidates,
    guest_name,
    is_cancelled,
    observe,
)

_DETAILED = 20
"""Bookings found of which each is looked at by itself: the first in order, more than an operator is shown."""
_DETAIL_WITHIN = 3.0
"""Seconds for looking at them all."""


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
            speak(pack.profile.locale, pack.profile.words)
            if request.call.name == RESOLVE_WHEN:
                return LookUpReply(observation=_resolved(request, pack.profile))
            if request.call.name == FIND_TOOLS:
                tools = await self._registries.find(request.venue_id, str(request.call.arguments.get("about") or ""))
                return LookUpReply(observation={"found": {a.name: a.title for a in tools}})
            action = pack.actions.get(request.call.name)
            if action is None or not action.read_only:
                return LookUpReply(observation={"error": f"There is no look-up {request.call.name}."})
            problems = argument_problems(action, request.call.arguments)
            if problems:
                return LookUpReply(observation={"error": " ".join(problems)})
            scope = await look_up_scope(
                self._venues,
                action,
                request.call.arguments,
                pack.profile,
                request.token_ref,
                request.trace_id,
                request.now,
            )
            try:
                sent = build_request(action, scope)
            except UnrenderableError as fault:
                return LookUpReply(observation={"error": str(fault)})
            try:
                body, more = await Reader(self._venues, request.token_ref, request.trace_id).listed(action, scope)
                scope = scope.with_(request=sent, response=body)
                found = tuple(candidates(action, body, scope)) if action.output.candidates is not None else None
                seen = observe(action, body, scope)
            except VenueError as refused:
                if refused.failure.error_type is ErrorType.NOT_FOUND and action.output.candidates is not None:
                    return LookUpReply(observation={"found": 0}, candidates=(), said=say("read.nothing"))
                return LookUpReply(failure=refused.failure)
            except UnrenderableError as fault:
                activity.logger.warning("%s was answered with something else: %s", action.name, fault.where)
                return LookUpReply(failure=unreadable("of another kind").failure)
            if found is not None:
                beyond = await self._beyond(request, pack, action, found)
                seen = [*seen, *map(_as_seen, beyond)] if isinstance(seen, list) else seen
                rows = _found_by(action, request, [*found, *beyond])
                found = await self._in_order(request, pack.profile, action, rows, body)
            told = json.loads(bounds.shown(_with_rest(seen) if more else seen))
            said = _in_words(action, scope, found, more=more)
            return LookUpReply(observation=told, candidates=found, said=said, more=more)

    async def _beyond(
        self, request: LookUpRequest, pack: Pack, action: AtomicAction, found: Sequence[BookingSummary]
    ) -> list[BookingSummary]:
        """What the chat knows that is looked for, though the venue did not look far enough ahead for it. It is read
        again: it may have been changed since."""
        asked = missed(action, request.call.arguments, found, request.known)
        if not asked:
            return []
        reader = Reader(self._venues, request.token_ref, request.trace_id)
        now = await read_again(reader, shows_of(pack.actions), pack.profile, asked)
        return missed(action, request.call.arguments, found, [b for b in now.values() if b is not None])

    async def _in_order(
        self,
        request: LookUpRequest,
        profile: VenueProfile,
        action: AtomicAction,
        found: Sequence[BookingSummary],
        body: Answer,
    ) -> tuple[BookingSummary, ...]:
        """What is ahead first, then what is cancelled, then what is past, each marked as what it is. What comes first
        is looked at; where that sends it back, what moves up is, too. Whose it is comes after that, and both as far
        as they can be read in time: of the rest it is not known whether they are cancelled."""
        now = request.now.astimezone(ZoneInfo(profile.time_zone))
        found = bookings.unread(found) if action.output.detail is not None else found
        rows = bookings.in_order(found, now)[: bounds.CANDIDATES]
        until = asyncio.get_running_loop().time() + _DETAIL_WITHIN
        look = partial(self._looked_at, request, profile, action, until)
        details: dict[str, Answer] = {}
        while action.output.detail is not None and asyncio.get_running_loop().time() < until:
            due = [b for b in rows[:_DETAILED] if b.booking_id not in details]
            if not due:
                break
            looked = dict(await asyncio.gather(*(look(b, None) for b in due)))
            details |= {b.booking_id: body for b, body in looked.items()}
            again = {b.booking_id: b for b in looked}
            rows = bookings.in_order([again.get(b.booking_id, b) for b in rows], now)
        if action.output.guest is not None:
            first = rows[: bookings.TOLD]
            named = await asyncio.gather(*(look(b, details.get(b.booking_id, body)) for b in first))
            rows = (*(b for b, _ in named), *rows[len(first) :])
        return bookings.marked(rows, now)

    async def _looked_at(
        self,
        request: LookUpRequest,
        profile: VenueProfile,
        action: AtomicAction,
        until: float,
        one: BookingSummary,
        detail: Answer,
    ) -> tuple[BookingSummary, Answer]:
        """The booking with whether it is cancelled, and its detail; with its `detail` known, with whose it is."""
        output = action.output
        scope = Scope.of(action, request.call.arguments, profile)
        given = {**scope.parameters, "item": one.model_dump(mode="json"), "detail": detail}
        scope = scope.with_(parameters=given)
        try:
            async with asyncio.timeout_at(until):
                if detail is None and output.detail is not None:
                    detail = await self._read(request, profile, action, output.detail, scope)
                    return one.model_copy(update={"cancelled": is_cancelled(action, one, detail, scope)}), detail
                if detail is not None and output.guest is not None:
                    guest = await self._read(request, profile, action, output.guest, scope)
                    return bookings.named(one, guest_name(action, one, guest, scope)), detail
        except (VenueError, UnrenderableError, TimeoutError) as error:
            activity.logger.warning("a booking that was found could not be read: %s", type(error).__name__)
        return one, detail

    async def _read(
        self, request: LookUpRequest, profile: VenueProfile, action: AtomicAction, read: ReadTemplate, scope: Scope
    ) -> Answer:
        sent = build_read(read, scope)
        answer = await self._venues.send(
            profile.base_url, sent, request.token_ref, action=action, trace_id=request.trace_id
        )
        body: Answer = answer.body
        return body


def _as_seen(booking: BookingSummary) -> Json:
    """A booking that the chat knows, among the venue's own rows."""
    told = booking.model_dump(include={"booking_id", "reference", "label", "date", "start_time"})
    return {**told, "name": booking.guest_name}


def _found_by(
    action: AtomicAction, request: LookUpRequest, found: Sequence[BookingSummary]
) -> Sequence[BookingSummary]:
    """The rows, each with the words it was found by."""
    names = [request.call.arguments.get(p.name) for p in action.with_role(ParameterRole.SEARCH)]
    said = " ".join(str(name) for name in names if name)
    return [b.model_copy(update={"found_by": said}) for b in found]


def _with_rest(seen: Json) -> Json:
    note = "The list goes on: not all of it was read. Look for less at once, such as one day."
    return [note, *seen] if isinstance(seen, list) else {"not_read": note, "read": seen}


def _in_words(action: AtomicAction, scope: Scope, found: Sequence[BookingSummary] | None, *, more: bool) -> str:
    """What a look-up shows, as an operator is told it: in the pack's words, else the bookings row by row."""
    if action.answer:
        try:
            text = answer_text(action, scope.response, scope)
            return f"{text} {say('read.not_all')}" if more else text
        except UnrenderableError as fault:
            activity.logger.warning("no words for the answer of %s: %s", action.name, fault.where)
    return bookings.told(found, more=more) if found is not None else ""


def _resolved(request: LookUpRequest, profile: VenueProfile) -> Json:
    """What a phrase about days and times means here, for a model that would rather not count days itself."""
    text = bounds.clean(str(request.call.arguments.get("text", "")), bounds.PHRASE)
    now = request.now.astimezone(ZoneInfo(profile.time_zone))
    found = resolve(text, now=now, tz=profile.time_zone, locale=profile.locale, policy=policy_of(profile))
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
