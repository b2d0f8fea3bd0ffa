"""Counters: every call by tool and outcome. Codes that are not for guests are logged, too.

No personal data: only a restaurant's id, a tool, a code, and a reason that names no guest.
"""

import logging
from collections import Counter

from restaurant.errors import TECHNICAL, Code, RefusalError

log = logging.getLogger("restaurant")


class CallCounters:
    """Counts since the process started."""

    def __init__(self) -> None:
        self._ended: Counter[tuple[str, str]] = Counter()

    def answered(self, tool: str) -> None:
        """Count a call that succeeded."""
        self._ended[tool, "ok"] += 1

    def refused(self, tool: str, restaurant: str, error: RefusalError) -> None:
        """Count a call that was answered with an error."""
        self.code(tool, restaurant, error.code, error.why)

    def code(self, tool: str, restaurant: str, code: Code, why: str) -> None:
        """Count and log a code, whether it was answered or not (LIST_BY_DAY_ERROR is not)."""
        self._ended[tool, code.value] += 1
        if code in TECHNICAL or why:
            log.warning("%s of %s: %s: %s", tool, restaurant or "-", code.value, why or "no reason given")

    def by_tool(self) -> dict[str, dict[str, int]]:
        """Return counts by tool and code; "ok" for calls that succeeded."""
        found: dict[str, dict[str, int]] = {}
        for (tool, code), number in sorted(self._ended.items()):
            found.setdefault(tool, {})[code] = number
        return found
