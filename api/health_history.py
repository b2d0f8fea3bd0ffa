"""The time since which each part of the system is unavailable, as far as this process knows."""

from collections.abc import Mapping
from datetime import UTC, datetime

OK = "ok"


class HealthHistory:
    """The earlier results of `/readyz`."""

    def __init__(self) -> None:
        self._since: dict[str, datetime] = {}

    def since(self, states: Mapping[str, str], seen: Mapping[str, datetime | None]) -> dict[str, datetime]:
        """Return the time since which each failing part is not `ok`. `seen` has earlier times from a more frequent
        check."""
        now, before = datetime.now(UTC), self._since
        away = [part for part, state in states.items() if state != OK]
        self._since = {part: min(before.get(part, now), seen.get(part) or now) for part in away}
        return dict(self._since)
