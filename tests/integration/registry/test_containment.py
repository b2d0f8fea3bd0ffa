"""Hostile files of third parties cost only themselves. Guarantees:

- Every hostile file beside the good ones becomes a finding of its own, and the reading ends; the good ones keep
  working. This holds in the process that reads, and in the servers' process of its own.
- A template can neither multiply its work nor its output, whichever way it takes; honest ones are not hindered.
- A file that never ends, or ends its reader, is named and left out; its neighbours are read. A pack with a file left
  out for want of time is not cached.
- A pattern is matched in linear time wherever it occurs; one that cannot be is left to the API, and still shown to the
  model.
- Circular references and quadratic documents end.
"""

import sys
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import NoReturn

import pytest

import registry
from authoring.all_operations import actions_of_document
from contracts.action import AtomicAction
from contracts.base import Json
from registry.errors import TemplateRenderError
from registry.http.coerce import coerce
from registry.loading.load import load_pack, read_here
from registry.loading.subprocess_reader import Child, read_in_subprocess
from registry.openapi.document import Document
from registry.openapi.regex import Validator
from registry.templating.templates import evaluate, render, render_tree
from tests.support import hostile_pack
from tests.support.hostile_pack import NAMES, busy_file, labels, put_into
from tests.unit.registry.traps import TEXT, argument, asked, every, posted, thing

pytestmark = pytest.mark.slow

LETTERS = "a" * 34 + "!"
HANGS = "^([A-Za-z]+)*$"


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_file_is_a_finding_and_its_neighbours_work(folder: Path, name: str) -> None:
    put_into(folder, name)
    pack = load_pack(folder)
    assert len(pack.actions) == 8
    wrong = [f for f in pack.findings if f.level == "error"]
    assert wrong and {f.file for f in wrong} == {f"roller/actions/hostile_{name}.yaml"}
    assert all(len(f.message) <= 1_000 for f in wrong)


def test_all_of_them_at_once_read_apart(folder: Path, tmp_path: Path) -> None:
    for name in NAMES:
        put_into(folder, name)
    # A busy machine may need more than the usual 2 s for a hostile file that ends; what was cut short is not cached.
    script = """
        import registry.loading.time_limit as limit
        from registry.loading.subprocess_reader import _main
        limit._SECONDS = 60.0
        _main()
    """
    child = Child((sys.executable, "-P", "-c", dedent(script)), silent=60.0)
    pack = load_pack(folder, cache=tmp_path / "cache", read=partial(read_in_subprocess, child=child))
    assert len(pack.actions) == 8
    assert {f.file for f in pack.findings if f.level == "error"} == set(labels("roller"))
    again = load_pack(folder, cache=tmp_path / "cache", read=not_read)
    assert again.findings == pack.findings, "what is known of hostile files is kept, too"


def not_read(*_: object) -> NoReturn:
    """Fail instead of reading a pack."""
    pytest.fail("it was kept, and is not read again")


def test_a_pack_read_apart_is_the_same(folder: Path) -> None:
    here, there = load_pack(folder), load_pack(folder, read=read_in_subprocess)
    assert dict(here.actions) == dict(there.actions)
    assert (here.profile, here.check, here.findings, here.version) == (
        there.profile, there.check, there.findings, there.version,
    )  # fmt: skip
    (folder / "openapi.yaml").write_text("paths: [", encoding="utf-8")
    with pytest.raises(registry.PackError, match=r"openapi\.yaml, line"):
        load_pack(folder, read=read_in_subprocess)


def test_a_file_that_takes_minutes_is_left_out(folder: Path, tmp_path: Path) -> None:
    (folder / "actions" / "busy.yaml").write_text(busy_file("busy"), encoding="utf-8")
    pack = load_pack(folder, cache=tmp_path / "cache", read=read_in_subprocess)
    assert len(pack.actions) == 8
    (finding,) = [f for f in pack.findings if f.level == "error"]
    assert finding.file == "roller/actions/busy.yaml"
    assert "takes longer than 2 s to load" in finding.message
    assert not list(tmp_path.glob("cache/*")), "another time there may be time enough"


@pytest.mark.parametrize(
    ("does", "message"),
    [("time.sleep(600)", "takes longer than 5 s"), ("os.abort()", "ends the process that reads it"),
     ("bytearray(8 * 2**30)", "needs too much memory"), ("deep()", "nested too deep"),
     ("{}[1]", "KeyError")],
)  # fmt: skip
def test_whatever_a_file_does_to_its_reader_costs_that_file(folder: Path, does: str, message: str) -> None:
    script = f"""
        import os, time, registry.loading.load as load
        from registry.loading.subprocess_reader import _main
        read = load.read_limited_yaml
        def deep(): return deep()
        def worse(path):
            if path.name == "edit_note.yaml":
                {does}
            return read(path)
        load.read_limited_yaml = worse
        _main()
    """
    # A good file takes 0.1 s; only the one that sleeps needs an earlier end.
    patience = 5.0 if "sleep" in does else 60.0
    child = Child((sys.executable, "-P", "-c", dedent(script)), silent=patience)
    made, whole = read_in_subprocess(folder, None, None, child)
    assert set(made.actions) == set(load_pack(folder).actions) - {"edit_note"}
    (finding,) = [f for f in made.findings if f.level == "error"]
    assert finding.file == "roller/actions/edit_note.yaml"
    assert message in finding.message
    assert whole is (not message.startswith(("takes", "ends")))


def test_a_reader_that_never_says_a_word_is_given_up(folder: Path) -> None:
    with pytest.raises(registry.PackError, match="without a word"):
        read_in_subprocess(folder, None, None, Child((sys.executable, "-c", "raise SystemExit(3)")))


@pytest.mark.parametrize("source", hostile_pack.TEMPLATES.values(), ids=hostile_pack.TEMPLATES)
def test_a_frozen_template_is_as_harmless_while_a_plan_runs(source: str) -> None:
    with pytest.raises(TemplateRenderError) as caught:
        render(source, {"rows": []}, "w")
    assert len(caught.value.reason) <= 600


def test_work_on_large_answers_adds_up() -> None:
    rows = [{"id": n, "inner": [{"a": k} for k in range(50)]} for n in range(400)]
    for source in (
        "{% for a in rows %}{% for b in rows %}{% if a.inner == b.inner %}x{% endif %}{% endfor %}{% endfor %}",
        "{% for a in rows %}{{ rows | within('inner', rows) | length }}{% endfor %}",
        "{% for a in rows %}{% for b in rows %}" + "some text" * 300 + "{% endfor %}{% endfor %}",
    ):
        with pytest.raises(TemplateRenderError, match="more work"):
            render(source, {"rows": rows}, "w")
    tree = {"for_each": "rows", "value": {"for_each": "rows", "value": "{{ item.id }}"}}
    with pytest.raises(TemplateRenderError, match="more work"):
        render_tree(tree, {"rows": rows}, "w")
    with pytest.raises(TemplateRenderError, match="more work"):
        render("{{ note | without_lines(note[:200000]) }}", {"note": "a\n" * 200_000}, "w")


def test_honest_templates_are_not_in_the_way() -> None:
    rows = [{"id": n, "name": "Ada"} for n in range(3_000)]
    names = {"rows": rows, "note": "line\n" * 2_000, "big": 10**18}
    assert render("{% for r in rows %}{{ r.id }} {% endfor %}", names, "w").startswith("0 1 2 ")
    assert len(render_tree({"for_each": "rows", "value": {"id": "{{ item.id }}"}}, names, "w")) == 3_000
    assert evaluate("rows + rows | list", names, "w")[-1] == {"id": 2_999, "name": "Ada"}
    assert evaluate("'a' + 'b' ~ 1", names, "w") == "ab1"
    assert evaluate("big * 3", names, "w") == 3 * 10**18
    assert render("{% set a = 1 %}{% if a %}{% set b = a + 1 %}{{ b }}{% endif %}", names, "w") == "2"
    assert render("{{ ['a', 'b'] | join(', ') }}{{ 'aXbX' | replace('X', '-') }}", names, "w") == "a, ba-b-"
    assert render("{{ rows | map(attribute='id') | list | length }}{{ 2.5 | round }}", names, "w") == "30002"


def test_a_pattern_never_hangs(tmp_path: Path) -> None:
    action = asked(tmp_path, argument("q", "query", {**TEXT, "pattern": HANGS}))
    assert registry.argument_problems(action, {"q": LETTERS}) == [f"q: {LETTERS!r} does not match {HANGS}"]
    assert registry.argument_problems(action, {"q": "abc"}) == []
    either: Json = {"anyOf": [{**TEXT, "pattern": HANGS}, TEXT, {"type": "integer"}]}
    assert coerce(LETTERS, either, "w") == LETTERS
    for schema in (
        {"type": "object", "propertyNames": {"pattern": HANGS}},
        {"type": "object", "patternProperties": {HANGS: {"type": "integer"}}, "additionalProperties": False},
        {"type": "object", "patternProperties": {HANGS: {}}, "additionalProperties": {"type": "integer"}},
    ):
        assert not Validator(schema).is_valid({LETTERS: "x"})
        assert Validator(schema).is_valid({"abc": 1})


@pytest.mark.parametrize("pattern", ["^(?!x)y", r"^(a)\1$", "^a{1,5000}$", "^((a{1,900}){1,900})$"])
def test_a_pattern_that_cannot_be_matched_so_is_left_to_the_api_and_reported_to_the_model(
    tmp_path: Path, pattern: str
) -> None:
    action = posted(tmp_path, thing(a={**TEXT, "pattern": pattern}))
    assert registry.argument_problems(action, {"a": "anything"}) == []
    assert action.parameters[0].json_schema["pattern"] == pattern


def test_a_pattern_of_a_megabyte_is_none(tmp_path: Path) -> None:
    action = posted(tmp_path, thing(a={**TEXT, "pattern": "(" * 300_000 + ")" * 300_000}))
    assert action.parameters[0].json_schema == TEXT


def test_references_in_circles_end(tmp_path: Path) -> None:
    chain: dict[str, Json] = {f"c{n}": {"$ref": f"#/components/schemas/c{n + 1}"} for n in range(5_000)}
    wide: dict[str, Json] = {
        f"w{n}": thing(a={"$ref": f"#/components/schemas/w{n + 1}"}, b={"$ref": f"#/components/schemas/w{n + 1}"})
        for n in range(60)
    }
    nested: dict[str, Json] = {}
    for _ in range(300):
        nested = thing(a=nested)
    schemas = {
        "self": {"$ref": "#/components/schemas/self"}, "one": {"allOf": [{"$ref": "#/components/schemas/two"}]},
        "two": {"allOf": [{"$ref": "#/components/schemas/one"}]}, **chain, "c5000": TEXT, **wide, "w60": TEXT,
        "nested": nested,
    }  # fmt: skip
    paths: dict[str, Json] = {
        "/loop": {"$ref": "#/paths/~1loop"}, "/good": {"get": {"operationId": "good"}},
        **{
            f"/{name}": {"post": {
                "operationId": name,
                "requestBody": {"required": True, "content": {"application/json": {
                    "schema": {"$ref": f"#/components/schemas/{name}"},
                }}},
            }}
            for name in ("self", "one", "c0", "w0", "nested")
        },
    }  # fmt: skip
    found = every(tmp_path, paths, components={"schemas": schemas})
    assert "good" in found.actions
    shown = {f.action for f in found.findings}
    assert all(name in found.actions or name in shown for name in ("self", "one", "c0", "w0", "nested"))
    assert any("refers to itself" in f.message for f in found.findings)


@pytest.mark.parametrize("name", ["properties", "choices", "parameters"])
def test_the_square_of_a_documents_size_is_never_taken(tmp_path: Path, name: str) -> None:
    # Quadratic work of this size takes longer than the suite waits for any test.
    many = [f"v{n}" for n in range(100_000)]
    schema: Json = {
        "properties": thing(**dict.fromkeys(many, TEXT)),
        "choices": thing(a={"allOf": [{**TEXT, "enum": many}, {"enum": many[::-1]}]}),
        "parameters": thing(a={"anyOf": [{**TEXT, "enum": [choice]} for choice in many]}),
    }[name]
    posted(tmp_path, schema)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"openapi": "3.1.0", "paths": {' + '"/x": {"description": "words"},' * 400_000 + "]", "no JSON"),
        ("[" + "[]," * 4_000_000, "too large"), ("- a\n" * 3_000_000, "too large"),
    ],
    ids=["broken at the end", "brackets", "rows"],
)  # fmt: skip
def test_a_large_document_that_is_none_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "openapi.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(registry.PackError, match=message):
        Document.read(path)


def test_a_documents_own_depth_costs_operations_not_the_process(tmp_path: Path) -> None:
    path = tmp_path / "openapi.json"
    deep = '{"allOf": [' * 400 + "{}" + "]}" * 400
    parameter = '{"name": "q", "in": "query", "required": true, "schema": ' + deep + "}"
    paths = '{"/a": {"get": {"operationId": "a"}}, "/b": {"get": {"parameters": [' + parameter + "]}}}"
    path.write_text('{"openapi": "3.1.0", "paths": ' + paths + "}", encoding="utf-8")
    assert "a" in actions_of_document(Document.read(path)).actions


def test_an_unforeseen_fault_is_stated_and_contained(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from registry.lint import run as checked

    whole = checked.try_sample

    def fails(action: AtomicAction, *rest: object) -> None:
        if action.name == "edit_note":
            raise AssertionError("nobody thought of this")
        whole(action, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(checked, "try_sample", fails)
    made, _ = read_here(folder, None, None)
    assert "edit_note" not in made.actions and len(made.actions) == 7
    (finding,) = [f for f in made.findings if f.level == "error"]
    assert "nobody thought of this" in finding.message
