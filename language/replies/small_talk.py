"""Small talk, which leads to no plan and no look-up: a greeting, thanks, "what can you do?", and a request for a person
("vorrei parlare con una persona", "get me a human")."""

import re
from functools import partial
from typing import Literal

from language.locales import alternatives, words_in_all
from language.text.lexer import fold
from language.text.normalize import normalize_text

Talk = Literal["hello", "thanks", "help"]

_words = partial(alternatives, "small_talk")

_all = partial(words_in_all, "small_talk")
_HELLO, _GREETINGS = _all("HELLO"), _all("GREETINGS")
_THANKS, _THANKING = _all("THANKS"), _all("THANKING")
_HELP = re.compile(rf"^(?:{_words('HELP')})$")
_BESIDE_HELP = re.compile(rf"^(?:(?:{_words('HELP_LEADS')}) )+|(?: (?:{_words('HELP_ENDS')}))+$")
_PRAISE = re.compile(_words("PRAISE"))


def small_talk(text: str) -> Talk | None:
    """Return the kind of small talk that a message is, if it is nothing else."""
    words = re.findall(r"[^\W_]+", re.sub(r"(?<=\w)['’`](?=\w)", "", fold(text)))
    if not words or len(words) > 12:
        return None
    plain = " ".join(words)
    if _HELP.match(_BESIDE_HELP.sub("", plain)):
        return "help"
    beside = set(_PRAISE.sub(" ", plain).split())
    if _THANKING & set(words) and _THANKS.issuperset(beside) and not re.search(r"\d", plain):
        return "thanks"
    return "hello" if _GREETINGS & set(words) and _HELLO.issuperset(words) else None


_wording = partial(alternatives, "asks_for_person")
_ASKS = re.compile(
    rf"(?:(?:{_wording('COURTESY')})[\s,.!]+)*(?:{_wording('ASKS')})(?:[\s,]+(?:{_wording('ENDS')})\b.*)?[\s.!?]*"
)
_LONGEST = 200


def asks_for_a_person(text: str) -> bool:
    """Return whether a message asks for a reply by a person, in any language. It must begin so, in the first person or
    as an order: "she wants to talk to somebody" is about others, and a note may hold any words."""
    letters = normalize_text(" ".join(text[: _LONGEST + 1].split()))
    return len(letters) <= _LONGEST and _ASKS.fullmatch(letters) is not None
