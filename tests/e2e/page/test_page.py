"""Situations that a running stack cannot produce, in a browser against the stand-in; the rest is in
`tests/e2e/browser`. Guarantees:

- The page sends a message or a confirmation whose answer was lost, on its way or back, again as the same request.
- In the tick in which a plan's time is up, it can no longer be confirmed.
- Manual steps do not fold away; the venue's alternative to them is a tap.
- The text that the operator types into an answer stays there until the answer is given.
- Signing out leaves nothing on the screen or in the tab.
- Hidden tabs do not use up the connections of a visible one. A thousand messages scroll, and two hundred lines of
  progress stay folded.
"""

import re

import pytest
from playwright.async_api import BrowserContext, Page, expect

from tests.e2e.page.conftest import StandIn
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

MOVE = "move the Winterbourne party to Saturday at 3pm"


async def say(page: Page, text: str) -> None:
    box = page.get_by_label("Message", exact=True)
    await box.fill(text)
    await box.press("Enter")


async def confirm(page: Page, text: str) -> None:
    await say(page, text)
    await page.locator("[data-do=confirm]").click()


async def test_a_message_whose_answer_was_lost_is_sent_again_as_the_same_request(page: Page, service: StandIn) -> None:
    service.post("settings", down=True)
    await say(page, MOVE)
    await expect(page.locator(".not-sent")).to_contain_text("ROLLER is not available right now")
    service.post("settings", down=False, lose=True)
    await page.locator("[data-do=again]").click()
    await expect(page.locator("[data-row=plan]")).to_have_count(1)
    assert len({one["request_id"] for one in service.sent("/requests")}) == 1
    await expect(page.locator("[data-row=message]")).to_have_count(1)
    await expect(page.locator("[data-do=again]")).to_have_count(0)


@pytest.mark.parametrize("lost", ["before", "after"])
async def test_a_confirmation_that_was_lost_on_its_way_or_back_is_one(page: Page, service: StandIn, lost: str) -> None:
    await say(page, MOVE)
    await page.locator("[data-do=confirm]").wait_for()
    service.post("settings", lose=lost)
    await page.locator("[data-do=confirm]").click()
    if lost == "before":
        await expect(page.locator("#dock .trouble")).to_contain_text("Trying again is safe")
        await page.locator("[data-do=confirm]").click()
    await page.locator("[data-do=undo]").wait_for()
    assert len({one["request_id"] for one in service.sent("/confirm")}) == 1


async def test_a_plan_whose_time_is_up_cannot_be_confirmed_a_moment_longer(page: Page, service: StandIn) -> None:
    await say(page, MOVE)
    confirm = page.locator("[data-do=confirm]")
    await confirm.wait_for()
    # Record the button's state when "Time is up" appears, before anything else can happen.
    await page.evaluate(
        """() => new MutationObserver((_, self) => {
          if (!document.querySelector(".countdown")?.textContent.includes("Time is up")) return;
          document.body.dataset.then = document.querySelector("[data-do=confirm]").getAttribute("aria-disabled");
          self.disconnect();
        }).observe(document.getElementById("dock"), { subtree: true, childList: true, characterData: true })"""
    )
    await page.clock.install()
    await page.clock.fast_forward(901_000)
    await expect(page.locator("#dock")).to_contain_text("Time is up")
    await expect(page.locator("body")).to_have_attribute("data-then", "true")
    await confirm.click(force=True)
    await page.locator("[data-do=drop]").click(force=True)
    before = len(service.sent("/requests"))
    await say(page, "who is coming?")

    async def the_next_was_sent() -> bool:
        return len(service.sent("/requests")) > before

    await soon(the_next_was_sent)
    assert service.sent("/confirm") + service.sent("/cancel") == []


async def test_what_is_left_to_do_by_hand_does_not_fold_away(page: Page) -> None:
    await confirm(page, "fail this one")
    manual = page.get_by_role("group", name="To do by hand")
    await expect(manual.get_by_role("listitem")).to_have_count(2)
    await expect(page.locator(".card-fold")).not_to_have_attribute("open", "")
    await expect(manual).to_be_visible()
    await page.get_by_role("button", name="3:30 pm (20 places)").click()
    await expect(page.locator("[data-do=confirm]")).to_be_visible()


async def test_what_is_typed_into_an_answer_outlives_one_that_did_not_get_through(page: Page, service: StandIn) -> None:
    await confirm(page, "ask this one")
    answer = page.locator(".prompt input")
    await answer.fill("half cash, half card")
    service.post("settings", down=True)
    await page.locator("[data-do='answer:by card']").click()
    await expect(page.locator(".card-notice")).to_be_visible()
    await expect(answer).to_have_value("half cash, half card")


async def test_signing_out_leaves_nothing_behind(page: Page) -> None:
    await say(page, MOVE)
    await page.locator("[data-do=confirm]").wait_for()
    await page.get_by_label("Message", exact=True).fill("half a sentence")
    await page.get_by_role("button", name="Details").first.click()
    await page.locator("[data-do=sign-out]").click()
    await expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert MOVE not in await page.locator("body").inner_text()
    kept = await page.evaluate("[JSON.stringify(sessionStorage), document.querySelector('textarea')?.value ?? '']")
    assert "half a sentence" not in "".join(kept)
    await page.reload()
    await expect(page.get_by_role("button", name="Sign in")).to_be_visible()


async def test_hidden_tabs_do_not_use_up_the_lines_of_a_visible_one(context: BrowserContext, service: StandIn) -> None:
    """A browser opens six connections to a host: of many hidden tabs three keep theirs, and each is up to date when
    seen."""
    tabs = [await context.new_page() for _ in range(7)]
    for tab in tabs:
        await tab.clock.install()
        await tab.goto(service.url)
        await tab.locator("body[data-link=live]").wait_for()
        await hide(tab, "hidden")
        await tab.clock.run_for(11_000)
    links: list[str | None] = []

    async def three_are_live() -> bool:
        links[:] = [await tab.locator("body").get_attribute("data-link") for tab in tabs]
        return links.count("live") == 3

    await soon(three_are_live)
    seen = tabs[-1]
    await hide(seen, "visible")
    await say(seen, MOVE)
    await seen.locator("[data-do=confirm]").wait_for()
    await expect(seen).to_have_title(re.compile("^● "))
    await hide(tabs[links.index("resting")], "visible")
    await tabs[links.index("resting")].locator("[data-do=confirm]").wait_for()


async def hide(tab: Page, state: str) -> None:
    """Hide a tab, or show it again, as far as its scripts can detect."""
    await tab.evaluate(
        """(state) => {
          Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


async def test_a_thousand_messages_scroll(page: Page, service: StandIn) -> None:
    chat = await page.evaluate("localStorage['iq.chat.roller.demo']")
    service.post("history", session_id=chat, messages=1000)
    await page.reload()
    await expect(page.locator("[data-row=message]")).to_have_count(500)
    # Content out of sight is neither laid out nor painted; the time of a frame is not for a test to check.
    drawn = await page.evaluate(
        """async () => {
          const log = document.getElementById('log'); let most = 0;
          for (let n = 0; n < 10; n++) {
            log.scrollTop = log.scrollHeight * (1 - n / 10);
            await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame);
            const rows = [...log.querySelectorAll('[data-row] > *')];
            most = Math.max(most, rows.filter((row) => row.checkVisibility({ contentVisibilityAuto: true })).length);
          }
          return most;
        }"""
    )
    assert 0 < drawn < 150, f"{drawn} of 1,000 messages are drawn at a time"
    service.post("settings", speed=0.01)
    await page.emulate_media(reduced_motion="reduce")
    await confirm(page, "a long one")
    await page.locator("[data-do=undo]").wait_for()
    await expect(page.locator(".card-fold")).not_to_have_attribute("open", "")
    await page.locator(".card-head").click()
    await page.get_by_role("button", name="Show all 203").click()
    await expect(page.locator(".lines.all li")).to_have_count(203)
