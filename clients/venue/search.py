"""Booking search by words or by a day with the pack's look-up, without a model or a chat."""

import asyncio
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from clients.errors import ServiceUnavailableError, api_error
from clients.venue.client import VenueClient
from clients.venue.day import looked_at, to_service_error, with_own_reads
from clients.venue.errors import VenueError, malformed_response_error
from clients.venue.reads import SnapshotReader
from contracts import limits
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import FoundBookings
from contracts.enums import ErrorType, ParameterRole, ServiceErrorType
from language import resolve
from language.messages.catalogue import translate
from reasoning.drafting import booking_list
from reasoning.grounding.grounding import policy_of
from registry import BoundAction, Pack, TemplateRenderError, argument_problems

log = logging.getLogger(__name__)

_WITHIN = 10.0
"""Seconds."""


async def find(venues: VenueClient, pack: Pack, token: str, words: str) -> FoundBookings:
    """Return what the pack's look-up finds for these words, which may be just a day; upcoming bookings first. Cancelled
    bookings are marked, and so are those whose state could not be read in time. Raises `ApiError`: not_found if the
    pack has no such look-up, invalid_request for words that it does not accept, unauthorized, forbidden, rate_limited,
    service_unavailable."""
    now = datetime.now(UTC).astimezone(ZoneInfo(pack.profile.time_zone))
    action, arguments = _look_up(pack, words.strip(), now)
    if argument_problems(action, arguments):
        raise api_error(
            ServiceErrorType.INVALID_REQUEST, translate("mcp.not_found_by"), translate("mcp.not_found_by_next")
        )
    reader = SnapshotReader(venues, "", "", token=token)
    bound = BoundAction.of(action, arguments, pack.profile).with_(today=now.date().isoformat())
    try:
        async with asyncio.timeout(_WITHIN):
            bound = await with_own_reads(reader, bound)
            answer, more = await reader.listed(bound)
            bound = bound.with_request().with_(response=answer)
            rows = booking_list.sort_for_display(bound.candidates(), now)[: limits.CANDIDATES]
            found = await looked_at(reader, bound, rows)
    except TimeoutError:
        raise ServiceUnavailableError("venue") from None
    except TemplateRenderError as fault:
        log.warning("%s cannot be used to find bookings: %s", action.name, fault.where)
        raise to_service_error(malformed_response_error("of another kind")) from None
    except VenueError as refused:
        if refused.failure.error_type is ErrorType.NOT_FOUND:
            return FoundBookings(rows=())
        raise to_service_error(refused) from None
    return FoundBookings(rows=booking_list.with_status(booking_list.sort_for_display(found, now), now), more=more)


def _look_up(pack: Pack, words: str, now: datetime) -> tuple[AtomicAction, Mapping[str, Json]]:
    """Return the first look-up that accepts such words, and its arguments. Raises `ApiError`: not_found."""
    read = resolve(
        words, now=now, tz=pack.profile.time_zone, locale=pack.profile.locale, policy=policy_of(pack.profile)
    )
    day = read.date if read.ok and read.date_stated and read.span == (0, len(words)) else None
    role = ParameterRole.SEARCH if day is None else ParameterRole.DATE
    for action in pack.actions.values():
        if action.read_only and action.output.candidates is not None and action.with_role(role):
            return action, {action.with_role(role)[0].name: words if day is None else day.isoformat()}
    raise api_error(
        ServiceErrorType.NOT_FOUND,
        translate("mcp.no_look_up", name=pack.profile.name),
        translate("mcp.no_look_up_next"),
    )
