"""What a document's own examples say of an answer or a body: what a draft's sample is made of."""

from collections.abc import Callable

from contracts.base import Node, Value
from registry.document import Document
from registry.nodes import entries_of, parts_of
from registry.references import Place
from registry.schemas import Shaper
from registry.shapes import Shape, Standing
from registry.targets import split_path

_DEEPEST = 6
_MOST = 400


class Examples:
    """The examples of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._shaper = Shaper(document.references)
        self._left = 0

    def answer(self, key: str) -> Value:
        """An example of what the operation answers when it succeeds; None where the document has none."""
        raw, place = self._document.raw(key)
        for status, response in parts_of(raw.get("responses")).items():
            if str(status).startswith("2"):
                node, where = self._shaper.met(response, place.under("responses", str(status)))
                return self._of_content(node, where)
        return None

    def body(self, key: str) -> Value:
        """An example of what the operation takes; None where the document has none."""
        raw, place = self._document.raw(key)
        return self._of_content(*self._shaper.met(raw.get("requestBody"), place.under("requestBody")))

    def texts(self, key: str) -> Callable[[str], str]:
        """What the document says of a part of the operation's body, by its target."""
        raw, place = self._document.raw(key)
        holder, where = self._shaper.met(raw.get("requestBody"), place.under("requestBody"))
        kinds = parts_of(holder.get("content"))
        schemas = [Standing(parts_of(m).get("schema"), where.under("content", k, "schema")) for k, m in kinds.items()]
        body = Shape(self._shaper, schemas)

        def said(target: str) -> str:
            shape: Shape | None = body
            for name in split_path(target.replace("[]", ""))[1:] if target.startswith("body") else [""]:
                shape = shape.rows().child(name) if shape is not None else None
            return str(shape.schema.get("description") or "") if shape is not None else ""

        return said

    def _of_content(self, holder: dict[str, Node], place: Place) -> Value:
        for kind, media in parts_of(holder.get("content")).items():
            held = parts_of(media)
            where = place.under("content", kind)
            if "example" in held:
                return _plain(held["example"])
            for label, example in parts_of(held.get("examples")).items():
                found = self._shaper.met(example, where.under("examples", label))[0]
                if "value" in found:
                    return _plain(found["value"])
            self._left = _MOST
            return self._of_schema(held.get("schema"), where.under("schema"), 0)
        return None

    def _of_schema(self, schema: Node, place: Place, depth: int) -> Value:
        """As the schema says, or as its properties say, those without an example left out."""
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            return None
        node, where = self._shaper.met(schema, place)
        if "example" in node:
            return _plain(node["example"])
        if entries_of(node.get("examples")):
            return _plain(entries_of(node["examples"])[0])
        if "items" in node:
            row = self._of_schema(node["items"], where.under("items"), depth + 1)
            return None if row is None else [row]
        found: dict[str, Value] = {}
        for index, part in enumerate(entries_of(node.get("allOf"))):
            inner = self._of_schema(part, where.under("allOf", str(index)), depth + 1)
            found |= inner if isinstance(inner, dict) else {}
        for name, inner_schema in parts_of(node.get("properties")).items():
            value = self._of_schema(inner_schema, where.under("properties", name), depth + 1)
            if value is not None:
                found[name] = value
        return found or None


def _plain(value: Node) -> Value:
    """An example as plain values; None for one that is none."""
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, str | int | float | bool) else None
