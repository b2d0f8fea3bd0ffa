"""A noun in a sentence: the venue's name for the thing that changes ("booking", "lesson", "voucher") with the small
words that its language puts in front of it. The nouns and their forms are in
`language/locales/<language>/inflection.py`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from contracts.venue import Noun
from language.locales import SUPPORTED, data_of, in_all
from language.text.normalize import normalize_text

Words = Mapping[str, Mapping[str, Noun]]
"""A venue's own words by kind and language."""

DEFAULTS: dict[str, dict[str, Noun]] = {
    kind: {code: data_of(code, "inflection").NOUNS[kind] for code in SUPPORTED}
    for kind in ("booking", "guest", "system")
}
"""The default nouns of a pack: for the thing it changes, the people who come, and the venue's system."""

_FORMS: dict[str, Callable[[Noun], str]] = {
    "one": lambda w: w.one,
    "many": lambda w: w.many,
    "One": lambda w: w.one[:1].upper() + w.one[1:],
}
for _forms in in_all("inflection", "FORMS"):
    _FORMS |= _forms


@dataclass(frozen=True)
class NounForms:
    """The forms of a word, for templates: `{{ thing.il }}` is "la prenotazione", `{{ thing.o }}` the ending "a"."""

    word: Noun

    def form(self, name: str) -> str:
        """Return one form by its name in a template. Raise KeyError for an unknown form."""
        return _FORMS[name](self.word)

    def __getattr__(self, name: str) -> str:
        try:
            return _FORMS[name](self.word)
        except KeyError:
            raise AttributeError(name) from None


def things_of(words: Words, locale: str) -> tuple[str, ...]:
    """Return the venue's own words for its things in a language, plain, one and many; not for the people or the
    system."""
    code = locale.split("-", maxsplit=1)[0].lower()
    own = [
        languages[code] for kind, languages in words.items() if kind not in ("guest", "system") and code in languages
    ]
    return tuple(dict.fromkeys(normalize_text(text) for noun in own for text in (noun.one, noun.many) if text))


def noun(words: Words, kind: str, language: str) -> NounForms:
    """Return a venue's word for a kind of thing in a language, or the default one. A kind that only the venue has keeps
    its name where this language has no word for it."""
    own, ours = words.get(kind, {}), DEFAULTS.get(kind, DEFAULTS["booking"] if kind not in words else {})
    return NounForms(own.get(language) or ours.get(language) or next(iter([*ours.values(), *own.values()])))
