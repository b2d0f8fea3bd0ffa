"""Refreshes the bookings that a chat already knows, because staff or another plan may have changed them."""

import asyncio
from collections.abc import Mapping, Sequence

from activities.drafting.calls import is_detail_look_up
from clients.venue.errors import VenueError
from clients.venue.reads import SnapshotReader
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.enums import ErrorType, ParameterRole
from contracts.venue import VenueProfile
from language.text.normalize import normalize_text, tokenize
from registry import Scope, TemplateRenderError, candidates


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
    scope = Scope.of(read_action, {parameter.name: known.booking_id}, profile)
    try:
        found = candidates(read_action, await reader.read_one(read_action, scope), scope)
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
