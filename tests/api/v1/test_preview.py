"""A look at a document before anything is made of it (Specification 4.17)."""

from typing import Any

import httpx
import pytest

from adapters.database.tables.sessions import SessionRow
from tests.api.service import STRANGER, Service, document, issues_by_path, session_request
from tests.application.uploads.test_session_copies import LOGO, upload
from tests.layout.reading import text_of

PREVIEW = "/api/v1/Document/Preview"
RECIPIENTS = [{"key": "ada"}]


def asked(**changes: Any) -> dict[str, Any]:
    return {"kind": "session", "document": document(), "recipients": RECIPIENTS, **changes}


async def preview(service: Service, accept: str = "application/json", **changes: Any) -> httpx.Response:
    return await service.http().post(PREVIEW, json=asked(**changes), headers={"Accept": accept})


async def test_a_document_is_shown_as_it_would_come_out(service: Service) -> None:
    shown = (await preview(service)).json()

    assert (shown["pageCount"], shown["issues"], shown["warnings"]) == (1, [], [])
    assert [(zone["name"], zone["type"], zone["path"]) for zone in shown["zones"]] == [
        ("purchase-order", "text", "/document/blocks/2"),
        ("signature:3:name", "signerName", "/document/blocks/3"),
        ("signature:3:date", "dateSigned", "/document/blocks/3"),
        ("signature:3:signature", "signature", "/document/blocks/3"),
    ]


async def test_zones_are_in_points_from_the_top_left_within_the_content(service: Service) -> None:
    zones = (await preview(service)).json()["zones"]

    field = zones[0]
    assert (field["recipient"], field["label"], field["page"], field["required"]) == ("ada", "Purchase order", 1, True)
    assert (field["x"], field["w"]) == (56, 483)
    assert all(zone["y"] > field["y"] for zone in zones[1:])
    assert all(0 < zone["y"] < zone["y"] + zone["h"] < 842 for zone in zones)


async def test_nothing_is_stored(service: Service) -> None:
    for accept in ("application/json", "application/pdf"):
        assert (await preview(service, accept)).status_code == 200

    assert not service.objects.objects
    assert not service.sessions.held
    assert await service.database.read(SessionRow) == []


async def test_issues_are_those_for_which_a_session_would_be_refused(service: Service) -> None:
    broken = document(title="T" * 90, blocks=[{"type": "signatureBlock", "label": "x", "recipient": "landlord"}])

    named = [{"key": "ada", "name": "Ada"}, {"key": "grace", "name": "Grace"}]
    answer = await preview(service, document=broken, recipients=named)
    refusal = await service.http().post(
        "/api/v1/Session", json=session_request(files=[{"type": "blocks", "document": broken}])
    )

    assert answer.status_code == 200
    shown, refused = answer.json()["issues"], refusal.json()["issues"]
    assert [issue["kind"] for issue in shown] == ["title-too-long", "unknown-recipient"]
    assert [issue["path"] for issue in shown] == ["/document/title", "/document/blocks/0/recipient"]
    assert [{**issue, "path": f"/files/0{issue['path']}"} for issue in shown] == refused


RENT = document(blocks=[{"type": "paragraph", "text": "The rent is {{{rent}}}."}])
NAMED = [{"key": "ada", "name": "{{{client}}}"}]


@pytest.mark.parametrize(
    ("changes", "issues"),
    [
        ({"document": RENT}, [("tokens-in-session", "/document/blocks/0/text")]),
        ({"kind": "template", "document": RENT, "variables": []}, [("undeclared-variable", "/document/blocks/0/text")]),
        ({"kind": "template", "document": RENT, "variables": [{"name": "rent"}]}, []),
        ({"recipients": NAMED}, [("tokens-in-session", "/recipients/0/name")]),
        ({"kind": "template", "recipients": NAMED, "variables": [{"name": "client"}]}, []),
    ],
)
async def test_tokens_are_for_declared_variables_of_templates(service: Service, changes: Any, issues: Any) -> None:
    answer = await preview(service, **changes)
    assert [(issue["kind"], issue["path"]) for issue in answer.json()["issues"]] == issues


async def test_warnings_keep_nothing_from_being_sent(service: Service) -> None:
    signature = {"type": "signatureBlock", "label": "x", "recipient": "ada"}
    unwise = document(
        theme={"primaryColor": "#eeeeee", "textColor": "#111111"},
        blocks=[{"type": "paragraph", "text": "x \U000f0000"}, signature, signature],
    )

    answer = await preview(service, document=unwise, recipients=[{"key": "ada", "name": "A \U000f0000"}])

    assert answer.json()["issues"] == []
    assert {(warning["kind"], warning["path"]) for warning in answer.json()["warnings"]} == {
        ("low-contrast", "/document/theme/primaryColor"),
        ("second-signature", "/document/blocks/2"),
        ("unprintable-characters", "/document/blocks/0/text"),
        ("unprintable-characters", "/recipients/0/name"),
    }


@pytest.mark.poppler
async def test_a_client_that_wants_a_pdf_gets_the_pages(service: Service) -> None:
    answer = await preview(service, "application/pdf")
    assert answer.headers["content-type"] == "application/pdf"
    assert "Purchase order" in text_of(answer.content)


async def test_there_is_no_pdf_of_a_document_with_issues(service: Service) -> None:
    answer = await preview(service, "application/pdf", recipients=[{"key": "grace"}])
    assert (answer.status_code, answer.json()["error"]) == (400, "DOCUMENT_VALIDATION_FAILED")
    assert {issue["kind"] for issue in answer.json()["issues"]} == {"unknown-recipient"}


@pytest.mark.parametrize(
    ("accept", "given"),
    [
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("application/pdf, application/json;q=0.5", "application/pdf"),
        ("application/pdf;q=0.2, application/json;q=0.5", "application/json"),
        ("application/json;q=0, */*", "application/pdf"),
        ("text/html, application/pdf;q=0.9, */*;q=0.1", "application/pdf"),
        ("APPLICATION/PDF", "application/pdf"),
    ],
)
async def test_the_form_is_the_one_that_the_client_likes_best(service: Service, accept: str, given: str) -> None:
    assert (await preview(service, accept)).headers["content-type"] == given


@pytest.mark.parametrize("accept", ["text/html", "image/*", "application/json;q=0", "application/json;q=much", "x"])
async def test_another_form_is_not_to_be_had(service: Service, accept: str) -> None:
    answer = await preview(service, accept)
    assert (answer.status_code, answer.json()["error"]) == (406, "NOT_ACCEPTABLE")


async def test_images_are_those_of_the_organisation(service: Service) -> None:
    logo = await upload(service, LOGO)
    foreign = await upload(service, LOGO, client=STRANGER)

    own = await preview(service, document=document(logo={"fileId": logo}))
    other = await preview(service, document=document(logo={"fileId": foreign}))

    assert own.json()["issues"] == []
    assert [issue["kind"] for issue in other.json()["issues"]] == ["unknown-image"]


async def test_mistakes_in_the_shape_are_listed_with_their_places(service: Service) -> None:
    answer = await preview(
        service,
        document=document(blocks=[{"type": "heading"}, {"type": "drawing"}]),
        recipients=[{"key": "ada", "email": "nowhere"}, {"key": "ada"}],
        variables=[],
    )

    assert answer.status_code == 400
    assert set(issues_by_path(answer)) == {
        "/document/blocks/0/text", "/document/blocks/1/type", "/recipients/0/email", "/variables",
    }  # fmt: skip


@pytest.mark.parametrize("body", [{}, {"kind": "letter"}])
async def test_a_kind_that_is_none_is_said_at_its_member(service: Service, body: dict[str, str]) -> None:
    answer = await service.http().post(PREVIEW, json=body)
    assert (answer.status_code, list(issues_by_path(answer))) == (400, ["/kind"])
