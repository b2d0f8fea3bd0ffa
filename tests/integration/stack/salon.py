"""A hairdresser's API as a third party might write it, with its pack. It creates appointments, takes instants in UTC,
requires an API key with every request and a client and a token in every body, and reports errors in its own words.

`closed` makes it reject rooms; `loses` drops the answer of the next appointment after it was made; `moved` removes the
read that the pack uses for its sign-in check.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse

KEY, TOKEN = "salon-key-7f3a91c2", "salon-token-d41d8cd9"
TEXT: dict[str, Any] = {"type": "string"}


class Salon:
    """The clients, and the appointments that were made for them."""

    def __init__(self) -> None:
        self.clients = {"c-1": "Ada Byron", "c-2": "Bo Diaz"}
        self.appointments: dict[str, dict[str, Any]] = {}
        self.rooms: dict[str, dict[str, Any]] = {}
        self.refused: list[str] = []
        self.extended: list[str] = []
        self.closed, self.loses, self.moved = False, False, False
        self.app = FastAPI()
        self.app.middleware("http")(self._keyed)
        self.app.get("/v1/me")(self._me)
        self.app.get("/v1/clients")(self._clients)
        self.app.post("/v1/appointments")(self._book)
        self.app.get("/v1/appointments/{number}")(self._appointment)
        self.app.post("/v1/appointments/{number}/cancel")(self._cancel)
        self.app.get("/v1/vouchers")(self._vouchers)
        self.app.post("/v1/vouchers/{number}/extend")(self._extend)
        self.app.post("/v1/rooms")(self._reserve)
        self.app.get("/v1/rooms/{number}")(self._room)
        self.app.post("/v1/rooms/{number}/release")(self._release)

    async def _keyed(self, request: Request, call_next: Any) -> Any:
        if request.headers.get("X-Salon-Key") != KEY or request.headers.get("Authorization"):
            self.refused.append(str(request.url.path))
            return JSONResponse({"error": "bad_key", "errorMessage": "Key?"}, 401)
        return await call_next(request)

    async def _me(self) -> dict[str, Any]:
        if self.moved:
            raise HTTPException(404)
        return {"name": "Salon"}

    async def _body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = await request.json()
        if body.pop("auth", None) != {"client": "iq", "token": TOKEN}:
            raise HTTPException(401)
        return body

    async def _clients(self, name: str) -> list[dict[str, Any]]:
        return [{"id": i, "fullName": n, "tags": []} for i, n in self.clients.items() if name.lower() in n.lower()]

    async def _vouchers(self, holder: str) -> list[dict[str, Any]]:
        rows = [{"code": "c-1", "holder": "Ada Byron"}, {"code": "v-2", "holder": "Bo Diaz"}]
        return [row for row in rows if holder.lower() in row["holder"].lower()]

    async def _extend(self, number: str, request: Request) -> dict[str, Any]:
        await self._body(request)
        self.extended.append(number)
        return {"ok": True}

    async def _book(self, request: Request) -> Any:
        body = await self._body(request)
        number = f"a-{len(self.appointments) + 1}"
        self.appointments[number] = {"id": number, "state": "booked", **body}
        if self.loses:
            self.loses = False
            await asyncio.sleep(30)
        return JSONResponse({"appointment": {"id": number}}, 201)

    async def _appointment(self, number: str) -> dict[str, Any]:
        if number not in self.appointments:
            raise HTTPException(404)
        return self.appointments[number]

    async def _cancel(self, number: str, request: Request) -> dict[str, Any]:
        await self._body(request)
        self.appointments[number]["state"] = "cancelled"
        return {"ok": True}

    async def _reserve(self, request: Request) -> Any:
        body = await self._body(request)
        if self.closed:
            return JSONResponse({"error": "room_closed", "errorMessage": f"The {body['room']} room is closed."}, 422)
        number = f"r-{len(self.rooms) + 1}"
        self.rooms[number] = {"id": number, "state": "reserved", **body}
        return JSONResponse({"id": number}, 201)

    async def _room(self, number: str) -> dict[str, Any]:
        return self.rooms[number]

    async def _release(self, number: str, request: Request) -> dict[str, Any]:
        await self._body(request)
        self.rooms[number]["state"] = "released"
        return {"ok": True}


def _object(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **({"required": list(required)} if required else {})}


def _answers(schema: Any, status: str = "200") -> dict[str, Any]:
    return {status: {"description": "ok", "content": {"application/json": {"schema": schema}}}}


def _takes(schema: Any) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


AUTH = _object("client", "token", client=TEXT, token=TEXT)
NUMBER = {"name": "number", "in": "path", "required": True, "schema": TEXT}
APPOINTMENT = _object(id=TEXT, state=TEXT, clientId=TEXT, startsAt={"type": "string", "format": "date-time"})
ROOM = _object(id=TEXT, state=TEXT, room=TEXT)
DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Salon", "version": "1"},
    "servers": [{"url": "https://api.salon.example"}],
    "components": {"securitySchemes": {"salonKey": {"type": "apiKey", "in": "header", "name": "X-Salon-Key"}}},
    "security": [{"salonKey": []}],
    "paths": {
        "/v1/me": {"get": {"operationId": "me", "responses": _answers(_object(name=TEXT))}},
        "/v1/clients": {
            "get": {
                "operationId": "searchClients",
                "parameters": [{"name": "name", "in": "query", "required": True, "schema": TEXT}],
                "responses": _answers({"type": "array", "items": _object(id=TEXT, fullName=TEXT)}),
            }
        },
        "/v1/appointments": {
            "post": {
                "operationId": "createAppointment",
                "requestBody": _takes(
                    _object(
                        "auth", "clientId", "startsAt",
                        auth=AUTH, clientId=TEXT, startsAt={"type": "string", "format": "date-time"},
                    )
                ),
                "responses": _answers(_object(appointment=_object(id=TEXT)), "201"),
            }
        },
        "/v1/appointments/{number}": {
            "parameters": [NUMBER],
            "get": {"operationId": "getAppointment", "responses": _answers(APPOINTMENT)},
        },
        "/v1/appointments/{number}/cancel": {
            "parameters": [NUMBER],
            "post": {
                "operationId": "cancelAppointment",
                "requestBody": _takes(_object("auth", auth=AUTH)),
                "responses": _answers(_object(ok={"type": "boolean"})),
            },
        },
        "/v1/vouchers": {
            "get": {
                "operationId": "searchVouchers",
                "parameters": [{"name": "holder", "in": "query", "required": True, "schema": TEXT}],
                "responses": _answers({"type": "array", "items": _object(code=TEXT, holder=TEXT)}),
            }
        },
        "/v1/vouchers/{number}/extend": {
            "parameters": [NUMBER],
            "post": {
                "operationId": "extendVoucher",
                "requestBody": _takes(_object("auth", auth=AUTH)),
                "responses": _answers(_object(ok={"type": "boolean"})),
            },
        },
        "/v1/rooms": {
            "post": {
                "operationId": "reserveRoom",
                "requestBody": _takes(_object("auth", "room", auth=AUTH, room=TEXT, clientId=TEXT)),
                "responses": _answers(_object(id=TEXT), "201"),
            }
        },
        "/v1/rooms/{number}": {
            "parameters": [NUMBER],
            "get": {"operationId": "getRoom", "responses": _answers(ROOM)},
        },
        "/v1/rooms/{number}/release": {
            "parameters": [NUMBER],
            "post": {
                "operationId": "releaseRoom",
                "requestBody": _takes(_object("auth", auth=AUTH)),
                "responses": _answers(_object(ok={"type": "boolean"})),
            },
        },
    },
}  # fmt: skip
VENUE = """
venue_id: salon
name: Salon
time_zone: Europe/Rome
locale: en-GB
country: IT
check_operation: me
settle_seconds: 1
credentials: {salonKey: "${SALON_KEY}"}
bound: {body.auth.client: iq, body.auth.token: "${SALON_TOKEN}"}
errors: {code: error, message: errorMessage}
words:
  booking: {en: client, it: [cliente, clienti]}
  system: {en: salon book, it: [gestionale, gestionali]}
  voucher: {en: voucher, it: [buono, buoni]}
"""
ACTIONS = {
    "find_vouchers": """
action: find_vouchers
operation: searchVouchers
iq_enabled: true
title: Find vouchers
description: Find vouchers by their holder's name.
parameters:
  keywords: {in: query.holder, role: search, describe: A name}
output:
  thing: voucher
  shape: {for_each: response, value: {booking_id: "{{ item.code }}", holder: "{{ item.holder }}"}}
  candidates:
    for_each: response
    value: {booking_id: "{{ item.code }}", guest_name: "{{ item.holder }}", label: "Voucher of {{ item.holder }}"}
""",
    "extend_voucher": """
action: extend_voucher
operation: extendVoucher
iq_enabled: true
title: Extend voucher
description: Let one voucher run a year longer.
parameters:
  voucher: {in: path.number, role: booking, thing: voucher, describe: The voucher}
irreversible_note: Shorten the voucher by hand.
preview:
  - {label: Runs, after: a year longer}
""",
    "find_clients": """
action: find_clients
operation: searchClients
iq_enabled: true
title: Find clients
description: Find clients by name.
parameters:
  keywords: {in: query.name, role: search, describe: A name}
output:
  shape: {for_each: response, value: {booking_id: "{{ item.id }}", name: "{{ item.fullName }}"}}
  candidates:
    for_each: response
    value: {booking_id: "{{ item.id }}", guest_name: "{{ item.fullName }}", label: "{{ item.fullName }}"}
""",
    "make_appointment": """
action: make_appointment
operation: createAppointment
iq_enabled: true
title: Make appointment
description: Make a new appointment for one client.
parameters:
  booking_id: {in: body.clientId, role: booking, describe: The client}
  day: {role: date, describe: The day}
  start_time: {role: time, describe: The time}
request: {body: {startsAt: "{{ day | instant(start_time) }}"}}
verify:
  reads: {made: {operation: getAppointment, with: {number: "{{ response.appointment.id }}"}}}
  all: [now.made.startsAt | same_instant(request.body.startsAt), now.made.state == 'booked']
  gone: [now.made.state == 'cancelled']
compensation:
  operation: cancelAppointment
  request: {path: {number: "{{ response.appointment.id }}"}}
  manual: Cancel the appointment of {{ request.body.startsAt | day_and_time }} in the salon book.
preview:
  - {label: Appointment, after: "{{ request.body.startsAt | day_and_time }}"}
summary: Booked for {{ request.body.startsAt | day_and_time }}.
sample:
  call: {booking_id: c-1, day: "2030-07-06", start_time: "15:00"}
  response: {appointment: {id: a-1}}
  after: {made: {id: a-1, state: booked, clientId: c-1, startsAt: "2030-07-06T13:00:00Z"}}
""",
    "reserve_room": """
action: reserve_room
operation: reserveRoom
iq_enabled: true
title: Reserve room
description: Reserve a room for one client.
parameters:
  booking_id: {in: body.clientId, role: booking, describe: The client}
  room: {in: body.room, role: choice, choices: [blue, green], describe: Which room}
verify:
  reads: {made: {operation: getRoom, with: {number: "{{ response.id }}"}}}
  all: [now.made.state == 'reserved', now.made.room == room]
  gone: [now.made.state == 'released']
compensation:
  operation: releaseRoom
  request: {path: {number: "{{ response.id }}"}}
  manual: Release the {{ room }} room in the salon book.
errors:
  - status: 422
    code: room_closed
    type: bad_request
    unprocessed: true
    message: The {{ room }} room is closed then.
    suggestions: [Take the other room.]
preview:
  - {label: Room, after: "{{ room }}"}
sample:
  call: {booking_id: c-1, room: blue}
  response: {id: r-1}
  after: {made: {id: r-1, state: reserved, room: blue}}
""",
}


def write(folder: Path) -> Path:
    """Write the pack's files."""
    (folder / "actions").mkdir(parents=True)
    (folder / "openapi.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    (folder / "venue.yaml").write_text(VENUE, encoding="utf-8")
    for name, text in ACTIONS.items():
        (folder / "actions" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder
