"""The three usage examples of the multi-step messaging spec on the page, over the calendar pack. Guarantees:

- availability is step 1 while the plan is drafted; one tap schedules; the sentence arrives as a separate message;
- a conflict ends the run there, with the spec's text, and nothing to confirm;
- the day beside the chat uses the venue's own noun for its entries;
- the same in Italian; a meeting is undone by a tap; a dropped request leaves the calendar as it was.
"""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from cli.stack.dev import Stack
from infra.config.settings import ROOT
from tests.e2e.browser.conftest import Visit
from tests.support.calendar import CONFLICT, Calendar, instant, next_, taken_tomorrow
from tests.support.stacks import a_stack, copied_pack
from tests.support.visitor import Visitor

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


@pytest.fixture(scope="module")
async def team(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    pack = ROOT / "overlays" / "calendar"
    async with a_stack(tmp_path_factory.mktemp("team-page"), packs=(pack,), model_base_url=model_url) as running:
        yield running


@pytest.fixture(scope="module")
async def squadra(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    folder: Path = tmp_path_factory.mktemp("squadra-page")
    pack = copied_pack(folder, {"locale: en-US": "locale: it-IT"}, "calendar")
    async with a_stack(folder, packs=(pack,), model_base_url=model_url) as running:
        yield running


async def filled(stack: Stack) -> None:
    """Fill the calendar with its first entries."""
    async with Calendar(f"http://127.0.0.1:{stack.ports.calendar}") as calendar:
        await calendar.reset()


async def schedules(visitor: Visitor, words: str, titles: tuple[str, str], button: str) -> None:
    """Ask, check the look-up and the proposal, tap once."""
    confirm = await visitor.asks(words)
    steps = visitor.card.locator(".step")
    await expect(steps).to_have_count(2)
    for place, (title, status) in enumerate(zip(titles, ("completed", "pending"), strict=True)):
        await expect(steps.nth(place)).to_contain_text(title)
        await expect(steps.nth(place)).to_have_attribute("data-status", status)
    await expect(confirm).to_contain_text(button)
    await visitor.sound()
    await confirm.click()
    await visitor.stands("completed")
    await expect(steps.nth(1)).to_have_attribute("data-status", "completed")


TITLES = ("Check Availability", "Schedule Meeting")


async def test_example_1(visit: Visit, team: Stack) -> None:
    await filled(team)
    visitor = await visit(team)
    await schedules(visitor, "i want a meeting with Aviad on Wednesday at 14:00", TITLES, "Wednesday at 2 PM")
    assert (await visitor.texts("reply"))[-1] == (
        "Perfect! I've scheduled your meeting with Aviad for Wednesday at 2 PM."
    )
    await visitor.sound()
    async with Calendar(f"http://127.0.0.1:{team.ports.calendar}") as calendar:
        starts = [e["startsAt"] for e in await calendar.of(next_("wednesday"))]
    assert starts == [instant(next_("wednesday"), "14:00")]


async def test_example_2(visit: Visit, team: Stack) -> None:
    await filled(team)
    async with Calendar(f"http://127.0.0.1:{team.ports.calendar}") as calendar:
        await taken_tomorrow(calendar)
        before = await calendar.journal()
        visitor = await visit(team)
        await visitor.say("i want a meeting with Aviad tomorrow at 2pm")
        run = visitor.page.locator("article[data-run]")
        await expect(run).to_have_attribute("data-over", "")
        await expect(run.locator(".step")).to_have_count(1)
        await expect(run.locator(".step-title")).to_be_visible()
        await expect(run.locator(".step-title")).to_have_text("Check Availability")
        await expect(run.locator(".step")).to_contain_text("Conflicts found")
        await expect(run.locator(".step")).to_have_attribute("data-status", "failed")
        await expect(visitor.page.locator("[data-row=reply] .bubble-text").last).to_have_text(CONFLICT)
        await expect(visitor.do("confirm")).to_have_count(0)
        await visitor.sound()
        # "… a different time for that day?"
        await schedules(visitor, "4pm", TITLES, "at 4 PM")
        assert (await visitor.texts("reply"))[-1].startswith("Great! I've scheduled your meeting with Aviad for ")
        assert len(await calendar.journal()) == len(before) + 1


SEEN = """
() => {
  const seen = (window.seen = {});
  new MutationObserver(() => {
    const status = document.querySelector("[data-run] .step")?.dataset.status;
    if (status) seen[status] ??= performance.now();
    if (document.querySelector("[data-row=reply]")) seen.reply ??= performance.now();
  }).observe(document.body, { subtree: true, attributes: true, childList: true });
}
"""


async def test_the_separate_message_comes_after_its_step(visit: Visit, team: Stack) -> None:
    """Step result, then separate message; the step is visible for its least time (Token Flow, Cinematic Timing)."""
    await filled(team)
    async with Calendar(f"http://127.0.0.1:{team.ports.calendar}") as calendar:
        await taken_tomorrow(calendar)
    for _ in range(3):
        visitor = await visit(team, reduced_motion="no-preference")
        await visitor.page.evaluate(SEEN)
        await visitor.say("i want a meeting with Aviad tomorrow at 2pm")
        await expect(visitor.page.locator("[data-row=reply] .bubble-text")).to_have_text(CONFLICT)
        seen = await visitor.page.evaluate("window.seen")
        assert seen["failed"] <= seen["reply"], seen
        # What a busy machine sends all at once after seconds was not watched.
        if "running" in seen:
            break
    assert seen["failed"] - seen["running"] >= 1300, seen


async def test_example_3_and_its_undo(visit: Visit, team: Stack) -> None:
    await filled(team)
    visitor = await visit(team)
    await schedules(visitor, "i want a meeting with Aviad on Tuesday at 3pm", TITLES, "Tuesday at 3 PM")
    assert (await visitor.texts("reply"))[-1] == "Great! I've scheduled your meeting with Aviad for Tuesday at 3 PM."
    await visitor.do("undo").last.click()
    await expect(visitor.card).to_have_attribute("data-status", "rolled_back")
    async with Calendar(f"http://127.0.0.1:{team.ports.calendar}") as calendar:
        [made] = [e for e in await calendar.of(next_("tuesday")) if e["startsAt"] == instant(next_("tuesday"), "15:00")]
    assert made["status"] == "cancelled"


async def test_a_day_of_meetings_is_called_so(visit: Visit, team: Stack, squadra: Stack) -> None:
    for stack, title, count in ((team, "Meetings", "meeting"), (squadra, "Riunioni", "riunion")):
        async with Calendar(f"http://127.0.0.1:{stack.ports.calendar}") as calendar:
            await calendar.reset()
            await taken_tomorrow(calendar)
        visitor = await visit(stack, desk=True)
        day = visitor.page.get_by_role("region", name=title)
        await visitor.do("day-after").click()
        await expect(day.locator(".day-count")).to_contain_text(count)
        await visitor.do("day-after").click()
        await expect(visitor.page.locator(".day")).not_to_contain_text(
            re.compile("booking|guest|prenotazion|ospit", re.I)
        )


async def test_in_italian(visit: Visit, squadra: Stack) -> None:
    await filled(squadra)
    visitor = await visit(squadra, locale="it-IT")
    titles = ("Controlla disponibilità", "Fissa riunione")
    await schedules(visitor, "vorrei una riunione con Aviad mercoledì alle 14", titles, "mercoledì alle 14:00")
    assert (await visitor.texts("reply"))[-1] == "Perfetto! La riunione con Aviad è fissata per mercoledì alle 14:00."
    await visitor.sound()
