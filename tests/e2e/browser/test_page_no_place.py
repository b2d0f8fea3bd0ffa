"""The page when the service is at its limit of concurrent commands (429), against the running stack. Guarantees: the
operator reads that nothing was sent and when to try again; the button is back, and the typed text is still there; the
plan and its booking are as before; the same command sent again keeps its request id, and takes effect once."""

import contextlib
import json
import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Request, expect

from cli.stack.dev import Stack
from clients.admission import AdmissionControl
from infra.observability.observer import Observer
from tests.e2e.browser.conftest import Visit
from tests.support.party import Party
from tests.support.roller import Roller
from tests.support.visitor import Visitor

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

VENUE = "roller-demo"
ASK = {"ask_operator": {"question": "Which cake?"}}


@contextlib.asynccontextmanager
async def no_place(stack: Stack, patch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Use up the limit of concurrent commands for as long as a block lasts."""
    assert stack.services is not None
    full = AdmissionControl(1, "command", Observer())
    with patch.context() as held:
        async with full.slot(VENUE, several=False):
            held.setattr(stack.services.commands, "_admission", full)
            yield


def sent(visitor: Visitor, way: str) -> list[str]:
    """Return the ids of the commands that the page sends from now on."""
    ids: list[str] = []

    def heard(request: Request) -> None:
        if request.method == "POST" and request.url.endswith(f"/{way}"):
            ids.append(json.loads(request.post_data or "{}")["request_id"])

    visitor.page.on("request", heard)
    return ids


async def test_a_confirmation(
    visit: Visit, stack: Stack, roller: Roller, party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, booking = await party(("edit_note", {"note": "bring socks"}))
    visitor = await visit()
    confirm = await visitor.asks(f"note for {guest}: bring socks")
    trouble = visitor.page.locator(".dock-block .trouble")
    before, ids = await roller.booking(booking["uniqueId"]), sent(visitor, "confirm")
    async with no_place(stack, monkeypatch):
        for _ in range(2):
            await confirm.click()
            await expect(trouble).to_contain_text(re.compile(r"Retry in \d+ seconds"))
            await expect(trouble).to_contain_text("not passed on")
            await expect(confirm).to_be_enabled()
            await visitor.sound()
    assert await roller.booking(booking["uniqueId"]) == before
    await expect(visitor.card).to_have_attribute("data-status", "pending_confirmation")
    await confirm.click()
    await visitor.stands("completed")
    await expect(trouble).to_have_count(0)
    assert len(ids) == 3 and len(set(ids)) == 1, "one word, said three times"
    await visitor.shows_all_of(stack)


async def test_an_answer(visit: Visit, stack: Stack, party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}), model=(ASK, {"edit_note": {"note": "bring socks"}}))
    visitor = await visit()
    await (await visitor.asks(f"note for {guest}: bring socks")).click()
    box, ids = visitor.do("answer-text"), sent(visitor, "answers")
    await box.fill("the chocolate one")
    async with no_place(stack, monkeypatch):
        await visitor.do("answer").click()
        # A busy machine may add "Shown as it was last seen." beside it.
        await expect(
            visitor.card.locator(".trouble:visible", has_text=re.compile(r"Retry in \d+ seconds"))
        ).to_be_visible()
        await expect(box).to_have_value("the chocolate one")
    await visitor.do("answer").click()
    await visitor.stands("completed")
    assert len(ids) == 2 and len(set(ids)) == 1, "one word, said twice"
    await visitor.shows_all_of(stack)
