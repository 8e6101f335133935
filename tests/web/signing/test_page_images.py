"""Images of exact pages, drawn in child processes and cached unless they show values, and images within documents."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from application.uploads.session_copies import ShownImage, copy_images
from domain.ports.uploads import UploadedImage
from domain.session.session import Session
from domain.shared.ids import FileId
from domain.shared.object_names import make_reference
from tests.builders import NOON, ORGANISATION, identifier
from tests.fakes.processes import InlinePool
from tests.layout.pictures import encoded, shades
from tests.web.desk import AGREEMENT, Block, Desk, Visitor, field, filled_in


class CountingPool(InlinePool):
    """Runs here, and remembers what was run."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    async def run(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.ran.append(work.__name__)
        return await super().run(work, *args, **kwargs)


@pytest.fixture
async def session(desk: Desk) -> Session:
    return await desk.send_rendered()


def address(visitor: Visitor, session: Session, file: int = 0, page: int | str = 1) -> str:
    return f"{visitor.path}/page/{session.files[file].file_id}/{page}"


async def test_a_page_of_ours_is_outlines_that_browsers_keep(desk: Desk, session: Session, ada: Visitor) -> None:
    answer = await ada.browser.get(address(ada, session))

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"].startswith("private, max-age=")
    assert answer.text.startswith("<svg ")
    assert "<text" not in answer.text


async def test_an_uploaded_page_is_pixels_drawn_in_quarantine_alone(desk: Desk, session: Session) -> None:
    quarantine, pool = CountingPool(), CountingPool()
    desk.serve(quarantine=quarantine, pool=pool)
    ada = await desk.come_in(session)

    answer = await ada.browser.get(address(ada, session, file=1, page=2))

    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    assert (quarantine.ran, pool.ran) == (["uploaded_page_png"], [])


async def test_a_page_is_drawn_once_for_all_recipients(desk: Desk, session: Session, ada: Visitor) -> None:
    first = await ada.browser.get(address(ada, session))
    pool = CountingPool()
    desk.serve(pool=pool)

    assert (await (await desk.come_in(session)).browser.get(address(ada, session))).content == first.content
    assert pool.ran == []


async def test_a_later_signer_sees_pages_with_values_which_are_not_cached(
    desk: Desk, session: Session, ada: Visitor
) -> None:
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
async def test_a_page_that_is_not_there_is_not_found(
    desk: Desk, page: int | str, session: Session, ada: Visitor
) -> None:
    assert (await ada.browser.get(address(ada, session, page=page))).status_code == 404


async def test_only_recipients_of_the_session_see_a_page(desk: Desk) -> None:
    session, other = await desk.send_rendered(), await desk.send(name="Another")
    ada, stranger = await desk.come_in(session), await desk.come_in(other)

    answers = [
        await desk.browser().get(address(ada, session)),
        await stranger.browser.get(address(stranger, session, file=1)),
    ]

    assert [answer.status_code for answer in answers] == [403, 404]


async def test_every_input_says_where_it_stands_on_the_pages(desk: Desk, session: Session) -> None:
    page = await (await desk.come_in(session)).look()

    places = [str(div["data-place"]) for _, div in page.tags if div.get("data-place")]
    assert len(places) == 3  # address, tick, signature
    assert {place.split()[0] for place in places} == {"1"}
    assert all(0 < float(part) < 1000 for place in places for part in place.split()[1:])
    assert field(session, "address") in page.names()


# Images within documents


CONTENT = encoded(shades(800, 200))
PLAN = FileId(identifier("plan"))


async def send_with_images(desk: Desk, *blocks: Block, logo: Block | None = None) -> Session:
    image = UploadedImage(
        ORGANISATION, PLAN, "Floor plan.png", "image/png", 800, 200, make_reference("images/plan", CONTENT), NOON
    )
    session = await desk.send([*blocks, *AGREEMENT])
    (file,) = session.files
    kept = await copy_images(desk.objects, "session/", file.file_id, {PLAN: ShownImage(image, CONTENT)})
    written = {**json.loads(await desk.objects.get(file.source)), "logo": logo}
    source = await desk.objects.put("session/source.json", json.dumps(written).encode(), "application/json")
    session = session.model_copy(update={"files": (file.model_copy(update={"images": kept, "source": source}),)})
    await desk.change(session)
    return session


def block(**members: object) -> Block:
    return {"type": "image", "fileId": PLAN, **members}


async def test_pictures_and_the_logo_are_as_large_as_on_paper(desk: Desk) -> None:
    logo = {"fileId": PLAN, "width": 90}
    page = await (
        await desk.come_in(await send_with_images(desk, block(), block(width=150, align="center"), logo=logo))
    ).look()

    top, first, second = page.pictures()
    assert first["alt"] == second["alt"] == "Picture: Floor plan"
    assert (first["width"], first["height"]) == ("644", "161")  # 483 points
    assert (second["width"], second["height"]) == ("200", "50")
    assert {"class": "picture align-center"} in page.all("p")
    assert (top["class"], top["alt"]) == ("sheet-logo", "Logo")
    assert (top["width"], top["height"]) == ("120", "30")  # 90 points


async def test_a_recipient_gets_the_pictures_of_the_document_and_no_other_visitor_does(desk: Desk) -> None:
    session = await send_with_images(desk, block())
    visitor = await desk.come_in(session)
    address = str((await visitor.look()).pictures()[0]["src"])

    answer = await visitor.browser.get(address)
    assert (answer.status_code, answer.content) == (200, CONTENT)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert (await desk.browser().get(address)).status_code != 200
    for part, other in ((PLAN, identifier("other")), (session.files[0].file_id, identifier("x"))):
        assert (await visitor.browser.get(address.replace(part, other))).status_code == 404
