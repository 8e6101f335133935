from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest

from adapters.mail.file_mailer import FileMailer
from domain.ports.mail import Mail
from domain.session.signing_links import make_token
from domain.shared.ids import SessionId
from tests.builders import ORGANISATION, identifier
from tests.web.desk import BASE_URL, Desk
from tests.web.html import Page

HERE = "http://127.0.0.1:8080"
LINK = f"http://127.0.0.1:8080/sign/{make_token(ORGANISATION, SessionId(identifier('a')), bytes([255]) * 32)}"


def browser_here(directory: Path, base_url: str = HERE, **headers: str) -> httpx.AsyncClient:
    """A browser on the machine of the service, whose mails are in `directory`."""
    return Desk(outbox=directory, base_url=base_url).browser(address="127.0.0.1", **headers)


async def send(directory: Path, minute: int = 0, **members: str) -> None:
    mail = {
        "message_id": f"{minute}@example.com",
        "to_name": "Ada Lovelace",
        "to_email": "ada@example.com",
        "from_name": "Northwind Trading",
        "subject": "Please sign",
        "text": f"Hello Ada,\n\nopen the documents:\n{LINK}\n",
        "html": "<p>Hello</p>",
        **members,
    }
    sent = Mail(**mail, sent_at=datetime(2026, 11, 21, 9, minute, tzinfo=UTC))
    await FileMailer(directory, "sign@example.com").send(sent)


async def test_mails_are_listed_newest_first_and_shown_with_links(tmp_path: Path) -> None:
    for minute, subject in ((1, "Lease"), (2, "Loan")):
        await send(tmp_path, minute, subject=subject)
    browser = browser_here(tmp_path)
    page = Page((await browser.get("/outbox")).text)

    first, _ = [link for link in page.links() if link.startswith("/outbox/")]
    mail = Page((await browser.get(first)).text)

    assert page.words.index("Loan") < page.words.index("Lease")
    assert "ada@example.com" in page.words
    assert LINK in mail.links()
    assert "21 November 2026, 09:02 UTC" in mail.words


async def test_a_mail_is_text_never_markup_and_links_to_the_web_only(tmp_path: Path) -> None:
    await send(
        tmp_path,
        subject="<script>alert(1)</script>",
        to_name="<img src=x>",
        text='<script>alert(1)</script> javascript:alert(1) https://example.com/"onmouseover=x data:text/html,x',
    )
    browser = browser_here(tmp_path)
    page = Page((await browser.get("/outbox")).text)

    mail = Page((await browser.get(next(link for link in page.links() if link.startswith("/outbox/")))).text)

    for shown in (page, mail):
        assert [script for script in shown.all("script") if not str(script.get("src")).startswith("/assets/")] == []
        assert [image for image in shown.all("img") if image.get("src") == "x"] == []
        assert not [a for _, attributes in shown.tags for a in attributes if a.startswith("on")]
        assert not [link for link in shown.links() if not link.startswith(("/", "#", "https://example.com/"))]


async def test_an_empty_outbox_is_a_page_and_without_an_outbox_there_is_none(tmp_path: Path, desk: Desk) -> None:
    empty = await browser_here(tmp_path / "not made yet").get("/outbox")
    assert empty.status_code == HTTPStatus.OK
    assert "No emails yet" in Page(empty.text).words
    for path in ("/outbox", "/outbox/x.eml"):
        answer = await desk.browser().get(path)
        assert answer.status_code == HTTPStatus.NOT_FOUND
        assert "Page not found" in Page(answer.text).words


async def test_mails_are_searched_and_paged(tmp_path: Path) -> None:
    for minute in range(53):
        await send(tmp_path, minute, subject=f"Lease {minute}", to_email=f"tenant{minute}@example.com")
    browser = browser_here(tmp_path)

    async def shown(query: str) -> list[str]:
        page = Page((await browser.get(f"/outbox{query}")).text)
        return [link for link in page.links() if link.startswith("/outbox/")]

    assert [len(await shown(query)) for query in ("", "?page=2", "?page=9")] == [50, 3, 3]
    assert [len(await shown(f"?q={words}")) for words in ("LEASE+52", "tenant7@", "nothing")] == [1, 1, 0]
    found = Page((await browser.get("/outbox?q=nothing")).text)
    assert "0 emails found." in found.words
    assert "/outbox?q=lease&page=2" in Page((await browser.get("/outbox?q=lease")).text).links()


async def test_a_mail_is_shown_as_it_looks_in_a_frame_that_runs_and_loads_nothing(tmp_path: Path) -> None:
    await send(tmp_path, html="<html><head></head><body><p>Hello</p><script>alert(1)</script></body></html>")
    browser = browser_here(tmp_path)
    page = Page((await browser.get("/outbox")).text)
    mail = await browser.get(next(link for link in page.links() if link.startswith("/outbox/")))
    (frame,) = Page(mail.text).all("iframe")
    shown = await browser.get(str(frame["src"]))

    assert "frame-src 'self'" in mail.headers["content-security-policy"]
    policy = shown.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "frame-ancestors 'self'", "sandbox allow-top-navigation-by-user-activation"} <= set(
        policy
    )
    assert not [rule for rule in policy if rule.startswith("script-src")]
    assert "<p>Hello</p>" in shown.text
    assert (await browser.get("/outbox/nothing.eml/html")).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize("name", ["nothing.eml", "%2e%2e", "..%5csecret.eml", "%00", "*.eml", "~"])
async def test_no_other_file_can_be_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.eml").write_text("Subject: confidential\nDate: Fri, 12 Jun 2026 12:00:00 +0000\n\nconfidential")
    outbox = tmp_path / "outbox"
    outbox.mkdir()

    answer = await browser_here(outbox).get(f"/outbox/{name}")

    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert "confidential" not in answer.text


async def test_the_front_door_leads_to_the_outbox_only_where_there_is_one(tmp_path: Path, desk: Desk) -> None:
    with_outbox, without = [
        Page((await browser.get("/")).text).links() for browser in (browser_here(tmp_path), desk.browser())
    ]

    assert "/outbox" in with_outbox
    assert "/outbox" not in without
    assert "/docs" in without


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"])
async def test_at_the_machine_itself_the_outbox_is_open_by_any_of_its_names(tmp_path: Path, host: str) -> None:
    assert (await browser_here(tmp_path, Host=host).get("/outbox")).status_code == HTTPStatus.OK


async def test_remote_visitors_see_no_outbox_and_no_link_to_it(tmp_path: Path) -> None:
    await send(tmp_path)
    names = [path.name for path in tmp_path.iterdir()]
    elsewhere = Desk(outbox=tmp_path, base_url=HERE).browser(address="192.0.2.7")

    answers = [await elsewhere.get(path) for path in ("/outbox", *(f"/outbox/{name}" for name in names))]

    assert [answer.status_code for answer in answers] == [HTTPStatus.NOT_FOUND] * 2
    assert "/outbox" not in (await elsewhere.get("/")).text


@pytest.mark.parametrize(
    ("base_url", "headers"),
    [
        *((HERE, {header: "127.0.0.1"}) for header in ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")),
        (BASE_URL, {"Host": "127.0.0.1:8080"}),
        (HERE, {"Host": "rebound.example:8080"}),  # else any page on the web could read it (DNS rebinding)
    ],
)
async def test_behind_a_proxy_a_public_address_or_a_foreign_name_there_is_no_outbox(
    tmp_path: Path, base_url: str, headers: dict[str, str]
) -> None:
    answer = await browser_here(tmp_path, base_url=base_url, **headers).get("/outbox")
    assert answer.status_code == HTTPStatus.NOT_FOUND
