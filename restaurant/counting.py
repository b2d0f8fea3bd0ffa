"""What is counted: every call by tool and how it ended. Codes that are not for guests are logged, too.

Nothing here is personal: a restaurant's id, a tool, a code, and a reason that names no guest.
"""

import logging
from collections import Counter

from restaurant.codes import TECHNICAL, Code, RefusalError

log = logging.getLogger("restaurant")


class Counts:
    """Since the process began."""

    def __init__(self) -> None:
        self._ended: Counter[tuple[str, str]] = Counter()

    def answered(self, tool: str) -> None:
        """A call has succeeded."""
        self._ended[tool, "ok"] += 1

    def refused(self, tool: str, restaurant: str, error: RefusalError) -> None:
        """A call was answered with an error."""
        self.code(tool, restaurant, error.code, error.why)

    def code(self, tool: str, restaurant: str, code: Code, why: str) -> None:
        """A code came up, answered or (LIST_BY_DAY_ERROR) not."""
        self._ended[tool, code.value] += 1
        if code in TECHNICAL or why:
            log.warning("%s of %s: %s: %s", tool, restaurant or "-", code.value, why or "no reason given")

    def by_tool(self) -> dict[str, dict[str, int]]:
        """Counts by tool and code; "ok" for what succeeded."""
        found: dict[str, dict[str, int]] = {}
        for (tool, code), number in sorted(self._ended.items()):
            found.setdefault(tool, {})[code] = number
        return found
