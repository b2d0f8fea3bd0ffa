"""The API's documentation in a real browser, without a network. Guarantees:

- The page fetches nothing from elsewhere, and its own Content Security Policy refuses nothing.
- With the operator's token behind Authorize, a call that needs it is answered.
- Clients can be generated from the document: names for every operation, one way to sign in, no sign-in header among the
  parameters.
"""

import pytest
from openapi_pydantic import OpenAPI
from playwright.async_api import Browser, expect

from api import openapi
from cli.stack.dev import Stack
from tests.support import http
from tests.support.stacks import own_token

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def test_it_works_offline_and_signs_in(browser: Browser, stack: Stack) -> None:
    at = f"http://127.0.0.1:{stack.ports.facade}"
    page = await browser.new_page()
    wrong: list[str] = []
    page.on("console", lambda text: wrong.append(text.text) if text.type == "error" else None)
    page.on("request", lambda asked: wrong.append(asked.url) if not asked.url.startswith((at, "data:")) else None)
    await page.goto(f"{at}/docs")
    await page.get_by_role("button", name="Authorize").click()
    await page.locator(".auth-container input").first.fill(await own_token(stack))
    await page.get_by_role("button", name="Apply credentials").first.click()
    await page.get_by_role("button", name="Close").first.click()
    await page.get_by_text("/v1/plans", exact=True).click()
    await page.get_by_role("button", name="Try it out").click()
    await page.get_by_placeholder("user_id").fill("reader")
    await page.get_by_role("button", name="Execute").click()
    await expect(page.locator(".live-responses-table .response .response-col_status").first).to_contain_text("200")
    assert wrong == []
    await page.close()


async def test_clients_can_be_generated_from_the_document(stack: Stack) -> None:
    asked = await http.client().get(f"http://127.0.0.1:{stack.ports.facade}/openapi.json")
    document = OpenAPI.model_validate(asked.json())
    assert [server.url for server in document.servers] == ["/"]
    names = []
    for path, item in (document.paths or {}).items():
        for method in ("get", "post", "put", "delete"):
            if (operation := getattr(item, method)) is None:
                continue
            names.append(f"{method.upper()} {path}")
            assert operation.operationId == openapi.OPERATIONS[names[-1]]
            headers = {p.name.lower() for p in operation.parameters or [] if getattr(p, "param_in", "") == "header"}
            assert headers.isdisjoint({"authorization", "x-service-key"})
            assert operation.security is not None
    assert sorted(names) == sorted(openapi.OPERATIONS)
    assert len(set(openapi.OPERATIONS.values())) == len(names)
    requests = asked.json()["paths"]["/v1/requests"]["post"]
    assert requests["security"] == [{"operator": []}]


@pytest.mark.parametrize(("schemes", "needs_key", "text"), [
    (set(), True, []), ({"operator"}, True, [{"operator": []}]), ({"operator", "service"}, False, [{"operator": []}]),
    ({"operator", "service"}, True, [{"operator": [], "service": []}]), ({"service"}, True, [{"service": []}]),
    ({"service"}, False, [{"service": []}, {}]),
])  # fmt: skip
async def test_what_lets_a_caller_in(schemes: set[str], needs_key: bool, text: list[dict[str, list[str]]]) -> None:
    assert openapi.requirements(schemes, needs_key=needs_key) == text
