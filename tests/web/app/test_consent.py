"""The consent page, and the result of each button."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from adapters.database.tables.organisations import ApprovalRow, GrantRow
from domain.shared.sending_limit import UNLIMITED, SendingLimit
from tests.api.oauth.program import REDIRECT, Program, led_to, parameters
from tests.api.service import BASE_URL
from tests.builders import ORGANISATION
from tests.web.app.office import ADA, EVE, Office, Visitor
from tests.web.html import Page


async def budget(program: Program) -> SendingLimit:
    (grant,) = await program.office.service.grants.list(ORGANISATION, datetime.now(UTC))
    return grant.budget


async def test_the_question_names_program_host_organisation_person_and_each_scope(
    program: Program, ada: Visitor
) -> None:
    page = await ada.look(program.question(scope="read:sessions write:files"))

    for shown in (
        "Tidy <Assistant>",
        "assistant.example.com",
        "Northwind Trading",
        ADA.name,
        ADA.email,
        "See sessions",
        "Upload files",
    ):
        assert shown in page.words
    assert "Create and send sessions" not in page.words
    assert "Maximum recipients emailed" not in page.words  # it cannot mail anybody


async def test_the_scope_of_values_must_be_requested_by_name_and_ticked(program: Program, ada: Visitor) -> None:
    unasked = await ada.look(program.question(scope=None))
    asked = await ada.look(program.question(scope="read:sessions read:values"))

    assert "Read what people entered" not in unasked.words
    assert "Read what people entered" in asked.words
    boxes = {box["value"]: "checked" in box for box in asked.all("input") if box.get("name") == "scope"}
    assert boxes == {"read:sessions": True, "read:values": False}


async def test_a_program_on_the_own_machine_is_named_as_such(office: Office, ada: Visitor) -> None:
    program = await Program(office, redirect="http://127.0.0.1:8123/callback").register()
    assert "127.0.0.1, an app on the device you’re using" in (await ada.look(program.question())).words


async def test_the_page_proposes_twenty_recipients_a_day_and_redirects_to_the_program_only(
    program: Program, ada: Visitor
) -> None:
    answer = await ada.browser.get(program.question())

    page, policy = Page(answer.text), answer.headers["content-security-policy"]
    assert page.input("per_day")["value"] == "20"
    assert page.input("domains")["value"] == ""
    assert "form-action 'self' https://assistant.example.com;" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


async def test_looking_changes_nothing(program: Program, ada: Visitor) -> None:
    for method in ("GET", "HEAD"):
        assert (await ada.browser.request(method, program.question())).status_code == 200
    assert await program.office.service.database.read(ApprovalRow) == []


async def test_after_signing_in_the_same_consent_page_is_shown(program: Program) -> None:
    browser = program.office.browser()

    away = await browser.get(program.question(state="long " * 300))
    entrance = await browser.get(away.headers["location"])
    wanted = parse_qs(urlsplit(away.headers["location"]).query)["to"][0]
    await browser.post("/app/sign-in", data={"email": ADA.email, "to": wanted})
    entered = await browser.post(program.office.mailed_link(), data={"user": ADA.user_id})

    assert entrance.status_code == 200
    assert entered.headers["location"] == wanted
    assert "Tidy &lt;Assistant&gt;" in (await browser.get(wanted)).text


async def test_a_button_that_is_pressed_after_the_sign_in_is_over_leads_back_to_the_question(program: Program) -> None:
    answer = await program.office.browser().post(program.question(), data={"decision": "allow"})
    assert parse_qs(urlsplit(answer.headers["location"]).query)["to"] == [program.question()]


async def test_a_decision_needs_the_page_of_the_same_sign_in(program: Program) -> None:
    ada, eve = await program.office.come_in(), await program.office.come_in(EVE)
    token = str((await eve.look(program.question())).all("input")[0]["value"])

    for form in ({}, {"form": token}):
        answer = await ada.browser.post(
            program.question(), data={"decision": "allow", "scope": "read:sessions", **form}
        )
        assert answer.status_code == 403
    other_site = await ada.browser.post(program.question(), headers={"Sec-Fetch-Site": "cross-site"})
    assert other_site.status_code == 403
    assert await program.office.service.database.read(ApprovalRow) == []


async def test_only_ticked_scopes_that_were_requested_are_approved(program: Program, ada: Visitor) -> None:
    answer = await program.decided(ada, program.question(), scope=[])
    assert answer.status_code == 200
    assert "Choose at least one permission" in answer.text
    assert await program.office.service.database.read(ApprovalRow) == []
    assert (await program.connect(form={"scope": ["read:sessions", "write:files"]}))["scope"] == "read:sessions"


@pytest.mark.parametrize(
    ("per_day", "domains", "limit"),
    [
        (
            " 5 ",
            "Northwind.example; @example.com, example.com",
            SendingLimit(recipients_per_day=5, domains=("northwind.example", "example.com")),
        ),
        ("", "", UNLIMITED),
    ],
)
async def test_the_program_has_the_sending_limit_that_was_entered(
    program: Program, per_day: str, domains: str, limit: SendingLimit
) -> None:
    await program.connect(form={"per_day": per_day, "domains": domains})
    assert await budget(program) == limit


NUMBER, DOMAIN = "Enter a whole number from 0 to 100,000", "isn’t a domain"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        *(("per_day", value, NUMBER) for value in ("-1", "1.5", "many", "100001", "0000000000001", "²", "٣")),
        *(("domains", value, DOMAIN) for value in ("nowhere", "a b", "http://example.com", "ada@example.com")),
        *(("domains", value, DOMAIN) for value in (".example.com", "a..b")),
    ],
)
async def test_an_invalid_number_or_domain_shows_the_page_again_with_what_to_do(
    program: Program, name: str, value: str, words: str, ada: Visitor
) -> None:
    answer = await program.decided(ada, program.question(), **{name: value})

    assert answer.status_code == 200
    assert words in answer.text
    assert "form-action 'self' https://assistant.example.com;" in answer.headers["content-security-policy"]
    assert await program.office.service.database.read(ApprovalRow) == []


async def test_signing_out_on_the_consent_page_leads_back_to_it(program: Program, ada: Visitor) -> None:
    out = await ada.press("/app/sign-out", to=program.question())
    assert parse_qs(urlsplit(out.headers["location"]).query) == {"out": ["1"], "to": [program.question()]}


async def test_the_decision_leads_to_the_address_that_was_shown(program: Program, ada: Visitor) -> None:
    answer = await program.decided(ada, program.question(), redirect_uri="https://evil.example.com/", client_id="x")
    assert led_to(answer) == REDIRECT
    assert parameters(answer)["iss"] == BASE_URL


async def test_a_wrong_question_leads_on_only_where_the_program_has_a_grant_of_the_own_organisation(
    program: Program, ada: Visitor
) -> None:
    await program.connect()
    wrong, eve = program.question(response_type="token"), await program.office.come_in(EVE)

    answers = [await browser.get(wrong) for browser in (ada.browser, eve.browser, program.office.browser())]

    assert led_to(answers[0]) == REDIRECT
    assert [answer.status_code for answer in answers] == [303, 400, 400]
    assert all("location" not in answer.headers for answer in answers[1:])
    (grant,) = await program.office.service.database.read(GrantRow)
    await ada.press("/app/organisation/end", client=grant.client_id)
    assert (await ada.browser.get(wrong)).status_code == 400
