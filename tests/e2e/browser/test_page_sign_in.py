"""Sign-in on the page, against the running stack. Guarantees:

- a page session that ends in the middle of a plan stops nothing: after the next sign-in the page shows the plan with
  its progress, and the typed text is still there;
- a token that the venue revokes in the middle stops the plan; its rollback waits, the page asks for a sign-in, the
  host's own page signs the operator in again, and the rollback finishes;
- nothing that a script can read holds the operator's token or the session's cookie: no cookie, no storage, no document,
  no answer of the service.

Axe-core finds nothing on a signed-out page.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from playwright.async_api import Response, expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from api.app import create_app
from api.auth.page_session import COOKIE
from cli.stack.dev import Stack
from infra.http.http_server import http_server
from tests.e2e.browser.conftest import Visit
from tests.support import http
from tests.support.party import Party
from tests.support.roller import Roller, content
from tests.support.scripted_model import after, obey
from tests.support.stacks import free_base, own_token

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

TWO = (("change_guest_count", {"guest_count": 14}), ("edit_note", {"note": "Cake at noon"}))
SAYS = "make {} 14 guests, with the note: Cake at noon"
SECRETS = """
async () => JSON.stringify([
  document.cookie, {...localStorage}, {...sessionStorage}, await indexedDB.databases(), await caches.keys(),
  document.documentElement.outerHTML,
  Object.keys(window).map((name) => { try { return String(window[name]) } catch { return "" } }),
])
"""


@asynccontextmanager
async def served(app: object, port: int) -> AsyncIterator[None]:
    server = http_server(app, "127.0.0.1", port)  # type: ignore[arg-type]
    task = asyncio.create_task(server.serve())
    await server.until_started()
    yield
    server.should_exit = True
    await task


@asynccontextmanager
async def beside_a_host(stack: Stack) -> AsyncIterator[str]:
    """Serve the stack's page as a host embeds it: without a demo operator, and with the host's own sign-in page at
    another site."""
    facade, host = free_base(1), free_base(1)
    at = f"http://127.0.0.1:{facade}"
    url = f"http://localhost:{host}/sign-in"

    async def sign_in(request: Request) -> HTMLResponse:
        headers = {"Authorization": f"Bearer {await own_token(stack)}"}
        async with http.client(base_url=at, headers=headers) as api:
            given = (await api.post("/v1/tickets", json={"user_id": request.app.state.user})).json()
        ticket = f'<input type="hidden" name="ticket" value="{given["ticket"]}">'
        form = f'<form method="post" action="{at}/page/enter">{ticket}<button>Continue</button></form>'
        return HTMLResponse(f"<!doctype html>{form}")

    assert stack.services is not None
    settings = stack.services.settings.model_copy(update={"sign_in_url": url})
    page = Starlette(routes=[Route("/sign-in", sign_in)])
    async with served(create_app(replace(stack.services, settings=settings)), facade), served(page, host):
        beside_a_host.page = page  # type: ignore[attr-defined]
        yield at


async def test_a_page_session_that_ends_in_the_middle_of_a_plan(
    visit: Visit, stack: Stack, roller: Roller, party: Party
) -> None:
    guest, booking = await party(*TWO, model=(obey, after(2, {"edit_note": {"note": "Cake at noon"}}), obey))
    visitor = await visit(demo=True)
    await (await visitor.asks(SAYS.format(guest))).click()
    await expect(visitor.do("stop")).to_be_visible()
    await visitor.box.fill("half a sentence")
    left = await visitor.context.request.delete(f"{visitor.at}/page/session", headers={"Origin": visitor.at})
    assert left.ok
    await expect(visitor.page.locator("#gate")).to_contain_text("signed out")
    await expect(visitor.page.locator("#gate")).to_contain_text("kept")
    await visitor.sound()
    await visitor.page.locator("#gate [data-do=sign-in]").click()
    await visitor.stands("completed")
    await expect(visitor.box).to_have_value("half a sentence")
    assert len(await roller.journal(booking)) == 2
    await visitor.shows_all_of(stack)


async def test_a_token_that_expires_in_the_middle_of_a_plan(
    visit: Visit, stack: Stack, roller: Roller, party: Party
) -> None:
    guest, booking = await party(*TWO)
    async with beside_a_host(stack) as at:
        visitor = await visit(at=at)
        beside_a_host.page.state.user = visitor.user  # type: ignore[attr-defined]
        await visitor.asks(SAYS.format(guest))
        await visitor.box.fill("half a sentence")
        await roller.fault("update-a-booking", "expire_token", skip=1)
        asked: list[str] = []
        visitor.page.on("request", lambda request: asked.append(request.url))
        await visitor.do("confirm").click()
        way = visitor.page.locator("[data-do=sign-in]").first
        await expect(way).to_be_visible()
        await asyncio.sleep(1)
        asked.clear()
        await asyncio.sleep(2)
        assert len(asked) < 10, f"the page asks again and again: {asked}"
        await expect(way).to_be_visible()
        await visitor.sound()
        await way.click()
        await visitor.page.get_by_role("button", name="Continue").click()
        await visitor.stands("rolled_back")
        await expect(visitor.box).to_have_value("half a sentence")
        assert content(await roller.booking(booking["uniqueId"])) == content(booking)
        await expect(visitor.page.locator("[data-do=sign-in]")).to_have_count(0)


async def test_no_script_can_read_what_proves_who_somebody_is(visit: Visit, stack: Stack, party: Party) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    visitor = await visit()
    bodies: list[str] = []

    async def keep(response: Response) -> None:
        if "/events" not in response.url and response.ok:
            bodies.append(await response.text())

    visitor.page.on("response", keep)
    await visitor.does(f"note for {guest}: bring socks")
    await visitor.do("details-head").click()
    [cookie] = [one for one in await visitor.context.cookies() if one.get("name") == COOKIE]
    assert cookie.get("httpOnly") and cookie.get("sameSite") == "Strict"
    readable = await visitor.page.evaluate(SECRETS) + "".join(bodies)
    assert "bring socks" in readable, "it is looked for where things are"
    for secret in (visitor.token, str(cookie.get("value")), "Bearer"):
        assert secret not in readable
    assert await visitor.page.evaluate("document.cookie") == ""
