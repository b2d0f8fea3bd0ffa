"""Conditional steps on the page: a fallback step shows its condition; an optional step is marked and has a button that
skips it until it starts; a skipped step shows why. axe-core finds nothing in each state."""

import pytest
from playwright.async_api import expect

from tests.e2e.browser.conftest import Visit
from tests.support.roller import Roller, a_name

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def test_a_step_that_can_be_done_without_is_left_out(visit: Visit, roller: Roller) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    visitor = await visit()
    button = await visitor.asks(f"make {guest} 14 guests, and if possible move it to 4pm")
    steps = visitor.card.locator(".step")
    optional = steps.filter(has_text="Reschedule")
    await expect(optional.locator(".step-condition")).to_contain_text("goes on without this step")
    await expect(steps.filter(has_text="guest count").locator("[data-do=skip]")).to_have_count(0)
    await visitor.sound()
    await optional.locator("[data-do=skip]").click()
    await expect(optional).to_have_attribute("data-status", "skipped")
    await expect(optional.locator(".step-message")).to_have_text("Left out, as you asked.")
    await visitor.sound()
    await button.click()
    await visitor.stands("completed")
    item = (await roller.booking(booking["uniqueId"]))["items"][0]
    assert (item["quantity"], item["sessionStartTime"]) == (14, "10:00")


async def test_what_is_wanted_instead_says_on_what(visit: Visit, roller: Roller) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    visitor = await visit()
    button = await visitor.asks(f"move {guest} to 4pm, if there's no room 5pm instead")
    second = visitor.card.locator(".step").nth(1)
    await expect(second.locator(".step-condition")).to_have_text(
        "Only if there is no room for step 1 (Reschedule booking)"
    )
    await expect(button).to_contain_text("4pm")
    await roller.fill(booking["items"][0]["bookingDate"], "16:00")
    await button.click()
    await visitor.stands("completed")
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["sessionStartTime"] == "17:00"
    await visitor.sound()
