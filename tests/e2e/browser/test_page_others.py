"""The operator's plans in other chats, against the running stack. Guarantees:

- a pending plan is still reachable after "New chat", from the service's list, and is confirmed where it was made; the
  list has no other operator's plans;
- a browser that never opened its chat lists it, too; a finished plan can be undone from there, from any chat, and
  leaves all lists when its undo window is over.

Axe-core finds nothing in the list.
"""

import pytest
from playwright.async_api import expect

from tests.e2e.browser.conftest import Visit
from tests.support.party import Party
from tests.support.roller import Roller
from tests.support.visitor import signed_in

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def test_a_plan_in_another_chat_is_found_again(visit: Visit, roller: Roller, party: Party) -> None:
    guest, booking = await party(("edit_note", {"note": "bring socks"}))
    another, _ = await party(("edit_note", {"note": "bring hats"}))
    stranger, visitor = await visit(), await visit()
    await stranger.asks(f"note for {another}: bring hats")
    await visitor.asks(f"note for {guest}: bring socks")
    elsewhere = await visit()
    await elsewhere.context.clear_cookies()
    await signed_in(elsewhere.context, elsewhere.at, visitor.user, visitor.token)
    for one in (visitor, elsewhere):
        if one is visitor:
            await one.do("details-head").click()
            await one.do("new-chat-here").click()
        else:
            await one.page.reload()
        await expect(one.page.locator(".badge")).to_have_text("1")
        await one.do("plans").click()
        rows = one.page.locator("#plans .other")
        await expect(rows).to_have_count(1)
        await expect(rows).to_contain_text(guest)
        await expect(rows).to_contain_text("Waiting for you")
        await one.sound()
    await rows.click()
    await elsewhere.do("confirm").click()
    await elsewhere.stands("completed")
    assert len(await roller.journal(booking)) == 1
    await expect(elsewhere.page.locator("[data-row=message]")).to_contain_text(guest)
    # The other browser sees that it is over, and undoes it from its new chat.
    undo = visitor.page.locator("#plans").get_by_role("button", name="Undo the change")
    await expect(undo).to_be_visible()
    await visitor.sound()
    await undo.click()
    await expect(visitor.page.locator("#plans .other")).to_contain_text("Undone")
    assert len(await roller.journal(booking)) == 2
    assert "bring socks" not in ((await roller.booking(booking["uniqueId"]))["comments"] or "")
    await visitor.page.locator("#plans [data-do=close]").click()
    await visitor.do("plans").click()
    await expect(visitor.page.locator("#plans .other")).to_have_count(0)
    await expect(visitor.page.locator("#plans")).to_contain_text("No plan of yours")
