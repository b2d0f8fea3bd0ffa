"""`overlays/tariffs.yaml` and `overlays/model_prices.yaml`. Guarantees:

- the shipped files are valid, the shipped packs name a tariff that is adaptive, and `premium` reads as that;
- a mistake is a finding with its line and the nearest name, and costs its own row only;
- a venue that names an unknown tariff gets a finding with the nearest name, at every load.
"""

import shutil
from pathlib import Path

import pytest

from contracts.enums import AiMode
from registry.loading.load import load_pack
from registry.tariffs import OVERLAYS, read_prices, read_tariffs
from tests.support.shipped import shipped


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "file.yaml"
    file.write_text(text)
    return file


def test_the_shipped_files_are_valid() -> None:
    tariffs, wrong = read_tariffs()
    prices, wrong_prices = read_prices()
    assert wrong == wrong_prices == []
    assert {name: t.mode.value for name, t in tariffs.items()} == {
        "basic": "standard", "pro": "adaptive", "enterprise": "adaptive",
    }  # fmt: skip
    assert [(p.input, p.output) for p in prices] == [(0, 0), (0.59, 0.79), (3, 15)]


@pytest.mark.parametrize("pack", ["roller", "bookeo", "calendar"])
def test_a_shipped_pack_is_adaptive(pack: str) -> None:
    found = shipped(pack)
    assert read_tariffs()[0][found.profile.tariff].mode is AiMode.ADAPTIVE
    assert not [f for f in found.findings if "tariff" in f.message]


def test_premium_reads_as_adaptive(tmp_path: Path) -> None:
    tariffs, wrong = read_tariffs(written(tmp_path, "gold: {mode: premium}"))
    assert (tariffs["gold"].mode, wrong) == (AiMode.ADAPTIVE, [])


def test_a_multiplier_is_that_of_a_mode(tmp_path: Path) -> None:
    tariffs, wrong = read_tariffs(written(tmp_path, "gold: {mode: adaptive, multiplier: {premium: 1.5}}\nplain: {}"))
    assert wrong == []
    assert [tariffs["gold"].multiplier_in(mode) for mode in (AiMode.ADAPTIVE, AiMode.STANDARD)] == [1.5, 1.0]
    assert tariffs["plain"].multiplier_in(AiMode.ADAPTIVE) == 1.0


@pytest.mark.parametrize(("row", "shown", "hint"), [
    ("bad: {mode: adaptiv}", "bad.mode: 'adaptiv' is no mode", "adaptive"),
    ("bad: {mod: standard}", "bad.mod: is no key", "mode"),
    ("bad: {multiplier: 1.2}", "bad.multiplier: input should be", ""),
    ("bad: {multiplier: {adaptive: -1}}", "bad.multiplier.adaptive: input should be greater", ""),
    ("bad: {multiplier: {adaptive: .inf}}", "bad.multiplier.adaptive: input should be", ""),
    ("bad: {multiplier: {adaptiv: 1}}", "bad.multiplier.adaptiv: 'adaptiv' is no mode", "adaptive"),
    ("bad: dear", "bad: input should be", ""),
])  # fmt: skip
def test_a_mistake_costs_its_own_row(tmp_path: Path, row: str, shown: str, hint: str) -> None:
    tariffs, [wrong] = read_tariffs(written(tmp_path, f"good: {{mode: standard}}\n{row}\n"))
    assert list(tariffs) == ["good"]
    assert (wrong.line, wrong.level) == (2, "error")
    assert shown in wrong.message
    assert hint in wrong.hint


@pytest.mark.parametrize("text", ["- a", "just text", "a: [", ""])
def test_a_file_of_another_kind_is_one_finding(tmp_path: Path, text: str) -> None:
    tariffs, wrong = read_tariffs(written(tmp_path, text))
    assert (tariffs, len(wrong)) == ({}, 1)


def test_a_wrong_price_costs_its_own_row(tmp_path: Path) -> None:
    rows = "- {model: m, input: 1, output: 2}\n- {model: n, inputs: 1, output: 2}\n- {model: o, input: 1, output: -2}"
    prices, wrong = read_prices(written(tmp_path, rows))
    assert [p.model for p in prices] == ["m"]
    assert {w.line for w in wrong} == {2, 3}


def test_a_tariff_that_there_is_not_is_reported_with_the_nearest(tmp_path: Path) -> None:
    pack = Path(shutil.copytree(OVERLAYS / "roller", tmp_path / "roller"))
    file = pack / "venue.yaml"
    file.write_text(file.read_text().replace("tariff: pro", "tariff: prp"))
    for _ in range(2):  # the second load uses the cache of the first
        found = load_pack(pack, cache=tmp_path / "cache")
        [shown] = [f for f in found.findings if "tariff" in f.message]
        assert (shown.file, shown.level) == ("roller/venue.yaml", "error")
        assert "prp" in shown.message
        assert "pro" in shown.hint
