"""Templates in the app: the list, one with its pages, and activating it."""

import gzip
from typing import Any

import pytest

from adapters.database.tables.uploads import ImageRow, TemplateRow
from domain.templates.template import TemplateStatus
from tests.api.service import document, session_request
from tests.layout.pictures import encoded, shades
from tests.web.app.office import EVE, Office, Visitor

LEASE: dict[str, Any] = {
    "name": "Lease",
    "document": document(
        title="Lease", blocks=[*document()["blocks"], {"type": "paragraph", "text": "Rent: {{{rent}}}"}]
    ),
    "recipients": session_request()["recipients"],
    "variables": [{"name": "rent", "displayName": "Rent a month", "type": "number", "defaultValue": "900"}],
}


async def make(office: Office, **changes: Any) -> str:
    """The path of a template."""
    answer = await office.service.http().post("/api/v1/Template", json={**LEASE, **changes})
    assert answer.status_code == 200, answer.text
    return f"/app/templates/{answer.json()['templateId']}"


@pytest.fixture
async def path(office: Office) -> str:
    return await make(office)


async def test_the_address_of_a_draft_leads_to_its_page(office: Office, ada: Visitor) -> None:
    answer = await office.service.http().post("/api/v1/Template", json=LEASE)
    path = answer.json()["editorUrl"].removeprefix("http://sign.example.com")

    page = await ada.look(path)

    words = " ".join(page.words.split())
    assert "Lease Draft" in words
    assert "Rent a month rent number, required, default 900" in words
    assert "Filled in by Ada Lovelace" in words
    assert f"{path}/activate" in {form["action"] for form in page.all("form")}


async def test_the_settings_of_its_sessions_are_shown(office: Office, ada: Visitor) -> None:
    path = await make(office, expiryDays=30, reminderEnabled=True, recipientVerification="emailCode")
    words = " ".join((await ada.look(path)).words.split())
    for part in ("30 days", "every week", "a code by email"):
        assert part in words


async def test_the_list_shows_drafts_and_active_templates_of_the_own_organisation(
    office: Office, path: str, ada: Visitor
) -> None:
    await make(office, name="Order", activate=True)

    words = " ".join((await ada.look("/app/templates")).words.split())

    assert path
    assert "Order with variables 2 recipients Active" in words
    assert "Lease with variables 2 recipients Draft" in words
    assert "2 templates" in words
    assert "No templates yet" in (await (await office.come_in(EVE)).look("/app/templates")).words


async def test_long_lists_have_pages(office: Office, ada: Visitor) -> None:
    for number in range(26):
        await make(office, name=f"Lease {number:02}")

    assert "/app/templates?page=2" in (await ada.look("/app/templates?page=x")).links()
    assert "Lease 00" in (await ada.look("/app/templates?page=2")).words
    assert "Nothing here at the moment." in (await ada.look("/app/templates?page=9")).words


async def test_a_person_activates_a_draft_once_or_twice(office: Office, path: str, ada: Visitor) -> None:
    answers = [await ada.press(f"{path}/activate", on=path) for _ in range(2)]

    assert {answer.headers["location"] for answer in answers} == {f"{path}?done=activated"}
    [kept] = await office.service.database.read(TemplateRow)
    assert kept.status == TemplateStatus.ACTIVE.value
    page = await ada.look(answers[0].headers["location"])
    assert "Sessions can now be created from it." in page.words
    assert "POST http://sign.example.com/api/v1/SessionFromTemplate" in page.words
    assert f"{path}/activate" not in {form["action"] for form in page.all("form")}


async def test_pages_are_images_and_no_other_page_exists(path: str, ada: Visitor) -> None:
    [image] = (await ada.look(path)).all("img")

    answer = await ada.browser.get(str(image["src"]))

    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.content.startswith((b"<svg", b"<?xml")) or gzip.decompress(answer.content)
    for number in ("0", "2", "x"):
        assert (await ada.browser.get(f"{path}/pages/{number}")).status_code == 404


async def test_a_template_whose_image_is_gone_is_shown_without_pages(office: Office, ada: Visitor) -> None:
    picture = ("logo.png", encoded(shades(20, 20)), "image/png")
    logo = (await office.service.http().post("/api/v1/Image", files={"file": picture})).json()["fileId"]
    path = await make(office, document={**LEASE["document"], "logo": {"fileId": logo}})
    await office.service.database.clear(ImageRow)

    assert "The pages can’t be displayed" in (await ada.look(path)).words
    assert (await ada.browser.get(f"{path}/pages/1")).status_code == 404


async def test_sample_values_that_do_not_fit_leave_the_placeholders(office: Office, ada: Visitor) -> None:
    variables = [{"name": "rent", "displayName": "A long name " * 8}]
    path = await make(office, document={**LEASE["document"], "title": "{{{rent}}}" * 5}, variables=variables)

    [image] = (await ada.look(path)).all("img")

    assert (await ada.browser.get(str(image["src"]))).status_code == 200
