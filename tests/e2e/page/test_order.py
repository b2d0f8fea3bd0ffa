"""The order in which the page shows things, with motion, in a browser against the stand-in. Guarantees:

- a message's answer appears after the step that it follows, though its own response is quicker than the chat's stream;
  where the stream never sends it, the page shows it all the same;
- a step that fails is visible for its 1,500 ms, before there is a plan and in one, however fast all of it arrives;
- everything that is in progress has a mark that turns.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.e2e.page.conftest import StandIn
from tests.e2e.page.test_page import confirm, say
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

LEAST = 1500 - 16
"""Milliseconds of the page's own clock: the specification's 1,500 less the frame in which a step is drawn."""

SEEN = """
() => {
  const seen = (window.seen = {});
  const note = (what) => (seen[what] ??= performance.now());
  new MutationObserver(() => {
    const steps = document.querySelectorAll(".step[data-status]");
    for (const { dataset } of steps) note(`${dataset.step} ${dataset.status}`);
    if (document.querySelector("[data-row=reply]")) note("reply");
  }).observe(document.body, { subtree: true, attributes: true, childList: true });
}
"""


async def stop_clock(page: Page) -> None:
    """Stop the page's clock, so that its time passes only in `shown` and a busy machine shortens nothing. It stops at a
    time that is still in the future once the page is reached, or else the browser refuses."""
    await page.clock.install()
    await page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=30))


async def shown(page: Page, what: Locator) -> None:
    """Let the page's time pass until it shows this."""

    async def there() -> bool:
        await page.clock.run_for(50)
        return await what.is_visible()

    await soon(there)


async def seen(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = await page.evaluate("window.seen")
    return found


async def test_an_answer_comes_after_the_step_that_it_follows(page: Page) -> None:
    await page.evaluate(SEEN)
    await stop_clock(page)
    await say(page, "is there a conflict?")
    await shown(page, page.locator("[data-row=reply]", has_text="There are conflicts"))
    at = await seen(page)
    assert at["1 failed"] - at["1 running"] >= LEAST, at
    assert at["reply"] >= at["1 failed"], at
    await expect(page.locator("[data-row=reply]")).to_have_count(1)
    await expect(page.locator("[data-row]").last).to_have_attribute("data-row", "reply")


async def test_an_answer_that_the_chat_never_tells_is_shown_all_the_same(page: Page, service: StandIn) -> None:
    service.post("settings", mute=True)
    await say(page, "is there a conflict?")
    await expect(page.locator("[data-row=reply]")).to_contain_text("There are conflicts")
    await say(page, "and a conflict here?")
    await page.locator("[data-run]").nth(1).wait_for()
    # A stream that breaks sends nothing more.
    await page.context.set_offline(True)
    await expect(page.locator("[data-row=reply]")).to_have_count(2)
    await page.context.set_offline(False)


async def test_a_step_that_fails_is_seen_and_what_goes_on_turns(page: Page, service: StandIn) -> None:
    service.post("settings", speed=0.05)
    await say(page, "one that will fail")
    await page.locator("[data-do=confirm]").wait_for()
    await page.evaluate(SEEN)
    await stop_clock(page)
    await page.locator("[data-do=confirm]").click()
    running = page.locator(".step[data-status=running] .icon-loader-circle")
    await shown(page, running)
    turning = "(mark) => getComputedStyle(mark).animationName"
    assert "turn" in await running.evaluate(turning)
    assert "turn" in await page.locator(".card-mark .icon-loader-circle").first.evaluate(turning)
    await shown(page, page.locator(".step[data-step='3'][data-status=failed]"))
    at = await seen(page)
    for step, end in (("1", "completed"), ("2", "completed"), ("3", "failed")):
        assert at[f"{step} {end}"] - at[f"{step} running"] >= LEAST, at


async def test_who_wants_no_motion_sees_nothing_turn(page: Page) -> None:
    await page.emulate_media(reduced_motion="reduce")
    await confirm(page, "a slow one")
    await page.locator(".card-mark .icon-loader-circle").wait_for()
    assert await page.evaluate("document.getAnimations().length") == 0
