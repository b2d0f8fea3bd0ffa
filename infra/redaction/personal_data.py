"""Personal data in texts. For traces and logs only: no decision depends on it.

E-mail addresses, phone, card and account numbers, keys and tokens are found by their patterns, wherever they occur
(`docs/state-model.md`, "Personal data"). Names have no pattern: they are found by their keys (`firstName`,
`guest_name`, `comments`, `keywords`), whatever a venue's API calls its fields, and hidden under those keys and
wherever else the same words occur. A venue's names of its own things (`productName`, the `name` of a product)
identify no person.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from functools import partial, reduce
from urllib.parse import quote

from contracts.base import Json

_MASKS = (
    # The formats of well-known vendors' keys and tokens, and of bank accounts (ISO 13616).
    (re.compile(r"\beyJ[\w-]{8,}(?:\.[\w-]+){1,2}"), "[token]"),
    (re.compile(r"\b(?:[spr]k_(?:live|test)_|gh[pousr]_|glpat-|xox[abeprs]-|AKIA|AIza)[\w-]{8,}"), "[key]"),
    (re.compile(r"\b[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b"), "[account]"),
    # Possessive, and from the first letter on, so that a long text without an @ is scanned once, not once per letter.
    (re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+"), "[email]"),
    (re.compile(r"(?i)bearer\s+[\w.~+/=-]+"), "Bearer [token]"),
    # A line break inside JSON inside text is written \\n: the n is not part of a word.
    (re.compile(r"(?:(?<![\w-])(?<!\d:)|(?<=\\[nrt]))\+?\d[\d ()/.-]{6,}\d(?![\w-])"), "[number]"),
)
_DATE = re.compile(
    r"(?<!\d)(?:(?:19|20)\d\d-\d\d-\d\d|\d\d?[/.]\d\d?[/.](?:19|20)\d\d)(?!\d)(?: \d\d?(?:\.\d+)?(?!\d))?"
)


def mask(data: Json, **_: Json) -> Json:
    """Return the JSON with personal patterns replaced. Dates and times stay readable."""
    if isinstance(data, str):
        for pattern, word in _MASKS:
            data = pattern.sub(partial(_masked, word), data)
        return data
    if isinstance(data, dict):
        return {k: mask(v) for k, v in data.items()}
    if isinstance(data, list | tuple):
        return [mask(v) for v in data]
    return data


def _masked(word: str, match: re.Match[str]) -> str:
    return match[0] if _only_dates(match[0]) else word


def _only_dates(text: str) -> bool:
    """Return whether the text has only dates, the hour after one, and what is between them."""
    return _DATE.search(text) is not None and not re.search(r"\d", _DATE.sub("", text))


HIDDEN = "[personal]"

_TELLING = re.compile(
    r"name|mail|phone|mobile|tel$|contact|keyword|search|query|comment|note|message|address|street|birth|holder"
    r"|operator|nome|cognome|telefono|indirizzo",
    re.IGNORECASE,
)
_OWN_THING = (
    r"(?:product|session|package|variation|option|category|categorie|location|venue|resource|room|activity|activitie"
    r"|lesson|tax|taxe)s?"
)
"""What a venue offers. Without bookings, items or events, because those are often named after their customer."""
_OWN_NAME = re.compile(rf"[a-z_]*{_OWN_THING}_?name", re.IGNORECASE)
_OWN = re.compile(rf"{_OWN_THING}(?:[-_].*)?", re.IGNORECASE)
_SHORTEST = 3
"""Characters: shorter words are hidden under their key, but not searched for elsewhere."""
_WORD = re.compile(rf"[^\W\d_]{{{_SHORTEST},}}")
_NAME_WORDS = 4
"""A text with more words is a note, not a name: its single words identify no person."""


def find_names(data: Json, keys: Collection[str] = (), telling: bool = False, under: str = "") -> set[str]:
    """Return the texts under personal keys, or under `keys`, at any depth, and the parts of each name. `under` is the
    parent key of `data`."""
    if isinstance(data, str):
        return words_of(data) if telling else set()
    found: set[str] = set()
    if isinstance(data, dict):
        for key, value in data.items():
            found |= find_names(value, keys, telling or _tells(key, keys, under), key)
    elif isinstance(data, list | tuple):
        for value in data:
            found |= find_names(value, keys, telling, under)
    return found


def venue_names(data: Json, under: str = "") -> set[str]:
    """Return a venue's names of its own things in an answer, at any depth."""
    found: set[str] = set()
    if isinstance(data, dict):
        for key, value in data.items():
            if isinstance(value, str) and _is_own_name(key, under):
                found.add(value)
            elif not _tells(key, (), under):
                found |= venue_names(value, key)
    elif isinstance(data, list | tuple):
        for value in data:
            found |= venue_names(value, under)
    return found


def words_of(text: str) -> set[str]:
    """Return a name as a whole and in parts; a longer text only as a whole."""
    text = text.strip()
    parts = _WORD.findall(text)
    whole = {text} if len(text) >= _SHORTEST and _WORD.search(text) else set()
    return whole | set(parts) if len(parts) <= _NAME_WORDS else whole


def redact_names(data: Json, words: Iterable[str], keys: Collection[str] = (), under: str = "") -> Json:
    """Return the JSON without the values under personal keys, and without these words anywhere. `under` as in
    `find_names`."""
    return _hidden(data, _pattern(words), keys, False, under)


def remove_words(data: Json, words: Iterable[str]) -> Json:
    """Return the JSON without these words, under any key."""
    pattern = _pattern(words)
    return data if pattern is None else _replaced(data, pattern)


def _tells(key: str, keys: Collection[str], under: str) -> bool:
    return key in keys or (_TELLING.search(key) is not None and not _is_own_name(key, under))


def _is_own_name(key: str, under: str) -> bool:
    return _OWN_NAME.fullmatch(key) is not None or (key == "name" and _OWN.fullmatch(under) is not None)


def _hidden(data: Json, pattern: re.Pattern[str] | None, keys: Collection[str], telling: bool, under: str) -> Json:
    if isinstance(data, str):
        return HIDDEN if telling and data else data if pattern is None else pattern.sub(HIDDEN, data)
    if isinstance(data, dict):
        return {k: _hidden(v, pattern, keys, telling or _tells(k, keys, under), k) for k, v in data.items()}
    if isinstance(data, list | tuple):
        return [_hidden(v, pattern, keys, telling, under) for v in data]
    return data


def _replaced(data: Json, pattern: re.Pattern[str]) -> Json:
    if isinstance(data, str):
        return pattern.sub(HIDDEN, data)
    if isinstance(data, dict):
        return {k: _replaced(v, pattern) for k, v in data.items()}
    if isinstance(data, list | tuple):
        return [_replaced(v, pattern) for v in data]
    return data


def _pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    written = {w for word in words for w in _spellings(word)}
    if not written:
        return None
    longest_first = sorted(written, key=lambda w: (-len(w), w))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)


def _spellings(word: str) -> Iterator[str]:
    """Yield a word as it is, as in JSON, as in a page's JSON, and as in an address."""
    yield word
    escaped = json.dumps(word)[1:-1]
    yield escaped
    yield reduce(lambda text, c: text.replace(c, f"\\u{ord(c):04x}"), "<>&'", escaped)
    yield quote(word)
