"""A mistake in the settings is reported in one line that names the setting, and nothing starts.

- Each kind of wrong value, at the program's start: no traceback, no value that may hold a password.
- A name that begins with `IQ_` and is no setting: the message names the nearest one. A pack's own variables are known.
- The message names an `.env` that is not UTF-8.
"""

import sys
from pathlib import Path

import pytest

from cli import run
from infra.config import env_names
from infra.config.settings import ROOT, Settings, settings
from tests.integration.infra.test_settings import VARIABLES


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()


def shown(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the lines with which the program ended."""
    with pytest.raises(SystemExit) as ended:
        run.settings()
    assert capsys.readouterr() == ("", "")
    return str(ended.value.code).splitlines()


@pytest.mark.parametrize(("name", "value", "message"), [
    ("IQ_RATE_USER", "lots", "is no rate, such as 300/minute"), ("IQ_RATE_VENUE", "0/minute", "is no rate"),
    ("IQ_RATE_FAILED_AUTH", "-3/minute", "is no rate"), ("REDIS_URL", "nonsense", "redis://127.0.0.1:6379/0"),
    ("REDIS_URL", "http://r", "must begin with redis:// or rediss://"), ("REDIS_URL", "redis://", "name a host"),
    ("IQ_MODEL_BASE_URL", "api.openai.com", "must begin with http:// or https://"),
    ("IQ_MODEL_BASE_URL", "https:///v1", "name a host"), ("IQ_MODEL_BASE_URL", "http://x:99999/v1", "is no address"),
    ("LANGFUSE_HOST", "cloud.langfuse.com", "must begin with http:// or https://"),
    ("IQ_SIGN_IN_URL", "javascript:alert(1)", "must begin with http"), ("IQ_LOG_LEVEL", "loud", "DEBUG, INFO"),
    ("IQ_PORT", "eighty", "valid integer"), ("IQ_PORT", "70000", "65535"),
    ("TEMPORAL_ADDRESS", "http://t:7233", "is no host:port"),
    ("TEMPORAL_ADDRESS", "t:x", "is no host:port"), ("TEMPORAL_TLS", "perhaps", "boolean"),
    ("IQ_VENUE_URLS", "roller=x", "JSON"),
    ("IQ_VENUE_URLS", '{"roller": "api.roller.app"}', "roller is no address"), ("IQ_UI_ORIGINS", "http://ui", "JSON"),
    ("IQ_HOST", "0.0.0.0", "set IQ_SERVICE_KEY"), ("IQ_LEDGER_URL", "mysql://me:secret@db", "postgresql://"),
])  # fmt: skip
def test_a_wrong_value_is_one_line_with_the_settings_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, message: str
) -> None:
    monkeypatch.setenv(name, value)
    [line] = shown(capsys)
    assert line.startswith(f"iq: {name} ")
    assert message in line
    assert "secret" not in line


@pytest.mark.parametrize(("given", "missing"), [("PUBLIC", "SECRET"), ("SECRET", "PUBLIC")])
def test_one_key_of_langfuse_is_not_taken_for_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: str, missing: str
) -> None:
    monkeypatch.setenv(f"LANGFUSE_{given}_KEY", "secret")
    [line] = shown(capsys)
    assert line.startswith(f"iq: LANGFUSE_{missing}_KEY is not set") and '"secret"' not in line


def test_each_wrong_value_has_its_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("IQ_PORT", "x")
    monkeypatch.setenv("IQ_RATE_USER", "y")
    assert [line.split()[1] for line in shown(capsys)] == ["IQ_PORT", "IQ_RATE_USER"]


@pytest.mark.parametrize(("name", "message"), [
    ("IQ_MODLE", "did you mean IQ_MODEL?"), ("IQ_SERVICEKEY", "did you mean IQ_SERVICE_KEY?"),
    ("iq_modle", "did you mean IQ_MODEL?"), ("IQ_WEATHER", ".env.example has them all"),
    ("IQ_AI_MODE", "iq venue mode"),
])  # fmt: skip
def test_a_name_that_sets_nothing_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, message: str
) -> None:
    monkeypatch.setenv(name, "x")
    [line] = shown(capsys)
    assert line.startswith(f"iq: {name} is no setting")
    assert message in line


def test_so_is_one_in_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".env").write_text("IQ_PORT=9000\nIQ_MODLE=gpt\n")
    [line] = shown(capsys)
    assert line == "iq: IQ_MODLE is no setting: did you mean IQ_MODEL?"


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".env").write_bytes("IQ_MODEL=é".encode("latin-1"))
    [line] = shown(capsys)
    assert line.startswith("iq: .env is not UTF-8 (byte 9)")


def test_what_is_right_starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in {
        "IQ_RATE_USER": "5/second", "REDIS_URL": "rediss://:p@r:6380/2", "TEMPORAL_ADDRESS": "[::1]:7233",
        "IQ_LOG_LEVEL": "debug", "IQ_MODEL_BASE_URL": "http://[::1]:8000/v1",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    (tmp_path / ".env").write_text((ROOT / ".env.example").read_text())
    assert run.settings().rate_user == "5/second"


def test_a_packs_own_variable_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pack = tmp_path / "mine"
    pack.mkdir()
    (pack / "venue.yaml").write_text("headers: {X-Key: '${IQ_OF_THE_PACK}'}\n")
    monkeypatch.setenv("IQ_PACKS", str(pack))
    monkeypatch.setenv("IQ_OF_THE_PACK", "k")
    assert run.settings().packs == (pack,)


def test_every_setting_is_known_by_the_name_it_is_set_by() -> None:
    names = [env_names.variable(Settings, field) for field in Settings.model_fields]
    assert sorted(names) == sorted(VARIABLES)
    assert env_names.unknown(names, names, []) == []


def test_the_version_is_that_of_the_package() -> None:
    import subprocess
    import tomllib

    message = subprocess.run(
        [sys.executable, "-m", "cli.main", "--version"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert message.stdout == f"iq {tomllib.loads((ROOT / 'pyproject.toml').read_text())['project']['version']}\n"
