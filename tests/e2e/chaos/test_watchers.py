"""The chaos suite's check of watchers (`tests.e2e.chaos.watchers`): it accepts a whole stream, and names each fault."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.chaos.watchers import contradicted

PLAN: dict[str, Any] = {
    "status": "completed",
    "actions": [{"step": 1, "status": "completed"}, {"step": 2, "status": "completed"}],
}
KINDS = [
    "initiated", "confirmed", "step_started", "step_result", "step_started", "step_result", "complete",
    "separate_message",
]  # fmt: skip


def whole() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [{"number": n, "kind": kind} for n, kind in enumerate(KINDS, 1)]
    for n, step in ((2, 1), (3, 1), (4, 2), (5, 2)):
        rows[n] |= {"step": step, "step_status": "completed"}
    rows[6]["status"] = "completed"
    return rows


def renumbered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "number": n} for n, row in enumerate(rows, 1)]


def test_what_is_whole_passes() -> None:
    assert contradicted(whole(), PLAN) == []


@pytest.mark.parametrize(("broken", "text"), [
    (lambda r: r[:4] + r[5:], "missing, doubled"),
    (lambda r: renumbered(r[:4] + r[3:]), "not heard once"),
    (lambda r: renumbered(r[:3] + r[4:]), "not heard once"),
    (lambda r: r[:-1], "the end was not heard"),
    (lambda r: renumbered(r[1:]), "not `initiated`"),
    (lambda r: [{**row, "step_status": "failed"} if "step_status" in row else row for row in r], "results were told"),
    (lambda r: renumbered([*r[:6], r[6], *r[6:]]), "`complete` was told"),
    (lambda r: [{**row, "status": "failed"} if row["kind"] == "complete" else row for row in r], "`complete` was told"),
])  # fmt: skip
def test_each_mishap_is_named(broken: Callable[[Any], Any], text: str) -> None:
    assert any(text in line for line in contradicted(broken(whole()), PLAN))
