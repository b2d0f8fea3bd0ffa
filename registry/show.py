"""What an operator sees of a step, and what a model sees of an answer."""

import logging
from collections.abc import Sequence

from pydantic import ValidationError

from contracts.action import AtomicAction, PreviewTemplate
from contracts.base import Answer, Tree, Value
from contracts.booking import BookingSummary
from contracts.plan import PreviewLine
from language.invisible import on_one_line
from registry.clock_twice import twice_line
from registry.faults import UnrenderableError
from registry.identity import told_apart
from registry.odd_rows import readable
from registry.scope import Scope
from registry.sensitive import without_secrets
from registry.snapshot import covered, with_request
from registry.templates import Names, evaluate, is_directive, names_of, render_text, render_tree, rows_of

_LOG = logging.getLogger(__name__)

_READ = ("label", "guest_name")
"""Fields of a row that people read."""

LONGEST_LABEL = 40
"""Characters of a button: what a phone shows in one line."""


def preview_lines(action: AtomicAction, scope: Scope) -> list[PreviewLine]:
    """What the step will change, before → after. Lines that change nothing are left out, unless all would be; so are
    those of the preview's own reads where these were not made (`scope.seen` is empty). A time that comes twice has a
    line of its own.

    Raises UnrenderableError.
    """
    said = _lines(action, scope, action.preview)
    twice = twice_line(action, with_request(action, scope)) if said else None
    return [*([line for line in said if line.before != line.after] or said), *([twice] if twice else [])]


def confirm_label(action: AtomicAction, scope: Scope | None) -> str:
    """What the button says that confirms this step: the overlay's `confirm`, on what its preview sees; the title where
    there is none, where it comes out empty, and where nothing is seen yet. Cut to 40 characters. Raises
    UnrenderableError."""
    said = ""
    if action.confirm and scope is not None:
        said = render_text(action.confirm, with_request(action, scope).names(action), f"{action.name}: confirm")
    return _cut(" ".join(said.split()) or action.title)


def _cut(label: str) -> str:
    """At the end of a word where that leaves most of it."""
    if len(label) <= LONGEST_LABEL:
        return label
    kept = label[: LONGEST_LABEL - 1]
    whole = kept if label[len(kept)] == " " else kept.rpartition(" ")[0]
    return f"{(whole if len(whole) > LONGEST_LABEL // 2 else kept).rstrip(' ,;:–-')}…"


def intended_lines(action: AtomicAction, scope: Scope) -> list[PreviewLine]:
    """What the step is for, changed or not: neither what it brings along for good nor remarks (an empty `now`). Raises
    UnrenderableError."""
    return _lines(action, scope, [line for line in action.preview if not line.lasting and line.now != ""])


def _lines(action: AtomicAction, scope: Scope, templates: Sequence[PreviewTemplate]) -> list[PreviewLine]:
    if not templates:
        return []
    names = with_request(action, scope).names(action)
    lines = []
    for line in templates:
        where = f"{action.name}: preview.{line.label}"
        if not scope.seen and "seen" in names_of(line.after, where) | names_of(line.before or "", where):
            continue
        before = render_text(line.before, names, f"{where}.before") if line.before is not None else None
        after = render_text(line.after, names, f"{where}.after")
        lines.append(PreviewLine(field=line.label, before=before, after=after, lasting=line.lasting or None))
    return [line for line in lines if line.before or line.after]


def standing_lines(action: AtomicAction, scope: Scope) -> list[tuple[str, str, str, str]]:
    """(field, as it was, as the plan has it, as it is now) of each preview line that can be told from `now`: by the
    line's own `now` (an empty one: it is a remark), else by its `before` on what is there now, where that asks for
    nothing else.

    Never raises: it is for telling a person what stands, and what cannot be told is left out.
    """
    told = []
    # What is made anew stands elsewhere: only a line's own `now` can tell of it.
    own_only = action.verify is not None and bool(action.verify.reads)
    for line in action.preview:
        where = f"{action.name}: preview.{line.label}"
        try:
            if line.before is None or line.now == "" or (own_only and line.now is None):
                continue
            if line.now is None and not names_of(line.before, where) <= {"before", "venue"}:
                continue
            names = with_request(action, scope).names(action)
            before, after = render_text(line.before, names, where), render_text(line.after, names, where)
            late = {**names, "before": scope.before if line.now else scope.now}
            now = render_text(line.now or line.before, late, where)
        except UnrenderableError:
            continue
        if before or after:
            told.append((line.label, before, after, now))
    return told


def settled_output(action: AtomicAction, scope: Scope) -> dict[str, Value]:
    """What an action will put out whatever the venue answers: the fields of its `shape` that need no answer."""
    shape = action.output.shape
    found: dict[str, Value] = {}
    for name, tree in shape.items() if isinstance(shape, dict) else ():
        where = f"{action.name}: output.shape.{name}"
        try:
            if not needs_answer(tree):
                found[name] = render_tree(tree, scope.names(action), where)
        except UnrenderableError:
            continue
    return found


def needs_answer(tree: Tree) -> bool:
    """Whether a template tree asks for what the venue answers, or for what is there afterwards."""
    if isinstance(tree, str):
        return not {"response", "now", "left"}.isdisjoint(names_of(tree, ""))
    inner = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return is_directive(tree) or any(needs_answer(value) for value in inner)


def summary_line(action: AtomicAction, scope: Scope) -> str:
    """A sentence of what changed, from the overlay's `summary`, else the title. Raises UnrenderableError."""
    if not action.summary:
        return action.title
    uses_request = "request" in action.summary
    names = (with_request(action, scope) if uses_request else scope).names(action)
    return on_one_line(render_text(action.summary, names, f"{action.name}: summary"))


def answer_text(action: AtomicAction, response: Answer, scope: Scope) -> str:
    """What a read shows, in an operator's words; "" where the overlay has none. Raises UnrenderableError."""
    return render_text(action.answer, scope.with_(response=response).names(action), f"{action.name}: answer")


def is_cancelled(action: AtomicAction, found: BookingSummary, detail: Answer, scope: Scope) -> bool:
    """Whether a booking that was found is cancelled, by what its own read shows. Raises UnrenderableError."""
    names = {**scope.names(action), "item": found.model_dump(mode="json"), "detail": detail}
    return bool(evaluate(action.output.cancelled, names, f"{action.name}: output.detail.cancelled"))


def guest_name(action: AtomicAction, found: BookingSummary, guest: Answer, scope: Scope) -> str:
    """Whose booking it is that was found, by what the guest's own read shows. Raises UnrenderableError."""
    names = {**scope.names(action), "item": found.model_dump(mode="json"), "guest": guest}
    return on_one_line(render_text(action.output.guest_name, names, f"{action.name}: output.guest.name"))


def observe(action: AtomicAction, response: Answer, scope: Scope) -> Value:
    """What a model sees of an answer: the overlay's `shape`, its `fields`, else ids, names and moments; of secrets only
    that they are there. A row that cannot be read is left out, and that is said. Raises UnrenderableError."""
    output, response = action.output, without_secrets(response)
    if output.shape is None:
        return covered(response, output.fields) if output.fields else told_apart(response)
    odd: list[UnrenderableError] = []
    where = f"{action.name}: output.shape"
    names = readable(output.shape, scope.with_(response=response).names(action), where, odd)
    seen = render_tree(output.shape, names, where, odd)
    if not odd:
        return seen
    note = f"{len(odd)} of the rows could not be read"
    return [*seen, note] if isinstance(seen, list) else {**seen, "left_out": note} if isinstance(seen, dict) else seen


def candidates(action: AtomicAction, response: Answer, scope: Scope) -> list[BookingSummary]:
    """The bookings an answer holds; none when the action looks for none.

    A field that cannot be read is left empty and logged: a row that were left out could make another the only one that
    fits. Left out is only a row that has no id, or lacks what the list is made by. Raises UnrenderableError when no row
    can be read.
    """
    where = f"{action.name}: output.candidates"
    if action.output.candidates is None:
        return []
    found, odd = list[BookingSummary](), list[UnrenderableError]()
    names = readable(action.output.candidates, scope.with_(response=response).names(action), where, odd)
    for tree, inner in rows_of(action.output.candidates, names, where, odd):
        try:
            found.append(_row(tree, inner, where).model_copy(update={"thing": action.output.thing}))
        except UnrenderableError as wrong:
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
        except (UnrenderableError, ValidationError) as error:
            if name == "booking_id":
                raise UnrenderableError(f"{where}.{name}", "is no id") from error
            _LOG.warning("%s.%s: left empty, since it cannot be read: %s", where, name, type(error).__name__)
    if not str(row["booking_id"]).strip():
        raise UnrenderableError(f"{where}.booking_id", "is empty")
    found = BookingSummary.model_validate(
        {n: on_one_line(v) if n in _READ and isinstance(v, str) else v for n, v in row.items()}
    )
    return found if found.label else found.model_copy(update={"label": _label(found, names)})


def _label(found: BookingSummary, names: Names) -> str:
    """What a row is called where its overlay does not say: who, and when."""
    who, day, start = found.guest_name or found.reference or found.booking_id, found.date, found.start_time
    try:
        return render_text(
            "{{ who }}{% if day %}, {{ day | short_day_and_time(start) }}{% endif %}",
            {**names, "who": who, "day": day, "start": start},
            "label",
        )
    except UnrenderableError:
        return who
