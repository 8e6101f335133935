"""Sessions and templates as JSON: previews, issues at their lines, and what is created."""

import json
from typing import Any

import httpx
import pytest

from adapters.database.tables.uploads import TemplateRow
from domain.session.status import SessionStatus
from tests.api.service import document, session_request
from tests.api.templates import lease, template_request
from tests.web.app.office import EVE, Office, Visitor
from tests.web.app.test_template_pages import make
from tests.web.html import Page
from web.app.json_editor import lines_of

NEW, NEW_TEMPLATE, TEMPLATE_PREVIEW = "/app/new/json", "/app/templates/new", "/app/templates/preview"
LONG = document(blocks=[*document()["blocks"], {"type": "pageBreak"}, {"type": "paragraph", "text": "The end."}])


def text(body: Any) -> str:
    return json.dumps(body, indent=2).replace("\n", "\r\n")


async def post(visitor: Visitor, path: str, body: str, **buttons: str) -> httpx.Response:
    token = (await visitor.look(path)).form()["form"]
    return await visitor.browser.post(path, data={"form": token, "body": body, **buttons})


@pytest.mark.parametrize(("path", "name"), [(NEW, "Consulting agreement"), (NEW_TEMPLATE, "Lease")])
async def test_a_new_page_has_the_example_and_its_preview(ada: Visitor, path: str, name: str) -> None:
    page = await ada.look(path)

    assert json.loads(page.form()["body"])["name"] == name
    assert "sendImmediately" not in page.form()["body"]
    [image] = page.all("img")
    assert str(image["src"]).startswith("data:image/svg+xml;base64,")
    assert page.all("rect")


async def test_a_session_is_made_as_a_draft_whatever_the_text_says(office: Office, ada: Visitor) -> None:
    body = text(session_request(sendImmediately=True))

    answer = await post(ada, NEW, body, do="create")

    assert answer.status_code == 303, answer.text
    [session] = office.service.sessions.held.values()
    assert answer.headers["location"] == f"/app/sessions/{session.session_id}?done=created"
    assert session.status is SessionStatus.DRAFT


async def test_a_text_may_be_as_long_as_a_body_of_the_api(ada: Visitor) -> None:
    paragraphs = [{"type": "paragraph", "text": "“Ä” " * 2_000}] * 20
    long = [*document()["blocks"], *paragraphs]
    body = text(session_request(files=[{"type": "blocks", "document": document(blocks=long)}]))
    assert (await post(ada, NEW, body, do="create")).status_code == 303
    refused = await post(ada, NEW, " " * 4_000_000, do="create")
    assert refused.status_code == 413
    assert "Something went wrong" in refused.text


async def test_issues_have_their_lines_and_the_text_stays(office: Office, ada: Visitor) -> None:
    request = session_request(name="", files=[{"type": "blocks", "document": document(title="")}])
    request["recipients"][1]["email"] = "nobody"
    body = text(request)
    lines = body.split("\r\n")

    answer = await post(ada, NEW, body, do="create")

    assert answer.status_code == 422
    page = Page(answer.text)
    assert page.form()["body"].replace("\r\n", "\n") == body.replace("\r\n", "\n")
    shown = [int(str(link["data-line"])) for link in page.all("a") if link.get("data-line")]
    wanted = [n for n, line in enumerate(lines, 1) if '"name": ""' in line or '"title": ""' in line or "nobody" in line]
    assert shown == wanted
    assert "3 issues to correct" in page.words
    assert "/files/0/document/title" in page.words
    assert not office.service.sessions.held


@pytest.mark.parametrize(
    ("body", "words", "line"),
    [
        ('{\r\n  "name": oops\r\n}', "see line 2, column 11", 2),
        ("", "The body is not JSON", 1),
        ("[" * 100, "nests arrays and objects more than 32 deep", 1),
        ("[]", "This must be an object.", 1),
        (f"[{'1,' * 60_000}1]", "holds more than 50,000 values", 1),
    ],
)
async def test_text_that_is_no_session_is_explained(ada: Visitor, body: str, words: str, line: int) -> None:
    for button in ("create", "preview"):
        answer = await post(ada, NEW, body, do=button)
        page = Page(answer.text)
        assert answer.status_code == (422 if button == "create" else 200)
        assert words in page.words
        assert [link["data-line"] for link in page.all("a") if link.get("data-line")] == [str(line)]


async def test_a_preview_turns_pages_without_scripts_and_makes_nothing(office: Office, ada: Visitor) -> None:
    files = [{"type": "blocks", "document": LONG}, {"type": "blocks", "document": document(title="Second")}]
    body = text(session_request(files=files))

    first = Page((await post(ada, NEW, body, do="preview")).text)
    last = Page((await post(ada, NEW, body, page="3")).text)
    beyond = Page((await post(ada, NEW, body, page="99")).text)
    same = Page((await post(ada, NEW, body, do="preview", at="3")).text)

    assert "Page 1 of 3" in first.words
    assert [b["value"] for b in first.all("button") if b.get("name") == "page" and "disabled" not in b] == ["2"]
    for page in (last, beyond, same):
        assert "Page 3 of 3" in page.words
        assert "Second" in page.words
        assert [b["value"] for b in page.all("button") if b.get("name") == "page" and "disabled" not in b] == ["2"]
    assert not office.service.sessions.held
    assert not office.service.objects.objects


async def test_the_script_gets_the_preview_alone(ada: Visitor) -> None:
    token = (await ada.look(NEW)).form()["form"]
    for path, body in ((f"{NEW}/preview", session_request()), (TEMPLATE_PREVIEW, template_request())):
        answer = await ada.browser.post(path, data={"form": token, "body": text(body)})

        assert answer.status_code == 200
        page = Page(answer.text)
        assert "shown" in page.ids()
        assert not page.all("html")
        assert len(page.all("img")) == 1


async def test_warnings_are_shown_beside_the_pages(ada: Visitor) -> None:
    blocks = [{"type": "paragraph", "text": "Nobody signs."}]
    files = [{"type": "blocks", "document": document(blocks=blocks)}]
    page = Page((await post(ada, NEW, text(session_request(files=files)), do="preview")).text)
    assert "2 warnings" in page.words
    assert page.all("img")


async def test_a_template_is_written_previewed_and_made_as_a_draft(office: Office, ada: Visitor) -> None:
    body = text(template_request())

    preview = Page((await post(ada, NEW_TEMPLATE, body, do="preview")).text)
    answer = await post(ada, NEW_TEMPLATE, body, do="create")

    assert preview.all("img")
    [kept] = await office.service.database.read(TemplateRow)
    assert answer.headers["location"] == f"/app/templates/{kept.template_id}?done=template-created"
    assert kept.status == "draft"


async def test_issues_of_a_template_have_their_lines(office: Office, ada: Visitor) -> None:
    blocks = [*lease()["blocks"], {"type": "paragraph", "text": "{{{nobody}}}"}]
    body = text(template_request(document=lease(blocks=blocks)))

    answer = await post(ada, NEW_TEMPLATE, body, do="create")

    assert answer.status_code == 422
    page = Page(answer.text)
    [line] = [n for n, each in enumerate(body.split("\r\n"), 1) if "nobody" in each]
    assert [link["data-line"] for link in page.all("a") if link.get("data-line")] == [str(line)]
    assert not await office.service.database.read(TemplateRow)


async def test_an_active_template_is_edited_as_its_next_version(office: Office, ada: Visitor) -> None:
    path = await make(office, **template_request())
    entered = json.loads((await ada.look(f"{path}/edit")).form()["body"])
    assert entered == {name: member for name, member in template_request().items() if name != "activate"} | {
        "recipients": [
            {"key": "tenant", "name": "{{{tenant}}}", "email": ""},
            {"key": "landlord", "name": "Lena Lord", "email": "lena@example.com"},
        ]
    }

    answer = await post(ada, f"{path}/edit", text({**entered, "message": "Welcome", "activate": True}), do="create")

    assert answer.headers["location"] == f"{path}/next?done=template-saved"
    page = await ada.look(answer.headers["location"])
    assert "Sessions are created from version 1." in page.words
    assert "Welcome" in page.words
    assert "Welcome" in (await ada.look(f"{path}/edit")).form()["body"]
    shown = await ada.look(path)
    assert "Version 2 is being edited." in shown.words
    assert "with variables, version 2 is being edited" in (await ada.look("/app/templates")).words
    assert f"{path}/next" in shown.links()
    assert "Welcome" not in shown.words

    activated = await ada.press(f"{path}/activate", on=f"{path}/next")

    assert activated.headers["location"] == f"{path}?done=activated"
    assert "Welcome" in (await ada.look(path)).words
    assert (await ada.browser.get(f"{path}/next")).headers["location"] == path


async def test_a_draft_is_edited_in_its_place(office: Office, ada: Visitor) -> None:
    path = await make(office, **template_request(activate=False))
    answer = await post(ada, f"{path}/edit", text({**template_request(), "name": "Tenancy"}), do="create")
    assert answer.headers["location"] == f"{path}?done=template-saved"
    page = await ada.look(path)
    assert "Tenancy" in page.words
    assert "Draft" in page.words


async def test_issues_of_an_edit_are_shown_and_the_preview_is(office: Office, ada: Visitor) -> None:
    path = await make(office, **template_request())
    refused = await post(ada, f"{path}/edit", text({**template_request(), "name": ""}), do="create")
    assert refused.status_code == 422
    assert "1 issue to correct" in Page(refused.text).words
    assert Page((await post(ada, f"{path}/edit", text(template_request()), do="preview")).text).all("img")
    assert "is being edited" not in (await ada.look(path)).words


async def test_an_archived_template_is_not_edited(office: Office, ada: Visitor) -> None:
    path = await make(office, **template_request())
    token = (await ada.look(f"{path}/edit")).form()["form"]
    await office.service.http().delete(path.replace("/app/templates/", "/api/v1/Template/"))

    shown = await ada.browser.get(f"{path}/edit")
    body = {"form": token, "body": text(template_request()), "do": "create"}
    posted = await ada.browser.post(f"{path}/edit", data=body)

    assert shown.headers["location"] == posted.headers["location"] == f"{path}?error=template-archived"


async def test_others_see_no_templates_and_post_nothing(office: Office, ada: Visitor) -> None:
    path = await make(office, **template_request())
    eve = await office.come_in(EVE)
    token = (await eve.look(NEW)).form()["form"]
    assert (await eve.browser.get(f"{path}/edit")).status_code == 404
    body = {"form": token, "body": text(template_request()), "do": "create"}
    assert (await eve.browser.post(f"{path}/edit", data=body)).status_code == 404
    for address in (NEW, f"{NEW}/preview", NEW_TEMPLATE, TEMPLATE_PREVIEW, f"{path}/edit"):
        assert (await ada.browser.post(address, data=body)).status_code == 403


TEXT = """{
  "name": "A \\"quoted\\" {name}, [with] marks:",
  "files": [
    {"type": "blocks", "a/b": {}},
    {
      "document": {"blocks": [1,
        -2.5e3, true, null,
        {"text": "x"}
      ]}
    }
  ],
  "recipients": []
}"""


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("", 1), ("/name", 2), ("/files", 3), ("/files/0", 4), ("/files/0/type", 4), ("/files/0/a~1b", 4),
        ("/files/1", 5), ("/files/1/document", 6), ("/files/1/document/blocks/0", 6),
        ("/files/1/document/blocks/1", 7), ("/files/1/document/blocks/2", 7), ("/files/1/document/blocks/3", 7),
        ("/files/1/document/blocks/4/text", 8), ("/recipients", 12),
    ],
)  # fmt: skip
def test_a_value_has_the_line_of_its_name_or_its_beginning(pointer: str, line: int) -> None:
    assert json.loads(TEXT)
    assert lines_of(TEXT, [pointer]) == {pointer: line}


@pytest.mark.parametrize(
    ("pointer", "line"), [("/message", 1), ("/files/1/document/title", 6), ("/files/7/type", 3), ("/recipients/0", 12)]
)
def test_a_missing_value_has_the_line_of_what_should_hold_it(pointer: str, line: int) -> None:
    assert lines_of(TEXT, [pointer]) == {pointer: line}


@pytest.mark.parametrize("text", ["[]", "7", '"text"', "\n\n[{}]"])
def test_any_json_has_lines(text: str) -> None:
    assert lines_of(text, [""])[""] == 1 + text.index(text.strip()[0])
