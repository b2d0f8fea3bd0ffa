"""One booking, and a model's proposals for it, which the tests of grounding use.

The booking is 8340, Emma Clarke, Saturday 28 November 2026 at 15:00 for 9; now is Sunday 22 November 2026, 15:30.
"""

from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.enums import ParameterRole
from contracts.venue import OpeningHours
from language.extraction import Extraction, extract
from reasoning.grounding.grounding import Ungrounded, ground_arguments
from tests.support.shipped import shipped

PACK = shipped("roller")
EMMA = BookingSummary(
    booking_id="8340", reference="8340", guest_name="Emma Clarke", date="2026-11-28", start_time="15:00", guest_count=9
)
_ACTION_OF = {
    "new_date": "reschedule_booking", "new_start_time": "reschedule_booking", "guest_count": "change_guest_count",
    "email": "update_contact", "phone": "update_contact", "first_name": "update_contact",
    "last_name": "update_contact", "issue_refund": "cancel_booking", "refund_type": "cancel_booking",
    "note": "edit_note", "replace": "edit_note",
}  # fmt: skip
_PLACES = {"en": ("en-AU", "Australia/Melbourne", "AU"), "it": ("it-IT", "Europe/Rome", "IT")}


def venue_of(language: str) -> Any:
    """Return the venue's profile and its own time."""
    locale, zone, country = _PLACES[language]
    hours = OpeningHours(opens=time(9), closes=time(21))
    profile = PACK.profile.model_copy(
        update={"locale": locale, "time_zone": zone, "country": country, "opening_hours": hours}
    )
    return profile, datetime(2026, 11, 22, 15, 30, tzinfo=ZoneInfo(zone))


def evidence(text: str, language: str = "en") -> Extraction:
    """Return the mentions of the booking; " › " separates messages, the last is the latest."""
    profile, now = venue_of(language)
    return extract(tuple(reversed(text.split(" › "))), now, profile).for_booking(EMMA)


def judged(
    text: str,
    given: dict[str, Any],
    language: str = "en",
    pending: dict[str, Any] | None = None,
    others: tuple[BookingSummary, ...] = (),
    expected: ParameterRole | None = None,
) -> dict[str, Any] | str:
    """Return the values that are kept, or the name of the parameter that we ask about."""
    profile, now = venue_of(language)
    words = extract(tuple(reversed(text.split(" › "))), now, profile)
    action = PACK.actions[_ACTION_OF[next(iter(given))]]
    verdict: dict[str, Json] | Ungrounded = ground_arguments(
        words, action, given, EMMA, pending or {}, others=others, expected=expected
    )
    return verdict if not isinstance(verdict, Ungrounded) else verdict.parameter
