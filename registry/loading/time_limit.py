"""Time limit for each file of a pack, so that a slow or broken file affects that file alone."""

import logging
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from registry.errors import PackError, YamlSyntaxError

_LOG = logging.getLogger(__name__)

_SECONDS, _SECONDS_FOR_ALL = 2.0, 30.0
"""Processor seconds for one overlay, and for an API document. An overlay takes 0.1 s, the largest document seen 3 s."""


class _TooLongError(BaseException):
    """The time for one file is over. It is no `Exception`, so that no handler on the way catches it."""


def _unheard(label: str) -> None:
    """Ignore the name of the next file."""


@dataclass
class TimeLimiter:
    """Runs the work of each file. `refused` gives, by label, why a file is not even opened; `announce` is called with
    the next file. With `timed` every file has a time limit, which needs a process of its own where this runs in the
    main thread. `late` is set when a file had no time left."""

    refused: Mapping[str, str] = field(default_factory=dict)
    announce: Callable[[str], None] = _unheard
    timed: bool = False
    late: bool = False

    def over(self, label: str, run: Callable[[], None], *, document: bool = False) -> str:
        """Do the work of one file and return its problem, "" when there is none. A `document` has more time. Raises
        PackError, OSError and YamlSyntaxError, because those name the problem themselves."""
        if label in self.refused:
            return self.refused[label]
        self.announce(label)
        seconds = _SECONDS_FOR_ALL if document else _SECONDS
        try:
            self._started(seconds)
            try:
                run()
            finally:
                self._started(0)
        except _TooLongError:
            self.late = True
            return f"takes longer than {seconds:g} s to load: make it simpler"
        except RecursionError:
            return "is nested too deep"
        except MemoryError:
            return "needs too much memory: make it smaller"
        except (PackError, OSError, YamlSyntaxError):
            raise
        except Exception as error:
            # Catches everything, because files are broken in unforeseen ways and none of them may affect the others.
            _LOG.warning("%s could not be loaded", label, exc_info=error)
            return f"cannot be read: {type(error).__name__}: {error}"[:300]
        return ""

    def _started(self, seconds: float) -> None:
        if self.timed:
            signal.signal(signal.SIGPROF, _over)
            signal.setitimer(signal.ITIMER_PROF, seconds)


def _over(_number: int, _frame: object) -> None:
    raise _TooLongError
