"""Takes the pictures of the page, and the moving one of a run: `python -m docs.page_pictures [NAME …]`.

Each shows the real page before the running stack: the bookings are the ROLLER sandbox's, the plans are carried out. A
phone is 360 × 740, a desk 1280 × 800. Needs a Chromium on the path; with the font Inter installed, pictures have it.
"""

import asyncio
import io
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.async_api import Browser, Locator, Page

import offline_planner
from cli.stack.dev import Ports, Stack
from infra.config.settings import Settings
from infra.http.http_server import http_server
from tests.support.browsers import a_browser
from tests.support.roller import Roller
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.stacks import copied_pack, free_base
from tests.support.visitor import DESK, PHONE, Visitor

HERE = Path(__file__).parent / "images"
_COLOURS = 128
_FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
{}</fontconfig>"""
_INTER = """<match target="pattern"><test name="family"><string>{}</string></test>
<edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit></match>
"""

Scene = Callable[["Studio"], Awaitable[None]]
SCENES: dict[str, Scene] = {}


def scene(*names: str) -> Callable[[Scene], Scene]:
    """Names the pictures that a scene makes."""

    def named(made: Scene) -> Scene:
        SCENES.update(dict.fromkeys(names, made))
        return made

    return named


@dataclass
class Studio:
    """The stacks, the browser, and what one does there."""

    browser: Browser
    stack: Stack
    hasty: Stack
    rome: Stack
    scripted: ScriptedModel
    roller: Roller
    taken: set[str] = field(default_factory=set)

    @asynccontextmanager
    async def visitor(self, stack: Stack | None = None, *, desk: bool = False, **how: Any) -> AsyncIterator[Visitor]:
        """The demo operator at a phone, or at a desk; the page is at its first visit."""
        at = stack or self.stack
        view = {"viewport": DESK if desk else PHONE, "device_scale_factor": 1 if desk else 2, "locale": "en-AU"}
        context = await self.browser.new_context(**{**view, "reduced_motion": "reduce", **how})
        visitor = Visitor(await context.new_page(), f"http://127.0.0.1:{at.ports.facade}", "demo", "demo-operator")
        await visitor.open()
        yield visitor
        await context.close()

    async def take(self, visitor: Visitor, name: str) -> None:
        """The picture of a name, as small as it can be."""
        await _rest(visitor.page)
        picture = Image.open(io.BytesIO(await visitor.page.screenshot()))
        HERE.mkdir(exist_ok=True)
        _few_colours(picture).save(HERE / f"{name}.png", optimize=True)
        self.taken.add(name)
        print(f"{name}.png  {(HERE / f'{name}.png').stat().st_size // 1024} kB", flush=True)

    async def booking(self, guest: str, **of: Any) -> dict[str, Any]:
        """A booking of a guest whose name is on the picture."""
        return await self.roller.book(guest, **of)

    def two_steps(self, guest: str) -> str:
        """A plan of two steps; what to say for it."""
        steps = [("change_guest_count", {"guest_count": 14}), ("edit_note", {"note": "Cake at noon"})]
        self.scripted.script(guest, look_up(guest), then(*steps), obey)
        return f"make {guest} 14 guests and add a note: Cake at noon"


async def _rest(page: Page) -> None:
    await page.evaluate("document.fonts.ready.then(() => null)")
    await page.wait_for_timeout(350)


def _few_colours(picture: Image.Image) -> Image.Image:
    return picture.convert("RGB").quantize(_COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def saturday() -> str:
    """The next Saturday but one, in words."""
    today = date.today()
    return (today + timedelta(days=(5 - today.weekday()) % 7 + 7)).strftime("%-d %B")


async def visible(what: Locator) -> None:
    """Wait until it is to be seen."""
    await what.first.wait_for(state="visible", timeout=20_000)


@scene("first-visit")
async def _first(studio: Studio) -> None:
    async with studio.visitor() as one:
        await studio.take(one, "first-visit")


@scene("plan", "editing", "details", "done", "undo", "day-phone")
async def _plan(studio: Studio) -> None:
    async with studio.visitor() as one:
        await one.asks("move John Smith's party to Saturday at 3pm")
        await studio.take(one, "plan")
        await one.do("edit").click()
        await studio.take(one, "editing")
        await one.page.keyboard.press("Escape")
        await one.do("details").click()
        await studio.take(one, "details")
        await one.page.keyboard.press("Escape")
        await one.do("confirm").click()
        await one.stands("completed")
        await one.page.wait_for_timeout(1800)
        await studio.take(one, "done")
        await one.do("day").click()
        await visible(one.page.locator("#day-sheet .booking.changed"))
        await studio.take(one, "day-phone")
        await one.page.keyboard.press("Escape")
        await one.do("undo").click()
        await one.stands("rolled_back")
        await one.page.wait_for_timeout(1800)
        await one.card.evaluate("(card) => card.scrollIntoView()")
        await studio.take(one, "undo")


@scene("plan-desk", "dark-desk")
async def _desk(studio: Studio) -> None:
    for name, scheme in (("plan-desk", "light"), ("dark-desk", "dark")):
        async with studio.visitor(desk=True, color_scheme=scheme) as one:
            await one.asks("move the Winterbourne party to Saturday at 3pm")
            if name == "dark-desk":
                await one.do("confirm").click()
                await one.stands("completed")
                await visible(one.page.locator("#beside .booking.changed"))
                await one.page.wait_for_timeout(1800)
            await studio.take(one, name)


@scene("running", "stopping", "cancelled")
async def _running(studio: Studio) -> None:
    await studio.booking("Maya Lindqvist")
    said = studio.two_steps("Maya Lindqvist")
    async with studio.visitor() as one:
        await one.asks(said)
        await studio.roller.fault("update-a-booking", "delay", seconds=3.5, skip=1)
        await one.do("confirm").click()
        await visible(one.card.locator("[data-step='2'][data-status=running]"))
        await studio.take(one, "running")
        await one.do("stop").click()
        await visible(one.page.locator("#dock", has_text="Stopping"))
        await studio.take(one, "stopping")
        await one.stands("rolled_back")
        await one.page.wait_for_timeout(1800)
        await one.card.evaluate("(card) => card.scrollIntoView()")
        await studio.take(one, "cancelled")


@scene("ambiguity")
async def _ambiguity(studio: Studio) -> None:
    async with studio.visitor() as one:
        await one.say("change Emma's booking to 6 guests")
        await visible(one.page.locator("[data-tone=question]"))
        await studio.take(one, "ambiguity")


@scene("question")
async def _question(studio: Studio) -> None:
    booking = await studio.booking("Tom Okafor")
    async with studio.visitor() as one:
        await (await one.asks(f"cancel booking {booking['bookingReference']} and record the refund")).click()
        await visible(one.card.locator(".prompt"))
        await studio.take(one, "question")


@scene("failed")
async def _failed(studio: Studio) -> None:
    booking = await studio.booking("Priya Raman")
    day = (date.fromisoformat(booking["items"][0]["bookingDate"]) + timedelta(days=1)).isoformat()
    words = date.fromisoformat(day).strftime("%-d %B %Y")
    async with studio.visitor() as one:
        await one.asks(f"move booking {booking['bookingReference']} to {words} at 3pm")
        await studio.roller.fill(day, "15:00")
        await one.do("confirm").click()
        await one.stands("failed")
        await one.page.wait_for_timeout(1800)
        await studio.take(one, "failed")


@scene("rolled-back")
async def _rolled_back(studio: Studio) -> None:
    booking = await studio.booking("Hugo Bellamy")
    day = (date.fromisoformat(booking["items"][0]["bookingDate"]) + timedelta(days=1)).isoformat()
    words = date.fromisoformat(day).strftime("%-d %B %Y")
    reference = booking["bookingReference"]
    async with studio.visitor() as one:
        await one.asks(f"change the phone on booking {reference} to 0412 345 678 and move it to {words} at 3pm")
        await studio.roller.fill(day, "15:00")
        await one.do("confirm").click()
        await one.stands("rolled_back")
        await one.page.wait_for_timeout(1800)
        await one.card.locator(".report summary").click()
        await one.card.evaluate("(card) => card.scrollIntoView()")
        await studio.take(one, "rolled-back")


@scene("expired")
async def _expired(studio: Studio) -> None:
    async with studio.visitor(studio.hasty) as one:
        await one.asks("move John Smith's party to Saturday at 3pm")
        await one.stands("expired")
        await one.page.wait_for_timeout(1800)
        await studio.take(one, "expired")


@scene("signed-out", "offline")
async def _away(studio: Studio) -> None:
    async with studio.visitor() as one:
        await one.asks("move Emma Clarke's booking to Saturday at 4pm")
        await one.box.fill("and tell me who else comes on")
        await one.context.set_offline(True)
        await visible(one.page.locator("#banner"))
        await studio.take(one, "offline")
        await one.context.set_offline(False)
        await one.page.wait_for_timeout(1500)
        await one.context.request.delete(f"{one.at}/page/session", headers={"Origin": one.at})
        await one.do("confirm").click()
        await visible(one.page.locator("#gate"))
        await studio.take(one, "signed-out")


@scene("italian")
async def _italian(studio: Studio) -> None:
    async with studio.visitor(studio.rome, locale="it-IT") as one:
        await one.asks("sposta la festa di John Smith a sabato alle 15")
        await studio.take(one, "italian")


@scene("dark")
async def _dark(studio: Studio) -> None:
    async with studio.visitor(color_scheme="dark") as one:
        await one.asks("cancel booking 8231")
        await studio.take(one, "dark")


@scene("run")
async def _moving(studio: Studio) -> None:
    """A run as it is seen, with the time that each step is shown."""
    await studio.booking("Maya Lindqvist", guests=10)
    said = studio.two_steps("Maya Lindqvist")
    frames: list[tuple[Image.Image, int]] = []
    view = {"viewport": {"width": 360, "height": 640}, "device_scale_factor": 1}
    async with studio.visitor(reduced_motion="no-preference", **view) as one:

        async def shoot() -> None:
            started = asyncio.get_running_loop().time()
            picture = Image.open(io.BytesIO(await one.page.screenshot(animations="allow"))).convert("RGB")
            await asyncio.sleep(max(0.0, started + 0.1 - asyncio.get_running_loop().time()))
            took = int((asyncio.get_running_loop().time() - started) * 1000)
            if frames and frames[-1][0].tobytes() == picture.tobytes():
                frames[-1] = (frames[-1][0], frames[-1][1] + took)
            else:
                frames.append((picture, took))

        def hold(milliseconds: int) -> None:
            frames[-1] = (frames[-1][0], max(frames[-1][1], milliseconds))

        await one.box.click()
        for end in range(0, len(said) + 1, 4):
            await one.box.fill(said[: end or 1])
            await shoot()
        await one.box.fill(said)
        await shoot()
        hold(300)
        await one.box.press("Enter")
        while not await one.do("confirm").count():
            await shoot()
        await shoot()
        await shoot()
        hold(1500)
        await one.do("confirm").click()
        until = asyncio.get_running_loop().time() + 12
        while not await one.do("undo").is_visible() and asyncio.get_running_loop().time() < until:
            await shoot()
        for _ in range(22):
            await shoot()
        hold(1800)
    pictures = [_few_colours(picture) for picture, _ in frames]
    # The typing is hurried; the run has its own time.
    times = [min(took, 60) if n < len(said) // 4 else min(took, 2000) for n, (_, took) in enumerate(frames)]
    out = HERE / "run.gif"
    pictures[0].save(out, save_all=True, append_images=pictures[1:], duration=times, loop=0, optimize=False, disposal=1)
    print(f"run.gif  {out.stat().st_size // 1024} kB, {sum(times) / 1000:.1f} s, {len(pictures)} frames")


def _set_fonts(folder: Path) -> None:
    path = folder / "fonts.conf"
    path.write_text(_FONTS.format("".join(_INTER.format(name) for name in ("system-ui", "sans-serif", "sans"))))
    os.environ["FONTCONFIG_FILE"] = str(path)


async def main(names: list[str]) -> None:
    """Start what is needed, and take the pictures that are asked for; all of them without a name."""
    wanted = list(dict.fromkeys(SCENES[name] for name in names or SCENES))
    scripted = ScriptedModel(offline_planner.create_app())
    port = free_base(1)
    server = http_server(scripted.app, "127.0.0.1", port)
    serving = asyncio.create_task(server.serve())
    await server.until_started()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        _set_fonts(data)
        italy = {"locale: en-AU": "locale: it-IT", "Australia/Melbourne": "Europe/Rome", "country: AU": "country: IT"}

        def stack(name: str, **more: Any) -> Stack:
            model = f"http://127.0.0.1:{port}/v1"
            settings = Settings(_env_file=None, data=data / name, model_base_url=model, **more)
            return Stack(settings, Ports(free_base()), controls=True)

        rome = (copied_pack(data / "pack", italy),)
        async with (
            stack("one") as one,
            stack("hasty", confirm_timeout=5.0) as hasty,
            stack("rome", packs=rome) as third,
            Roller(f"http://127.0.0.1:{one.ports.roller}") as roller,
            a_browser() as browser,
        ):
            studio = Studio(browser, one, hasty, third, scripted, roller)
            for made in wanted:
                try:
                    await made(studio)
                except Exception as error:
                    print(f"NOT TAKEN: {[n for n, s in SCENES.items() if s is made]}: {error}", file=sys.stderr)
    server.should_exit = True
    await serving


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
