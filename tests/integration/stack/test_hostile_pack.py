"""A pack full of hostile files, through the whole stack.

Every file that could hang, kill or fill its reader is beside a good new action. The refresh ends, and the API keeps
answering meanwhile; a sentence uses the good action; each bad file has its finding. An action whose own file breaks
keeps working, and `/readyz` reports that it is older than its file; a document that breaks leaves the pack as it was.
"""

import asyncio
from pathlib import Path

import pytest

from tests.integration.stack.test_extensibility import OVERLAY, Venue, add_operation, extended, venue
from tests.support.hostile_pack import NAMES, busy_file, labels, put_into
from tests.support.operator import Operator
from tests.support.waiting import STARTING

__all__ = ["extended", "venue"]
pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def test_hostile_files_cost_themselves_alone(extended: tuple[Operator, Path, Venue]) -> None:
    operator, pack, wrote = extended
    add_operation(pack)
    (pack / "actions" / "assign_lockers.yaml").write_text(OVERLAY.format(safety="normal"))
    (pack / "actions" / "busy.yaml").write_text(busy_file("busy"), encoding="utf-8")
    for name in NAMES:
        put_into(pack, name)

    refresh = asyncio.create_task(operator.http.post("/v1/actions/refresh", timeout=STARTING))
    served = 0
    while not refresh.done():
        assert (await operator.http.get("/healthz")).status_code == 200
        served += 1
        await asyncio.sleep(0.05)
    catalogue = (await refresh).json()
    assert served > 5, "others are served meanwhile"

    assert {f["file"] for f in catalogue["findings"] if f["level"] == "error"} == {
        *labels("roller"),
        "roller/actions/busy.yaml",
    }
    assert len(catalogue["actions"]) == 9
    plan = await operator.plan_for("please assign 4 lockers to booking 8231")
    await operator.confirm(plan)
    assert (await operator.settled(plan))["status"] == "completed"
    assert wrote.writes == [{"booking": "b-1", "body": {"lockers": 4}}]


async def test_what_breaks_stays_as_it_was_and_readyz_says_so(extended: tuple[Operator, Path, Venue]) -> None:
    operator, pack, wrote = extended
    add_operation(pack)
    overlay = pack / "actions" / "assign_lockers.yaml"
    overlay.write_text(OVERLAY.format(safety="normal"))
    whole = (await operator.post("/v1/actions/refresh")).json()
    assert whole["findings"] == []
    assert "notes" not in (await operator.http.get("/readyz")).json()

    overlay.write_text("action: assign_lockers\noperation: [\n")
    broken = await operator.post("/v1/actions/refresh")
    assert broken.status_code == 200
    found = {f["level"]: f for f in broken.json()["findings"]}
    assert found["error"]["file"] == found["warning"]["file"] == "roller/actions/assign_lockers.yaml"
    assert "assign_lockers stays as it was on 20" in found["warning"]["message"]
    assert broken.json()["version"] != whole["version"]
    ready = await operator.http.get("/readyz")
    assert (ready.status_code, ready.json()["status"]) == (200, "ready")
    (note,) = ready.json()["notes"]
    assert note.startswith("roller: assign_lockers is of 20")
    plan = await operator.plan_for("please assign 4 lockers to booking 8231")
    await operator.confirm(plan)
    assert (await operator.settled(plan))["status"] == "completed"
    assert len(wrote.writes) == 1

    (pack / "openapi.yaml").write_text("paths: [")
    refused = await operator.post("/v1/actions/refresh")
    assert refused.status_code == 503 and "openapi.yaml" in refused.json()["error"]["message"]
    ready = await operator.http.get("/readyz")
    assert ready.status_code == 200 and "the whole pack is of 20" in ready.json()["notes"][0]
    assert "assign_lockers" in {a["name"] for a in (await operator.http.get("/v1/actions")).json()["actions"]}

    overlay.unlink()
    await operator.post("/v1/actions/refresh")
    names = {a["name"] for a in (await operator.http.get("/v1/actions")).json()["actions"]}
    assert "assign_lockers" not in names and len(names) == 8
