"""The way into the app: a link by mail, a button, a cookie."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from structlog.testing import capture_logs

from adapters.database.tables.organisations import SignInLinkRow
from domain.ports.limits import Quotas
from domain.ports.mail import MailNotSent, MailRejected
from domain.ports.sender_identity import SenderIdentity
from domain.ports.sign_ins import LinkLimits
from domain.shared.ids import UserId
from tests.activities.sample_mails import LOGO
from tests.api.service import STRANGER
from tests.builders import NOON, identifier
from tests.web.app.office import ADA, EVE, Office, Visitor
from tests.web.html import Page
from web.app import sign_in_page
from web.app.sign_in_page import safe_return_path


async def ask(office: Office, email: str = ADA.email, **form: str) -> httpx.Response:
    return await office.browser().post("/app/sign-in", data={"email": email, **form})


async def test_a_link_by_mail_with_the_logo_of_the_organisation_signs_in(office: Office) -> None:
    await office.service.identities.store(ADA.organisation_id, SenderIdentity(logo=LOGO))
    browser = office.browser()
    await browser.post("/app/sign-in", data={"email": " Ada@Northwind.example "})

    page = Page((await browser.get(office.mailed_link())).text)
    entered = await browser.post(office.mailed_link(), data={"user": str(page.all("button")[0]["value"])})

    assert (entered.status_code, entered.headers["location"]) == (303, "/app")
    assert ADA.name in (await browser.get("/app")).text
    [mail] = office.service.mailer.sent
    assert (mail.to_email, mail.subject, mail.logo) == (ADA.email, "Sign in to Northwind Trading", LOGO)


async def test_looking_at_a_link_changes_nothing_and_it_signs_in_once(office: Office) -> None:
    await ask(office)
    scanner = office.browser()

    for method in ("GET", "HEAD", "GET"):
        assert (await scanner.request(method, office.mailed_link())).status_code == 200
    assert not scanner.cookies
    assert (await scanner.post(office.mailed_link(), data={"user": ADA.user_id})).status_code == 303
    again = await office.browser().post(office.mailed_link(), data={"user": ADA.user_id})

    assert again.status_code == 410
    assert "no longer works" in again.text
    assert "Email me a new link" in again.text
    assert "/app/sign-in" in Page(again.text).links()
    assert "set-cookie" not in again.headers


async def test_only_the_hash_of_a_long_secret_is_stored_and_a_link_expires_after_fifteen_minutes(
    office: Office,
) -> None:
    await ask(office)
    [link] = await office.service.database.read(SignInLinkRow)
    secret = office.mailed_link().rpartition("/")[2]
    assert len(secret) == 43  # 256 bits
    assert secret not in str(link)
    assert timedelta(minutes=14) < link.ends_at - datetime.now(UTC) <= timedelta(minutes=15)

    def end(row: SignInLinkRow) -> None:
        row.ends_at = datetime.now(UTC)

    await office.service.database.edit(SignInLinkRow, end)

    assert (await office.browser().get(office.mailed_link())).status_code == 410
    assert (await office.browser().post(office.mailed_link(), data={"user": ADA.user_id})).status_code == 410


@pytest.mark.parametrize("user", [EVE.user_id, "nobody", ""])
async def test_a_link_signs_in_only_its_own_user_and_stays_valid_for_them(office: Office, user: str) -> None:
    await ask(office)
    assert (await office.browser().post(office.mailed_link(), data={"user": user})).status_code == 410
    assert (await office.browser().post(office.mailed_link(), data={"user": ADA.user_id})).status_code == 303


async def test_a_user_of_several_organisations_chooses_one(office: Office) -> None:
    elsewhere = replace(ADA, user_id=UserId(identifier("elsewhere")), organisation_id=STRANGER.organisation_id)
    await office.service.users.add(elsewhere)
    browser = office.browser()
    await browser.post("/app/sign-in", data={"email": ADA.email})

    buttons = Page((await browser.get(office.mailed_link())).text).all("button")
    assert [button["value"] for button in buttons] == [elsewhere.user_id, ADA.user_id]
    await browser.post(office.mailed_link(), data={"user": elsewhere.user_id})

    assert "Another" in (await browser.get("/app/organisation")).text
    assert [mail.subject for mail in office.service.mailer.sent] == ["Sign in to Undersign"]


async def test_whether_an_address_is_known_or_has_too_many_links_cannot_be_seen(office: Office) -> None:
    known, unknown = await ask(office, ADA.email), await ask(office, "ida@northwind.example")
    assert known.status_code == unknown.status_code == 200
    assert known.text.replace("ada@", "ida@") == unknown.text
    assert len(office.service.mailer.sent) == 1
    for _ in range(LinkLimits().of_place + 2):
        assert (await ask(office)).text == known.text
    assert len(office.service.mailer.sent) == LinkLimits().of_place


async def test_nothing_is_looked_up_before_the_answer_is_given(office: Office) -> None:
    told: list[str] = []
    people = office.service.sign_ins.list_members

    async def look_up(email: str) -> object:
        told.append("looked up")
        return await people(email)

    async def send(message: dict[str, object]) -> None:
        told.append(str(message["type"]))

    office.service.sign_ins.list_members = look_up  # type: ignore[method-assign, assignment]
    body = b"email=ada%40northwind.example"
    headers = [(b"content-type", b"application/x-www-form-urlencoded"), (b"host", b"sign.example.com")]
    scope = {
        "type": "http", "method": "POST", "path": "/app/sign-in", "headers": headers, "query_string": b"",
        "scheme": "http", "server": ("sign.example.com", 80), "client": ("192.0.2.7", 1), "http_version": "1.1",
    }  # fmt: skip

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    await office.service.app(scope, receive, send)  # type: ignore[arg-type]

    assert told == ["http.response.start", "http.response.body", "looked up"]


async def test_a_rejected_mail_is_no_error_and_a_disabled_user_gets_none(office: Office) -> None:
    office.service.mailer.failure = MailRejected("no such mailbox")
    assert (await ask(office)).status_code == 200
    office.service.mailer.failure = None
    await office.service.users.disable(ADA.user_id, NOON)
    assert (await ask(office)).status_code == 200
    assert not office.service.mailer.sent


@pytest.mark.parametrize("email", ["", "ada", "ada@", "a da@example.com", "@example.com", "a@" + "b" * 260])
async def test_an_invalid_address_shows_the_form_again_with_the_typed_text(office: Office, email: str) -> None:
    answer = await ask(office, email, to="/app/templates")

    page = Page(answer.text)
    assert answer.status_code == 422
    assert page.input("email")["value"] == email
    assert page.input("email")["aria-invalid"] == "true"
    assert page.input("to")["value"] == "/app/templates"


@pytest.mark.parametrize("email", [ADA.email, "nobody@example.com"])
async def test_an_address_is_counted_known_or_not(office: Office, email: str) -> None:
    office.service.app.state.services = office.service.services(quotas=Quotas())
    assert [(await ask(office, email)).status_code for _ in range(5)] == [200, 200, 200, 200, 429]


async def test_a_mail_server_that_fails_is_tried_again(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in_page, "RETRY_DELAYS", (0.0, 0.0))
    tries: list[str] = []
    office.service.mailer.failure = MailNotSent("not now")
    send = office.service.mailer.send

    async def try_to_send(mail: object) -> None:
        tries.append("tried")
        if len(tries) == 3:
            office.service.mailer.failure = None
        await send(mail)  # type: ignore[arg-type]

    office.service.mailer.send = try_to_send  # type: ignore[method-assign]
    await ask(office)

    assert len(tries) == 3
    assert len(office.service.mailer.sent) == 1


async def test_signing_in_leads_to_where_one_wanted_to_go(office: Office) -> None:
    browser = office.browser()
    asked = await browser.get("/app/templates?page=2")
    assert (asked.status_code, asked.headers["location"]) == (303, "/app/sign-in?to=%2Fapp%2Ftemplates%3Fpage%3D2")

    wanted = Page((await browser.get(asked.headers["location"])).text).input("to")["value"]
    await browser.post("/app/sign-in", data={"email": ADA.email, "to": str(wanted)})
    entered = await browser.post(office.mailed_link(), data={"user": ADA.user_id})

    assert entered.headers["location"] == "/app/templates?page=2"


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example", "//evil.example", "/\\evil.example", "/app//evil.example", "/appetite", "/app/../sign",
        "/app\n/x", "/app@evil.example", "/app.evil.example", "", "javascript:alert(1)", "/app/x\\y",
        "/app/" + "x" * 4000,
    ],
)  # fmt: skip
async def test_signing_in_leads_to_pages_of_the_app_only(office: Office, elsewhere: str) -> None:
    await ask(office, to=elsewhere)
    entered = await office.browser().post(office.mailed_link(), data={"user": ADA.user_id})
    assert entered.headers["location"] == "/app"
    for path in ("/app", "/app/sessions/0b7c1e4e-5f0a-4a39-8b64-5a4b2e6f7a01", "/app?status=draft&q=a+b%20c"):
        assert safe_return_path(path) == path


async def test_the_cookie_is_strictly_kept(office: Office) -> None:
    office.service.app.state.services = office.service.services(base_url="https://sign.example.com")
    browser = office.browser("https://sign.example.com")
    await browser.post("/app/sign-in", data={"email": ADA.email})
    path = office.service.mailer.sent[-1].text.partition("https://sign.example.com")[2].split()[0]

    cookie = (await browser.post(path, data={"user": ADA.user_id})).headers["set-cookie"]

    name, *attributes = cookie.split("; ")
    assert name.startswith("__Host-undersign-app=")
    assert {"HttpOnly", "Secure", "Path=/", "SameSite=lax", "Max-Age=43200"} <= set(attributes)
    assert not any(attribute.startswith("Domain") for attribute in attributes)


async def test_the_log_says_who_signed_in_and_by_what(office: Office) -> None:
    await ask(office)
    with capture_logs() as lines:
        await office.browser().post(office.mailed_link(), data={"user": ADA.user_id})
    [line] = [line for line in lines if line["event"] == "a user signed in"]
    assert (line["by"], line["user_id"], line["organisation_id"]) == ("email link", ADA.user_id, ADA.organisation_id)


async def test_signing_out_ends_it_at_once(office: Office, ada: Visitor) -> None:
    cookies = dict(ada.browser.cookies)
    out = await ada.press("/app/sign-out", on="/app")
    assert (out.headers["location"], out.headers["clear-site-data"]) == ("/app/sign-in?out=1", '"cache", "storage"')
    thief = office.browser()
    thief.cookies.update(cookies)
    assert (await thief.get("/app")).status_code == 303


async def test_a_disabled_user_is_signed_out_at_the_next_request(office: Office, ada: Visitor) -> None:
    await office.service.users.disable(ADA.user_id, NOON)
    assert (await ada.browser.get("/app")).headers["location"] == "/app/sign-in?to=%2Fapp"


async def test_a_form_of_another_site_or_another_user_is_refused(office: Office, ada: Visitor) -> None:
    token = str((await ada.look()).input("form")["value"])

    foreign = [
        await ada.browser.post("/app/sign-out", data={"form": token}, headers={"Sec-Fetch-Site": "cross-site"}),
        await ada.browser.post("/app/sign-out", data={"form": token}, headers={"Origin": "https://evil.example"}),
        await ada.browser.post("/app/sign-out", data={"form": "x"}),
        await (await office.come_in(EVE)).browser.post("/app/sign-out", data={"form": token}),
    ]

    assert [answer.status_code for answer in foreign] == [403] * 4
    assert (await ada.browser.get("/app")).status_code == 200


async def test_without_a_mail_server_a_local_visitor_gets_a_link_to_the_outbox(office: Office) -> None:
    here = "http://127.0.0.1:8080"
    form = {"email": ADA.email}
    local, remote = (office.browser(here, address=address) for address in ("127.0.0.1", "192.0.2.7"))
    assert "/outbox" not in (await local.post("/app/sign-in", data=form)).text
    office.service.app.state.services = office.service.services(outbox=object(), base_url=here)

    assert "/outbox" in (await local.post("/app/sign-in", data=form)).text
    assert "/outbox" not in (await remote.post("/app/sign-in", data=form)).text


async def test_the_links_secret_stays_out_of_the_log(office: Office, capsys: pytest.CaptureFixture[str]) -> None:
    await ask(office)
    link = office.mailed_link()

    await office.browser().get(link)
    await office.browser().post(link, data={"user": ADA.user_id})

    written = capsys.readouterr()
    assert "/app/sign-in/{secret}" in written.out
    assert link.rpartition("/")[2] not in written.out + written.err


async def test_only_the_browser_that_requested_the_link_is_redirected_to_its_page(office: Office) -> None:
    goal = "/app/authorize?client_id=somebody"
    mine, other, unknown = office.browser(), office.browser(), office.browser()
    await mine.post("/app/sign-in", data={"email": ADA.email, "to": goal})
    entered = await other.post(office.mailed_link(), data={"user": ADA.user_id})
    await mine.post("/app/sign-in", data={"email": ADA.email, "to": goal})
    again = await mine.post(office.mailed_link(), data={"user": ADA.user_id})
    answer = await unknown.post("/app/sign-in", data={"email": "nobody@northwind.example", "to": goal})
    await mine.post("/app/sign-in", data={"email": EVE.email, "to": goal})
    await other.post("/app/sign-in", data={"email": ADA.email, "to": goal})
    by_another_link = await mine.post(office.mailed_link(), data={"user": ADA.user_id})

    assert [entered.headers["location"], again.headers["location"]] == ["/app", goal]
    assert any(name.endswith("-asked") for name in answer.cookies)  # as for an address that is known
    assert by_another_link.headers["location"] == "/app"


@pytest.mark.parametrize("path", ["/app", "/app/sign-in", "/app/sign-in/x", "/app/nothing", "/app/sessions/x"])
async def test_every_response_forbids_foreign_content_caching_and_referrers(ada: Visitor, path: str) -> None:
    headers = (await ada.browser.get(path)).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert (headers["cache-control"], headers["referrer-policy"]) == ("no-store", "no-referrer")
