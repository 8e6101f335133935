"""Pictures of the exact pages: for whoever may see the documents, drawn in child processes, kept by browsers or not."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.session.session import FileType, Session, SessionFile
from domain.shared.ids import FileId
from layout.engine import render
from layout.schema.block_document import BlockDocument
from tests.application.uploads import pdfs
from tests.builders import identifier
from tests.fakes.processes import InlinePool
from tests.web.desk import Desk, Visitor, field, filled_in


class CountingPool(InlinePool):
    """Runs here, and remembers what was run."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    async def run(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.ran.append(work.__name__)
        return await super().run(work, *args, **kwargs)


async def send(desk: Desk) -> Session:
    """A session whose PDF and zones are those that the engine makes, with an uploaded PDF of two pages."""
    session = await desk.send(name="Papers")
    file = session.files[0]
    assert file.source is not None
    document = BlockDocument.model_validate_json(await desk.objects.get(file.source))
    rendered = render(document, ["ada", "grace"])
    assert rendered.pdf is not None
    zones = "[" + ",".join(zone.model_dump_json() for zone in rendered.zones) + "]"
    made = file.model_copy(
        update={
            "rendered": await desk.objects.put("session/sent.pdf", rendered.pdf, "application/pdf"),
            "zones": await desk.objects.put("session/found.json", zones.encode(), "application/json"),
            "page_count": rendered.page_count,
        }
    )
    terms = SessionFile(
        type=FileType.UPLOADED_PDF, file_id=FileId(identifier("terms")), file_name="Terms.pdf", title="Terms",
        page_count=2, rendered=await desk.objects.put("session/terms.pdf", pdfs.of_pages(2), "application/pdf"),
    )  # fmt: skip
    session = session.model_copy(update={"files": (made, terms)})
    await desk.change(session)
    return session


def address(visitor: Visitor, session: Session, file: int = 0, page: int | str = 1) -> str:
    return f"{visitor.path}/page/{session.files[file].file_id}/{page}"


async def test_a_page_of_ours_is_outlines_that_browsers_keep(desk: Desk) -> None:
    session = await send(desk)
    ada = await desk.come_in(session)

    answer = await ada.browser.get(address(ada, session))

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"].startswith("private, max-age=")
    assert answer.text.startswith("<svg ")
    assert "<text" not in answer.text


async def test_an_uploaded_page_is_pixels_drawn_in_quarantine_alone(desk: Desk) -> None:
    session = await send(desk)
    quarantine, pool = CountingPool(), CountingPool()
    desk.serve(quarantine=quarantine, pool=pool)
    ada = await desk.come_in(session)

    answer = await ada.browser.get(address(ada, session, file=1, page=2))

    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    assert (quarantine.ran, pool.ran) == (["uploaded_page_png"], [])


async def test_a_page_is_drawn_once_for_everybody(desk: Desk) -> None:
    session = await send(desk)
    ada = await desk.come_in(session)
    first = await ada.browser.get(address(ada, session))
    pool = CountingPool()
    desk.serve(pool=pool)

    again = await (await desk.come_in(session)).browser.get(address(ada, session))

    assert again.content == first.content
    assert pool.ran == []


async def test_who_signs_later_sees_the_pages_with_what_was_filled_in_and_no_cache_keeps_them(desk: Desk) -> None:
    session = await send(desk)
    ada = await desk.come_in(session)
    empty = await ada.browser.get(address(ada, session))
    assert (await ada.post(filled_in(session))).status_code == 303

    grace = await desk.come_in(session, "grace")
    page = await grace.look()
    shown = await grace.browser.get(address(grace, session))

    assert shown.headers["cache-control"] == "no-store"
    assert len(shown.text) > len(empty.text)
    (before,) = [i["src"] for i in page.all("img") if f"/page/{session.files[0].file_id}/" in str(i["src"])]
    assert str(before).rpartition("=")[2] != session.files[0].rendered.sha256[-16:]


@pytest.mark.parametrize("page", [0, 2, 99, "1x"])
async def test_a_page_that_is_not_there_is_not_found(desk: Desk, page: int | str) -> None:
    session = await send(desk)
    ada = await desk.come_in(session)

    assert (await ada.browser.get(address(ada, session, page=page))).status_code == 404


async def test_nobody_else_sees_a_page(desk: Desk) -> None:
    session, other = await send(desk), await desk.send(name="Another")
    ada, stranger = await desk.come_in(session), await desk.come_in(other)

    answers = [
        await desk.browser().get(address(ada, session)),
        await stranger.browser.get(address(stranger, session, file=1)),
    ]

    assert [answer.status_code for answer in answers] == [403, 404]


async def test_every_input_says_where_it_stands_on_the_pages(desk: Desk) -> None:
    session = await send(desk)

    page = await (await desk.come_in(session)).look()

    places = [str(div["data-place"]) for _, div in page.tags if div.get("data-place")]
    assert len(places) == 3  # address, tick, signature
    assert {place.split()[0] for place in places} == {"1"}
    assert all(0 < float(part) < 1000 for place in places for part in place.split()[1:])
    assert field(session, "address") in page.names()
