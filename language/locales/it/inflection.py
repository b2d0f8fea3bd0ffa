"""How Italian inflects: the forms of verbs for the search (`language.vocabulary.thesaurus`), what it calls things, and
the forms of such a noun in a sentence (`language.messages.nouns`)."""

import re
from collections.abc import Callable, Iterator

from contracts.venue import Noun

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


NOUNS = {
    "booking": Noun(one="prenotazione", many="prenotazioni", gender="f"),
    "guest": Noun(one="ospite", many="ospiti"),
    "system": Noun(one="sistema di prenotazione", many="sistemi di prenotazione"),
}

_BEFORE_LO = re.compile(r"(s[bcdfghlmnpqrtvz]|z|gn|ps|pn|x|y|i[aeou])", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouàèéìòù]", re.IGNORECASE)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _article(noun: Noun, before_vowel: str, before_lo: str, masculine: str, feminine: str) -> str:
    """Return an article or the like with the word: "l'" joins it, the others stand apart."""
    if _VOWEL.match(noun.one) and not _BEFORE_LO.match(noun.one):
        # Masculine "un" and its kin stay whole before a vowel: "un appuntamento", "nessun appuntamento".
        return f"{before_vowel}{'' if before_vowel.endswith(chr(39)) else ' '}{noun.one}"
    if noun.gender == "f":
        return f"{feminine} {noun.one}"
    return f"{before_lo if _BEFORE_LO.match(noun.one) else masculine} {noun.one}"


def _un(noun: Noun, stem: str) -> str:
    vowel = f"{stem}'" if noun.gender == "f" else stem
    return _article(noun, vowel, f"{stem}o", stem, f"{stem}a")


FORMS: dict[str, Callable[[Noun], str]] = {
    "il": lambda w: _article(w, "l'", "lo", "il", "la"),
    "Il": lambda w: _capital(_article(w, "l'", "lo", "il", "la")),
    "del": lambda w: _article(w, "dell'", "dello", "del", "della"),
    "al": lambda w: _article(w, "all'", "allo", "al", "alla"),
    "nel": lambda w: _article(w, "nell'", "nello", "nel", "nella"),
    "dal": lambda w: _article(w, "dall'", "dallo", "dal", "dalla"),
    "quel": lambda w: _article(w, "quell'", "quello", "quel", "quella"),
    "un": lambda w: _un(w, "un"),
    "nessun": lambda w: _un(w, "nessun"),
    "Nessun": lambda w: _capital(_un(w, "nessun")),
    "alcun": lambda w: _un(w, "alcun"),
    "questo": lambda w: f"{'questa' if w.gender == 'f' else 'questo'} {w.one}",
    "Questo": lambda w: f"{'Questa' if w.gender == 'f' else 'Questo'} {w.one}",
    "o": lambda w: "a" if w.gender == "f" else "o",
    "e": lambda w: "e" if w.gender == "f" else "i",
}
