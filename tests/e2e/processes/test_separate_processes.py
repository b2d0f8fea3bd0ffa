"""Each part as its own process against one Temporal address, with Redis as the vault.

- The same request works as in the embedded stack.
- A worker in another process picks up a refresh at the API.
- The service key is required of every caller when it is set.
- Worker and API each serve their metrics to callers with the key: what a plan did at the worker, turns at the API, and
  at both the metrics of Temporal's SDK.
- A plan can be watched at any API: another API continues where one stopped, and repeats nothing.
"""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import uuid4

import pytest

from cli.stack import temporal_server
from infra.config.settings import ROOT
from tests.support import http, needs
from tests.support.operator import Operator
from tests.support.processes import answers, iq
from tests.support.stacks import free_base
from tests.support.watching import Watcher, closing

pytestmark = pytest.mark.asyncio

ENVIRONMENT: dict[str, str] = {}
"""That of the processes that run."""


@pytest.fixture(scope="module")
async def started(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[int, Path]]:
    """Temporal, ROLLER sandbox, offline model, worker and API, five processes; (port base, pack folder)."""
    redis = needs.redis()
    data, base = tmp_path_factory.mktemp("parts"), free_base()
    pack = data / "overlays" / "roller"
    shutil.copytree(ROOT / "overlays" / "roller", pack)
    server = await temporal_server.start(temporal_server.read_config(), data, port=base + 5, ui_port=base + 6)
    environment = {
        "IQ_PORT": str(base),
        "IQ_PACKS": str(pack),
        "IQ_VENUE_URLS": f'{{"roller": "http://127.0.0.1:{base + 1}"}}',
        "IQ_MODEL_BASE_URL": f"http://127.0.0.1:{base + 4}/v1",
        "IQ_SERVICE_KEY": "let-me-in",
        "IQ_METRICS_PORT": str(base + 2),
        "TEMPORAL_ADDRESS": f"127.0.0.1:{base + 5}",
        "REDIS_URL": redis,
    }
    ENVIRONMENT.update(environment)
    async with AsyncExitStack() as running:
        running.push_async_callback(server.stop)
        for arguments in (
            ("sandbox", "roller", "--port", str(base + 1), "--data", str(data), "--controls"),
            ("sandbox", "model", "--port", str(base + 4)),
            ("worker",),
            ("api",),
        ):
            await running.enter_async_context(iq(*arguments, **environment))
        await answers(f"http://127.0.0.1:{base}/readyz")
        yield base, pack


@pytest.fixture
async def remote(started: tuple[int, Path]) -> AsyncIterator[Operator]:
    """An operator who knows the service key."""
    async with Operator(f"http://127.0.0.1:{started[0]}") as one:
        one.http.headers["X-Service-Key"] = "let-me-in"
        yield one


async def test_a_request_goes_through_all_processes(remote: Operator) -> None:
    plan = await remote.do("add a note to booking 8231: bring socks")
    assert plan["status"] == "completed", plan


async def test_the_service_key_is_required(remote: Operator) -> None:
    del remote.http.headers["X-Service-Key"]
    body = {"user_message": "hi", "session_id": "s", "user_id": "u"}
    assert (await remote.post("/v1/requests", **body)).status_code == 401
    assert (await remote.http.get("/v1/actions")).status_code == 401
    assert (await remote.http.get("/healthz")).status_code == 200


@pytest.mark.slow
async def test_a_watcher_goes_on_at_another_facade(remote: Operator, started: tuple[int, Path]) -> None:
    plan = await remote.plan_for("add a note to booking 8231: bring warm socks")
    here = Watcher(remote, plan)
    await here.until(lambda event: event["kind"] == "initiated")
    watching = asyncio.create_task(here.until(closing))
    other = f"http://127.0.0.1:{started[0] + 7}"
    async with iq("api", **{**ENVIRONMENT, "IQ_PORT": str(started[0] + 7)}), Operator(other, user=remote.user) as there:
        await answers(f"{other}/readyz")
        there.http.headers["X-Service-Key"] = "let-me-in"
        await there.confirm(plan)
        events = await watching
        rest = Watcher(there, plan)
        rest.events = events[:4]
        assert await rest.until(closing) == events
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    assert here.cuts == 0, "the line held"


@pytest.mark.slow
async def test_a_refresh_reaches_a_worker_in_another_process(remote: Operator, started: tuple[int, Path]) -> None:
    overlay = (started[1] / "actions" / "edit_note.yaml").read_text()
    title = f"Write it down {uuid4().hex[:6]}"
    (started[1] / "actions" / "edit_note.yaml").write_text(overlay.replace("title: ", f"title: {title} #", 1))
    refreshed = await remote.post("/v1/actions/refresh")
    assert refreshed.status_code == 200, refreshed.text
    plan = await remote.plan_for("add a note to booking 8231: more socks")
    assert plan["actions"][0]["title"] == title


@pytest.mark.slow
async def test_the_catalogue_lists_actions_and_what_was_skipped(remote: Operator, started: tuple[int, Path]) -> None:
    (started[1] / "actions" / "broken.yaml").write_text(
        "action: broken\noperation: update-a-bokking\niq_enabled: true\ntitle: B\ncategory: b\ndescription: b\n"
    )
    catalogue = (await remote.post("/v1/actions/refresh")).json()
    (started[1] / "actions" / "broken.yaml").unlink()
    assert "broken" in catalogue["skipped"]
    assert any("update-a-booking" in f["message"] + f["hint"] for f in catalogue["findings"])
    assert "edit_note" in {a["name"] for a in catalogue["actions"]}
    high = [a["name"] for a in catalogue["actions"] if a["safety_tier"] == "high_risk"]
    assert high == ["cancel_booking"]
    only = (await remote.http.get("/v1/actions", params={"category": "nothing"})).json()
    assert only["actions"] == []


@pytest.mark.slow
async def test_each_process_serves_what_it_has_counted(remote: Operator, started: tuple[int, Path]) -> None:
    base, _ = started

    async def done(port: int) -> tuple[float, str]:
        async with http.client(headers={"Authorization": "Bearer let-me-in"}) as prometheus:
            text = (await prometheus.get(f"http://127.0.0.1:{port}/metrics")).text
        counted = re.search(r'^iq_plans_total\{status="completed",venue="roller-demo"\} (.+)$', text, re.MULTILINE)
        assert counted is not None
        return float(counted[1]), text

    before, _ = await done(base + 2)
    plan = await remote.do("add a note to booking 8231: bring thick socks")
    assert plan["status"] == "completed", plan
    after, worker = await done(base + 2)
    at_facade, facade = await done(base)
    assert (after - before, at_facade) == (1, 0), "what a worker does, it counts"
    assert 'iq_turn_seconds_count{came="plan",venue="roller-demo"}' in facade
    assert "temporal_activity_schedule_to_start_latency_seconds" in worker
    assert "temporal_request_total" in worker and "temporal_request_total" in facade
    async with http.client() as stranger:
        assert (await stranger.get(f"http://127.0.0.1:{base + 2}/metrics")).status_code == 401
