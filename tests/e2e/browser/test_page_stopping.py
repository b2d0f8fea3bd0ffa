"""Stopping a plan from the page, against the running stack. Guarantees:

- the Stop button stops a running plan: the card shows that it is stopping, and offers no further stop; the changes are
  undone at the venue, and the card shows it;
- the typed message "stop" does the same, by the same way;
- a pending plan is dropped by its own button, and nothing was executed.

Axe-core finds nothing while it runs, nor after it was stopped.
"""

import asyncio

import pytest
from playwright.async_api import expect

from cli.stack.dev import Stack
from tests.e2e.browser.conftest import Visit
from tests.support.party import Party
from tests.support.roller import Roller, content
from tests.support.scripted_model import held, obey

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

TWO = (("change_guest_count", {"guest_count": 14}), ("edit_note", {"note": "Cake at noon"}))


@pytest.mark.parametrize("way", ["button", "word"])
async def test_a_running_plan_is_stopped_and_put_back(
    visit: Visit, stack: Stack, roller: Roller, party: Party, way: str
) -> None:
    # A second step of fixed length would be over before the message "stop" arrived on a busy machine.
    stopped = asyncio.Event()
    guest, booking = await party(*TWO, model=(obey, held(stopped, obey)))
    visitor = await visit()
    await (await visitor.asks(f"make {guest} 14 guests, with the note: Cake at noon")).click()
    first = visitor.card.locator("[data-step='1']")
    await expect(first).to_have_attribute("data-status", "completed")
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == 14
    if way == "button":
        await visitor.sound()
        await visitor.do("stop").click()
    else:
        await visitor.say("stop")
    await expect(visitor.card.locator(".card-status")).to_have_text("Stopping…")
    await expect(visitor.page.locator("#dock")).to_contain_text("finished and looked at first")
    await expect(visitor.do("stop")).to_have_count(0)
    await visitor.sound()
    stopped.set()
    await visitor.stands("rolled_back")
    assert content(await roller.booking(booking["uniqueId"])) == content(booking)
    await expect(visitor.do("stop")).to_have_count(0)
    await expect(first).to_have_attribute("data-status", "reversed")
    await visitor.sound()
    await visitor.shows_all_of(stack)


async def test_a_plan_that_waits_is_dropped(visit: Visit, stack: Stack, roller: Roller, party: Party) -> None:
    guest, booking = await party(("edit_note", {"note": "bring socks"}))
    visitor = await visit()
    await visitor.asks(f"note for {guest}: bring socks")
    await visitor.do("drop").click()
    await visitor.stands("cancelled")
    await expect(visitor.page.locator("[data-row=reply]").last).to_contain_text("None of it was carried out")
    await visitor.sound()
    assert await roller.journal(booking) == []
    await visitor.shows_all_of(stack)
