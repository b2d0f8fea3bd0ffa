"""The schedule of a venue's day, by the pack's look-up: all bookings, from this service or elsewhere."""

import asyncio
import contextlib
import hashlib
import logging
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from cachetools import TTLCache

from clients.errors import ApiError, ServiceUnavailableError, api_error
from clients.venue.client import VenueClient
from clients.venue.errors import VenueError, malformed_response_error
from clients.venue.reads import SnapshotReader
from contracts.base import Json
from contracts.booking import BookingSummary, DaySchedule
from contracts.enums import ErrorType, ServiceErrorType
from language.messages.catalogue import translate
from reasoning.drafting import booking_list
from registry import BoundAction, Pack, TemplateRenderError
from registry.overlays.day import day_arguments

log = logging.getLogger(__name__)

MOST = 100
"""The maximum number of bookings shown per day, which is also ROLLER's maximum."""
_LOOKED_AT, _AT_ONCE = 20, 5
"""Bookings that are read individually if the look-up does not show whether they are cancelled, upcoming ones first.
They are limited because a venue counts calls, and the operator's plans need them, too."""
_LOOK_WITHIN, _WITHIN = 3.0, 10.0
"""Seconds for these reads, and for the whole day."""
KEPT_FOR = 2.0
"""Seconds for which a day is cached, because a page may request it once for each of its parts."""
_MOST = 500
"""Days cached at most."""

_KINDS = {
    ErrorType.UNAUTHORIZED: ServiceErrorType.UNAUTHORIZED,
    ErrorType.FORBIDDEN: ServiceErrorType.FORBIDDEN,
    ErrorType.RATE_LIMITED: ServiceErrorType.RATE_LIMITED,
}


class DayReader:
    """Reads days with an operator's token. A result is cached for a moment, for that token alone."""

    def __init__(self, venues: VenueClient, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._venues = venues
        self._cache: TTLCache[str, DaySchedule] = TTLCache(_MOST, KEPT_FOR, timer=clock)

    async def read(self, pack: Pack, token: str, asked: date | None) -> DaySchedule:
        """Return the bookings of a day, by default today's. Raises `ApiError`: not_found if the pack has no such
        look-up, unauthorized, forbidden, rate_limited, service_unavailable."""
        now = datetime.now(UTC).astimezone(ZoneInfo(pack.profile.time_zone))
        day = (asked or now.date()).isoformat()
        # A registry refresh may change how the day is read.
        key = hashlib.sha256("\n".join([pack.profile.venue_id, pack.version, day, token]).encode()).hexdigest()
        if (cached := self._cache.get(key)) is not None:
            return cached
        try:
            async with asyncio.timeout(_WITHIN):
                found = await self._read(pack, token, day, now)
        except TimeoutError:
            raise ServiceUnavailableError("venue") from None
        except TemplateRenderError as fault:
            log.error("%s/venue.yaml, day: %s", pack.profile.pack, fault.where)
            raise to_service_error(malformed_response_error("of another kind")) from None
        except VenueError as refused:
            raise to_service_error(refused) from None
        self._cache[key] = found
        return found

    async def _read(self, pack: Pack, token: str, day: str, now: datetime) -> DaySchedule:
        action = pack.actions.get(pack.day.action) if pack.day is not None else None
        if pack.day is None or action is None:
            raise api_error(
                ServiceErrorType.NOT_FOUND,
                translate("refuse.no_day", name=pack.profile.name),
                translate("refuse.no_day_next"),
            )
        reader = SnapshotReader(self._venues, "", "", token=token)
        bound = BoundAction.of(action, day_arguments(pack.day, day, pack.profile), pack.profile)
        bound = await with_own_reads(reader, bound.with_(today=now.date().isoformat()))
        try:
            answer, more = await reader.listed(bound)
        except VenueError as refused:
            if refused.failure.error_type is not ErrorType.NOT_FOUND:
                raise
            return DaySchedule(date=day, bookings=())
        bound = bound.with_request().with_(response=answer)
        found = bound.candidates()
        rows = sorted(found, key=lambda b: (b.date != day, b.start_time or "~", b.label))[:MOST]
        looked = await looked_at(reader, bound, booking_list.sort_for_display(rows, now))
        as_it_is = {b.booking_id: b for b in looked}
        shown = tuple(as_it_is[b.booking_id] for b in rows)
        return DaySchedule(date=day, bookings=shown, more=more or len(found) > MOST)


async def looked_at(reader: SnapshotReader, bound: BoundAction, rows: Sequence[BookingSummary]) -> list[BookingSummary]:
    """Return the bookings with their cancelled state, read individually if the look-up lacks it. It is None for
    bookings that could not be read in time or are over the limit."""
    detail, gate = bound.action.output.detail, asyncio.Semaphore(_AT_ONCE)
    if detail is None:
        return list(rows)
    read = {b.booking_id: b for b in booking_list.unread(rows)}

    async def look(one: BookingSummary) -> None:
        inner = bound.with_(parameters={**bound.parameters, "item": one.model_dump(mode="json")})
        async with gate:
            try:
                off = bound.is_cancelled(one, await reader.read(inner, detail))
            except (VenueError, TemplateRenderError) as error:
                log.warning("a booking of a list could not be read: %s", type(error).__name__)
            else:
                read[one.booking_id] = one.model_copy(update={"cancelled": off})

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LOOK_WITHIN):
            await asyncio.gather(*map(look, rows[:_LOOKED_AT]))
    return [read[b.booking_id] for b in rows]


async def with_own_reads(reader: SnapshotReader, look_up: BoundAction) -> BoundAction:
    """Return the look-up with the results of the reads that it declares; None for one that fails, which fails nothing
    else."""
    seen = dict[str, Json]()
    for read in look_up.action.preview_reads:
        try:
            seen[read.name] = await reader.read(look_up, read)
        except (VenueError, TemplateRenderError) as error:
            log.warning("%s does without %s: %s", look_up.action.name, read.name, type(error).__name__)
            seen[read.name] = None
    return look_up.with_(seen=seen)


def to_service_error(refused: VenueError) -> ApiError:
    """Return the API's error for a venue's rejection."""
    failure = refused.failure
    kind = _KINDS.get(failure.error_type, ServiceErrorType.SERVICE_UNAVAILABLE)
    error = api_error(kind, failure.message, *failure.suggestions)
    error.answer.retry_after_seconds = failure.retry_after_seconds
    return error
