"""Which records of a plan were told before: a workflow task that is done again tells what it told before."""

from collections import OrderedDict
from threading import Lock

_REMEMBERED = 10_000


class Once:
    """What this process has seen lately."""

    def __init__(self) -> None:
        self._seen: OrderedDict[tuple[str, int], None] = OrderedDict()
        self._lock = Lock()

    def is_new(self, plan_id: str, revision: int) -> bool:
        """Whether it is seen for the first time."""
        this = (plan_id, revision)
        with self._lock:
            if this in self._seen:
                return False
            self._seen[this] = None
            if len(self._seen) > _REMEMBERED:
                self._seen.popitem(last=False)
            return True
