"""The colours of documents on the signing page. Specification 2.6."""

import json
from typing import Any

import pytest

from domain.session.session import Session
from tests.builders import identifier
from tests.web.desk import AGREEMENT, Desk

BAND = {"headerStyle": "band", "primaryColor": "#1b2a49", "accentColor": "c8963e", "bandTextColor": "#F4EFE6"}


async def send(desk: Desk, *themes: dict[str, Any] | None) -> Session:
    """A session with a document in each of these themes."""
    session = await desk.send(*(AGREEMENT for _ in themes))
    files = []
    for number, (file, theme) in enumerate(zip(session.files, themes, strict=True)):
        written = {**json.loads(await desk.objects.get(file.source)), "theme": theme}
        name = f"{identifier(f'{theme}')}/{number}.json"
        source = await desk.objects.put(name, json.dumps(written).encode(), "application/json")
        files.append(file.model_copy(update={"source": source}))
    session = session.model_copy(update={"files": tuple(files)})
    await desk.change(session)
    return session


async def style_of(desk: Desk, *themes: dict[str, Any] | None) -> str:
    """The style sheet that the page links; empty without one."""
    visitor = await desk.come_in(await send(desk, *themes))
    links = [str(link["href"]) for link in (await visitor.look()).all("link") if "/themes/" in str(link["href"])]
    if not links:
        return ""
    (address,) = links
    answer = await desk.browser().get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert answer.headers["cache-control"] == "public, max-age=86400"
    return answer.text


async def test_each_document_has_the_colours_of_its_own_theme_if_it_has_one(desk: Desk) -> None:
    line = await style_of(desk, {"primaryColor": "#7a1f3d"})
    assert ".sheet-title { color: #7a1f3d; }" in line
    assert ".sheet-head { border-color: #7a1f3d; }" in line
    assert "background" not in line
    style = await style_of(Desk(), None, {"primaryColor": "#7a1f3d"}, BAND)
    assert "#document-1" not in style
    assert "#document-2 .sheet-title { color: #7a1f3d; }" in style
    assert "#document-3 .sheet-head { background: #1b2a49;" in style
    assert await style_of(Desk(), None, None) == ""


async def test_a_filled_band_keeps_its_colours_in_the_dark_and_nothing_else_does(desk: Desk) -> None:
    style = await style_of(desk, {**BAND, "textColor": "#333333"})

    always = [rule for rule in style.splitlines() if not rule.startswith("@media (prefers-color-scheme: light)")]
    assert always == [
        "#document-1 .sheet-head { background: #1b2a49; border-bottom: 3px solid #c8963e; }",
        "#document-1 .sheet-head > * { color: #f4efe6; background: none; }",
    ]
    assert "#document-1 { color: #333333; }" in style
    assert "#document-1 > h3 { color: #c8963e; }" in style


async def test_only_sheets_with_a_band_have_its_shape_and_a_style_needs_no_look_up(desk: Desk) -> None:
    page = await (await desk.come_in(await send(desk, None, BAND))).look()
    assert [article["class"] for article in page.all("article")] == ["sheet", "sheet banded"]
    [address] = [str(link["href"]) for link in page.all("link") if "/themes/" in str(link["href"])]
    desk.serve(sessions=None, rows=None, objects=None)
    assert (await desk.browser().get(address)).status_code == 200


@pytest.mark.parametrize(
    "words",
    [
        "1-band-1b2a49-c8963e-1f2328",
        "1-band-1b2a49-c8963e-1f2328-f4efe6-000000",
        "1-band-1B2A49-c8963e-1f2328-f4efe6",
        "0-line-1b2a49-c8963e-1f2328-f4efe6",
        "1-line-1b2a49-c8963e-1f2328-red;}*{",
        "x_1-line-1b2a49-c8963e-1f2328-f4efe6",
        "_".join(["1-line-1b2a49-c8963e-1f2328-f4efe6"] * 11),
        "",
    ],
)
async def test_nothing_but_numbers_and_colours_gets_into_a_style(desk: Desk, words: str) -> None:
    assert (await desk.browser().get(f"/themes/{words}.css")).status_code == 404
