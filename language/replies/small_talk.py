"""Small talk: a greeting, thanks, and "what can you do?". It leads to no plan and no look-up."""

import re
from functools import partial
from typing import Literal

from language.locales import alternatives, words_in_all
from language.text.lexer import fold

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
