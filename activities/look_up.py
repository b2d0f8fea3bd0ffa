"""Venue look-ups for the planner: data for the model and text for the operator.

Bookings that a chat already knows are read again, because staff or another plan may have changed them.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from functools import partial
from zoneinfo import ZoneInfo

from temporalio import activity

from activities.drafting.calls import is_detail_look_up
from clients.registry import Registries
from clients.venue.client import VenueClient
from clients.venue.errors import VenueError, malformed_response_error
from clients.venue.reads import SnapshotReader, bind_look_up
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
from language.text.normalize import normalize_text, tokenize
from reasoning.drafting import booking_list
from reasoning.grounding.grounding import policy_of
from reasoning.modes.planning import FIND_TOOLS, RESOLVE_WHEN
from registry import BoundAction, Pack, TemplateRenderError, argument_problems

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
        bound = await bind_look_up(self._venues, action, arguments, pack.profile, token, trace, request.now)
        try:
            bound = bound.with_request()
        except TemplateRenderError as fault:
            return LookUpReply(observation={"error": str(fault)})
        try:
            body, more = await SnapshotReader(self._venues, token, trace).listed(bound)
            bound = bound.with_(response=body)
            found = tuple(bound.candidates()) if action.output.candidates is not None else None
            seen = bound.observation()
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
        text = _in_words(bound, found, more=more)
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
        bound = BoundAction.of(action, request.call.arguments, profile)
        given = {**bound.parameters, "item": one.model_dump(mode="json"), "detail": detail}
        bound = bound.with_(parameters=given)
        try:
            async with asyncio.timeout_at(until):
                if detail is None and output.detail is not None:
                    detail = await self._read(request, bound, output.detail)
                    return one.model_copy(update={"cancelled": bound.is_cancelled(one, detail)}), detail
                if detail is not None and output.guest is not None:
                    guest = await self._read(request, bound, output.guest)
                    return booking_list.with_guest(one, bound.guest_name(one, guest)), detail
        except (VenueError, TemplateRenderError, TimeoutError) as error:
            activity.logger.warning("a booking that was found could not be read: %s", type(error).__name__)
        return one, detail

    async def _read(self, request: LookUpRequest, bound: BoundAction, read: ReadTemplate) -> Answer:
        answer = await self._venues.send(
            bound.base_url, bound.read(read), request.token_ref, action=bound.action, trace_id=request.trace_id
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


def _in_words(bound: BoundAction, found: Sequence[BookingSummary] | None, *, more: bool) -> str:
    """Return the result of a look-up as operator text: the pack's template, else one line per booking."""
    if bound.action.answer:
        try:
            text = bound.answer_text()
            return f"{text} {translate('read.not_all')}" if more else text
        except TemplateRenderError as fault:
            activity.logger.warning("no words for the answer of %s: %s", bound.action.name, fault.where)
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


def detail_look_ups(actions: Mapping[str, AtomicAction]) -> dict[str, AtomicAction]:
    """Return the look-up of a single item for each kind. Where a kind has several, the first is used."""
    return {a.thing: a for a in reversed(list(actions.values())) if is_detail_look_up(a)}


async def refresh_bookings(
    reader: SnapshotReader,
    shows: Mapping[str, AtomicAction],
    profile: VenueProfile,
    known: Sequence[BookingSummary],
) -> dict[str, BookingSummary | None]:
    """Read these bookings again and return them by id. A booking that no longer exists is None; one that could not be
    read is missing from the result."""
    looked = [(b, shows[b.thing]) for b in known if b.thing in shows]
    read = await asyncio.gather(*(_as_it_is(reader, read_action, profile, b) for b, read_action in looked))
    return {b.booking_id: now for one in read for b, now in one}


async def _as_it_is(
    reader: SnapshotReader, read_action: AtomicAction, profile: VenueProfile, known: BookingSummary
) -> list[tuple[BookingSummary, BookingSummary | None]]:
    [parameter, *_] = read_action.with_role(ParameterRole.BOOKING)
    bound = BoundAction.of(read_action, {parameter.name: known.booking_id}, profile)
    try:
        found = bound.with_(response=await reader.read_one(bound)).candidates()
    except VenueError as error:
        return [(known, None)] if error.failure.error_type is ErrorType.NOT_FOUND else []
    except TemplateRenderError:
        return []
    same = next((b for b in found if b.booking_id == known.booking_id), None)
    return [] if same is None else [(known, same.model_copy(update={"found_by": known.found_by}))]


def hidden_matches(
    action: AtomicAction,
    arguments: Mapping[str, Json],
    found: Sequence[BookingSummary],
    known: Sequence[BookingSummary],
) -> list[BookingSummary]:
    """Return the chat's bookings that match a look-up although its result does not contain them. A venue searches only
    a limited time ahead, and the chat may know a later booking."""
    shown = {b.booking_id for b in found}
    return [
        b
        for b in known
        if b.thing == action.thing and b.booking_id not in shown and not b.cancelled and _fits(b, action, arguments)
    ]


def _fits(booking: BookingSummary, action: AtomicAction, arguments: Mapping[str, Json]) -> bool:
    """Return whether a booking matches every search argument. An argument about a property that is not known of the
    booking does not match."""
    own = {word.text for word in tokenize(normalize_text(f"{booking.label} {booking.guest_name}"))}
    request = {name: value for name, value in arguments.items() if value is not None}
    for name, value in request.items():
        parameter = action.parameter(name)
        match parameter.role if parameter else None:
            case ParameterRole.SEARCH:
                fits = {word.text for word in tokenize(normalize_text(str(value)))} <= own
            case ParameterRole.DATE:
                fits = booking.date == value
            case ParameterRole.TIME:
                fits = booking.start_time == value
            case _:
                fits = False
        if not fits:
            return False
    return bool(request)
