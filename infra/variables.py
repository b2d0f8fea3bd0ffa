"""What `${VARIABLE}` in a pack stands for: what is lent to this process, its environment, else `.env`.

It is read when it is needed, so that a secret that was changed in the file counts from the next request on.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from dotenv import dotenv_values


class MissingVariableError(LookupError):
    """A variable that a pack needs and that is not set here; its name is the message."""


_LENT: list[Mapping[str, str]] = []


@contextmanager
def lent(values: Mapping[str, str]) -> Iterator[None]:
    """Variables for as long as the block lasts, whatever is set elsewhere: a stand-in is entered with keys of its own,
    and a real key is not sent to it."""
    own = dict(values)  # Two may lend the same, and each lets go of its own.
    _LENT.append(own)
    try:
        yield
    finally:
        _LENT[:] = [one for one in _LENT if one is not own]


def variable(name: str) -> str:
    """What a variable holds. Raises `MissingVariableError` when it is not set, or empty."""
    value = (
        next((one[name] for one in reversed(_LENT) if name in one), "")
        or os.environ.get(name)
        or _file(_stamp()).get(name)
        or ""
    )
    if not value:
        raise MissingVariableError(name)
    return value


def is_set(name: str) -> bool:
    """Whether a variable holds anything."""
    try:
        return bool(variable(name))
    except MissingVariableError:
        return False


def _stamp() -> float:
    path = Path(".env")
    return path.stat().st_mtime if path.is_file() else 0.0


@lru_cache(maxsize=1)
def _file(stamp: float) -> dict[str, str | None]:
    return dict(dotenv_values(".env")) if stamp else {}
