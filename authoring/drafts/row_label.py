"""Drafts the label of a row in a choice: a name and a day, never a bare id if the row has more."""

import re
from collections.abc import Iterator, Mapping

from authoring.drafts import wording
from contracts.base import Value
from registry.openapi.schema_reading import entries_of, types_of
from registry.openapi.shapes import Shape
from registry.secrets.names import is_sensitive
from registry.text import words_of

_NAME = re.compile(r"[A-Za-z_]\w*")
_EMPTY = "default('', true)"
_INSIDE = 12
_CALLED = (
    ["name"], ["title"], ["full", "name"], ["display", "name"], ["friendly", "name"], ["product", "name"],
    ["product", "title"], ["subject"], ["label"], ["nickname"], ["description"], ["summary"], ["email"],
    ["email", "address"], ["phone", "number"], ["to"],
)  # fmt: skip
"""Field names for the name of a resource, the best first."""


def label_of(row: Shape, known: Mapping[str, Value], item: str) -> Value:
    """Return the template of a row's label: its person or name, its number, its day and its time. `known` are the row's
    fields so far."""
    who = str(known["guest_name"]) if "guest_name" in known else next(_people(row, item), "") or _called(row, item)
    when = [str(known[name]) for name in ("date", "start_time") if name in known] or _days(row, item)
    number = str(known["reference"]) if "reference" in known else ""
    if not number:
        # A row without a name is labelled by its id, because the label would otherwise begin with a comma.
        own = str(known["booking_id"]).removeprefix("{{ ").removesuffix(" }}")
        who = who.replace(_EMPTY, f"default({own}, true)") if who.count(_EMPTY) == 1 == who.count("{{") else who
    parts = [part for part in (who, number, *when) if part]
    if not who and not number:
        # A day alone does not distinguish two rows of the same day.
        parts.append(str(known["booking_id"]))
    return ", ".join(parts)


def value_of(source: str, after: str, always: bool, empty: str = "''") -> str:
    """Return the expression of one part of a row, `after` a filter; an optional field may be empty."""
    if after:
        return f"{source} | {after}" if always else f"{source} | default(none) and ({source} | {after})"
    return source if always else f"{source} | default({empty}, true)"


def _template(source: str, after: str, always: bool) -> str:
    value = value_of(source, after, always)
    return f"{{{{ {value} }}}}" if always or not after else f"{{{{ ({value}) or '' }}}}"


def _people(row: Shape, item: str) -> Iterator[str]:
    """Yield the person of a row: a first and a last name, in the row or in its guest object."""
    for prefix, shape in [(f"{item}.", row), *_inner(row, item)]:
        names = _by_words(shape)
        always = {*map(str, entries_of(shape.schema.get("required")))} if shape is row else set[str]()
        first = next((n for words, n in names.items() if {*words} & wording.FIRST and words[-1] == "name"), "")
        last = next(
            (n for words, n in names.items() if {*words} & wording.LAST and words[-1] in ("name", "surname")), ""
        )
        if first and last:
            yield " ".join(_template(f"{prefix}{n}", "", n in always) for n in (first, last))
        elif shape is not row and ("name",) in names:
            yield _template(f"{prefix}{names[('name',)]}", "", False)


def _inner(row: Shape, item: str) -> Iterator[tuple[str, Shape]]:
    for words, name in [*_by_words(row).items()][: _INSIDE * 3]:
        child = row.child(name) if {*words} & wording.PEOPLE else None
        if child is None or child.is_list or child.is_open or child.may_be_value:
            continue
        if child.names():
            yield f"{item}.{name}.", child


def _called(row: Shape, item: str) -> str:
    """Return the name of a row's resource."""
    names = _by_words(row)
    always = {*map(str, entries_of(row.schema.get("required")))}
    for words in _CALLED:
        name = names.get(tuple(words), "")
        if name and _is_text(row.child(name)) and not is_sensitive(name):
            return _template(f"{item}.{name}", "", name in always)
    return ""


def _days(row: Shape, item: str) -> list[str]:
    """Return its day and time, from the first of its parts that has a day; else its creation."""
    for name in [n for n in row.names() if _NAME.fullmatch(n)][: _INSIDE * 3]:
        child = row.child(name)
        if child is None or child.is_open or child.may_be_value or not child.rows().names():
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


_PAST = wording.STAMPS | {"end", "birth", "expiry", "expires", "deleted"}


def _by_words(shape: Shape) -> dict[tuple[str, ...], str]:
    found: dict[tuple[str, ...], str] = {}
    for name in shape.names():
        if _NAME.fullmatch(name) and words_of(name):
            found.setdefault(tuple(words_of(name)), name)
    return found


def _is_text(shape: Shape | None) -> bool:
    return shape is not None and "string" in types_of({**shape.schema})
