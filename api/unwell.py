"""Since when a part is not as it should be, as far as this process has seen: the first look of those in a row that
found it so."""

from collections.abc import Mapping
from datetime import UTC, datetime

OK = "ok"


class Unwell:
    """What `/readyz` has found before."""

    def __init__(self) -> None:
        self._since: dict[str, datetime] = {}

    def since(self, states: Mapping[str, str], seen: Mapping[str, datetime | None]) -> dict[str, datetime]:
        """Since when each part is not `ok` that is not; `seen` has what somebody who looks more often saw first."""
        now, before = datetime.now(UTC), self._since
        away = [part for part, state in states.items() if state != OK]
        self._since = {part: min(before.get(part, now), seen.get(part) or now) for part in away}
        return dict(self._since)
