"""What a preview or a look-up must know beside its own call. It stops neither: what cannot be read is not known."""

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from clients.venue import Answered, VenueClient, VenueError
from contracts.action import AtomicAction, ReadTemplate
from contracts.base import Json
from contracts.venue import VenueProfile
from registry import Scope, UnrenderableError, build_read

log = logging.getLogger(__name__)

_PATIENCE = 3.0
"""Seconds: an operator waits, and the preview can say that it does not know."""


async def look_up_scope(
    venues: VenueClient,
    action: AtomicAction,
    arguments: Mapping[str, Json],
    profile: VenueProfile,
    token_ref: str,
    trace_id: str,
    now: datetime,
) -> Scope:
    """What a look-up's templates see: the venue's day, and what its own reads gave."""
    today = now.astimezone(ZoneInfo(profile.time_zone)).date().isoformat()
    scope = Scope.of(action, arguments, profile).with_(today=today)
    return scope.with_(seen=await read_for_preview(venues, action, scope, token_ref, trace_id, {}))


async def read_for_preview(
    venues: VenueClient,
    action: AtomicAction,
    scope: Scope,
    token_ref: str,
    trace_id: str,
    seen: dict[str, Answered],
) -> dict[str, Json]:
    """The answers of `action.preview_reads` by name, None where a read failed. `seen` saves repeated reads within one
    draft."""

    async def look(read: ReadTemplate) -> Json:
        try:
            request = build_read(read, scope)
            key = request.model_dump_json()
            if key not in seen:
                async with asyncio.timeout(_PATIENCE):
                    base_url = str(scope.venue["base_url"])
                    seen[key] = await venues.send(base_url, request, token_ref, action=action, trace_id=trace_id)
            body = seen[key].body
            # A 2xx without JSON may come from anything on the way: it says nothing of what was read.
            return None if isinstance(body, str) else body
        except (VenueError, UnrenderableError, TimeoutError) as error:
            log.warning("%s does without %s: %s", action.name, read.name, type(error).__name__)
            return None

    answers = await asyncio.gather(*(look(read) for read in action.preview_reads))
    return {read.name: answer for read, answer in zip(action.preview_reads, answers, strict=True)}
