"""On a window of 320 px every word is whole on its line, in both languages, in every state that a plan reaches. The
page breaks a word that is too long for any line, and nothing is wider than its container."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.page.conftest import StandIn

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

BROKEN = r"""
() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const box = node.parentElement;
    if (!box.checkVisibility() || box.closest(".unseen, textarea, code")) continue;
    for (const word of node.data.matchAll(/[^\s-]+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push(`${word[0]} in ${box.className || box.tagName}`);
    }
  }
  return found;
}
"""
WIDE = r"""
() => [...document.querySelectorAll("body, body *")].filter((one) => {
  const { overflowX, display } = getComputedStyle(one);
  return one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1 && overflowX === "visible" && display !== "inline"
    && !one.closest(".unseen, svg");
}).map((one) => `${one.tagName}.${one.className}: ${one.scrollWidth} in ${one.clientWidth}`)
"""
EMPTY = """
() => [...document.querySelectorAll("#rows p:not([role=status])")]
  .filter((one) => one.checkVisibility() && !one.textContent).map((one) => one.className)
"""
FOLDS = "() => document.querySelectorAll('#rows details').forEach((one) => (one.open = true))"


async def looked_at(page: Page) -> tuple[list[str], list[str]]:
    """Return the broken words and the boxes that are too narrow for their content, with every fold open. Fail on an
    empty paragraph."""
    await page.evaluate(FOLDS)
    assert await page.evaluate(EMPTY) == []
    return await page.evaluate(BROKEN), await page.evaluate(WIDE)


async def narrow(browser: Browser, service: StandIn, locale: str, **settings: Any) -> Page:
    service.post("settings", locale=locale, speed=0.05, **settings)
    page = await browser.new_page(viewport={"width": 320, "height": 640}, locale=locale, reduced_motion="reduce")
    await page.goto(service.url)
    await page.locator(".try").first.wait_for()
    return page


@pytest.mark.parametrize("locale", ["en-AU", "it-IT"])
async def test_every_word_is_whole_in_every_state(browser: Browser, service: StandIn, locale: str) -> None:
    page = await narrow(browser, service, locale)
    try:
        assert await looked_at(page) == ([], [])
        plans = 1
        for text, then, until in (
            ("cancel the booking", None, "[data-do=confirm]"),
            ("which one", None, "[data-tone=question]"),
            ("make it 14", "edit", ".editor"),
            ("ask this one", "confirm", ".prompt:not([hidden])"),
            ("stop", None, ".card-status:text-matches('^(Stopped|Fermato|Put back|Ripristinato)')"),
            ("fail this one", "confirm", ".manual"),
            ("sign this one", "confirm", "[data-do=sign-in]"),
        ):
            await page.locator("#message").fill(text)
            await page.locator("#message").press("Enter")
            if then:
                plans += 1
                await page.locator("article[data-plan]").nth(plans - 1).wait_for()
                await page.locator(f"[data-do={then}]").last.click()
            await page.locator(until).last.wait_for()
            assert await looked_at(page) == ([], []), text
    finally:
        await page.close()


async def test_a_word_that_is_too_long_for_a_line_is_broken_and_nothing_is_wider(
    browser: Browser, service: StandIn
) -> None:
    page = await narrow(browser, service, "it-IT")
    try:
        await page.locator("#message").fill("endless " + "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk" * 2)
        await page.locator("#message").press("Enter")
        await page.locator("[data-do=confirm]").click()
        await page.locator("[data-do=undo]").wait_for()
        broken, wide = await looked_at(page)
        assert wide == []
        assert {where.split(" in ")[1] for where in broken} == {"bubble-text", "card-title"}
        await expect(page.locator(".card-title")).to_contain_text("Wolfeschlegelsteinhausenbergerdorff")
    finally:
        await page.close()
