"""How English inflects: the forms of verbs for the search (`language.vocabulary.thesaurus`), what it calls things, and
the forms of such a noun in a sentence (`language.messages.nouns`)."""

import re
from collections.abc import Callable, Iterator

from contracts.venue import Noun

STEMMER = "english"
"""The name of its Snowball stemmer."""


def forms(word: str) -> Iterator[str]:
    """Return the regular forms of a verb."""
    stems = [word]
    if word.endswith("e"):
        stems = [word[:-1]]
    elif word[-1] not in "aeiouwxyh" and word[-2] in "aeiou" and word[-3] not in "aeiou":
        stems.append(word + word[-1])
    yield word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")
    for stem in stems:
        yield stem + "ing"
        yield stem + "ed"


NOUNS = {
    "booking": Noun(one="booking", many="bookings"),
    "guest": Noun(one="guest", many="guests"),
    "system": Noun(one="booking system", many="booking systems"),
}

_VOWEL = re.compile(r"[aeiouàèéìòù]", re.IGNORECASE)
_HARD_A = re.compile(r"(uni|use|eu|one\b)", re.IGNORECASE)
_SILENT_H = re.compile(r"(hour|heir|honou?r|honest)", re.IGNORECASE)


def _sounds_open(text: str) -> bool:
    """Return whether a word begins with the sound of a vowel."""
    return bool(_SILENT_H.match(text) or (_VOWEL.match(text) and not _HARD_A.match(text)))


FORMS: dict[str, Callable[[Noun], str]] = {"a": lambda w: f"{'an' if _sounds_open(w.one) else 'a'} {w.one}"}
