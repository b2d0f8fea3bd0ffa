"""How long a tool call of the restaurant service takes, over HTTP on loopback, on the embedded provider.

    iq bench restaurant [--calls 400]

Each tool is called one after the other on a day that has 400 bookings, ten times a full evening; the floor is
`/healthz` of the same server. Then 300 calls at once, as one evening's busiest seconds. The last line is JSON:
milliseconds, median and 95th percentile by tool.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter

import httpx

from infra.config.settings import Settings
from infra.http.http_server import http_server
from restaurant.app import create_app
from restaurant.service import assemble

BOUND = 50.0
"""Milliseconds that the 95th percentile of a call may take (docs/restaurant.md)."""
DAY = {"restaurant_id": "roma", "day": "2026-02-19"}
GUEST = {**DAY, "time": "20:00", "people": 2, "name": "Ospite"}


async def timed(calls: int, one: Callable[[int], Awaitable[object]]) -> dict[str, float]:
    """Median and 95th percentile of so many calls, in milliseconds, after a few that warm up."""
    for number in range(5):
        await one(-1 - number)
    took = []
    for number in range(calls):
        start = perf_counter()
        await one(number)
        took.append((perf_counter() - start) * 1000)
    return {"median": round(statistics.median(took), 2), "p95": round(sorted(took)[int(len(took) * 0.95)], 2)}


async def measure(url: str, calls: int) -> dict[str, object]:
    """Every tool, then many at once."""
    async with httpx.AsyncClient(base_url=url, verify=False, limits=httpx.Limits(max_connections=50)) as http:

        async def ask(tool: str, **fields: object) -> dict[str, object]:
            answer = (await http.post(f"/api/{tool}", json={"restaurant_id": "roma", **fields})).json()
            return dict(answer)

        async def book(number: int) -> None:
            made = await ask("create_booking", **GUEST, phone=f"+39333{number + 1_000_000:07d}")
            assert made["ok"], made

        await ask("is_open_now")
        phone = "+393331000007"
        found: dict[str, object] = {"healthz": await timed(calls, lambda _: http.get("/healthz"))}
        found["create_booking"] = await timed(calls, book)
        listed = await ask("list_bookings", phone=phone)
        booking = listed["results"][0]["booking_id"]  # type: ignore[index]
        for tool, fields in {
            "check_openings": {"day": DAY["day"], "time": "20:00"},
            "list_bookings": {"phone": phone},
            "faq": {"question": "Avete opzioni per celiaci senza glutine?"},
            "is_open_now": {},
            "resolve_relative_day": {"text": "tra tre giorni"},
            "resolve_relative_time": {"text": "tra due ore e mezza"},
        }.items():
            found[tool] = await timed(calls, lambda _, tool=tool, fields=fields: ask(tool, **fields))  # type: ignore[misc]
        found["modify_booking"] = await timed(
            calls, lambda number: ask("modify_booking", booking_id=booking, new_people=1 + number % 5)
        )
        start = perf_counter()
        await asyncio.gather(*(ask("check_openings", day=DAY["day"], time="20:00") for _ in range(300)))
        found["300_at_once_seconds"] = round(perf_counter() - start, 2)
        return found


async def run(calls: int) -> dict[str, object]:
    """A server of its own, measured."""
    with tempfile.TemporaryDirectory() as folder:
        kb = Path(folder) / "kb"
        kb.mkdir()
        here = Path(__file__).parent.parent / "restaurant" / "kb" / "roma.yaml"
        roma = here.read_text(encoding="utf-8").replace("max_concurrent_bookings: 3", "max_concurrent_bookings: 1000")
        (kb / "roma.yaml").write_text(roma, encoding="utf-8")
        settings = Settings(_env_file=None, data=Path(folder), restaurant_kb=kb, restaurant_clock="2026-02-18T12:00")
        server = http_server(create_app(assemble(settings, {})), "127.0.0.1", 0)
        serving = asyncio.create_task(server.serve())
        await server.until_started()
        try:
            return await measure(f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", calls)
        finally:
            server.should_exit = True
            await serving


def main() -> int:
    """Measure and print; 1 where a tool is above the bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=400)
    found = asyncio.run(run(parser.parse_args().calls))
    for name, figures in found.items():
        print(f"{name:24} {figures}")
    slow = [name for name, one in found.items() if isinstance(one, dict) and one["p95"] > BOUND]
    print(json.dumps({"bound_ms": BOUND, "slow": slow, **found}))
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
