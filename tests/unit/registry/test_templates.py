"""The template engine: tests for each trap of the design.

- A whole `{{ … }}` keeps its value's type: "8231", "+61400…" and a note that looks like JSON stay text.
- Mixed text is text; an empty value in it is an error in a request and nothing in a text for people.
- Undefined is an error that names action, key and the missing name; `default` replaces it, however deep.
- `before.items` is data. No Python attribute, global or runaway arithmetic can be reached.
- A value's content is never rendered again. Values are fitted to the operation's schema, never guessed.
- YAML is read by the 1.2 core rules.
"""

from pathlib import Path

import pytest

from contracts.base import Json
from registry.errors import TemplateRenderError, YamlSyntaxError
from registry.http.coerce import coerce
from registry.overlays.yaml_file import read_yaml
from registry.templating.templates import evaluate, names_of, render, render_text, render_tree
from tests.support.tables import table

NAMES: dict[str, Json] = {
    "before": {"items": [{"quantity": 12, "startTime": "14:00"}], "keys": "data", "comments": None},
    "phone": "+61400111222", "note": '{"a": [1, 2]}', "reference": "8231", "absent": None,
    "sly": "{{ 7 * 7 }}", "yes": True, "whole": 12.0, "result": "mine",
}  # fmt: skip


@pytest.mark.parametrize("name", ["phone", "note", "reference", "sly", "result"])
def test_text_stays_text(name: str) -> None:
    assert render("{{ " + name + " }}", NAMES, "w") == NAMES[name]


def test_values_keep_their_type() -> None:
    assert render("{{ before.items }}", NAMES, "w") == [{"quantity": 12, "startTime": "14:00"}]
    assert render("{{ before.items[0].quantity }}", NAMES, "w") == 12
    assert render("{{ before.keys }}", NAMES, "w") == "data"
    assert render("{{ absent }}", NAMES, "w") is None
    assert render("{{ {'a': {'b': reference}} }}", NAMES, "w") == {"a": {"b": "8231"}}


def test_mixed_text_is_text() -> None:
    assert render("{{ reference }}{{ reference }}", NAMES, "w") == "82318231"
    assert render("at {{ whole }}, {{ yes }}", NAMES, "w") == "at 12, true"
    assert render("no tags { at all }", NAMES, "w") == "no tags { at all }"


def test_values_are_never_rendered_again() -> None:
    assert render("said {{ sly }}", NAMES, "w") == "said {{ 7 * 7 }}"
    tree = render_tree({"a": "{{ sly }}", "b": {"for_each": "before.items", "value": "{{ sly }}"}}, NAMES, "w")
    assert tree == {"a": "{{ 7 * 7 }}", "b": ["{{ 7 * 7 }}"]}


@pytest.mark.parametrize(
    ("source", "missing"),
    [
        ("{{ nothing }}", "nothing"),
        ("{{ before.itmes }}", "itmes"),
        ("{{ before.items[3].quantity }}", "no place 3"),
        ("{{ before.comments.text }}", "text"),
        ("text {{ before.itmes }}", "itmes"),
        ("{{ nothing + 1 }}", "nothing"),
        ("a {{ absent }} b", "empty value"),
        ("{{ before.items }} rows", "cannot be shown"),
    ],
)
def test_undefined_is_an_error_with_a_name(source: str, missing: str) -> None:
    with pytest.raises(TemplateRenderError, match=missing) as caught:
        render(source, NAMES, "edit_note: request.body.comments")
    assert str(caught.value).startswith("edit_note: request.body.comments: ")


def test_default_mends_what_is_missing() -> None:
    assert render("{{ before.items[3].tickets[0].name | default('none') }}", NAMES, "w") == "none"
    assert render_text("a {{ absent }} b", NAMES, "w") == "a  b"


@table(
    "source",
    [
        "{{ ''.__class__ }}", "{{ before.items.append(1) }}", "{{ before.__class__ }}", "{{ range(9) }}",
        "{{ before.items.__len__() }}", "{{ 'a' * 1000000000 }}", "{{ 9 ** 9 ** 9 }}", "{{ '%s' % 1 }}",
        "{{ lipsum() }}", "{{ dict(a=1) }}", "{{ self }}", "{{ phone.upper() }}", "{{ phone | attr('x') }}",
        "{% include 'x' %}", "{{ before() }}",
    ],
)  # fmt: skip
def test_nothing_else_can_be_reached(source: str) -> None:
    with pytest.raises(TemplateRenderError):
        render(source, NAMES, "w")


def test_trees() -> None:
    tree = {
        "rows": {"for_each": "before.items", "when": "item.quantity > 20", "value": {"n": "{{ index }}"}},
        "kept": {"when": "yes", "value": {"when": "kept as data"}},
        "left_out": {"when": "absent", "value": "{{ before.itmes }}"},
        "list": ["{{ reference }}", {"when": "absent", "value": 1}, 7],
    }
    assert render_tree(tree, NAMES, "w") == {"rows": [], "kept": {"when": "kept as data"}, "list": ["8231", 7]}
    with pytest.raises(TemplateRenderError, match="not a list"):
        render_tree({"for_each": "before", "value": 1}, NAMES, "w")
    with pytest.raises(TemplateRenderError, match=r"w\.rows\[0\]\.n: "):
        render_tree({"rows": {"for_each": "before.items", "value": {"n": "{{ item.x }}"}}}, NAMES, "w")


def test_names_and_filters_are_known_before_running() -> None:
    assert names_of("a.b or c | default(d)", "w", expression=True) == {"a", "c", "d"}
    assert names_of("plain", "w") == set()
    with pytest.raises(TemplateRenderError, match="did you mean day_and_time"):
        names_of("{{ a | day_and_tme }}", "w")
    with pytest.raises(TemplateRenderError):
        names_of("{{ a", "w")


@table(
    "value, schema, wanted",
    [
        ("8231", {"type": "string"}, "8231"),
        (8231, {"type": "string"}, "8231"),
        (8231.0, {"type": "string"}, "8231"),
        ("8231", {"type": "integer"}, 8231),
        (12.0, {"type": "integer"}, 12),
        ("1.5", {"type": "number"}, 1.5),
        ("true", {"type": "boolean"}, True),
        (None, {"type": ["string", "null"]}, None),
        (None, {"type": "string", "nullable": True}, None),
        ("7", {"anyOf": [{"type": "integer"}, {"type": "string"}]}, "7"),
        (["1", 2], {"type": "array", "items": {"type": "integer"}}, [1, 2]),
        ({"a": "1"}, {"allOf": [{"properties": {"a": {"type": "integer"}}}]}, {"a": 1}),
        ({"id": 1, "a": 2}, {"type": "object", "properties": {"id": {"readOnly": True}, "a": {}}}, {"a": 2}),
    ],
)
def test_values_are_fitted_to_the_schema(value: Json, schema: dict[str, Json], wanted: Json) -> None:
    fitted = coerce(value, schema, "w")
    assert fitted == wanted
    assert type(fitted) is type(wanted)


@table(
    "value, schema",
    [
        ("+61400", {"type": "integer"}), ("007", {"type": "integer"}), (True, {"type": "integer"}),
        (1.5, {"type": "integer"}), ("yes", {"type": "boolean"}), (None, {"type": "string"}),
        ({"a": 1}, {"type": "string"}), ("x", {"enum": ["a"]}), ("toolong", {"type": "string", "maxLength": 3}),
        ({}, {"type": "object", "properties": {"a": {}}, "required": ["a"]}), (None, {"enum": ["a"]}),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(value: Json, schema: dict[str, Json]) -> None:
    with pytest.raises(TemplateRenderError):
        coerce(value, schema, "w")


def test_yaml_core_rules(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("time: 15:00\nanswer: no\nday: 2026-11-28\ncount: 12\nnothing: ~\n1: '1'\n", encoding="utf-8")
    file = read_yaml(path)
    assert file.data == {"time": "15:00", "answer": "no", "day": "2026-11-28", "count": 12, "nothing": None, "1": "1"}
    assert file.line("day") == 3
    assert file.line("day", "deeper") == 3
    path.write_text("a: [&x [1, 2], *x]", encoding="utf-8")
    assert read_yaml(path).data == {"a": [[1, 2], [1, 2]]}
    bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{c}: &{c} [{','.join(['*' + p] * 10)}]\n" for p, c in zip("abcdefg", "bcdefgh", strict=True)
    )
    path.write_text(bomb, encoding="utf-8")
    with pytest.raises(YamlSyntaxError, match="too large"):
        read_yaml(path)


def test_expressions() -> None:
    assert evaluate("before.items[0].quantity > 3", NAMES, "w") is True
    with pytest.raises(TemplateRenderError, match="a: b"):
        evaluate("1 +", NAMES, "a: b")
