"""A keyboard user keeps their place: when a key press removes an element, the focus goes to the head of its plan, or to
the message box where there is no plan, never to the top of the page. A tap brings up no keyboard."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.page.conftest import StandIn
from tests.e2e.page.test_page import say

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]


async def press(page: Page, hook: str, key: str = "Enter") -> None:
    """Reach an element by the keyboard, and press the key."""
    await page.locator(f"[data-do='{hook}']").last.focus()
    await page.keyboard.press(key)


async def focused(page: Page) -> str:
    """Return where the focus is: the plan's head with its status, the id of another element, or BODY."""
    found: str = await page.evaluate(
        """() => {
          const one = document.activeElement;
          if (!one.matches("summary.card-head")) return one.id || one.tagName;
          return `head ${one.querySelector(".card-status").textContent}`;
        }"""
    )
    return found


async def test_the_focus_stays_with_the_plan(page: Page, service: StandIn) -> None:
    await page.emulate_media(reduced_motion="reduce")
    service.post("settings", speed=0.3)
    await say(page, "move it")
    await press(page, "confirm")
    await page.locator("[data-do=undo]").wait_for()
    assert await focused(page) == "head Done"
    await expect(page.locator(".card-fold")).not_to_have_attribute("open", "")
    assert await focused(page) == "head Done", "a card that folds keeps it"
    await press(page, "undo")
    await expect(page.locator(".card-status").last).to_have_text("Undone")
    assert await focused(page) == "head Undone"

    await say(page, "a slow one")
    await press(page, "confirm")
    await press(page, "stop")
    await expect(page.locator(".card-status").last).to_have_text("Stopping…")
    assert await focused(page) == "head Stopping…"
    await expect(page.locator("[data-do=stop]")).to_have_count(0)
    await expect(page.locator("#dock")).to_contain_text("finished and looked at first")
    await expect(page.locator(".card-status").last).to_have_text("Put back")

    await say(page, "ask this one")
    await press(page, "confirm")
    await press(page, "answer:by card")
    await page.locator("[data-do=undo]").wait_for()
    assert await focused(page) == "head Done"

    await say(page, "make it 14")
    await press(page, "edit")
    await page.get_by_label("Note", exact=True).fill("No nuts at all")
    await page.keyboard.press("Tab")
    await press(page, "save")
    await expect(page.locator(".card-status").nth(-2)).to_have_text("Replaced")
    assert await focused(page) in ("head Waiting for you", "message")
    await press(page, "drop")
    await expect(page.locator(".card-status").last).to_have_text("Dropped")
    assert await focused(page) == "head Dropped"


async def test_without_a_plan_it_goes_to_the_message_box(page: Page, service: StandIn) -> None:
    await press(page, "say:who is coming on Saturday?")
    await expect(page.locator("[data-row=reply]")).to_have_count(1)
    assert await focused(page) == "message"
    service.post("settings", down=True)
    await say(page, "which one")
    await page.locator("[data-do=again]").wait_for()
    service.post("settings", down=False)
    await press(page, "again")
    await page.locator("[data-tone=question]").wait_for()
    assert await focused(page) == "message"
    await press(page, "say:move booking 8102")
    await page.locator("[data-do=confirm]").wait_for()
    assert await focused(page) == "message"


async def test_a_tap_brings_up_no_keyboard(page: Page) -> None:
    await page.get_by_role("button", name="who is coming on Saturday?").click()
    await expect(page.locator("[data-row=reply]")).to_have_count(1)
    assert await focused(page) == "BODY"
