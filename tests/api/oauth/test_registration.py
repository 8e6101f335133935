"""Programs register: what they may say of themselves, and how many are kept."""

from dataclasses import replace
from typing import Any

import pytest

from adapters.database.tables.organisations import ApplicationRow
from application.oauth.registration import AT_MOST
from tests.api.oauth.program import Program
from tests.api.service import UNLIMITED
from tests.web.app.office import Office

GOOD = {"redirect_uris": ["https://assistant.example.com/callback"], "token_endpoint_auth_method": "none"}


async def test_a_program_is_told_what_it_has_registered(office: Office) -> None:
    answer = await office.service.http(None).post("/oidc/register", json={**GOOD, "client_name": "Assistant"})

    registered = answer.json()
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    assert {**registered, "client_id": "", "client_id_issued_at": 0} == {
        **GOOD,
        "client_id": "",
        "client_id_issued_at": 0,
        "client_name": "Assistant",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "scope": "read:sessions write:sessions delete:sessions read:templates write:templates write:files read:values",
    }


async def test_a_program_that_says_nothing_of_how_it_authenticates_gets_a_secret(office: Office) -> None:
    answer = await office.service.http(None).post("/oidc/register", json={"redirect_uris": GOOD["redirect_uris"]})

    registered = answer.json()
    assert registered["token_endpoint_auth_method"] == "client_secret_basic"
    assert len(registered["client_secret"]) == 43
    assert registered["client_secret_expires_at"] == 0
    (application,) = await office.service.database.read(ApplicationRow)
    assert registered["client_secret"] not in str(application)


async def test_what_is_not_known_is_passed_over(office: Office) -> None:
    members = {**GOOD, "logo_uri": "https://assistant.example.com/logo.png", "contacts": ["x"], "software_id": "1"}

    assert (await office.service.http(None).post("/oidc/register", json=members)).status_code == 201


@pytest.mark.parametrize(
    "address",
    [
        "http://assistant.example.com/callback",
        "https://assistant.example.com/callback#part",
        "https://ada@assistant.example.com/callback",
        "https:///callback",
        "https://assistant.example.com:0/",
        "https://assistant example.com/",
        "https://assistant.example.com/\u202e",
        "https://assistant.example.com\\@evil.example/",
        "http://127.0.0.1.evil.example/callback",
        "http://127.1/callback",
        "http://[::2]/callback",
        "javascript:alert(1)",
        "com.example.app:/callback",
        "data:text/html,x",
        "/callback",
        "",
        "https://assistant.example.com/" + "x" * 1000,
    ],
)
async def test_an_address_that_answers_may_not_be_sent_to_is_refused(office: Office, address: str) -> None:
    answer = await office.service.http(None).post("/oidc/register", json={**GOOD, "redirect_uris": [address]})

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_redirect_uri")
    assert answer.json()["error_description"]
    assert await office.service.database.read(ApplicationRow) == []


@pytest.mark.parametrize(
    ("members", "error"),
    [
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": "https://assistant.example.com"}, "invalid_redirect_uri"),
        ({"redirect_uris": [f"https://{n}.example.com/" for n in range(21)]}, "invalid_redirect_uri"),
        ({"token_endpoint_auth_method": "private_key_jwt"}, "invalid_client_metadata"),
        ({"grant_types": ["client_credentials"]}, "invalid_client_metadata"),
        ({"response_types": ["token"]}, "invalid_client_metadata"),
        ({"client_name": "x" * 101}, "invalid_client_metadata"),
        ({"client_name": 7}, "invalid_client_metadata"),
    ],
)
async def test_what_cannot_be_is_refused_with_the_error_of_the_standard(
    office: Office, members: dict[str, Any], error: str
) -> None:
    answer = await office.service.http(None).post("/oidc/register", json={**GOOD, **members})

    assert (answer.status_code, answer.json()["error"]) == (400, error)


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b"null"])
async def test_a_body_that_is_no_object_is_refused(office: Office, body: bytes) -> None:
    answer = await office.service.http(None).post("/oidc/register", content=body)

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  Claude\n  Desktop ", "Claude Desktop"),
        ("evil\u202egnp", "evil gnp"),
        ("A\u200bB", "A B"),
        ("\u200b", "assistant.example.com"),
        (None, "assistant.example.com"),
    ],
)
async def test_a_name_is_shown_in_one_line_without_signs_that_nobody_sees(
    office: Office, name: str | None, shown: str
) -> None:
    program = await Program(office, members={"client_name": name}).register()

    assert program.registered["client_name"] == shown


async def test_programs_that_nobody_lets_in_make_room_for_the_next(office: Office) -> None:
    first = await Program(office).register()
    let_in = await Program(office).register()
    tokens = await let_in.connect()

    for _ in range(AT_MOST):
        await Program(office).register()

    assert len(await office.service.database.read(ApplicationRow)) == AT_MOST + 1
    assert (await first.trade("code")).status_code == 401
    assert await let_in.call(tokens) == 200


async def test_programs_of_one_address_are_counted(office: Office) -> None:
    office.service.use(quotas=replace(UNLIMITED, registrations=10))
    http = office.service.http(None)

    answers = [(await http.post("/oidc/register", json=GOOD)).status_code for _ in range(11)]

    assert answers == [201] * 10 + [429]
