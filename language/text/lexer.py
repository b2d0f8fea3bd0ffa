"""Convert text to a row of symbols, so that grammar rules see one alphabet whatever the language.

Each token keeps its place in the original text. Words become the symbols of the locale's lexicon (`W4` Friday, `M12`
December, `R1` tomorrow, `8w` the word "eight", `3o` an ordinal), numbers remain as written, text that cannot be a day
or a time (e-mail, phone, price, reference) becomes `X`, and a word that the lexicon lacks becomes `_`, unless it is a
misspelt day word (see `language.text.spelling`). Lower-case `w`, `m` and `o` forms are words that also mean something
else ("sat", "may").

Words typed in a hurry are expanded: those of a short list ("u" is "you"), and those that have lost their vowels ("sn"
is "sono", "bkng" is "booking").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from language.locales import Locale, alternatives, data_of
from language.text.normalize import normalize_text
from language.text.spelling import meant_by

MASK = "X"
UNKNOWN = "_"
ARROW = "->"
DOUBTFUL = "W?"
"""A misspelling that is close to two day words ("thuesday"): read as neither."""

MAX_CHARACTERS = 2000
"""The most characters that are read of a text; a request is far shorter, and reading time grows with length."""

_TOKEN = re.compile(
    r"""
  (?P<mask>
     [\w.+-]+@[\w-]+(?:\.[\w-]+)+
   | https?://\S+ | www\.\S+
   | [£$€]\s?[0-9]+(?:[.,][0-9]+)*k?
   | [0-9]+(?:[.,][0-9]+)*\s?[£$€%]
   | \#\s?[0-9A-Za-z][\w-]*
   | 1:1(?![0-9])
  )
 |(?P<ymd>[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?![0-9]))
 |(?P<dmy>[0-9]{1,2}(?P<sep>[/.-])[0-9]{1,2}(?P=sep)(?:[0-9]{4}|[0-9]{2})(?![0-9:])
         |[0-9]{1,2}[ ][0-9]{1,2}[ ](?:19|20)[0-9]{2}(?![0-9:.]))
 |(?P<phone>\+[0-9][0-9 ().-]{5,}[0-9] | \(?0[0-9][0-9 ().-]{4,}[0-9](?![:0-9]) | [0-9]{3}-[0-9]{4}(?![0-9])
           | [0-9]{3}[ ][0-9]{6,7}(?![0-9]) | [0-9]{3}[ ][0-9]{3}[ ][0-9]{3,4}(?![0-9]) | [0-9]{9,})
 |(?P<clock>[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![0-9]))
 |(?P<hclock>[0-9]{1,2}[hH](?:[0-9]{2}(?![0-9])|(?![^\W_])))
 |(?P<sounded>[0-9][A-Za-z]{3,}(?![^\W_]))
 |(?P<ordinal>[0-9]{1,2}(?:"""
    + alternatives("text", "ORDINAL")
    + r""")(?![^\W_]))
 |(?P<tangle>[0-9]+[./-][0-9]+[./-][0-9]+(?![./:-]?[0-9]))
 |(?P<pair>[0-9]{1,2}[./-][0-9]{1,2}(?![0-9]))
 |(?P<decimal>[0-9]+[.,][0-9]+|[0-9]+(?::[0-9]+)+)
 |(?P<isotime>(?<=[0-9])[tT](?=[0-9]{2}:[0-9]{2}))
 |(?P<ref>[A-Za-z]{1,4}-?[0-9]{2,}(?![0-9:.,/]?[0-9]))
 |(?P<meridiem>(?<=[0-9])[aApP]\.?[mM]?\b\.?|\b[aApP]\s?\.\s?[mM]\b(?:\s?\.)?)
 |(?P<number>[0-9]+)
 |(?P<word>[^\W\d_][^\W\d_\u0300-\u036f]*[\u0300-\u036f]*(?:[^\W\d_]|[\u0300-\u036f]|['’ʼ`](?=[^\W\d_]))*['’]?)
 |(?P<arrow>->|=>|→)
 |(?P<dots>…|\.\.\.)
 |(?P<punct>[^\s\w.'"’“”])
 |(?P<digit>\d+)
""",
    re.VERBOSE,
)

_PUNCT = {
    "-": "-",
    "–": "-",
    "—": "-",
    "−": "-",
    "/": "/",
    "@": "AT",
    "&": "AND",
    "+": "PLUS",
    "?": ";",
    "!": ";",
    ";": ";",
    "~": "ABOUT",
}


@dataclass(frozen=True, slots=True)
class Token:
    """One symbol and its characters (`start`, `end`: offsets in the original text)."""

    symbol: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Lexed:
    """A text as symbols: `line` is the symbols joined by spaces, `index` maps an offset in it to its token."""

    text: str
    tokens: tuple[Token, ...]
    line: str
    index: dict[int, int]


def fold(word: str) -> str:
    """Return a word in lower case without accents, its key in the lexicon."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def lex(text: str, locale: Locale) -> Lexed:
    """Return a text as symbols; every character that is a digit is inside some token."""
    raw = _raw_tokens(text, locale)
    for item in raw:
        if item.symbol is None and item.key not in locale.words and item.key not in locale.phrase_words:
            _correct(item, text, locale)
    tokens = _apply_lexicon(raw, locale)
    index: dict[int, int] = {}
    position = 0
    for number, token in enumerate(tokens):
        index[position] = number
        position += len(token.symbol) + 1
    return Lexed(text, tuple(tokens), " ".join(token.symbol for token in tokens), index)


_STEP = re.compile(rf"\s*(?:{alternatives('text', 'STEP')})\b", re.IGNORECASE)
"""Words behind "1h" that make it a step in time and no hour of the day."""


@dataclass(slots=True)
class _Raw:
    key: str
    symbol: str | None
    start: int
    end: int


def _raw_tokens(text: str, locale: Locale) -> list[_Raw]:
    raw: list[_Raw] = []
    for match in _TOKEN.finditer(text):
        group, start, end = match.lastgroup, match.start(), match.end()
        piece = match.group()
        match group:
            case "word":
                raw.extend(_split_word(piece, start, locale))
            case "number" | "pair" | "clock" | "ymd" | "decimal":
                raw.append(_Raw("", piece, start, end))
            case "dmy" | "sep":
                raw.append(_Raw("", piece.replace(" ", "/"), start, end))
            case "hclock":
                raw += _hours_written(piece, start, end, text)
            case "ordinal":
                digits = "".join(char for char in piece if char in "0123456789")
                raw.append(_Raw("", digits + "o", start, end))
            case "meridiem":
                raw.append(_Raw("", piece[0].lower() + "m", start, end))
            case "ref":
                raw.extend(_split_reference(piece, start, locale))
            case "sounded":
                raw.extend(_split_sounded(piece, start, locale))
            case "arrow":
                raw.append(_Raw("", ARROW, start, end))
            case "dots" | "isotime":
                raw.append(_Raw("", ",", start, end))
            case "punct":
                raw.append(_Raw("", _PUNCT.get(piece, ","), start, end))
            case "digit" | "tangle":
                raw.append(_Raw("", "0?", start, end))
            case _:
                raw.append(_Raw("", MASK, start, end))
    return raw


def _hours_written(piece: str, start: int, end: int, text: str) -> list[_Raw]:
    """Return the tokens of hours with an "h": "15h30" and "15h" are hours of the day, "1h later" is a step of one
    hour."""
    if piece[-1] in "hH" and _STEP.match(text, end):
        return [_Raw("", piece[:-1], start, end - 1), _Raw("h", None, end - 1, end)]
    written = piece.lower()
    return [_Raw("", written if written[-1] == "h" else written.replace("h", ":"), start, end)]


def _split_reference(piece: str, start: int, locale: Locale) -> list[_Raw]:
    """Return the tokens of letters with digits: "BK-1042" is a reference, "Feb13" a day."""
    letters = piece.rstrip("0123456789").rstrip("-")
    symbol = locale.words.get(fold(letters), "")
    if symbol[:1] in ("M", "m", "W", "w") or symbol in ("AT", "Uh", "pm", "am"):
        digits = piece[len(letters) :].lstrip("-")
        split = start + len(piece) - len(digits)
        return [_Raw(fold(letters), None, start, start + len(letters)), _Raw("", digits, split, start + len(piece))]
    return [_Raw("", MASK, start, start + len(piece))]


def _split_sounded(piece: str, start: int, locale: Locale) -> list[_Raw]:
    """Return the tokens of a digit with letters: "2moro" is a word that begins with a sound, "2hours" a number and a
    word."""
    for sound in locale.sounds.get(piece[0], ()):
        word = sound + fold(piece[1:])
        if word in locale.words or _meant(word, locale):
            return [_Raw(word, None, start, start + len(piece))]
    return [_Raw("", piece[0], start, start + 1), *_split_word(piece[1:], start + 1, locale)]


def _correct(item: _Raw, text: str, locale: Locale) -> None:
    """Correct a misspelt day word; if two words are possible, it becomes an unreadable symbol."""
    meant = _meant(item.key, locale)
    if meant and not (_is_capital(item.start, text) and not locale.capital_days):
        item.key = meant[0]
        if len({locale.words[word] for word in meant}) > 1:
            item.symbol = DOUBTFUL


def _meant(word: str, locale: Locale) -> list[str]:
    return [] if word in locale.no_slips else meant_by(word, locale.slips.get(word[:1], ()))


def _is_capital(start: int, text: str) -> bool:
    """Return whether a word has the capital of a name: not at the start of a sentence, and not all in capitals."""
    before = text[:start].rstrip()
    return (
        text[start].isupper() and text[start + 1 : start + 2].islower() and before != "" and before[-1] not in ".!?:;"
    )


def _split_word(piece: str, start: int, locale: Locale) -> list[_Raw]:
    key = fold(piece.replace("’", "'").replace("ʼ", "'").replace("`", "'"))
    if "'" not in key:
        return _suffixed(key, start, start + len(piece), locale)
    if locale.elision:
        parts: list[_Raw] = []
        position = start
        for part in re.split(r"(?<=['’ʼ`])", piece):
            bare = fold(part.rstrip("'’ʼ`"))
            if bare:
                parts.append(_Raw(bare, None, position, position + len(part)))
            position += len(part)
        return parts
    bare = key.replace("'", "")
    if key.endswith("'s") and bare not in locale.phrase_words:
        return [_Raw(key[:-2], None, start, start + len(piece))]
    return [_Raw(key.partition("'")[0] if key.endswith("'") else bare, None, start, start + len(piece))]


def _suffixed(key: str, start: int, end: int, locale: Locale) -> list[_Raw]:
    """Return the tokens of a word with a vague ending: "eightish" is a number and a flag."""
    for suffix in locale.vague_suffixes:
        stem = key[: -len(suffix)]
        if key.endswith(suffix) and stem in locale.words and key not in locale.words:
            return [_Raw(stem, None, start, start + len(stem)), _Raw("", "ISH", start + len(stem), end)]
    return [_Raw(key, None, start, end)]


def _apply_lexicon(raw: list[_Raw], locale: Locale) -> list[Token]:
    tokens: list[Token] = []
    position = 0
    while position < len(raw):
        item = raw[position]
        if item.symbol is not None:
            tokens.extend(_beside_weekday(item, item.symbol, tokens))
            position += 1
            continue
        length, symbols = _longest_phrase(raw, position, locale)
        if _gives_way(raw, position, length, locale):
            length, symbols = 1, locale.words.get(item.key, UNKNOWN)
        end = raw[position + length - 1].end
        tokens.extend(Token(symbol, item.start, end) for symbol in symbols.split())
        position += length
    return tokens


def _gives_way(raw: list[_Raw], position: int, length: int, locale: Locale) -> bool:
    """Return whether a longer entry begins within one: "on [the day after tomorrow]", not "[on the day] after
    [tomorrow]"."""
    inside = (p for p in range(position + 1, position + length) if raw[p].symbol is None)
    return any((n := _longest_phrase(raw, p, locale)[0]) > length and p + n > position + length for p in inside)


_PAIR = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")
_WEEKDAY = re.compile(r"(?:m[0-9]+)?[Ww][0-9]")


def _beside_weekday(item: _Raw, symbol: str, tokens: Sequence[Token]) -> list[Token]:
    """Return a pair as two tokens beside a weekday, since "Saturday 3-5" may be two hours; elsewhere as one symbol."""
    pair = _PAIR.fullmatch(symbol)
    before = [token.symbol for token in tokens[-2:] if token.symbol != ","][-1:]
    if not pair or not before or not _WEEKDAY.fullmatch(before[0]):
        return [Token(symbol, item.start, item.end)]
    dash = item.start + pair.end(1)
    return [
        Token(pair[1], item.start, dash),
        Token("-", dash, dash + 1),
        Token(pair[2], dash + 1, item.end),
    ]


def _longest_phrase(raw: list[_Raw], position: int, locale: Locale) -> tuple[int, str]:
    """Return the length in raw tokens and the symbols of the longest entry that starts here; a tight hyphen counts as a
    space."""
    for words, symbols in locale.phrases.get(raw[position].key, ()):
        here = position + 1
        for word in words:
            if here < len(raw) and raw[here].symbol == "-" and raw[here].end - raw[here].start == 1:
                here += 1
            if here >= len(raw) or raw[here].key != word:
                break
            here += 1
        else:
            return here - position, symbols
    return 1, locale.words.get(raw[position].key, UNKNOWN)


_VOWELS = re.compile(r"[aeiou]")
_DOUBLED = re.compile(r"(.)\1+")
_BARE = re.compile(r"[bcdfghjklmnpqrstvwxyz]{2,7}")


@lru_cache(maxsize=4096)
def expand_abbreviation(word: str, code: str) -> str:
    """Return the full form of a plain word; the word itself if it is no abbreviation."""
    short: Mapping[str, str] = data_of(code, "requests").SHORT
    if word in short:
        return short[word]
    if _BARE.fullmatch(word) is None:
        return word
    return _by_skeleton(code).get(_DOUBLED.sub(r"\1", word), word)


@cache
def _by_skeleton(code: str) -> Mapping[str, str]:
    """Return the commonest words of a language by their consonants; those in front win."""
    data = data_of(code, "requests")
    known = {_DOUBLED.sub(r"\1", word) for word in data.ABBREVIATIONS.split()}
    found: dict[str, str] = {}
    for word in data.COMMON.split():
        found.setdefault(_DOUBLED.sub(r"\1", _VOWELS.sub("", normalize_text(word))), word)
    return {bones: word for bones, word in found.items() if bones not in known}
