"""How a draft shows what a change sends beside what it sets and can put back: a line for each, since a person confirms
only what the preview shows."""

from collections.abc import Iterator

from contracts.base import Value
from registry.draft_inputs import Input, Inputs
from registry.draft_way import Way
from registry.neutral import types_of
from registry.words import spoken_name


def lines_of_other_inputs(inputs: Inputs, way: Way) -> list[Value]:
    """Make the lines of the preview for the inputs that no line of the way shows. Each step names its booking anyway,
    and the version that an API wants back is technical."""
    shown = way.fields if "preview" in way.keys else []
    about = next((one for one in inputs.shown if one.role == "booking"), None)
    rest = [one for one in inputs.shown if one not in shown and one not in inputs.versions and one != about]
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
