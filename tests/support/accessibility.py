"""The findings of axe-core in a page's current state: every rule it has, experimental and best practice included.

It runs through the debugger, which a page's Content Security Policy does not govern.
"""

from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.async_api import Page

_AXE = (Path(axe_playwright_python.__file__).parent if axe_playwright_python.__file__ else Path()) / "axe.min.js"

LEFT_OUT: dict[str, str] = {}
"""Rules that are not asked for, and why."""

_RUN = """
async (leftOut) => {
  const rules = Object.fromEntries(
    axe.getRules().map(({ ruleId }) => [ruleId, { enabled: !leftOut.includes(ruleId) }]));
  const found = await axe.run(document, { resultTypes: ["violations"], rules });
  return found.violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target, html, failureSummary }) =>
    `${id} (${impact}): ${target.join(" ")} ${html.slice(0, 160)} ${failureSummary}`));
}
"""
_COLOURS = """
async () => {
  while (!matchMedia("(prefers-color-scheme: dark)").matches) await new Promise(requestAnimationFrame);
  await new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)));
  // During a transition a colour belongs to neither scheme.
  for (const one of document.getAnimations()) {
    if (one instanceof CSSTransition || one.effect?.getComputedTiming().endTime !== Infinity) one.finish();
  }
  const found = await axe.run(document, { resultTypes: ["violations"], runOnly: ["color-contrast-enhanced"] });
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
    `dark, ${id}: ${target.join(" ")} ${failureSummary}`));
}
"""


async def findings(page: Page) -> list[str]:
    """Return each finding in words; the colours are checked in the other scheme, too."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(_AXE.read_text(encoding="utf-8"))
    found: list[str] = await page.evaluate(_RUN, list(LEFT_OUT))
    await page.emulate_media(color_scheme="dark")
    dark: list[Any] = await page.evaluate(_COLOURS)
    await page.emulate_media(color_scheme="null")
    return [*found, *dark]
