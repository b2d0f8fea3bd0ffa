"""The value of `${VARIABLE}` in a pack: an override of this process, its environment, else `.env`.

It is read at each use, so that a secret that was changed in the file applies from the next request on.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from dotenv import dotenv_values


class MissingVariableError(LookupError):
    """A variable that a pack needs and that is not set; its name is the message."""


_LENT: list[Mapping[str, str]] = []


@contextmanager
def override(values: Mapping[str, str]) -> Iterator[None]:
    """Override variables for the block. A simulation has keys of its own, so that it never gets a real key."""
    own = dict(values)  # Two blocks may override the same name, and each removes only its own.
    _LENT.append(own)
    try:
        yield
    finally:
        _LENT[:] = [one for one in _LENT if one is not own]


def variable(name: str) -> str:
    """Return the value of a variable. Raises `MissingVariableError` if it is not set, or empty."""
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
    """Return whether a variable has a value."""
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
