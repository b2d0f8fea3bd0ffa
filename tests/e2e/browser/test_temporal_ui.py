"""The Temporal UI in a real browser, against the running stack.

- The UI decrypts payloads for an engineer through our codec endpoint, without setup: the dev stack wires it.
- What the server itself holds is not readable.
"""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page, expect

from cli.stack.dev import Stack
from tests.support.operator import Operator
from tests.support.party import Party

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A page of a real Chromium."""
    found = await browser.new_page(viewport={"width": 1400, "height": 1000})
    yield found
    await found.close()


async def test_an_engineer_reads_a_plan_in_the_temporal_ui(
    page: Page, stack: Stack, operator: Operator, party: Party
) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.do(f"note for {guest}: bring socks")
    assert stack.services is not None
    handle = stack.services.plans.client.get_workflow_handle(f"plan-{plan['plan_id']}")
    run_id = (await handle.describe()).run_id
    ui = f"http://127.0.0.1:{stack.ports.temporal_ui}/namespaces/default/workflows/plan-{plan['plan_id']}/{run_id}"
    await page.goto(f"{ui}/history")
    await expect(page.get_by_text(guest).first).to_be_visible()
