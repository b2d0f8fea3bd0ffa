"""An escalation in two browsers: the operator's page and the staff's inbox. Guarantees:

- the operator's page shows that staff take over, with the reference, and the staff reply when it comes, marked as such;
  both are still there after a reload;
- staff sign in with the service key, which no script can read afterwards; the inbox shows what waits with its age, the
  reason, the question and the last messages; staff can answer by keyboard alone, and a draft stays as typed;
- the inbox reports what was answered elsewhere, and lists it below; it is all there in Italian, too;
- the operator's page shows when an escalation lapsed, with the reference and the question;
- axe-core finds nothing, on a phone and at a desk, signed out and in; nothing is wider than the window.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from api.app import create_app
from api.auth.staff_session import STAFF_COOKIE
from cli.stack.dev import Stack
from tests.e2e.browser.conftest import Visit
from tests.e2e.browser.test_page_sign_in import SECRETS, served
from tests.integration.stack.test_escalations import ASKED
from tests.support.escalating import SHOWN, people_are_asked
from tests.support.operator import Operator
from tests.support.stacks import a_stack, free_base
from tests.support.staff import Staff
from tests.support.visitor import DESK, PHONE, Visitor, watch

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

KEY = "the-service-key-of-this-test"


@pytest.fixture(autouse=True, scope="module")
def _asked() -> Iterator[None]:
    with people_are_asked():
        yield


@asynccontextmanager
async def inbox(browser: Browser, stack: Stack, *, key: str | None = KEY, desk: bool = False) -> AsyncIterator[Visitor]:
    """Open a staff browser at the inbox of an API that has a service key, not signed in yet."""
    assert stack.services is not None
    port = free_base(1)
    settings = stack.services.settings.model_copy(update={"service_key": key})
    async with served(create_app(replace(stack.services, settings=settings)), port):
        context = await browser.new_context(viewport=DESK if desk else PHONE, reduced_motion="reduce")
        visitor = Visitor(await context.new_page(), f"http://127.0.0.1:{port}", "staff", "")
        watch(visitor.page, visitor.wrong)
        await visitor.page.goto(f"{visitor.at}/staff/inbox.html")
        yield visitor
        assert not visitor.wrong, visitor.wrong
        await context.close()


async def sign_in(staff: Visitor) -> None:
    await staff.page.locator("#name").fill("Anna")
    await staff.page.locator("#key").fill(KEY)
    await staff.page.locator("#key").press("Enter")
    await expect(staff.page.locator("#open-title")).to_be_visible()


async def test_an_answer_goes_from_the_inbox_to_the_operators_page(
    visit: Visit, browser: Browser, stack: Stack
) -> None:
    operator = await visit()
    await operator.say(ASKED)
    shown = operator.page.locator('[data-tone="handed"]')
    await expect(shown).to_contain_text(SHOWN)
    mark = await shown.locator(".reply-mark").text_content() or ""
    reference = mark.rpartition(" ")[2]
    assert mark == f"Handed to a person, reference {reference}" and len(reference) == 8
    async with inbox(browser, stack) as staff:
        await staff.sound()
        await sign_in(staff)
        mine = staff.page.locator(f'[data-reference="{reference}"]')
        await expect(mine).to_contain_text(ASKED)
        await expect(mine).to_contain_text("The assistant was not sure enough of what was meant.")
        await expect(mine.locator(".handed-head")).to_contain_text("this minute")
        # By keyboard alone, from the box on.
        await mine.locator("summary").focus()
        await staff.page.keyboard.press("Enter")
        await expect(mine.locator(".lines")).to_contain_text(SHOWN)
        await staff.sound()
        await staff.page.keyboard.press("Tab")
        await staff.page.keyboard.type("Yes, any cake she likes.")
        async with Operator(operator.at, user="another", token=operator.token) as other:
            await other.say(ASKED)
        await expect(staff.page.locator("article")).not_to_have_count(1)
        await expect(mine.locator("textarea")).to_have_value("Yes, any cake she likes.")
        await expect(mine.locator("textarea")).to_be_focused()
        await staff.page.keyboard.press("Tab")
        await staff.page.keyboard.press("Enter")
        done = staff.page.locator(f'#over [data-reference="{reference}"]')
        await expect(done).to_contain_text("Answered by Anna")
        await expect(staff.page.locator("#open-title")).to_be_focused()
        await expect(done).not_to_contain_text("on its way")
        await staff.sound()
        secrets = await staff.page.evaluate(SECRETS)
        cookies = {c["name"]: c for c in await staff.context.cookies()}
        assert (
            KEY not in secrets and cookies[STAFF_COOKIE]["value"] not in secrets and cookies[STAFF_COOKIE]["httpOnly"]
        )
    text = operator.page.locator('[data-tone="person"]')
    await expect(text).to_contain_text("Yes, any cake she likes.")
    await expect(text.locator(".reply-mark")).to_have_text("A person")
    await expect(text).to_contain_text(f"Anna, a person, answers (reference {reference})")
    await operator.sound()
    await operator.reads_the_same_after_a_reload()
    await expect(operator.page.locator('[data-tone="handed"] .reply-mark')).to_have_text(mark)
    await expect(operator.page.locator('[data-tone="person"] .reply-mark')).to_have_text("A person")


async def test_what_was_answered_elsewhere_is_reported(visit: Visit, browser: Browser, stack: Stack) -> None:
    async with Operator(f"http://127.0.0.1:{stack.ports.facade}") as operator:
        turn = await operator.say(ASKED)
    async with inbox(browser, stack, desk=True) as staff, Staff(staff.at, KEY) as elsewhere:
        await sign_in(staff)
        mine = staff.page.locator(f'#open [data-reference="{turn["reference"]}"]')
        await mine.locator("textarea").fill("Mine")
        row = await elsewhere.find(turn["reference"])
        # The page does not see it yet, because its polls are held up.
        await staff.page.route("**/v1/escalations?*", lambda route: route.abort())
        await elsewhere.answer(row["escalation_id"], "Theirs", by="Ben")
        await mine.locator("[data-do=answer]").click()
        await expect(mine.locator("[role=alert]")).to_contain_text("answered already")
        await expect(mine.locator("textarea")).to_have_value("Mine")
        await staff.page.unroute("**/v1/escalations?*")
        over = staff.page.locator(f'#over [data-reference="{turn["reference"]}"]')
        await expect(over).to_contain_text("Theirs")
        staff.wrong[:] = [one for one in staff.wrong if "409" not in one and "ERR_FAILED" not in one]


async def test_what_is_missing_is_reported(browser: Browser, stack: Stack) -> None:
    rows = {"unanswered": ["1a2b3c4d-1"], "unreadable": ["5e6f7a8b-1", "9c0d1e2f-1"]}
    left = [{"escalation_id": name, "opened_at": "2026-11-25T00:00:00Z", "why": why} for why, names in rows.items()
            for name in names]  # fmt: skip
    async with inbox(browser, stack) as staff:
        body = {"escalations": [], "left_out": left}
        await staff.page.route("**/v1/escalations?*", lambda route: route.fulfill(json=body))
        await sign_in(staff)
        note = staff.page.locator("#left-out")
        await expect(note).to_contain_text("1 did not answer just now and is missing here (1A2B3C4D)")
        await expect(note).to_contain_text("2 cannot be opened with the keys of this service")
        await expect(note).to_contain_text("5E6F7A8B, 9C0D1E2F")
        await expect(staff.page.locator("#open-none")).to_be_hidden()
        await staff.sound()
        body["left_out"] = []
        await expect(note).to_be_hidden()
        await expect(staff.page.locator("#open-none")).to_be_visible()


async def test_a_wrong_key_is_reported_and_signing_out_leaves_nothing(browser: Browser, stack: Stack) -> None:
    async with Operator(f"http://127.0.0.1:{stack.ports.facade}") as operator:
        turn = await operator.say(ASKED)
    async with inbox(browser, stack) as staff:
        await staff.page.locator("#name").fill("Anna")
        await staff.page.locator("#key").fill("wrong")
        await staff.page.locator("#key").press("Enter")
        await expect(staff.page.locator("#enter [role=alert]")).to_contain_text("missing or wrong")
        await staff.sound()
        await sign_in(staff)
        await expect(staff.page.locator(f'[data-reference="{turn["reference"]}"]')).to_be_visible()
        await staff.do("sign-out").click()
        await expect(staff.page.locator("#key")).to_be_visible()
        assert turn["reference"] not in await staff.page.content()
        staff.wrong[:] = [one for one in staff.wrong if "401" not in one]


async def test_that_no_one_answered_in_time_is_reported_on_the_operators_page(
    visit: Visit, model_url: str, tmp_path: Path
) -> None:
    async with a_stack(tmp_path, model_base_url=model_url, escalation_ttl=2) as hasty:
        operator = await visit(hasty)
        await operator.say(ASKED)
        shown = operator.page.locator('[data-tone="lapsed"]')
        await expect(shown).to_contain_text("No answer came in time")
        await expect(shown).to_contain_text(ASKED)
        await expect(shown.locator(".reply-mark")).to_have_text("Not answered")
        handed = operator.page.locator('[data-tone="handed"] .reply-mark')
        reference = (await handed.text_content() or "").rpartition(" ")[2]
        await expect(shown).to_contain_text(f"reference {reference}")
        await operator.sound()
        await operator.reads_the_same_after_a_reload()


async def test_in_italian(browser: Browser, model_url: str, tmp_path: Path) -> None:
    async with a_stack(tmp_path, venue={"locale: en-AU": "locale: it-IT"}, model_base_url=model_url) as italian:
        async with Operator(f"http://127.0.0.1:{italian.ports.facade}") as operator:
            turn = await operator.say(ASKED)
        async with inbox(browser, italian, key=None) as staff:
            await staff.page.locator("#name").fill("Anna")
            await staff.do("sign-in").click()
            mine = staff.page.locator(f'[data-reference="{turn["reference"]}"]')
            await expect(mine).to_contain_text("L'assistente non era abbastanza sicuro")
            await expect(mine.locator("[data-do=answer]")).to_have_text("Invia la risposta")
            await expect(staff.page.locator("html")).to_have_attribute("lang", "it-IT")
            await staff.sound()
