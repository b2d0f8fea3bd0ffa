"""Drafts the title of an operation: "Cancel a booking", independent of the document's wording."""

import re
from typing import NamedTuple

from authoring.drafts.reads import ends_with_id
from authoring.drafts.wording import SEVERAL, base_verb, plural, with_article
from registry.openapi.descriptions import summarize_description
from registry.openapi.document import DescribedOperation
from registry.text import is_plural, singular, words_of

_MOST_WORDS = 7
_BY_METHOD = {"POST": "make", "PUT": "change", "PATCH": "change", "DELETE": "delete"}
_EVERYDAY_VERBS = frozenset({"list", "search", "show", "view", "create", "update", "edit", "modify", "replace"})
_METHODS = frozenset({"get", "post", "put", "patch", "delete"})
_A_LIST = re.compile(
    r"^(look at|list|find|show|view) ((a|the) list of )?((all|existing) )?(of )?(the )?(?=\w+)", re.IGNORECASE
)
_NO_THINGS = re.compile(r"v?\d+(\.\d+)*|api|rest|json")


class OperationTitle(NamedTuple):
    """The title of an operation, its verb, and its resource, in the singular."""

    title: str
    verb: str
    thing: str


def called(described: DescribedOperation) -> OperationTitle:
    """Return the title, from the document's summary if it begins with a verb, else from its operationId, path and
    method."""
    operation = described.operation
    verb, noun = _by_path(described)
    summary = " ".join(summarize_description(described.summary, limit=60).rstrip(".").split())
    words = summary.split()
    if 2 <= len(words) <= _MOST_WORDS and (text := base_verb(words[0])):
        title = " ".join([words[0] if words[0].lower() in _EVERYDAY_VERBS else text, *words[1:]])
        if text in SEVERAL or (text == "look at" and not ends_with_id(operation.path) and is_plural(words[-1])):
            title, text = _A_LIST.sub("find ", title), "find"
        return OperationTitle(title[:1].upper() + title[1:], text, noun)
    if 2 <= len(words) <= 4 and (text := base_verb(words[-1])):
        noun = " ".join(words[:-1]).lower()
        return OperationTitle(_title(text, noun), text, noun)
    named = words_of(operation.key) if " " not in operation.key else []
    if named and named[0] not in _METHODS and (text := base_verb(named[0])):
        verb = text
    return OperationTitle(_title(verb, noun), verb, noun)


def _title(verb: str, noun: str) -> str:
    if noun.startswith(verb):
        verb = "make"  # "book a booking" is no English
    things = plural(noun) if verb in SEVERAL else with_article(noun)
    return f"{verb[:1].upper()}{verb[1:]} {things}"


def _by_path(described: DescribedOperation) -> tuple[str, str]:
    operation = described.operation
    parts = [part for part in operation.path.strip("/").split("/") if part]
    fixed = [part for part in parts if "{" not in part and not _NO_THINGS.fullmatch(part)]
    ends_with_id = bool(parts) and "{" in parts[-1]
    verb = _BY_METHOD.get(operation.method, "look at" if ends_with_id else "find")
    if operation.method == "POST" and ends_with_id:
        verb = "change"
    last = words_of(re.sub(r"\.\w+$", "", fixed[-1])) if fixed else []
    if len(fixed) > 1 and not ends_with_id and operation.method != "GET" and last and base_verb(last[0]):
        verb = base_verb(last[0])
        last = [*last[1:]] or words_of(fixed[-2])
    elif (
        operation.method == "POST" and "{" in "".join(parts[-2:-1]) and len(last) == 1 and singular(last[0]) == last[0]
    ):
        verb, last = last[0], words_of(fixed[-2]) if len(fixed) > 1 else last
    noun = " ".join([*last[:-1], singular(last[-1])]) if last else "thing"
    return verb, noun
