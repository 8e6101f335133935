"""A program asks for leave: what the person is shown, and what comes of each button."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from adapters.database.tables.organisations import ApprovalRow, GrantRow
from domain.shared.limits import UNLIMITED, SendingLimit
from tests.api.oauth.program import REDIRECT, Program, led_to, parameters
from tests.api.service import BASE_URL
from tests.builders import ORGANISATION
from tests.web.app.office import ADA, EVE, Office


@pytest.fixture
async def program(office: Office) -> Program:
    return await Program(office, members={"client_name": "Tidy <Assistant>"}).register()


async def budget(program: Program) -> SendingLimit:
    (grant,) = await program.office.service.grants.list(ORGANISATION, datetime.now(UTC))
    return grant.budget


async def test_the_question_names_program_host_organisation_person_and_each_scope(program: Program) -> None:
    page = await (await program.office.come_in()).look(program.question(scope="read:sessions write:files"))

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


async def test_what_people_entered_is_asked_for_by_name_and_allowed_by_hand(program: Program) -> None:
    ada = await program.office.come_in()

    unasked = await ada.look(program.question(scope=None))
    asked = await ada.look(program.question(scope="read:sessions read:values"))

    assert "Read what people entered" not in unasked.words
    assert "Read what people entered" in asked.words
    boxes = {box["value"]: "checked" in box for box in asked.all("input") if box.get("name") == "scope"}
    assert boxes == {"read:sessions": True, "read:values": False}


async def test_a_program_on_the_own_machine_is_said_to_be_one(office: Office) -> None:
    program = await Program(office, redirect="http://127.0.0.1:8123/callback").register()

    page = await (await office.come_in()).look(program.question())

    assert "127.0.0.1, an app on the device you’re using" in page.words


async def test_the_page_may_lead_to_the_program_and_nowhere_else(program: Program) -> None:
    answer = await (await program.office.come_in()).browser.get(program.question())

    policy = answer.headers["content-security-policy"]
    assert "form-action 'self' https://assistant.example.com;" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


async def test_looking_changes_nothing(program: Program) -> None:
    ada = await program.office.come_in()

    for method in ("GET", "HEAD"):
        assert (await ada.browser.request(method, program.question())).status_code == 200
    assert await program.office.service.database.read(ApprovalRow) == []


async def test_whoever_is_signed_out_signs_in_and_comes_back_to_the_same_question(program: Program) -> None:
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


async def test_what_is_ticked_is_approved_and_nothing_that_was_not_asked_for(program: Program) -> None:
    tokens = await program.connect(form={"scope": ["read:sessions", "write:files"]})

    assert tokens["scope"] == "read:sessions"


async def test_nothing_ticked_is_no_leave(program: Program) -> None:
    answer = await program.decided(await program.office.come_in(), program.question(), scope=[])

    assert answer.status_code == 200
    assert "Choose at least one permission" in answer.text
    assert await program.office.service.database.read(ApprovalRow) == []


async def test_twenty_recipients_a_day_are_proposed(program: Program) -> None:
    page = await (await program.office.come_in()).look(program.question())

    assert page.input("per_day")["value"] == "20"
    assert page.input("domains")["value"] == ""


async def test_the_program_is_held_to_what_was_entered(program: Program) -> None:
    await program.connect(form={"per_day": " 5 ", "domains": "Northwind.example; @example.com, example.com"})

    assert await budget(program) == SendingLimit(recipients_per_day=5, domains=("northwind.example", "example.com"))


async def test_nothing_entered_is_any_number_to_anybody(program: Program) -> None:
    await program.connect(form={"per_day": "", "domains": ""})

    assert await budget(program) == UNLIMITED


@pytest.mark.parametrize("number", ["-1", "1.5", "many", "100001", "0000000000001", "²", "٣"])
async def test_a_number_that_is_none_comes_again_with_what_to_do(program: Program, number: str) -> None:
    answer = await program.decided(await program.office.come_in(), program.question(), per_day=number)

    assert answer.status_code == 200
    assert "Enter a whole number from 0 to 100,000" in answer.text
    assert "form-action 'self' https://assistant.example.com;" in answer.headers["content-security-policy"]
    assert await program.office.service.database.read(ApprovalRow) == []


@pytest.mark.parametrize("domains", ["nowhere", "a b", "http://example.com", "ada@example.com", ".example.com", "a..b"])
async def test_domains_that_are_none_come_again_with_what_to_do(program: Program, domains: str) -> None:
    answer = await program.decided(await program.office.come_in(), program.question(), domains=domains)

    assert answer.status_code == 200
    assert "isn’t a domain" in answer.text


async def test_whoever_wants_to_be_somebody_else_comes_back_to_the_question(program: Program) -> None:
    ada = await program.office.come_in()

    out = await ada.press("/app/sign-out", to=program.question())

    assert parse_qs(urlsplit(out.headers["location"]).query) == {"out": ["1"], "to": [program.question()]}


async def test_the_list_shows_who_let_in_what_and_how_far_it_may_go(program: Program) -> None:
    await program.connect(form={"per_day": "5", "domains": "example.com"})

    words = (await (await program.office.come_in()).look("/app/organisation")).words

    for shown in (
        "Tidy <Assistant>",
        "See sessions",
        "at most 5 recipients per day (0 today)",
        "only at example.com",
        f"Approved by {ADA.name}",
    ):
        assert shown in words
    assert "Tidy" not in (await (await program.office.come_in(EVE)).look("/app/organisation")).words


async def test_ending_a_grant_ends_its_tokens_with_the_next_call(program: Program) -> None:
    tokens, ada = await program.connect(), await program.office.come_in()
    (grant,) = await program.office.service.database.read(GrantRow)

    ended = await ada.press("/app/organisation/end", client=grant.client_id)

    assert ended.headers["location"] == "/app/organisation?done=ended"
    assert await program.call(tokens) == 401
    assert (await program.refresh(tokens["refresh_token"])).status_code == 400
    assert "Tidy" not in (await ada.look("/app/organisation")).words
    again = await ada.press("/app/organisation/end", client=grant.client_id)
    assert again.headers["location"] == "/app/organisation?error=no-grant"


async def test_nobody_ends_a_grant_of_another_organisation(program: Program) -> None:
    tokens, eve = await program.connect(), await program.office.come_in(EVE)
    (grant,) = await program.office.service.database.read(GrantRow)

    answer = await eve.press("/app/organisation/end", client=grant.client_id)

    assert answer.headers["location"] == "/app/organisation?error=no-grant"
    assert await program.call(tokens) == 200


async def test_the_page_of_the_organisation_does_not_end_what_the_operator_made(office: Office) -> None:
    ada = await office.come_in()

    clients = await office.service.organisations.list_clients(None)
    for client in clients:
        await ada.press("/app/organisation/end", client=client.client_id)

    assert await office.service.organisations.list_clients(None) == clients
    assert {client.revoked_at for client in clients} == {None}


async def test_the_decision_leads_to_the_address_that_was_shown(program: Program) -> None:
    answer = await program.decided(
        await program.office.come_in(), program.question(), redirect_uri="https://evil.example.com/", client_id="x"
    )

    assert led_to(answer) == REDIRECT
    assert parameters(answer)["iss"] == BASE_URL


async def test_a_wrong_question_leads_on_only_where_the_program_works_for_the_own_organisation(
    program: Program,
) -> None:
    await program.connect()
    wrong = program.question(response_type="token")
    ada, eve = await program.office.come_in(), await program.office.come_in(EVE)

    answers = [await browser.get(wrong) for browser in (ada.browser, eve.browser, program.office.browser())]

    assert led_to(answers[0]) == REDIRECT
    assert [answer.status_code for answer in answers] == [303, 400, 400]
    assert all("location" not in answer.headers for answer in answers[1:])


async def test_a_program_whose_grant_was_ended_is_led_to_by_nobody(program: Program) -> None:
    await program.connect()
    ada = await program.office.come_in()
    (grant,) = await program.office.service.database.read(GrantRow)
    await ada.press("/app/organisation/end", client=grant.client_id)

    answer = await ada.browser.get(program.question(response_type="token"))

    assert answer.status_code == 400
