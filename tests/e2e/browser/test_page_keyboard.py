"""The page by the keyboard alone, against the running stack: Tab, Enter and Escape lead a new visitor from the first
visit to an undo, through the debug drawer and the values of a step; the focus is visible at each press. The page itself
signs the demo operator in."""

import pytest
from playwright.async_api import expect

from tests.e2e.browser.conftest import Visit
from tests.support.visitor import Visitor
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

_SEEN = """
() => {
  const one = document.activeElement;
  if (!one || one === document.body) return ["body", true, ""];
  const style = getComputedStyle(one);
  const ring = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== "none";
  const { width, height, top, bottom } = one.getBoundingClientRect();
  const log = one.closest("#log")?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  const within = bottom > log.top && top < log.bottom && width > 0 && height > 0;
  const name = one.dataset.do ?? one.id ?? one.tagName;
  return [name, ring && within && one.matches(":focus-visible"), one.outerHTML.slice(0, 120)];
}
"""


async def tab_to(visitor: Visitor, hook: str) -> None:
    """Press Tab until the element has the focus; check that the focus becomes visible at each press."""
    been = []

    async def visible() -> bool:
        _, seen, what = await visitor.page.evaluate(_SEEN)
        print(f"focus on {what}, seen: {seen}")  # pytest shows it when the wait times out
        return bool(seen)

    for _ in range(40):
        await visitor.page.keyboard.press("Tab")
        await soon(visible)  # the browser scrolls to it in a later frame
        at, _, _ = await visitor.page.evaluate(_SEEN)
        been.append(at)
        if at == hook:
            return
    raise AssertionError(f"the keyboard does not reach {hook}, only {been}")


async def test_the_keyboard_leads_from_a_first_visit_to_an_undo(visit: Visit) -> None:
    visitor = await visit(demo=True)
    press = visitor.page.keyboard.press
    await tab_to(visitor, "say:move John Smith's party to Saturday at 3pm")
    await press("Enter")
    await expect(visitor.do("confirm")).to_be_visible()
    await tab_to(visitor, "edit")
    await press("Enter")
    await expect(visitor.do("editor")).to_be_visible()
    await press("Escape")
    await expect(visitor.do("editor")).to_be_hidden()
    assert (await visitor.page.evaluate(_SEEN))[0] == "edit", "back where it was opened"
    await tab_to(visitor, "details")
    await press("Enter")
    await expect(visitor.page.locator("#details")).to_be_visible()
    await visitor.sound()
    await press("Escape")
    await expect(visitor.page.locator("#details")).to_be_hidden()
    assert (await visitor.page.evaluate(_SEEN))[0] == "details", "back where it was opened"
    await tab_to(visitor, "confirm")
    await press("Enter")
    await visitor.stands("completed")
    assert (await visitor.page.evaluate(_SEEN))[1], "what comes of it does not take the focus out of sight"
    await tab_to(visitor, "undo")
    await press("Enter")
    await visitor.stands("rolled_back")
    await expect(visitor.card.locator(".card-status")).to_have_text("Partly undone")
    assert (await visitor.page.evaluate(_SEEN))[1], "nor does what is said of the undo"
    await tab_to(visitor, "message")
    await visitor.page.keyboard.type("what can you do?")
    await press("Enter")
    await expect(visitor.page.locator("[data-row=message]").last).to_contain_text("what can you do?")
