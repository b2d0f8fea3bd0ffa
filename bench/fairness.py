"""What a noisy venue costs another: its plans on an idle stack, and beside hundreds of queued ones.

Run as `iq bench fairness [QUEUED]` (500) with a Redis at REDIS_URL (redis://127.0.0.1:6379/8 where not set). Temporal,
two venues' sandboxes, facade and worker are processes of their own; a model call takes 0.7 s, the quiet venue
milliseconds, the noisy one a second for each call. Plans of one step are drafted for both venues. First plans of the
quiet venue run alone, one after the other. Then all of the noisy venue's are confirmed; once they are, and wait for
their slow API and for a free place of the worker, further ones of the quiet venue run, one after the other. Some more
run while the noisy ones are being confirmed (`burst`). IQ_SPLIT_QUEUES is true unless it is set. The last line is JSON:
milliseconds from the confirmation to the end, and how many times as long as alone that is.
"""

import asyncio
import json
import os
import re
import shutil
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import count, islice
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import uuid4

import httpx
from fastapi import FastAPI
from temporalio.client import Client

from cli import temporal_server
from cli.web import http_server
from infra.keyring import new_key_line
from infra.settings import ROOT, Settings
from infra.temporal import connect

QUEUED = 500
_ALONE = _BESIDE = 20
_BURST = 5
_VENUE_TAKES = 1.0
"""Seconds for each call of the noisy venue."""
_CALLED = ("search-for-bookings", "get-booking-detail", "update-a-booking")
"""What a plan calls: a token's check stays quick, so that confirming is."""
_PARTY = 61001
_BASE = 23_200
_FACADE, _QUIET, _NOISY, _MODEL, _TEMPORAL, _UI = range(_BASE, _BASE + 6)
_AT_ONCE = 16
"""Plans that are drafted at a time, and confirmations of the noisy venue that are under way at a time."""
_MODEL_TAKES = 0.7
"""Seconds, as a quick model of today does."""

_serial = count(1)
_http = httpx.AsyncClient(timeout=120, limits=httpx.Limits(max_connections=300, max_keepalive_connections=100))


@dataclass(frozen=True)
class Venue:
    """Where a venue is."""

    venue_id: str
    port: int


QUIET, NOISY = Venue("quiet", _QUIET), Venue("noisy", _NOISY)


@dataclass(frozen=True)
class Drafted:
    """A plan that waits, and its operator's headers."""

    plan_id: str
    headers: dict[str, str]


def model_of(seconds: float) -> FastAPI:
    """A model that takes so long: look the booking up, plan a note, carry it out."""
    app = FastAPI()

    @app.post("/v1/chat/completions")
    async def complete(body: dict[str, Any]) -> dict[str, Any]:
        calls = _next_calls(body["messages"])
        await asyncio.sleep(seconds)
        made = [
            {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
            for n, (name, given) in enumerate(calls.items())
        ]
        message = {"role": "assistant", "content": None if made else "Done.", "tool_calls": made or None}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {"id": "c", "object": "chat.completion", "created": 0, "model": "quick", "choices": [choice]}

    return app


def _next_calls(messages: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    system, last = messages[0]["content"], messages[-1]
    brief = json.JSONDecoder().raw_decode(system, system.index("```json\n") + 8)[0]
    if brief["task"] == "execute":
        return next(({s["tool"]: s["arguments"]} for s in brief["steps"] if s["status"] != "completed"), {})
    if last["role"] != "tool":
        return {"find_bookings": {"keywords": last["content"].rpartition(" for ")[2]}}
    found = json.loads(last["content"])
    booking = (found[0] if isinstance(found, list) else found)["booking_id"]
    return {"edit_note": {"booking_id": booking, "note": "Cake at noon"}}


async def drafted(venue: Venue) -> Drafted:
    """A plan of one note on a booking of its own, with a token of its own: the venue counts calls by token."""
    token = f"bench-{uuid4().hex}"
    headers, url = {"Authorization": f"Bearer {token}"}, f"http://127.0.0.1:{venue.port}"
    (await _http.post(f"{url}/_sandbox/tokens", json={"token": token})).raise_for_status()
    first, last = "Bench", "".join(chr(ord("a") + int(c, 16)) for c in uuid4().hex[:10]).capitalize()
    booking = {
        "externalId": uuid4().hex,
        "name": f"{first} {last}",
        "customer": {"firstName": first, "lastName": last, "email": f"{last}@example.com", "phone": "0491 570 156"},
        "items": [
            {
                "productId": _PARTY,
                "quantity": 2,
                "bookingDate": (date.today() + timedelta(days=10 + next(_serial) % 290)).isoformat(),
                "startTime": "10:00",
            }
        ],
    }
    (await _http.post(f"{url}/bookings", json=booking, headers=headers)).raise_for_status()
    body = {
        "user_message": f"note: Cake at noon, for {first} {last}",
        "session_id": uuid4().hex,
        "user_id": "bench",
        "venue_id": venue.venue_id,
    }
    turn: dict[str, Any] = {}
    for _ in range(5):
        answer = await _http.post(f"http://127.0.0.1:{_FACADE}/v1/requests", json=body, headers=headers)
        if answer.status_code == httpx.codes.OK:
            turn = answer.json()
            break
        await asyncio.sleep(1)
    if turn.get("type") != "plan":
        raise RuntimeError(f"no plan was drafted: {answer.text}")
    return Drafted(turn["plan"]["plan_id"], headers)


async def several(number: int, make: Callable[[], Awaitable[Drafted]]) -> list[Drafted]:
    """So many, a few at a time."""
    room = asyncio.Semaphore(_AT_ONCE)

    async def one() -> Drafted:
        async with room:
            return await make()

    return await asyncio.gather(*(one() for _ in range(number)))


async def confirmed(plan: Drafted) -> None:
    """Confirm it. A try that was told to come again comes again."""
    url = f"http://127.0.0.1:{_FACADE}/v1/plans/{plan.plan_id}/confirm"
    for _ in range(600):
        answer = await _http.post(url, json={"user_id": "bench", "request_id": plan.plan_id}, headers=plan.headers)
        if answer.status_code in (200, 202):
            return
        await asyncio.sleep(float(answer.headers.get("Retry-After", "1")))
    raise RuntimeError(f"not confirmed: {answer.text}")


async def _all_confirmed(plans: list[Drafted]) -> None:
    room = asyncio.Semaphore(_AT_ONCE)

    async def one(plan: Drafted) -> None:
        async with room:
            await confirmed(plan)

    await asyncio.gather(*(one(plan) for plan in plans))


async def carried_out(client: Client, plan: Drafted) -> float:
    """Milliseconds from the confirmation to the end. Raises `RuntimeError` when it does not complete."""
    began = perf_counter()
    await confirmed(plan)
    ended: dict[str, Any] = await client.get_workflow_handle(f"plan-{plan.plan_id}").result()
    took = (perf_counter() - began) * 1000
    if ended["status"] != "completed":
        raise RuntimeError(f"the plan ended as {ended['status']}: {ended.get('failure')}")
    return took


@asynccontextmanager
async def processes(folder: Path) -> AsyncIterator[Client]:
    """All parts, each a process of its own but the model."""
    packs = [_pack(folder, venue) for venue in (QUIET, NOISY)]
    keys = new_key_line()
    environment = {
        **os.environ,
        "IQ_DATA": str(folder),
        "IQ_KEYS": keys,
        "IQ_PORT": str(_FACADE),
        "IQ_PACKS": ",".join(map(str, packs)),
        "IQ_VENUE_URLS": json.dumps({v.venue_id: f"http://127.0.0.1:{v.port}" for v in (QUIET, NOISY)}),
        "IQ_MODEL_BASE_URL": f"http://127.0.0.1:{_MODEL}/v1",
        "IQ_LOG_LEVEL": "ERROR",
        "IQ_SPLIT_QUEUES": os.environ.get("IQ_SPLIT_QUEUES", "true"),
        "TEMPORAL_ADDRESS": f"127.0.0.1:{_TEMPORAL}",
        "REDIS_URL": os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/8",
    }
    async with AsyncExitStack() as closing:
        server = await temporal_server.start(temporal_server.read_config(), folder, port=_TEMPORAL, ui_port=_UI)
        closing.push_async_callback(server.stop)
        model = http_server(model_of(_MODEL_TAKES), "127.0.0.1", _MODEL)
        serving = asyncio.create_task(model.serve())
        await model.until_started()
        closing.push_async_callback(asyncio.wait, {serving}, timeout=5)
        closing.callback(setattr, model, "should_exit", True)
        for arguments in (
            *(["sandbox", "roller", "--port", str(v.port), "--data", str(folder / v.venue_id), "--controls"]
              for v in (QUIET, NOISY)),
            ["worker"],
            ["api"],
        ):  # fmt: skip
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "cli.main",
                *arguments,
                cwd=ROOT,
                env=environment,
                stdout=asyncio.subprocess.DEVNULL,
            )
            closing.push_async_callback(process.wait)
            closing.callback(process.kill)
        await _ready()
        yield await connect(Settings(_env_file=None, keys=keys, temporal_address=f"127.0.0.1:{_TEMPORAL}"), wait=10)


def _pack(folder: Path, venue: Venue) -> Path:
    pack = Path(shutil.copytree(ROOT / "overlays" / "roller", folder / "packs" / venue.venue_id))
    file = pack / "venue.yaml"
    text = re.sub(r"undo_window_seconds: .*", "undo_window_seconds: 0", file.read_text())
    # In standard mode: what is measured is what a plan costs, not what its model is asked about itself.
    text = re.sub(r"tariff: .*", "tariff: basic", text)
    file.write_text(re.sub(r"venue_id: .*", f"venue_id: {venue.venue_id}", text))
    return pack


async def _ready() -> None:
    for _ in range(300):
        try:
            if (await _http.get(f"http://127.0.0.1:{_FACADE}/readyz")).status_code == httpx.codes.OK:
                return
        except httpx.HTTPError:
            pass
        await asyncio.sleep(0.2)
    raise RuntimeError("the parts are not ready within a minute")


async def slow_down(venue: Venue) -> None:
    """Let each call of its API take long from now on."""
    for operation in _CALLED:
        fault: dict[str, Any] = {"operation": operation, "effect": "delay", "seconds": _VENUE_TAKES, "times": 1_000_000}
        url = f"http://127.0.0.1:{venue.port}/_sandbox/faults"
        (await _http.post(url, json=fault)).raise_for_status()


async def measure(queued: int) -> dict[str, Any]:
    """The figures."""
    with tempfile.TemporaryDirectory(prefix="iq-bench-", ignore_cleanup_errors=True) as name:
        async with processes(Path(name)) as client:
            quiet = iter(await several(2 + _ALONE + _BURST + _BESIDE, lambda: drafted(QUIET)))
            await _took(client, islice(quiet, 2))
            alone = await _took(client, islice(quiet, _ALONE))
            print(f"alone: {[round(a) for a in alone]} ms", flush=True)
            noisy = await several(queued, lambda: drafted(NOISY))
            print(f"{queued} drafted", flush=True)
            await slow_down(NOISY)
            began = perf_counter()
            storm = asyncio.create_task(_all_confirmed(noisy))
            burst = await _took(client, islice(quiet, _BURST))
            await storm
            print(f"confirmed after {perf_counter() - began:.0f} s", flush=True)
            waiting = await _open(client)
            beside = await _took(client, quiet)
            left = await _open(client)
            while await _open(client):  # noqa: ASYNC110 - it happens in other processes
                await asyncio.sleep(0.5)
            all_took = perf_counter() - began
            print(f"burst: {[round(b) for b in burst]}, beside: {[round(b) for b in beside]} ms", flush=True)
    return {
        "queued": queued,
        "open_when_measured": [waiting, left],
        **{
            f"{kind}_{which}": round(value, 2)
            for which, of in (("median", statistics.median), ("p90", _p90))
            for kind, value in (
                ("alone_ms", of(alone)),
                ("beside_ms", of(beside)),
                ("burst_ms", of(burst)),
                ("times_as_long", of(beside) / of(alone)),
            )
        },
        "all_seconds": round(all_took, 1),
    }


async def _took(client: Client, plans: Iterable[Drafted]) -> list[float]:
    took = []
    for plan in plans:
        await asyncio.sleep(0.3)
        took.append(await carried_out(client, plan))
    return took


def _p90(values: list[float]) -> float:
    return statistics.quantiles(values, n=10, method="inclusive")[-1]


async def _open(client: Client) -> int:
    counted = await client.count_workflows(
        'WorkflowType = "Plan" AND ExecutionStatus = "Running" AND IqVenue = "noisy" '
        'AND IqPhase != "pending_confirmation"'
    )
    return counted.count


def main() -> int:
    """Measure; the exit code."""
    print(json.dumps(asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else QUEUED))))
    return 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    # A client that has talked to Temporal may die by a signal while the interpreter shuts down.
    os._exit(status)
