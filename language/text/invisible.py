"""Text that is not what it looks like: invisible characters, and words that mix alphabets.

What changes how other characters look stays: a joiner inside an emoji or between letters that join (Arabic, Persian,
the scripts of India), the selector that gives a symbol its colours or a kanji its form, the tags of a flag. A direction
mark never stays: it makes a line read otherwise than it is. A letter's alphabet is the first word of its Unicode name,
which never changes; the standard library has it for every character.
"""

import re
import unicodedata
from functools import lru_cache

from contracts.identifiers import strip_unprintable

_JOINERS = "\u200c\u200d"
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{2,6}\U000e007f")
_WORD = re.compile(r"(?:[^\W\d_][\u0300-\u036f]*|['’](?=[^\W\d_]))+")
_CASED = re.compile(r"([A-Z-]+) (?:CAPITAL|SMALL)(?: LIGATURE)?(?: LETTER)?\b")
_BREAKS = re.compile("[\r\n\t\v\f\x1c-\x1e\x85\u2028\u2029]+")
_JOINING = re.compile(
    "[\u0600-\u08ff\ufb50-\ufeff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\u1800-\u18af\u0700-\u077f\u07c0-\u07ff]"
)
"""Letters and marks of the scripts in which a joiner changes what is seen."""


def invisible_in(text: str, *, lines: bool = False) -> list[str]:
    """List the invisible characters of a text, each as "U+202E", in order and once; with `lines` a line may end in
    it."""
    if text.isascii() and text.isprintable():
        return []
    spared = {n for match in _FLAG.finditer(text) for n in range(*match.span())}
    found = (
        f"U+{ord(char):04X}"
        for n, char in enumerate(text)
        if n not in spared and not (lines and char in "\r\n\t") and not _is_seen(text, n)
    )
    return list(dict.fromkeys(found))


def shown(text: str) -> str:
    """Write out each invisible character of a text: "ab[U+202E]c"."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    spared = {n for match in _FLAG.finditer(text) for n in range(*match.span())}
    return "".join(
        char if n in spared or char in "\r\n\t" or _is_seen(text, n) else f"[U+{ord(char):04X}]"
        for n, char in enumerate(text)
    )


def on_one_line(text: str) -> str:
    """Write out each invisible character of a text, its line ends and tabs as spaces: a name that cannot look like a
    line of its own, nor move the cursor of a terminal."""
    return shown(_BREAKS.sub(" ", text))


def seen(text: str) -> str:
    """Leave out each invisible character of a text, so that it reads as it looks: "1", U+200B, "2" is 12."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    spared = {n for match in _FLAG.finditer(text) for n in range(*match.span())}
    return "".join(char for n, char in enumerate(text) if n in spared or char in "\r\n\t" or _is_seen(text, n))


def mixed_script_words(text: str) -> list[str]:
    """List the words of a text that mix alphabets: "pаyment" with a Cyrillic а."""
    if text.isascii():
        return []
    return [word for word in _WORD.findall(text) if len({a for c in word if (a := _alphabet(c))}) > 1]


def foreign_letters(word: str) -> str:
    """List the letters of a mixed word outside its main alphabet, each with its own: "а (Cyrillic)"."""
    alphabets = [(c, a) for c in word if (a := _alphabet(c))]
    common = max({a for _, a in alphabets}, key=lambda one: sum(a == one for _, a in alphabets))
    return ", ".join(dict.fromkeys(f"{c} ({a.capitalize()})" for c, a in alphabets if a != common))


def _is_seen(text: str, at: int) -> bool:
    char = text[at]
    if char.isprintable() and strip_unprintable(char) == char:
        return True
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if char in _JOINERS:
        emoji = char == "\u200d" and _is_symbol(after) and (_is_symbol(before) or before == "\ufe0f")
        return emoji or bool(_JOINING.match(before) and _JOINING.match(after))
    if "\ufe00" <= char <= "\ufe0f":
        return _is_symbol(before) or before in tuple("0123456789#*‼⁉") or _is_ideograph(before)
    if "\U000e0100" <= char <= "\U000e01ef":
        return _is_ideograph(before)
    # A character of a later Unicode than Python's may well be an emoji; a space of any width is visible as one.
    return unicodedata.category(char) in ("Cn", "Zs")


def _is_symbol(char: str) -> bool:
    return char != "" and unicodedata.category(char) in ("So", "Sk", "Sm", "Cn")


def _is_ideograph(char: str) -> bool:
    return char != "" and unicodedata.name(char, "").startswith("CJK ")


@lru_cache(maxsize=4096)
def _alphabet(char: str) -> str:
    """Return the alphabet of a letter that has a large form and a small one; "" for any other. Others (kana, kanji,
    hangul) go together in one word, and nothing of one looks like another."""
    if char.lower() == char.upper():
        return ""
    named = _CASED.search(unicodedata.name(char, ""))
    return named[1] if named else ""
