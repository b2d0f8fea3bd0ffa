"""Redacts a text to words that cannot be a name: those of our own lexicon, those that a caller allows, days, times and
counts. Only for traces: the result is never acted on.

An unmatched name looks like any other word. Therefore known words are allowed instead of names removed. A word that is
also a name ("will", "rose") is not known.

`asked_for` returns what a question asks for, by its words.
"""

import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache

from contracts.enums import ParameterRole as Role
from language.locales import SUPPORTED, alternatives, data_of, words_in_all
from language.messages.catalogue import languages, messages
from language.replies.questions import questions_in
from language.text.normalize import normalize_text
from language.vocabulary.thesaurus import entries

REDACTED = "[…]"

_ALSO_NAMES = words_in_all("redaction", "ALSO_NAMES")
"""First and last names that are words, too. Where one of them is meant as a word, it is left out for nothing."""

_CALENDAR = re.compile(r"(?:EVERY )?[Ww]\d|[Mm]\d+|R-?\d+|P\w")
_MONTHS_AND_NAMES = words_in_all("redaction", "MONTHS_AND_NAMES")
"""Known if a number is beside them."""
_NUMBER_BEFORE = re.compile(rf"\d(?:{alternatives('redaction', 'ORDINAL')})?[\s.-]*$")
_NUMBER = r"\d[\d\s.,/:()+_-]*\d|\d"
_WORD = r"[^\W\d_]+(?:['’][^\W\d_]+)*"
_ID = r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"
"""A UUID, which is drawn and tells nothing of anybody."""
_TOKEN = re.compile(rf"\S+@\S+|{_ID}|{_WORD}|{_NUMBER}|[^\W_]+")
"""An underscore is part of none: names of actions and fields are read word by word."""
_MOMENT = re.compile(
    r"(?:19|20)\d\d-\d\d-\d\d(?:[T ]\d\d?:\d\d(?::\d\d)?)?|\d\d?[/.]\d\d?(?:[/.](?:19|20)?\d\d)?|\d\d?[:.]\d\d"
)
"""A day or a time, in figures."""
_FIGURES = 4
"""A number with more digits is no count, and may be personal data."""
_SHORT = 3
"""Letters: of longer words the plural in "s" is known with the word."""
_ENDS_A_SENTENCE = re.compile(r"(?:^|[.!?\n])[\s\"“«('-]*$")
_APOSTROPHE = re.compile(r"['’]")


@cache
def own_vocabulary() -> frozenset[str]:
    """Return the small words of our lexicon and our sentences in every language, and those that venues of any trade
    use."""
    found: set[str] = set()
    for language in SUPPORTED:
        lexicon = data_of(language, "calendar_words").LEXICON
        cues = data_of(language, "cues").CUES
        found |= small_words(*lexicon.values(), *cues.values())
    for language in languages():
        found |= small_words(*messages(language).values())
    for words in entries().values():
        for rows in words.values():
            found |= small_words(*rows)
    return frozenset(found)


@cache
def _calendar() -> frozenset[str]:
    """Days and months, which are written large."""
    lexicons = [data_of(language, "calendar_words").LEXICON for language in SUPPORTED]
    return small_words(*(words for one in lexicons for symbol, words in one.items() if _CALENDAR.fullmatch(symbol)))


def small_words(*texts: str) -> frozenset[str]:
    """Return the lower-case words of our own texts, except words that are also names."""
    return frozenset().union(*map(_small_words, texts))


@lru_cache(4096)
def _small_words(text: str) -> frozenset[str]:
    written = [normalize_text(word) for word in re.findall(_WORD, text) if word.islower()]
    return frozenset(part for word in written for part in (word, *_APOSTROPHE.split(word))) - _ALSO_NAMES


def words_of_names(names: Iterable[str]) -> frozenset[str]:
    """Return the words of a venue's own names: of its products, sessions and rooms."""
    return frozenset(normalize_text(word) for name in names for word in re.findall(_WORD, name))


def redact_unknown(text: str, vouched: Collection[str] = (), named: Collection[str] = ()) -> str:
    """Return the text, with `REDACTED` for every run of words that are not known. `vouched` are further known words,
    `named` those that are known however they are written (`words_of_names`)."""
    pieces: list[str] = []
    end = 0
    for token in _TOKEN.finditer(text):
        pieces.append(text[end : token.start()])
        pieces.append(token[0] if _known(token, text, vouched, named) else REDACTED)
        end = token.end()
    message = "".join([*pieces, text[end:]])
    return re.sub(rf"{re.escape(REDACTED)}(?:[\s.@_'’-]*{re.escape(REDACTED)})+", REDACTED, message)


def unknown_words(text: str, vouched: Collection[str] = (), named: Collection[str] = ()) -> set[str]:
    """Return the words that `shown` leaves out."""
    return {
        t[0]
        for t in _TOKEN.finditer(text)
        if "@" not in t[0] and t[0][0].isalpha() and not _known(t, text, vouched, named)
    }


def _known(token: re.Match[str], text: str, vouched: Collection[str], named: Collection[str]) -> bool:
    word = token[0]
    if "@" in word:
        return False
    if re.fullmatch(_ID, word):
        return True
    if word[0].isdigit():
        return _is_moment_or_count(word)
    small = normalize_text(word)
    if small in named:
        return True
    if small in _calendar() or (small in _MONTHS_AND_NAMES and _beside_a_number(token, text)):
        return True
    whole, *endings = _APOSTROPHE.split(small)
    known = _is_word(small, vouched)
    if endings and not known:
        # "Will's party" contains a name; "it's" and "don't" do not; "l'ora" is a word after its article.
        known = endings != ["s"] and all(_is_word(part, vouched) for part in (whole, *endings) if len(part) > 1)
    if not known:
        return False
    begins = _ENDS_A_SENTENCE.search(text, max(0, token.start() - 8), token.start()) is not None
    return word.islower() or text.isupper() or begins or len(word) == 1


def _is_word(small: str, vouched: Collection[str]) -> bool:
    one = small.removesuffix("s") if len(small) > _SHORT and small not in _ALSO_NAMES else small
    return any(word in own_vocabulary() or word in vouched for word in (small, one))


def _beside_a_number(token: re.Match[str], text: str) -> bool:
    before, after = text[max(0, token.start() - 4) : token.start()], text[token.end() : token.end() + 4]
    return _NUMBER_BEFORE.search(before) is not None or re.match(r"[\s.-]*\d", after) is not None


def _is_moment_or_count(written: str) -> bool:
    others = _MOMENT.sub(" ", written)
    return sum(map(str.isdigit, others)) <= _FIGURES


_ROLES = {
    "day": Role.DATE,
    "time": Role.TIME,
    "count": Role.COUNT,
    "email": Role.EMAIL,
    "phone": Role.PHONE,
    "note": Role.NOTE,
}
"""Of the parts of a plan (`locales/*/requests.py`), those that a value is asked for."""
_NUMBER_ASKED = re.compile(
    rf"\b(?:{alternatives('redaction', 'NUMBER')})\b(?: (?:{alternatives('redaction', 'NUMBER_OF')})\b)?", re.IGNORECASE
)
"""By itself it may be of guests, a phone's or a booking's."""


def asked_for(question: str, locale: str) -> list[Role]:
    """Return the kinds of value that it asks for, as far as its words tell."""
    asks = _NUMBER_ASKED.sub("", questions_in(question, locale))
    return [role for part, role in _ROLES.items() if any(p.search(asks) for p in _asked_words()[part])]


@cache
def _asked_words() -> dict[str, list[re.Pattern[str]]]:
    """By part, in every language: a chat's language is not always its venue's."""
    parts = [data_of(language, "requests").PARTS for language in SUPPORTED]
    return {name: [re.compile(rf"\b(?:{one[name]})\b", re.IGNORECASE) for one in parts] for name in _ROLES}
