"""The sandbox's venue: its time and the content of `get-venue-detail`."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

VENUE_ID = 20981


_PLACES = {
    "Europe/Rome": ("IT", "Italy", "EUR", "it-IT"),
    "Europe/London": ("GB", "United Kingdom", "GBP", "en-GB"),
    "America/New_York": ("US", "United States", "USD", "en-US"),
}
_AUSTRALIA = ("AU", "Australia", "AUD", "en-AU")


class VenueClock:
    """The present time in the venue's zone. A naive value of `source` counts as venue time."""

    def __init__(self, time_zone: str, source: Callable[[], datetime] | None = None) -> None:
        self.time_zone = time_zone
        self._zone = ZoneInfo(time_zone)
        self._source = source

    def now(self) -> datetime:
        """Return the present moment, aware, in the venue's zone."""
        if self._source is None:
            return datetime.now(self._zone)
        moment = self._source()
        return moment.replace(tzinfo=self._zone) if moment.tzinfo is None else moment.astimezone(self._zone)

    def today(self) -> date:
        """Return the venue's calendar day."""
        return self.now().date()

    def utc(self) -> datetime:
        """Return the present moment in UTC, the form of `createdDate`."""
        return self.now().astimezone(UTC)

    def at(self, day: str, start_time: str | None) -> datetime:
        """Return the moment a session starts; without a start time, the last moment of the day."""
        return datetime.fromisoformat(f"{day}T{start_time or '23:59:59'}").replace(tzinfo=self._zone)


def venue_detail(time_zone: str) -> dict[str, object]:
    """Return the body of `get-venue-detail`."""
    code, country, currency, locale = _PLACES.get(time_zone, _AUSTRALIA)
    return {
        "id": VENUE_ID,
        "name": "Bounce Barn Sandbox",
        "timeZone": time_zone,
        "ianaTimeZone": time_zone,
        "countryCode": code,
        "country": country,
        "currency": currency,
        "locale": locale,
        "productPricesIncludeTax": True,
        "transactionFeePercent": 0,
        "creditCardFeePercent": 0,
        "feePerTransaction": 0,
        "codeOfConduct": "Grip socks on every trampoline, one jumper to a bed.",
        "taxes": [{"id": 1, "name": "Sales tax", "taxPercent": 10.0, "isDefault": True}],
        "taxComponents": [],
        "venueGroups": [],
    }
