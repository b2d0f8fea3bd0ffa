"""Settings: from the environment, documented in `.env.example`, rejected by name when wrong.

Guarantees:
- `.env.example` has every setting, nothing else, in the form the program reads, each with its default, each under a
  comment; it has no secret and shows how to use OpenAI, Gemini, vLLM and Ollama.
- The environment overrides defaults, and an empty value means "not set".
- A wrong value is rejected with the setting's name.
- Listening beyond this machine needs a service key.
- Keys are created only beside a Temporal service of this machine; elsewhere missing keys are an error that says what to
  do; an invalid key is named by its position, and never repeated.
- Chats and plans get the timeouts of the settings.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from dotenv import dotenv_values
from pydantic import AliasChoices, ValidationError
from pydantic_settings import SettingsError

from infra.config.settings import ROOT, Settings
from infra.crypto.keyring import KeyringError, new_key_line

EXAMPLE = ROOT / ".env.example"


def variable(name: str) -> str:
    """Return the environment variable of a setting."""
    alias = Settings.model_fields[name].validation_alias
    return str(alias.choices[0]) if isinstance(alias, AliasChoices) else f"IQ_{name.upper()}"


VARIABLES = {variable(name): name for name in Settings.model_fields}


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def read(**fields: Any) -> Settings:
    return Settings(_env_file=None, **fields)


def test_the_example_has_every_setting_and_nothing_else() -> None:
    assert set(dotenv_values(EXAMPLE)) == set(VARIABLES)


def test_the_example_is_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    example, plain = Settings(_env_file=EXAMPLE).model_dump(), read().model_dump()

    assert [p.resolve() for p in example.pop("packs")] == [p.resolve() for p in plain.pop("packs")]
    assert example == plain


def test_every_setting_in_the_example_stands_under_a_comment() -> None:
    above = ""
    for line in EXAMPLE.read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            assert above, f"nothing says what {line} is for"
        above = line


def test_the_example_is_grouped() -> None:
    groups = re.findall(r"^# ── (.+?) ─", EXAMPLE.read_text(), re.MULTILINE)

    assert groups == ["Facade", "Temporal", "Model", "Venues", "Patience", "Keys and tokens", "Restaurant", "Tracing"]


@pytest.mark.parametrize("secret", [v for v in VARIABLES if re.search(r"KEY|KEYS$|SECRET", v)])
def test_the_example_holds_no_secret(secret: str) -> None:
    assert dotenv_values(EXAMPLE)[secret] in ("", "offline")


@pytest.mark.parametrize("address", [
    "https://api.openai.com/v1", "https://generativelanguage.googleapis.com/v1beta/openai/", "http://127.0.0.1:8000/v1",
    "http://127.0.0.1:11434/v1",
])  # fmt: skip
def test_the_example_shows_the_way_to_other_models(address: str) -> None:
    assert f"IQ_MODEL_BASE_URL={address}" in EXAMPLE.read_text()


@pytest.mark.parametrize(("name", "value", "field", "meant"), [
    ("IQ_PORT", "9000", "port", 9000), ("TEMPORAL_ADDRESS", "t:1", "temporal_address", "t:1"),
    ("TEMPORAL_TLS", "true", "temporal_tls", True), ("REDIS_URL", "redis://r", "redis_url", "redis://r"),
    ("IQ_CONFIRM_TIMEOUT", "1.5", "confirm_timeout", 1.5), ("IQ_PACKS", "a, b ,", "packs", (Path("a"), Path("b"))),
    ("IQ_VENUE_URLS", '{"roller": "http://x"}', "venue_urls", {"roller": "http://x"}),
    ("IQ_UI_ORIGINS", '["http://ui"]', "ui_origins", ("http://ui",)), ("LANGFUSE_HOST", "http://l", "langfuse_host", "http://l"),
])  # fmt: skip
def test_the_environment_is_read(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, field: str, meant: object
) -> None:
    monkeypatch.setenv(name, value)

    assert getattr(read(), field) == meant


@pytest.mark.parametrize("name", VARIABLES)
def test_an_empty_value_means_not_set(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    before = read()

    monkeypatch.setenv(name, "")

    assert read() == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("IQ_PORT", "eighty"),
        ("IQ_PORT", "0"),
        ("IQ_PORT", "70000"),
        ("IQ_CALL_TIMEOUT", "0"),
        ("IQ_CALL_TIMEOUT", "121"),
        ("IQ_TURN_BUDGET", "-1"),
        ("IQ_CONFIRM_TIMEOUT", "soon"),
        ("TEMPORAL_TLS", "perhaps"),
        ("IQ_MAX_CORRECTIONS", "0"),
        ("IQ_MODEL_TIMEOUT", "301"),
        ("IQ_CHAT_MAX_EVENTS", "1"),
        ("IQ_UI_ORIGINS", "not json"),
        ("IQ_VENUE_URLS", "[]"),
        ("IQ_VENUE_URLS", "roller=http://x"),
    ],
)
def test_a_wrong_value_is_refused_with_the_settings_name(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises((ValidationError, SettingsError), match=rf"(?i){name.removeprefix('IQ_')}"):
        read()


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.10", "::", "venue.example", "127.0.0.2"])
def test_listening_beyond_this_machine_needs_a_service_key(host: str) -> None:
    with pytest.raises(ValidationError, match=f"IQ_HOST is {host}: set IQ_SERVICE_KEY"):
        read(host=host)

    assert read(host=host, service_key="k").host == host


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_listening_on_this_machine_needs_none(host: str) -> None:
    assert read(host=host).service_key is None


@pytest.mark.parametrize("address", ["127.0.0.1:7233", "localhost:8705", "[::1]:7233", "localhost"])
def test_beside_a_local_temporal_keys_are_made(tmp_path: Path, address: str) -> None:
    settings = read(data=tmp_path, temporal_address=address)

    assert settings.ring().primary == settings.ring().primary
    assert (tmp_path / "keys").exists()


@pytest.mark.parametrize("address", ["temporal.example:7233", "10.0.0.5:7233", "ns.tmprl.cloud:7233"])
def test_with_a_remote_temporal_missing_keys_are_refused_with_the_way_out(tmp_path: Path, address: str) -> None:
    with pytest.raises(KeyringError, match=r"IQ_KEYS is not set\. Make a key with `iq keys new`"):
        read(data=tmp_path, temporal_address=address).ring()

    assert not (tmp_path / "keys").exists()


def test_keys_that_are_none_are_named_by_where_they_stand_and_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "ours").write_text("k1:secret!")
    for settings, where in (
        (read(data=tmp_path, keys="k1:secret!"), "IQ_KEYS"),
        (read(data=tmp_path, key_file=tmp_path / "ours"), str(tmp_path / "ours")),
    ):
        with pytest.raises(KeyringError, match=rf"^{re.escape(where)} is no ring of keys\. Key 1 is not") as shown:
            settings.ring()
        assert "secret" not in str(shown.value)


def test_with_a_remote_temporal_given_keys_are_used(tmp_path: Path) -> None:
    line = new_key_line()
    (tmp_path / "ours").write_text(line)
    remote = {"data": tmp_path, "temporal_address": "temporal.example:7233"}

    for settings in (read(**remote, keys=line), read(**remote, key_file=tmp_path / "ours")):
        assert settings.ring().primary == line.partition(":")[0]


def test_patience_reaches_chats_and_plans() -> None:
    policy = read(
        turn_budget=1, chat_idle=2, clarifications=3, chat_max_events=44, confirm_timeout=5, answer_timeout=6,
        model_timeout=7, call_timeout=8, rollback_timeout=9, max_corrections=10, task_queue="q", sign_in_timeout=11,
    ).chat_policy()  # fmt: skip

    assert (policy.turn_budget, policy.idle_after, policy.clarifications, policy.continue_after_events) == (1, 2, 3, 44)
    plan = policy.plan
    assert (plan.confirm_timeout, plan.answer_timeout, plan.model_timeout, plan.call_timeout) == (5, 6, 7, 8)
    assert (plan.rollback_timeout, plan.max_corrections, plan.task_queue, plan.sign_in_timeout) == (9, 10, "q", 11)


def test_queues_are_split_only_where_it_is_stated() -> None:
    plain, split = read(task_queue="q").chat_policy().plan, read(task_queue="q", split_queues=True).chat_policy().plan

    assert (plain.task_queue, plain.venue_queue, plain.model_queue) == ("q", "", "")
    assert (split.task_queue, split.venue_queue, split.model_queue) == ("q", "q-venue", "q-model")


def test_a_pack_may_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its folder, or by its name under overlays/."""
    monkeypatch.setenv("IQ_PACKS", f"roller,{tmp_path}")
    assert Settings(_env_file=None).packs == (ROOT / "overlays" / "roller", tmp_path)
