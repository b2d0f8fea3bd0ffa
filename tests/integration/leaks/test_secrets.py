"""Secrets of a venue's API, sent and answered over real HTTP, then searched wherever data is shown or recorded.

A value under a secret's name, in a path, a query, a header, a cookie, a form or a body of the request, or at any depth
of the answer, is in no trace, no log at DEBUG, no tool of either dialect, no finding, nothing that `iq actions show`
prints, and nothing that a model sees of the answer. Values beside it that are no secrets stay readable.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request
from typer.testing import CliRunner

import registry
from cli.commands.actions import app as actions_command
from clients.venue.client import VenueClient
from contracts.base import Json
from contracts.credentials import HttpRequest
from infra.crypto.keyring import KeyRing
from infra.http.http_server import http_server
from infra.observability.logging import quiet_clients
from infra.observability.observer import Observer
from infra.redaction.trace_redaction import RedactedVenueCall
from infra.stores.store import Store
from infra.stores.token_vault import Vault
from registry import BoundAction
from registry.loading.load import load_pack
from registry.secrets.names import without_secrets
from registry.tools.dialects import gemini_tool, openai_tool
from tests.integration.leaks.scene import Logs
from tests.unit.registry.traps import TEXT

SENT = {n: f"zq{n}zq" for n in ("path", "query", "header", "cookie", "body", "field")}
ANSWERED = {n: f"zx{n}zx" for n in ("token", "card", "rows", "nested", "pin", "iban")}
VENUE = """
venue_id: v
name: V
base_url: http://127.0.0.1:1
time_zone: UTC
locale: en-AU
country: AU
currency: AUD
check_operation: check
"""
PAY = """
action: pay
operation: pay
iq_enabled: true
title: Pay a bill
description: Settles a bill.
parameters:
  bill: {in: path.bill, describe: Which bill}
  gift_card_id: {in: body.gift_card_id, describe: Which voucher}
bound:
  path.access_token: ${PATH}
  query.api_key: ${QUERY}
  query.filter: {page: two}
  header.X-Api-Key: ${HEADER}
  cookie.session_cookie: ${COOKIE}
  body.card: {number: "${BODY}", holder: plain-holder}
  body.pin: ${FIELD}
output: {fields: [receipt, gift_card, payment, rows, customer]}
preview:
  - {label: Bill, after: "{{ bill }}, by voucher {{ gift_card_id }}"}
irreversible_note: Call the guest.
"""


class Recorded:
    """A sink that keeps its records."""

    def __init__(self) -> None:
        self.fields: list[dict[str, Any]] = []

    @contextmanager
    def on_call(self, kind: str, name: str, trace_id: str, fields: dict[str, Any]) -> Iterator["Recorded"]:
        self.fields.append({"name": name, **fields})
        yield self

    def update(self, **fields: Any) -> None:
        self.fields.append(fields)

    def on_record(self, name: str, trace_id: str, fields: dict[str, Any]) -> None:
        self.fields.append({"name": name, **fields})

    def flush(self) -> None:
        """Do nothing, because nothing is buffered."""


def document(kind: str) -> Json:
    def given(name: str, place: str, schema: Json = TEXT, **more: Json) -> Json:
        return {"name": name, "in": place, "required": place == "path", "schema": schema, **more}

    rows = [
        given("access_token", "path"), given("bill", "path"), given("api_key", "query"), given("X-Api-Key", "header"),
        given("session_cookie", "cookie"), given("filter", "query", {"type": "object"}, style="deepObject"),
        {"name": "extra", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}},
    ]  # fmt: skip
    properties = {"card": {"type": "object", "properties": {"number": TEXT, "holder": TEXT}}, "pin": TEXT,
                  "gift_card_id": TEXT}  # fmt: skip
    pay = {"operationId": "pay", "parameters": rows, "requestBody": {"required": True, "content": {kind: {
        "schema": {"type": "object", "properties": properties}}}}}  # fmt: skip
    return {"openapi": "3.1.0", "paths": {"/check": {"get": {"operationId": "check"}},
                                          "/t/{access_token}/pay/{bill}": {"post": pay}}}  # fmt: skip


def pack(folder: Path, kind: str) -> registry.Pack:
    (folder / "actions").mkdir()
    (folder / "openapi.json").write_text(json.dumps(document(kind)))
    (folder / "venue.yaml").write_text(VENUE)
    (folder / "actions" / "pay.yaml").write_text(PAY)
    return load_pack(folder)


ANSWER: Json = {
    "receipt": "R-77", "accessToken": ANSWERED["token"], "gift_card": {"number": "GC-5"},
    "payment": {"card": {"number": ANSWERED["card"], "brand": "visa"}, "pin": {"value": ANSWERED["pin"]}},
    "rows": [{"ok": True, "clientSecret": ANSWERED["rows"]}, [{"bank_account": {"iban": ANSWERED["iban"]}}]],
    "customer": {"credentials": {"username": "u", "value": ANSWERED["nested"]}},
}  # fmt: skip


@asynccontextmanager
async def venue() -> AsyncIterator[tuple[str, list[bytes]]]:
    """An API that answers with secrets, and the requests it got."""
    heard: list[bytes] = []
    app = FastAPI()

    @app.post("/{path:path}")
    async def take(request: Request) -> Json:
        heard.append(b"\n".join([str(request.url).encode(), repr(request.headers.raw).encode(), await request.body()]))
        return ANSWER

    server = http_server(app, "127.0.0.1", 0)
    serving = asyncio.create_task(server.serve())
    await server.until_started()
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", heard
    server.should_exit = True
    await serving


@contextmanager
def logged() -> Iterator[Logs]:
    """Everything that is logged at DEBUG, with the clients' loggers set as `iq` sets them."""
    logs, root = Logs(), logging.getLogger()
    level = root.level
    quiet_clients()
    root.addHandler(logs)
    root.setLevel(logging.DEBUG)
    try:
        yield logs
    finally:
        root.removeHandler(logs)
        root.setLevel(level)


@pytest.fixture(autouse=True)
def _held(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SENT.items():
        monkeypatch.setenv(name.upper(), value)


@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_no_secret_is_recorded_or_shown(kind: str, tmp_path: Path) -> None:
    loaded = pack(tmp_path, kind)
    action = loaded.actions["pay"]
    bound = BoundAction.of(action, {"bill": "B-9", "gift_card_id": "GC-5"})
    sink = Recorded()
    client = VenueClient(Vault(Store(), KeyRing({"k1": bytes(32)})), Observer([sink]), timeout=60)
    with logged() as logs:
        async with venue() as (address, heard):
            request = bound.request()
            answer = await client.send_with_token(address, request, "tok", action=action, trace_id="t")
    await client.close()
    seen = bound.with_(response=answer.body).observation()
    shown = CliRunner().invoke(actions_command, ["show", "pay", "--pack", str(tmp_path)])
    places = {
        "traces": json.dumps(sink.fields), "logs": "\n".join(logs.lines), "model": json.dumps(seen),
        "tools": json.dumps([openai_tool(action), gemini_tool(action)]), "show": shown.output,
        "findings": json.dumps([f.model_dump() for f in loaded.findings]),
    }  # fmt: skip
    found = [f"{v} in {p}" for p, text in places.items() for v in (*SENT.values(), *ANSWERED.values()) if v in text]
    assert found == []
    # The scan can fail, and what is no secret stays readable.
    assert [v for v in SENT.values() if v.encode() not in heard[0]] == []
    assert "R-77" in places["traces"] and "B-9" in places["traces"] and "two" in places["traces"]
    assert all(word in places["model"] for word in ("R-77", "GC-5", "visa", '"username"'))
    assert shown.exit_code == 0 and "gift_card_id" in shown.output


async def test_what_its_author_alone_calls_no_secret_is_not_traced(tmp_path: Path) -> None:
    loaded = pack(tmp_path, "application/json")
    parameters = loaded.actions["pay"].parameters
    message = loaded.actions["pay"].model_copy(
        update={"parameters": tuple(p.model_copy(update={"sensitive": False}) for p in parameters)}
    )
    sink = Recorded()
    client = VenueClient(Vault(Store(), KeyRing({"k1": bytes(32)})), Observer([sink]), timeout=60)
    async with venue() as (address, _):
        request = BoundAction.of(message, {"bill": "B-9", "gift_card_id": "77-GC-1"}).request()
        await client.send_with_token(address, request, "tok", action=message, trace_id="t")
    await client.close()
    assert "77-GC-1" not in json.dumps(sink.fields)


def test_a_path_with_a_secret_in_it_is_traced_as_it_may_be_shown() -> None:
    request = HttpRequest(method="GET", path="/bills/zq-in-the-path", shown_path="/bills/hidden")
    assert RedactedVenueCall(request, None, without_secrets).sent() == {
        "method": "GET",
        "path": "/bills/hidden",
    }
