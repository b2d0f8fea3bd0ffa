"""Yes, no and not: what turns a thing said into its opposite, in English and Italian."""

import re

from language.lexer import fold

_NOT = frozenset(
    "not no dont doesnt isnt wasnt never without neither nor except "
    "non mai senza ne niente nessun nessuna nessuno tranne".split()
)
_YES = frozenset(("yes", "yep", "yeah", "yup", "sure", "ok", "okay", "si", "certo", "esatto"))
_NO = frozenset(("no", "nope", "nah", "never", "mai"))
_FILLERS = frozenset(
    "it was were is they she he we i paid refunded gave by in with via as the a an please thanks to on of for that "
    "this yes ok just con per il la lo un una era stato stata e ha hanno pagato rimborsato grazie favore si tramite "
    "del della al alla".split()
)
"""Words around a value that leave it what it is."""
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


def only_says(text: str, words: list[str]) -> bool:
    """Whether the text says these words and nothing that could turn them: "in cash, please", not "keep the cash"."""
    said = words_of(text)
    for place in range(len(said) - len(words) + 1) if words else ():
        if said[place : place + len(words)] == words:
            return _FILLERS.issuperset(said[:place] + said[place + len(words) :])
    return False


def denies(text: str) -> bool:
    """Whether an answer begins with a no and says no yes."""
    said = words_of(text)
    return bool(said) and "?" not in text and said[0] in _NO | _NOT and _YES.isdisjoint(said)


_TURNS = _NOT | frozenset(
    ("cannot", "cant", "wont", "mustnt", "arent", "hasnt", "havent", "shouldnt", "couldnt", "nothing")
)


def negated(text: str) -> bool:
    """Whether a statement says that something is not so, wherever in it."""
    return not _TURNS.isdisjoint(words_of(text))
