"""Small actions for tests of the rules: what the rules need of one, and nothing of a real venue."""

from typing import Any

from contracts.action import ActionParameter, AtomicAction, Operation, OutputTemplate
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.chat_completion import ToolCall
from contracts.enums import ParameterRole, SafetyTier
from contracts.venue import VenueProfile

ROLES = {
    "booking_id": ParameterRole.BOOKING,
    "new_date": ParameterRole.DATE,
    "new_start_time": ParameterRole.TIME,
    "guests": ParameterRole.COUNT,
    "phone": ParameterRole.PHONE,
    "email": ParameterRole.EMAIL,
    "first_name": ParameterRole.FIRST_NAME,
    "note": ParameterRole.NOTE,
    "reason": None,
}


def an_action(name: str = "change_booking", *, output: OutputTemplate | None = None, **fields: Any) -> AtomicAction:
    """Return a changing action with one parameter of every kind."""
    given: dict[str, Any] = {
        "name": name, "pack": "test", "title": "Change booking", "category": "bookings",
        "description": "Change one booking.", "operation": Operation(key=name, method="PUT", path="/bookings/{id}"),
        "read_only": False, "safety": SafetyTier.NORMAL, "reversible": True, "version": "1",
        "parameters": tuple(
            ActionParameter(
                name=n, target=None, json_schema={"type": ["string", "integer"]}, required=False, description=n, role=r
            )
            for n, r in ROLES.items()
        ),
        "output": output or OutputTemplate(),
    }  # fmt: skip
    return AtomicAction(**{**given, **fields})


def a_call(name: str = "change_booking", *problems: str, **arguments: Json) -> ToolCall:
    """Return a model's call, as it reaches the guard."""
    return ToolCall(id="call-1", name=name, arguments=arguments, kind="write", problems=problems)


def a_venue(**fields: Any) -> VenueProfile:
    """Return a venue in Melbourne."""
    given = {
        "venue_id": "v-1", "pack": "test", "name": "Bounce & Beyond", "base_url": "http://venue.test",
        "time_zone": "Australia/Melbourne", "locale": "en-AU", "country": "AU", "check_operation": "get-venue",
    }  # fmt: skip
    return VenueProfile(**{**given, **fields})


def a_booking(booking_id: str, guest: str = "", **fields: Any) -> BookingSummary:
    """Return one candidate; its label is made as an overlay makes it."""
    booking = BookingSummary(booking_id=booking_id, guest_name=guest, **fields)
    parts = [guest, booking.date or "", booking.start_time or "", booking.reference]
    return booking.model_copy(update={"label": booking.label or " · ".join(p for p in parts if p)})
