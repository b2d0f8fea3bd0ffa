"""What `${VARIABLE}` in a pack stands for: the environment of this process, else `.env`.

It is read when it is needed, so that a secret that was changed in the file counts from the next request on.
"""

import os
from functools import lru_cache
from pathlib import Path

from dotenv import dotenv_values


class MissingVariableError(LookupError):
    """A variable that a pack needs and that is not set here; its name is the message."""


def variable(name: str) -> str:
    """What a variable holds. Raises `MissingVariableError` when it is not set, or empty."""
    value = os.environ.get(name) or _file(_stamp()).get(name) or ""
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
