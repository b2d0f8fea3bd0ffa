"""What watching costs: how long an event takes from the plan to whoever watches it.

Run as `iq bench watchers [WATCHERS] [PLANS] [SECONDS] [session]` (500 and 50): a stack of its own, plans of three steps
that are confirmed two a second, and watchers in a process of their own, as many for each plan. An event's delay is from
the moment of the workflow task that made it to the moment when a watcher has it. With SECONDS nobody is woken, and a
watch looks that often by itself; 0 is as usual. With `session` the streams of the plans' sessions are watched. The last
line is JSON: the median, the 99th percentile and the most in milliseconds,
how many events each watcher had, the growth of the serving process in MB and its processor seconds, and the
events of a plan's history with and without watchers.
"""

import asyncio
import contextlib
import json
import os
import resource
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.plan import Stage, a_stage
from clients.streams import plan
from infra.stores.process_notifications import ProcessNotifications

WATCHERS, PLANS = 500, 50
_EVERY = 0.5
"""Seconds between two confirmations: the machine is busy with plans, and not overwhelmed by them."""
_WITHIN = 120.0
_TRIES = 20
"""All come at once, as after a restart of the facade: whoever is told to come back does so a second later."""


async def _watch(address: str, path: str, token: str, ready: asyncio.Semaphore) -> list[float]:
    """Read one stream to its closing message: the delays of its events, in milliseconds. Raises `AssertionError` for an
    event that is missing, doubled or out of order."""
    parts = urlsplit(address)
    head = f"GET /v1/{path}/events?user_id=bench HTTP/1.1\r\nHost: {parts.netloc}\r\n"
    for _ in range(_TRIES):
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(f"{head}Authorization: Bearer {token}\r\n\r\n".encode())
        status = await reader.readline()
        if b" 200 " in status:
            break
        writer.close()
        await asyncio.sleep(1)
    else:
        raise AssertionError(f"{path}: {status!r}")
    delays: list[float] = []
    live = of_chat = False
    while True:
        line = await reader.readline()
        if not line:
            raise AssertionError(f"the stream of {path} ended after {len(delays)} events")
        if line.startswith(b"event: "):
            of_chat = line.strip() == b"event: chat"
        if not line.startswith(b"data: ") or of_chat:
            continue
        event = json.loads(line[6:])
        delays.append((datetime.now(UTC) - datetime.fromisoformat(event["at"])).total_seconds() * 1000)
        assert event["number"] == len(delays), (path, event)
        if not live:
            live = True
            ready.release()
        if event["kind"] == "separate_message":
            writer.close()
            # The first was there before anybody watched.
            return delays[1:]


async def _watch_all() -> None:
    """The watchers' own process: what to watch comes on standard input, what was seen goes to standard output."""
    asked = json.loads(sys.stdin.readline())
    ready = asyncio.Semaphore(0)
    rows = [
        asyncio.create_task(_watch(asked["address"], path, token, ready))
        for path, token in asked["paths"]
        for _ in range(asked["each"])
    ]
    done = asyncio.gather(*rows)
    for _ in rows:
        one = asyncio.create_task(ready.acquire())
        await asyncio.wait({one, done}, return_when=asyncio.FIRST_COMPLETED)
        if done.done():
            done.result()
    print("ready", flush=True)
    print(json.dumps(await done), flush=True)


async def _run(stage: Stage, watchers: int, plans: int, of: str) -> dict[str, Any]:
    drafted = [await stage.drafted() for _ in range(plans)]
    before = _memory()
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.watchers", "watch", stdin=-1, stdout=-1, limit=2**26
    )
    try:
        return await _watched(stage, child, drafted, watchers, of, before)
    finally:
        with contextlib.suppress(ProcessLookupError):
            child.kill()


async def _watched(
    stage: Stage,
    child: asyncio.subprocess.Process,
    drafted: list[tuple[str, dict[str, str]]],
    watchers: int,
    of: str,
    before: float,
) -> dict[str, Any]:
    assert child.stdin is not None and child.stdout is not None
    paths = []
    for plan_id, headers in drafted:
        path = f"sessions/{await stage.session_of(plan_id, headers)}" if of == "session" else f"plans/{plan_id}"
        paths.append((path, headers["Authorization"].removeprefix("Bearer ")))
    asked = {"address": stage.facade, "paths": paths, "each": max(1, watchers // len(drafted))}
    child.stdin.write(json.dumps(asked).encode() + b"\n")
    await child.stdin.drain()
    assert (await asyncio.wait_for(child.stdout.readline(), _WITHIN)).strip() == b"ready"
    began = time.process_time()
    running = []
    for plan_id, headers in drafted:
        running.append(asyncio.create_task(stage.carried_out(plan_id, headers)))
        await asyncio.sleep(_EVERY)
    await asyncio.gather(*running)
    seen: list[list[float]] = json.loads(await asyncio.wait_for(child.stdout.readline(), _WITHIN))
    await child.wait()
    delays = sorted(delay for row in seen for delay in row)
    counts = {len(row) for row in seen}
    return {
        "watchers": len(seen), "plans": len(drafted), "events_each": sorted(counts),
        "median_ms": round(statistics.median(delays), 1), "p99_ms": round(delays[int(len(delays) * 0.99)], 1),
        "most_ms": round(delays[-1], 1), "cpu_s": round(time.process_time() - began, 1),
        "grown_mb": round(_memory() - before, 1),
        "history_events": await stage.history_length(drafted[0][0]),
    }  # fmt: skip


def _memory() -> float:
    """The most that this process has held so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _say_nothing() -> None:
    """Nobody is woken."""
    ProcessNotifications.notify = lambda topic: None  # type: ignore[method-assign]


async def measure(watchers: int, plans: int, looks: float, of: str) -> dict[str, Any]:
    """The figures."""
    with tempfile.TemporaryDirectory(prefix="iq-bench-", ignore_cleanup_errors=True) as name:
        async with a_stage(Path(name)) as stage:
            if looks:
                plan.AT_WORK = plan.AT_REST = looks
                _say_nothing()
            unwatched, _ = await stage.study()
            await _run(stage, 4, 4, of)
            return {**await _run(stage, watchers, plans, of), "history_events_unwatched": unwatched}


def main() -> int:
    """Measure; the exit code."""
    watchers, plans, looks, of = (*sys.argv[1:5], *("", "", "", "")[len(sys.argv) - 1 :])
    figures = measure(int(watchers or WATCHERS), int(plans or PLANS), float(looks or 0), of or "plan")
    print(json.dumps(asyncio.run(figures)))
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["watch"]:
        asyncio.run(_watch_all())
        status = 0
    else:
        status = main()
    sys.stdout.flush()
    # A client that has talked to Temporal may die by a signal while the interpreter shuts down.
    os._exit(status)
