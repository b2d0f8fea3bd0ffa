"""The document's prose cut down to what a model needs, without a word of what it must not see."""

import html
import re
from collections.abc import Iterable

from registry.sensitive import says_secret

_TAG = re.compile(r"<[^>]{0,200}>")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*`#]+|(?<!\w)_+|_+(?!\w)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\[(])|\s*[\n\r]+\s*")
# What keys and tokens of well-known makers look like: documents show real ones as examples.
_KEY = re.compile(
    r"\b[spr]k_(live|test)_\w|\beyJ[\w-]{8,}\.|\bAKIA[0-9A-Z]{12,}|\bgh[pousr]_\w{16,}|\bxox[abeprs]-"
    r"|\bAIza[\w-]{20,}|\bglpat-\w|-----BEGIN|\b[Bb]asic [A-Za-z0-9+/]{12,}={0,2}"
)
_NAME = re.compile(r"[A-Za-z0-9_-]+")


def prose(text: str, hidden: Iterable[str] = (), *, most: int = 160) -> str:
    """The first sentences of `text` that fit into `most` characters, as plain text.

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
        said = " ".join(sentence.split())
        if not said or _KEY.search(said):
            continue
        if says_secret(said) or any(word.lower() in secret for word in _NAME.findall(said)):
            continue
        if kept and len(kept) + len(said) + 1 > most:
            break
        kept = f"{kept} {said}" if kept else said
    return kept if len(kept) <= most else kept[: kept.rfind(" ", most // 2, most)].rstrip(" ,;:") + "…"
