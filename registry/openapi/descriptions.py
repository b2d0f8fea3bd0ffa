"""Shortens the document's prose to what a model needs, without anything that it must not see."""

import html
import re
from collections.abc import Iterable

from registry.secrets.names import mentions_secret

_TAG = re.compile(r"<[^>]{0,200}>")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*`#]+|(?<!\w)_+|_+(?!\w)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\[(])|\s*[\n\r]+\s*")
# The formats of well-known vendors' keys and tokens, because documents show real ones as examples.
_KEY = re.compile(
    r"\b[spr]k_(live|test)_\w|\beyJ[\w-]{8,}\.|\bAKIA[0-9A-Z]{12,}|\bgh[pousr]_\w{16,}|\bxox[abeprs]-"
    r"|\bAIza[\w-]{20,}|\bglpat-\w|-----BEGIN|\b[Bb]asic [A-Za-z0-9+/]{12,}={0,2}"
)
_NAME = re.compile(r"[A-Za-z0-9_-]+")


def summarize_description(text: str, hidden: Iterable[str] = (), *, limit: int = 160) -> str:
    """Return the first sentences of `text` that fit into `limit` characters, as plain text.

    A sentence that names anything in `hidden`, or anything sensitive, or that shows a key, is left out.
    """
    if not text:
        return ""
    # A model needs the beginning only; some documents hold whole manuals here.
    plain = html.unescape(_TAG.sub(" ", text[:2000]))
    plain = _MARKS.sub("", _LINK.sub(r"\1", plain))
    secret = {name.lower() for name in hidden}
    kept = ""
    for sentence in _SENTENCE_END.split(plain.strip()):
        message = " ".join(sentence.split())
        if not message or _KEY.search(message):
            continue
        if mentions_secret(message) or any(word.lower() in secret for word in _NAME.findall(message)):
            continue
        if kept and len(kept) + len(message) + 1 > limit:
            break
        kept = f"{kept} {message}" if kept else message
    return kept if len(kept) <= limit else kept[: kept.rfind(" ", limit // 2, limit)].rstrip(" ,;:") + "…"
