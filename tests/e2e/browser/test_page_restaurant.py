"""The restaurant pack on the page. Guarantees:

- staff who read Italian type Italian, see the changes and one button in Italian, confirm by a tap, and get the result
  in Italian; the reservations book then holds exactly that;
- an hour that cannot be booked has others beside it, one tap away;
- a tap undoes it;
- the staff's page is at the address that `iq dev` prints, and opens with the password that it prints: the browser asks
  for it.
"""

import re
from collections.abc import AsyncIterator
from datetime import date

import pytest
from playwright.async_api import Browser, expect

from cli.stack.dev import banner
from language import day_label
from tests.e2e.browser.conftest import Visit
from tests.integration.stack.test_italian_venue import ENGLISH
from tests.support import http
from tests.support.restaurant import DiningStack, Trattoria, dining_stack
from tests.support.roller import a_name

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


@pytest.fixture(scope="module")
async def dining(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[DiningStack]:
    async with dining_stack(tmp_path_factory.mktemp("dining-page"), model_base_url=model_url) as running:
        yield running


def when(day: date, at: str) -> str:
    """Return the date and time as the page shows them."""
    return f"{day_label(day, 'it')} {day.year}, {at}"


async def test_a_table_is_moved_and_moved_back_in_italian(visit: Visit, dining: DiningStack) -> None:
    async with Trattoria(dining) as trattoria:
        day, name = await trattoria.quiet_evening(), a_name()
        there = await trattoria.book(name, day=day)
        visitor = await visit(dining, locale="it-IT")
        confirm = await visitor.asks(f"sposta il tavolo di {name} alle 21")
        await expect(visitor.card).to_contain_text(when(day, "20:00"))
        await expect(visitor.card).to_contain_text(when(day, "21:00"))
        await expect(confirm).to_contain_text("Sposta a")
        await visitor.sound()
        assert await trattoria.booking(there["booking_id"]) == there
        await confirm.click()
        await visitor.stands("completed")
        shown = f"La prenotazione di {name} ora è per {when(day, '21:00')}."
        await expect(visitor.page.get_by_text(shown).first).to_be_visible()
        assert await trattoria.booking(there["booking_id"]) == {**there, "time": "21:00"}
        text = " ".join(" ".join(row[1:]) for row in await visitor.conversation())
        assert not ENGLISH.search(text), text
        await visitor.do("undo").last.click()
        await expect(visitor.card).to_have_attribute("data-status", "rolled_back")
        assert await trattoria.booking(there["booking_id"]) == there


async def test_a_table_is_booked_at_an_hour_that_is_free(visit: Visit, dining: DiningStack) -> None:
    async with Trattoria(dining) as trattoria:
        day, name = await trattoria.quiet_evening(), a_name()
        visitor = await visit(dining, locale="it-IT")
        await visitor.say(f"prenota un tavolo per 2 il {day.day}/{day.month} alle 17 a nome {name}, 333 765 4321")
        await visitor.page.get_by_role("button", name="19:00", exact=True).click()
        confirm = visitor.do("confirm").last
        await expect(confirm).to_contain_text("Prenota")
        assert await trattoria.of(day) == []
        await confirm.click()
        await visitor.stands("completed")
        [made] = await trattoria.of(day)
        assert (made["name"], made["time"], made["people"], made["phone"]) == (name, "19:00", 2, "+393337654321")
        await visitor.sound()


async def test_the_staffs_page_is_entered_with_the_password_that_is_printed(
    browser: Browser, dining: DiningStack
) -> None:
    printed = banner(dining, 1)
    address, password = re.findall(r"(http://\S+/staff/roma) .* password (\S+)\)", printed)[0]
    context = await browser.new_context(http_credentials={"username": "anna", "password": password})
    page = await context.new_page()
    answer = await page.goto(address)
    assert answer is not None and answer.status == 200
    await expect(page.get_by_role("heading").first).to_be_visible()
    await context.close()
    async with http.client() as asking:
        for url in re.findall(r"http://\S+", printed.partition("  Model ")[0]):
            assert (await asking.get(url)).status_code != 404, f"{url} is nothing to open"
