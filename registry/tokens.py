"""How many tokens a text costs a model: counted by `bpe-openai` (o200k_base, in the wheel), else guessed."""

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

ENCODING = "o200k_base"
_MOST_AT_ONCE = 500_000  # characters; it refuses a million


@lru_cache(maxsize=1)
def _encoding() -> Any:
    if find_spec("bpe_openai") is None:
        return None
    return import_module("bpe_openai").get_encoding(ENCODING)


def tokens(text: str) -> int:
    """Tokens of `text`; a quarter of its characters where the counter is not installed."""
    encoding = _encoding()
    if encoding is None:
        return -(-len(text) // 4)
    return sum(len(encoding.encode(part)) for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    """The text in parts that the counter takes, cut before a blank: there no token goes across."""
    start = 0
    while len(text) - start > _MOST_AT_ONCE:
        blank = text.rfind(" ", start + 1, start + _MOST_AT_ONCE)
        end = blank if blank > 0 else start + _MOST_AT_ONCE
        yield text[start:end]
        start = end
    yield text[start:]


def counter() -> str:
    """How `tokens` counts, in words."""
    return ENCODING if _encoding() is not None else "a guess: characters / 4, as bpe-openai is not installed"
