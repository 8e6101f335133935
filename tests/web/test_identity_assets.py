"""Logos and style sheets with accent colours."""

import pytest

from tests.activities.sample_mails import IDENTITY
from tests.builders import ORGANISATION
from tests.web.desk import Desk
from tests.web.html import Page

ACCENT = "/accents/c2410c/page.css"


async def test_the_style_sheet_has_only_colours_from_its_address(desk: Desk) -> None:
    answer = await desk.browser().get(ACCENT)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert ":root { --accent: #c2410c; --accent-deep: #" in answer.text
    assert "@media (prefers-color-scheme: dark) { :root { --accent: #" in answer.text
    for wrong in ("C2410C", "c2410", "red;}*{x:y", "c2410cc"):
        assert (await desk.browser().get(f"/accents/{wrong}/page.css")).status_code == 404


@pytest.mark.parametrize("place", [f"{ORGANISATION}/{'0' * 16}", "nonsense/0", f"{'0' * 36}/0"])
async def test_only_the_current_logo_is_served(desk: Desk, place: str) -> None:
    await desk.identities.store(ORGANISATION, IDENTITY)
    assert (await desk.browser().get(f"/logos/{place}.png")).status_code == 404


async def test_a_logo_is_cached_for_good(desk: Desk) -> None:
    await desk.identities.store(ORGANISATION, IDENTITY)
    page = Page((await desk.browser().get(desk.link(await desk.send()))).text)
    (address,) = [str(img["src"]) for img in page.all("img") if str(img["src"]).startswith("/logos/")]
    answer = await desk.browser().get(address)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert (answer.headers["content-type"], answer.headers["x-content-type-options"]) == ("image/png", "nosniff")
