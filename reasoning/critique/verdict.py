"""Accepts a critique's yes only if nothing else in the answer speaks against it. Surrounding text, a failed check of
its own, a question, or another decision in its reasons may each revoke it. Code cannot judge that, so none of them is a
yes."""

import re
from collections.abc import Iterator, Mapping

from contracts.base import Json
from language.locales import alternatives, in_all
from language.replies.polarity import negated
from language.replies.questions import only_confirms

_OTHER = re.compile(rf"\b(?:ASK_USER|ESCALATE)\b|{alternatives('critique', 'ESCALATES')}", re.I)
_FENCE = re.compile(r"```\w*")
_LEAD = re.compile(
    rf"^\W*(?:(?:{alternatives('critique', 'HERE_IS')})\W+)?(?:(?:{alternatives('critique', 'MY')})\s+)*"
    rf"(?:{alternatives('critique', 'DECISION')})?\W*$",
    re.IGNORECASE,
)
_COURTESY = 3
_DOUBT = re.compile(rf"\b(?:{alternatives('critique', 'DOUBT')})\b", re.IGNORECASE)
_CHECK = re.compile(alternatives("critique", "CHECK"), re.IGNORECASE)
_FAILED = frozenset(("✗",)).union(*in_all("critique", "FAILED"))


def is_qualified(data: Mapping[str, Json], beside: str) -> bool:
    """Return whether anything in or beside an answer that decides to proceed speaks against it."""
    lines = [value for name, value in data.items() if name != "decision" for value in _texts(value)]
    sentences = [sentence for text in lines for sentence in re.split(r"(?<=[.;!?])\s+", text)]
    if any(_OTHER.search(sentence) and not negated(sentence) for sentence in sentences):
        return True
    message = data.get("message")
    if isinstance(message, str) and message.rstrip().endswith("?") and not only_confirms(message):
        return True
    return _says_more(_FENCE.sub(" ", beside)) or any(_fails(name, value) for name, value in _rows(data))


def _says_more(beside: str) -> bool:
    """Return whether words around an answer are more than a lead-in or a courtesy. Code cannot judge what such words
    mean."""
    if _LEAD.match(beside):
        return False
    return len(re.findall(r"[^\W_]+", beside)) > _COURTESY or negated(beside) or bool(_DOUBT.search(beside))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _rows(data: Mapping[str, Json], above: str = "") -> Iterator[tuple[str, Json]]:
    for name, value in data.items():
        inner = value if isinstance(value, list) else [value]
        for row in inner:
            if isinstance(row, dict):
                yield from _rows(row, f"{above} {name}")
            else:
                yield f"{above} {name}", row


def _fails(name: str, value: Json) -> bool:
    denied = value is False or (isinstance(value, str) and value.strip().casefold() in _FAILED)
    return denied and bool(_CHECK.search(name))
