"""Anonymises a sample: names, addresses and notes become placeholders, the same ones everywhere."""

import re
from collections.abc import Iterator

from authoring.drafts import wording
from authoring.drafts.inputs import role_of
from contracts.base import Schema, Value
from registry.text import words_of

_NAMES = frozenset({"name", "first_name", "last_name"})
_SPACE = re.compile(r"\s")
_SHORTEST = 2
"""The least number of letters to search for inside longer texts, because a single letter is in too many."""
_TEXT: Schema = {"type": "string"}
_FIRST = ("Ann", "Bo", "Cleo", "Dan", "Eve")
_LAST = ("Smith", "Diaz", "Byron", "Green", "Rossi")
_NOTE = ("Ground floor, please", "By the window, please", "Brings a cake", "Comes later", "Needs a chair")
_OTHERS = frozenset({"address", "street", "city", "suburb", "postcode", "zip", "birth", "message", "name"})


class Anonymizer:
    """Replaces personal data, identified by its keys. `replaced` counts the values."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._parts: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._seen = ""

    @property
    def replaced(self) -> int:
        """Return how many different values were replaced."""
        return len(self._known)

    def learn(self, data: Value) -> None:
        """Record the personal data in `data`."""
        self._seen = "\n".join([self._seen, *_texts(data)])
        self._meet(data, "")

    def _meet(self, data: Value, key: str) -> None:
        if isinstance(data, dict):
            for name, value in data.items():
                self._meet(value, name)
        elif isinstance(data, list):
            for value in data:
                self._meet(value, key)
        elif isinstance(data, str) and data.strip() and (kind := _kind(key)) and data not in self._known:
            self._known[data] = self._next_placeholder(kind, key)
            words = data.split()
            if kind == "name" and 1 < len(words) < 4 and all(word[0].isupper() for word in words):
                first, last = self._known[data].split()[:2]
                self._parts |= {words[0]: first, words[-1]: last}

    def _next_placeholder(self, kind: str, key: str) -> str:
        """Return the next placeholder that is not a real value in the data, because the two would be
        indistinguishable."""
        while True:
            number = self._counts.get(kind, 0)
            self._counts[kind] = number + 1
            found = _placeholder(kind, number, key)
            named = found.split() if kind in _NAMES and number < len(_FIRST) else [found]
            if not any(_whole([name]).search(self._seen) for name in named):
                return found

    def without(self, data: Value) -> Value:
        """Return the data without personal data."""
        if isinstance(data, dict):
            return {name: self.without(value) for name, value in data.items()}
        if isinstance(data, list):
            return [self.without(value) for value in data]
        return self._masked_text(data) if isinstance(data, str) else data

    def _masked_text(self, text: str) -> str:
        """Return a text with personal data replaced, also inside longer sentences."""
        if text in self._known or not _SPACE.search(text.strip()):
            return self._known.get(text, text)
        known = self._parts | self._known
        names = [name for name in known if len(name) >= _SHORTEST]
        return _whole(names).sub(lambda found: known[found[0]], text) if names else text


def _texts(data: Value) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    for value in inner:
        yield from _texts(value)


def _whole(names: list[str]) -> re.Pattern[str]:
    """Return a pattern of the names as whole words, the longest first; not inside an address or `Europe/Rome`."""
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<![\w/@.-])(?:{either})(?![\w/@-]|\.\w)")


def _kind(key: str) -> str:
    role = role_of(key, _TEXT, "body")
    if role in ("email", "phone", "first_name", "last_name", "note"):
        return role
    words = {*words_of(key)}
    if "name" in words and (len(words) == 1 or words & wording.PEOPLE):
        return "name"
    return "other" if words & _OTHERS or words & wording.SEARCHES else ""


def _placeholder(kind: str, number: int, key: str) -> str:
    first, last = _FIRST[number % len(_FIRST)], _LAST[number % len(_LAST)]
    more = "" if number < len(_FIRST) else f" {number}"
    return {
        "email": f"{first.lower()}{more.strip()}@example.com",
        "phone": f"+614001112{number:02d}",
        "first_name": f"{first}{more}",
        "last_name": f"{last}{more}",
        "note": f"{_NOTE[number % len(_NOTE)]}{more}",
        "name": f"{first} {last}{more}",
    }.get(kind, f"{' '.join(words_of(key)) or 'text'} {number + 1}")
