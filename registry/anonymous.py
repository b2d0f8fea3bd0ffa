"""A sample without the people in it: names, addresses and notes become those of nobody, the same ones everywhere."""

from contracts.base import Schema, Value
from language import api_words as said
from registry.draft_inputs import role_of
from registry.words import words_of

_TEXT: Schema = {"type": "string"}
_FIRST = ("Ann", "Bo", "Cleo", "Dan", "Eve")
_LAST = ("Smith", "Diaz", "Byron", "Green", "Rossi")
_NOTE = ("Ground floor, please", "By the window, please", "Brings a cake", "Comes later", "Needs a chair")
_OTHERS = frozenset({"address", "street", "city", "suburb", "postcode", "zip", "birth", "message", "name"})


class Anonymous:
    """Replaces what tells who somebody is, by the keys it stands under. `replaced` counts the values."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    @property
    def replaced(self) -> int:
        """How many different values were somebody's."""
        return len(self._known)

    def meet(self, data: Value, key: str = "") -> None:
        """Take note of everybody in `data`."""
        if isinstance(data, dict):
            for name, value in data.items():
                self.meet(value, name)
        elif isinstance(data, list):
            for value in data:
                self.meet(value, key)
        elif isinstance(data, str) and data.strip() and (kind := _kind(key)) and data not in self._known:
            number = self._counts.get(kind, 0)
            self._counts[kind] = number + 1
            self._known[data] = _placeholder(kind, number, key)

    def without(self, data: Value) -> Value:
        """The same with nobody in it."""
        if isinstance(data, dict):
            return {name: self.without(value) for name, value in data.items()}
        if isinstance(data, list):
            return [self.without(value) for value in data]
        return self._known.get(data, data) if isinstance(data, str) else data


def _kind(key: str) -> str:
    role = role_of(key, _TEXT, "body")
    if role in ("email", "phone", "first_name", "last_name", "note"):
        return role
    words = {*words_of(key)}
    if "name" in words and (len(words) == 1 or words & said.PEOPLE):
        return "name"
    return "other" if words & _OTHERS or words & said.SEARCHES else ""


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
