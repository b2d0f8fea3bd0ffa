"""Which ids an operation's answer holds, as the document itself tells: so that the search can bring along the action
that produces what another one needs."""

from contextlib import suppress

from contracts.base import Node
from registry.faults import OperationError
from registry.nodes import entries_of, parts_of
from registry.references import Place
from registry.schemas import Shaper
from registry.words import word_set, words_of

_DEEPEST = 4
_MOST = 400
_NO_THINGS = word_set("object simplified response paging full results list page items data")


def ids_given(shaper: Shaper, schema: Node, place: Place) -> list[str]:
    """Names of the things whose ids an answer of that schema holds, singular and sorted: `artist`, `playlist`.

    A property `artists` whose items have an `id` gives `artist`; a property `artist_id` gives `artist` too. What stands
    behind a broken reference gives nothing: answers are no part of a request.
    """
    walk = _Walk(shaper)
    with suppress(OperationError):
        walk.schema(schema, place, "", 0)
    return sorted(walk.found)


class _Walk:
    """Looks through an answer's schema, references and all, as deep as ids are worth looking for."""

    def __init__(self, shaper: Shaper) -> None:
        self._shaper, self._left = shaper, _MOST
        self.found: set[str] = set()

    def schema(self, schema: Node, place: Place, thing: str, depth: int) -> None:
        self._left -= 1
        if not isinstance(schema, dict) or depth > _DEEPEST or self._left < 0:
            return
        reference = schema.get("$ref")
        node, where = self._shaper.node(schema, place)
        if not isinstance(node, dict):
            return
        if isinstance(reference, str) and not thing:
            thing = _thing(reference.rpartition("/")[2])
        for key in ("allOf", "anyOf", "oneOf"):
            for index, part in enumerate(entries_of(node.get(key))):
                self.schema(part, where.under(key, str(index)), thing, depth + 1)
        if "items" in node:
            self.schema(node["items"], where.under("items"), thing, depth)
        for name, inner in parts_of(node.get("properties")).items():
            words = words_of(name)
            if name.lower() in ("id", "uuid", "uri", "key", "sid") and thing:
                self.found.add(thing)
            elif len(words) > 1 and words[-1] in ("id", "ids", "uuid", "sid"):
                self.found.add(_thing(" ".join(words[:-1])))
            if isinstance(inner, dict):
                inside = thing if name in ("items", "results", "data") else _thing(name)
                self.schema(inner, where.under("properties", name), inside, depth + 1)


def _thing(name: str) -> str:
    """The last word of a name that says what a thing is, in the singular."""
    words = [word for word in words_of(name) if word not in _NO_THINGS]
    return singular(words[-1]) if words else ""


def singular(word: str) -> str:
    """The singular of an English plural, roughly; enough to find the same thing under both."""
    if len(word) > 4 and word.endswith("ies") and word not in ("series", "movies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "series")):
        return word[:-1]
    return word


def is_plural(name: str) -> bool:
    """Whether the last word of a name is an English plural, as roughly."""
    words = words_of(name)
    return bool(words) and singular(words[-1]) != words[-1]
