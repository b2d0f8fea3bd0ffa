"""The fields of an operation's response, from the document: a request for a birthday needs the operation whose response
has a `birthday`, without an author's help.

Besides field names there are values: those that a schema lists, and those that the document's own examples repeat. A
property with few recurring values, `job: Director`, is a list of choices in all but name.
"""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property

from contracts.base import Node
from registry.errors import OperationError
from registry.openapi.document import Document
from registry.openapi.references import NodeLocation
from registry.openapi.schema_reading import entries_of, parts_of
from registry.openapi.schemas import SchemaNormalizer
from registry.search.resources import FIELD, VALUE
from registry.secrets.names import is_sensitive
from registry.text import singular, word_set, words_of

_DEEPEST = 2
_DEEPEST_ID, _MOST_STEPS = 4, 400
_NO_THINGS = word_set("object simplified response paging full results list page items data")
_MOST_FIELDS, _MOST_VALUES = 120, 80  # they are kept with every plan: enough to be found by, not the whole answer
_MOST_NODES = 600
_MOST_EXAMPLES = 50_000
_REPEATED = 4  # fewer occurrences prove nothing
_SPREAD = 0.5  # more different values than this share of the occurrences are data: names, titles, addresses
_WORD = re.compile(r"[^\W\d_]{3,20}([ _-][^\W\d_]{2,20})?")


class ResponseIndex:
    """The responses of one document's operations."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._shaper = SchemaNormalizer(document.references)

    def gives(self, name: str) -> tuple[str, ...]:
        """Return `gives` of the operation called `name`: ids by resource (`booking`), then fields with a dot
        (`.startTime`), then their values (`=Director`). Raises OperationError when there is no such operation."""
        media = [(media.get("schema"), location.under("schema")) for media, location in self._media(name)]
        things = [thing for schema, place in media for thing in ids_given(self._shaper, schema, place)]
        fields, values = self._fields(name)
        for field in fields:
            values += self._repeated.get(field, ())
        shown = [field for field in fields if not is_sensitive(field)][:_MOST_FIELDS]
        kept = list(dict.fromkeys(values))[:_MOST_VALUES]
        return (*things, *(FIELD + f for f in shown), *(VALUE + v for v in kept))

    def _fields(self, name: str) -> tuple[list[str], list[str]]:
        """Return the names of the response's fields, the topmost first, and the values that its schema lists."""
        fields: dict[str, None] = {}
        values: list[str] = []
        waiting = deque((media.get("schema"), place.under("schema"), 0) for media, place in self._media(name))
        for _ in range(_MOST_NODES):
            if not waiting:
                break
            schema, location, depth = waiting.popleft()
            node, where = self._shaper.met(schema, location)
            for key in ("allOf", "anyOf", "oneOf"):
                for index, part in enumerate(entries_of(node.get(key))):
                    waiting.append((part, where.under(key, str(index)), depth))
            if "items" in node:
                waiting.append((node["items"], where.under("items"), depth))
            values += _words(entries_of(node.get("enum")))
            for field, inner in parts_of(node.get("properties")).items() if depth <= _DEEPEST else ():
                fields[field] = None
                waiting.append((inner, where.under("properties", field), depth + 1))
        return list(fields), values

    @cached_property
    def _repeated(self) -> dict[str, list[str]]:
        """Return the recurring values in the document's examples, by the property's name."""
        seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        left = _MOST_EXAMPLES
        for key in self._document.keys:
            for field, value in self._example_values(key):
                seen[field][value] += 1
                left -= 1
            if left < 0:
                break
        found: dict[str, list[str]] = {}
        for field, counts in seen.items():
            total = sum(counts.values())
            if total >= _REPEATED and len(counts) <= total * _SPREAD and not is_sensitive(field):
                found[field] = _words(value for value, _ in counts.most_common())
        return found

    def _example_values(self, name: str) -> Iterator[tuple[str, str]]:
        for media, location in self._media(name):
            for label, example in parts_of(media.get("examples")).items():
                yield from _texts(self._shaper.met(example, location.under("examples", label))[0].get("value"))
            yield from _texts(media.get("example"))

    def _media(self, name: str) -> Iterator[tuple[dict[str, Node], NodeLocation]]:
        """Yield the first content type of the first successful response."""
        raw, location = self._document.raw(name)
        answers = [(status, r) for status, r in parts_of(raw.get("responses")).items() if status.startswith("2")]
        for status, response in answers[:1]:
            node, where = self._shaper.met(response, location.under("responses", status))
            for kind, media in list(parts_of(node.get("content")).items())[:1]:
                if isinstance(media, dict):
                    yield media, where.under("content", kind)


def _texts(example: Node) -> Iterator[tuple[str, str]]:
    """Yield every text of an example with its property's name."""
    waiting: list[tuple[Node, str]] = [(example, "")]
    while waiting:
        node, field = waiting.pop()
        if isinstance(node, dict):
            waiting += [(inner, name) for name, inner in node.items()]
        elif isinstance(node, list):
            waiting += [(inner, field) for inner in node]
        elif isinstance(node, str) and field:
            yield field, node


def _words(values: Iterable[Node]) -> list[str]:
    """Return those of the values that are one or two words."""
    return [value for value in values if isinstance(value, str) and _WORD.fullmatch(value)]


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
        self._shaper, self._left = shaper, _MOST_STEPS
        self.found: set[str] = set()

    def schema(self, schema: Node, location: NodeLocation, thing: str, depth: int) -> None:
        self._left -= 1
        if not isinstance(schema, dict) or depth > _DEEPEST_ID or self._left < 0:
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
