"""Pictures on the signing page: where they are in the document, for whoever may see it."""

import json

from application.uploads.session_copies import ShownImage, copy_images
from domain.session.session import Session
from domain.shared.ids import FileId
from domain.shared.object_names import make_reference
from ports.uploads import UploadedImage
from tests.builders import NOON, ORGANISATION, identifier
from tests.layout.pictures import encoded, shades
from tests.web.desk import AGREEMENT, Block, Desk

CONTENT = encoded(shades(800, 200))
PLAN = FileId(identifier("plan"))


async def send(desk: Desk, *blocks: Block, logo: Block | None = None) -> Session:
    """A session with a document that shows the plan, 800 x 200 pixels."""
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


async def test_a_picture_stands_in_the_document_as_large_as_on_paper(desk: Desk) -> None:
    page = await (await desk.come_in(await send(desk, block(), block(width=150, align="center")))).look()

    first, second = page.pictures()
    assert first["alt"] == second["alt"] == "Picture: Floor plan"
    assert (first["width"], first["height"]) == ("644", "161")  # 483 points
    assert (second["width"], second["height"]) == ("200", "50")
    assert {"class": "picture align-center"} in page.all("p")


async def test_the_logo_stands_above_the_document_as_large_as_on_paper(desk: Desk) -> None:
    page = await (await desk.come_in(await send(desk, logo={"fileId": PLAN, "width": 90}))).look()

    (logo,) = page.pictures()
    assert (logo["class"], logo["alt"]) == ("sheet-logo", "Logo")
    assert (logo["width"], logo["height"]) == ("120", "30")  # 90 points


async def test_whoever_may_see_the_document_gets_the_picture_and_nobody_else(desk: Desk) -> None:
    session = await send(desk, block())
    visitor = await desk.come_in(session)
    address = str((await visitor.look()).pictures()[0]["src"])

    answer = await visitor.browser.get(address)
    assert (answer.status_code, answer.content) == (200, CONTENT)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert (await desk.browser().get(address)).status_code != 200


async def test_a_picture_that_the_document_does_not_show_is_not_there(desk: Desk) -> None:
    session = await send(desk, block())
    visitor = await desk.come_in(session)
    address = str((await visitor.look()).pictures()[0]["src"])

    for wrong in (
        address.replace(PLAN, identifier("other")),
        address.replace(session.files[0].file_id, identifier("x")),
    ):
        assert (await visitor.browser.get(wrong)).status_code == 404
