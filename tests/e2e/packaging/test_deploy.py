"""`compose.yaml` and `docs/deploy.md`, as far as they can be checked without a container engine.

- The file is well formed, every service that another waits for exists, and so does every file that it mounts.
- Every setting of ours in it exists, as does every one that the page names; every command of ours exists.
- Our parts get all that the page requires, and every search attribute is registered.
- The page's links lead somewhere.
"""

import re
from typing import Any

import pytest
from pydantic import AliasChoices
from ruamel.yaml import YAML
from typer.main import get_command

from cli.main import app
from infra.config.settings import ROOT, Settings
from infra.temporal.search_attributes import ALL
from infra.temporal.task_queues import Role

PAGE = ROOT / "docs" / "deploy.md"
OURS = ("api", "worker-plan", "worker-venue", "worker-model")
THEIRS = ("TEMPORAL_CODEC", "LANGFUSE_S3", "LANGFUSE_NEXTAUTH", "LANGFUSE_SALT", "LANGFUSE_ENCRYPTION")
"""How variables begin that Temporal's UI and Langfuse's own server read."""


def variables() -> set[str]:
    found = set()
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        found.add(str(alias.choices[0]) if isinstance(alias, AliasChoices) else f"IQ_{name.upper()}")
    return found


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return YAML(typ="safe").load(ROOT / "compose.yaml")


def test_what_is_waited_for_and_mounted_is_there(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for name, service in services.items():
        assert set(service.get("depends_on", {})) <= set(services), name
        assert ("image" in service) or ("build" in service), name
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            assert (ROOT / source).is_file() if source.startswith("./") else source in compose["volumes"], volume
    assert (ROOT / services["api"]["build"]["dockerfile"]).is_file()


@pytest.mark.parametrize("file", ["temporal.yaml", "prometheus.yaml"])
def test_what_is_mounted_is_well_formed(file: str) -> None:
    assert YAML(typ="safe").load(ROOT / "deploy" / file)


def test_every_setting_in_it_exists(compose: dict[str, Any]) -> None:
    for name in OURS:
        given = compose["services"][name]["environment"]
        assert set(given) <= variables(), name
        assert {"IQ_KEYS", "IQ_SERVICE_KEY", "IQ_VENUE_URLS", "IQ_MODEL_BASE_URL", "IQ_LEDGER_URL", "REDIS_URL",
                "TEMPORAL_ADDRESS", "IQ_SPLIT_QUEUES"} <= set(given), name  # fmt: skip
    assert compose["services"]["api"]["environment"]["IQ_HOST"] == "0.0.0.0"


def test_its_values_are_read(compose: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"IQ_VENUE_URLS": '{"roller": "https://api.roller.app"}', "IQ_MODEL_BASE_URL": "https://m.example/v1"}
    for name, value in compose["services"]["api"]["environment"].items():
        default = re.fullmatch(r"\$\{(\w+)(?::([-?])(.*))?\}", str(value))
        text = str(value) if default is None else (default[3] if default[2] == "-" else asked.get(name, "x"))
        monkeypatch.setenv(name, re.sub(r"\$\{[^}]*\}", "x", text))
    found = Settings(_env_file=None)
    assert (found.split_queues, found.build_id, found.host) == (True, None, "0.0.0.0")


def test_every_command_in_it_is_one(compose: dict[str, Any]) -> None:
    command = get_command(app)
    for name in OURS:
        words = compose["services"][name]["command"]
        found = command.commands[words[0]]  # type: ignore[attr-defined]
        found.make_context(words[0], list(words[1:]))
    roles = {compose["services"][name]["command"][-1] for name in OURS[1:]}
    assert roles == {role.value for role in Role}, "every role has its worker"


def test_every_search_attribute_is_registered(compose: dict[str, Any]) -> None:
    [script] = compose["services"]["search-attributes"]["command"]
    [names] = re.findall(r"for name in ([\w ]+);", script)
    kinds = dict.fromkeys(names.split(), "Keyword") | dict(re.findall(r"--name (Iq\w+) --type (\w+)", script))
    assert kinds == {key.name: key.indexed_value_type.name.title() for key in ALL}


def test_what_the_page_names_exists() -> None:
    text = PAGE.read_text(encoding="utf-8")
    named = {n for n in re.findall(r"\b(?:IQ|TEMPORAL|LANGFUSE|REDIS)_[A-Z_]+\b", text) if not n.startswith(THEIRS)}
    assert named <= variables(), named - variables()
    for words in re.findall(r"`iq ([a-z ]+)", text):
        assert words.split()[0] in get_command(app).commands, words  # type: ignore[attr-defined]
    for role in Role:
        assert f"| `{role}` |" in text


def test_its_links_lead_somewhere() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        assert (PAGE.parent / target).exists(), target
    for path in re.findall(r"`((?:tests|deploy)/[\w./]+)`", text):
        assert (ROOT / path).exists(), path
