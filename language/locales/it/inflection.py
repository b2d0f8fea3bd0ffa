"""How Italian inflects, see `language.vocabulary.thesaurus` and `language.vocabulary.thesaurus`."""

from collections.abc import Iterator

STEMMER = "italian"
"""The name of its Snowball stemmer."""

UNSTEMMED_VERBS = ("are", "ere", "ire")
"""Endings of verbs whose pronouns ("rimborsala") are no ending to the stemmer."""

_CLITICS = ("la", "lo", "le", "li", "mi", "ci", "gli", "ne", "mela", "melo", "meli", "cela", "celo")
_ARE_ENDINGS = tuple(
    "a i o iamo ate ano ato ata ati ate ando asse erei erebbe erebbero eremo eresti erai era eranno ino".split()
)


def forms(word: str) -> Iterator[str]:
    """Return the regular forms of a verb, those with a pronoun at the end included."""
    if word.endswith("are"):
        stem = word[:-3]
        yield from ((stem + e).replace("ii", "i") for e in _ARE_ENDINGS)
        for root in (stem + "a", stem + "iamo", stem + "ar", stem + "ate"):
            yield from (root + c for c in _CLITICS)
    elif word.endswith(("ere", "ire")):
        stem, vowel = word[:-3], word[-3]
        isco = ("isco", "isci", "isce", "iscono", "isca") if vowel == "i" else ()
        endings = ("o", "i", "e", "iamo", vowel + "te", "ono", "a", "endo", "ito" if vowel == "i" else "uto", *isco)
        yield from ((stem + e).replace("ii", "i") for e in endings)
        yield from (stem + vowel + "r" + e for e in ("ei", "ebbe", "ebbero", "emo", "ai", "anno", "esti"))
        yield from (root + c for root in (word[:-1], stem + "i") for c in _CLITICS)
    elif word[-1] in "aieo":
        yield from (word + c for c in _CLITICS)
