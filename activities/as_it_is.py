"""Bookings that a chat knows from before, as they are now: somebody else may have changed one since."""

import asyncio
from collections.abc import Mapping, Sequence

from activities.draft_calls import shows_one
from clients.reads import Reader
from clients.venue import VenueError
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.enums import ErrorType, ParameterRole
from contracts.venue import VenueProfile
from language.plain import plain, words
from registry import Scope, UnrenderableError, candidates


def shows_of(actions: Mapping[str, AtomicAction]) -> dict[str, AtomicAction]:
    """The look-up of one thing, by its kind; the first where there are several."""
    return {a.thing: a for a in reversed(list(actions.values())) if shows_one(a)}


async def read_again(
    reader: Reader,
    shows: Mapping[str, AtomicAction],
    profile: VenueProfile,
    known: Sequence[BookingSummary],
) -> dict[str, BookingSummary | None]:
    """These as they are now, by id: None for one that is there no more, nothing for one that could not be read."""
    looked = [(b, shows[b.thing]) for b in known if b.thing in shows]
    read = await asyncio.gather(*(_as_it_is(reader, look, profile, b) for b, look in looked))
    return {b.booking_id: now for one in read for b, now in one}


async def _as_it_is(
    reader: Reader, look: AtomicAction, profile: VenueProfile, known: BookingSummary
) -> list[tuple[BookingSummary, BookingSummary | None]]:
    [parameter, *_] = look.with_role(ParameterRole.BOOKING)
    scope = Scope.of(look, {parameter.name: known.booking_id}, profile)
    try:
        found = candidates(look, await reader.one(look, scope), scope)
    except VenueError as error:
        return [(known, None)] if error.failure.error_type is ErrorType.NOT_FOUND else []
    except UnrenderableError:
        return []
    same = next((b for b in found if b.booking_id == known.booking_id), None)
    return [] if same is None else [(known, same.model_copy(update={"found_by": known.found_by}))]


def missed(
    action: AtomicAction,
    arguments: Mapping[str, Json],
    found: Sequence[BookingSummary],
    known: Sequence[BookingSummary],
) -> list[BookingSummary]:
    """Those of a chat's bookings that a look-up was for, though it does not show them: a venue looks only so far ahead,
    and the chat may know of one beyond."""
    shown = {b.booking_id for b in found}
    return [
        b
        for b in known
        if b.thing == action.thing and b.booking_id not in shown and not b.cancelled and _fits(b, action, arguments)
    ]


def _fits(booking: BookingSummary, action: AtomicAction, arguments: Mapping[str, Json]) -> bool:
    """Whether all that was looked for is true of a booking; a look-up for what is not known of it is for others."""
    own = {word.text for word in words(plain(f"{booking.label} {booking.guest_name}"))}
    asked = {name: value for name, value in arguments.items() if value is not None}
    for name, value in asked.items():
        parameter = action.parameter(name)
        match parameter.role if parameter else None:
            case ParameterRole.SEARCH:
                fits = {word.text for word in words(plain(str(value)))} <= own
            case ParameterRole.DATE:
                fits = booking.date == value
            case ParameterRole.TIME:
                fits = booking.start_time == value
            case _:
                fits = False
        if not fits:
            return False
    return bool(asked)
