"""Texts that once took minutes over HTTP are refused with the reason, by every operation that lays documents out."""

from typing import Any

import pytest

from tests.api.service import Service, document, session_request

MARKS = "a" + "\u0301\u0323" * 20_000
LINES = "a\n" * 33_000
ITEMS = {"type": "bulletList", "items": ["a"] * 50}
IDEOGRAPHS = "".join(map(chr, range(0x4E00, 0x9FA6)))


def paragraphs(text: str, count: int = 1) -> dict[str, Any]:
    block = {"type": "paragraph", "text": text}
    return document(blocks=[*[block] * count, *document()["blocks"]])


async def send(service: Service, operation: str, made: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    bodies = {
        "Document/Preview": {"kind": "session", "document": made, "recipients": [{"key": "ada"}]},
        "Session": session_request(files=[{"type": "blocks", "document": made}]),
        "Template": {"name": "A", "document": made, "recipients": session_request()["recipients"]},
    }
    answer = await service.http().post(f"/api/v1/{operation}", json=bodies[operation])
    return answer.status_code, answer.json()


@pytest.mark.parametrize("operation", ["Document/Preview", "Session", "Template"])
@pytest.mark.parametrize(
    ("made", "kind"),
    [
        (paragraphs(MARKS), "too-many-marks"),
        (paragraphs(LINES, 18), "too-many-pages"),
        (paragraphs(IDEOGRAPHS), "too-many-characters"),
        (document(blocks=[*document()["blocks"], *[ITEMS] * 400]), "too-many-texts"),
    ],
)
async def test_a_costly_document_is_refused_with_the_reason(
    service: Service, operation: str, made: dict[str, Any], kind: str
) -> None:
    status, answer = await send(service, operation, made)

    assert status == (200 if operation == "Document/Preview" else 400)
    assert {issue["kind"] for issue in answer["issues"]} == {kind}
