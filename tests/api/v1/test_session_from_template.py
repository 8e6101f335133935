"""Sessions from templates: filled with text, checked as any session is, made as any session is (Specification 4.13)."""

import asyncio
from typing import Any

import httpx
import pytest

from domain.shared.ids import SessionId
from tests.api.service import Service, issues_by_path
from tests.api.service import session_request as posted
from tests.api.templates import (
    VALUES,
    create_from,
    get,
    lease,
    make,
    post,
    refuse_from,
    session_request,
    source_of,
    template_request,
    use,
)
from tests.builders import ORGANISATION, identifier
from tests.layout.pictures import encoded, shades

KEY = {"Idempotency-Key": "lease 1"}
PARAGRAPH = {"type": "paragraph", "text": "x"}


async def test_values_stand_where_their_tokens_were(service: Service) -> None:
    session = await create_from(service, await make(service))

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
    filled = await source_of(service, await create_from(service, await make(service)))
    session = await create_from(service, await make(service), sendImmediately=True)
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
        own = {"sessionId", "createdAt", "updatedAt", "sentAt", "files", "recipients", "waitingFor", "warnings"}
        return {name: value for name, value in answer.items() if name not in own}

    async def events(answer: dict[str, Any]) -> list[str]:
        listed = (await get(service, f"Session/{answer['sessionId']}/Events")).json()["events"]
        return [event["type"] for event in listed]

    assert without_identity(session) == without_identity(plain)
    assert session["files"][0]["sha256"] == plain["files"][0]["sha256"]
    assert session["files"][0]["fileName"] == "Lease.pdf"
    assert await events(session) == await events(plain)
    read = (await get(service, f"Session/{session['sessionId']}")).json()
    created = {name: session[name] for name in ("warnings", "waitingFor")}  # the invitation has left since
    assert {**read, **created} == session


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({}, (30, True, "daily", "emailCode", "Please sign.", "Lease")),
        ({"expiryDays": None, "message": None}, (None, True, "daily", "emailCode", None, "Lease")),
        ({"expiryDays": 7, "reminderEnabled": False}, (7, False, "daily", "emailCode", "Please sign.", "Lease")),
        ({"reminderFrequency": "weekly", "name": "Own"}, (30, True, "weekly", "emailCode", "Please sign.", "Own")),
        ({"recipientVerification": "none"}, (30, True, "daily", "none", "Please sign.", "Lease")),
        ({"recipientVerification": "emailCode"}, (30, True, "daily", "emailCode", "Please sign.", "Lease")),
    ],
)
async def test_given_settings_override_the_template(service: Service, given: dict[str, Any], shown: Any) -> None:
    settings = {"expiryDays": 30, "reminderEnabled": True, "reminderFrequency": "daily", "message": "Please sign."}
    template = await make(service, **settings, recipientVerification="emailCode")

    session = await create_from(service, template, **given)

    held = service.sessions.held[SessionId(session["sessionId"])]
    names = ("expiryDays", "reminderEnabled", "reminderFrequency", "recipientVerification")
    assert (*(session[name] for name in names), held.message, session["name"]) == shown
    assert held.recipient_verification == session["recipientVerification"]


async def test_a_callback_address_is_taken_as_create_session_takes_it(service: Service) -> None:
    url = "https://example.com/callbacks"
    template = await make(service)

    assert (await create_from(service, template, callbackUrl=url))["callbackUrl"] == url
    assert set(issues_by_path(await use(service, template, callbackUrl="ftp://x"))) == {"/callbackUrl"}


async def test_a_draft_makes_no_sessions(service: Service) -> None:
    answer = await refuse_from(service, await make(service, activate=False))

    assert answer.json() == {
        "message": "The template is a draft; activate it before creating sessions from it.",
        "error": "TEMPLATE_NOT_ACTIVE",
    }


@pytest.mark.parametrize("template_id", [identifier("nothing"), "nothing"])
async def test_an_unknown_template_is_not_found(service: Service, template_id: str) -> None:
    answer = await post(service, "SessionFromTemplate", session_request(template_id))
    assert (answer.status_code, answer.json()["error"]) == (404, "NOT_FOUND")


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
async def test_recipients_are_given_by_place_or_key(
    service: Service, given: list[dict[str, Any]], names: list[str]
) -> None:
    session = await create_from(service, await make(service), recipients=given)
    assert [recipient["name"] for recipient in session["recipients"]] == names
    assert [recipient["key"] for recipient in session["recipients"]] == ["tenant", "landlord"]


async def test_the_signing_order_may_be_given_too(service: Service) -> None:
    given = [{"email": "a@example.com", "signingOrder": 2}, {"signingOrder": 1}]
    session = await create_from(service, await make(service), recipients=given)
    assert [recipient["signingOrder"] for recipient in session["recipients"]] == [2, 1]


async def test_recipients_that_the_template_does_not_have_are_refused(service: Service) -> None:
    given = [
        {"email": "ada@example.com"}, {"key": "stranger", "name": "x"}, {"name": "x"}, {"key": "tenant", "name": "x"},
    ]  # fmt: skip

    answer = await refuse_from(service, await make(service), recipients=given)

    assert answer.json()["error"] == "INVALID_REQUEST"
    assert set(issues_by_path(answer)) == {"/recipients/1/key", "/recipients/2", "/recipients/3"}


async def test_every_name_and_email_that_is_still_missing_is_named(service: Service) -> None:
    template = await make(
        service,
        document=lease(subtitle="x", blocks=[PARAGRAPH]),
        recipients=[{"key": "tenant", "name": "{{{note}}}"}, {"key": "landlord", "email": "{{{tenant}}}"}],
    )

    answer = await refuse_from(service, template, recipients=[])

    assert [(issue["path"], issue["message"]) for issue in answer.json()["issues"]] == [
        ("/recipients", "The template leaves the name of the recipient “tenant” blank. Give it in recipients."),
        ("/recipients", "The template leaves the email of the recipient “tenant” blank. Give it in recipients."),
        ("/recipients", "The template leaves the name of the recipient “landlord” blank. Give it in recipients."),
        (
            "/recipients",
            "The email of the recipient “landlord”, with the variables filled: "
            "Enter a full email address, like ada@example.com.",
        ),
    ]


@pytest.mark.parametrize(
    "given",
    [
        [{"key": "landlord", "name": "Lena Lord"}, {"key": "tenant", "name": "Tina Tenant"}],
        [{"key": "landlord", "email": "nobody"}, {"key": "tenant"}],
    ],
)
async def test_missing_and_bad_addresses_are_reported_at_their_places(service: Service, given: Any) -> None:
    recipients = [{"key": "tenant", "name": "Tina"}, {"key": "landlord", "name": "Lena"}]
    template = await make(service, document=lease(subtitle="x", blocks=[PARAGRAPH]), recipients=recipients)

    answer = await refuse_from(service, template, recipients=given)

    assert answer.json()["error"] == "INVALID_REQUEST"
    assert {path: "tenant" in message for path, message in issues_by_path(answer).items()} == {
        "/recipients/0/email": False,
        "/recipients/1/email": True,
    }
    assert answer.json()["message"].endswith("2 issues.")


async def test_an_unprintable_name_is_reported_at_its_place(service: Service) -> None:
    given = [{"key": "landlord", "name": "L \U000f0000"}, {"key": "tenant", "email": "ada@example.com"}]
    answer = await refuse_from(service, await make(service), recipients=given)
    assert issues_by_path(answer).keys() == {"/recipients/0/name"}


async def test_an_email_may_be_made_of_variables(service: Service) -> None:
    recipients = [{"key": "tenant", "name": "{{{tenant}}}", "email": "{{{ address }}}@Example.com"}]
    template = await make(service, recipients=recipients)

    session = await create_from(service, template, recipients=[], variableValues={**VALUES, "address": "Ada"})

    assert session["recipients"][0]["email"] == "ada@example.com"


async def test_every_mistake_of_shape_is_listed_at_once(service: Service) -> None:
    answer = await post(
        service,
        "SessionFromTemplate",
        {
            "name": "", "recipients": [{"key": "a b", "name": "", "email": "nobody", "signingOrder": 0, "colour": 1}],
            "variableValues": [], "files": [], "expiryDays": 731, "reminderEnabled": None,
        },
    )  # fmt: skip

    assert answer.json()["error"] == "INVALID_REQUEST"
    assert set(issues_by_path(answer)) == {
        "/templateId", "/name", "/recipients/0/key", "/recipients/0/name", "/recipients/0/email",
        "/recipients/0/signingOrder", "/recipients/0/colour", "/variableValues", "/files", "/expiryDays",
        "/reminderEnabled",
    }  # fmt: skip


async def test_images_of_a_template_are_in_its_sessions(service: Service) -> None:
    upload = await service.http().post("/api/v1/Image", files={"file": ("logo.png", encoded(shades(120, 80)))})
    logo = {"fileId": upload.json()["fileId"]}

    session = await create_from(service, await make(service, document=lease(logo=logo)))

    held = service.sessions.held[SessionId(session["sessionId"])]
    prefix = f"organisations/{ORGANISATION}/sessions/{held.session_id}/images/"
    assert any(name.startswith(prefix) for name in service.objects.objects)
    assert (await source_of(service, session))["logo"] == logo


async def test_a_template_does_not_change_when_it_is_used(service: Service) -> None:
    template = await make(service)
    await create_from(service, template)
    assert (await get(service, f"Template/{template['templateId']}")).json() == template


async def test_the_same_request_again_gets_the_first_answer(service: Service) -> None:
    request = session_request((await make(service))["templateId"])

    async def send() -> httpx.Response:
        return await service.http().post("/api/v1/SessionFromTemplate", json=request, headers=KEY)

    first = await send()
    again = await send()
    await service.lose_answers()
    late = await send()

    assert again.content == first.content
    assert again.headers["Idempotency-Replayed"] == "true"
    assert late.json() == first.json()
    assert len(service.sessions.held) == 1


async def test_many_sessions_are_made_from_one_template_at_once(service: Service) -> None:
    template = await make(service)

    made = await asyncio.gather(
        *(create_from(service, template, variableValues={**VALUES, "tenant": f"T{number}"}) for number in range(5))
    )

    assert {session["recipients"][0]["name"] for session in made} == {f"T{number}" for number in range(5)}


async def test_tokens_in_a_session_are_refused_still(service: Service) -> None:
    files = [{"type": "blocks", "document": template_request()["document"]}]
    recipients = [{"key": "tenant", "name": "Ada", "email": "ada@example.com"}]

    answer = await post(service, "Session", posted(files=files, recipients=recipients))

    assert {issue["kind"] for issue in answer.json()["issues"]} == {"tokens-in-session"}
