"""The page in a browser, against the stand-in. Guarantees:

- what a guest or an operator typed is text, never markup, and the page needs nothing that its Content Security Policy
  forbids; no token is in any storage;
- a network that is lost and comes back costs no word and doubles none, and what was not sent can be sent again as the
  same request;
- a step that is watched is shown for 1.5 s at least, nothing is held back under reduced motion, and a reload shows past
  steps at once;
- a value typed into a plan is sent as an edit; a sign-in in the middle of a plan keeps plan, chat and draft;
- the keyboard alone leads from a first visit to an undo; a thousand messages and two hundred lines of progress scroll.
"""

import asyncio
import re
import time
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from tests.page.conftest import StandIn

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOVE = "move the Winterbourne party to Saturday at 3pm"


async def say(page: Page, text: str) -> None:
    box = page.get_by_label("Message", exact=True)
    await box.fill(text)
    await box.press("Enter")


async def confirm(page: Page, text: str) -> None:
    await say(page, text)
    await page.locator("[data-do=confirm]").click()


async def test_a_first_visit_shows_three_things_to_try(page: Page, service: StandIn) -> None:
    assert await page.locator(".try").count() == 3
    await page.locator(".try").first.click()
    await expect(page.get_by_role("button", name="Move to Sat 28 Nov, 3:00 pm")).to_be_visible()
    assert service.sent("/requests")[0]["user_message"] == MOVE


async def test_markup_is_text_and_the_policy_is_kept(page: Page, context: BrowserContext) -> None:
    await say(page, "<b>markup</b> <img src=x onerror=alert(1)>")
    card = page.locator("[data-plan]").first
    await expect(card).to_contain_text("<img src=x onerror=alert(1)> & <b>Co</b>")
    assert await page.locator("#rows img, #rows b, #beside b").count() == 0
    stored: dict[str, Any] = await page.evaluate("({...localStorage, ...sessionStorage})")
    assert set(stored) == {"iq.chat.roller.demo", "iq.draft"} and stored["iq.chat.roller.demo"].startswith("chat-")


async def test_a_lost_network_costs_no_word_and_doubles_none(
    page: Page, context: BrowserContext, service: StandIn
) -> None:
    await say(page, "who is coming?")
    await expect(page.locator("[data-row=told]")).to_have_count(1)
    await context.set_offline(True)
    await expect(page.locator("#banner")).to_contain_text("offline")
    await say(page, "and a person for a refund")
    await page.locator("[data-do=again]").wait_for()
    await context.set_offline(False)
    await expect(page.locator("#banner")).to_be_hidden()
    await page.locator("[data-do=again]").click()
    await expect(page.locator("[data-tone=handed]")).to_have_count(1)
    service.post("drop")
    await say(page, "who else is coming?")
    await expect(page.locator("[data-row=told]")).to_have_count(3)
    await asyncio.sleep(1.5)
    assert await page.locator("[data-row=said]").count() == 3 and await page.locator("[data-row=told]").count() == 3
    opened = service.sent("/events")
    assert len(opened) >= 3 and all(one["after"] for one in opened[1:])


async def test_a_message_whose_answer_was_lost_is_sent_again_as_the_same_request(page: Page, service: StandIn) -> None:
    service.post("settings", down=True)
    await say(page, MOVE)
    await expect(page.locator(".not-sent")).to_contain_text("ROLLER is not available right now")
    service.post("settings", down=False, lose=True)
    await page.locator("[data-do=again]").click()
    await expect(page.locator("[data-row=plan]")).to_have_count(1)
    assert len({one["request_id"] for one in service.sent("/requests")}) == 1
    await expect(page.locator("[data-row=said]")).to_have_count(1)
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


async def test_a_watched_step_has_its_time_and_a_reload_shows_past_steps_at_once(page: Page, service: StandIn) -> None:
    service.post("settings", speed=0.02)
    await say(page, MOVE)
    began = time.monotonic()
    await page.locator("[data-do=confirm]").click()
    await page.locator("[data-step='1'][data-status=running]").wait_for()
    await page.locator("[data-do=undo]").wait_for()
    assert 1.4 < time.monotonic() - began < 5
    await page.reload()
    began = time.monotonic()
    await page.locator("[data-do=undo]").wait_for()
    assert time.monotonic() - began < 1.4
    assert await page.locator("[data-step][data-live]").count() == 0
    await expect(page.locator("[data-row=told]")).to_have_text(
        "Assistant: Emma Winterbourne (booking 8231) is now on Sat 28 Nov, 3:00 pm."
    )


async def test_nothing_is_held_back_under_reduced_motion(browser: Browser, service: StandIn) -> None:
    service.post("settings", speed=0.02)
    context = await browser.new_context(reduced_motion="reduce")
    page = await context.new_page()
    await page.goto(service.url)
    await say(page, "make it 14 kids")
    await page.locator("[data-do=confirm]").click()
    began = time.monotonic()
    await page.locator("[data-do=undo]").wait_for()
    assert time.monotonic() - began < 1.4
    assert await page.evaluate("document.getAnimations().length") == 0
    await context.close()


async def test_a_value_typed_into_a_plan_is_sent_as_an_edit(page: Page, service: StandIn) -> None:
    await say(page, MOVE)
    await page.get_by_role("button", name="Change values of Reschedule booking").click()
    await expect(page.get_by_label("New date")).to_be_focused()
    await page.get_by_label("New start time").fill("16:00")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("button", name="Move to Sat 28 Nov, 16:00")).to_be_visible()
    sent = service.sent("/requests")[-1]
    assert sent["edit"]["values"] == [{"step": 1, "parameter": "new_start_time", "value": "16:00"}]
    assert sent["user_message"].startswith("New start time: 4:00") and sent["edit"]["plan_id"]
    await expect(page.locator("[data-plan][data-status=cancelled] .card-status")).to_have_text("Replaced")


async def test_a_question_is_answered_where_it_is_asked(page: Page, service: StandIn) -> None:
    await confirm(page, "ask me how they pay")
    await page.get_by_role("button", name="by card").click()
    await expect(page.locator(".asked-answer")).to_have_text("by card")
    sent = service.sent("/answers")
    assert [one["user_message"] for one in sent] == ["by card"] and sent[0]["prompt_id"].startswith("q-")
    await page.locator("[data-do=undo]").wait_for()


@pytest.mark.parametrize("way", ["button", "word"])
async def test_a_running_plan_is_stopped(page: Page, way: str) -> None:
    await confirm(page, "a slow one")
    await page.locator("[data-step='1'][data-status=running]").wait_for()
    await (page.locator("[data-do=stop]").click() if way == "button" else say(page, "stop"))
    await expect(page.locator("[data-plan]").first).to_have_attribute("data-status", "rolled_back", timeout=15_000)
    await expect(page.locator("[data-do=stop]")).to_have_count(0)


async def test_what_is_left_to_do_by_hand_does_not_fold_away(page: Page) -> None:
    await confirm(page, "fail this one")
    manual = page.get_by_role("group", name="To do by hand")
    await expect(manual.get_by_role("listitem")).to_have_count(2, timeout=15_000)
    await page.wait_for_timeout(1800)
    await expect(page.locator(".card-fold")).not_to_have_attribute("open", "")
    await expect(manual).to_be_visible()
    await page.get_by_role("button", name="3:30 pm (20 places)").click()
    await expect(page.locator("[data-do=confirm]")).to_be_visible()


async def test_signing_in_again_in_the_middle_keeps_plan_and_draft(page: Page, service: StandIn) -> None:
    await confirm(page, "sign me out halfway")
    await page.get_by_label("Message", exact=True).fill("half a sentence")
    await page.locator(".gate [data-do=sign-in]").click(timeout=15_000)
    await expect(page.locator("[data-plan]").first).to_have_attribute("data-status", "rolled_back", timeout=15_000)
    await expect(page.get_by_label("Message", exact=True)).to_have_value("half a sentence")
    await expect(page.locator("[data-row=plan]")).to_have_count(1)
    await page.reload()
    await expect(page.get_by_label("Message", exact=True)).to_have_value("half a sentence")


async def test_the_booking_is_seen_to_move(browser: Browser, service: StandIn) -> None:
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    page = await context.new_page()
    await page.goto(service.url)
    await confirm(page, MOVE)
    moved = page.locator("#beside [data-booking='b-8231'].changed")
    await expect(moved).to_contain_text("Just changed", timeout=10_000)
    await expect(page.locator("[data-panel=day]")).to_have_attribute("data-date", "2026-11-28")
    await context.close()


async def test_the_keyboard_leads_from_a_first_visit_to_an_undo(page: Page) -> None:
    async def tab_to(hook: str) -> None:
        for _ in range(30):
            await page.keyboard.press("Tab")
            if await page.evaluate("document.activeElement?.dataset.do ?? ''") == hook:
                return
        raise AssertionError(f"the keyboard does not reach {hook}")

    await tab_to(f"say:{MOVE}")
    await page.keyboard.press("Enter")
    await page.locator("[data-do=confirm]").wait_for()
    await tab_to("confirm")
    await page.keyboard.press("Enter")
    await page.locator("[data-do=undo]").wait_for(timeout=10_000)
    await tab_to("undo")
    await page.keyboard.press("Enter")
    await expect(page.locator(".card-status").first).to_have_text("Undone", timeout=10_000)


async def test_two_tabs_share_a_chat(page: Page, context: BrowserContext, service: StandIn) -> None:
    other = await context.new_page()
    await other.goto(service.url)
    await say(page, MOVE)
    await other.locator("[data-do=confirm]").click()
    await page.locator("[data-do=undo]").wait_for(timeout=10_000)
    await page.get_by_role("button", name="Details").first.click()
    await page.get_by_role("button", name="New chat").click()
    await expect(other.locator(".try")).to_have_count(3)


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
    """A browser opens six lines to a host: of many hidden tabs three keep theirs, and each is up to date when seen."""
    tabs = [await context.new_page() for _ in range(7)]
    for tab in tabs:
        await tab.clock.install()
        await tab.goto(service.url)
        await tab.locator("body[data-link=live]").wait_for()
        await hide(tab, "hidden")
        await tab.clock.run_for(11_000)
    for _ in range(50):
        links = [await tab.locator("body").get_attribute("data-link") for tab in tabs]
        if links.count("live") == 3:
            break
        await asyncio.sleep(0.1)
    assert links.count("live") == 3, links
    seen = tabs[-1]
    await hide(seen, "visible")
    await say(seen, MOVE)
    await seen.locator("[data-do=confirm]").wait_for()
    await expect(seen).to_have_title(re.compile("^● "))
    await hide(tabs[links.index("waiting")], "visible")
    await tabs[links.index("waiting")].locator("[data-do=confirm]").wait_for()


async def hide(tab: Page, state: str) -> None:
    """Hide a tab, or look at it again, as far as its scripts can tell."""
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
    await expect(page.locator("[data-row=said]")).to_have_count(500)
    # What is out of sight is neither laid out nor painted; how long a frame takes is for no test to say.
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
    await page.locator("[data-do=undo]").wait_for(timeout=20_000)
    await expect(page.locator(".card-fold")).not_to_have_attribute("open", "")
    await page.locator(".card-head").click()
    await page.get_by_role("button", name="Show all 203").click()
    await expect(page.locator(".lines.all li")).to_have_count(203)
