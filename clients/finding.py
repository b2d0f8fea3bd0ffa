"""Bookings found by words or by a day, with the pack's own look-up: without a model, and without a chat."""

import asyncio
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from clients.day import looked_at, perhaps, told_refusal
from clients.errors import UnansweredError, refuse
from clients.reads import Reader
from clients.venue import VenueClient, VenueError, unreadable
from contracts import bounds
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import FoundBookings
from contracts.enums import ErrorType, ParameterRole, ServiceErrorType
from language import resolve
from language.catalogue import say
from reasoning import bookings
from reasoning.grounding import policy_of
from registry import Pack, Scope, UnrenderableError, argument_problems, candidates, with_request

log = logging.getLogger(__name__)

_WITHIN = 10.0
"""Seconds."""


async def find(venues: VenueClient, pack: Pack, token: str, words: str) -> FoundBookings:
    """What the pack's look-up finds by these words, which may be nothing but a day; what is ahead first. Those that
    are cancelled are marked, and those of which that could not be read in time. Raises `RequestError`: not_found where
    the pack has no such look-up, invalid_request for words that it does not take, unauthorized, forbidden,
    rate_limited, service_unavailable."""
    now = datetime.now(UTC).astimezone(ZoneInfo(pack.profile.time_zone))
    action, arguments = _look_up(pack, words.strip(), now)
    if argument_problems(action, arguments):
        raise refuse(ServiceErrorType.INVALID_REQUEST, say("mcp.not_found_by"), say("mcp.not_found_by_next"))
    reader = Reader(venues, "", "", token=token)
    scope = Scope.of(action, arguments, pack.profile).with_(today=now.date().isoformat())
    try:
        async with asyncio.timeout(_WITHIN):
            scope = scope.with_(seen={r.name: await perhaps(reader, action, r, scope) for r in action.preview_reads})
            answer, more = await reader.listed(action, scope)
            scope = with_request(action, scope).with_(response=answer)
            rows = bookings.in_order(candidates(action, answer, scope), now)[: bounds.CANDIDATES]
            found = await looked_at(reader, action, scope, rows)
    except TimeoutError:
        raise UnansweredError("venue") from None
    except UnrenderableError as fault:
        log.warning("%s cannot be used to find bookings: %s", action.name, fault.where)
        raise told_refusal(unreadable("of another kind")) from None
    except VenueError as refused:
        if refused.failure.error_type is ErrorType.NOT_FOUND:
            return FoundBookings(rows=())
        raise told_refusal(refused) from None
    return FoundBookings(rows=bookings.marked(bookings.in_order(found, now), now), more=more)


def _look_up(pack: Pack, words: str, now: datetime) -> tuple[AtomicAction, Mapping[str, Json]]:
    """The first look-up that takes such words, and what it is called with. Raises `RequestError`: not_found."""
    read = resolve(
        words, now=now, tz=pack.profile.time_zone, locale=pack.profile.locale, policy=policy_of(pack.profile)
    )
    day = read.date if read.ok and read.date_stated and read.span == (0, len(words)) else None
    role = ParameterRole.SEARCH if day is None else ParameterRole.DATE
    for action in pack.actions.values():
        if action.read_only and action.output.candidates is not None and action.with_role(role):
            return action, {action.with_role(role)[0].name: words if day is None else day.isoformat()}
    raise refuse(ServiceErrorType.NOT_FOUND, say("mcp.no_look_up", name=pack.profile.name), say("mcp.no_look_up_next"))
