"""Impossible entries of venue.yaml and `bound`, by the document, are found when the pack is loaded:

- a place that no operation has, where a value is then never sent: an error; a header that is nearly a declared one: a
  warning, because headers are sent whatever the document declares;
- `${VARIABLE}` where nothing fills it in: an error that names the allowed places;
- paths of `errors` and codes that no refusal of the document has; scopes that calls require and the pack does not
  request: warnings.
"""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from registry.loading.load import load_pack
from tests.unit.registry.examples import ROLLER
from tests.unit.registry.studio import DOCUMENT, OVERLAY, TEXT, VENUE, load, pack_texts

SCOPED = {"clientCredentials": {"tokenUrl": "https://api.studio.example/token", "scopes": {}}}


def changed(**more: Any) -> dict[str, Any]:
    """Return the document with more declared for the operation that changes a lesson."""
    found = deepcopy(DOCUMENT)
    patch = found["paths"]["/lessons/{lesson_id}"]["patch"]
    for key, value in more.items():
        patch[key] = [*patch.get(key, []), *value] if isinstance(value, list) else {**patch.get(key, {}), **value}
    return found


def refusing(schema: Any) -> dict[str, Any]:
    return changed(responses={"409": {"description": "no", "content": {"application/json": {"schema": schema}}}})


def errors(properties: Any) -> Any:
    return {"type": "object", "properties": properties}


VERSIONED = changed(parameters=[{"name": "X-Api-Version", "in": "header", "schema": TEXT}])


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("X-Api-Verson", "header.X-Api-Version"),
        ("X-Api-Version", ""),
        ("x-api-version", ""),
        ("X-Client", ""),
        ("X-Api-Region", ""),
    ],
)
def test_a_header_that_is_nearly_declared(tmp_path: Path, name: str, hint: str) -> None:
    for place, (overlay, venue) in {
        "venue": (OVERLAY, VENUE + f"bound: {{header.{name}: a}}\n"),
        "own": (OVERLAY + f"bound: {{header.{name}: a}}\n", VENUE),
    }.items():
        pack = load(tmp_path / place, overlay, document=VERSIONED, venue=venue)
        assert "move_lesson" in pack.actions
        assert [(f.level, f.hint) for f in pack.findings] == ([("warning", f"did you mean {hint}?")] if hint else [])
        assert all(f.message.startswith(f"bound.header.{name}: ") and f.line for f in pack.findings)


def test_what_is_never_sent_is_an_error(tmp_path: Path) -> None:
    found = changed(parameters=[{"name": "client", "in": "cookie", "schema": TEXT}])
    for target, hint in (
        ("query.notfy", "query.notify"),
        ("cookie.clint", "cookie.client"),
        ("body.chanel", "body.channel"),
    ):
        pack = load(tmp_path / target, document=found, venue=VENUE + f"bound: {{{target}: a}}\n")
        [finding] = pack.findings
        assert (finding.level, finding.hint) == ("error", f"did you mean {hint}?") and "never sent" in finding.message


def test_what_only_operations_out_of_use_take_is_a_warning(tmp_path: Path) -> None:
    found = deepcopy(DOCUMENT)
    found["paths"]["/rooms"] = {
        "get": {"parameters": [{"name": "hall", "in": "query", "schema": TEXT}], "responses": {}}
    }
    pack = load(tmp_path / "studio", document=found, venue=VENUE + "bound: {query.hall: a}\n")
    assert [f.level for f in pack.findings] == ["warning"] and "no call of this pack takes it" in pack_texts(pack)[0]


UNFILLED = [
    (OVERLAY.replace("    startsAt: ", '    note: "${STUDIO_KEY}"\n    startsAt: ', 1), "request.body.note"),
    (OVERLAY.replace("request:\n", 'request:\n  header: {X-Key: "${STUDIO_KEY}"}\n', 1), "request.header.X-Key"),
    (OVERLAY.replace("{label: When,", '{label: "When ${STUDIO_KEY}",'), "preview.0.label"),
    (
        OVERLAY.replace('with: {lesson_id: "{{ lesson }}"}', 'with: {lesson_id: "${STUDIO_KEY}"}'),
        "snapshot.with.lesson_id",
    ),
    (OVERLAY + 'output: {shape: {key: "${STUDIO_KEY}"}}\n', "output.shape.key"),
    (OVERLAY + 'bound: {header.X-Key: "${studio_key}"}\n', "bound.header.X-Key"),
]


@pytest.mark.parametrize(("overlay", "place"), UNFILLED)
def test_a_variable_where_nothing_fills_it_in(tmp_path: Path, overlay: str, place: str) -> None:
    pack = load(tmp_path / "studio", overlay)
    assert "move_lesson" not in pack.actions
    [found] = [f for f in pack.findings if f.level == "error"]
    assert found.pointer == place and ("under `bound`" in found.hint or "in capitals" in found.message)


def test_a_variable_in_venue_yaml(tmp_path: Path) -> None:
    for line, level in (("about: Ask ${STUDIO_KEY}.", ["error"]), ('bound: {header.X-Key: "${STUDIO_KEY}"}', [])):
        pack = load(tmp_path / line[:5], venue=f"{VENUE}{line}\n")
        assert [f.level for f in pack.findings] == level, pack_texts(pack)


def test_where_refusals_say_what_is_wrong(tmp_path: Path) -> None:
    found = refusing(
        errors({"problem": errors({"kind": TEXT}), "rows": {"type": "array", "items": errors({"text": TEXT})}})
    )
    right = VENUE + "errors: {code: problem.kind, message: [rows.text, problem]}\n"
    assert pack_texts(load(tmp_path / "a", document=found, venue=right)) == []
    pack = load(
        tmp_path / "b", document=found, venue=VENUE + "errors: {code: problem.knd, message: [rows.text, note]}\n"
    )
    assert [(f.level, f.pointer, f.line) for f in pack.findings] == [
        ("warning", "errors.code", 8),
        ("warning", "errors.message.1", 8),
    ]
    assert pack.findings[0].hint == "did you mean problem.kind?"
    for open_ in (errors({}), {}, DOCUMENT):
        silent = open_ if open_ is DOCUMENT else refusing(open_)
        assert pack_texts(load(tmp_path / "c", document=silent, venue=VENUE + "errors: {code: problem.knd}\n")) == []


CODES = errors({"code": {"type": "string", "enum": ["full", "closed"]}, "message": TEXT})
ROOM = 'availability: {operation: get-lesson, with: {lesson_id: "{{ lesson }}"}, requires: {ours: response.id}}\n'


@pytest.mark.parametrize(
    ("schema", "rule", "venue", "hint"),
    [
        (CODES, "{code: fll, message: Full.}", "", "did you mean full?"),
        (CODES, "{code: [full, closd], message: Full.}", "", "did you mean closed?"),
        (CODES, "{status: 409, code: full, message: Full.}", "", None),
        (CODES, "{status: 503, code: fll, message: Full.}", "", None),
        (CODES, f"{{code: ours, message: Full.}}\n{ROOM}", "", None),
        (errors({"code": TEXT}), "{code: fll, message: Full.}", "", None),
        (errors({"error": CODES}), "{code: fll, message: Full.}", "", "did you mean full?"),
        (errors({"why": CODES}), "{code: fll, message: Full.}", "errors: {code: why.code}", "did you mean full?"),
        (errors({"why": CODES}), "{code: fll, message: Full.}", "", None),
    ],
)
def test_a_code_that_the_document_does_not_list(
    tmp_path: Path, schema: Any, rule: str, venue: str, hint: str | None
) -> None:
    overlay = f"{OVERLAY}errors:\n  - {rule}\n"
    pack = load(tmp_path / "studio", overlay, document=refusing(schema), venue=f"{VENUE}{venue}\n")
    assert [(f.level, f.hint) for f in pack.findings] == ([("warning", hint)] if hint else []), pack_texts(pack)


@pytest.mark.parametrize(
    ("security", "scopes", "lacks"),
    [
        ([{"o": ["write", "read"]}], "[read]", "write"),
        ([{"o": ["write", "read"]}], "[]", "read, write"),
        ([{"o": ["write", "read"]}], "[read, write, more]", ""),
        ([{"o": ["write"]}, {"o": ["read"]}], "[read]", ""),
        ([{"o": []}], "[]", ""),
    ],
)
def test_scopes_that_no_one_asks_for(tmp_path: Path, security: Any, scopes: str, lacks: str) -> None:
    found = changed(security=security)
    found["components"]["securitySchemes"] = {"o": {"type": "oauth2", "flows": SCOPED}}
    given = f'credentials: {{o: {{client_id: iq, client_secret: "${{STUDIO_KEY}}", scopes: {scopes}}}}}\n'
    pack = load(tmp_path / "studio", document=found, venue=VENUE + given)
    assert "move_lesson" in pack.actions
    if lacks:
        [finding] = pack.findings
        assert finding.level == "warning" and f"change-lesson wants the scopes {lacks} by" in finding.message
        assert finding.hint == "write `scopes: [read, write]`"
    else:
        assert pack_texts(pack) == []


def test_one_mistake_is_reported_once(tmp_path: Path) -> None:
    looks = OVERLAY.replace(
        "sample:\n",
        '  - {label: A, after: "{{ seen.othr.status }}"}\n'
        '  - {label: B, after: "{{ seen.othr.id }} of {{ seen.othr.note }}"}\n'
        'preview_reads: {other: {operation: get-lesson, with: {lesson_id: "{{ lesson }}"}}}\nsample:\n',
    )
    [found] = load(tmp_path / "studio", looks).findings
    assert found.message.startswith("preview.1.after: there is no seen.othr")
    assert found.message.endswith("(also in preview.2.after)") and found.hint == "did you mean other?"


def test_real_packs_are_not_accused() -> None:
    for folder in (ROLLER, ROLLER.parent / "bookeo"):
        assert [f for f in load_pack(folder).findings if f.level != "info"] == []
