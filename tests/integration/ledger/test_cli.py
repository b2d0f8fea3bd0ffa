"""`iq usage`, `iq venue mode`, `iq tariff mode`, each as a process of its own. Guarantees: they show and switch the
ledger that the settings name; for an unknown name they suggest the nearest; `premium` reads as adaptive; an unavailable
ledger is a sentence.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commands.usage import _because
from contracts.enums import AiMode
from contracts.usage import ModeRow
from infra.config.settings import ROOT
from tests.support.ledgers import Books, a_call, a_ledger, a_plan

pytestmark = pytest.mark.slow


def iq(url: str, folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    set_to = {"IQ_LEDGER_URL": url, "IQ_DATA": str(folder), "IQ_PACKS": str(ROOT / "overlays/roller")}
    return subprocess.run(
        [sys.executable, "-m", "cli.main", *arguments], cwd=ROOT, env={**os.environ, **set_to}, capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip


def test_usage_is_a_table_and_json(url: str, tmp_path: Path) -> None:
    with a_ledger(url) as ledger:
        books = Books(ledger)
        books.call(a_call("c1", tariff="pro", multiplier=1.2), tokens=(2000, 0, 200))
        books.call(a_call("c2"), model="new", tokens=(1, 0, 1))
        books.plan(a_plan("p1"))
        assert books.writer.flush(60)
    shown = iq(url, tmp_path, "usage", "--from", "2026-01-01", "--to", "2036-01-01")
    assert shown.returncode == 0, shown.stderr
    assert "0.0108 + 1 unknown" in shown.stdout
    assert "30.00 s" in shown.stdout
    found = json.loads(
        iq(url, tmp_path, "usage", "--by", "venue", "--from", "2026-01-01", "--to", "2036-01-01", "--json").stdout
    )
    assert [(row["name"], row["calls"]) for row in found["usage"]] == [("hall", 2)]
    assert iq(url, tmp_path, "usage", "--from", "2026-02-01", "--to", "2026-01-01").returncode == 1


def test_a_mode_is_shown_switched_and_taken_back(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'l.db'}"
    assert "adaptive  tariff pro" in iq(url, tmp_path, "venue", "mode").stdout
    assert "standard  switched by" in iq(url, tmp_path, "venue", "mode", "roller-demo", "standard").stdout
    assert "adaptive  switched by" in iq(url, tmp_path, "venue", "mode", "roller-demo", "premium").stdout
    assert "adaptive  tariff pro" in iq(url, tmp_path, "venue", "mode", "roller-demo", "default").stdout
    [row] = json.loads(iq(url, tmp_path, "tariff", "mode", "pro", "standard", "--json").stdout)
    assert (row["mode"], row["default"], row["toggled"]) == ("standard", "adaptive", "standard")


def test_a_tariff_that_is_missing_is_reported() -> None:
    row = ModeRow(
        kind="venue", name="hall", mode=AiMode.STANDARD, default=AiMode.STANDARD, tariff="old", tariff_known=False
    )
    assert _because(row) == "tariff old, which overlays/tariffs.yaml does not have"


def test_a_name_that_there_is_not_gets_the_nearest(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'l.db'}"
    for arguments, shown in (
        (("tariff", "mode", "prp", "standard"), "iq: there is no tariff prp; did you mean pro?"),
        (("venue", "mode", "roler-demo", "standard"), "did you mean roller-demo?"),
        (("venue", "mode", "roller-demo", "adaptiv"), "iq: there is no mode adaptiv; did you mean adaptive?"),
    ):
        ended = iq(url, tmp_path, *arguments)
        assert ended.returncode == 1
        assert shown in ended.stderr


def test_a_ledger_that_is_away_is_a_sentence(tmp_path: Path) -> None:
    ended = iq("postgresql://nobody:hunter2@127.0.0.1:9/none", tmp_path, "usage")
    assert ended.returncode == 1
    assert ended.stderr.startswith("iq: the ledger")
    assert "hunter2" not in ended.stderr + ended.stdout
