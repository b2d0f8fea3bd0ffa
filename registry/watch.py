"""One file of a pack at a time: whatever a file does to its reader, it costs that file alone."""

import logging
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from registry.faults import PackError, YamlSyntaxError

_LOG = logging.getLogger(__name__)

_SECONDS, _SECONDS_FOR_ALL = 2.0, 30.0
"""Of processor time for one overlay, and for an API document; an overlay takes 0.1 s, the largest document seen 3 s."""


class _TooLongError(BaseException):
    """The time for one file is over. No `except Exception` on the way may keep it."""


def _unheard(label: str) -> None:
    """Nobody wants to know which file is next."""


@dataclass
class Watch:
    """`refused` says, by a file's label, why it is not even opened; `announce` is told which file is next. With `timed`
    every file has its time; that takes a process of its own, in whose main thread this runs. `late` tells that some
    file had none left."""

    refused: Mapping[str, str] = field(default_factory=dict)
    announce: Callable[[str], None] = _unheard
    timed: bool = False
    late: bool = False

    def over(self, label: str, run: Callable[[], None], *, document: bool = False) -> str:
        """Do what one file needs; "" when that went well, else what is wrong with the file. A `document` has more time.
        Raises PackError, OSError and YamlSyntaxError: those say by themselves what is wrong."""
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
            # Files are broken in more ways than can be listed; none of them may cost the others.
            _LOG.warning("%s could not be loaded", label, exc_info=error)
            return f"cannot be read: {type(error).__name__}: {error}"[:300]
        return ""

    def _started(self, seconds: float) -> None:
        if self.timed:
            signal.signal(signal.SIGPROF, _over)
            signal.setitimer(signal.ITIMER_PROF, seconds)


def _over(_number: int, _frame: object) -> None:
    raise _TooLongError
