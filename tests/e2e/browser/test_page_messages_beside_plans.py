"""Replies beside a plan, against the running stack, in English and Italian: the reply appears with the plan's card,
live and after a reload.

- Half of the request is already so: the plan has the other half, and the reply names the rest.
- A bare yes that may answer an escalation, or the plan: the reply explains that it was not taken as a confirmation, and
  the plan is still pending.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from cli.stack.dev import Stack
from tests.e2e.browser.conftest import Visit
from tests.support.roller import Roller, a_day, a_name
from tests.support.stacks import a_stack, copied_pack
from tests.support.visitor import Visitor

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


@pytest.fixture(scope="module")
async def rome(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """An Italian venue."""
    folder: Path = tmp_path_factory.mktemp("rome-beside")
    pack = copied_pack(folder, {"locale: en-AU": "locale: it-IT"})
    async with a_stack(folder, packs=(pack,)) as running:
        yield running


async def stands_beside_the_card(visitor: Visitor, words: str) -> None:
    """Check that the reply is below the newest card, once, live and after a reload."""
    beside = visitor.page.locator("[data-row=reply] .bubble-text", has_text=words)
    await expect(beside).to_have_count(1)
    rows = [row[0] for row in await visitor.conversation()]
    assert "plan" in rows[: len(rows) - 1] and rows[-1] == "reply", rows
    await visitor.sound()
    await visitor.reads_the_same_after_a_reload()
    await expect(beside).to_have_count(1)


@pytest.mark.parametrize("italian", [False, True], ids=["en", "it"])
async def test_half_of_it_is_so_already(visit: Visit, stack: Stack, rome: Stack, italian: bool) -> None:
    at, guest, day = rome if italian else stack, a_name(), a_day()
    async with Roller(f"http://127.0.0.1:{at.ports.roller}") as roller:
        await roller.book(guest, day=day, time="17:00")
    visitor = await visit(at, locale="it-IT" if italian else "en-AU")
    if italian:
        confirm = await visitor.asks(f"sposta la prenotazione di {guest} alle 17 e portala a 9 ospiti")
        words = "resterebbe"
    else:
        confirm = await visitor.asks(f"move {guest} to 5pm and make it 9 guests")
        words = "would stay as it is"
    await expect(visitor.card).to_contain_text("9")
    await stands_beside_the_card(visitor, words)
    await confirm.click()
    await visitor.stands("completed")


@pytest.mark.parametrize("italian", [False, True], ids=["en", "it"])
async def test_a_yes_after_a_person_was_asked_for(visit: Visit, stack: Stack, rome: Stack, italian: bool) -> None:
    at, guest = rome if italian else stack, a_name()
    async with Roller(f"http://127.0.0.1:{at.ports.roller}") as roller:
        await roller.book(guest)
    visitor = await visit(at, locale="it-IT" if italian else "en-AU")
    await visitor.asks(f"sposta la prenotazione di {guest} alle 16" if italian else f"move {guest} to 4pm")
    await visitor.say("vorrei parlare con una persona" if italian else "i want to talk to a person")
    await expect(visitor.page.locator("[data-tone=handed]")).to_be_visible()
    await visitor.say("sì" if italian else "yes")
    await stands_beside_the_card(visitor, "Aspetta ancora" if italian else "It still waits")
    await expect(visitor.card).to_have_attribute("data-status", "pending_confirmation")
