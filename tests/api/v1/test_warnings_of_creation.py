"""Creating a session answers with the warnings that Preview Document has."""

from typing import Any

import httpx
import pytest

from tests.api.service import Service, document, session_request
from tests.api.templates import template_request

PALE: dict[str, Any] = {"primaryColor": "#fefefe", "headerStyle": "band", "bandTextColor": "#ffffff"}
TWICE = {"type": "signatureBlock", "label": "Again", "recipient": "ada"}
GRACE = {"type": "signatureBlock", "label": "For the other", "recipient": "grace"}
PEOPLE = session_request()["recipients"]


def blocks(*more: dict[str, Any]) -> list[dict[str, Any]]:
    return [*document()["blocks"], *more]


DOCUMENTS = [
    document(), document(theme=PALE), document(blocks=blocks(GRACE)), document(blocks=blocks(TWICE)),
    document(theme=PALE, blocks=blocks(TWICE, GRACE)),
]  # fmt: skip


async def warnings_of_preview(service: Service, written: dict[str, Any], **kind: Any) -> list[dict[str, Any]]:
    request = {"kind": "session", "document": written, "recipients": PEOPLE, **kind}
    answer = await service.http().post("/api/v1/Document/Preview", json=request)
    return list(answer.json()["warnings"])


@pytest.mark.parametrize("written", DOCUMENTS)
async def test_a_session_has_the_warnings_of_its_preview(service: Service, written: dict[str, Any]) -> None:
    previewed = await warnings_of_preview(service, written)

    made = await service.create(files=[{"type": "blocks", "document": written}])

    assert made["warnings"] == [{**warning, "path": f"/files/0{warning['path']}"} for warning in previewed]


@pytest.mark.parametrize("written", DOCUMENTS)
async def test_a_session_of_a_template_has_them_too(service: Service, written: dict[str, Any]) -> None:
    request = template_request(document=written, recipients=PEOPLE, variables=[], activate=True)
    template = (await service.http().post("/api/v1/Template", json=request)).json()
    previewed = await warnings_of_preview(service, written)

    made = await service.http().post("/api/v1/SessionFromTemplate", json={"templateId": template["templateId"]})

    assert made.json()["warnings"] == previewed


async def test_who_signs_in_one_document_is_not_missed_in_another(service: Service) -> None:
    bare = document(title="Annex", blocks=[{"type": "heading", "text": "Prices"}])
    files = [{"type": "blocks", "document": written} for written in (bare, document(), bare)]

    made = await service.create(files=files)

    (warning,) = made["warnings"]
    assert (warning["kind"], warning["path"]) == ("no-signature-block", "/files/0/document/blocks")
    assert "grace" in warning["message"]


async def test_a_replayed_answer_has_them(service: Service) -> None:
    async def post() -> httpx.Response:
        return await service.http().post("/api/v1/Session", json=session_request(), headers={"Idempotency-Key": "one"})

    first, second = await post(), await post()

    assert first.json()["warnings"]
    assert first.json() == second.json()
