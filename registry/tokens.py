"""How many tokens a text costs a model: counted by `bpe-openai` (o200k_base, in the wheel), else guessed."""

from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

ENCODING = "o200k_base"


@lru_cache(maxsize=1)
def _encoding() -> Any:
    if find_spec("bpe_openai") is None:
        return None
    return import_module("bpe_openai").get_encoding(ENCODING)


def tokens(text: str) -> int:
    """Tokens of `text`; a quarter of its characters where the counter is not installed."""
    encoding = _encoding()
    return len(encoding.encode(text)) if encoding is not None else -(-len(text) // 4)


def counter() -> str:
    """How `tokens` counts, in words."""
    return ENCODING if _encoding() is not None else "a guess: characters / 4, as bpe-openai is not installed"
