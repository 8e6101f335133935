"""Violations that axe-core finds on a page, by its default rules."""

from functools import cache
from pathlib import Path

import axe_playwright_python
from playwright.async_api import Page

CONTRAST = ("color-contrast", "link-in-text-block")
"""The rules about colours."""

_RUN = """async (rules) => {
  const only = rules.length ? { runOnly: { type: "rule", values: rules } } : {};
  return (await axe.run(document, { resultTypes: ["violations"], ...only })).violations;
}"""


async def violations(page: Page, rules: tuple[str, ...] = ()) -> list[str]:
    """Each violation with the elements in question; an empty list when there is none. `rules`: by those alone."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(_axe())  # by the debugger, which no policy of the page forbids
    return [
        f"{found['id']}: {found['help']}: " + "; ".join(f"{node['target']} {node['html']}" for node in found["nodes"])
        for found in await page.evaluate(_RUN, list(rules))
    ]


@cache
def _axe() -> str:
    return Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
