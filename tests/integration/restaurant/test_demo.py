"""The bookings that `iq dev` invents beside the restaurant pack. Guarantees:

- Each has a reference of its own: the six digits that the pack shows distinguish them.
"""

from pathlib import Path

import httpx

from cli.stack.restaurant import SECRET, create


async def test_references_differ(tmp_path: Path) -> None:
    app = create(tmp_path, controls=False)
    async with app.router.lifespan_context(app):  # type: ignore[attr-defined]
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))
        headers = {"Authorization": f"Bearer {SECRET}"}
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as one:
            rows = (await one.get("/staff/roma/bookings")).json()["bookings"]
    assert len(rows) == 7 and len({row["booking_id"][:6] for row in rows}) == 7, rows
