"""The buttons of a template's page, and conflicts with actions by others."""

import pytest

from adapters.database.tables.uploads import ImageRow, TemplateRow
from domain.templates.template import TemplateStatus
from tests.api.service import document
from tests.layout.pictures import encoded, shades
from tests.web.app.office import EVE, Office, Visitor
from tests.web.app.test_json_editor import post as post_json
from tests.web.app.test_json_editor import text
from tests.web.app.test_template_pages import LEASE, make


@pytest.fixture
async def path(office: Office) -> str:
    return await make(office, activate=True)


async def rows(office: Office) -> list[TemplateRow]:
    return list(await office.service.database.read(TemplateRow))


async def test_a_template_is_duplicated_as_a_draft(office: Office, path: str, ada: Visitor) -> None:
    answer = await ada.press(f"{path}/duplicate", on=path)

    copy = answer.headers["location"].removesuffix("?done=template-duplicated")
    assert copy not in {path, answer.headers["location"]}
    page = await ada.look(answer.headers["location"])
    assert "Lease (copy)" in page.words
    assert "This is a copy, as a draft." in page.words
    assert {(row.name, row.status) for row in await rows(office)} == {("Lease", "active"), ("Lease (copy)", "draft")}


async def test_a_template_whose_image_is_gone_is_not_duplicated(office: Office, ada: Visitor) -> None:
    picture = ("logo.png", encoded(shades(20, 20)), "image/png")
    logo = (await office.service.http().post("/api/v1/Image", files={"file": picture})).json()["fileId"]
    path = await make(office, document=document(logo={"fileId": logo}), variables=[])
    await office.service.database.clear(ImageRow)

    answer = await ada.press(f"{path}/duplicate", on=path)

    assert answer.headers["location"] == f"{path}?error=image-missing"
    assert len(await rows(office)) == 1


async def test_a_template_is_renamed_or_the_form_says_why_not(office: Office, path: str, ada: Visitor) -> None:
    answer = await ada.press(f"{path}/rename", on=path, name="  Lease 2027 ")
    assert answer.headers["location"] == f"{path}?done=template-renamed"
    assert "Lease 2027" in (await ada.look(path)).words

    refused = await ada.press(f"{path}/rename", on=path, name="x" * 51)

    assert refused.status_code == 422
    assert "Write at most 50 characters." in refused.text
    assert f'value="{"x" * 51}"' in refused.text
    assert (await rows(office))[0].name == "Lease 2027"


async def test_a_template_is_archived_listed_and_restored(office: Office, path: str, ada: Visitor) -> None:
    archived = await ada.press(f"{path}/archive", on=path)
    twice = await ada.press(f"{path}/archive", on=path)
    page = await ada.look(archived.headers["location"])
    current, put_away = await ada.look("/app/templates"), await ada.look("/app/templates?tab=archived")
    restored = await ada.press(f"{path}/restore", on=path)
    again = await ada.press(f"{path}/restore", on=path)

    assert archived.headers["location"] == f"{path}?done=template-archived"
    assert twice.headers["location"] == f"{path}?error=template-archived"
    assert "No sessions can be created from it until you restore it." in page.words
    assert {f"{path}/restore", f"{path}/duplicate"} <= {form["action"] for form in page.all("form")}
    assert f"{path}/edit" not in page.links()
    assert path not in current.links()
    assert path in put_away.links()
    assert restored.headers["location"] == f"{path}?done=template-restored"
    assert again.headers["location"] == f"{path}?error=template-not-archived"
    assert (await rows(office))[0].status == TemplateStatus.ACTIVE.value


async def test_an_archived_draft_is_not_activated(office: Office, ada: Visitor) -> None:
    path = await make(office)
    await ada.press(f"{path}/archive", on=path)
    answer = await ada.press(f"{path}/activate", on=path)
    assert answer.headers["location"] == f"{path}?error=template-archived"


async def test_a_template_is_deleted_after_a_question(office: Office, path: str, ada: Visitor) -> None:
    question = await ada.look(f"{path}/delete")
    assert "Archive it instead to keep it." in question.words
    assert await rows(office)

    answer = await ada.press(f"{path}/delete", on=f"{path}/delete")

    assert answer.headers["location"] == "/app/templates?done=template-deleted"
    assert not await rows(office)
    assert (await ada.browser.get(path)).status_code == 404


async def test_the_next_version_is_reviewed_and_discarded(office: Office, path: str, ada: Visitor) -> None:
    await post_json(ada, f"{path}/edit", text({**LEASE, "document": document(title="Second lease")}), do="create")
    page = await ada.look(f"{path}/next")
    [image] = page.all("img")
    assert "of=next" in str(image["src"])
    assert (await ada.browser.get(str(image["src"]))).status_code == 200
    assert str((await ada.look(path)).all("img")[0]["src"]) != image["src"]

    answer = await ada.press(f"{path}/discard", on=f"{path}/next")
    twice = await ada.press(f"{path}/discard", on=path)

    assert answer.headers["location"] == f"{path}?done=version-discarded"
    assert twice.headers["location"] == path
    assert "is being edited" not in (await ada.look(path)).words
    assert (await ada.browser.get(f"{path}/next")).headers["location"] == path


async def test_pages_show_sample_values(path: str, ada: Visitor) -> None:
    page = await ada.look(path)
    assert "The pages with sample values" in page.words
    assert (await ada.browser.get(str(page.all("img")[0]["src"]))).status_code == 200


@pytest.mark.parametrize("act", ["duplicate", "rename", "archive", "restore", "activate", "discard", "delete"])
async def test_templates_of_others_are_not_found(office: Office, path: str, act: str) -> None:
    eve = await office.come_in(EVE)
    assert (await eve.press(f"{path}/{act}", name="Mine")).status_code == 404
    [kept] = await rows(office)
    assert (kept.name, kept.status) == ("Lease", "active")
