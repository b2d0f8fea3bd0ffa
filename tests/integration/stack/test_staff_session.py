"""Who may read and answer escalations, over HTTP. Guarantees:

- The service with its key, and a browser that has signed in with it, for as long as that lasts, by a cookie that
  reveals nothing.
- A backend may pass cookies on beside the key; without the key the API accepts a write with a cookie from our own pages
  only.
- Not an operator by token or page, whether or not a key is configured; not a page of another site; not a replaced key.
- Every refusal has the documented error body, and every answer is in the OpenAPI document.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from api.app import create_app
from api.auth.staff_session import STAFF_COOKIE
from api.routes.page import Demo
from cli.stack.dev import DEMO_TOKEN, Stack
from clients.services import assemble
from infra.errors import DependencyUnavailableError
from infra.temporal.client import connect
from tests.integration.stack.test_escalations import ASKED
from tests.support.errors import expect_error
from tests.support.escalating import people_are_asked
from tests.support.operator import Operator
from tests.support.staff import Staff

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

KEY = "the-service-key-of-this-test"
OURS = {"Sec-Fetch-Site": "same-origin"}
HERE, THERE = "http://127.0.0.1", "https://iq.test"


@pytest.fixture(autouse=True, scope="module")
def _asked() -> Iterator[None]:
    with people_are_asked():
        yield


@asynccontextmanager
async def facade(stack: Stack, key: str | None = KEY, demo: Demo | None = None) -> AsyncIterator[Any]:
    """An API of its own beside the stack's worker; yields how a browser reaches it."""
    parts = assemble(stack.settings.model_copy(update={"service_key": key}), await connect(stack.settings))
    await parts.ledger.opened()
    app = create_app(parts, demo)

    def browser(at: str = THERE, **headers: str) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=at, headers=headers)

    browser.parts = parts  # type: ignore[attr-defined]
    try:
        yield browser
    finally:
        await parts.close()


async def handed_over(operator: Operator, stack: Stack) -> dict[str, Any]:
    """Create an escalation; return its row."""
    turn = await operator.say(ASKED)
    async with Staff(f"http://127.0.0.1:{stack.ports.facade}") as staff:
        return await staff.find(turn["reference"])


def calls(escalation_id: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Return all requests that staff can make."""
    return [
        ("GET", "/v1/escalations", {}),
        ("GET", f"/v1/escalations/{escalation_id}", {}),
        ("POST", f"/v1/escalations/{escalation_id}/resolve", {"json": {"message": "hello"}}),
    ]


async def test_signed_in_staff_read_and_answer(operator: Operator, stack: Stack) -> None:
    row = await handed_over(operator, stack)
    async with facade(stack) as browser:
        page = browser()
        before = (await page.get("/staff/session")).json()
        assert (before["signed_in"], before["needs_key"], before["venues"]) == (False, True, [])
        expect_error(
            await page.post("/staff/session", json={"name": "Ada", "key": "wrong"}, headers=OURS), 401, "unauthorized"
        )
        entered = await page.post("/staff/session", json={"name": "Ada", "key": KEY}, headers=OURS)
        assert entered.status_code == 200 and entered.json()["signed_in"]
        shown = entered.headers["set-cookie"]
        for part in ("HttpOnly", "SameSite=strict", "Secure", "Path=/", "Max-Age=3600"):
            assert part in shown, shown
        assert KEY not in shown and KEY not in entered.text
        assert (await page.get("/v1/escalations")).status_code == 200
        answered = await page.post(
            f"/v1/escalations/{row['escalation_id']}/resolve",
            json={"message": "Any cake.", "by": "Somebody else"},
            headers=OURS,
        )
        assert answered.status_code == 200, answered.text
        assert answered.json()["answer"]["by"] == "Ada"
        expect_error(await page.get("/v1/actions"), 401, "unauthorized")
        assert (await page.delete("/staff/session", headers=OURS)).status_code == 204
        for method, path, how in calls(row["escalation_id"]):
            expect_error(await page.request(method, path, headers=OURS, **how), 401, "unauthorized")


async def test_a_cookie_that_was_signed_out_elsewhere_opens_nothing(operator: Operator, stack: Stack) -> None:
    async with facade(stack) as browser:
        page = browser()
        await page.post("/staff/session", json={"name": "Ada", "key": KEY}, headers=OURS)
        copied = page.cookies[STAFF_COOKIE]
        await page.delete("/staff/session", headers=OURS)
        thief = browser(Cookie=f"{STAFF_COOKIE}={copied}")
        expect_error(await thief.get("/v1/escalations"), 401, "unauthorized")


async def test_another_sites_page_is_not_heard(operator: Operator, stack: Stack) -> None:
    row = await handed_over(operator, stack)
    async with facade(stack) as browser:
        page = browser()
        await page.post("/staff/session", json={"name": "Ada", "key": KEY}, headers=OURS)
        path, body = f"/v1/escalations/{row['escalation_id']}/resolve", {"message": "hello"}
        for site in ("cross-site", "same-site", "none"):
            expect_error(await page.post(path, json=body, headers={"Sec-Fetch-Site": site}), 403, "forbidden")
        expect_error(await page.post(path, json=body, headers={"Origin": "https://evil.test"}), 403, "forbidden")
        expect_error(await page.post(path, json=body), 403, "forbidden")
        cross = {"Sec-Fetch-Site": "cross-site"}
        expect_error(
            await page.post("/staff/session", json={"name": "Ada", "key": KEY}, headers=cross), 403, "forbidden"
        )
        expect_error(await page.delete("/staff/session", headers=cross), 403, "forbidden")
        assert (await page.get(f"/v1/escalations/{row['escalation_id']}")).json()["status"] == "open"


async def test_the_key_itself_is_no_browsers_to_send(operator: Operator, stack: Stack) -> None:
    """A backend passes its caller's cookies on. A browser adds a cookie by itself, but not a key in a header."""
    row = await handed_over(operator, stack)
    path, body = f"/v1/escalations/{row['escalation_id']}/resolve", {"message": "Any cake.", "by": "Ben"}
    async with facade(stack) as browser:
        for more in ({"Cookie": "theirs=1"}, {"Cookie": "iq_page=x"}, {"Origin": "https://their.test"}):
            wrong = await browser().post(path, json=body, headers={"X-Service-Key": "wrong", **more})
            expect_error(wrong, 401, "unauthorized")
            expect_error(await browser().post(path, json=body, headers=more), 403, "forbidden")
        right = {"X-Service-Key": KEY, "Cookie": "theirs=1"}
        switched = await browser().put("/v1/modes/venue/roller-demo", json={"mode": None}, headers=right)
        assert switched.status_code == 200, switched.text
        taken = await browser().post(path, json=body, headers=right)
        assert taken.status_code == 200 and taken.json()["answer"]["by"] == "Ben", taken.text
    async with facade(stack, key=None) as browser:
        # Without a configured key a header proves nothing, and another site's page is still refused.
        made_up = {"X-Service-Key": "made up", "Origin": "https://evil.test"}
        expect_error(await browser(HERE).post(path, json=body, headers=made_up), 403, "forbidden")


async def test_an_operator_neither_reads_nor_answers(operator: Operator, stack: Stack) -> None:
    row = await handed_over(operator, stack)
    token = {"Authorization": f"Bearer {DEMO_TOKEN}"}
    async with facade(stack) as browser:
        ticket = await browser().post(
            "/v1/tickets", json={"user_id": operator.user}, headers={"X-Service-Key": KEY, **token}
        )
        page = browser()
        assert (await page.post("/page/enter", data={"ticket": ticket.json()["ticket"]})).status_code == 303
        for method, path, how in calls(row["escalation_id"]):
            expect_error(await page.request(method, path, headers=OURS, **how), 403, "forbidden")
            expect_error(await browser().request(method, path, headers=token, **how), 401, "unauthorized")
            expect_error(await browser().request(method, path, **how), 401, "unauthorized")
            wrong = {"X-Service-Key": "wrong"}
            expect_error(await browser().request(method, path, headers=wrong, **how), 401, "unauthorized")
        copied = page.cookies["iq_page"]
        disguised = browser(Cookie=f"{STAFF_COOKIE}={copied}")
        expect_error(await disguised.get("/v1/escalations"), 401, "unauthorized")


async def test_without_a_key_an_operators_page_is_still_none(operator: Operator, stack: Stack) -> None:
    row = await handed_over(operator, stack)
    async with facade(stack, key=None, demo=Demo(DEMO_TOKEN, ())) as browser:
        page = browser(HERE)
        assert (await page.post("/page/session", headers=OURS)).status_code == 200
        for method, path, how in calls(row["escalation_id"]):
            expect_error(await page.request(method, path, headers=OURS, **how), 403, "forbidden")
        # The same browser signs in as staff, which here requires no key.
        assert (await page.post("/staff/session", json={"name": "Ada"}, headers=OURS)).json()["needs_key"] is False
        assert (await page.get("/v1/escalations")).status_code == 200
        away = browser(THERE)
        expect_error(await away.post("/staff/session", json={"name": "Ada"}, headers=OURS), 401, "unauthorized")
        expect_error(await away.get("/v1/escalations"), 401, "unauthorized")
        # A header that claims a key proves nothing where none is configured.
        made_up = {"X-Service-Key": "made up"}
        for path in ("/v1/escalations", "/v1/usage", "/v1/modes"):
            expect_error(await away.get(path, headers=made_up), 401, "unauthorized")
            await page.delete("/staff/session", headers=OURS)
            expect_error(await page.get(path, headers=made_up), 403, "forbidden")


@pytest.mark.parametrize(("peer", "status"), [("127.0.0.1", 200), ("::1", 200), ("::ffff:127.0.0.1", 200),
                                              ("10.0.0.7", 401), ("203.0.113.9", 401), ("somebody", 401)])  # fmt: skip
async def test_without_a_key_only_this_machine_comes_in(
    operator: Operator, stack: Stack, peer: str, status: int
) -> None:
    parts = assemble(stack.settings.model_copy(update={"service_key": None}), await connect(stack.settings))
    await parts.ledger.opened()
    try:
        there = httpx.ASGITransport(app=create_app(parts), client=(peer, 5))
        # An operator's token beside it makes no difference.
        headers = {"Authorization": operator.http.headers["Authorization"]}
        async with httpx.AsyncClient(transport=there, base_url=HERE, headers=headers) as one:
            for path in ("/v1/escalations", "/v1/usage", "/v1/modes"):
                assert (await one.get(path)).status_code == status
    finally:
        await parts.close()


async def test_one_sign_in_opens_all_that_is_the_staffs(stack: Stack) -> None:
    async with facade(stack) as browser:
        page = browser()
        await page.post("/staff/session", json={"name": "Ada", "key": KEY}, headers=OURS)
        for path in ("/v1/escalations", "/v1/usage", "/v1/modes"):
            assert (await page.get(path)).status_code == 200
        for name in ("", "  ", "a" * 61):
            wrong = await page.post("/staff/session", json={"name": name, "key": KEY}, headers=OURS)
            expect_error(wrong, 422, "invalid_request")
        for path in ("/staff/", "/staff/inbox.html"):
            assert 'id="head"' in (await page.get(path)).text


async def test_half_signed_out_is_reported_and_this_browser_is_out(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with facade(stack) as browser:
        page = browser()
        await page.post("/staff/session", json={"name": "Ada", "key": KEY}, headers=OURS)

        async def away(_: str) -> None:
            raise DependencyUnavailableError("store")

        monkeypatch.setattr(browser.parts.vault, "wipe", away)
        shown = expect_error(await page.delete("/staff/session", headers=OURS), 503, "service_unavailable")
        assert "This browser is signed out" in shown["message"]
        expect_error(await page.get("/v1/escalations"), 401, "unauthorized")


async def test_with_another_key_a_session_is_over(operator: Operator, stack: Stack) -> None:
    async with facade(stack) as browser:
        page = browser()
        await page.post("/staff/session", json={"name": "Ada", "key": KEY}, headers=OURS)
        sessions = page._transport.app.state.staff_sessions
        sessions._settings = stack.settings.model_copy(update={"service_key": "another"})
        expect_error(await page.get("/v1/escalations"), 401, "unauthorized")


async def test_it_is_documented(stack: Stack) -> None:
    async with facade(stack) as browser:
        paths = (await browser().get("/openapi.json")).json()["paths"]
    assert set(paths["/v1/escalations"]["get"]["responses"]) >= {"200", "401", "403", "422"}
    assert set(paths["/v1/escalations/{escalation_id}"]["get"]["responses"]) >= {"200", "401", "403", "404"}
    answered = paths["/v1/escalations/{escalation_id}/resolve"]["post"]["responses"]
    assert set(answered) >= {"200", "401", "403", "404", "409", "422"}
    assert {"get", "post", "delete"} <= set(paths["/staff/session"])
