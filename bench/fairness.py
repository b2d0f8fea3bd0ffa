"""What a noisy venue costs another: its plans on an idle stack, and beside hundreds of queued ones.

Run as `iq bench fairness [QUEUED [MACHINES]]` (500, 1) with a Redis at REDIS_URL (redis://127.0.0.1:6379/8 where not
set). Temporal, two venues' sandboxes, and for each machine a facade and a worker are processes of their own; a model
call takes 0.7 s, the quiet venue milliseconds, the noisy one a second for each call. Plans of one step are drafted for
both venues. First plans of the quiet venue run alone, one after the other. Then all of the noisy venue's are confirmed
at once, by callers who come again when they are told to; until all were heard, plans of the quiet venue run, one after
the other (`burst`). Further ones run once the noisy ones wait for their slow API and for a free place of the worker
(`beside`), and the last when all have ended: `alone` are the first and the last. IQ_SPLIT_QUEUES is true unless it is
set. The last line is JSON: milliseconds from the confirmation to the end, and how many times as long as alone that is.
"""

import asyncio
import json
import os
import re
import shutil
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import uuid4

import httpx
from temporalio.client import Client

from bench.acting import a_guest, booked, model_that_plans
from cli.stack import temporal_server
from infra.config.settings import ROOT, Settings
from infra.crypto.keyring import new_key_line
from infra.http.http_server import http_server
from infra.temporal.client import connect

QUEUED = 500
_ALONE = _BESIDE = 10
"""Twice as many run alone."""
_BURST = 60
"""At most."""
_VENUE_TAKES = 1.0
"""Seconds for each call of the noisy venue."""
_CALLED = ("search-for-bookings", "get-booking-detail", "update-a-booking")
"""What a plan calls: a token's check stays quick, so that confirming is."""
_STEPS = {"edit_note": {"note": "Cake at noon"}}
_BASE = 23_200
_QUIET, _NOISY, _MODEL, _TEMPORAL, _UI, *_FACADES = range(_BASE, _BASE + 10)
_AT_ONCE = 16
"""Plans that are drafted at a time."""
_MODEL_TAKES = 0.7
"""Seconds, as a quick model of today does."""

_http = httpx.AsyncClient(timeout=120, limits=httpx.Limits(max_connections=600, max_keepalive_connections=100))


@dataclass(frozen=True)
class Venue:
    """Where a venue is."""

    venue_id: str
    port: int


QUIET, NOISY = Venue("quiet", _QUIET), Venue("noisy", _NOISY)


@dataclass(frozen=True)
class Drafted:
    """A plan that waits, its operator's headers, and the facade where they are."""

    plan_id: str
    headers: dict[str, str]
    facade: str


async def drafted(venue: Venue, facade: str) -> Drafted:
    """A plan of one note on a booking of its own, with a token of its own: the venue counts calls by token."""
    guest = a_guest()
    headers = {"Authorization": f"Bearer {(await booked(_http, f'http://127.0.0.1:{venue.port}', guest))[1]}"}
    body = {
        "user_message": f"note: Cake at noon, for {guest}",
        "session_id": uuid4().hex,
        "user_id": "bench",
        "venue_id": venue.venue_id,
    }
    turn: dict[str, Any] = {}
    for _ in range(5):
        answer = await _http.post(f"{facade}/v1/requests", json=body, headers=headers)
        if answer.status_code == httpx.codes.OK:
            turn = answer.json()
            break
        await asyncio.sleep(1)
    if turn.get("type") != "plan":
        raise RuntimeError(f"no plan was drafted: {answer.text}")
    return Drafted(turn["plan"]["plan_id"], headers, facade)


async def several(number: int, venue: Venue, facades: Sequence[str]) -> list[Drafted]:
    """So many, a few at a time, at each facade in turn."""
    room = asyncio.Semaphore(_AT_ONCE)

    async def one(facade: str) -> Drafted:
        async with room:
            return await drafted(venue, facade)

    return await asyncio.gather(*(one(facade) for facade in islice(cycle(facades), number)))


async def confirmed(plan: Drafted) -> None:
    """Confirm it. A try that was told to come again comes again then; so does one whose kept connection had just been
    closed."""
    url = f"{plan.facade}/v1/plans/{plan.plan_id}/confirm"
    shown = ""
    for _ in range(600):
        wait = 0.1
        try:
            answer = await _http.post(url, json={"user_id": "bench", "request_id": plan.plan_id}, headers=plan.headers)
        except httpx.TransportError as error:
            shown = repr(error)
        else:
            if answer.status_code in (200, 202):
                return
            shown, wait = answer.text, float(answer.headers.get("Retry-After", "1"))
        await asyncio.sleep(wait)
    raise RuntimeError(f"not confirmed: {shown}")


async def carried_out(client: Client, plan: Drafted) -> float:
    """Milliseconds from the confirmation to the end, as Temporal knows it: the word of it may come late.
    Raises `RuntimeError` when it does not complete."""
    began = datetime.now(UTC)
    await confirmed(plan)
    handle = client.get_workflow_handle(f"plan-{plan.plan_id}")
    ended: dict[str, Any] = await handle.result()
    took = (((await handle.describe()).close_time or datetime.now(UTC)) - began).total_seconds() * 1000
    if ended["status"] != "completed":
        raise RuntimeError(f"the plan ended as {ended['status']}: {ended.get('failure')}")
    return took


@asynccontextmanager
async def processes(folder: Path, machines: int) -> AsyncIterator[tuple[Client, list[str]]]:
    """All parts, each a process of its own but the model; (a client, where the facades are)."""
    ports = _FACADES[:machines]
    packs = [_pack(folder, venue) for venue in (QUIET, NOISY)]
    keys = new_key_line()
    environment = {
        **os.environ,
        "IQ_DATA": str(folder),
        "IQ_KEYS": keys,
        "IQ_PACKS": ",".join(map(str, packs)),
        "IQ_VENUE_URLS": json.dumps({v.venue_id: f"http://127.0.0.1:{v.port}" for v in (QUIET, NOISY)}),
        "IQ_MODEL_BASE_URL": f"http://127.0.0.1:{_MODEL}/v1",
        "IQ_LOG_LEVEL": "ERROR",
        # Of messages: it is one operator here that drafts for all.
        "IQ_RATE_USER": "100000/minute",
        "IQ_RATE_VENUE": "100000/minute",
        "IQ_SPLIT_QUEUES": os.environ.get("IQ_SPLIT_QUEUES", "true"),
        "TEMPORAL_ADDRESS": f"127.0.0.1:{_TEMPORAL}",
        "REDIS_URL": os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/8",
    }
    async with AsyncExitStack() as closing:
        server = await temporal_server.start(temporal_server.read_config(), folder, port=_TEMPORAL, ui_port=_UI)
        closing.push_async_callback(server.stop)
        model = http_server(model_that_plans(_STEPS, _MODEL_TAKES), "127.0.0.1", _MODEL)
        serving = asyncio.create_task(model.serve())
        await model.until_started()
        closing.push_async_callback(asyncio.wait, {serving}, timeout=5)
        closing.callback(setattr, model, "should_exit", True)
        sandboxes = [
            (0, ["sandbox", "roller", "--port", str(v.port), "--data", str(folder / v.venue_id), "--controls"])
            for v in (QUIET, NOISY)
        ]
        for port, arguments in (*sandboxes, *[(0, ["worker"])] * machines, *((port, ["api"]) for port in ports)):
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "cli.main",
                *arguments,
                cwd=ROOT,
                env=environment | {"IQ_PORT": str(port)} if port else environment,
                stdout=asyncio.subprocess.DEVNULL,
            )
            closing.push_async_callback(process.wait)
            closing.callback(process.kill)
        facades = [f"http://127.0.0.1:{port}" for port in ports]
        for facade in facades:
            await _ready(facade)
        client = await connect(Settings(_env_file=None, keys=keys, temporal_address=f"127.0.0.1:{_TEMPORAL}"), wait=10)
        yield client, facades


def _pack(folder: Path, venue: Venue) -> Path:
    pack = Path(shutil.copytree(ROOT / "overlays" / "roller", folder / "packs" / venue.venue_id))
    file = pack / "venue.yaml"
    text = re.sub(r"undo_window_seconds: .*", "undo_window_seconds: 0", file.read_text())
    # In standard mode: what is measured is what a plan costs, not what its model is asked about itself.
    text = re.sub(r"tariff: .*", "tariff: basic", text)
    file.write_text(re.sub(r"venue_id: .*", f"venue_id: {venue.venue_id}", text))
    return pack


async def _ready(facade: str) -> None:
    for _ in range(300):
        try:
            if (await _http.get(f"{facade}/readyz")).status_code == httpx.codes.OK:
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


async def measure(queued: int, machines: int) -> dict[str, Any]:
    """The figures."""
    with tempfile.TemporaryDirectory(prefix="iq-bench-", ignore_cleanup_errors=True) as name:
        async with processes(Path(name), machines) as (client, facades):
            quiet = iter(await several(2 + 2 * _ALONE + _BURST + _BESIDE, QUIET, facades))
            noisy = await several(queued, NOISY, facades)
            print(f"{queued} drafted", flush=True)
            await slow_down(NOISY)
            await _took(client, islice(quiet, 2))
            alone = await _took(client, islice(quiet, _ALONE))
            began = perf_counter()
            storm = asyncio.gather(*(confirmed(plan) for plan in noisy))
            burst = await _took(client, islice(quiet, _BURST), until=storm)
            await storm
            heard = perf_counter() - began
            print(f"confirmed after {heard:.0f} s", flush=True)
            waiting = await _open(client)
            beside = await _took(client, islice(quiet, _BESIDE))
            left = await _open(client)
            while await _open(client):  # noqa: ASYNC110 - it happens in other processes
                await asyncio.sleep(0.5)
            all_took = perf_counter() - began
            alone += await _took(client, islice(quiet, _ALONE))
            lost = [plan for plan in noisy if await _status(client, plan) != "completed"]
            for kind, found in (("alone", alone), ("burst", burst), ("beside", beside)):
                print(f"{kind}: {[round(took) for took in found]} ms", flush=True)
    kinds = (("burst", burst), ("beside", beside))
    return {
        "queued": queued,
        "machines": machines,
        "open_when_measured": [waiting, left],
        "not_completed": len(lost),
        **{
            f"{kind}_{which}": round(value, 2)
            for which, of in (("median", statistics.median), ("p90", _p90))
            for kind, value in (
                ("alone_ms", of(alone)),
                *((f"{kind}_ms", of(took)) for kind, took in kinds),
                *((f"{kind}_times_as_long", of(took) / of(alone)) for kind, took in kinds),
            )
        },
        "burst_plans": len(burst),
        "heard_seconds": round(heard, 1),
        "all_seconds": round(all_took, 1),
    }


async def _took(client: Client, plans: Iterable[Drafted], until: asyncio.Future[Any] | None = None) -> list[float]:
    took = []
    for plan in plans:
        await asyncio.sleep(0.3)
        if until is not None and until.done():
            break
        took.append(await carried_out(client, plan))
    return took


async def _status(client: Client, plan: Drafted) -> str:
    ended: dict[str, Any] = await client.get_workflow_handle(f"plan-{plan.plan_id}").result()
    return str(ended["status"])


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
    queued, machines = (*map(int, sys.argv[1:]), *(QUEUED, 1)[len(sys.argv) - 1 :])
    print(json.dumps(asyncio.run(measure(queued, machines))))
    return 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    # A client that has talked to Temporal may die by a signal while the interpreter shuts down.
    os._exit(status)
