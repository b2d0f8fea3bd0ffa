"""Work budget of templates. Overlays are untrusted, and a few characters can demand unbounded work.

One unit is about half a microsecond, a node of a document or sixteen characters of a text. All that one call renders
shares one budget, so that it ends within a second or two, whatever the data.
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
_FREE = 16  # uses of filters that walk through documents without being fully charged: there are few more outside loops
RENDERING, ROW = 100, 10
"""The cost of rendering one text, and of each row of a loop."""


class BudgetExceededError(ValueError):
    """A template exceeds its work budget."""


class _Meter(threading.local):
    left: int | None = None
    uses = 0


_METER = _Meter()


@contextmanager
def measured() -> Iterator[None]:
    """Share one work budget for all rendering inside the block."""
    if _METER.left is not None:
        yield
        return
    _METER.left, _METER.uses = _MOST, 0
    try:
        yield
    finally:
        _METER.left = None


def consume(work: int) -> None:
    """Consume some of the budget. Raises BudgetExceededError when none is left."""
    if _METER.left is not None:
        _METER.left -= work
        if _METER.left < 0:
            raise BudgetExceededError("asks for more work than a template may do: make it smaller, or loop over less")


def consume_size(value: object) -> None:
    """Charge for walking through `value`. Raises BudgetExceededError."""
    _METER.uses += 1
    if isinstance(value, str):
        consume(1 + len(value) // 16)
    elif isinstance(value, Mapping | list | tuple):
        consume(len(value) + 1 if _METER.uses <= _FREE else _nodes(value))
    else:
        consume(1)


def built(value: Any) -> Any:
    """Return a list or mapping literal, charged for its expanded size: one that holds the same list ten times, nested
    again, is no longer small. Raises BudgetExceededError."""
    consume(_nodes(value))
    return value


def settled(value: Any) -> Any:
    """Return the result of a filter or an operator if it is not too large; one made row by row is charged so. Raises
    BudgetExceededError."""
    if isinstance(value, str):
        long_enough(len(value))
    elif isinstance(value, int) and not -_LARGEST < value < _LARGEST:
        raise BudgetExceededError("a number is too large")
    elif isinstance(value, list):
        consume(len(value))
    elif isinstance(value, GeneratorType):
        return each(value, 1)
    return value


def long_enough(characters: int) -> None:
    """Charge for a text that is about to be built. Raises BudgetExceededError."""
    if characters > _LONGEST:
        raise BudgetExceededError(f"a text would have {characters} characters; at most {_LONGEST} are allowed")
    consume(1 + characters // 16)


def each(rows: Iterable[Any], cost: int) -> Iterator[Any]:
    """Yield the rows and charge for each. Raises BudgetExceededError."""
    for row in rows:
        consume(cost)
        yield row


def _nodes(value: object) -> int:
    """Return the number of nodes of a document when expanded, those of shared parts each time; the count stops far
    beyond the limit."""
    waiting, count = [value], 0
    limit = _MOST if _METER.left is None else _METER.left
    while waiting and count <= limit:
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
    """Return a filter that charges for its arguments, and whose result is `settled`."""
    location = 1 if hasattr(filter_, "jinja_pass_arg") else 0

    @wraps(filter_)
    def run(*given: Any, **named: Any) -> Any:
        for value in given[location:]:
            consume_size(value)
        return settled(filter_(*given, **named))

    return run


def weighed(value: Any) -> Any:
    """Return `value`, charged for walking through it. Raises BudgetExceededError."""
    consume_size(value)
    return value


def joined(parts: Iterable[Any]) -> str:
    """Return the parts as one text, as `~` does. Raises BudgetExceededError; TypeError for a list or a mapping."""
    texts = []
    for part in parts:
        if isinstance(part, Mapping | list | tuple):
            raise TypeError("a list or a document cannot be part of a text")
        texts.append(str(part))
    long_enough(sum(map(len, texts)))
    return "".join(texts)
