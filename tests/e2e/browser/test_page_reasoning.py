"""A chat's reasoning on the page. Guarantees:

- an operator gets no access to it and no part of it: not from the page, nor from the service, with their session or
  their token;
- an operator who is also signed in to the staff pages sees each assessment, context fetch, critique and decision under
  its message, with its time and its inputs; new entries appear by themselves, and an opened one stays open; another
  chat shows its own;
- when that sign-in is over, nothing of it is left on the screen and the page no longer offers it;
- axe-core finds nothing, on a phone and at a desk; it is all there in Italian.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext, expect

from api.app import create_app
from cli.stack.dev import Stack
from tests.e2e.browser.test_page_sign_in import served
from tests.support import http
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, decides, found, look_up
from tests.support.stacks import a_stack, free_base, own_token
from tests.support.visitor import DESK, PHONE, Visitor, watch

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

KEY = "the-service-key-of-this-test"
SEEN = "li[data-kind={}]"


@asynccontextmanager
async def at_the_page(
    browser: Browser, stack: Stack, *, desk: bool = False, locale: str = "en-AU"
) -> AsyncIterator[Visitor]:
    """Open the page of an API that has a service key, as an operator."""
    assert stack.services is not None
    port = free_base(1)
    settings = stack.services.settings.model_copy(update={"service_key": KEY})
    async with served(create_app(replace(stack.services, settings=settings)), port):
        at, token = f"http://127.0.0.1:{port}", await own_token(stack)
        context = await browser.new_context(viewport=DESK if desk else PHONE, locale=locale, reduced_motion="reduce")
        headers = {"Authorization": f"Bearer {token}", "X-Service-Key": KEY}
        async with http.client(base_url=at, headers=headers) as api:
            given = await api.post("/v1/tickets", json={"user_id": "ada"})
        entered = await context.request.post(f"{at}/page/enter", form={"ticket": given.json()["ticket"]})
        assert entered.ok, await entered.text()
        visitor = Visitor(await context.new_page(), at, "ada", token)
        watch(visitor.page, visitor.wrong)
        await visitor.open()
        yield visitor
        assert not visitor.wrong, visitor.wrong
        await context.close()


async def enter_as_staff(context: BrowserContext, at: str) -> None:
    """Sign the same browser in with the service key, as on the staff pages."""
    body = {"name": "Ada", "key": KEY}
    entered = await context.request.post(f"{at}/staff/session", data=body, headers={"Origin": at})
    assert entered.ok, await entered.text()


async def a_cancellation(visitor: Visitor, roller: Roller, scripted: ScriptedModel, why: str, *after: str) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), lambda body: {"cancel_booking": {"booking_id": found(body)}}, *after)
    scripted.critique(guest, decides("PROCEED", reasoning=why))
    await visitor.asks(f"cancel {guest}")


async def test_an_operator_is_neither_offered_nor_given_it(
    browser: Browser, stack: Stack, roller: Roller, scripted: ScriptedModel
) -> None:
    async with at_the_page(browser, stack) as operator:
        bodies: list[str] = []
        operator.page.on("request", lambda request: bodies.append(request.url))
        await a_cancellation(operator, roller, scripted, "it was asked for, says the critique")
        await expect(operator.do("details-head")).to_be_visible()
        await expect(operator.do("reasoning")).to_have_count(0)
        path = f"{operator.at}/v1/sessions/{await operator.session()}/debug"
        by_page = await operator.context.request.get(path)
        assert by_page.status == 403 and "staff" in await by_page.text()
        async with http.client(headers={"Authorization": f"Bearer {operator.token}"}) as api:
            assert (await api.get(path)).status_code == 401
        # Nor by opening the drawer by hand.
        await operator.page.evaluate("document.getElementById('reasoning').showModal()")
        # Whatever the drawer asks for, it has asked for before a message that is sent later is answered.
        await operator.page.evaluate("document.getElementById('reasoning').close()")
        async with operator.page.expect_response("**/v1/requests"):
            await operator.say("what can you do?")
        assert "says the critique" not in await operator.page.content()
        assert not [url for url in bodies if "debug" in url]


async def test_an_engineer_reads_each_step_as_it_comes(
    browser: Browser, stack: Stack, roller: Roller, scripted: ScriptedModel
) -> None:
    async with at_the_page(browser, stack) as engineer:
        await enter_as_staff(engineer.context, engineer.at)
        await engineer.open()
        drawer = engineer.page.locator("#reasoning")
        await engineer.do("reasoning").click()
        await expect(drawer).to_contain_text("Nothing was reasoned in this chat yet.")
        await drawer.locator("[data-do=close]").click()
        await a_cancellation(engineer, roller, scripted, "the first one was asked for", "Good day.")
        await engineer.do("reasoning").click()
        steps = drawer.locator(".reasoned li")
        await expect(steps).to_have_count(6)
        kinds = await steps.evaluate_all("found => found.map((one) => one.dataset.kind)")
        assert kinds == ["assessment", "context", "assessment", "assessment", "critique", "decision"]
        critique = drawer.locator(SEEN.format("critique"))
        await expect(critique).to_contain_text("proceed: the first one was asked for")
        await expect(critique).to_contain_text("adaptive mode")
        stamps = await steps.locator("time").evaluate_all(
            "found => found.map((one) => [one.dateTime, one.textContent])"
        )
        assert [at for at, _ in stamps] == sorted(at for at, _ in stamps) and all(":" in shown for _, shown in stamps)
        await critique.locator("summary").click()
        await expect(critique.locator("dl")).to_contain_text("destructive")
        await engineer.sound()
        # New entries appear by themselves while it is open; another window of the same chat sends the message.
        other = await engineer.context.new_page()
        second = Visitor(other, engineer.at, engineer.user, engineer.token)
        await other.goto(engineer.at)
        await expect(second.card).to_be_visible()
        await second.say("hello")
        await expect(drawer.locator(".reasoned section")).to_have_count(2)
        await expect(critique.locator("dl")).to_be_visible()
        await drawer.locator("[data-do=close]").click()
        await expect(drawer).not_to_contain_text("asked for")
        # Another chat has its own.
        await engineer.do("details-head").click()
        await engineer.do("new-chat-here").click()
        await engineer.do("reasoning").click()
        await expect(drawer).to_contain_text("Nothing was reasoned")
        await expect(steps).to_have_count(0)


async def test_when_the_sign_in_is_over_nothing_of_it_stays(
    browser: Browser, stack: Stack, roller: Roller, scripted: ScriptedModel
) -> None:
    async with at_the_page(browser, stack, desk=True) as engineer:
        await enter_as_staff(engineer.context, engineer.at)
        await engineer.open()
        await a_cancellation(engineer, roller, scripted, "it was asked for")
        await engineer.do("reasoning").click()
        drawer = engineer.page.locator("#reasoning")
        await expect(drawer.locator(SEEN.format("critique"))).to_be_visible()
        await engineer.sound()
        left = await engineer.context.request.delete(f"{engineer.at}/staff/session", headers={"Origin": engineer.at})
        assert left.ok
        await expect(drawer).to_contain_text("no longer signed in as an engineer")
        await expect(drawer.locator("li")).to_have_count(0)
        await engineer.sound()
        await drawer.locator("[data-do=close]").click()
        await expect(engineer.do("reasoning")).to_have_count(0)
        # The operator is signed in as before.
        await expect(engineer.do("confirm")).to_be_visible()


async def test_in_italian(browser: Browser, model_url: str, tmp_path: Path) -> None:
    async with (
        a_stack(tmp_path, venue={"locale: en-AU": "locale: it-IT"}, model_base_url=model_url) as italian,
        at_the_page(browser, italian) as engineer,
    ):
        await enter_as_staff(engineer.context, engineer.at)
        await engineer.open()
        await engineer.say("ciao")
        await expect(engineer.page.locator("[data-row=reply]")).to_have_count(1)
        await engineer.do("reasoning").click()
        await expect(engineer.page.locator("#reasoning-title")).to_have_text("Come si è ragionato in questa chat")
        await expect(engineer.page.locator("#reasoning li").last).to_contain_text("Decisione")
        await engineer.sound()
