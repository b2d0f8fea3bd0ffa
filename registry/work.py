"""How much a template may do: overlays are other people's text, and a few characters can ask for a year's work.

What counts is about half a microsecond, a node of a document or sixteen characters of a text; everything rendered
in one call shares one measure, so that it ends within a second or two, whatever the data.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from types import GeneratorType
from typing import Any

_MOST = 2_000_000
_LONGEST = 1_000_000
_LARGEST = 10**30
_FREE = 16  # uses of what walks through documents that are not weighed to the bottom: outside loops there are few more
RENDERING, ROW = 100, 10
"""What it costs to render one text, and to go on to the next row of a loop."""


class TooMuchWorkError(ValueError):
    """A template asks for more than is ever needed."""


class _Meter(threading.local):
    left: int | None = None
    uses = 0


_METER = _Meter()


@contextmanager
def measured() -> Iterator[None]:
    """One measure of work for all that is rendered inside."""
    if _METER.left is not None:
        yield
        return
    _METER.left, _METER.uses = _MOST, 0
    try:
        yield
    finally:
        _METER.left = None


def charge(work: int) -> None:
    """Take off some work. Raises TooMuchWorkError when there is none left."""
    if _METER.left is not None:
        _METER.left -= work
        if _METER.left < 0:
            raise TooMuchWorkError("asks for more work than a template may do: make it smaller, or loop over less")


def weigh(value: object) -> None:
    """Charge for walking through `value`. Raises TooMuchWorkError."""
    _METER.uses += 1
    if isinstance(value, str):
        charge(1 + len(value) // 16)
    elif isinstance(value, Mapping | list | tuple):
        charge(len(value) + 1 if _METER.uses <= _FREE else _nodes(value))
    else:
        charge(1)


def built(value: Any) -> Any:
    """A list or mapping that a template writes, charged as it would be written out: one that holds the same list ten
    times, in one that does so again, is no longer small. Raises TooMuchWorkError."""
    charge(_nodes(value))
    return value


def settled(value: Any) -> Any:
    """What a filter or an operator gave, if it is not too large; what is made row by row is charged so. Raises
    TooMuchWorkError."""
    if isinstance(value, str):
        long_enough(len(value))
    elif isinstance(value, int) and not -_LARGEST < value < _LARGEST:
        raise TooMuchWorkError("a number is too large")
    elif isinstance(value, list):
        charge(len(value))
    elif isinstance(value, GeneratorType):
        return each(value, 1)
    return value


def long_enough(characters: int) -> None:
    """Charge for a text that is about to be made. Raises TooMuchWorkError."""
    if characters > _LONGEST:
        raise TooMuchWorkError(f"a text would have {characters} characters; at most {_LONGEST} are allowed")
    charge(1 + characters // 16)


def each(rows: Iterable[Any], cost: int) -> Iterator[Any]:
    """The rows, each charged. Raises TooMuchWorkError."""
    for row in rows:
        charge(cost)
        yield row


def _nodes(value: object) -> int:
    """How many nodes a document has when it is written out, those of shared parts each time; not counted far beyond
    what may be done at all."""
    waiting, count = [value], 0
    most = _MOST if _METER.left is None else _METER.left
    while waiting and count <= most:
        inner = waiting.pop()
        count += 1
        if isinstance(inner, Mapping):
            waiting += inner.values()
        elif isinstance(inner, list | tuple):
            waiting += inner
        elif isinstance(inner, str):
            count += len(inner) // 16
    return count


def metered(filter_: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that charges for what it is given, and whose result is `settled`."""
    place = 1 if hasattr(filter_, "jinja_pass_arg") else 0

    @wraps(filter_)
    def run(*given: Any, **named: Any) -> Any:
        for value in given[place:]:
            weigh(value)
        return settled(filter_(*given, **named))

    return run


def weighed(value: Any) -> Any:
    """`value`, charged for walking through it. Raises TooMuchWorkError."""
    weigh(value)
    return value


def joined(parts: Iterable[Any]) -> str:
    """What `~` makes: the parts as one text. Raises TooMuchWorkError; TypeError for a list or a mapping."""
    texts = []
    for part in parts:
        if isinstance(part, Mapping | list | tuple):
            raise TypeError("a list or a document cannot be part of a text")
        texts.append(str(part))
    long_enough(sum(map(len, texts)))
    return "".join(texts)
