"""Whether a second look's yes is a yes with nothing beside it. What is said around it, a check of its own that failed,
a question, or another decision in its reasons may all take it back; code cannot tell, so none of them is a yes."""

import re
from collections.abc import Iterator, Mapping

from contracts.base import Json
from language.confirming import only_confirms
from language.polarity import negated

_OTHER = re.compile(r"\b(?:ASK_USER|ESCALATE)\b|\b(?:would|should|must|i'd|better|please) (?:rather )?escalate\b", re.I)
_FENCE = re.compile(r"```\w*")
_LEAD = re.compile(
    r"^\W*(?:(?:here (?:is|'s)|this is|sure|ok(?:ay)?|certainly)\W+)?(?:(?:my|the|json|final)\s+)*"
    r"(?:decision|answer|critique|verdict|result|json|output|response|validation|proceed|thanks|thank you)?\W*$",
    re.IGNORECASE,
)
_COURTESY = 3
_DOUBT = re.compile(
    r"\b(?:but|doubt\w*|unsure|unless|however|maybe|perhaps|example|e\.?g|if|wrong|bad|risk\w*|danger\w*|careful\w*|wait|"
    r"stop|ask|odd|refuse\w*|reject\w*|escalat\w*)\b",
    re.IGNORECASE,
)
_CHECK = re.compile(r"check|pass|ok\b|safe|correct|valid|approv|proceed|right|fit|tool", re.IGNORECASE)
_FAILED = ("false", "no", "fail", "failed", "✗")


def doubted(data: Mapping[str, Json], beside: str) -> bool:
    """Whether anything in or beside an answer that decides to proceed speaks against it."""
    told = [value for name, value in data.items() if name != "decision" for value in _texts(value)]
    sentences = [sentence for text in told for sentence in re.split(r"(?<=[.;!?])\s+", text)]
    if any(_OTHER.search(sentence) and not negated(sentence) for sentence in sentences):
        return True
    message = data.get("message")
    if isinstance(message, str) and message.rstrip().endswith("?") and not only_confirms(message):
        return True
    return _says_more(_FENCE.sub(" ", beside)) or any(_fails(name, value) for name, value in _rows(data))


def _says_more(beside: str) -> bool:
    """Whether words around an answer are more than a lead or a courtesy: what they say of it nobody can tell."""
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
