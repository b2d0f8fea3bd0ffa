"""While the service, or a part of it, is unavailable, what the page shows about that is true, and goes with the first
fresh answer. Guarantees:

- A service that answers with a refusal is shown with its own message: the connection is not lost.
- A day that could not be read shows why, that day alone, and the page reads it again by itself once it can be read.
- An offline operator sees that until the network is back, and no longer.
- The page keeps reading a plan that it could only show as last seen until it can show its current state, however long
  that takes. Of a command that did not get through the page then shows only that; the same for one that met no
  connection, once there is one, and the plan can be edited again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from playwright.async_api import Page, expect

from language.messages.catalogue import activate_locale
from language.messages.catalogue import translate as worded
from tests.e2e.page.conftest import StandIn
from tests.e2e.page.test_page import MOVE, say
from tests.support.waiting import soon

_FRAME = 17
"""Milliseconds."""

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]


async def test_a_service_that_refuses_is_not_a_lost_connection(page: Page, service: StandIn) -> None:
    activate_locale("en-AU")
    banner = page.locator("#banner")
    service.post("settings", shut=True)
    service.post("drop")
    await expect(banner).to_contain_text(worded("unavailable.worker"))
    assert "onnection" not in await banner.inner_text()
    await page.reload()
    await expect(banner).to_contain_text(worded("unavailable.worker"))
    assert "onnection" not in await banner.inner_text()
    service.post("settings", shut=False)
    await expect(banner).to_be_hidden()


async def test_a_day_that_could_not_be_read_is_read_when_it_can_be(page: Page, service: StandIn) -> None:
    activate_locale("en-AU")
    await page.set_viewport_size({"width": 1280, "height": 800})
    note, rows = page.locator("#beside .day-note"), page.locator("#beside .booking")
    await rows.first.wait_for()
    service.post("settings", shut=True)
    await page.locator("[data-do=day-after]").click()
    await expect(note).to_have_text(worded("unavailable.worker"))
    await page.locator("[data-do=day-today]").click()
    await expect(note).to_be_hidden()
    await page.locator("[data-do=day-after]").click()
    service.post("settings", shut=False)
    await expect(note).to_be_hidden()
    await expect(rows.first).to_be_visible()


async def test_anyone_is_back_is_not_reported_to_be_offline(page: Page) -> None:
    banner = page.locator("#banner")
    await page.clock.install()
    await page.evaluate("Math.random = () => 0.5")
    await page.context.set_offline(True)
    await page.locator("[data-do=details-head]").click()
    await page.locator("[data-do=new-chat-here]").click()
    await say(page, MOVE)
    await expect(banner).to_contain_text("You are offline")
    # After some failed attempts the page waits long before the next. Its clock goes on by frames from then on and does
    # not reach that by itself.
    await page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=1))
    for _ in range(20):
        await page.clock.run_for(1000)
    await page.context.set_offline(False)

    async def gone() -> bool:
        await asyncio.sleep(0.3)
        await page.clock.run_for(_FRAME)
        return await banner.is_hidden()

    await soon(gone)
    await page.clock.resume()
    await expect(page.locator(".not-sent")).to_contain_text("Not sent: there was no connection.")


async def passing(page: Page, milliseconds: int, ready: Callable[[], Awaitable[bool]]) -> bool:
    """Return whether the page is as wanted once so much time has passed for it."""
    await page.clock.run_for(milliseconds)
    return await ready()


async def test_what_is_stated_of_a_worker_that_is_away_goes_when_it_is_back(page: Page, service: StandIn) -> None:
    activate_locale("en-AU")
    await say(page, MOVE)
    await page.locator("[data-do=confirm]").wait_for()
    await page.clock.install()
    service.post("settings", down=True, stale=True)
    await page.locator("[data-do=confirm]").click()
    trouble, notice = page.locator("#dock .trouble"), page.locator(".card-notice")
    await expect(trouble).to_have_text(worded("command.confirm_refused"))
    await page.clock.run_for(180_000)
    await soon(partial(passing, page, 15_000, notice.is_visible))
    await expect(notice).to_contain_text("Shown as it was last seen")
    await expect(trouble).to_have_text(worded("command.confirm_refused"))
    service.post("settings", down=False, stale=False)
    await soon(partial(passing, page, 10_000, notice.is_hidden))
    await expect(trouble).to_have_text("That did not get through. You can try again.")
    await page.locator("[data-do=confirm]").click()
    await page.clock.run_for(5_000)
    await expect(page.locator("article[data-plan]")).not_to_have_attribute("data-status", "pending_confirmation")
    assert len({one["request_id"] for one in service.sent("/confirm")}) == 1, "the same word, said again"


async def test_a_tap_without_a_connection_is_no_news_once_it_is_back(page: Page) -> None:
    await say(page, MOVE)
    await page.locator("[data-do=confirm]").wait_for()
    await page.context.set_offline(True)
    await page.locator("[data-do=confirm]").click()
    trouble, pencil = page.locator("#dock .trouble"), page.locator("[data-do=edit]").first
    await expect(trouble).to_have_text("Not sent: there was no connection.")
    await expect(pencil).to_be_hidden()
    await page.context.set_offline(False)
    await expect(trouble).to_have_text("That did not get through. You can try again.")
    await expect(pencil).to_be_visible()
    await page.locator("[data-do=confirm]").click()
    await page.locator("[data-do=undo]").wait_for()
