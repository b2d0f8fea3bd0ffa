"""A small venue for tests, with its pack: parties that can be resized, noted, and desserts that can be ordered for
them. A test can make everything about it misbehave, between any two calls: `fails` answers the next calls of a kind
with statuses, `answers` with bodies, `hook` runs before each."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import JSONResponse

from infra.http.http_server import http_server

Hook = Callable[[str, int], Awaitable[None]]
"""Called with "GET party", "PUT party", … and how many of its kind there have been, before the venue answers."""


async def _nothing(_: str, __: int) -> None:
    return None


class SmallVenue:
    """Its parties by id, its orders by id, every write it applied, and a hook before each call."""

    def __init__(self) -> None:
        self.parties: dict[str, dict[str, Any]] = {}
        self.orders: dict[str, dict[str, Any]] = {}
        self.writes: list[tuple[str, Any]] = []
        self.most_guests = 1000
        self.page = 100
        self.ignores_writes = False
        self.hook: Hook = _nothing
        self.fails: dict[str, list[int]] = {}
        self.answers: dict[str, list[Any]] = {}
        self._counts: dict[str, int] = {}
        self.app = FastAPI()
        self.app.middleware("http")(self._watched)
        self.app.get("/me")(self._me)
        self.app.get("/parties")(self._list)
        self.app.get("/parties/{party}")(self._party)
        self.app.put("/parties/{party}")(self._change)
        self.app.post("/orders")(self._order)
        self.app.get("/orders/{order}")(self._look_at_order)
        self.app.post("/orders/{order}/cancel")(self._cancel)

    def add(self, party: str, **fields: Any) -> dict[str, Any]:
        """Add a party."""
        self.parties[party] = {
            "id": party,
            "name": f"Party {party}",
            "guests": 10,
            "notes": "",
            "mark": "",
            "tags": ["vip"],
            **fields,
        }
        return self.parties[party]

    def fail(self, what: str, *statuses: int) -> None:
        """Answer the next calls of a kind ("GET party") with these statuses."""
        self.fails[what] = list(statuses)

    async def _watched(self, request: Request, call_next: Any) -> Any:
        thing = {"parties": "party", "orders": "order"}.get(request.url.path.split("/")[1], "me")
        thing = "list" if request.url.path == "/parties" else thing
        what = f"{request.method} {thing}"
        self._counts[what] = self._counts.get(what, 0) + 1
        await self.hook(what, self._counts[what])
        if self.fails.get(what):
            return JSONResponse({"message": "not now"}, self.fails[what].pop(0))
        if self.answers.get(what):
            found = self.answers[what].pop(0)
            return found if isinstance(found, Response) else JSONResponse(found)
        return await call_next(request)

    async def _me(self) -> dict[str, Any]:
        return {"name": "Small"}

    async def _list(self, page: int = 1) -> dict[str, Any]:
        rows, first = list(self.parties.values()), (page - 1) * self.page
        return {"parties": rows[first : first + self.page], "page": page, "pages": -(-len(rows) // self.page)}

    async def _party(self, party: str) -> dict[str, Any]:
        found = next((p for p in self.parties.values() if party in (p["id"], p.get("reference"))), None)
        if found is None:
            raise HTTPException(404, "no such party")
        return found

    async def _change(self, party: str, request: Request) -> dict[str, Any]:
        body = await request.json()
        self.writes.append((f"PUT {party}", body))
        if not self.ignores_writes:
            body = {**body, **({"guests": min(body["guests"], self.most_guests)} if "guests" in body else {})}
        else:
            body = {"mark": body.get("mark", "")}
        self.parties[party].update(body)
        return {"ok": True}

    async def _order(self, request: Request) -> dict[str, Any]:
        body = await request.json()
        order = f"o-{len(self.orders) + 1}"
        self.orders[order] = {"id": order, "state": "open", **body}
        self.writes.append((f"POST {order}", body))
        return {"order": {"id": order}}

    async def _look_at_order(self, order: str) -> dict[str, Any]:
        if order not in self.orders:
            raise HTTPException(404, "no such order")
        return self.orders[order]

    async def _cancel(self, order: str) -> dict[str, Any]:
        self.writes.append((f"cancel {order}", None))
        self.orders[order]["state"] = "cancelled"
        return {"ok": True}


def _schema(**fields: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": kind} for name, kind in fields.items()}}


def _operation(name: str, body: dict[str, Any] | None = None, path: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {"operationId": name, "summary": name, "responses": {"200": {"description": "done"}}}
    if path:
        found["parameters"] = [{"name": path, "in": "path", "required": True, "schema": {"type": "string"}}]
    if body is not None:
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return found


_LIST = {
    **_operation("list-parties"),
    "parameters": [{"name": "page", "in": "query", "schema": {"type": "integer"}}],
}
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Small venue", "version": "1"},
    "servers": [{"url": "http://127.0.0.1:1"}],
    "paths": {
        "/me": {"get": _operation("me")},
        "/parties": {"get": _LIST},
        "/parties/{party}": {
            "get": _operation("get-party", path="party"),
            "put": _operation("change-party", _schema(guests="integer", notes="string", mark="string"), path="party"),
        },
        "/orders": {"post": _operation("order", _schema(party="string", dessert="string", pieces="integer"))},
        "/orders/{order}": {"get": _operation("get-order", path="order")},
        "/orders/{order}/cancel": {"post": _operation("cancel-order", path="order")},
    },
}
VENUE = """
venue_id: small
name: Small
base_url: http://127.0.0.1:1
time_zone: Australia/Melbourne
locale: en-AU
country: AU
currency: AUD
opening_hours: {opens: "09:00", closes: "21:00"}
check_operation: me
undo_window_seconds: 900
settle_seconds: 0.5
"""
_ABOUT_PARTY = 'snapshot: {{operation: get-party, with: {{party: "{{{{ booking_id }}}}"}}, covers: [{covers}]}}'
_NOTE_UNDONE = """compensation:
  operation: change-party
  request: {path: {party: "{{ booking_id }}"}, body: {notes: "{{ before.notes }}"}}
  manual: "Set the note of party {{ booking_id }} back to: {{ before.notes }}"
preview:
  - {label: Note, before: "{{ before.notes }}", after: "{{ note }}"}
"""


def _on_party(
    action: str, title: str, description: str, *, covers: str, verify: str = "now.notes == request.body.notes"
) -> str:
    return f"""
action: {action}
operation: change-party
iq_enabled: true
title: {title}
safety: normal
description: {description}
parameters:
  booking_id: {{in: path.party, role: booking, describe: The party}}
  note: {{role: note, type: string, describe: What to write}}
{_ABOUT_PARTY.format(covers=covers)}
request: {{body: {{notes: "{{{{ note }}}}"}}}}
verify: {{all: [{verify}]}}
"""


ACTIONS = {
    "get_party": """
action: get_party
operation: get-party
iq_enabled: true
title: Look at a party
description: Read one party.
parameters:
  booking_id: {in: path.party, role: booking, describe: The party}
output:
  shape: {booking_id: "{{ response.id }}"}
  candidates:
    booking_id: "{{ response.id }}"
    reference: "{{ response.reference | default('', true) }}"
    guest_name: "{{ response.name }}"
    guest_count: "{{ response.guests }}"
""",
    "resize": f"""
action: resize
operation: change-party
iq_enabled: true
title: Resize party
safety: normal
description: Change how many guests come.
parameters:
  booking_id: {{in: path.party, role: booking, describe: The party}}
  guests: {{in: body.guests, role: count, describe: How many guests}}
{_ABOUT_PARTY.format(covers="guests")}
marker:
  body: {{mark: "{{{{ marker }}}}"}}
  present: now.mark == marker
  value: now.mark
verify: {{all: [now.guests == request.body.guests]}}
compensation:
  operation: change-party
  request: {{path: {{party: "{{{{ booking_id }}}}"}}, body: {{guests: "{{{{ before.guests }}}}"}}}}
  manual: "Set party {{{{ booking_id }}}} back to {{{{ before.guests }}}}."
preview:
  - {{label: Guests, before: "{{{{ before.guests }}}}", after: "{{{{ guests }}}}"}}
summary: "Party {{{{ booking_id }}}} is now for {{{{ guests }}}}."
output: {{shape: {{booking_id: "{{{{ booking_id }}}}", size: "{{{{ response.ok }}}}"}}}}
sample:
  call: {{booking_id: p-1, guests: 14}}
  before: {{id: p-1, guests: 10, mark: ""}}
  after: {{id: p-1, guests: 14, mark: sample-key}}
""",
    # Its `covers` names a field that does not exist: the snapshot sees no change at all.
    "note_unseen": _on_party("note_unseen", "Note on party", "Write on a party.", covers="note")
    + _NOTE_UNDONE
    + "sample: none\n",
    # The same, and its `verify` accepts a part of the note.
    "note_blind": _on_party(
        "note_blind", "Note on party", "Write on a party.", covers="note", verify="note in now.notes"
    )
    + _NOTE_UNDONE
    + "sample: none\n",
    "tag": _on_party("tag", "Tag party", "Write on a party whose guests are listed.", covers="tags")
    + """irreversible_note: "Take the note off party {{ booking_id }}."
preview:
  - {label: Note, after: "{{ note }}"}
""",
    "order_dessert": """
action: order_dessert
operation: order
iq_enabled: true
title: Order dessert
safety: normal
description: Order a dessert for a party.
parameters:
  booking_id: {in: body.party, role: booking, describe: The party}
  pieces: {in: body.pieces, role: count, describe: How many pieces}
bound: {body.dessert: cake}
verify:
  reads: {order: {operation: get-order, with: {order: "{{ response.order.id }}"}}}
  all: [now.order.state == 'open', now.order.pieces == request.body.pieces]
  known_by: [now.order.party == booking_id, now.order.dessert == request.body.dessert]
  gone: [now.order.state == 'cancelled']
compensation:
  operation: cancel-order
  request: {path: {order: "{{ response.order.id }}"}}
  manual: "Cancel the dessert of party {{ booking_id }}."
preview:
  - {label: Pieces, after: "{{ pieces }}"}
output: {shape: {order_id: "{{ response.order.id }}"}}
sample:
  call: {booking_id: p-1, pieces: 3}
  response: {order: {id: o-1}}
  after: {order: {id: o-1, party: p-1, dessert: cake, state: open, pieces: 3}}
""",
    "shut_down": f"""
action: shut_down
operation: change-party
iq_enabled: true
title: Shut party down
safety: high_risk
reversible: false
description: End a party for good.
parameters:
  booking_id: {{in: path.party, role: booking, describe: The party}}
{_ABOUT_PARTY.format(covers="guests")}
request: {{body: {{guests: 0}}}}
verify: {{all: [now.guests == 0]}}
irreversible_note: "Make party {{{{ booking_id }}}} again."
preview:
  - {{label: Party, before: "open", after: "ended"}}
""",
}


def write_pack(folder: Path, **changed: str) -> Path:
    """Write the pack's files below `folder`; `changed` replaces overlays by name, "" omits one."""
    import json

    pack = folder / "small"
    (pack / "actions").mkdir(parents=True)
    (pack / "openapi.json").write_text(json.dumps(DOCUMENT))
    (pack / "venue.yaml").write_text(VENUE)
    for name, text in {**ACTIONS, **changed}.items():
        if text:
            (pack / "actions" / f"{name}.yaml").write_text(text)
    return pack


@asynccontextmanager
async def served(venue: SmallVenue, port: int) -> AsyncIterator[None]:
    """Serve the venue on loopback."""
    server = http_server(venue.app, "127.0.0.1", port, drain=0)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    yield
    server.should_exit = True
    await task
