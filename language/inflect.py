"""The forms of a listed verb, so that a lexicon holds each verb once and still knows "rescheduling" and "spostala"."""

from collections.abc import Iterator

_VOWELS = "aeiou"
_CLITICS = ("la", "lo", "le", "li", "mi", "ci", "gli", "ne", "mela", "melo", "meli", "cela", "celo")
_ARE_ENDINGS = tuple(
    "a i o iamo ate ano ato ata ati ate ando asse erei erebbe erebbero eremo eresti erai era eranno ino".split()
)


def forms(word: str, code: str) -> Iterator[str]:
    """Regular forms of one verb; some are not words of the language, and match nothing."""
    if not word.isalpha() or len(word) < 3:
        return
    yield from (f for f in (_english(word) if code == "en" else _italian(word)) if len(f) >= 4)


def _english(word: str) -> Iterator[str]:
    stems = [word]
    if word.endswith("e"):
        stems = [word[:-1]]
    elif word[-1] not in "aeiouwxyh" and word[-2] in _VOWELS and word[-3] not in _VOWELS:
        stems.append(word + word[-1])
    yield word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")
    for stem in stems:
        yield stem + "ing"
        yield stem + "ed"


def _italian(word: str) -> Iterator[str]:
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
