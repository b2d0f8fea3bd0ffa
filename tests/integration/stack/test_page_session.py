"""Signing in to the page, over HTTP (issue "Live": a browser never holds the service key). Guarantees:

- A host's ticket, or in `iq dev` the demo operator, opens a short session: an HttpOnly cookie that reveals nothing.
- With it a page acts as its own user at its own venue, without key or token; it opens nothing that requires the service
  key.
- The API refuses what another site's page sends with that cookie. A ticket works once; signing out takes effect at
  once.
- The page's files come with a Content Security Policy that allows nothing inline and nothing foreign.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx
import pytest

from api.app import create_app
from api.auth.page_session import COOKIE, PageSession, PageSessions
from api.routes.page import Demo
from api.routes.static import POLICY, WEB
from cli.stack.dev import DEMO_TOKEN, Stack
from clients.services import Services, assemble
from infra.errors import DependencyUnavailableError
from infra.temporal.client import connect
from tests.support import http
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.waiting import soon

pytestmark = pytest.mark.asyncio

KEY = "the-service-key-of-this-test"
HOST = {"X-Service-Key": KEY, "Authorization": f"Bearer {DEMO_TOKEN}"}
HERE, THERE = "http://127.0.0.1", "https://iq.test"
FILES = ["/", *(f"/{path.relative_to(WEB).as_posix()}" for path in WEB.rglob("*.js"))]
OURS = {"Sec-Fetch-Site": "same-origin"}


@asynccontextmanager
async def facade(stack: Stack, demo: Demo | None = None, **settings: Any) -> AsyncIterator[Services]:
    """An API of its own beside the stack's worker, with a service key."""
    parts = assemble(stack.settings.model_copy(update={"service_key": KEY, **settings}), await connect(stack.settings))
    await parts.ledger.opened()
    try:
        parts_app[id(parts)] = create_app(parts, demo)
        yield parts
    finally:
        await parts.close()


parts_app: dict[int, Any] = {}


def a_user() -> str:
    return f"op-{uuid4().hex[:8]}"


def browser(services: Services, at: str = THERE) -> httpx.AsyncClient:
    """Return a client that keeps cookies, at an address."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=parts_app[id(services)]), base_url=at)


async def a_ticket(one: httpx.AsyncClient, user: str) -> str:
    response = await one.post("/v1/tickets", json={"user_id": user}, headers=HOST)
    assert response.status_code == 201, response.text
    body = response.json()
    assert body["expires_in"] == 60
    return str(body["ticket"])


async def signed_in(services: Services, user: str) -> httpx.AsyncClient:
    one = browser(services)
    entered = await one.post("/page/enter", data={"ticket": await a_ticket(one, user)})
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    return one


async def test_a_ticket_opens_a_session_that_asks_as_itself(stack: Stack) -> None:
    user, session = a_user(), a_user()
    async with facade(stack) as parts:
        page = await signed_in(parts, user)
        state = (await page.get("/page/session")).json()
        assert (state["signed_in"], state["user_id"], state["demo"]) == (True, user, False)
        assert all("8231" in text for text in state["tries"]), "each is a first message, and names its booking"
        assert not any("cancel" in text for text in state["tries"]), "a tap can be undone"
        assert len(state["tries"]) == 3 and state["venue"]["venue_id"] == "roller-demo"
        body = {"user_message": "what can you do?", "session_id": session, "user_id": user}
        text = await page.post("/v1/requests", json=body, headers=OURS)
        assert text.status_code == 200, text.text
        seen = await page.get(f"/v1/sessions/{session}", params={"user_id": user})
        assert seen.status_code == 200
        for other in ({"user_id": "somebody"}, {"user_id": user, "venue_id": "elsewhere"}):
            expect_error(await page.get(f"/v1/sessions/{session}", params=other), 403, "forbidden")
            # In a chat without an owner, so that only the page's own identity can be the reason.
            elsewhere = {**body, "session_id": a_user(), **other}
            expect_error(await page.post("/v1/requests", json=elsewhere, headers=OURS), 403, "forbidden")
            expect_error(await page.get("/v1/plans", params={"user_id": user, **other}), 403, "forbidden")
        expect_error(await page.get("/v1/actions"), 401, "unauthorized")
        assert (await page.get("/v1/plans", params={"user_id": user})).json() == {"plans": []}
        expect_error(await page.get("/v1/plans"), 422, "invalid_request")
        assert (await page.get("/v1/day", params={"user_id": user})).status_code == 200
        expect_error(await page.post("/v1/tickets", json={"user_id": "somebody"}, headers=OURS), 401, "unauthorized")


async def test_the_cookie_says_nothing_and_no_script_reads_it(stack: Stack) -> None:
    async with facade(stack) as parts:
        one = browser(parts)
        entered = await one.post("/page/enter", data={"ticket": await a_ticket(one, a_user())})
        shown = entered.headers["set-cookie"]
        for part in ("HttpOnly", "SameSite=strict", "Secure", "Path=/", "Max-Age=3600"):
            assert part in shown, shown
        assert DEMO_TOKEN not in shown and KEY not in shown
        near = await browser(parts, HERE).post("/page/enter", data={"ticket": await a_ticket(one, a_user())})
        assert "Secure" not in near.headers["set-cookie"], "this machine's own page is plain HTTP"


async def test_a_ticket_is_good_once(stack: Stack) -> None:
    async with facade(stack) as parts:
        one = browser(parts)
        ticket = await a_ticket(one, a_user())
        answers = await asyncio.gather(*(browser(parts).post("/page/enter", data={"ticket": ticket}) for _ in range(8)))
        assert sorted(answer.status_code for answer in answers) == [303] + [401] * 7
        expect_error(await one.post("/page/enter", data={"ticket": "tok-none"}), 401, "unauthorized")


async def test_a_ticket_is_no_session_and_a_plans_token_neither(stack: Stack) -> None:
    async with facade(stack) as parts:
        one = browser(parts)
        for reference in (await a_ticket(one, "u"), await parts.vault.put(DEMO_TOKEN, 60), "x"):
            one.cookies.set(COOKIE, reference)
            assert (await one.get("/page/session")).json()["signed_in"] is False
            expect_error(await one.get("/v1/sessions/s", params={"user_id": "u"}), 401, "unauthorized")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.test"},
        {"Origin": "null"},
    ],
)
async def test_what_another_sites_page_sends_is_refused(stack: Stack, headers: dict[str, str]) -> None:
    user = a_user()
    async with facade(stack) as parts:
        page = await signed_in(parts, user)
        body = {"user_message": "what can you do?", "session_id": a_user(), "user_id": user}
        expect_error(await page.post("/v1/requests", json=body, headers=headers), 403, "forbidden")
        expect_error(await page.delete("/page/session", headers=headers), 403, "forbidden")
        ours = await page.post("/v1/requests", json=body, headers={"Origin": THERE})
        assert ours.status_code == 200


async def test_signing_out_is_at_once(stack: Stack) -> None:
    user = a_user()
    async with facade(stack) as parts:
        page = await signed_in(parts, user)
        kept = page.cookies[COOKIE]
        assert (await page.delete("/page/session", headers=OURS)).status_code == 204
        page.cookies.set(COOKIE, kept)
        state = (await page.get("/page/session")).json()
        assert state == {
            "signed_in": False, "demo": False, "tries": [], "way": "host", "locale": "en-AU",
        }  # fmt: skip


async def test_only_a_token_that_the_venue_accepts_gets_a_ticket(stack: Stack) -> None:
    async with facade(stack) as parts:
        wrong = {**HOST, "Authorization": "Bearer nobody"}
        refused = await browser(parts).post("/v1/tickets", json={"user_id": "u"}, headers=wrong)
        expect_error(refused, 401, "unauthorized")


async def test_the_demo_operator_is_for_this_machine_alone(stack: Stack) -> None:
    demo = Demo(DEMO_TOKEN, ("one", "two", "three"))
    async with facade(stack, demo) as parts:
        here = browser(parts, HERE)
        assert (await here.get("/page/session")).json()["way"] == "demo"
        state = (await here.post("/page/session", headers=OURS)).json()
        assert (state["user_id"], state["tries"], state["demo"]) == ("demo", ["one", "two", "three"], True)
        rebound = await browser(parts, "http://iq.evil.test").post("/page/session", headers=OURS)
        expect_error(rebound, 403, "forbidden")
        expect_error(await browser(parts, HERE).post("/page/session"), 403, "forbidden")
    async with facade(stack) as parts:
        expect_error(await browser(parts, HERE).post("/page/session", headers=OURS), 403, "forbidden")


async def test_the_page_comes_with_its_policy(stack: Stack) -> None:
    async with facade(stack) as parts:
        one = browser(parts)
        for path in FILES:
            response = await one.get(path)
            assert response.status_code == 200, path
            assert response.headers["content-security-policy"] == POLICY
            assert response.headers["x-content-type-options"] == "nosniff"
        assert "unsafe" not in POLICY and "*" not in POLICY
        expect_error(await one.get("/nowhere.js"), 404, "not_found")


@pytest.mark.parametrize("body", [[], 5, None, "user_id", {"user_id": 7}])
async def test_a_body_that_is_none_is_refused_as_such(stack: Stack, body: Any) -> None:
    async with facade(stack) as parts:
        page = await signed_in(parts, a_user())
        refused = await page.post("/v1/requests", json=body, headers=OURS)
        assert refused.status_code in (403, 422), refused.text


async def test_a_page_reaches_no_plan_of_another_venue(stack: Stack, operator: Operator, party: Party) -> None:
    """A plan of the user with the same id at the other venue."""
    guest, _ = await party(("edit_note", {"note": "Cake"}))
    plan = await operator.plan_for(f"note for {guest}: Cake")
    async with facade(stack) as parts:
        page = await signed_in(parts, operator.user)
        address = f"/v1/plans/{plan['plan_id']}"
        assert (await page.get(address, params={"user_id": operator.user})).status_code == 200
        elsewhere = PageSession(kind="session", token=DEMO_TOKEN, user_id=operator.user, venue_id="elsewhere")
        page.cookies.set(COOKIE, await PageSessions(parts.vault, 60).open(elsewhere))
        expect_error(await page.get(address, params={"user_id": operator.user}), 403, "forbidden")
        text = await page.post(f"{address}/confirm", json={"user_id": operator.user}, headers=OURS)
        expect_error(text, 403, "forbidden")
        assert (await operator.look(plan))["status"] == "pending_confirmation"


async def test_a_page_of_another_venue_is_not_served_at_the_default_one(stack: Stack) -> None:
    """A request without a venue means the default one, which is not the page's."""
    user = a_user()
    async with facade(stack) as parts:
        page = await signed_in(parts, user)
        elsewhere = PageSession(kind="session", token=DEMO_TOKEN, user_id=user, venue_id="elsewhere")
        page.cookies.set(COOKIE, await PageSessions(parts.vault, 60).open(elsewhere))
        body = {"user_message": "what can you do?", "session_id": a_user(), "user_id": user}
        expect_error(await page.post("/v1/requests", json=body, headers=OURS), 403, "forbidden")
        for address in ("/v1/day", "/v1/plans"):
            expect_error(await page.get(address, params={"user_id": user}), 403, "forbidden")


async def test_a_stream_ends_with_its_session(stack: Stack) -> None:
    user = a_user()
    async with facade(stack) as parts:
        page = await signed_in(parts, user)
        reading = asyncio.create_task(page.get("/v1/sessions/new/events", params={"user_id": user}))

        async def it_is_open() -> bool:
            return bool(parts_app[id(parts)].state.streams._open)

        await soon(it_is_open)
        await page.delete("/page/session", headers=OURS)
        assert (await reading).status_code == 200


async def test_signing_out_takes_the_cookie_though_the_store_is_away(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with facade(stack) as parts:
        page = await signed_in(parts, a_user())

        async def away(*_: Any) -> str:
            raise DependencyUnavailableError("store")

        monkeypatch.setattr(parts.vault, "get", away)
        shown = await page.delete("/page/session", headers=OURS)
        error = expect_error(shown, 503, "service_unavailable")
        assert "This browser is signed out" in error["message"] and COOKIE not in page.cookies


async def test_a_ticket_from_another_site_is_refused_where_the_hosts_is_known(stack: Stack) -> None:
    async with facade(stack, sign_in_url="https://host.test/in") as parts:
        for origin, status in (("https://evil.test", 403), ("null", 403), ("https://host.test", 303), (THERE, 303)):
            one = browser(parts)
            data = {"ticket": await a_ticket(one, a_user())}
            entered = await one.post("/page/enter", data=data, headers={"Origin": origin})
            assert entered.status_code == status, origin


async def test_what_is_no_ticket_stays_what_it_is(stack: Stack) -> None:
    async with facade(stack) as parts:
        page = await signed_in(parts, a_user())
        expect_error(await page.post("/page/enter", data={"ticket": page.cookies[COOKIE]}), 401, "unauthorized")
        assert (await page.get("/page/session")).json()["signed_in"] is True


async def test_nothing_personal_is_kept_by_a_cache(stack: Stack) -> None:
    user = a_user()
    async with facade(stack) as parts:
        page = await signed_in(parts, user)
        for path in ("/page/session", f"/v1/plans?user_id={user}", f"/v1/day?user_id={user}"):
            assert (await page.get(path)).headers["cache-control"] == "no-store", path


async def test_the_root_is_the_chat_page(stack: Stack) -> None:
    async with http.client(base_url=f"http://127.0.0.1:{stack.ports.facade}") as anybody:
        page = await anybody.get("/")
    assert page.status_code == 200 and "text/html" in page.headers["content-type"]
    assert "<title>" in page.text
