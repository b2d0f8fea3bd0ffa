"""Adding an action needs no code.

The test puts a new operation into a copy of the API document and a YAML file beside it; after a refresh, a sentence
uses it. The venue is a bare HTTP server of this test, so no code was prepared for it. A refresh never changes a plan
already drafted.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request
from ruamel.yaml import YAML

from cli.stack.dev import Ports, Stack
from infra.config.settings import ROOT, Settings
from infra.http.http_server import http_server
from tests.support.operator import Operator
from tests.support.stacks import free_base

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

OPERATION = {
    "post": {
        "operationId": "assign-locker",
        "summary": "Give a booking a locker",
        "parameters": [{"name": "uniqueId", "in": "path", "required": True, "schema": {"type": "string"}}],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "required": ["lockers"],
                        "properties": {
                            "lockers": {"type": "integer", "minimum": 1},
                            "password": {"type": "string"},
                        },
                    }
                }
            },
        },
        "responses": {"200": {"description": "done"}},
    }
}

OVERLAY = """
action: assign_lockers
operation: assign-locker
iq_enabled: true
title: Assign lockers
category: extras
safety: {safety}
description: Reserve lockers for the guests of one booking.
parameters:
  booking_id: {{in: path.uniqueId, role: booking, describe: The booking that gets lockers}}
  lockers: {{in: body.lockers, role: count, describe: How many lockers}}
preview:
  - {{label: Lockers, after: "{{{{ lockers }}}}"}}
summary: "{{{{ lockers }}}} lockers are assigned."
irreversible_note: "Release the lockers of booking {{{{ booking_id }}}} at the front desk."
examples:
  - {{say: "assign 3 lockers to booking 8231", call: {{lockers: 3}}}}
"""


class Venue:
    """A venue with one booking and lockers."""

    def __init__(self) -> None:
        self.writes: list[dict[str, Any]] = []
        self.app = FastAPI()
        self.app.get("/venues/me")(lambda: {"name": "x"})
        self.app.get("/bookings")(lambda: {"bookings": []})
        self.app.get("/bookings/{booking}")(self._booking)
        self.app.post("/bookings/{booking}/lockers")(self._lockers)

    async def _booking(self, booking: str) -> dict[str, Any]:
        return {
            "uniqueId": "b-1", "bookingReference": booking, "name": "Ada Byron", "status": "Paid", "customerId": 1,
            "items": [{"bookingItemId": 1, "productId": 2, "quantity": 5, "bookingDate": "2030-01-05",
                       "sessionStartTime": "10:00"}],
        }  # fmt: skip

    async def _lockers(self, booking: str, request: Request) -> dict[str, Any]:
        self.writes.append({"booking": booking, "body": await request.json()})
        return {"ok": True}


@pytest.fixture
async def venue() -> AsyncIterator[tuple[Venue, int]]:
    """That venue, served on loopback."""
    venue, port = Venue(), free_base(1)
    server = http_server(venue.app, "127.0.0.1", port)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    yield venue, port
    server.should_exit = True
    await task


@pytest.fixture
async def extended(venue: tuple[Venue, int], tmp_path: Path) -> AsyncIterator[tuple[Operator, Path, Venue]]:
    """A stack over a copy of the ROLLER pack: (an operator, the pack's folder, the venue)."""
    pack = tmp_path / "roller"
    shutil.copytree(ROOT / "overlays" / "roller", pack)
    settings = Settings(
        _env_file=None,
        data=tmp_path / "data",
        packs=(pack,),
        venue_urls={"roller": f"http://127.0.0.1:{venue[1]}"},
    )
    base = free_base()
    async with Stack(settings, Ports(base), controls=True), Operator(f"http://127.0.0.1:{base}") as operator:
        yield operator, pack, venue[0]


def add_operation(pack: Path) -> None:
    """Put the new operation into the API document, as an editor would."""
    yaml = YAML()
    document = yaml.load(pack / "openapi.yaml")
    document["paths"]["/bookings/{uniqueId}/lockers"] = OPERATION
    yaml.dump(document, pack / "openapi.yaml")


async def test_new_booking_action_can_be_added_by_openapi_and_overlay_without_code(
    extended: tuple[Operator, Path, Venue],
) -> None:
    operator, pack, venue = extended
    before = await operator.say("assign 3 lockers to booking 8231")
    assert before["type"] != "plan", "it cannot be done yet"
    add_operation(pack)
    (pack / "actions" / "assign_lockers.yaml").write_text(OVERLAY.format(safety="normal"))
    catalogue = (await operator.post("/v1/actions/refresh")).json()
    assert catalogue["findings"] == []
    plan = await operator.plan_for("please assign 4 lockers to booking 8231")
    assert [(a["action_id"], a["parameters"]["lockers"]) for a in plan["actions"]] == [("assign_lockers", 4)]
    await operator.confirm(plan)
    done = await operator.settled(plan)
    assert done["status"] == "completed"
    assert done["summary"] == "4 lockers are assigned."
    assert venue.writes == [{"booking": "b-1", "body": {"lockers": 4}}]


async def test_action_metadata_supports_allowlist_safety_tier_reversibility_and_compensation(
    extended: tuple[Operator, Path, Venue],
) -> None:
    operator, pack, _ = extended
    add_operation(pack)
    overlay = pack / "actions" / "assign_lockers.yaml"
    for safety, listed in (("high_risk", True), ("blocked", False)):
        overlay.write_text(OVERLAY.format(safety=safety))
        catalogue = (await operator.post("/v1/actions/refresh")).json()
        rows = {a["name"]: a for a in catalogue["actions"]}
        assert ("assign_lockers" in rows) is listed
        if listed:
            assert rows["assign_lockers"]["safety_tier"] == "high_risk"
            assert rows["assign_lockers"]["parameters"] == ["booking_id", "lockers"], "password is not exposed"
            assert rows["assign_lockers"]["reversible"] is False
    turn = await operator.say("assign 3 lockers to booking 8231")
    assert turn["type"] != "plan", "a blocked action is reachable through no door"


async def test_a_refresh_never_changes_a_plan_already_drafted(extended: tuple[Operator, Path, Venue]) -> None:
    operator, pack, venue = extended
    add_operation(pack)
    overlay = pack / "actions" / "assign_lockers.yaml"
    overlay.write_text(OVERLAY.format(safety="normal"))
    await operator.post("/v1/actions/refresh")
    plan = await operator.plan_for("assign 2 lockers to booking 8231")
    overlay.unlink()
    assert (await operator.post("/v1/actions/refresh")).status_code == 200
    await operator.confirm(plan)
    assert (await operator.settled(plan))["status"] == "completed"
    assert venue.writes[-1]["body"] == {"lockers": 2}


async def test_a_pack_that_cannot_be_loaded_leaves_the_old_one_in_use(extended: tuple[Operator, Path, Venue]) -> None:
    operator, pack, _ = extended
    (pack / "openapi.yaml").write_text("paths: [")
    response = await operator.post("/v1/actions/refresh")
    assert response.status_code == 503
    assert "openapi.yaml" in response.json()["error"]["message"]
    assert len((await operator.http.get("/v1/actions")).json()["actions"]) == 8
