"""Takes the README's pictures: `python docs/pictures.py`. Needs a Chromium on the path."""

import asyncio
import tempfile
from datetime import datetime
from pathlib import Path
from shutil import which
from zoneinfo import ZoneInfo

import httpx
from playwright.async_api import async_playwright

from cli.commands.demo import Tour
from cli.stack.dev import DEMO_TOKEN, Ports, Stack
from infra.config.settings import Settings

HERE = Path(__file__).parent


async def main() -> None:
    """Take the tour, then photograph the plan that was rolled back."""
    with tempfile.TemporaryDirectory() as data:
        settings = Settings(_env_file=None, data=Path(data))
        async with Stack(settings, Ports(8740), controls=True) as stack:
            assert stack.services is not None
            headers = {"Authorization": f"Bearer {DEMO_TOKEN}"}
            async with (
                httpx.AsyncClient(base_url="http://127.0.0.1:8740", headers=headers, timeout=40) as api,
                httpx.AsyncClient(base_url="http://127.0.0.1:8741", headers=headers, timeout=40) as roller,
            ):
                await Tour(api, roller, datetime.now(ZoneInfo("Australia/Melbourne")).date()).run()
            query = 'WorkflowType = "Plan" AND IqStatus = "rolled_back"'
            runs = [run async for run in stack.services.plans.client.list_workflows(query)]
            plan = max(runs, key=lambda run: run.history_length)
            page = f"http://127.0.0.1:8746/namespaces/default/workflows/{plan.id}/{plan.run_id}"
            await photograph(f"{page}/timeline", "temporal-ui.png")
            await photograph(f"{page}/user-metadata", "temporal-ui-details.png", height=900)


async def photograph(url: str, name: str, height: int = 1120) -> None:
    """A picture of a page."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=which("chromium"), args=["--no-sandbox", "--disable-background-networking"]
        )
        page = await browser.new_page(viewport={"width": 1500, "height": height})
        await page.goto(url)
        await page.wait_for_timeout(4000)
        await page.screenshot(path=HERE / name)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
