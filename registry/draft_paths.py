"""Paths as a first draft reads them: with or without the ending that tells a format, `/bookings/{id}.json`."""

import re

from language import api_words as said
from registry.words import words_of

_IDS = frozenset({"id", "uid", "uuid", "guid", "sid"})
_FORMAT = re.compile(r"\.(json|xml|html)$")


def stem(path: str) -> str:
    """The path without a slash or a format at its end."""
    return _FORMAT.sub("", path.rstrip("/"))


def ending(path: str) -> str:
    """The format at its end, ".json"; "" for none."""
    return path.rstrip("/")[len(stem(path)) :]


def ends_with_id(path: str) -> bool:
    """Whether it is one thing's own path."""
    return stem(path).endswith("}")


def above(path: str) -> str:
    """The path one level up, in the same format."""
    return stem(path).rpartition("/")[0] + ending(path)


def is_everywhere(gap: str) -> bool:
    """Whether a gap's name tells of the whole venue, as `AccountSid` does."""
    return bool(said.EVERYWHERE & {*words_of(gap)})


def own_gaps(path: str) -> list[str]:
    """The gaps that are not the whole venue's."""
    return [gap for gap in re.findall(r"{\+?([^}]*)}", path) if not is_everywhere(gap)]


def ids_by(gap: str, names: list[str], others: tuple[str, ...]) -> str:
    """The field that a gap of a path takes: by all of its words, then by how its last word calls ids, then by how ids
    are mostly called; "" for none."""
    words = words_of(gap.strip("{}"))
    own = [words[-1]] if words and words[-1] in _IDS else []
    for wanted in (gap.strip("{}"), *own, *others):
        found = next((n for n in names if n == wanted), "") or next(
            (n for n in names if words_of(n) == words_of(wanted) != []), ""
        )
        if found:
            return found
    return ""
