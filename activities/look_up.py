"""Venue look-ups for the planner: data for the model and text for the operator."""

import asyncio
import json
from collections.abc import Sequence
from functools import partial
from zoneinfo import ZoneInfo

from temporalio import activity

from activities.booking_refresh import detail_look_ups, hidden_matches, refresh_bookings
from clients.registry import Registries
from clients.venue.client import VenueClient
from clients.venue.errors import VenueError, malformed_response_error
from clients.venue.reads import SnapshotReader, look_up_scope
from contracts import limits
from contracts.action import AtomicAction, ReadTemplate
from contracts.base import Answer, Json
from contracts.booking import BookingSummary
from contracts.drafting import LookUpReply, LookUpRequest
from contracts.enums import ErrorType, ParameterRole
from contracts.persisted_names import Activity
from contracts.venue import VenueProfile
from infra.temporal.heartbeat import heartbeating
from language import Candidate, resolve
from language.messages.catalogue import activate_locale, translate
from reasoning.drafting import booking_list
from reasoning.grounding.grounding import policy_of
from reasoning.modes.planning import FIND_TOOLS, RESOLVE_WHEN
from registry import (
    Pack,
    Scope,
    TemplateRenderError,
    answer_text,
    argument_problems,
    build_read,
    build_request,
    candidates,
    guest_name,
    is_cancelled,
    observation,
)

_DETAILED = 20
"""Number of found bookings that are read individually: the first in order, more than an operator is shown."""
_DETAIL_WITHIN = 3.0
"""Seconds for reading all of them."""


class LookUpActivity:
    """Read-only activities of a turn."""

    def __init__(self, registries: Registries, venues: VenueClient) -> None:
        self._registries = registries
        self._venues = venues

    @activity.defn(name=Activity.LOOK_UP)
    async def look_up(self, request: LookUpRequest) -> LookUpReply:
        """See `signatures.look_up`."""
        async with heartbeating():
            pack = await self._registries.pack(request.venue_id)
            activate_locale(pack.profile.locale, pack.profile.words)
            if request.call.name == RESOLVE_WHEN:
                return LookUpReply(observation=_resolved(request, pack.profile))
            if request.call.name == FIND_TOOLS:
                tools = await self._registries.find(request.venue_id, str(request.call.arguments.get("about") or ""))
                return LookUpReply(observation={"found": {a.name: a.title for a in tools}})
            action = pack.actions.get(request.call.name)
            if action is None or not action.read_only:
                return LookUpReply(observation={"error": f"There is no look-up {request.call.name}."})
            return await self._rows(request, pack, action)

    async def _rows(self, request: LookUpRequest, pack: Pack, action: AtomicAction) -> LookUpReply:
        """Run one look-up action and return its rows, or why there are none."""
        problems = argument_problems(action, request.call.arguments)
        if problems:
            return LookUpReply(observation={"error": " ".join(problems)})
        arguments, token, trace = request.call.arguments, request.token_ref, request.trace_id
        scope = await look_up_scope(self._venues, action, arguments, pack.profile, token, trace, request.now)
        try:
            sent = build_request(action, scope)
        except TemplateRenderError as fault:
            return LookUpReply(observation={"error": str(fault)})
        try:
            body, more = await SnapshotReader(self._venues, token, trace).listed(action, scope)
            scope = scope.with_(request=sent, response=body)
            found = tuple(candidates(action, body, scope)) if action.output.candidates is not None else None
            seen = observation(action, body, scope)
        except VenueError as refused:
            if refused.failure.error_type is ErrorType.NOT_FOUND and action.output.candidates is not None:
                return LookUpReply(observation={"found": 0}, candidates=(), text=translate("read.nothing"))
            return LookUpReply(failure=refused.failure)
        except TemplateRenderError as fault:
            activity.logger.warning("%s was answered with something else: %s", action.name, fault.where)
            return LookUpReply(failure=malformed_response_error("of another kind").failure)
        if found is not None:
            beyond = await self._beyond(request, pack, action, found)
            seen = [*seen, *map(_as_seen, beyond)] if isinstance(seen, list) else seen
            rows = _found_by(action, request, [*found, *beyond])
            found = await self._in_order(request, pack.profile, action, rows, body)
        observed = json.loads(limits.truncate_json(_with_rest(seen) if more else seen))
        text = _in_words(action, scope, found, more=more)
        return LookUpReply(observation=observed, candidates=found, text=text, more=more)

    async def _beyond(
        self, request: LookUpRequest, pack: Pack, action: AtomicAction, found: Sequence[BookingSummary]
    ) -> list[BookingSummary]:
        """Return the chat's known bookings that match although the venue did not search far enough ahead. They are read
        again, because they may have changed."""
        asked = hidden_matches(action, request.call.arguments, found, request.known)
        if not asked:
            return []
        reader = SnapshotReader(self._venues, request.token_ref, request.trace_id)
        now = await refresh_bookings(reader, detail_look_ups(pack.actions), pack.profile, asked)
        return hidden_matches(action, request.call.arguments, found, [b for b in now.values() if b is not None])

    async def _in_order(
        self,
        request: LookUpRequest,
        profile: VenueProfile,
        action: AtomicAction,
        found: Sequence[BookingSummary],
        body: Answer,
    ) -> tuple[BookingSummary, ...]:
        """Return upcoming bookings first, then cancelled, then past ones, each marked as such. The first ones are read
        individually; if that moves one back, the ones that move up are read, too. Customers are read last. Reads stop
        at the time limit, and the cancelled state of the remaining bookings is unknown."""
        now = request.now.astimezone(ZoneInfo(profile.time_zone))
        found = booking_list.unread(found) if action.output.detail is not None else found
        rows = booking_list.sort_for_display(found, now)[: limits.CANDIDATES]
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
            rows = booking_list.sort_for_display([again.get(b.booking_id, b) for b in rows], now)
        if action.output.guest is not None:
            first = rows[: booking_list.LISTED]
            named = await asyncio.gather(*(look(b, details.get(b.booking_id, body)) for b in first))
            rows = (*(b for b, _ in named), *rows[len(first) :])
        return booking_list.with_status(rows, now)

    async def _looked_at(
        self,
        request: LookUpRequest,
        profile: VenueProfile,
        action: AtomicAction,
        until: float,
        one: BookingSummary,
        detail: Answer,
    ) -> tuple[BookingSummary, Answer]:
        """Return the booking with its cancelled state and its detail or, if `detail` is given, with its customer."""
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
                    return booking_list.with_guest(one, guest_name(action, one, guest, scope)), detail
        except (VenueError, TemplateRenderError, TimeoutError) as error:
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
    """Return a booking that the chat knows in the form of the venue's own rows."""
    fields = booking.model_dump(include={"booking_id", "reference", "label", "date", "start_time"})
    return {**fields, "name": booking.guest_name}


def _found_by(
    action: AtomicAction, request: LookUpRequest, found: Sequence[BookingSummary]
) -> Sequence[BookingSummary]:
    """Return the rows, each with the search words that found it."""
    names = [request.call.arguments.get(p.name) for p in action.with_role(ParameterRole.SEARCH)]
    text = " ".join(str(name) for name in names if name)
    return [b.model_copy(update={"found_by": text}) for b in found]


def _with_rest(seen: Json) -> Json:
    note = "The list goes on: not all of it was read. Look for less at once, such as one day."
    return [note, *seen] if isinstance(seen, list) else {"not_read": note, "read": seen}


def _in_words(action: AtomicAction, scope: Scope, found: Sequence[BookingSummary] | None, *, more: bool) -> str:
    """Return the result of a look-up as operator text: the pack's template, else one line per booking."""
    if action.answer:
        try:
            text = answer_text(action, scope.response, scope)
            return f"{text} {translate('read.not_all')}" if more else text
        except TemplateRenderError as fault:
            activity.logger.warning("no words for the answer of %s: %s", action.name, fault.where)
    return booking_list.list_text(found, more=more) if found is not None else ""


def _resolved(request: LookUpRequest, profile: VenueProfile) -> Json:
    """Return what a date or time phrase means at this venue, because models calculate dates unreliably."""
    text = limits.sanitize_text(str(request.call.arguments.get("text", "")), limits.PHRASE)
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
