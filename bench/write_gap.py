"""How long a write is on its way after its last check: what somebody changes at the venue in that time is overwritten
(`docs/saga.md`, "What remains").

Run as `python -m bench.write_gap`. A venue on loopback notes when the first bytes of each write arrive. The last line
is JSON: milliseconds from the last check to there (median, 95th percentile, worst), on a pooled connection and on a
new one. The way over a network comes on top.
"""

from __future__ import annotations

import asyncio
import json
import statistics
from time import perf_counter

from clients.venue.client import VenueClient, Write
from contracts.credentials import HttpRequest
from infra.crypto.keyring import new_key_line, parse_ring
from infra.observability.observer import Observer
from infra.stores.store import Store
from infra.stores.token_vault import Vault

WRITES = 400
WRITE = HttpRequest(method="PUT", path="/bookings/1", body={"guests": 14})


async def measure(*, pooled: bool) -> list[float]:
    """Milliseconds of each write."""
    arrived: list[float] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.readline():
            arrived.append(perf_counter())
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
            await reader.readexactly(length)
            closing = b"" if pooled else b"Connection: close\r\n"
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + closing + b"\r\n{}")
            if not pooled:
                writer.close()
                return

    checked: list[float] = []

    async def check() -> bool:
        checked.append(perf_counter())
        return True

    venues = VenueClient(Vault(Store(), parse_ring(new_key_line())), Observer(), timeout=5)
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        for _ in range(WRITES):
            await venues.send_with_token(address, WRITE, "token", write=Write(check))
        await venues.close()
        server.close()
        await asyncio.sleep(0.05)  # its connections end
    return sorted((there - here) * 1000 for here, there in zip(checked, arrived, strict=True))


def main() -> None:
    """Measure and print."""
    found = {}
    for name, pooled in (("pooled", True), ("new connection", False)):
        taken = asyncio.run(measure(pooled=pooled))
        found[name] = {
            "median_ms": round(statistics.median(taken), 2),
            "p95_ms": round(taken[int(len(taken) * 0.95)], 2),
            "worst_ms": round(taken[-1], 2),
        }
    print(json.dumps({"writes": WRITES, **found}))


if __name__ == "__main__":
    main()
