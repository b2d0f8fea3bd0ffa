"""What Italian calls things, and the forms of such a noun in a sentence, which depend on its gender and its first
letters, see `language.messages.nouns`."""

import re
from collections.abc import Callable

from contracts.venue import Noun

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
