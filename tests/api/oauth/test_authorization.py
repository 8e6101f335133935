"""What a program may ask, and where answers go."""

from typing import Any

import pytest

from adapters.database.tables.organisations import ApprovalRow
from tests.api.oauth.program import REDIRECT, STATE, Program, led_to, parameters
from tests.api.service import BASE_URL
from tests.web.app.office import Office


async def trusted(program: Program) -> Program:
    """The program, which somebody has let in before."""
    await program.connect()
    return program


async def test_the_answer_has_the_code_the_state_as_it_was_and_who_answers(program: Program) -> None:
    answer = await program.decided(await program.office.come_in(), program.question())

    told = parameters(answer)
    assert (answer.status_code, led_to(answer)) == (303, REDIRECT)
    assert (told.keys(), told["state"], told["iss"]) == ({"code", "state", "iss"}, STATE, BASE_URL)
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"


async def test_bytes_in_the_state_that_are_no_text_come_back_as_they_were(program: Program) -> None:
    path = program.question(state=None) + "&state=%FF%00%C3%BC"

    answer = await program.decided(await program.office.come_in(), path)

    assert "state=%FF%00%C3%BC&" in answer.headers["location"]


async def test_an_address_with_a_query_of_its_own_keeps_it(office: Office) -> None:
    program = await Program(office, redirect=f"{REDIRECT}?tenant=7").register()

    answer = await program.decided(await office.come_in(), program.question())

    assert answer.headers["location"].startswith(f"{REDIRECT}?tenant=7&code=")


async def test_whoever_says_no_is_led_back_without_a_code(program: Program) -> None:
    answer = await program.decided(await program.office.come_in(), program.question(), decision="deny")

    told = parameters(answer)
    assert (led_to(answer), told["error"], told["state"], told["iss"]) == (REDIRECT, "access_denied", STATE, BASE_URL)
    assert await program.office.service.database.read(ApprovalRow) == []


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "S512"}, "invalid_request"),
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code token"}, "unauthorized_client"),
        ({"response_type": None}, "invalid_request"),
        ({"scope": "everything"}, "invalid_scope"),
        ({"resource": "https://elsewhere.example.com"}, "invalid_target"),
        ({"resource": [f"{BASE_URL}/mcp", f"{BASE_URL}/api/v1"]}, "invalid_target"),
    ],
)
async def test_a_wrong_question_is_answered_to_the_program_with_what_to_do(
    program: Program, changes: dict[str, Any], error: str
) -> None:
    await trusted(program)

    answer = await (await program.office.come_in()).browser.get(program.question(**changes))

    told = parameters(answer)
    assert (answer.status_code, led_to(answer), told["error"]) == (303, REDIRECT, error)
    assert (told["state"], told["iss"]) == (STATE, BASE_URL)
    assert told["error_description"]


async def test_nobody_is_led_on_by_a_program_that_nobody_has_let_in(program: Program) -> None:
    page = await (await program.office.come_in()).look(program.question(scope="everything"), 400)

    assert page.all("a")[-1]["href"].startswith(f"{REDIRECT}?error=invalid_scope&")  # type: ignore[union-attr]
    assert "Back to assistant.example.com" in page.words


@pytest.mark.parametrize(
    "changes",
    [
        {"redirect_uri": "https://assistant.example.com/callback/"},
        {"redirect_uri": "https://assistant.example.com/callback?x=1"},
        {"redirect_uri": "https://assistant.example.com:8443/callback"},
        {"redirect_uri": "https://ASSISTANT.example.com/callback"},
        {"redirect_uri": "https://assistant.example.com.evil.example/callback"},
        {"redirect_uri": "http://assistant.example.com/callback"},
        {"redirect_uri": "javascript:alert(1)"},
        {"redirect_uri": ["https://assistant.example.com/callback", "https://evil.example.com/"]},
        {"client_id": "0b7c1e4e-5f0a-4a39-8b64-5a4b2e6f7a01"},
        {"client_id": "nobody"},
        {"client_id": None},
    ],
)
async def test_without_a_known_program_and_its_own_address_nothing_is_answered_to_anybody(
    program: Program, changes: dict[str, Any]
) -> None:
    await trusted(program)

    answer = await (await program.office.come_in()).browser.get(program.question(**changes))

    assert answer.status_code == 400
    assert "location" not in answer.headers
    assert "evil" not in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
async def test_a_program_on_the_own_machine_may_come_with_any_port(office: Office, host: str) -> None:
    program = await Program(office, redirect=f"http://{host}/callback").register()
    program.redirect = f"http://{host}:54321/callback"

    tokens = await program.connect()

    assert await program.call(tokens) == 200


async def test_on_the_own_machine_the_path_still_counts(office: Office) -> None:
    program = await Program(office, redirect="http://127.0.0.1/callback").register()
    program.redirect = "http://127.0.0.1:54321/other"

    answer = await (await office.come_in()).browser.get(program.question())

    assert answer.status_code == 400


async def test_a_program_with_one_address_need_not_name_it(program: Program) -> None:
    answer = await program.decided(await program.office.come_in(), program.question(redirect_uri=None))

    assert led_to(answer) == REDIRECT


async def test_scopes_that_are_not_ours_are_passed_over(program: Program) -> None:
    tokens = await program.connect(scope="openid offline_access read:sessions")

    assert tokens["scope"] == "read:sessions"


async def test_who_asks_for_no_scope_asks_for_all(program: Program) -> None:
    page = await (await program.office.come_in()).look(program.question(scope=None))

    boxes = [box for box in page.all("input") if box.get("name") == "scope"]
    assert len(boxes) == 6
    assert [box["value"] for box in boxes if "checked" not in box] == ["delete:sessions"]
