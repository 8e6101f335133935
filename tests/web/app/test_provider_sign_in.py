"""The way into the app by an OpenID provider: a real one on a socket. `test_provider_tokens.py` has the tokens."""

from base64 import urlsafe_b64encode
from dataclasses import replace
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

import pytest
from structlog.testing import capture_logs

from application.tokens.openid_code_flow import REDIRECT_PATH
from domain.ports.limits import Quotas
from domain.shared.ids import UserId
from tests.api.service import BASE_URL, STRANGER
from tests.builders import NOON, identifier
from tests.http_requests import local_client
from tests.issuer import DISCOVERY, Answer
from tests.openid_provider import TOKEN, Provider
from tests.web.app.office import ADA, EVE, Office
from tests.web.app.provider import NAME, START, at_provider, changed, come_back, parameter, told, use
from tests.web.html import Page

CHOICE = "/app/sign-in/provider/organisation"
COOKIE = "undersign-app-provider"


async def test_the_provider_leads_to_the_page_that_was_wanted(acme: Office) -> None:
    browser = acme.browser()
    asked = await browser.get("/app/templates?page=2")
    page = Page((await browser.get(asked.headers["location"])).text)
    [button] = [link for link in page.all("a") if link.get("class") == "button wide"]
    assert f"Continue with {NAME}" in page.words

    with capture_logs() as lines:
        entered = await come_back(acme, browser, str(button["href"]))

    assert (entered.status_code, entered.headers["location"]) == (303, "/app/templates?page=2")
    assert ADA.name in (await browser.get("/app")).text
    assert COOKIE not in browser.cookies
    assert [(line["by"], line["user_id"]) for line in lines if line["event"] == "a user signed in"] == [
        ("provider", ADA.user_id)
    ]


async def test_where_the_provider_is_the_only_way_no_link_opens_anything(acme: Office) -> None:
    browser = acme.browser()
    await browser.post("/app/sign-in", data={"email": ADA.email})
    link, services = acme.mailed_link(), acme.service.app.state.services
    known = replace(services.sign_in_provider, is_only_way=True)
    acme.service.app.state.services = replace(services, sign_in_provider=known)

    page = Page((await browser.get("/app/sign-in")).text)
    assert f"Continue with {NAME}" in page.words
    assert list(page.all("form")) == []
    opened = await browser.get(link)
    assert (opened.status_code, opened.headers["location"]) == (303, "/app/sign-in")
    assert (await browser.post(link)).status_code == 410
    mails = len(acme.service.mailer.sent)
    assert (await browser.post("/app/sign-in", data={"email": ADA.email})).status_code == 403
    assert len(acme.service.mailer.sent) == mails
    assert (await come_back(acme, browser)).headers["location"] == "/app"


async def test_a_sign_in_lasts_and_ends_as_one_by_a_link(acme: Office) -> None:
    browser = acme.browser()
    entered = await come_back(acme, browser)
    cookie = next(text for text in entered.headers.get_list("set-cookie") if text.startswith("undersign-app="))
    assert {"HttpOnly", "Path=/", "SameSite=lax", "Max-Age=43200"} <= set(cookie.split("; "))

    await acme.service.users.disable(ADA.user_id, NOON)

    assert (await browser.get("/app")).headers["location"] == "/app/sign-in?to=%2Fapp"


async def test_nothing_of_the_question_can_be_guessed_and_everything_needed_is_asked(acme: Office) -> None:
    one, other = [(await acme.browser().get(START)).headers["location"] for _ in range(2)]
    for name in ("state", "nonce", "code_challenge"):
        assert len(parameter(one, name)) == 43  # 256 bits
        assert parameter(one, name) != parameter(other, name)
    assert parameter(one, "code_challenge_method") == "S256"
    assert parameter(one, "redirect_uri") == f"{BASE_URL}/app/sign-in/provider/callback"


async def test_the_cookie_of_a_sign_in_is_strictly_kept_and_short(office: Office, provider: Provider) -> None:
    async with local_client() as http:
        use(office, provider, http, base_url="https://sign.example.com")
        begun = await office.browser("https://sign.example.com").get(START)

    name, *attributes = begun.headers["set-cookie"].split("; ")
    assert name.startswith("__Host-undersign-app-provider=")
    assert {"HttpOnly", "Secure", "Path=/", "SameSite=lax", "Max-Age=600"} <= set(attributes)


async def test_a_page_with_an_address_too_long_for_a_cookie_is_left_out(acme: Office) -> None:
    text = "".join(urlsafe_b64encode(sha256(bytes([number])).digest()).decode() for number in range(90))
    entered = await come_back(acme, start=f"{START}?{urlencode({'to': f'/app?q={text}'})}")
    assert entered.headers["location"] == "/app"


@pytest.mark.parametrize("elsewhere", ["https://evil.example", "//evil.example", "/app/../sign"])
async def test_signing_in_leads_to_pages_of_the_app_only(acme: Office, elsewhere: str) -> None:
    entered = await come_back(acme, start=f"{START}?{urlencode({'to': elsewhere})}")
    assert entered.headers["location"] == "/app"


async def test_a_user_of_several_organisations_chooses_one(acme: Office) -> None:
    elsewhere = replace(ADA, user_id=UserId(identifier("elsewhere")), organisation_id=STRANGER.organisation_id)
    await acme.service.users.add(elsewhere)
    browser = acme.browser()
    choice = await come_back(acme, browser, f"{START}?to=/app/organisation")
    assert choice.headers["location"] == CHOICE

    buttons = Page((await browser.get(CHOICE)).text).all("button")
    assert [button["value"] for button in buttons] == [elsewhere.user_id, ADA.user_id]
    foreign = [
        await browser.post(CHOICE, data={"user": EVE.user_id}),
        await acme.browser().post(CHOICE, data={"user": ADA.user_id}),
        await browser.post(CHOICE, data={"user": ADA.user_id}, headers={"Sec-Fetch-Site": "cross-site"}),
    ]
    entered = await browser.post(CHOICE, data={"user": elsewhere.user_id})

    assert [answer.status_code for answer in foreign] == [400, 400, 403]
    assert entered.headers["location"] == "/app/organisation"
    assert "Another" in (await browser.get("/app/organisation")).text
    assert (await browser.get(CHOICE)).status_code == 400  # the choice is over


async def test_the_cookie_of_one_step_is_none_of_another(acme: Office) -> None:
    browser = acme.browser()
    await at_provider(browser)
    browser.cookies.set("undersign-app-verified", browser.cookies[COOKIE])
    assert (await browser.get(CHOICE)).status_code == 400
    browser.cookies.set(COOKIE, "invented")
    assert (await browser.get(REDIRECT_PATH)).status_code == 400


async def test_a_state_works_once_and_in_its_own_browser(acme: Office) -> None:
    mine, other, thief = acme.browser(), acme.browser(), acme.browser()
    back, other_back = await at_provider(mine), await at_provider(other)
    thief.cookies.update(dict(mine.cookies))
    code, other_state = parameter(back, "code"), parameter(other_back, "state")

    refused = [
        await acme.browser().get(back),  # a browser that began nothing
        await other.get(back),
        await mine.get(changed(back, state=other_state)),
        await mine.get(changed(back, state=None)),
        await mine.get(REDIRECT_PATH),
    ]
    entered = await mine.get(back)
    refused += [
        await mine.get(back),  # again
        await thief.get(back),  # again with the cookie of before: the code is used
        await other.get(changed(other_back, code=code)),
    ]

    assert entered.status_code == 303
    assert [answer.status_code for answer in refused] == [400] * 8
    assert all("start again" in told(answer) for answer in refused)


async def test_a_code_of_another_sign_in_proves_nothing(acme: Office) -> None:
    """The code of an attacker, in the address that a victim opens with a state of their own."""
    attacker, victim = acme.browser(), acme.browser()
    code = parameter(await at_provider(attacker), "code")
    answer = await victim.get(changed(await at_provider(victim), code=code))
    assert answer.status_code == 400
    assert "start again" in told(answer)


@pytest.mark.parametrize(
    ("parameters", "status", "refusal"),
    [
        ({"code": None, "error": "access_denied"}, 403, "didn’t sign you in"),
        ({"code": None, "error": "<script>alert(1)</script>"}, 403, "didn’t sign you in"),
        ({"error": "login_required"}, 403, "didn’t sign you in"),
        ({"code": None}, 403, "didn’t sign you in"),
        ({"code": None, "error": "server_error"}, 503, "isn’t answering"),
        ({"code": None, "error": "temporarily_unavailable"}, 503, "isn’t answering"),
        ({"iss": "https://elsewhere.example.com"}, 403, "We couldn’t confirm"),
        ({"code": "x" * 3000}, 400, "start again"),
    ],
    ids=str,
)
async def test_another_answer_of_the_provider_is_a_page(
    acme: Office, parameters: dict[str, str | None], status: int, refusal: str
) -> None:
    browser = acme.browser()
    answer = await browser.get(changed(await at_provider(browser, f"{START}?to=/app/templates"), **parameters))

    assert answer.status_code == status
    assert refusal in told(answer)
    assert "script>alert" not in answer.text
    assert Page(answer.text).input("to")["value"] == "/app/templates"
    assert COOKIE not in browser.cookies


async def test_an_error_at_the_provider_comes_back(acme: Office, provider: Provider) -> None:
    provider.error = "access_denied"
    assert "didn’t sign you in" in told(await come_back(acme))


@pytest.mark.parametrize("page", [DISCOVERY, TOKEN, "/keys"])
@pytest.mark.parametrize("content", [503, b"<html>", {"error": "x"}])
async def test_an_outage_is_a_page_and_links_go_on(acme: Office, provider: Provider, page: str, content: Any) -> None:
    browser = acme.browser()
    provider.issuer.pages[page] = content
    if page == TOKEN:
        answer = await come_back(acme, browser)
    else:
        answer = await browser.get(START)

    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert "isn’t answering" in told(answer)
    await browser.post("/app/sign-in", data={"email": ADA.email})
    assert (await browser.post(acme.mailed_link(), data={"user": ADA.user_id})).status_code == 303


async def test_a_provider_that_stops_while_a_user_is_there_is_a_page(acme: Office, provider: Provider) -> None:
    browser = acme.browser()
    back = await at_provider(browser)
    provider.issuer.pages[TOKEN] = lambda _: Answer(500, b"")
    assert (await browser.get(back)).status_code == 503


async def test_a_disabled_user_is_refused(acme: Office) -> None:
    await acme.service.users.disable(ADA.user_id, NOON)
    assert "There’s no account for" in told(await come_back(acme))


async def test_no_account_is_created(acme: Office, provider: Provider) -> None:
    provider.claims["email"] = "grace@northwind.example"
    await come_back(acme)
    assert await acme.service.users.find_by_email("grace@northwind.example") == ()


async def test_another_site_cannot_begin_a_sign_in(acme: Office, provider: Provider) -> None:
    answer = await acme.browser().get(START, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    assert provider.issuer.asked == []


async def test_requests_are_counted_by_address(office: Office, provider: Provider) -> None:
    async with local_client() as http:
        use(office, provider, http, quotas=Quotas())
        statuses = [(await office.browser().get(path)).status_code for path in (START, REDIRECT_PATH) * 21]
    assert statuses == [303, 400] * 20 + [429, 429]


async def test_neither_code_nor_token_nor_address_is_in_the_log(
    acme: Office, provider: Provider, capsys: pytest.CaptureFixture[str]
) -> None:
    for email in (ADA.email, "nobody@northwind.example"):
        provider.claims["email"] = email
        browser = acme.browser()
        back = await at_provider(browser)
        await browser.get(back)
        written = "".join(capsys.readouterr())
        assert REDIRECT_PATH in written
        assert not any(text in written for text in (email, parameter(back, "state")))


@pytest.mark.parametrize("path", [START, REDIRECT_PATH, CHOICE])
async def test_without_a_provider_there_is_nothing(office: Office, path: str) -> None:
    assert (await office.browser().get(path)).status_code == 404
    assert "provider" not in (await office.browser().get("/app/sign-in")).text
