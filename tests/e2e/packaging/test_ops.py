"""The on-call material in `docs/ops/`. Guarantees:

- `promtool test rules` fires every alert, and none on a similar but harmless case;
- every alert leads to its own place in the runbook, and the limits on a turn and on the queue are 15 s and 5 s;
- each of the dashboard's panels queries the one chosen source, and the panels show every metric that an alert queries.
"""

import json
import re
import subprocess

from ruamel.yaml import YAML

from infra.config.settings import ROOT
from tests.support import needs
from tests.support.waiting import STARTING

OPS = ROOT / "docs" / "ops"
RULES = {
    rule["alert"]: rule
    for group in YAML(typ="safe").load((OPS / "alerts.yaml").read_text())["groups"]
    for rule in group["rules"]
}


def test_every_alert_fires_and_is_silent_beside_what_looks_like_it() -> None:
    tests = YAML(typ="safe").load((OPS / "alerts_test.yaml").read_text())["tests"]
    cases = [case for test in tests for case in test["alert_rule_test"]]
    assert {case["alertname"] for case in cases if case["exp_alerts"]} == set(RULES)
    assert {case["alertname"] for case in cases if not case["exp_alerts"]} == set(RULES)
    for call in (("check", "rules", "alerts.yaml"), ("test", "rules", "alerts_test.yaml")):
        done = subprocess.run([needs.promtool(), *call], cwd=OPS, capture_output=True, text=True, timeout=STARTING)
        assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_leads_to_its_place_in_the_runbook() -> None:
    for name, rule in RULES.items():
        assert rule["annotations"]["runbook_url"] == f"docs/runbook.md#{name.lower()}"
        assert rule["labels"]["severity"] in ("page", "ticket")
    assert RULES["IqTurnSlow"]["expr"].endswith("> 15")
    assert all(line.endswith("> 5") for line in RULES["IqQueueSlow"]["expr"].splitlines() if "quantile" in line)
    runbook = ROOT / "docs" / "runbook.md"
    if runbook.exists():
        headings = {line.lstrip("# ").lower() for line in runbook.read_text().splitlines() if line.startswith("#")}
        assert {name.lower() for name in RULES} <= headings


def test_the_dashboards_panels_each_ask_something() -> None:
    board = json.loads((OPS / "dashboard.json").read_text())
    assert len({panel["title"] for panel in board["panels"]}) == len(board["panels"]) > 20
    for panel in board["panels"]:
        assert panel["targets"] and panel["datasource"]["uid"] == "${source}"
        assert all(target["expr"] for target in panel["targets"])
    shown = {name for panel in board["panels"] for target in panel["targets"] for name in metrics(target["expr"])}
    assert {name for rule in RULES.values() for name in metrics(rule["expr"])} - shown == set()


def metrics(expression: str) -> set[str]:
    """Return the metrics of ours that the expression queries; a bucket by its histogram."""
    return {name.removesuffix("_bucket") for name in re.findall(r"\biq_\w+", expression)}
