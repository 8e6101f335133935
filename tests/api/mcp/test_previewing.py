"""The preview of a document."""

from base64 import b64decode
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from tests.api.mcp.assistant import call, refused, text
from tests.api.service import Service, document


def look(made: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"kind": "session", "document": made, "recipients": [{"key": "ada"}], **members}


def pages(count: int) -> dict[str, Any]:
    """A document of so many pages."""
    block = {"type": "paragraph", "text": "Page"}
    return document(blocks=[part for _ in range(count) for part in (block, {"type": "pageBreak"})])


def pictures(result: Any) -> list[Image.Image]:
    found = [part for part in result.content if part.type == "image"]
    assert {part.mime_type for part in found} <= {"image/png"}
    return [Image.open(BytesIO(b64decode(part.data))) for part in found]


async def test_a_preview_is_the_one_of_the_api_with_a_small_picture_of_each_page(service: Service) -> None:
    asked = look(pages(3))

    shown = await call(service, "preview_document", asked)

    answer = await service.http().post("/api/v1/Document/Preview", json=asked)
    assert shown.structured_content == answer.json()
    assert [picture.width for picture in pictures(shown)] == [794] * 3
    assert max(len(part.data) for part in shown.content if part.type == "image") < 100_000
    assert "pages 1 to 3 of 3" in text(shown)
    assert service.objects.objects == {}


async def test_a_picture_shows_what_is_on_the_page(service: Service) -> None:
    (written,) = pictures(await call(service, "preview_document", look(document())))
    empty = document(blocks=[{"type": "spacer", "height": 10}])
    (blank,) = pictures(await call(service, "preview_document", look(empty)))

    def ink(picture: Image.Image) -> int:
        return sum(picture.convert("L").histogram()[:128])

    assert ink(written) > 2 * ink(blank) > 0


async def test_a_call_returns_ten_pictures_from_the_first_one_requested(service: Service) -> None:
    first = await call(service, "preview_document", look(pages(12)))
    rest = await call(service, "preview_document", look(pages(12), firstPicture=11))
    beyond = await call(service, "preview_document", look(pages(12), firstPicture=13))

    assert [len(pictures(result)) for result in (first, rest, beyond)] == [10, 2, 0]
    assert "firstPicture: 11" in text(first)
    assert "There is no page 13" in text(beyond)


async def test_a_template_needs_its_variables_and_issues_replace_the_pictures(service: Service) -> None:
    made = document(title="Lease of {{{tenant}}}")

    shown = await call(service, "preview_document", look(made, kind="template", variables=[{"name": "tenant"}]))
    undeclared = await call(service, "preview_document", look(made, kind="template"))

    assert shown.structured_content["issues"] == []
    (issue,) = undeclared.structured_content["issues"]
    assert (issue["kind"], issue["path"]) == ("undeclared-variable", "/document/title")
    assert (undeclared.is_error, pictures(undeclared)) == (False, [])
    assert "until these issues are solved" in text(undeclared)


@pytest.mark.parametrize("wrong", [{"firstPicture": 0}, {"kind": "other"}, {"unknown": 1}, {"variables": []}])
async def test_invalid_input_is_refused_with_its_paths(service: Service, wrong: dict[str, Any]) -> None:
    found = await refused(service, "preview_document", look(document(), **wrong))

    assert (found["error"], [issue["path"] for issue in found["issues"]]) == (
        "INVALID_REQUEST",
        [f"/{next(iter(wrong))}"],
    )
