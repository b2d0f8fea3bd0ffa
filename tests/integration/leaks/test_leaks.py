"""The leak scan: known people in a run with failures, a question, a rollback, an undo, a lost write, an expired token
and malformed requests, then searched, byte by byte, wherever data is stored or sent.

No token, e-mail, phone, name or typed text occurs, in any spelling, in

- any raw history event, as a client without our codec reads it; any memo, search attribute, workflow id or summary;
- the Temporal database, its write-ahead log, or anything else in the data folder but the venue's own database;
- Redis, neither in its values nor in its files;
- the logs, at DEBUG, of ours and of the clients we use;
- the traces, which still have actions, days, times, ids, outcome, latency and tokens.

The scan can fail: it finds all of it in the answers to the operator, and in the venue's own database.
"""

import json
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest
import redis.asyncio
from temporalio.client import Client

from tests.integration.leaks.scene import Scene, after_the_run
from tests.support.scripted_model import ScriptedModel

pytestmark = pytest.mark.asyncio

KINDS = ["token", "e-mail", "phone", "names", "words"]


@pytest.fixture(scope="module")
async def scene(
    scripted: ScriptedModel, model_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Scene]:
    """The stack, after the run."""
    async with after_the_run(scripted, model_url, tmp_path_factory.mktemp("leaks")) as one:
        yield one


def found(scene: Scene, kind: str, where: Iterable[tuple[str, bytes]]) -> list[str]:
    """Return where values of this kind occur: (place, text). Case does not matter."""
    wanted = [w.lower().encode() for w in scene.secrets()[kind]]
    return [f"{w.decode()} in {place}" for place, data in where for w in wanted if w in data.lower()]


async def raw(scene: Scene) -> list[tuple[str, bytes]]:
    """Return all that the Temporal service has of every workflow, read without our codec."""
    client = await Client.connect(scene.stack.settings.temporal_address)
    shown: list[tuple[str, bytes]] = []
    async for execution in client.list_workflows():
        handle = client.get_workflow_handle(execution.id, run_id=execution.run_id)
        shown.append((f"listing of {execution.id}", execution.raw_info.SerializeToString()))
        description = await handle.describe()
        shown.append((f"description of {execution.id}", description.raw_description.SerializeToString()))
        async for event in handle.fetch_history_events():
            shown.append((f"{execution.id} event {event.event_id}", event.SerializeToString()))
    return shown


def files(scene: Scene, *, venue: bool = False) -> list[tuple[str, bytes]]:
    """Return every file in the data folder: the venue's own, or all the others."""
    paths: list[Path] = [p for p in scene.stack.settings.data.rglob("*") if p.is_file()]
    return [(p.name, p.read_bytes()) for p in paths if p.name.startswith("roller") == venue]


async def test_the_run_was_what_it_should_be(scene: Scene) -> None:
    assert [p["status"] for p in scene.plans] == ["rolled_back", "rolled_back", "failed", "rolled_back"]
    shown = [("plans", json.dumps(scene.plans, ensure_ascii=False).encode())]
    assert found(scene, "e-mail", shown) and found(scene, "phone", shown) and found(scene, "names", shown)
    kept = files(scene, venue=True)
    assert found(scene, "names", kept) and found(scene, "e-mail", kept) and found(scene, "words", kept)


@pytest.mark.parametrize("kind", KINDS)
async def test_no_history_memo_search_attribute_or_id_holds_any(scene: Scene, kind: str) -> None:
    shown = await raw(scene)
    assert len([place for place, _ in shown if " event " in place]) > 200
    assert any(b"IqStatus" in data for _, data in shown), "the scan sees search attributes"
    assert any(b"rolled_back" in data for _, data in shown)
    assert found(scene, kind, shown) == []


@pytest.mark.parametrize("kind", KINDS)
async def test_no_file_holds_any(scene: Scene, kind: str) -> None:
    kept = files(scene)
    names = {name for name, _ in kept}
    assert {"temporal.db", "temporal.db-wal", "temporal.log"} <= names
    plan_id = scene.plans[0]["plan_id"].encode()
    assert any(plan_id in data for name, data in kept if name.startswith("temporal.db")), "the scan sees its rows"
    assert found(scene, kind, kept) == []


@pytest.mark.parametrize("kind", KINDS)
async def test_redis_holds_none(scene: Scene, kind: str) -> None:
    if scene.redis_url is None:
        pytest.skip("no redis-server installed; the vault's own tests cover its values")
    client = redis.asyncio.from_url(scene.redis_url)
    rows = [(key.decode(), key + (await client.dump(key) or b"")) async for key in client.scan_iter()]
    commands = [(name, data) for name, data in files(scene) if ".aof" in name]
    await client.aclose()
    assert any(b"iq:token:" in data for _, data in commands), "tokens were kept here while they were needed"
    assert found(scene, kind, [*rows, *commands]) == []


async def test_no_token_is_left_in_redis(scene: Scene) -> None:
    if scene.redis_url is None:
        pytest.skip("no redis-server installed")
    client = redis.asyncio.from_url(scene.redis_url)
    left = [key async for key in client.scan_iter("iq:token:*")]
    await client.aclose()
    assert left == []


@pytest.mark.parametrize("kind", KINDS)
async def test_no_log_line_holds_any(scene: Scene, kind: str) -> None:
    assert len(scene.logs.lines) > 20
    assert any("workflow" in line for line in scene.logs.lines), "workflows and activities do log"
    assert found(scene, kind, [(line[:60], line.encode()) for line in scene.logs.lines]) == []


@pytest.mark.parametrize("kind", KINDS)
async def test_no_trace_holds_any(scene: Scene, kind: str) -> None:
    assert scene.endpoint.bodies
    assert found(scene, kind, [(f"body {n}", body) for n, body in enumerate(scene.endpoint.bodies)]) == []


async def test_the_traces_still_tell_what_on_call_needs(scene: Scene) -> None:
    spans = scene.endpoint.sent()
    assert {"plan", "execute", "find_bookings", "update_contact", "edit_note"} <= {s.name for s in spans}
    calls_made = [s for s in spans if s.kind in ("generation", "tool")]
    assert all(s.ended > s.began for s in calls_made), "latency"
    of_plans = {"user_confirmation", "execution_started", "clarification", "execution", "rollback"}
    assert of_plans <= {s.name for s in spans}, "a plan's own changes"
    shown = [{k.removeprefix("langfuse.observation."): str(v) for k, v in s.attributes.items()} for s in spans]
    executed = next(t for s, t in zip(spans, shown, strict=True) if s.name == "execute")
    assert "with the confirmed steps in order" in executed["input"], "the prompt"
    assert "Update contact details" in executed["input"], "the intent"
    assert json.loads(executed["usage_details"]) == {"input": 1, "output": 1}
    calls = [c["name"] for t in shown if "output" in t for c in json.loads(t["output"]).get("calls", [])]
    assert {"find_bookings", "update_contact", "edit_note", "ask_operator"} <= set(calls)
    booking = next(t for s, t in zip(spans, shown, strict=True) if s.name == "edit_note" and "bookingDate" in str(t))
    assert '"quantity": 10' in booking["output"] or '"quantity":10' in booking["output"]
    assert any(t.get("level") == "ERROR" and "409" in t["status_message"] for t in shown), "what failed, and how"
