"""Yes, no and not: what turns a thing said into its opposite, in English and Italian."""

import re

from language.lexer import fold

_NOT = frozenset(
    ("not", "no", "dont", "doesnt", "isnt", "wasnt", "never", "without", "neither", "nor", "except",
     "non", "mai", "senza", "ne", "niente", "nessun", "nessuna", "nessuno", "tranne")
)  # fmt: skip
_YES = frozenset(("yes", "yep", "yeah", "yup", "sure", "ok", "okay", "si", "certo", "esatto"))
_NO = frozenset(("no", "nope", "nah", "never", "mai"))
_REACH = 3
"""Words that a "not" reaches ahead: "not in cash", "senza il rimborso"."""


def words_of(text: str) -> list[str]:
    """The words of a text, folded: small letters, no accents, no apostrophes."""
    return re.findall(r"\w+", fold(text).replace("'", "").replace("’", ""))


def says(text: str, words: list[str]) -> bool:
    """Whether the text says these words, one after the other, as whole words and not negated anywhere. A "not" reaches
    no further than its clause: "not cash, by cheque"."""
    length, found = len(words), False
    for clause in re.split(r"[,;.!?:\n]+", text):
        said = words_of(clause)
        for place in range(len(said) - length + 1) if length else ():
            if said[place : place + length] == words:
                if _NOT.intersection(said[max(0, place - _REACH) : place]):
                    return False
                found = True
    return found


def yes_or_no(text: str) -> bool | None:
    """What an answer to a yes-or-no question says by its first word; None when it says neither, or both."""
    said = words_of(text)
    if not said or "?" in text:
        return None
    yes, no = not _YES.isdisjoint(said), not (_NO | _NOT).isdisjoint(said)
    if said[0] in _YES and not no:
        return True
    return False if said[0] in _NO | _NOT and not yes else None
