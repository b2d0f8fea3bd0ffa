"""Verbs with the same meaning, in all languages: a title has "Cancel booking", an operator writes "call it off".

A high-risk action is never planned without one of its own verbs. Therefore the clusters hold verbs for a booking
itself, and none for a change ("scrap that"). The words stand in `language/locales/<language>/words/extraction.toml`.
"""

import re
from functools import cache

from language.locales import in_all
from language.requests.parts import tag_words
from language.text.normalize import normalize_text, tokenize

_CLUSTERS = {
    name: (" ".join(in_all("verbs", name.upper())), "|".join(in_all("verbs", f"{name.upper()}_PHRASES")))
    for name in ("cancel", "note")
}


def verb_groups(title: str) -> frozenset[str]:
    """Return the clusters whose verbs a title uses: "Cancel booking" → cancel."""
    used = {word.text for word in tokenize(normalize_text(title))}
    return frozenset(name for name, (single, _) in _CLUSTERS.items() if used & _words(single))


def find_verb_loose(cluster: str, text: str, locale: str) -> list[tuple[int, int]]:
    """Return where a text has a verb of a cluster in any known form, including abbreviations and typos."""
    senses = ("cancel", "cancelled") if cluster == "cancel" else (cluster,)
    loosely = [part.span for part in tag_words(text, locale) if part.does(*senses)]
    return sorted({*find_verb(cluster, text), *loosely})


def find_verb(cluster: str, text: str) -> list[tuple[int, int]]:
    """Return where a text has a verb of a cluster in a plain form: places (start, end)."""
    single, phrases = _CLUSTERS[cluster]
    letters = normalize_text(text)
    row = tokenize(letters)
    found = [(w.start, w.end) for w in row if w.text in _words(single) or w.text.rpartition("'")[2] in _words(single)]
    for phrase in _phrases(phrases):
        found += [match.span() for match in phrase.finditer(letters)]
    return sorted(found)


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@cache
def _phrases(text: str) -> tuple[re.Pattern[str], ...]:
    """Apostrophes may be left out, as people do."""
    listed = [" ".join(phrase.split()) for phrase in text.split("|") if phrase.strip()]
    pieces = [phrase.replace("nt ", "n'?t ").replace("its ", "it'?s ").replace(" ", r"\s+") for phrase in listed]
    return tuple(re.compile(rf"(?<!\w){piece}(?!\w)") for piece in pieces)
