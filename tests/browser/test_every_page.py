"""Every page in every state: axe-core finds nothing, nothing runs over the edge, and no browser complains."""

import pytest

from tests.browser.accessibility import violations
from tests.browser.house import House
from tests.browser.scenes import SCENES
from tests.browser.visitor import Visitor, overflow


@pytest.mark.parametrize("name", SCENES)
async def test_a_page_is_accessible_and_fits_the_screen(house: House, visitor: Visitor, name: str) -> None:
    await SCENES[name](house, visitor)

    for scheme in ("light", "dark"):
        await visitor.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        assert await violations(visitor.page) == [], scheme
    assert await overflow(visitor.page) == 0
