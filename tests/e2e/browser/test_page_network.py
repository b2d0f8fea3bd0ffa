"""The page on a bad connection, against the running stack. Guarantees:

- a phone that is offline while its plan runs shows, once it is back, every event that it missed, each once, and the
  typed text is still there;
- an API whose connections break again and again loses no event or command and doubles none; a confirmation whose answer
  was lost on the way back takes effect once;
- a reload in the middle of a run shows past steps at once and later ones as they arrive; two tabs show one chat.
"""

import asyncio
import contextlib

import pytest
from playwright.async_api import TimeoutError as PlaywrightTimeout
from playwright.async_api import expect

from cli.stack.dev import Stack
from tests.e2e.browser.conftest import Visit
from tests.support.party import Party
from tests.support.roller import Roller
from tests.support.scripted_model import after, obey
from tests.support.stacks import free_base
from tests.support.temporal_line import TemporalLine
from tests.support.visitor import Visitor, watch
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

TWO = (("change_guest_count", {"guest_count": 14}), ("edit_note", {"note": "Cake at noon"}))
SAYS = "make {} 14 guests, with the note: Cake at noon"


def slow(seconds: float) -> tuple[object, ...]:
    """Return a model that takes so long for the second step."""
    return obey, after(seconds, {"edit_note": {"note": "Cake at noon"}}), obey


async def under_way(visitor: Visitor, step: int = 1) -> None:
    done = visitor.card.locator(f"[data-step='{step}'][data-status=completed]")
    await expect(done).to_be_visible()


async def test_a_phone_that_was_offline_has_missed_nothing(visit: Visit, stack: Stack, party: Party) -> None:
    guest, _ = await party(*TWO, model=slow(1))
    visitor = await visit()
    await (await visitor.asks(SAYS.format(guest))).click()
    await expect(visitor.do("stop")).to_be_visible()
    await visitor.context.set_offline(True)
    await expect(visitor.page.locator("#banner")).to_contain_text("offline")
    await visitor.box.fill("what I was typ")
    await visitor.sound()

    async def it_has_ended() -> bool:
        return (await visitor.chat())["plans"][-1]["status"] == "completed"

    await soon(it_has_ended)
    await visitor.context.set_offline(False)
    await visitor.stands("completed")
    await expect(visitor.page.locator("#banner")).to_be_hidden()
    await expect(visitor.box).to_have_value("what I was typ")
    await visitor.shows_all_of(stack)


async def test_what_is_stated_offline_is_kept_and_can_be_sent_again(visit: Visit, stack: Stack, party: Party) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    visitor = await visit()
    await visitor.context.set_offline(True)
    await visitor.say(f"note for {guest}: bring socks")
    await expect(visitor.do("again")).to_be_visible()
    await visitor.sound()
    await visitor.context.set_offline(False)
    await visitor.do("again").click()
    await expect(visitor.do("confirm")).to_be_visible()
    await expect(visitor.do("again")).to_have_count(0)
    await visitor.shows_all_of(stack)


async def test_a_line_that_breaks_again_and_again_costs_no_word_and_doubles_none(
    visit: Visit, stack: Stack, roller: Roller, party: Party
) -> None:
    guest, booking = await party(*TWO, model=slow(1.5))
    port = free_base(1)
    async with TemporalLine(port, stack.ports.facade) as line:
        visitor = await visit(at=f"http://127.0.0.1:{port}")
        await visitor.asks(SAYS.format(guest))
        losing = asyncio.create_task(line.lose_answers(0.4))
        await asyncio.sleep(0.05)
        await visitor.do("confirm").click()
        await losing
        for _ in range(6):
            await asyncio.sleep(0.4)
            await line.cut()
        again, trouble = visitor.do("confirm"), visitor.page.locator("#dock .trouble")

        async def it_has_ended() -> bool:
            if await again.is_visible() and await trouble.is_visible():
                with contextlib.suppress(PlaywrightTimeout):
                    await again.click(timeout=1000)  # a command without an accepted answer is sent again
            return await visitor.card.get_attribute("data-status") == "completed"

        await soon(it_has_ended)
        await visitor.stands("completed")
        assert len(await roller.journal(booking)) == 2, "it took effect once"
        await visitor.shows_all_of(stack)
        await expect(visitor.card.locator(".step[data-status=completed]")).to_have_count(2)


async def test_a_reload_in_the_middle_shows_past_steps_at_once(visit: Visit, stack: Stack, party: Party) -> None:
    guest, _ = await party(*TWO, model=slow(4))
    visitor = await visit(reduced_motion="no-preference")
    await (await visitor.asks(SAYS.format(guest))).click()
    await under_way(visitor)
    await visitor.page.reload()
    await under_way(visitor)
    assert await visitor.card.locator("[data-step='1'][data-live]").count() == 0, "what is past is not played again"
    await visitor.stands("completed")
    await expect(visitor.card.locator("[data-step='2'][data-live]")).to_have_count(1)
    await visitor.shows_all_of(stack)


async def test_two_tabs_show_one_chat(visit: Visit, stack: Stack, party: Party) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    visitor = await visit()
    await visitor.say("what can you do?")
    await expect(visitor.page.locator("[data-row=reply]")).to_have_count(1)
    other = Visitor(await visitor.context.new_page(), visitor.at, visitor.user, visitor.token, visitor.wrong)
    watch(other.page, visitor.wrong)
    await other.page.goto(visitor.at)
    await expect(other.page.locator("[data-row=reply]")).to_have_count(1)
    await visitor.asks(f"note for {guest}: bring socks")
    await other.do("confirm").click()
    for one in (visitor, other):
        await one.stands("completed")
        await one.shows_all_of(stack)
    await other.do("details-head").click()
    await other.do("new-chat-here").click()
    await expect(visitor.page.locator(".try").first).to_be_visible()


async def test_what_is_typed_into_a_plan_that_another_tab_confirms_is_reported_to_be_lost(
    visit: Visit, party: Party
) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    visitor = await visit()
    await visitor.asks(f"note for {guest}: bring socks")
    other = Visitor(await visitor.context.new_page(), visitor.at, visitor.user, visitor.token, visitor.wrong)
    watch(other.page, visitor.wrong)
    await other.page.goto(visitor.at)
    for one in (visitor, other):
        await one.do("edit").click()
        await expect(one.do("editor")).to_be_visible()
    await visitor.do("editor").locator("input, textarea").last.fill("bring shoes")
    await other.do("leave").click()
    await other.do("confirm").click()
    for one, times in ((visitor, 1), (other, 0)):
        await one.stands("completed")
        await expect(one.do("editor")).to_have_count(0)
        await expect(one.card.get_by_text("what you were typing here is not in it")).to_have_count(times)
