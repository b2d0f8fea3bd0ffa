"""The ids that an operation returns, from the document, so that the search can add the action that produces what
another one needs."""

from contextlib import suppress

from contracts.base import Node
from registry.errors import OperationError
from registry.openapi.references import NodeLocation
from registry.openapi.schema_reading import entries_of, parts_of
from registry.openapi.schemas import SchemaNormalizer
from registry.text import word_set, words_of

_DEEPEST = 4
_MOST = 400
_NO_THINGS = word_set("object simplified response paging full results list page items data")


def ids_given(shaper: SchemaNormalizer, schema: Node, location: NodeLocation) -> list[str]:
    """Return the resources whose ids a response of that schema holds, singular and sorted: `artist`, `playlist`.

    A property `artists` whose items have an `id` gives `artist`, and so does a property `artist_id`. A broken reference
    gives nothing, because responses are not part of a request.
    """
    walk = _Walk(shaper)
    with suppress(OperationError):
        walk.schema(schema, location, "", 0)
    return sorted(walk.found)


class _Walk:
    """Walks through a response's schema with its references, to the depth at which ids are useful."""

    def __init__(self, shaper: SchemaNormalizer) -> None:
        self._shaper, self._left = shaper, _MOST
        self.found: set[str] = set()

    def schema(self, schema: Node, location: NodeLocation, thing: str, depth: int) -> None:
        self._left -= 1
        if not isinstance(schema, dict) or depth > _DEEPEST or self._left < 0:
            return
        reference = schema.get("$ref")
        node, where = self._shaper.node(schema, location)
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
    """Return the last word of a name that denotes a resource, in the singular."""
    words = [word for word in words_of(name) if word not in _NO_THINGS]
    return singular(words[-1]) if words else ""


def singular(word: str) -> str:
    """Return the singular of an English plural, roughly: enough to match both forms."""
    if len(word) > 4 and word.endswith("ies") and word not in ("series", "movies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "series")):
        return word[:-1]
    return word


def is_plural(name: str) -> bool:
    """Return whether the last word of a name is an English plural, as roughly."""
    words = words_of(name)
    return bool(words) and singular(words[-1]) != words[-1]
