"""What an operation's answer says, as the document itself tells: whoever asks for a birthday wants the operation whose
answer has a `birthday`, and nobody had to write that down.

Beside the fields' names there are values: those a schema lists, and those that the document's own examples repeat. A
property that takes the same few words again and again in them, `job: Director`, has a list of values in all but name.
"""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from functools import cached_property

from contracts.base import Node
from registry.document import Document
from registry.nodes import entries_of, parts_of
from registry.produced import ids_given
from registry.references import Place
from registry.schemas import Shaper
from registry.sensitive import is_sensitive

FIELD, VALUE = ".", "="
"""What an entry of `Operation.gives` begins with when it is no id but a field of the answer, or a field's value."""

_DEEPEST = 2
_MOST_FIELDS, _MOST_VALUES = 120, 80  # they are kept with every plan: enough to be found by, not the whole answer
_MOST_NODES = 600
_MOST_EXAMPLES = 50_000
_REPEATED = 4  # fewer occurrences prove nothing
_SPREAD = 0.5  # more different values than this share of the occurrences are data: names, titles, addresses
_WORD = re.compile(r"[^\W\d_]{3,20}([ _-][^\W\d_]{2,20})?")


class Answers:
    """The answers of one document's operations."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._shaper = Shaper(document.references)

    def told(self, name: str) -> tuple[str, ...]:
        """`gives` of the operation called `name`: ids by thing (`booking`), then fields with a dot (`.startTime`), then
        their values (`=Director`). Raises OperationError when there is no such operation."""
        media = [(media.get("schema"), place.under("schema")) for media, place in self._media(name)]
        things = [thing for schema, place in media for thing in ids_given(self._shaper, schema, place)]
        fields, values = self._fields(name)
        for field in fields:
            values += self._repeated.get(field, ())
        shown = [field for field in fields if not is_sensitive(field)][:_MOST_FIELDS]
        kept = list(dict.fromkeys(values))[:_MOST_VALUES]
        return (*things, *(FIELD + f for f in shown), *(VALUE + v for v in kept))

    def _fields(self, name: str) -> tuple[list[str], list[str]]:
        """Names of the answer's fields, those nearest to its top first, and the values that its schema lists."""
        fields: dict[str, None] = {}
        values: list[str] = []
        waiting = deque((media.get("schema"), place.under("schema"), 0) for media, place in self._media(name))
        for _ in range(_MOST_NODES):
            if not waiting:
                break
            schema, place, depth = waiting.popleft()
            node, where = self._shaper.met(schema, place)
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
        """The words that a property takes again and again in the document's examples, by the property's name."""
        seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        left = _MOST_EXAMPLES
        for key in self._document.keys:
            for field, value in self._said(key):
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

    def _said(self, name: str) -> Iterator[tuple[str, str]]:
        for media, place in self._media(name):
            for label, example in parts_of(media.get("examples")).items():
                yield from _texts(self._shaper.met(example, place.under("examples", label))[0].get("value"))
            yield from _texts(media.get("example"))

    def _media(self, name: str) -> Iterator[tuple[dict[str, Node], Place]]:
        """The first kind of content of the first successful answer."""
        raw, place = self._document.raw(name)
        answers = [(status, r) for status, r in parts_of(raw.get("responses")).items() if status.startswith("2")]
        for status, response in answers[:1]:
            node, where = self._shaper.met(response, place.under("responses", status))
            for kind, media in list(parts_of(node.get("content")).items())[:1]:
                if isinstance(media, dict):
                    yield media, where.under("content", kind)


def _texts(example: Node) -> Iterator[tuple[str, str]]:
    """Every text of an example with the name of the property that it is the value of."""
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
    """Those of the values that are a word or two."""
    return [value for value in values if isinstance(value, str) and _WORD.fullmatch(value)]
