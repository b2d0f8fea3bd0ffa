"""Writes a draft as a file for people: its content, and beside it the questions that only a person can answer.

Drafts preview lines for the inputs that the undo does not cover, because the operator confirms only what the preview
shows.
"""

from collections.abc import Iterator
from typing import NamedTuple

from authoring.drafts.inputs import KEY, VERSION, WHY, Input, Inputs
from authoring.drafts.undo_strategy import UndoStrategy
from authoring.yaml_writer import block, flow, key_text
from contracts.base import Value
from registry.openapi.document import DescribedOperation
from registry.openapi.schema_reading import types_of
from registry.text import spoken_name

_MOST_OTHERS = 15
_MOST_PARTS = 8


class DraftContent(NamedTuple):
    """The content of a draft: its keys, all inputs of the operation, the offered ones, and the undo."""

    data: dict[str, Value]
    described: DescribedOperation
    every: Inputs
    shown: Inputs
    way: UndoStrategy


def text_of(written: DraftContent) -> Iterator[str]:
    """Yield the lines of the file, with questions to the author beside them."""
    data, every = written.data, written.every
    for name, value in data.items():
        if name == "title":
            yield "iq_enabled: false                  # true once you have read it through"
        if name == "irreversible_note":
            yield from (f"# {line}" for line in written.way.why)
        yield from _asked(name, data, every)
        if name == "parameters":
            yield "parameters:" if value else "parameters: {}"
            for own, row in value.items() if isinstance(value, dict) else ():
                yield f"  {own}: {flow(row)}"
            yield from _others(written)
        elif name == "examples" and isinstance(value, list):
            yield "examples:"
            yield from (f"  - {flow(row)}" for row in value)
        elif isinstance(value, dict | list) and value and len(flow(value)) > 60:
            yield f"{key_text(name)}:"
            yield from block(value, 2)
        else:
            yield f"{key_text(name)}: {flow(value)}"
    if "examples" not in data:
        yield "# Sentences people type and the arguments they mean; several teach the model best:"
        yield "# examples:"
        yield '#   - {say: "…", call: {}}'
    if "irreversible_note" not in data:
        yield from (f"# {line}" for line in written.way.why)


def _others(written: DraftContent) -> Iterator[str]:
    """Yield the operation's other inputs, and those that no model is asked for."""
    every, way = written.every, written.way
    given = {one.target for one in written.shown.rows} | way.versions
    left = [one for one in [*every.rows, *every.versions] if one.target not in given]
    named, carried = [o for o in left if o.target not in way.carried], [o for o in left if o.target in way.carried]
    if named:
        yield "# Others it takes; keep those that operators speak of:"
    for one in named[:_MOST_OTHERS]:
        row: dict[str, Value] = {"in": one.target, **({"role": one.role} if one.role else {}), "describe": one.describe}
        yield f"#  {one.name}: {flow(row)}"
        if one.inside:
            parts = ", ".join(f"{one.target}.{name}" for name in one.inside[:_MOST_PARTS])
            yield f"#    in parts, which people can say: {parts}{', …' if len(one.inside) > _MOST_PARTS else ''}"
    if named[_MOST_OTHERS:]:
        yield f"# And {len(named) - _MOST_OTHERS} more, by the API document; each goes by `in`, such as:"
        yield f"#    {', '.join(one.target for one in named[_MOST_OTHERS : _MOST_OTHERS + _MOST_PARTS])}"
    if carried:
        yield "# Sent as they were (see `request`). To let one be changed, add it here without `in`, and put it there:"
        yield f"#    {', '.join(one.target for one in carried)}"
    if any(one.cell for one in written.shown.rows):
        yield "# The list in `request` has one row here; `for_each` makes several (README.md, Templates)."
    for target, kind in every.left.items():
        yield f"# Left out, since no operator says it: {target} ({WHY[kind]})"
    for target in every.keyed:
        yield f"# `{target}` is given {WHY[KEY]}: the service makes it, as `marker`."
    for target in sorted(way.versions):
        yield f"# `{target}` is taken from the read: {WHY[VERSION]}."
    if every.optional_secrets:
        yield f"# No model may see these; give them under `bound` if needed: {', '.join(every.optional_secrets)}"


_QUESTIONS = {
    "description": "Say it as a person would, and what it is not for:",
    "snapshot": "Read before acting. Does anything else matter to the person who confirms? Add it to `covers`:",
    "verify": "How a new read, `now`, shows that it worked:",
    "irreversible_note": "What can a person do when this was wrong?",
    "sample": "One example, to try all this on. `iq actions try NAME --save-sample` writes a real one:",
    "output": "What the model sees. Is this what tells one from another?",
    "bound": "What no model may see; `${…}` is set where the service runs:",
}


def _asked(name: str, data: dict[str, Value], every: Inputs) -> Iterator[str]:
    if name in _QUESTIONS:
        yield f"# {_QUESTIONS[name]}"
    if name == "compensation":
        yield "# How it is taken back. Does the venue let go of a change like that, and is the sentence right?"
    if name == "parameters" and "not_readable" in str(data[name]):
        yield "# `not_readable`: the result says that it was not checked. If a read shows it, compare it in `verify`."
    if name == "parameters" and every.about is not None:
        yield "# `role: booking` marks what the action is about. Is it no booking? Give it a `thing` (see README.md)."


def lines_of_other_inputs(inputs: Inputs, way: UndoStrategy) -> list[Value]:
    """Return preview lines for the inputs that no line of the strategy shows. Each step names its booking anyway, and
    the version that an API requires is technical."""
    shown = way.fields if "preview" in way.keys else []
    about = next((one for one in inputs.rows if one.role == "booking"), None)
    rest = [one for one in inputs.rows if one not in shown and one not in inputs.versions and one != about]
    return [line for one in rest for line in _lines(one)]


def _lines(one: Input) -> Iterator[Value]:
    if one.instant:
        day, start = one.parts
        moment = f"{{{{ {day} | day_and_time({start}) }}}}"
        yield {"label": spoken_name(one.name), "after": f"{{% if {day} and {start} %}}{moment}{{% endif %}}"}
        return
    kinds = [kind for kind in types_of(one.schema) if kind != "null"]
    after = f"{{{{ {one.name} }}}}"
    if kinds == ["boolean"]:
        after = f"{{% if {one.name} is not none %}}{{{{ 'yes' if {one.name} else 'no' }}}}{{% endif %}}"
    elif kinds == ["array"]:
        after = f"{{{{ ({one.name} or []) | join(', ') }}}}"
    yield {"label": spoken_name(one.name), "after": after}
