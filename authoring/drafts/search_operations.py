"""Finds reads whose method is not GET: a search with its query in a body."""

from authoring.drafts import wording
from authoring.drafts.output import rows_of
from authoring.drafts.reads import ends_with_id, stem
from registry.openapi.document import DescribedOperation
from registry.openapi.safety import is_read
from registry.openapi.shapes import Shape
from registry.text import words_of

_SEARCHES = frozenset({"search", "query", "find", "filter", "lookup"})
_MANY = _SEARCHES | {"list", "browse"}


def only_looks(described: DescribedOperation, answer: Shape) -> bool:
    """Return whether it is a read. A POST is a read if its name says only search and its response has rows."""
    operation = described.operation
    if is_read(operation.method):
        return True
    if operation.method != "POST" or ends_with_id(operation.path):
        return False
    key = words_of(operation.key) if " " not in operation.key else []
    last = words_of(stem(operation.path).rpartition("/")[2].strip("{}"))
    segments = {word for part in operation.path.split("/") if len(words_of(part)) == 1 for word in words_of(part)}
    first = [words[0] for words in (key, words_of(described.summary), last) if words]
    if any(wording.base_verb(word) not in ("", "find", "look at") for word in first):
        return False
    inner = [answer.child(name) for name in answer.names()]
    rows = any(rows_of(shape)[0] is not None for shape in [answer, *(s for s in inner if s is not None)])
    named = bool(_SEARCHES & {*segments, *first, *key[-1:], *last})
    undeclared = answer.is_open and not answer.names() and bool(_SEARCHES & {*last, *segments})
    return undeclared or (rows and (named or bool(_MANY & {*first})))
