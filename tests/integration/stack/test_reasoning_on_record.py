"""A chat's reasoning log, for engineers.

Guarantees:
- Only the service key opens it, in a header or by a sign-in to the staff pages: 401 without it or with another, 403 for
  an operator's page and where no key distinguishes an engineer from an operator, 404 for an unknown chat.
- Assessments, context fetches, critiques and decisions are in order, numbered over the chat's whole life, also across
  continue-as-new; the oldest are dropped.
- `iq conversation` shows the same, and without --debug what the operator saw.
- A venue in standard mode records its decisions, too.
"""

import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from temporalio.client import WorkflowExecutionStatus

from api.app import create_app
from api.auth.page_session import COOKIE
from api.auth.staff_session import STAFF_COOKIE
from cli.commands import conversation
from cli.stack.dev import Stack
from contracts.chat_messages import ChatMemory, ChatStart, TurnRequest
from contracts.enums import AiMode
from contracts.limits import ChatPolicy
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, decides, found, look_up
from workflows.chat.session import ChatSession
from workflows.chat.turn_transcript import ReasoningLog
from workflows.workflow_ids import chat_workflow

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

KEY = "the-service-key-of-this-test"


@asynccontextmanager
async def facade(stack: Stack, key: str, at: str = "http://iq.test") -> AsyncIterator[httpx.AsyncClient]:
    assert stack.services is not None
    parts = dataclasses.replace(stack.services, settings=stack.settings.model_copy(update={"service_key": key}))
    there = httpx.ASGITransport(app=create_app(parts))
    async with httpx.AsyncClient(transport=there, base_url=at) as client:
        yield client


async def a_cancellation(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), lambda body: {"cancel_booking": {"booking_id": found(body)}})
    scripted.critique(guest, decides("PROCEED", reasoning="it was asked for"))
    assert (await operator.say(f"cancel {guest}"))["type"] == "plan"


async def test_engineers_read_it_and_no_one_else(
    stack: Stack, operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    await a_cancellation(operator, roller, scripted)
    path, token = f"/v1/sessions/{operator.session}/debug", operator.http.headers["Authorization"]
    async with facade(stack, KEY) as client:
        for headers in ({}, {"X-Service-Key": "another"}, {"Authorization": token}):
            expect_error(await client.get(path, headers=headers), 401, "unauthorized")
        expect_error(await client.get("/v1/sessions/nowhere/debug", headers={"X-Service-Key": KEY}), 404, "not_found")
        reported = (await client.get(path, headers={"X-Service-Key": KEY})).json()
        rest = (await client.get(path, headers={"X-Service-Key": KEY}, params={"after": 3})).json()
    async with facade(stack, "") as client:
        expect_error(await client.get(path, headers={"X-Service-Key": KEY, "Authorization": token}), 403, "forbidden")
    entries = reported["entries"]
    assert [e["kind"] for e in entries] == [
        "assessment", "context", "assessment", "assessment", "critique", "decision",
    ]  # fmt: skip
    assert [e["number"] for e in entries] == list(range(1, 7)) and rest["entries"] == entries[3:]
    assert all(e["mode"] == "adaptive" and e["request_id"] for e in entries)
    assert entries[4]["text"] == "proceed: it was asked for" and entries[4]["details"]["triggers"] == ["destructive"]
    assert entries[5]["details"] == {"calls": 3, "critiques": 1}


async def test_a_page_that_is_signed_in_as_staff_reads_it_and_an_operators_does_not(
    stack: Stack, operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    await a_cancellation(operator, roller, scripted)
    path, token = f"/v1/sessions/{operator.session}/debug", operator.http.headers["Authorization"]
    ours = {"Sec-Fetch-Site": "same-origin"}
    async with facade(stack, KEY, "https://iq.test") as page:
        given = await page.post(
            "/v1/tickets", json={"user_id": operator.user}, headers={"X-Service-Key": KEY, "Authorization": token}
        )
        assert (await page.post("/page/enter", data={"ticket": given.json()["ticket"]})).status_code == 303
        expect_error(await page.get(path), 403, "forbidden")
        # An operator's session opens no reasoning log under another cookie name either.
        operators = page.cookies[COOKIE]
        page.cookies.set(STAFF_COOKIE, operators)
        expect_error(await page.get(path), 403, "forbidden")
        page.cookies.delete(STAFF_COOKIE)
        assert "engineer" not in (await page.get("/page/session")).json()
        await page.post("/staff/session", json={"name": "Ada", "key": KEY}, headers=ours)
        assert (await page.get("/page/session")).json()["engineer"] is True
        assert len((await page.get(path)).json()["entries"]) == 6
        expect_error(await page.get(path, headers={"X-Service-Key": "another"}), 401, "unauthorized")
        await page.delete("/staff/session", headers=ours)
        expect_error(await page.get(path), 403, "forbidden")
    async with facade(stack, "", "http://127.0.0.1") as page:
        # Without a key every user of this machine signs in as staff, so no caller is an engineer.
        assert (await page.post("/staff/session", json={"name": "Ada"}, headers=ours)).json()["signed_in"]
        expect_error(await page.get(path), 403, "forbidden")


async def test_the_command_shows_it(
    stack: Stack, operator: Operator, roller: Roller, scripted: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    await a_cancellation(operator, roller, scripted)
    assert await conversation.show(stack.settings, operator.session, "roller-demo", debug=True) == 0
    reported = capsys.readouterr().out
    assert "proceed: it was asked for" in reported and "adaptive" in reported and "a plan: cancel_booking" in reported
    assert await conversation.show(stack.settings, operator.session, "", debug=False) == 0
    shown = capsys.readouterr().out
    assert "message" in shown and "proceed" not in shown
    assert await conversation.show(stack.settings, "nowhere", "", debug=True) == 1


async def test_it_goes_on_when_the_history_starts_afresh(impatient: Stack, hasty: Operator) -> None:
    assert impatient.services is not None
    await hasty.say("hello")
    client, text = impatient.services.chats.client, 1
    first = await client.get_workflow_handle(chat_workflow("roller-demo", hasty.session)).describe()
    begun = client.get_workflow_handle(first.id, run_id=first.run_id)
    while text < 6 or (await begun.describe()).status is WorkflowExecutionStatus.RUNNING:
        await hasty.say("hello")
        text += 1
    async with facade(impatient, KEY) as client:
        path = f"/v1/sessions/{hasty.session}/debug"
        entries = (await client.get(path, headers={"X-Service-Key": KEY})).json()["entries"]
    assert [e["number"] for e in entries] == list(range(1, 2 * text + 1))


async def test_standard_mode_keeps_what_was_decided(standard: Stack, plain_operator: Operator) -> None:
    turn = await plain_operator.say("what is your refund policy?")
    assert "On returns the venue says" in turn["message"], "both modes quote"
    async with facade(standard, KEY) as client:
        path = f"/v1/sessions/{plain_operator.session}/debug"
        [entry] = (await client.get(path, headers={"X-Service-Key": KEY})).json()["entries"]
    assert (entry["kind"], entry["mode"], entry["text"]) == ("decision", AiMode.STANDARD, "answer")


async def test_the_oldest_fall_off(monkeypatch: pytest.MonkeyPatch) -> None:
    now = "2026-11-27T09:05:00+11:00"
    monkeypatch.setattr("workflows.chat.turn_transcript.workflow.now", lambda: now)
    start = ChatStart(venue_id="v", session_id="s", policy=ChatPolicy(internal_kept=5), memory=ChatMemory())
    chat = ChatSession(start)
    request = TurnRequest(
        request_key="k", request_id="r", user_id="u", user_message="hi", token_ref="t", accept_by=now, deadline=now,
        commit_token="ticket",
    )  # fmt: skip
    for number in range(20):
        ReasoningLog(chat, request).append(
            "decision", AiMode.ADAPTIVE, "x" * 9000, number=number, long="y" * 9000, empty=None
        )
    kept = chat.memory.internal
    assert [entry.number for entry in kept] == [16, 17, 18, 19, 20]
    assert all(len(entry.text) <= 500 and len(str(entry.details)) < 3000 for entry in kept)
    assert "empty" not in kept[0].details
