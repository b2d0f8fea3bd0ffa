"""The operator's plans in other chats: a new chat hides no plan that runs or waits. Guarantees:

- the head shows their number, on a phone and on a desk, from the moment the operator leaves a chat: also for a plan
  that the service does not list yet;
- each entry shows what the plan is for and its status, and leads back to its chat, also by the keyboard; a finished
  plan leaves the list, but not before its undo window closes: undo is a tap in the list, from any chat, which then
  shows the result;
- a list that could not be read shows why, and marks its entries as last seen.

Axe-core finds nothing in the list, in light and in dark.
"""

import re

import pytest
from playwright.async_api import Page, expect

from language.messages.catalogue import activate_locale
from language.messages.catalogue import translate as worded
from tests.e2e.page.conftest import StandIn
from tests.e2e.page.test_page import MOVE, confirm, say
from tests.support.accessibility import findings
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

DESK = {"width": 1280, "height": 800}


async def new_chat(page: Page) -> None:
    if await page.locator("[data-do=new-chat]").count():
        await page.locator("[data-do=new-chat]").click()
    else:
        await page.locator("[data-do=details-head]").click()
        await page.locator("[data-do=new-chat-here]").click()
    await page.locator(".try").first.wait_for()


@pytest.mark.parametrize("wide", [False, True], ids=["phone", "desk"])
async def test_a_new_chat_hides_no_plan_that_waits_or_goes_on(page: Page, service: StandIn, wide: bool) -> None:
    if wide:
        await page.set_viewport_size(DESK)  # type: ignore[arg-type]
    # A plan that was just made may not be listed for a moment.
    service.post("settings", unlisted=True)
    await say(page, MOVE)
    await page.locator("[data-do=confirm]").wait_for()
    await new_chat(page)
    await expect(page.locator(".badge")).to_have_text("1")
    await confirm(page, "a slow one")
    await page.locator("[data-do=stop]").wait_for()
    await new_chat(page)
    await expect(page.locator(".badge")).to_have_text("2")
    service.post("settings", unlisted=False)
    await page.locator("[data-do=plans]").focus()
    await page.keyboard.press("Enter")
    rows = page.locator("#plans .other")
    await expect(rows).to_have_count(2)
    await expect(rows.nth(0)).to_contain_text("Under way")
    await expect(rows.nth(1)).to_contain_text("Reschedule booking for Emma Winterbourne")
    await expect(rows.nth(1)).to_contain_text("Move to Sat 28 Nov, 3:00 pm")
    await expect(rows.nth(1)).to_contain_text("Waiting for you")
    assert await findings(page) == []
    sizes = await rows.evaluate_all("found => found.map((one) => one.getBoundingClientRect().height)")
    assert min(sizes) >= 44 and await page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    await page.keyboard.press("Escape")
    await expect(page.locator("[data-do=plans]")).to_be_focused()
    await page.keyboard.press("Enter")
    await rows.nth(1).focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#plans")).to_be_hidden()
    await expect(page.locator("[data-row=message]")).to_have_text([re.compile(MOVE)])
    await expect(page.locator("#message")).to_be_focused()
    await expect(page.locator(".badge")).to_have_text("1")
    await page.locator("[data-do=confirm]").click()
    await page.locator("[data-do=undo]").wait_for()
    await page.reload()
    await expect(page.locator("[data-row=message]")).to_have_text([re.compile(MOVE)])


async def test_a_plan_that_is_over_is_no_longer_among_them(page: Page, service: StandIn) -> None:
    service.post("settings", speed=0.1, undo_seconds=0, held=True)
    await confirm(page, "a slow one")
    await page.locator("[data-do=stop]").wait_for()
    await page.clock.install()
    await new_chat(page)
    await expect(page.locator(".badge")).to_have_text("1")
    await page.locator("[data-do=plans]").click()
    service.post("settings", held=False)

    async def it_is_gone() -> bool:
        await page.clock.run_for(11_000)
        return await page.locator("#plans .other").count() == 0

    await soon(it_is_gone)
    await expect(page.locator("#plans")).to_contain_text("No plan of yours goes on, waits or can be undone")
    await expect(page.locator(".badge")).to_have_count(0)
    assert await findings(page) == []


async def test_what_was_done_is_undone_from_a_new_chat(page: Page, service: StandIn) -> None:
    service.post("settings", speed=0.1)
    await confirm(page, MOVE)
    await page.locator("[data-do=undo]").wait_for()
    await new_chat(page)
    await expect(page.locator(".badge")).to_have_text("1")
    await page.locator("[data-do=plans]").click()
    row = page.locator("#plans .others > li")
    await expect(row).to_contain_text("Reschedule booking for Emma Winterbourne")
    await expect(row).to_contain_text("left to undo")
    assert await findings(page) == []
    undo = row.get_by_role("button", name="Undo the change")
    await undo.focus()
    await page.keyboard.press("Enter")
    await expect(row).to_contain_text("Undone")
    await expect(undo).to_have_count(0)
    assert len(service.sent("/undo")) == 1
    await expect(page.locator("[data-row]")).to_have_count(0)
    await row.locator(".other").click()
    await expect(page.locator("article[data-plan]")).to_have_attribute("data-status", "rolled_back")


async def test_an_undo_from_a_new_chat_that_does_not_get_through_says_so(page: Page, service: StandIn) -> None:
    service.post("settings", speed=0.1)
    await confirm(page, MOVE)
    await page.locator("[data-do=undo]").wait_for()
    await new_chat(page)
    await page.locator("[data-do=plans]").click()
    undo = page.locator("#plans").get_by_role("button", name="Undo the change")
    await undo.wait_for()
    service.post("settings", lose="after")
    await undo.click()
    await expect(page.locator("#plans .others-note")).to_contain_text("Trying again is safe")
    await undo.click()
    await expect(page.locator("#plans .others > li")).to_contain_text("Undone")
    assert len({one["request_id"] for one in service.sent("/undo")}) == 1


async def test_what_could_not_be_read_says_so(page: Page, service: StandIn) -> None:
    activate_locale("en-AU")
    await say(page, MOVE)
    await page.locator("[data-do=confirm]").wait_for()
    await new_chat(page)
    await expect(page.locator(".badge")).to_have_text("1")
    service.post("settings", shut=True)
    await page.locator("[data-do=plans]").click()
    note = page.locator("#plans .others-note")
    await expect(note).to_contain_text(worded("unavailable.worker"))
    await expect(note).to_contain_text("Shown as they were last seen")
    await expect(page.locator("#plans .other")).to_have_count(1)
    assert await findings(page) == []
    await page.keyboard.press("Escape")
    service.post("settings", shut=False)
    await page.locator("[data-do=plans]").click()
    await expect(note).to_contain_text("Each leads back to its chat.")


async def test_no_one_else_is_shown_them(page: Page) -> None:
    await say(page, MOVE)
    await page.locator("[data-do=confirm]").wait_for()
    await new_chat(page)
    await expect(page.locator(".badge")).to_have_text("1")
    await page.locator("[data-do=details-head]").click()
    await page.locator("[data-do=sign-out]").click()
    await expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    await expect(page.locator(".badge")).to_have_count(0)
    assert "Winterbourne" not in await page.locator("body").inner_html()
