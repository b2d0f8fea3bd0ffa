"""Moments: now by the team's clock, and their form in requests and responses."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from sandbox.kit.application import SandboxError


class CalendarClock:
    """The present time in the team's zone. A naive value of `source` counts as the team's time."""

    def __init__(self, time_zone: str, source: Callable[[], datetime] | None = None) -> None:
        self.zone = ZoneInfo(time_zone)
        self._source = source

    def now(self) -> datetime:
        """Return the present moment, aware."""
        moment = self._source() if self._source else datetime.now(self.zone)
        return moment.replace(tzinfo=self.zone) if moment.tzinfo is None else moment.astimezone(self.zone)

    def at(self, day: date, start: time) -> datetime:
        """Return a day and a time by the team's clock."""
        return datetime.combine(day, start, tzinfo=self.zone)


def written(moment: datetime) -> str:
    """Return a moment in the calendar's form: 2026-11-25T12:00:00Z."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def read(name: str, text: str) -> datetime:
    """Return a moment from a request, aware. Raises `SandboxError`."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise SandboxError(400, f"{name} must be an instant with an offset, as 2026-11-25T12:00:00Z", "bad_moment")
    return found.astimezone(UTC)
