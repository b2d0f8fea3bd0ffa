"""`iq actions`, as an author uses it. Guarantees:

- check: findings with file:line and did-you-mean, exit 1 on an error. show and list: what the model sees, with tokens.
- tools: JSON with tools, findings, seconds, tokens, for either dialect; an invalid document gives a finding. So do
  thousands of operations or of choices. Hostile files cost check no more than they cost a server.
- init: a draft that loads once it is enabled, for any operation. diff: what a new document breaks, exit 1 when it does.
- The published schema of overlays matches the models and accepts the ROLLER overlays.
"""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

import registry
from authoring import token_count
from authoring.drafts.draft import draft_overlay
from cli.commands.actions import app
from registry.loading.load import load_pack
from registry.openapi.document import Document
from registry.overlays.json_schema import overlay_schema, published, venue_schema
from registry.overlays.yaml_file import read_yaml
from tests.support.hostile_pack import busy_file, put_into
from tests.unit.registry.examples import ROLLER, edited

pytestmark = pytest.mark.slow

DOCUMENT = str(ROLLER / "openapi.yaml")


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout


def test_check(folder: Path) -> None:
    assert run("check", "--pack", str(ROLLER))[0] == 0
    assert run("check", "--pack", "restaurant")[0] == 0, "though there is a folder of that name that is no pack"
    assert run("check", "--spec", DOCUMENT)[0] == 0
    text = edited("edit_note", {"operation: update-a-booking\niq": "operation: update-a-bookin\niq"})
    (folder / "actions" / "edit_note.yaml").write_text(text, encoding="utf-8")
    code, message = run("check", "--pack", str(folder))
    assert code == 1
    assert "roller/actions/edit_note.yaml:2: error:" in message
    assert "did you mean update-a-booking?" in message


def test_show_and_list(pack: registry.Pack) -> None:
    code, message = run("show", "edit_note", "--pack", str(ROLLER))
    assert code == 0
    tool, _, rest = message.partition("\n}\n")
    assert json.loads(tool + "\n}") == registry.openai_tool(pack.actions["edit_note"])
    assert "tokens (" in rest
    assert run("show", "edit_not", "--pack", str(ROLLER))[0] == 1
    assert "cancel_booking" in run("list", "--pack", str(ROLLER))[1]


def large_document(folder: Path, what: str) -> Path:
    """Return a document of 5,000 operations, or of one parameter with 25,000 choices."""
    schema = {"type": "string", "enum": [f"value-{n}" for n in range(25_000)]}
    asked = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"} if what == "many" else schema}
    shown = "Get one thing of the shop, as it is kept at the counter, with all that is known of it."
    paths = {
        f"/things{n}/{{id}}": {"get": {"operationId": f"get-thing-{n}", "summary": shown, "parameters": [asked]}}
        for n in range(5_000 if what == "many" else 1)
    }
    path = folder / "openapi.json"
    path.write_text(json.dumps({"openapi": "3.1.0", "paths": paths}), encoding="utf-8")
    return path


@pytest.mark.parametrize("dialect", ["openai", "gemini"])
@pytest.mark.parametrize(("what", "tools", "tokens"), [("many", 5_000, 200_000), ("choices", 1, 100_000)])
def test_tools_of_a_very_large_document(tmp_path: Path, dialect: str, what: str, tools: int, tokens: int) -> None:
    document = str(large_document(tmp_path, what))
    code, message = run("tools", "--spec", document, "--all", "--emit", dialect, "--json")
    found = json.loads(message)
    assert (code, len(found["tools"]), found["findings"]) == (0, tools, [])
    assert found["tokens"] > tokens


def test_tokens_are_the_same_counted_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(json.dumps({"say": f"move booking {n} to Saturday, 3pm"}) for n in range(300))
    whole = token_count.tokens(text)
    monkeypatch.setattr(token_count, "_MOST_AT_ONCE", 1_000)
    assert token_count.tokens(text) == whole > 3_000
    assert token_count.tokens("x" * 10_000) > 0


def test_check_has_the_servers_limits(folder: Path) -> None:
    for name in ("pipe", "zero", "loops"):
        put_into(folder, name)
    (folder / "actions" / "busy.yaml").write_text(busy_file("busy"), encoding="utf-8")
    code, message = run("check", "--pack", str(folder))
    assert code == 1
    assert "pack roller: 8 actions" in message
    assert "busy.yaml" in message and "takes longer than 2 s to load" in message


@pytest.mark.parametrize("dialect", ["openai", "gemini"])
def test_tools(dialect: str) -> None:
    code, message = run("tools", "--spec", DOCUMENT, "--all", "--emit", dialect, "--json")
    found = json.loads(message)
    assert code == 0
    assert set(found) == {"tools", "findings", "seconds", "tokens"}
    assert len(found["tools"]) == len(Document.read(Path(DOCUMENT)).keys) - len(
        [f for f in found["findings"] if f["level"] == "error"]
    )
    assert found["tokens"] > 100


def test_tools_of_what_is_no_document(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text('{"swagger": "2.0"}')
    code, message = run("tools", "--spec", str(path), "--all", "--json")
    assert code == 1
    assert "convert" in json.loads(message)["findings"][0]["message"]


def test_init(folder: Path) -> None:
    document = Document.read(Path(DOCUMENT))
    for key in document.keys:
        name, text = draft_overlay(document, key)
        enabled = text.replace("iq_enabled: false", "iq_enabled: true").replace(f"action: {name}", f"action: {name}_x")
        (folder / "actions" / f"{name}_x.yaml").write_text(enabled, encoding="utf-8")
    pack = load_pack(folder)
    wrong = [f for f in pack.findings if f.level == "error" and "model may see" not in f.message]
    assert not [f for f in wrong if "nothing gives" not in f.message], wrong
    assert len(pack.actions) > 12
    assert run("init", "get-guest-detail", "--pack", str(folder))[0] == 0
    assert (folder / "actions" / "get_guest_detail.yaml").is_file()
    assert run("init", "get-guest-detail", "--pack", str(folder))[0] == 1
    code, message = run("init", "get-guest-detai", "--spec", DOCUMENT)
    assert code == 1
    assert "did you mean get-guest-detail?" in message


def test_diff(folder: Path) -> None:
    changed = folder / "new.yaml"
    text = (folder / "openapi.yaml").read_text(encoding="utf-8")
    assert run("diff", DOCUMENT, DOCUMENT, "--pack", str(folder)) == (0, "breaks nothing\n")
    changed.write_text(text.replace("operationId: cancel-a-booking", "operationId: drop-a-booking"), encoding="utf-8")
    code, message = run("diff", DOCUMENT, str(changed), "--pack", str(folder))
    assert code == 1
    assert "it is called drop-a-booking now" in message
    assert "breaks cancel_booking\n" in message


def test_the_published_schema() -> None:
    for path, text in published().items():
        assert path.read_text(encoding="utf-8") == text, "run `python -m registry.overlays.json_schema`"
    overlays = Draft202012Validator(overlay_schema())
    for path in (ROLLER / "actions").glob("*.yaml"):
        assert not list(overlays.iter_errors(read_yaml(path).data)), path.name
    assert not list(Draft202012Validator(venue_schema()).iter_errors(read_yaml(ROLLER / "venue.yaml").data))
