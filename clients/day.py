"""A venue's day, by the pack's own look-up: what stands there, whoever put it there."""

import asyncio
import contextlib
import hashlib
import logging
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from clients.errors import RequestError, UnansweredError, refuse
from clients.reads import Reader
from clients.venue import VenueClient, VenueError, unreadable
from contracts.action import AtomicAction, ReadTemplate
from contracts.base import Json
from contracts.booking import BookingSummary, VenueDay
from contracts.enums import ErrorType, ServiceErrorType
from language.catalogue import say
from reasoning import bookings
from registry import Pack, Scope, UnrenderableError, candidates, day_arguments, is_cancelled, with_request

log = logging.getLogger(__name__)

MOST = 100
"""Bookings of a day that are shown: as many as ROLLER gives at all."""
_LOOKED_AT, _AT_ONCE = 20, 5
"""Bookings that are read by themselves where the look-up does not say whether they are cancelled, those ahead first:
a venue counts calls, and the operator's plans need them, too."""
_LOOK_WITHIN, _WITHIN = 3.0, 10.0
"""Seconds for that, and for all."""
KEPT_FOR = 2.0
"""Seconds: a page may ask for each of its parts."""

_KINDS = {
    ErrorType.UNAUTHORIZED: ServiceErrorType.UNAUTHORIZED,
    ErrorType.FORBIDDEN: ServiceErrorType.FORBIDDEN,
    ErrorType.RATE_LIMITED: ServiceErrorType.RATE_LIMITED,
}


class Days:
    """Reads days with an operator's token. What was read is kept for a moment, for that token alone."""

    def __init__(self, venues: VenueClient, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._venues, self._clock = venues, clock
        self._kept: dict[str, tuple[float, VenueDay]] = {}

    async def day(self, pack: Pack, token: str, asked: date | None) -> VenueDay:
        """The bookings of a day, today's where none is named. Raises `RequestError`: not_found where the pack has no
        such look-up, unauthorized, forbidden, rate_limited, service_unavailable."""
        now = datetime.now(UTC).astimezone(ZoneInfo(pack.profile.time_zone))
        day = (asked or now.date()).isoformat()
        # A refresh may change how it is read.
        key = hashlib.sha256("\n".join([pack.profile.venue_id, pack.version, day, token]).encode()).hexdigest()
        self._kept = {k: (until, kept) for k, (until, kept) in self._kept.items() if until > self._clock()}
        if key in self._kept:
            return self._kept[key][1]
        try:
            async with asyncio.timeout(_WITHIN):
                found = await self._read(pack, token, day, now)
        except TimeoutError:
            raise UnansweredError("venue") from None
        except UnrenderableError as fault:
            log.error("%s/venue.yaml, day: %s", pack.profile.pack, fault.where)
            raise told_refusal(unreadable("of another kind")) from None
        except VenueError as refused:
            raise told_refusal(refused) from None
        self._kept[key] = (self._clock() + KEPT_FOR, found)
        return found

    async def _read(self, pack: Pack, token: str, day: str, now: datetime) -> VenueDay:
        action = pack.actions.get(pack.day.action) if pack.day is not None else None
        if pack.day is None or action is None:
            raise refuse(
                ServiceErrorType.NOT_FOUND, say("refuse.no_day", name=pack.profile.name), say("refuse.no_day_next")
            )
        reader = Reader(self._venues, "", "", token=token)
        scope = Scope.of(action, day_arguments(pack.day, day, pack.profile), pack.profile)
        scope = scope.with_(today=now.date().isoformat())
        scope = scope.with_(seen={r.name: await perhaps(reader, action, r, scope) for r in action.preview_reads})
        try:
            answer, more = await reader.listed(action, scope)
        except VenueError as refused:
            if refused.failure.error_type is not ErrorType.NOT_FOUND:
                raise
            return VenueDay(date=day, bookings=())
        scope = with_request(action, scope).with_(response=answer)
        found = candidates(action, answer, scope)
        rows = sorted(found, key=lambda b: (b.date != day, b.start_time or "~", b.label))[:MOST]
        looked = await looked_at(reader, action, scope, bookings.in_order(rows, now))
        as_it_is = {b.booking_id: b for b in looked}
        shown = tuple(as_it_is[b.booking_id] for b in rows)
        return VenueDay(date=day, bookings=shown, more=more or len(found) > MOST)


async def looked_at(
    reader: Reader, action: AtomicAction, scope: Scope, rows: Sequence[BookingSummary]
) -> list[BookingSummary]:
    """The same bookings with whether each is cancelled, by its own read where the look-up does not tell; None of those
    that could not be read in time, and of all but the first ones."""
    detail, gate = action.output.detail, asyncio.Semaphore(_AT_ONCE)
    if detail is None:
        return list(rows)
    read = {b.booking_id: b for b in bookings.unread(rows)}

    async def look(one: BookingSummary) -> None:
        inner = scope.with_(parameters={**scope.parameters, "item": one.model_dump(mode="json")})
        async with gate:
            try:
                off = is_cancelled(action, one, await reader.read(action, detail, inner), scope)
            except (VenueError, UnrenderableError) as error:
                log.warning("a booking of a list could not be read: %s", type(error).__name__)
            else:
                read[one.booking_id] = one.model_copy(update={"cancelled": off})

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LOOK_WITHIN):
            await asyncio.gather(*map(look, rows[:_LOOKED_AT]))
    return [read[b.booking_id] for b in rows]


async def perhaps(reader: Reader, action: AtomicAction, read: ReadTemplate, scope: Scope) -> Json:
    """What a look-up's own read gives; None where it fails, which stops nothing."""
    try:
        return await reader.read(action, read, scope)
    except (VenueError, UnrenderableError) as error:
        log.warning("%s does without %s: %s", action.name, read.name, type(error).__name__)
        return None


def told_refusal(refused: VenueError) -> RequestError:
    """What the venue refused, as the API says it."""
    failure = refused.failure
    kind = _KINDS.get(failure.error_type, ServiceErrorType.SERVICE_UNAVAILABLE)
    error = refuse(kind, failure.message, *failure.suggestions)
    error.answer.retry_after_seconds = failure.retry_after_seconds
    return error
