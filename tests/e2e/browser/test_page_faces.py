"""The page in its variants, against the running stack. Guarantees:

- at an Italian venue the page is Italian, its own texts and the service's, from the first visit to the undo;
- an operator who prefers no motion sees none (`tests/e2e/page/test_order.py` checks how long a step is visible with
  it);
- its examples are Italian, too, and lead to a plan or a choice;
- a look-up during drafting is visible as it is made, becomes the plan's first step, and stays as it ended where no plan
  follows; the plan after it can be edited as usual;
- the dark scheme is dark, by the same tokens;
- a guest named `<img src=x onerror=alert(1)>` is shown so everywhere, as text;
- these tests notice a violation of the Content Security Policy.

On a phone of 360 px nothing is wider than the window and no target is under 44 px, in each state of all these tests
(`Visitor.sound`).
"""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, expect

from cli.stack.dev import Stack
from tests.e2e.browser.conftest import Visit
from tests.support.party import Party
from tests.support.roller import Roller, a_name
from tests.support.stacks import a_stack, copied_pack
from tests.support.visitor import visiting
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

ITALY = {"locale: en-AU": "locale: it-IT", "Australia/Melbourne": "Europe/Rome", "country: AU": "country: IT"}
ENGLISH = re.compile(
    r"(?i)\b(the|this|is|are|was|not|booking|bookings|guests?|cancell?ed|please|which|what|when|could|change[ds]?|day|"
    r"undo|confirm|details|step|plan|today|message|send|show|done|waiting|try)\b"
)
LOOK = """  step:
    {action: check_sessions, title: Controllo degli orari, lacking: Pieno.,
     done: "C'è posto alle {{ new_start_time }}."}
  requires:
"""
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
async def rome(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    folder = tmp_path_factory.mktemp("rome-page")
    pack = copied_pack(folder, ITALY)
    overlay = pack / "actions" / "reschedule_booking.yaml"
    head, room, rest = overlay.read_text().partition("\navailability:\n")
    assert room
    overlay.write_text(head + room + rest.replace("  requires:\n", LOOK, 1))
    async with a_stack(folder, packs=(pack,)) as running:
        yield running


async def test_at_an_italian_venue_the_page_is_italian(visit: Visit, rome: Stack) -> None:
    guest = a_name()
    async with Roller(f"http://127.0.0.1:{rome.ports.roller}") as roller:
        booking = await roller.book(guest)
        visitor = await visit(rome, locale="it-IT", desk=True, demo=True)

        async def italian() -> None:
            shown = await visitor.page.locator("body").inner_text()
            # The bookings' own names are the venue's.
            for row in [guest, "Roller Demo", *await visitor.page.locator(".booking-guest, h1").all_inner_texts()]:
                shown = shown.replace(row, "")
            assert not ENGLISH.search(shown), ENGLISH.findall(shown)

        await italian()
        assert str(await visitor.page.locator("html").get_attribute("lang")).startswith("it")
        await visitor.asks(f"porta la prenotazione di {guest} a quattordici ospiti")
        await italian()
        await visitor.sound()
        await visitor.do("confirm").click()
        await visitor.stands("completed")
        await italian()
        await visitor.do("undo").click()
        await visitor.stands("rolled_back")
        await italian()
        await visitor.sound()
        assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == 10


async def test_what_an_italian_venue_offers_to_try_works(visit: Visit, rome: Stack) -> None:
    for number in range(3):
        visitor = await visit(rome, locale="it-IT", demo=True)
        if number:
            await visitor.do("details-head").click()
            await visitor.do("new-chat-here").click()
        await visitor.page.locator(".try").nth(number).click()
        answered = visitor.do("confirm").or_(visitor.page.locator("[data-tone=question] [data-do^='say:']"))
        await expect(answered.first).to_be_visible()


async def test_a_look_before_there_is_a_plan_is_seen_and_becomes_its_first_step(visit: Visit, rome: Stack) -> None:
    guest = a_name()
    async with Roller(f"http://127.0.0.1:{rome.ports.roller}") as roller:
        booking = await roller.book(guest)
        visitor = await visit(rome, locale="it-IT", reduced_motion="no-preference")
        await visitor.say(f"sposta la prenotazione di {guest} alle 16")
        run = visitor.page.locator("[data-run]")
        look = run.locator(".step[data-step='1']")
        await expect(run.locator(".card-status")).to_have_text("Si guarda prima di fare un piano")
        await expect(look).to_contain_text("Controllo degli orari")
        await expect(look).to_have_attribute("data-status", "running")
        await expect(visitor.card).to_have_count(0)
        await expect(visitor.do("confirm")).to_be_visible()
        await expect(run).to_have_count(0)
        first = visitor.card.locator(".step[data-step='1']")
        await expect(first).to_contain_text("C'è posto alle 16:00.")
        await expect(first).to_have_attribute("data-status", "completed")
        await visitor.page.emulate_media(reduced_motion="reduce")
        await visitor.sound()
        await expect(first.locator("[data-do=edit]")).to_have_count(0)
        await visitor.card.locator(".step[data-step='2'] [data-do=edit]").click()
        await visitor.page.get_by_label("Nuova ora di inizio").fill("15:00")
        await visitor.do("save").click()
        await expect(visitor.card.locator("ins").first).to_contain_text("15:00")
        await visitor.do("confirm").click()
        await visitor.stands("completed")
        await roller.fill(booking["items"][0]["bookingDate"], "17:00")
        await visitor.say(f"sposta la prenotazione di {guest} alle 17")
        await expect(run.locator(".card-status")).to_have_text("Non ne è venuto un piano")
        await expect(run).to_have_attribute("data-over", "")
        await visitor.sound()
        await visitor.reads_the_same_after_a_reload()


async def test_who_wants_no_motion_sees_none(visit: Visit, party: Party) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    visitor = await visit()
    await (await visitor.asks(f"note for {guest}: bring socks")).click()
    for _ in range(20):
        assert await visitor.page.evaluate("document.getAnimations().length") == 0
        await asyncio.sleep(0.05)
    await visitor.stands("completed")


async def test_the_dark_scheme_is_dark(visit: Visit, party: Party) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    visitor = await visit(color_scheme="dark", desk=True)
    await visitor.asks(f"note for {guest}: bring socks")
    for where in ("body", "article[data-plan]", "#dock", ".compose", "#beside"):
        paper = await visitor.page.locator(where).first.evaluate(
            "(e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;"
            " if (!/, 0\\)$|transparent/.test(c)) return c.match(/[\\d.]+/g).slice(0, 3).map(Number); } return [255]; }"
        )
        assert max(paper) < 70, f"{where} is {paper}"
    await visitor.sound()


async def test_a_guest_with_markup_for_a_name_is_text_everywhere(visit: Visit, roller: Roller) -> None:
    booking = await roller.book(HOSTILE)
    visitor = await visit(desk=True)
    day = booking["items"][0]["bookingDate"]
    await visitor.asks(f"move booking {booking['bookingReference']} to {day} at 3pm")
    await expect(visitor.card.locator(".card-title")).to_contain_text(HOSTILE)
    await visitor.do("confirm").click()
    await visitor.stands("completed")
    await expect(visitor.page.locator("#beside .booking-guest", has_text=HOSTILE)).to_be_visible()
    await expect(visitor.page.locator("[data-row=reply]").last).to_contain_text(HOSTILE)
    await visitor.say(f"who is {HOSTILE}?")
    await expect(visitor.page.locator("[data-row=message]").last).to_contain_text(HOSTILE)
    assert await visitor.page.locator("img").count() == 0
    await visitor.sound()


async def a_foreign_image(browser: Browser, stack: Stack) -> None:
    async with visiting(browser, stack) as visitor:
        await visitor.page.evaluate(
            """new Promise((done) => {
              document.addEventListener("securitypolicyviolation", done);
              const image = document.createElement("img");
              image.src = "http://localhost:9/x.png";
              document.body.append(image);
            }).then(() => null)"""
        )

        async def it_is_noticed() -> bool:
            return bool(visitor.wrong)

        await soon(it_is_noticed)


async def test_what_the_policy_forbids_is_noticed(browser: Browser, stack: Stack) -> None:
    with pytest.raises(AssertionError, match="policy: img-src"):
        await a_foreign_image(browser, stack)
