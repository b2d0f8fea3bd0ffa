"""The staff page in a real browser, against the running stack. Guarantees:

- staff sign in with a name and the service key, which no script can read afterwards; a wrong key is reported;
- one header leads from it to the inbox and back, with one sign-in;
- it is in the default venue's language, numbers included, with nothing left in English;
- it shows usage and how plans ended, as bars with their figures, and switches a mode from the keyboard;
- the policy refuses nothing of it, nothing is written to the console, and axe finds nothing.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, Route, expect

from api.app import create_app
from cli.stack.dev import Stack
from clients.services import assemble
from contracts.enums import AiMode, PlanStatus, StepStatus
from contracts.usage import StepOutcome
from infra.config.settings import ROOT
from infra.http.http_server import http_server
from infra.temporal.client import connect
from tests.support.browsers import PATIENCE
from tests.support.ledgers import Books, a_call, a_plan, file_url
from tests.support.stacks import free_base
from tests.support.waiting import LIMIT

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

KEY = "the-key-of-this-page"


@asynccontextmanager
async def before_the_page(
    stack: Stack, browser: Browser, folder: Any, *, italian: bool = False, **how: Any
) -> AsyncIterator[Page]:
    """Open the page of an API with a key and a ledger, of an Italian venue where a test asks for it."""
    port = free_base(1)
    given = stack.settings.model_copy(update={"service_key": KEY, "ledger_url": file_url(folder)})
    if italian:
        pack = folder / "roller"
        await asyncio.to_thread(shutil.copytree, ROOT / "overlays" / "roller", pack)
        venue = pack / "venue.yaml"
        venue.write_text(venue.read_text().replace("locale: en-AU", "locale: it-IT"))
        given = given.model_copy(update={"packs": (pack,)})
    parts = assemble(given, await connect(stack.settings))
    await parts.ledger.opened()
    server = http_server(create_app(parts), "127.0.0.1", port)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    books = Books(parts.ledger)
    now = datetime.now(UTC)
    for number in range(6):
        mode = AiMode.ADAPTIVE if number % 2 else AiMode.STANDARD
        books.call(a_call(f"c{number}", mode=mode, multiplier=1.2 if number % 2 else 1.0), tokens=(600, 200, 250))
        step = StepOutcome(step=1, action="move", status=StepStatus.FAILED if number == 5 else StepStatus.COMPLETED)
        times = {"requested_at": now, "drafted_at": now, "confirmed_at": now + timedelta(seconds=20)}
        books.plan(a_plan(f"p{number}", mode=mode, status=PlanStatus.COMPLETED, steps=(step,), **times))
    assert await asyncio.to_thread(books.writer.flush, LIMIT)
    context = await browser.new_context(**how)
    context.set_default_timeout(PATIENCE)
    page, complaints = await context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    await page.goto(f"http://127.0.0.1:{port}/staff/")
    try:
        yield page
        # The browser itself logs that a key was refused.
        assert [c for c in complaints if "401" not in c] == []
    finally:
        await context.close()
        server.should_exit = True
        await task
        await parts.close()


_SAME_IN_BOTH = """
async () => {
  const en = (await import("/i18n/en.js")).default;
  const texts = Object.entries(en).filter(([key]) => /^(usage|modes|staff)[.]/.test(key)).flatMap(([, text]) =>
    typeof text === "string" ? [text] : [text.one, text.other]).filter((text) => !/[{]/.test(text) && text.length > 3);
  const shown = new Set([...document.querySelectorAll("main *, header *")].flatMap((one) =>
    [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent.trim())));
  return texts.filter((text) => shown.has(text.trim()));
}
"""
"""English texts of these pages that stand on the page."""


async def enter(page: Page, key: str = KEY) -> None:
    await page.get_by_label("Your name").fill("Ada")
    await page.get_by_label("Service key").fill(key)
    await page.get_by_role("button", name="Sign in").click()


async def test_it_is_entered_with_the_key_which_no_script_can_read(
    stack: Stack, browser: Browser, tmp_path: Any
) -> None:
    async with before_the_page(stack, browser, tmp_path) as page:
        await enter(page, "wrong")
        await expect(page.get_by_role("alert")).to_contain_text("service key")
        await enter(page)
        await expect(page.get_by_role("heading", name="Modes", exact=True)).to_be_visible()
        readable = await page.evaluate("document.cookie + JSON.stringify({...localStorage, ...sessionStorage})")
        assert readable == "{}"
        await page.get_by_role("button", name="Sign out").click()
        await expect(page.get_by_label("Service key")).to_be_visible()


async def test_its_head_leads_to_the_inbox_and_back_with_one_sign_in(
    stack: Stack, browser: Browser, tmp_path: Any
) -> None:
    async with before_the_page(stack, browser, tmp_path, viewport={"width": 360, "height": 740}) as page:
        await enter(page)
        for name, title, shown in (
            ("Inbox", "Handed to a person", "#open-title"),
            ("Usage", "Usage and modes", "section[aria-label=Modes]"),
        ):
            await page.get_by_role("navigation").get_by_role("link", name=name).click()
            await expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
            await expect(page.locator(shown)).to_be_visible()
            await expect(page.get_by_role("link", name=name)).to_have_attribute("aria-current", "page")
            await expect(page.locator("#head")).to_contain_text("Ada")
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            await page.screenshot(path=tmp_path / f"{name}.png")
        await page.get_by_role("button", name="Sign out").click()
        await page.get_by_role("link", name="Inbox").click()
        await expect(page.locator("#key")).to_be_visible()


async def test_it_shows_what_was_used_and_how_plans_went(stack: Stack, browser: Browser, tmp_path: Any) -> None:
    async with before_the_page(stack, browser, tmp_path) as page:
        await enter(page)
        await expect(page.get_by_role("img", name="Tokens: adaptive 3,150, standard 3,150")).to_be_visible()
        await expect(page.get_by_role("img", name="Multiplier: adaptive × 1.20, standard × 1.00")).to_be_visible()
        await expect(page.get_by_role("img", name="Failure rate by action: move 1 of 6")).to_be_visible()
        await expect(page.locator(".tile", has_text="Planning accuracy")).to_contain_text("100 %")
        await expect(page.locator(".tile", has_text="Time to confirm")).to_contain_text("20 s")
        await page.locator("select[name=by]").select_option("venue")
        await expect(page.get_by_role("img", name="Tokens: hall 6,300")).to_be_visible()


async def test_it_switches_a_mode_from_the_keyboard(stack: Stack, browser: Browser, tmp_path: Any) -> None:
    async with before_the_page(stack, browser, tmp_path) as page:
        focused = asyncio.Event()

        async def behind_the_modes(route: Route) -> None:
            await focused.wait()
            await route.continue_()

        await page.route("**/v1/usage?*", behind_the_modes)
        await enter(page)
        choice = page.get_by_label("Mode of the tariff pro")
        await choice.focus()
        focused.set()
        await expect(page.get_by_role("img", name="Tokens: adaptive 3,150, standard 3,150")).to_be_visible()
        await expect(choice).to_be_focused()
        await page.keyboard.press("s")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("status")).to_have_text("The tariff pro is switched.")
        await expect(choice).to_be_focused()
        await expect(choice).to_have_value("standard")
        await expect(page.get_by_label("What was switched")).to_contain_text("Ada")
        await expect(page.get_by_label("Mode of the venue roller-demo")).to_contain_text("standard, as its tariff says")


async def test_in_italian(stack: Stack, browser: Browser, tmp_path: Any) -> None:
    async with before_the_page(stack, browser, tmp_path, italian=True, viewport={"width": 360, "height": 740}) as page:
        await page.get_by_label("Il Suo nome").fill("Ada")
        await page.get_by_label("Chiave del servizio").fill(KEY)
        await page.get_by_role("button", name="Accedi").click()
        await expect(page.get_by_role("heading", name="Modalità", exact=True)).to_be_visible()
        await expect(page.locator("html")).to_have_attribute("lang", "it-IT")
        await expect(page.get_by_role("img", name="Moltiplicatore: adaptive × 1,20, standard × 1,00")).to_be_visible()
        await expect(page.get_by_role("img", name="Quota di errori per azione: move 1 su 6")).to_be_visible()
        await expect(page.locator(".tile", has_text="Chiamate al modello")).to_contain_text("6 messaggi")
        await page.locator("select[name=by]").select_option(label="locale")
        await expect(page.get_by_role("img", name="Token: hall 6300")).to_be_visible()
        await page.get_by_label("Modalità della tariffa pro").select_option("standard")
        await expect(page.get_by_role("status")).to_have_text("La tariffa pro è impostata.")
        trail = page.get_by_label("Che cosa è stato impostato")
        await expect(trail).to_contain_text("tariffa pro")
        await expect(page.get_by_label("Modalità del locale roller-demo")).to_contain_text(
            "standard, come dice la sua tariffa"
        )
        # Nothing is left in English: no text of the page's own is the same in both languages, but these.
        own = await page.evaluate(_SAME_IN_BOTH)
        assert set(own) <= {"Standard", "Adaptive"}, own
        found = await Axe().run(page)
        assert found.response["violations"] == [], found.generate_report()
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
async def test_axe_finds_nothing_and_nothing_sticks_out(
    stack: Stack, browser: Browser, tmp_path: Any, scheme: Any, width: int
) -> None:
    viewport: Any = {"width": width, "height": 900}
    async with before_the_page(stack, browser, tmp_path, viewport=viewport, color_scheme=scheme) as page:
        await enter(page)
        await expect(page.get_by_role("heading", name="Modes", exact=True)).to_be_visible()
        found = await Axe().run(page)
        assert found.response["violations"] == [], found.generate_report()
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await page.screenshot(path=tmp_path / "staff.png", full_page=True)
