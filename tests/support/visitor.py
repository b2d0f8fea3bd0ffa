"""A visitor of the page, in a real Chromium: sends messages, taps, types values, and reads what the page shows.

It records what no page may do: an uncaught error, an error on the console, and anything that the Content Security
Policy refused.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import uuid4

from playwright.async_api import Browser, BrowserContext, Locator, Page, expect

from cli.stack.dev import DEMO_TOKEN, Stack
from tests.support import http
from tests.support.accessibility import findings
from tests.support.browsers import PATIENCE
from tests.support.stacks import own_token
from tests.support.waiting import answered, soon

PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 800}

_REPORT = """
document.addEventListener("securitypolicyviolation",
  (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`), true)
"""

_FITS = """
() => [
  ...[document.scrollingElement, document.getElementById("log")]
    .filter((box) => box.scrollWidth > box.clientWidth)
    .map((box) => `${box.id || box.tagName} is ${box.scrollWidth} px wide in ${box.clientWidth}`),
  ...[...document.querySelectorAll("button, input, select, textarea, summary, a.button")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen"))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 0 && (width < 43.5 || height < 43.5))
    .map(([one, { width, height }]) => `target of ${width} × ${height}: ${one.outerHTML.slice(0, 120)}`),
]
"""


_CONVERSATION = """
() => [...document.querySelectorAll("[data-row]")].map((row) => [
  row.dataset.row,
  ...[...row.querySelectorAll(".bubble-text, .card-title, .card-status, .asked li, .report-rows li, .manual li")]
    .map((one) => one.textContent),
])
"""


@dataclass
class Visitor:
    """One browser window. `wrong` lists what went wrong in it."""

    page: Page
    at: str
    user: str
    token: str
    wrong: list[str] = field(default_factory=list)

    @property
    def context(self) -> BrowserContext:
        """Return its browser profile: cookies, storage, network."""
        return self.page.context

    @property
    def card(self) -> Locator:
        """Return the newest plan in the chat."""
        return self.page.locator("article[data-plan]").last

    @property
    def box(self) -> Locator:
        """Return the message box."""
        return self.page.locator("#message")

    def do(self, hook: str) -> Locator:
        """Return an element that can be pressed."""
        return self.page.locator(f'[data-do="{hook}"]')

    async def open(self) -> None:
        """Open the page and wait until it can be used."""
        await self.page.goto(self.at)
        await expect(self.page.locator(".try").first).to_be_visible()

    async def say(self, text: str) -> None:
        """Type and send."""
        await self.box.fill(text)
        await self.box.press("Enter")

    async def asks(self, text: str) -> Locator:
        """Send a message that must become a plan. Return its confirm button."""
        await self.say(text)
        answered = self.do("confirm").or_(self.do("again")).first
        await expect(answered).to_be_visible()
        if await self.do("again").count():
            # A busy machine may not accept a message in time, and then reports it.
            await self.do("again").click()
            await expect(self.do("confirm")).to_be_visible()
        return self.do("confirm")

    async def does(self, text: str, status: str = "completed") -> None:
        """Send a message that must become a plan, confirm it, and wait for its end."""
        await (await self.asks(text)).click()
        await self.stands(status)

    async def stands(self, status: str) -> None:
        """Wait until the newest plan has this status and nothing of it is in progress."""
        await expect(self.card).to_have_attribute("data-status", status)
        await expect(self.card).to_have_attribute("data-over", "")

    async def texts(self, kind: str) -> list[str]:
        """Return the texts of the rows of a kind (`message`, `told`), top down, without what is for screen readers
        alone."""
        found: list[str] = await self.page.locator(f"[data-row={kind}] .bubble-text").all_text_contents()
        return found

    async def conversation(self) -> list[list[str]]:
        """Return the whole conversation, top down: each row's kind and its texts. Of a plan its permanent texts: its
        purpose, its end, questions and answers, its result and what is left to do."""
        found: list[list[str]] = await self.page.evaluate(_CONVERSATION)
        return found

    async def reads_the_same_after_a_reload(self) -> None:
        """Check that a reload changes no text and no order."""
        before = await self.conversation()
        await self.page.reload()

        async def the_same() -> bool:
            return await self.conversation() == before

        await soon(the_same)

    async def session(self) -> str:
        """Return the chat's id."""
        found: str = await self.page.evaluate(
            "Object.entries(localStorage).find(([name]) => name.startsWith('iq.chat.'))[1]"
        )
        return found

    async def chat(self) -> dict[str, Any]:
        """Return the chat as the service has it."""
        headers = {"Authorization": f"Bearer {self.token}"}
        async with http.client(base_url=self.at, headers=headers) as api:
            answer = await api.get(f"/v1/sessions/{await self.session()}", params={"user_id": self.user})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def shows_all_of(self, stack: Stack) -> None:
        """Check that the page shows what the service returned: every text once, in order on either side, and every
        plan."""
        assert stack.services is not None
        held = await self.chat()
        message = [one["text"] for one in held["messages"] if one["kind"] == "message"]
        shown = [one["text"] for one in held["messages"] if one["kind"] in ("clarification", "answer", "escalation")]
        # Replies beside a plan; without such a reply the chat has its intent, which is on its card.
        intents = {plan["plan_id"]: plan["intent"] for plan in held["plans"]}
        beside = [one for one in held["messages"] if one["kind"] == "plan" and one["plan_id"] in intents]
        shown += [one["text"] for one in beside if one["text"] != intents[one["plan_id"]]]
        plans = stack.services.plans
        for plan in held["plans"]:
            events = (await answered(partial(plans.events, plan["plan_id"], 0))).events
            shown += [event.text for event in events if event.kind == "separate_message"]
        assert await self.texts("message") == message
        assert sorted(await self.texts("reply")) == sorted(shown)
        cards = await self.page.locator("article[data-plan]").evaluate_all("found => found.map((f) => f.dataset.plan)")
        assert sorted(cards) == sorted(plan["plan_id"] for plan in held["plans"])

    async def sound(self) -> None:
        """Check for accessibility findings, in light and in dark, for content wider than the window and for targets
        under 44 px."""
        found = [*await findings(self.page), *await self.page.evaluate(_FITS)]
        assert not found, "\n".join(found)


@asynccontextmanager
async def visiting(
    browser: Browser, stack: Stack, *, at: str | None = None, demo: bool = False, desk: bool = False, **how: Any
) -> AsyncIterator[Visitor]:
    """Open a new browser profile at the page of a stack, signed in: by a ticket as a new user, or as the demo operator
    by the page itself. Without motion, unless `reduced_motion` sets it."""
    base = at or f"http://127.0.0.1:{stack.ports.facade}"
    context = await browser.new_context(
        **{"viewport": DESK if desk else PHONE, "locale": "en-AU", "reduced_motion": "reduce", **how}
    )
    context.set_default_timeout(PATIENCE)
    try:
        await context.add_init_script(_REPORT)
        user, token = ("demo", DEMO_TOKEN) if demo else (f"user-{uuid4().hex[:8]}", await own_token(stack))
        if not demo:
            await signed_in(context, base, user, token)
        visitor = Visitor(await context.new_page(), base, user, token)
        watch(visitor.page, visitor.wrong)
        await visitor.open()
        yield visitor
        assert not visitor.wrong, visitor.wrong
    finally:
        await context.close()


async def signed_in(context: BrowserContext, base: str, user: str, token: str) -> None:
    """Sign a browser in as the host does: a ticket, posted as a form."""
    async with http.client(base_url=base, headers={"Authorization": f"Bearer {token}"}) as api:
        given = await api.post("/v1/tickets", json={"user_id": user})
    assert given.status_code == 201, given.text
    entered = await context.request.post(f"{base}/page/enter", form={"ticket": given.json()["ticket"]})
    assert entered.ok, await entered.text()


def watch(page: Page, wrong: list[str]) -> None:
    """Record what no page may do. A refused call does not count, because the page reports it to its user."""
    page.on("dialog", lambda dialog: wrong.append(f"{dialog.type}: {dialog.message}"))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "console",
        lambda shown: (
            wrong.append(shown.text)
            if shown.type == "error" and not shown.text.startswith("Failed to load resource")
            else None
        ),
    )
