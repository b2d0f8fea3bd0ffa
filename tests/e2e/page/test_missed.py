"""A command of an operator who was signed out in the meantime: after the next sign-in the page reports that it was not
taken. Guarantees:

- the page reports it beside the button that can be tapped again, whether it stayed or led away to sign in, and once;
- the page reports nothing where an earlier attempt of the same command may have arrived, nor for a plan that has moved
  on meanwhile.
"""

import pytest
from playwright.async_api import Page, Route, expect

from tests.e2e.page.conftest import StandIn
from tests.e2e.page.test_page import MOVE, say
from tests.support.accessibility import findings

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

NOT_TAKEN = "You were signed out, so your confirmation was not taken. You can tap it again."


TELLS = """
(words) => new MutationObserver(() => {
  if (document.getElementById("dock").textContent.includes(words)) document.body.dataset.reply = words;
}).observe(document.getElementById("dock"), { subtree: true, childList: true, characterData: true })
"""
"""Writes down that these words were told, for however short a time."""


async def signed_out_at(page: Page, service: StandIn) -> None:
    """Confirm, and sign out just before the confirm arrives; earlier, the page would notice by itself and remove the
    button."""

    async def first_signed_out(route: Route) -> None:
        service.post("settings", signed_in=False)
        await route.continue_()

    await page.route("**/confirm", first_signed_out, times=1)
    await page.locator("[data-do=confirm]").click()


async def confirmed_signed_out(page: Page, service: StandIn) -> None:
    await say(page, MOVE)
    await signed_out_at(page, service)
    await expect(page.locator("#gate")).to_contain_text("signed out")


@pytest.mark.parametrize("way", ["stayed", "led away"])
async def test_a_confirmation_that_was_not_taken_is_reported(page: Page, service: StandIn, way: str) -> None:
    await confirmed_signed_out(page, service)
    if way == "led away":
        # The host's own page signs the operator in, and leads back to this one.
        service.post("settings", signed_in=True)
        await page.reload()
    else:
        await page.locator("#gate [data-do=sign-in]").click()
    trouble, again = page.locator("#dock .trouble"), page.locator("[data-do=confirm]")
    await expect(trouble).to_have_text(NOT_TAKEN)
    assert await findings(page) == []
    await page.reload()
    await again.wait_for()
    await expect(trouble).to_be_hidden()
    await again.click()
    await page.locator("[data-do=undo]").wait_for()
    assert len(service.sent("/confirm")) == 1


async def test_it_is_no_longer_reported_when_it_is_given_again(page: Page, service: StandIn) -> None:
    await confirmed_signed_out(page, service)
    await page.locator("#gate [data-do=sign-in]").click()
    await expect(page.locator("#dock .trouble")).to_have_text(NOT_TAKEN)
    await page.locator("[data-do=confirm]").click()
    await expect(page.locator("#dock .trouble")).to_be_hidden()
    await page.locator("[data-do=undo]").wait_for()


async def test_what_may_have_arrived_is_not_reported_as_not_taken(page: Page, service: StandIn) -> None:
    await say(page, MOVE)
    await page.locator("[data-do=confirm]").wait_for()
    service.post("settings", lose="before")
    await page.locator("[data-do=confirm]").click()
    await expect(page.locator("#dock .trouble")).to_contain_text("It is not known whether your confirmation arrived")
    await signed_out_at(page, service)
    await page.locator("#gate [data-do=sign-in]").click()
    await page.locator("[data-do=confirm]").wait_for()
    await expect(page.locator("#dock")).not_to_contain_text("not taken")
    await page.evaluate(TELLS, "not taken")
    await page.locator("[data-do=confirm]").click()
    await page.locator("[data-do=undo]").wait_for()
    assert await page.evaluate("document.body.dataset.reply ?? ''") == ""
