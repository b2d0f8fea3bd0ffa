"""How a draft shows a row to whoever picks one: by a name and a day, never by a bare id where the row has more."""

import re
from collections.abc import Iterator, Mapping

from contracts.base import Value
from language import api_words as said
from registry.neutral import types_of
from registry.nodes import entries_of
from registry.sensitive import is_sensitive
from registry.shapes import Shape
from registry.words import words_of

_NAME = re.compile(r"[A-Za-z_]\w*")
_EMPTY = "default('', true)"
_INSIDE = 12
_CALLED = (
    ["name"], ["title"], ["full", "name"], ["display", "name"], ["friendly", "name"], ["product", "name"],
    ["product", "title"], ["subject"], ["label"], ["nickname"], ["description"], ["summary"], ["email"],
    ["email", "address"], ["phone", "number"], ["to"],
)  # fmt: skip
"""Names of what a thing is called by, the best first."""


def label_of(row: Shape, known: Mapping[str, Value], item: str) -> Value:
    """The template of a row's label: whose or what it is, its number, its day and its time. `known` are the row's
    fields so far."""
    who = str(known["guest_name"]) if "guest_name" in known else next(_people(row, item), "") or _called(row, item)
    when = [str(known[name]) for name in ("date", "start_time") if name in known] or _days(row, item)
    number = str(known["reference"]) if "reference" in known else ""
    if not number:
        # Who has no name is told by the id, lest the label begin with a comma.
        own = str(known["booking_id"]).removeprefix("{{ ").removesuffix(" }}")
        who = who.replace(_EMPTY, f"default({own}, true)") if who.count(_EMPTY) == 1 == who.count("{{") else who
    parts = [part for part in (who, number, *when) if part]
    if not who and not number:
        # A day alone tells no two of the same day apart.
        parts.append(str(known["booking_id"]))
    return ", ".join(parts)


def value_of(source: str, after: str, always: bool, empty: str = "''") -> str:
    """The expression of one part of a row, `after` a filter; what a row need not have is left empty."""
    if after:
        return f"{source} | {after}" if always else f"{source} | default(none) and ({source} | {after})"
    return source if always else f"{source} | default({empty}, true)"


def _template(source: str, after: str, always: bool) -> str:
    value = value_of(source, after, always)
    return f"{{{{ {value} }}}}" if always or not after else f"{{{{ ({value}) or '' }}}}"


def _people(row: Shape, item: str) -> Iterator[str]:
    """Whose it is: a first and a last name, in the row or in what it holds of its guest."""
    for prefix, shape in [(f"{item}.", row), *_inner(row, item)]:
        names = _by_words(shape)
        always = {*map(str, entries_of(shape.schema.get("required")))} if shape is row else set[str]()
        first = next((n for words, n in names.items() if {*words} & said.FIRST and words[-1] == "name"), "")
        last = next((n for words, n in names.items() if {*words} & said.LAST and words[-1] in ("name", "surname")), "")
        if first and last:
            yield " ".join(_template(f"{prefix}{n}", "", n in always) for n in (first, last))
        elif shape is not row and ("name",) in names:
            yield _template(f"{prefix}{names[('name',)]}", "", False)


def _inner(row: Shape, item: str) -> Iterator[tuple[str, Shape]]:
    for words, name in [*_by_words(row).items()][: _INSIDE * 3]:
        child = row.child(name) if {*words} & said.PEOPLE else None
        if child is None or child.is_list or child.free or child.may_be_value:
            continue
        if child.names():
            yield f"{item}.{name}.", child


def _called(row: Shape, item: str) -> str:
    """What it is called by."""
    names = _by_words(row)
    always = {*map(str, entries_of(row.schema.get("required")))}
    for words in _CALLED:
        name = names.get(tuple(words), "")
        if name and _is_text(row.child(name)) and not is_sensitive(name):
            return _template(f"{item}.{name}", "", name in always)
    return ""


def _days(row: Shape, item: str) -> list[str]:
    """When it is, by the first of the things in it that has a day; else when it was made."""
    for name in [n for n in row.names() if _NAME.fullmatch(n)][: _INSIDE * 3]:
        child = row.child(name)
        if child is None or child.free or child.may_be_value or not child.rows().names():
            continue
        for words, inner in _by_words(child.rows()).items():
            schema = dict(shape.schema) if (shape := child.rows().child(inner)) is not None else {}
            moment = schema.get("format") == "date-time"
            if (moment or (words[-1] == "date" and "string" in types_of(schema))) and not _PAST & {*words}:
                first = f"({item}.{name} | default([], true) | first | default({{}}, true))"
                source = f"{first if child.is_list else f'{item}.{name}'}.{inner}"
                return [_template(source, "local_day" if moment else "", False)]
    always = {*map(str, entries_of(row.schema.get("required")))}
    for words, name in _by_words(row).items():
        schema = dict(shape.schema) if (shape := row.child(name)) is not None else {}
        if "created" in words and {*words} <= {"created", "date", "at", "on", "time"}:
            filters = {"date-time": "local_day", "unix-time": "from_epoch | local_day", "date": ""}
            form = str(schema.get("format") or "")
            if form in filters or types_of(schema) == ["string"]:
                return [_template(f"{item}.{name}", filters.get(form, ""), name in always)]
    return []


_PAST = said.STAMPS | {"end", "birth", "expiry", "expires", "deleted"}


def _by_words(shape: Shape) -> dict[tuple[str, ...], str]:
    found: dict[tuple[str, ...], str] = {}
    for name in shape.names():
        if _NAME.fullmatch(name) and words_of(name):
            found.setdefault(tuple(words_of(name)), name)
    return found


def _is_text(shape: Shape | None) -> bool:
    return shape is not None and "string" in types_of({**shape.schema})
