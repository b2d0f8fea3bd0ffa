"""A reload, against the running stack: the conversation is the same as live, word for word and in its order. That
holds for plans that were dropped, replaced, rolled back, asked something, done and undone, and for the messages
between them."""

import pytest
from playwright.async_api import expect

from cli.stack.dev import Stack
from tests.e2e.browser.conftest import Visit
from tests.support.roller import Roller, a_name
from tests.support.visitor import Visitor

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def shown(visitor: Visitor, count: int) -> None:
    await expect(visitor.page.locator("[data-row=reply]")).to_have_count(count)


async def test_a_conversation_reads_the_same_after_a_reload(visit: Visit, stack: Stack, roller: Roller) -> None:
    visitor = await visit()
    guest = a_name()
    await roller.book(guest)
    await visitor.asks(f"move {guest} to 4pm")
    await visitor.do("drop").click()
    await visitor.stands("cancelled")
    await visitor.say("what can you do?")
    await shown(visitor, 2)

    booking = await roller.book()
    number = booking["bookingReference"]
    await (await visitor.asks(f"cancel booking {number} and record the refund")).click()
    asked = visitor.card.locator(".prompt input")
    await asked.fill("in cash please")
    await asked.press("Enter")
    await visitor.stands("completed")

    await visitor.asks(f"make {guest} 14 guests and move it to 5pm")
    await roller.fault(
        "update-a-booking", "status", status=409, body={"errors": [{"name": "X", "message": "no"}]}, skip=1
    )
    await visitor.do("confirm").click()
    await visitor.stands("rolled_back")
    await visitor.say("what can you do?")
    await shown(visitor, 5)

    other = a_name()
    await roller.book(other)
    await visitor.does(f"move {other} to 3pm")
    await visitor.do("undo").click()
    await visitor.stands("rolled_back")
    await shown(visitor, 7)
    await visitor.reads_the_same_after_a_reload()
    await visitor.shows_all_of(stack)
    await visitor.sound()
