"""Sessions from templates: filled with text, checked as any session is, made as any session is (contract 12)."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from domain.ids import SessionId
from tests.api.service import STRANGER, Service, issues_by_path
from tests.api.service import session_request as posted
from tests.api.templates import VALUES, get, lease, make, post, session_request, template_request, variables
from tests.builders import ORGANISATION, identifier
from tests.layout.image_files import encoded, shades

KEY = {"Idempotency-Key": "lease 1"}
PARAGRAPH = {"type": "paragraph", "text": "x"}


async def use(service: Service, template: dict[str, Any], **changes: Any) -> httpx.Response:
    return await post(service, "SessionFromTemplate", session_request(template["templateId"], **changes))


async def create(service: Service, template: dict[str, Any], **changes: Any) -> dict[str, Any]:
    answer = await use(service, template, **changes)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def refuse(service: Service, template: dict[str, Any], **changes: Any) -> httpx.Response:
    """The answer to a request that must be refused, after a look at what it left behind."""
    answer = await use(service, template, **changes)
    assert answer.status_code == 400, answer.text
    assert not service.objects.objects
    assert not service.sessions.held
    return answer


async def source_of(service: Service, session: dict[str, Any]) -> Any:
    """The document of the session, as it is kept."""
    (file,) = service.sessions.held[SessionId(session["sessionId"])].files
    return json.loads(await service.objects.get(file.source))


async def test_values_stand_where_their_tokens_were(service: Service) -> None:
    session = await create(service, await make(service))

    assert await source_of(service, session) == lease(
        subtitle="12 Quay Street",
        blocks=[
            {"type": "paragraph", "text": "Ada Lovelace rents 12 Quay Street for 1,250.00 from 2026-07-01."},
            {"type": "signatureBlock", "label": "For Ada Lovelace", "recipient": "tenant"},
        ],
    )
    assert [(r["key"], r["name"], r["email"], r["signingOrder"]) for r in session["recipients"]] == [
        ("tenant", "Ada Lovelace", "ada@example.com", 1),
        ("landlord", "Lena Lord", "lena@example.com", 2),
    ]


async def test_the_answer_and_the_events_are_those_of_any_session(service: Service) -> None:
    filled = await source_of(service, await create(service, await make(service)))
    session = await create(service, await make(service), sendImmediately=True)
    plain = await service.create(
        name="Lease",
        files=[{"type": "blocks", "document": filled}],
        recipients=[
            {"key": "tenant", "name": "Ada Lovelace", "email": "ada@example.com"},
            {"key": "landlord", "name": "Lena Lord", "email": "lena@example.com"},
        ],
        sendImmediately=True,
    )

    def without_identity(answer: dict[str, Any]) -> dict[str, Any]:
        own = {"sessionId", "createdAt", "updatedAt", "sentAt", "files", "recipients", "waitingFor"}
        return {name: value for name, value in answer.items() if name not in own}

    async def events(answer: dict[str, Any]) -> list[str]:
        listed = (await get(service, f"Session/{answer['sessionId']}/Events")).json()["events"]
        return [event["type"] for event in listed]

    assert without_identity(session) == without_identity(plain)
    assert session["files"][0]["sha256"] == plain["files"][0]["sha256"]
    assert session["files"][0]["fileName"] == "Lease.pdf"
    assert await events(session) == await events(plain)
    assert (await get(service, f"Session/{session['sessionId']}")).json() == session


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({}, (30, True, "daily", "Please sign.", "Lease")),
        ({"expiryDays": None, "message": None}, (None, True, "daily", None, "Lease")),
        ({"expiryDays": 7, "reminderEnabled": False}, (7, False, "daily", "Please sign.", "Lease")),
        ({"reminderFrequency": "weekly", "name": "Own"}, (30, True, "weekly", "Please sign.", "Own")),
    ],
)
async def test_settings_that_are_given_override_the_templates(
    service: Service, given: dict[str, Any], shown: tuple[object, ...]
) -> None:
    template = await make(
        service, expiryDays=30, reminderEnabled=True, reminderFrequency="daily", message="Please sign."
    )

    session = await create(service, template, **given)

    held = service.sessions.held[SessionId(session["sessionId"])]
    names = ("expiryDays", "reminderEnabled", "reminderFrequency")
    assert (*(session[name] for name in names), held.message, session["name"]) == shown


async def test_a_callback_address_is_taken_as_create_session_takes_it(service: Service) -> None:
    url = "https://example.com/callbacks"
    template = await make(service)

    assert (await create(service, template, callbackUrl=url))["callbackUrl"] == url
    assert set(issues_by_path(await use(service, template, callbackUrl="ftp://x"))) == {"/callbackUrl"}


async def test_a_draft_makes_no_sessions(service: Service) -> None:
    answer = await refuse(service, await make(service, activate=False))

    assert answer.json() == {
        "message": "The template is a draft; activate it before making sessions from it.",
        "error": "TEMPLATE_NOT_ACTIVE",
    }


async def test_a_foreign_template_is_answered_like_an_unknown_one(service: Service) -> None:
    template = await make(service)
    wanted = session_request(template["templateId"])

    foreign = await post(service, "SessionFromTemplate", wanted, STRANGER)
    unknown = await post(service, "SessionFromTemplate", {**wanted, "templateId": identifier("nothing")})
    malformed = await post(service, "SessionFromTemplate", {**wanted, "templateId": "nothing"})

    assert (foreign.status_code, foreign.json()["error"]) == (404, "NOT_FOUND")
    assert foreign.content == unknown.content == malformed.content


async def test_every_wrong_value_is_named_at_once(service: Service) -> None:
    answer = await refuse(
        service,
        await make(service),
        variableValues={"address": " ", "rent": "a lot", "start": "1 July 2026", "note": 5, "a/b": "x", "extra": None},
    )

    assert answer.json()["error"] == "INVALID_VARIABLE_VALUES"
    assert answer.json()["message"].endswith("7 issues.")
    assert set(issues_by_path(answer)) == {
        "/variableValues/tenant",
        "/variableValues/address",
        "/variableValues/rent",
        "/variableValues/start",
        "/variableValues/note",
        "/variableValues/a~1b",
        "/variableValues/extra",
    }
    assert issues_by_path(answer)["/variableValues/tenant"] == "The variable “tenant” needs a value."


@pytest.mark.parametrize(
    ("type_", "given", "printed"),
    [
        ("text", "x", "x"),
        ("date", "2026-07-01", "2026-07-01"),
        ("number", "1,250.00", "1,250.00"),
        ("number", 1250, "1250"),
        ("number", 12.5, "12.5"),
    ],
)
async def test_values_are_printed_as_they_were_given(service: Service, type_: str, given: object, printed: str) -> None:
    template = await make(
        service,
        document=lease(subtitle="{{{value}}}", blocks=[PARAGRAPH]),
        variables=[*variables(), {"name": "value", "type": type_}],
    )

    session = await create(service, template, variableValues={**VALUES, "value": given})

    assert (await source_of(service, session))["subtitle"] == printed


@pytest.mark.parametrize(
    "value",
    [
        "{{{address}}}",
        "{{{nothing}}}",
        '"}, {"type": "pageBreak"}',
        "<b>bold</b> & \\1 \\g<0>",
        "# heading\n* item",
        "a {{{",
    ],
)
async def test_a_value_is_text_whatever_it_looks_like(service: Service, value: str) -> None:
    blocks = [{"type": "paragraph", "text": "[{{{tenant}}}]"}, {"type": "bulletList", "items": ["{{{tenant}}}"]}]
    template = await make(service, document=lease(subtitle="x", blocks=blocks))

    session = await create(
        service,
        template,
        recipients=[{"name": "Ada", "email": "ada@example.com"}],
        variableValues={**VALUES, "tenant": value},
    )

    assert (await source_of(service, session))["blocks"] == [
        {"type": "paragraph", "text": f"[{value}]"},
        {"type": "bulletList", "items": [value]},
    ]


async def test_a_value_may_close_braces_that_the_template_opens(service: Service) -> None:
    template = await make(service, document=lease(subtitle="{{{{{{tenant}}}}}}", blocks=[PARAGRAPH]))

    session = await create(service, template, variableValues={**VALUES, "tenant": "address"})

    assert (await source_of(service, session))["subtitle"] == "{{{address}}}"


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ([{"email": "a@example.com"}], ["Ada Lovelace", "Lena Lord"]),
        ([{"email": "a@example.com"}, {"name": "Bo"}], ["Ada Lovelace", "Bo"]),
        ([{"key": "landlord", "name": "Bo"}, {"key": "tenant", "email": "a@example.com"}], ["Ada Lovelace", "Bo"]),
        ([{"email": "a@example.com"}, {"key": "landlord", "name": "Bo"}], ["Ada Lovelace", "Bo"]),
        ([{"name": "Own", "email": "a@example.com"}, {"name": None}], ["Own", "Lena Lord"]),
    ],
)
async def test_recipients_are_given_by_place_or_by_key(
    service: Service, given: list[dict[str, Any]], names: list[str]
) -> None:
    session = await create(service, await make(service), recipients=given)

    assert [recipient["name"] for recipient in session["recipients"]] == names
    assert [recipient["key"] for recipient in session["recipients"]] == ["tenant", "landlord"]


async def test_the_signing_order_may_be_given_too(service: Service) -> None:
    given = [{"email": "a@example.com", "signingOrder": 2}, {"signingOrder": 1}]

    session = await create(service, await make(service), recipients=given)

    assert [recipient["signingOrder"] for recipient in session["recipients"]] == [2, 1]


async def test_recipients_that_the_template_does_not_have_are_refused(service: Service) -> None:
    given = [
        {"email": "ada@example.com"},
        {"key": "stranger", "name": "x"},
        {"name": "x"},
        {"key": "tenant", "name": "x"},
    ]

    answer = await refuse(service, await make(service), recipients=given)

    assert answer.json()["error"] == "INVALID_REQUEST"
    assert set(issues_by_path(answer)) == {"/recipients/1/key", "/recipients/2", "/recipients/3"}


async def test_every_name_and_email_that_is_still_missing_is_named(service: Service) -> None:
    template = await make(
        service,
        document=lease(subtitle="x", blocks=[PARAGRAPH]),
        recipients=[{"key": "tenant", "name": "{{{note}}}"}, {"key": "landlord", "email": "{{{tenant}}}"}],
    )

    answer = await refuse(service, template, recipients=[])

    assert issues_by_path(answer) == {
        "/recipients/0/name": "The template leaves the name of the recipient “tenant” blank. Give it in recipients.",
        "/recipients/0/email": "The template leaves the email of the recipient “tenant” blank. Give it in recipients.",
        "/recipients/1/name": "The template leaves the name of the recipient “landlord” blank. Give it in recipients.",
        "/recipients/1/email": "The email of the recipient “landlord”, with the variables filled: "
        "This is not an email address.",
    }


async def test_an_email_may_be_made_of_variables(service: Service) -> None:
    recipients = [{"key": "tenant", "name": "{{{tenant}}}", "email": "{{{ address }}}@Example.com"}]
    template = await make(service, recipients=recipients)

    session = await create(service, template, recipients=[], variableValues={**VALUES, "address": "Ada"})

    assert session["recipients"][0]["email"] == "ada@example.com"


@pytest.mark.parametrize(("length", "status"), [(499, 200), (500, 200), (501, 400)])
async def test_lengths_count_with_the_values_in_place(service: Service, length: int, status: int) -> None:
    blocks = [{"type": "heading", "text": "{{{note}}}"}, PARAGRAPH]
    template = await make(service, document=lease(subtitle="x", blocks=blocks))

    answer = await use(service, template, variableValues={**VALUES, "note": "n" * length})

    assert answer.status_code == status
    if status == 400:
        assert issues_by_path(answer) == {
            "/document/blocks/0/text": "String should have at most 500 characters. Its variables: note."
        }


async def test_all_that_values_make_wrong_is_listed_at_once(service: Service) -> None:
    radio = {"type": "field", "fieldType": "radio", "label": "x", "recipient": "tenant"}
    template = await make(
        service,
        document=lease(
            subtitle="{{{note}}}",
            blocks=[
                {"type": "heading", "text": "{{{address}}}"},
                {"type": "signatureBlock", "label": "{{{note}}}", "recipient": "tenant"},
                {**radio, "options": ["{{{tenant}}}", "{{{start}}}"]},
            ],
        ),
        variables=[
            {"name": "tenant"},
            {"name": "start"},
            {"name": "note"},
            {"name": "address", "required": False},
            {"name": "rent"},
        ],
    )

    values = {"tenant": "same", "start": "same", "note": "n" * 201, "rent": "x"}
    answer = await refuse(service, template, variableValues=values, recipients=[])

    assert answer.json()["error"] == "INVALID_REQUEST"
    assert set(issues_by_path(answer)) == {
        "/document/subtitle",
        "/document/blocks/0/text",
        "/document/blocks/1/label",
        "/document/blocks/2/options",
        "/recipients/0/email",
    }


async def test_a_paragraph_whose_variables_have_no_values_is_an_empty_line(service: Service) -> None:
    blocks = [{"type": "paragraph", "text": "{{{note}}}"}, PARAGRAPH]

    session = await create(service, await make(service, document=lease(subtitle="{{{note}}}", blocks=blocks)))

    kept = await source_of(service, session)
    assert (kept["subtitle"], kept["blocks"]) == ("", [{"type": "paragraph", "text": " "}, PARAGRAPH])


async def test_the_filled_document_is_laid_out_and_checked(service: Service) -> None:
    field = {"type": "field", "fieldType": "text", "recipient": "tenant"}
    blocks = [{**field, "label": "{{{tenant}}}"}, {**field, "label": "{{{address}}}"}]
    template = await make(service, document=lease(title="{{{note}}}", subtitle="x", blocks=blocks))

    answer = await refuse(
        service, template, variableValues={**VALUES, "note": "W" * 60, "tenant": "Same", "address": "Same"}
    )

    assert answer.json()["error"] == "DOCUMENT_VALIDATION_FAILED"
    assert [(issue["kind"], issue["path"], issue["file"]) for issue in answer.json()["issues"]] == [
        ("title-too-long", "/document/title", 0),
        ("duplicate-field-name", "/document/blocks/1/label", 0),
    ]


async def test_characters_of_a_value_that_no_font_can_draw_are_refused(service: Service) -> None:
    answer = await refuse(service, await make(service), variableValues={**VALUES, "tenant": "\U00012000"})

    assert set(issues_by_path(answer)) == {
        "/document/blocks/0/text",
        "/document/blocks/1/label",
        "/recipients/0/name",
    }


async def test_values_that_would_fill_the_memory_are_refused(service: Service) -> None:
    blocks = [{"type": "paragraph", "text": "{{{note}}}" * 2000}]
    template = await make(service, document=lease(subtitle="x", blocks=blocks))

    answer = await refuse(service, template, variableValues={**VALUES, "note": "n" * 1_000_000})

    assert issues_by_path(answer) == {
        "/variableValues": "With these values the document is too long. Give shorter ones."
    }


async def test_every_mistake_of_shape_is_listed_at_once(service: Service) -> None:
    answer = await post(
        service,
        "SessionFromTemplate",
        {
            "name": "",
            "recipients": [{"key": "a b", "name": "", "email": "nobody", "signingOrder": 0, "colour": 1}],
            "variableValues": [],
            "files": [],
            "expiryDays": 731,
            "reminderEnabled": None,
        },
    )

    assert answer.json()["error"] == "INVALID_REQUEST"
    assert set(issues_by_path(answer)) == {
        "/templateId",
        "/name",
        "/recipients/0/key",
        "/recipients/0/name",
        "/recipients/0/email",
        "/recipients/0/signingOrder",
        "/recipients/0/colour",
        "/variableValues",
        "/files",
        "/expiryDays",
        "/reminderEnabled",
    }


async def test_images_of_a_template_are_in_its_sessions(service: Service) -> None:
    upload = await service.http().post("/api/v1/Image", files={"file": ("logo.png", encoded(shades(120, 80)))})
    logo = {"fileId": upload.json()["fileId"]}

    session = await create(service, await make(service, document=lease(logo=logo)))

    held = service.sessions.held[SessionId(session["sessionId"])]
    prefix = f"organisations/{ORGANISATION}/sessions/{held.session_id}/images/"
    assert any(name.startswith(prefix) for name in service.objects.objects)
    assert (await source_of(service, session))["logo"] == logo


async def test_a_template_does_not_change_when_it_is_used(service: Service) -> None:
    template = await make(service)
    await create(service, template)

    assert (await get(service, f"Template/{template['templateId']}")).json() == template


async def test_the_same_request_again_gets_the_first_answer(service: Service) -> None:
    wanted = session_request((await make(service))["templateId"])

    async def send() -> httpx.Response:
        return await service.http().post("/api/v1/SessionFromTemplate", json=wanted, headers=KEY)

    first = await send()
    again = await send()
    for row in service.keys.rows.values():
        row.answer, row.tried_at = None, None
    late = await send()

    assert again.content == first.content
    assert again.headers["Idempotency-Replayed"] == "true"
    assert late.json() == first.json()
    assert len(service.sessions.held) == 1


async def test_many_sessions_are_made_from_one_template_at_once(service: Service) -> None:
    template = await make(service)

    made = await asyncio.gather(
        *(create(service, template, variableValues={**VALUES, "tenant": f"T{number}"}) for number in range(5))
    )

    assert {session["recipients"][0]["name"] for session in made} == {f"T{number}" for number in range(5)}


async def test_tokens_in_a_session_are_refused_still(service: Service) -> None:
    files = [{"type": "blocks", "document": template_request()["document"]}]
    recipients = [{"key": "tenant", "name": "Ada", "email": "ada@example.com"}]

    answer = await post(service, "Session", posted(files=files, recipients=recipients))

    assert {issue["kind"] for issue in answer.json()["issues"]} == {"tokens-in-session"}
