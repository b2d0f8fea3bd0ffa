"""Moments: now by the team's clock, and their form in requests and responses."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo


class CalendarApiError(Exception):
    """A refusal with its HTTP status and its code; the message is for people."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


def error_body(code: str, message: str) -> dict[str, object]:
    """Return the body of every refusal."""
    return {"error": {"code": code, "message": message}}


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
    """Return a moment from a request, aware. Raises `CalendarApiError`."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise CalendarApiError(400, "bad_moment", f"{name} must be an instant with an offset, as 2026-11-25T12:00:00Z")
    return found.astimezone(UTC)
