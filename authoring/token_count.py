"""The number of tokens of a text: counted by `bpe-openai` (o200k_base, in the wheel), else estimated."""

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

ENCODING = "o200k_base"
_MOST_AT_ONCE = 500_000  # characters; it rejects a million


@lru_cache(maxsize=1)
def _encoding() -> Any:
    if find_spec("bpe_openai") is None:
        return None
    return import_module("bpe_openai").get_encoding(ENCODING)


def tokens(text: str) -> int:
    """Return the tokens of `text`; a quarter of its characters if the counter is not installed."""
    encoding = _encoding()
    if encoding is None:
        return -(-len(text) // 4)
    return sum(len(encoding.encode(part)) for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    """Yield the text in parts that the counter accepts, cut before a blank, because no token crosses there."""
    start = 0
    while len(text) - start > _MOST_AT_ONCE:
        blank = text.rfind(" ", start + 1, start + _MOST_AT_ONCE)
        end = blank if blank > 0 else start + _MOST_AT_ONCE
        yield text[start:end]
        start = end
    yield text[start:]


def counter() -> str:
    """Return how `tokens` counts, as text."""
    return ENCODING if _encoding() is not None else "a guess: characters / 4, as bpe-openai is not installed"
