"""The operator's preview of a step, and the model's observation of a response."""

import logging
from collections.abc import Sequence

from jinja2 import nodes
from pydantic import ValidationError

from contracts.action import PreviewTemplate
from contracts.base import Answer, Tree, Value
from contracts.booking import BookingSummary
from contracts.plan import PreviewLine
from language.text.invisible import on_one_line
from registry.errors import TemplateRenderError
from registry.http.request import with_request
from registry.presentation.dst import twice_line
from registry.secrets.names import is_sensitive, without_secrets
from registry.templating.scope import Scope
from registry.templating.templates import (
    FOR_EACH,
    Names,
    evaluate,
    is_directive,
    names_of,
    parsed,
    render_text,
    render_tree,
    rows_of,
)
from registry.text import word_set, words_of
from registry.verification.snapshot import covered

_LOG = logging.getLogger(__name__)

_READ = ("label", "guest_name")
"""The fields of a row that are shown to people."""

LONGEST_LABEL = 40
"""Characters of a button: what a phone shows in one line."""


def preview_lines(scope: Scope) -> list[PreviewLine]:
    """Return what the step will change, before → after. Lines that change nothing are left out, unless nothing but what
    no undo restores would be left, and so are those of the preview's own reads that were not made (`scope.seen` is
    empty). An ambiguous time has a line of its own.

    Raises TemplateRenderError.
    """
    lines = _lines(scope, scope.action.preview)
    twice = twice_line(with_request(scope)) if lines else None
    changed = [line for line in lines if line.before != line.after]
    shown = changed if any(not line.lasting for line in changed) else lines
    return [*shown, *([twice] if twice else [])]


def confirm_label(scope: Scope) -> str:
    """Return the label of the confirm button: the overlay's `confirm`, with the names of the preview. It is the title
    where there is none, or it is empty. Cut to 40 characters. Raises TemplateRenderError."""
    action, label = scope.action, ""
    if action.confirm:
        label = render_text(action.confirm, with_request(scope).names(), f"{action.name}: confirm")
    return cut_label(" ".join(label.split()) or action.title)


def cut_label(label: str) -> str:
    """Return a label of at most 40 characters, cut at the end of a word where that leaves most of it."""
    if len(label) <= LONGEST_LABEL:
        return label
    kept = label[: LONGEST_LABEL - 1]
    whole = kept if label[len(kept)] == " " else kept.rpartition(" ")[0]
    return f"{(whole if len(whole) > LONGEST_LABEL // 2 else kept).rstrip(' ,;:–-')}…"


def goal_lines(scope: Scope) -> list[PreviewLine]:
    """Return what the step is for, changed or not: without side effects and remarks (an empty `now`). Raises
    TemplateRenderError."""
    return _lines(scope, [line for line in scope.action.preview if not line.irreversible and line.now != ""])


def _lines(scope: Scope, templates: Sequence[PreviewTemplate]) -> list[PreviewLine]:
    if not templates:
        return []
    names = with_request(scope).names()
    lines = []
    for line in templates:
        where = f"{scope.action.name}: preview.{line.label}"
        if not scope.seen and "seen" in names_of(line.after, where) | names_of(line.before or "", where):
            continue
        before = render_text(line.before, names, f"{where}.before") if line.before is not None else None
        after = render_text(line.after, names, f"{where}.after")
        lines.append(PreviewLine(field=line.label, before=before, after=after, lasting=line.irreversible or None))
    return [line for line in lines if line.before or line.after]


def state_lines(scope: Scope) -> list[tuple[str, str, str, str]]:
    """Return (field, before, planned, now) of each preview line that can be compared with `now`: by the line's own
    `now` (an empty one: it is a remark), else by its `before` applied to the current state, where that needs nothing
    else.

    Never raises, because it informs the operator; lines that cannot be compared are left out.
    """
    lines = []
    for line in scope.action.preview:
        where = f"{scope.action.name}: preview.{line.label}"
        try:
            # A created resource has another location, so only a line's own `now` can read it.
            if line.before is None or line.now == "" or (scope.creates and line.now is None):
                continue
            if line.now is None and not names_of(line.before, where) <= {"before", "venue"}:
                continue
            names = with_request(scope).names()
            before, after = render_text(line.before, names, where), render_text(line.after, names, where)
            late = {**names, "before": scope.before if line.now else scope.now}
            now = render_text(line.now or line.before, late, where)
        except TemplateRenderError:
            continue
        if before or after:
            lines.append((line.label, before, after, now))
    return lines


def known_output(scope: Scope) -> dict[str, Value]:
    """Return the output of an action that does not depend on the response: the fields of its `shape` that do not use
    it."""
    shape = scope.action.output.shape
    found: dict[str, Value] = {}
    for name, tree in shape.items() if isinstance(shape, dict) else ():
        where = f"{scope.action.name}: output.shape.{name}"
        try:
            if not depends_on_response(tree):
                found[name] = render_tree(tree, scope.names(), where)
        except TemplateRenderError:
            continue
    return found


def depends_on_response(tree: Tree) -> bool:
    """Return whether a template tree uses the response or the state after the write."""
    if isinstance(tree, str):
        return not {"response", "now", "left"}.isdisjoint(names_of(tree, ""))
    inner = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return is_directive(tree) or any(depends_on_response(value) for value in inner)


def summary_line(scope: Scope) -> str:
    """Return a sentence about the change, from the overlay's `summary`, else the title. Raises TemplateRenderError."""
    action = scope.action
    if not action.summary:
        return action.title
    uses_request = "request" in action.summary
    names = (with_request(scope) if uses_request else scope).names()
    return on_one_line(render_text(action.summary, names, f"{action.name}: summary"))


def answer_text(scope: Scope) -> str:
    """Return the text of a read for the operator; "" where the overlay has none. Raises TemplateRenderError."""
    return render_text(scope.action.answer, scope.names(), f"{scope.action.name}: answer")


def is_cancelled(scope: Scope, found: BookingSummary, detail: Answer) -> bool:
    """Return whether a found booking is cancelled, by its own read. Raises TemplateRenderError."""
    names = {**scope.names(), "item": found.model_dump(mode="json"), "detail": detail}
    return bool(evaluate(scope.action.output.cancelled, names, f"{scope.action.name}: output.detail.cancelled"))


def guest_name(scope: Scope, found: BookingSummary, guest: Answer) -> str:
    """Return the guest of a found booking, by the guest's own read. Raises TemplateRenderError."""
    names = {**scope.names(), "item": found.model_dump(mode="json"), "guest": guest}
    return on_one_line(render_text(scope.action.output.guest_name, names, f"{scope.action.name}: output.guest.name"))


def observation(scope: Scope) -> Value:
    """Return the model's view of the response: the overlay's `shape`, its `fields`, else ids, names and moments. Of
    secrets it shows only that they exist. An unreadable row is left out, and the result notes that. Raises
    TemplateRenderError."""
    output, response = scope.action.output, without_secrets(scope.response)
    if output.shape is None:
        return covered(response, output.fields) if output.fields else identifying_fields(response)
    odd: list[TemplateRenderError] = []
    where = f"{scope.action.name}: output.shape"
    names = readable(output.shape, scope.with_(response=response).names(), where, odd)
    seen = render_tree(output.shape, names, where, odd)
    if not odd:
        return seen
    note = f"{len(odd)} of the rows could not be read"
    return [*seen, note] if isinstance(seen, list) else {**seen, "left_out": note} if isinstance(seen, dict) else seen


def candidates(scope: Scope) -> list[BookingSummary]:
    """Return the bookings in the response; none when the action searches for none.

    An unreadable field is left empty and logged, because without the row another could seem the only match. Only a row
    without an id, or without the fields that the list is made by, is left out. Raises TemplateRenderError when no row
    can be read.
    """
    output, where = scope.action.output, f"{scope.action.name}: output.candidates"
    if output.candidates is None:
        return []
    found, odd = list[BookingSummary](), list[TemplateRenderError]()
    names = readable(output.candidates, scope.names(), where, odd)
    for tree, inner in rows_of(output.candidates, names, where, odd):
        try:
            found.append(_row(tree, inner, where).model_copy(update={"thing": output.thing}))
        except TemplateRenderError as wrong:
            odd.append(wrong)
    for fault in odd:
        _LOG.warning("a row was left out: %s", fault.where)
    if odd and not found:
        raise odd[0]
    return found


def _row(tree: Tree, names: Names, where: str) -> BookingSummary:
    fields = tree if isinstance(tree, dict) else {}
    row: dict[str, Value] = {"booking_id": render_tree(fields.get("booking_id"), names, f"{where}.booking_id")}
    for name, written in fields.items():
        try:
            value = render_tree(written, names, f"{where}.{name}")
            BookingSummary.model_validate({**row, name: value})
            row[name] = value
        except (TemplateRenderError, ValidationError) as error:
            if name == "booking_id":
                raise TemplateRenderError(f"{where}.{name}", "is no id") from error
            _LOG.warning("%s.%s: left empty, since it cannot be read: %s", where, name, type(error).__name__)
    if not str(row["booking_id"]).strip():
        raise TemplateRenderError(f"{where}.booking_id", "is empty")
    found = BookingSummary.model_validate(
        {n: on_one_line(v) if n in _READ and isinstance(v, str) else v for n, v in row.items()}
    )
    return found if found.label else found.model_copy(update={"label": _label(found, names)})


def _label(found: BookingSummary, names: Names) -> str:
    """Return the default label of a row: guest and time."""
    who, day, start = found.guest_name or found.reference or found.booking_id, found.date, found.start_time
    try:
        return render_text(
            "{{ who }}{% if day %}, {{ day | short_day_and_time(start) }}{% endif %}",
            {**names, "who": who, "day": day, "start": start},
            "label",
        )
    except TemplateRenderError:
        return who


_LAST = word_set("""
    id ids uid uuid guid reference ref number no code key name names title label status state type kind category
    date day time at on start starts end ends from to until begin begins count quantity capacity
""")
_PERSONAL = word_set("phone mobile fax account passport licence license tax vat street house postal post zip")
_DEEPEST, _ROWS, _CHARACTERS = 5, 30, 120


def identifying_fields(answer: Value) -> Value:
    """Return what the model sees of a response whose overlay declares no output: ids, for later steps, names, states
    and moments, for questions to the operator; {"ok": true} where it has none."""
    kept = _kept(answer, _DEEPEST)
    return {"ok": True} if kept in (None, {}, []) else kept


def _kept(value: Value, deep: int) -> Value:
    if deep == 0:
        return None
    if isinstance(value, list):
        rows = [_kept(row, deep - 1) if isinstance(row, dict | list) else row for row in value[:_ROWS]]
        found: list[Value] = [row for row in rows if row not in (None, {}, [])]
        if found and len(value) > _ROWS:
            found.append(f"… {len(value) - _ROWS} more left out")
        return found
    if isinstance(value, dict):
        inner = {name: _field(name, one, deep) for name, one in value.items() if not is_sensitive(name)}
        return {name: one for name, one in inner.items() if one not in (None, {}, [])}
    return None


def _field(name: str, value: Value, deep: int) -> Value:
    words = words_of(name)
    if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(row, dict | list) for row in value)):
        return _kept(value, deep - 1)
    if not words or words[-1] not in _LAST or not _PERSONAL.isdisjoint(words):
        return None
    return value[:_CHARACTERS] if isinstance(value, str) else value


_MOST = 500
"""Rows that are tried individually: more than a look-up reads."""


def readable(tree: Tree, names: Names, where: str, odd: list[TemplateRenderError]) -> Names:
    """Return the names without the rows from which the lists of a tree cannot be made; an error for each goes to
    `odd`."""
    if isinstance(tree, dict) and FOR_EACH not in tree:
        for inner in tree.values():
            names = readable(inner, names, where, odd)
    if not is_directive(tree) or FOR_EACH not in tree:
        return names
    expression = tree[FOR_EACH]
    try:
        evaluate(expression, names, where)
    except TemplateRenderError as fault:
        path = _path(expression, where)
        rows = _at(names, path)
        if not isinstance(rows, list) or len(rows) > _MOST:
            return names
        # Twice each, because one row alone is never compared with another, which is where a sort fails.
        kept = [row for row in rows if _fits(expression, _with(names, path, [row, row]), where)]
        if not kept:
            return names
        odd += [fault] * (len(rows) - len(kept))
        return _with(names, path, kept)
    return names


def _fits(expression: str, names: Names, where: str) -> bool:
    try:
        evaluate(expression, names, where)
    except TemplateRenderError:
        return False
    return True


def _path(expression: str, where: str) -> list[str]:
    """Return the path that the filters of an expression begin with; [] where it begins with anything else."""
    body = parsed(expression, where, expression=True).body
    node = body[0].nodes[0] if len(body) == 1 and isinstance(body[0], nodes.Output) else None
    while isinstance(node, nodes.Filter):
        node = node.node
    path: list[str] = []
    while isinstance(node, nodes.Getattr):
        path.insert(0, node.attr)
        node = node.node
    return [node.name, *path] if isinstance(node, nodes.Name) else []


def _at(names: Names, path: list[str]) -> object:
    found: object = {**names} if path else None
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _with(names: Names, path: list[str], rows: list[object]) -> Names:
    """Return the same names, with other rows at the path."""
    first, *rest = path
    return {**names, first: _put(names[first], rest, rows)}


def _put(tree: object, path: list[str], rows: list[object]) -> object:
    if not path or not isinstance(tree, dict):
        return rows
    return {**tree, path[0]: _put(tree[path[0]], path[1:], rows)}
