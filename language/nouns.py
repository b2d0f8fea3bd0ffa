"""A noun in a sentence: what a venue calls the thing that is changed ("booking", "lesson", "voucher") with the small
words that its language puts in front of it, which in Italian depend on its gender and its first letters.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from contracts.venue import Word
from language.plain import plain

Words = Mapping[str, Mapping[str, Word]]
"""A venue's own words by kind and language."""

_BEFORE_LO = re.compile(r"(s[bcdfghlmnpqrtvz]|z|gn|ps|pn|x|y|i[aeou])", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouàèéìòù]", re.IGNORECASE)
_HARD_A = re.compile(r"(uni|use|eu|one\b)", re.IGNORECASE)
_SILENT_H = re.compile(r"(hour|heir|honou?r|honest)", re.IGNORECASE)

DEFAULTS: dict[str, dict[str, Word]] = {
    "booking": {
        "en": Word(one="booking", many="bookings"),
        "it": Word(one="prenotazione", many="prenotazioni", gender="f"),
    },
    "guest": {
        "en": Word(one="guest", many="guests"),
        "it": Word(one="ospite", many="ospiti"),
    },
    "system": {
        "en": Word(one="booking system", many="booking systems"),
        "it": Word(one="sistema di prenotazione", many="sistemi di prenotazione"),
    },
}
"""What a pack that names nothing singles out, who comes, and what its venue's system is called."""


@dataclass(frozen=True)
class Noun:
    """The forms of a word, for templates: `{{ thing.il }}` is "la prenotazione", `{{ thing.o }}` the ending "a"."""

    word: Word

    def form(self, name: str) -> str:
        """One form by its name in a template. Raises KeyError for one that there is not."""
        return _FORMS[name](self.word)

    def __getattr__(self, name: str) -> str:
        try:
            return _FORMS[name](self.word)
        except KeyError:
            raise AttributeError(name) from None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sounds_open(text: str) -> bool:
    """Whether an English word begins with the sound of a vowel."""
    return bool(_SILENT_H.match(text) or (_VOWEL.match(text) and not _HARD_A.match(text)))


def _article(word: Word, before_vowel: str, before_lo: str, masculine: str, feminine: str) -> str:
    """An Italian article or the like with the word: "l'" joins it, the others stand apart."""
    if _VOWEL.match(word.one) and not _BEFORE_LO.match(word.one):
        # Masculine "un" and its kin stay whole before a vowel: "un appuntamento", "nessun appuntamento".
        return f"{before_vowel}{'' if before_vowel.endswith(chr(39)) else ' '}{word.one}"
    if word.gender == "f":
        return f"{feminine} {word.one}"
    return f"{before_lo if _BEFORE_LO.match(word.one) else masculine} {word.one}"


def _un(word: Word, stem: str) -> str:
    vowel = f"{stem}'" if word.gender == "f" else stem
    return _article(word, vowel, f"{stem}o", stem, f"{stem}a")


_FORMS: dict[str, Callable[[Word], str]] = {
    "one": lambda w: w.one,
    "many": lambda w: w.many,
    "One": lambda w: _capital(w.one),
    # English
    "a": lambda w: f"{'an' if _sounds_open(w.one) else 'a'} {w.one}",
    # Italian
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


def things_of(words: Words, locale: str) -> tuple[str, ...]:
    """The venue's own words for its things in a language, plain, one and many; not who comes, nor the system."""
    code = locale.split("-", maxsplit=1)[0].lower()
    own = [
        languages[code] for kind, languages in words.items() if kind not in ("guest", "system") and code in languages
    ]
    return tuple(dict.fromkeys(plain(text) for word in own for text in (word.one, word.many) if text))


def noun(words: Words, kind: str, language: str) -> Noun:
    """What a venue calls a kind of thing in a language: in its own word, else in ours. A kind that only the venue has
    keeps its name where this language has none for it."""
    own, ours = words.get(kind, {}), DEFAULTS.get(kind, DEFAULTS["booking"] if kind not in words else {})
    return Noun(own.get(language) or ours.get(language) or next(iter([*ours.values(), *own.values()])))
