"""Images within documents on the signing page."""

import json

from application.uploads.images.session_images import ShownImage, copy_images
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
    page = await (await desk.come_in(await send(desk, block(), block(width=150, align="center"), logo=logo))).look()

    top, first, second = page.pictures()
    assert first["alt"] == second["alt"] == "Picture: Floor plan"
    assert (first["width"], first["height"]) == ("644", "161")  # 483 points
    assert (second["width"], second["height"]) == ("200", "50")
    assert {"class": "picture align-center"} in page.all("p")
    assert (top["class"], top["alt"]) == ("sheet-logo", "Logo")
    assert (top["width"], top["height"]) == ("120", "30")  # 90 points


async def test_a_recipient_gets_the_pictures_of_the_document_and_no_other_visitor_does(desk: Desk) -> None:
    session = await send(desk, block())
    visitor = await desk.come_in(session)
    address = str((await visitor.look()).pictures()[0]["src"])

    answer = await visitor.browser.get(address)
    assert (answer.status_code, answer.content) == (200, CONTENT)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert (await desk.browser().get(address)).status_code != 200
    for part, other in ((PLAN, identifier("other")), (session.files[0].file_id, identifier("x"))):
        assert (await visitor.browser.get(address.replace(part, other))).status_code == 404
