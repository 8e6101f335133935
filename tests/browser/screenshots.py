"""`make screenshots`: every page in every state, at a desk and on a phone, in the light and in the dark.

Files come to build/screenshots. Names of scenes as arguments make those only.
"""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.browser.chromium import start_chromium
from tests.browser.house import House, open_house
from tests.browser.scenes import SCENES
from tests.browser.visitor import DESKTOP, PHONE, Visitor, at_desk

_ALL_PICTURES = """async () => {
  const shown = [...document.images].filter((image) => image.checkVisibility());
  for (const image of shown) image.loading = "eager";
  await Promise.all(shown.map((image) => image.decode().catch(() => {})));
}"""
OUTPUT = Path("build/screenshots")
_SCREENS = {"desktop": DESKTOP, "phone": PHONE}


def main(names: list[str]) -> None:
    OUTPUT.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as directory, open_house(Path(directory) / "kept") as house:
        asyncio.run(_shoot_all(house, names or list(SCENES)))


async def _shoot_all(house: House, names: list[str]) -> None:
    async with start_chromium() as browser:
        for name in names:
            async with at_desk(browser) as visitor:
                await SCENES[name](house, visitor)
                await visitor.page.wait_for_load_state("load")
                for device, screen in _SCREENS.items():
                    await visitor.page.set_viewport_size(screen)
                    await visitor.page.evaluate(_ALL_PICTURES)
                    await visitor.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
                    await _shoot(visitor, f"{name}-{device}")


async def _shoot(visitor: Visitor, name: str) -> None:
    for scheme in ("light", "dark"):
        await visitor.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        path = OUTPUT / f"{name}-{scheme}.png"
        await visitor.page.screenshot(path=path, full_page=True)
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
