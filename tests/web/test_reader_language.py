"""The language of a page: the reader's choice, that of the recipient or session, or that of the browser."""

from http import HTTPStatus

import pytest
from fastapi import Request

from application.translations import current_language
from domain.audit.events import EventType
from domain.session.consent_texts import CONSENT_TEXTS, CONSENT_VERSION, consent_version
from domain.session.recipients import Delivery, RecipientStatus, RecipientVerification
from tests.builders import audit, recipient
from tests.web.desk import Desk, filled_in
from tests.web.html import Page
from tests.web.signing.test_open_signing_url import come_by_program, url_for
from web.reader_language import current_reader, reading


def shown(html: str) -> tuple[str | None, str | None]:
    (root,) = Page(html).all("html")
    return root["lang"], root["dir"]


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"), ("*", "en"), ("fi, sv;q=0.8, de;q=0.9", "de"), ("de-AT", "de"), ("PT-br", "pt-BR"),
        ("pt-PT", "pt-BR"), ("iw", "he"),
        ("zh-CN", "zh-Hans"), ("zh-Hans-SG", "zh-Hans"), ("zh-TW, fr;q=.5", "fr"),
        ("zh-TW,zh;q=0.9,fr;q=0.8", "fr"), ("zh-HK,zh;q=0.9", "en"), ("zh-CN,zh;q=0.9,zh-TW;q=0.8", "zh-Hans"),
        ("zh-TW,zh-CN;q=0.5", "zh-Hans"), ("zh-Hant-HK", "en"),
        ("de;q=0, fr;q=0.1", "fr"), ("de;Q=0.1, fr;q=0.2", "fr"), ("de;q=nan, fr;q=0.1", "fr"),
        ("fr;q=1, de;q=2", "fr"), ("de;q=x, fr;q=0.1", "fr"), ("de;level=1, fr;q=0.1", "de"), ("en-AU, de", "en"),
        (",;,=;q", "en"), ("-", "en"), ("xx," * 10_000 + "de", "en"),
    ],
)  # fmt: skip
async def test_a_page_is_in_the_language_of_the_browser(desk: Desk, accepted: str, language: str) -> None:
    answer = await desk.browser(**{"Accept-Language": accepted}).get("/")

    assert shown(answer.text)[0] == answer.headers["content-language"] == language
    assert answer.headers["vary"] == "Accept-Language"


async def test_a_choice_is_in_the_address(desk: Desk) -> None:
    browser = desk.browser(**{"Accept-Language": "de"})
    chosen, unknown = await browser.get("/?language=ar"), await browser.get("/?language=xx")

    assert (shown(chosen.text), shown(unknown.text)) == (("ar", "rtl"), ("de", "ltr"))
    assert "vary" not in chosen.headers
    assert shown((await browser.get("/?language=FR-ca")).text) == ("fr", "ltr")
    assert 'href="/verify?language=ar"' in chosen.text
    assert shown((await browser.post("/verify?language=ar")).text) == ("ar", "rtl")


async def test_the_recipient_comes_before_the_session_and_the_session_before_the_browser(desk: Desk) -> None:
    people = (recipient("ada", 1, language="he"), recipient("grace", 1))
    session = await desk.send(recipients=people, language="fr")
    browser = desk.browser(**{"Accept-Language": "de"})

    answers = [await browser.get(desk.link(session, key)) for key in ("ada", "grace")]

    assert [shown(answer.text) for answer in answers] == [("he", "rtl"), ("fr", "ltr")]
    assert all("vary" not in answer.headers for answer in answers)
    chosen = await browser.get(desk.link(session, "grace") + "~ja")
    assert shown(chosen.text) == ("ja", "ltr")
    await desk.change(desk.session(session).archive(audit()).session)
    assert shown((await browser.get(desk.link(session))).text) == ("he", "rtl"), "pages of errors too"


async def test_a_choice_lasts_from_the_link_to_the_signature_and_its_consent_is_recorded(desk: Desk) -> None:
    session = await desk.send()
    browser = desk.browser()
    link = desk.link(session)
    links = [str(a["href"]) for a in Page((await browser.get(link)).text).all("a") if "hreflang" in a]
    assert link + "~de" in links

    opened = await browser.post(link + "~de")
    path = opened.headers["location"].partition("?")[0]
    page = await browser.get(path)
    consent = Page(page.text).input("consent")["value"]
    declining = await browser.get(f"{path}/decline")
    assert path.endswith("~de")
    assert shown(page.text) == shown(declining.text) == ("de", "ltr")
    assert f"{path[:-3]}~ar/decline" in declining.text
    assert CONSENT_TEXTS[CONSENT_VERSION]["de"] in page.text
    assert consent == consent_version("de") == "2026-11-27/de"

    entered = {**Page(page.text).form(), **filled_in(session, consent=consent)}
    form = {name: value for name, value in entered.items() if value is not None}
    reviewed = await browser.post(path, data={**form, "act": "review"})
    switched = await browser.post(path[:-3] + "~fr", data={**form, "act": "review"})
    signed = await browser.post(path, data=form)

    assert CONSENT_TEXTS[CONSENT_VERSION]["de"] in reviewed.text
    assert CONSENT_TEXTS[CONSENT_VERSION]["de"] in switched.text, "the text that was agreed to"
    assert signed.headers["location"] == path
    history = await desk.rows.find_history(session.organisation_id, session.session_id)
    assert history is not None
    (event,) = [event for event in history.events if event.type is EventType.RECIPIENT_CONSENTED]
    assert event.details["consentVersion"] == "2026-11-27/de"


@pytest.mark.parametrize(
    ("suffix", "language"),
    [("~DE", "de"), ("~de-CH", "de"), ("~xx", "en"), ("~", "en"), ("~de,", "en"), ("~日本", "en")],
)
async def test_a_link_with_another_tag_stays_valid(desk: Desk, suffix: str, language: str) -> None:
    answer = await desk.browser().get(desk.link(await desk.send()) + suffix)

    assert (answer.status_code, shown(answer.text)[0]) == (HTTPStatus.OK, language)


async def test_a_visit_without_cookies_has_a_choice_too(desk: Desk) -> None:
    people = (recipient("ada", 1, delivery=Delivery.NONE, language="de"), recipient("grace", 2))
    session = await desk.send(recipients=people)
    ada = await come_by_program(desk, session)

    assert shown((await ada.browser.get(ada.path)).text) == ("de", "ltr")
    page = await ada.browser.get(ada.path + "~ar")

    assert shown(page.text) == ("ar", "rtl")
    assert f'action="{ada.path}~ar"' in page.text
    assert not ada.browser.cookies


async def test_the_email_with_a_code_is_in_the_language_of_the_recipient(desk: Desk) -> None:
    session = await desk.send(
        recipients=(recipient("ada", 1),), language="de", recipient_verification=RecipientVerification.EMAIL_CODE
    )
    path = await url_for(desk, session)
    asked = await desk.browser().post(path + "~fr")

    assert asked.status_code == HTTPStatus.OK
    assert f'action="{path}~fr/code"' in asked.text
    assert desk.mailer.sent[-1].language == "de"


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("//evil.example/x", "/evil.example/x?language=fr"), ("/\\evil.example", "/%5Cevil.example?language=fr"),
        ("/a?b#c\"<", "/a%3Fb%23c%22%3C?language=fr"), ("/sign/x~xx", "/sign/x~fr"),
        ("/sign/x~DE-ch/review", "/sign/x~fr/review"),
        ("/sign/x~zh-Hans", "/sign/x~fr"), ("/signing/x~de/decline", "/signing/x~fr/decline"),
        ("/open/x", "/open/x~fr"),
    ],
)  # fmt: skip
def test_links_to_languages_stay_on_this_site(path: str, address: str) -> None:
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
    with reading(Request({**scope, "scheme": "http", "server": ("testserver", 80)})):
        reader = current_reader()
        assert reader is not None
        assert reader.links["fr"] == address


def test_nothing_lasts_beyond_a_request() -> None:
    scope = {"type": "http", "method": "GET", "path": "/x/{y}", "query_string": b"language=de", "headers": []}
    scope |= {"scheme": "http", "server": ("testserver", 80)}
    with reading(Request(scope)):
        reader = current_reader()
        assert reader is not None
        assert (current_language(), reader.links["fr"]) == ("de", "/x/%7By%7D?language=fr")
    assert (current_language(), current_reader()) == ("en", None)


@pytest.mark.parametrize("form", ["decline", "delegate"])
async def test_what_was_typed_stays_when_the_language_changes_and_nothing_is_done(desk: Desk, form: str) -> None:
    session = await desk.send(delegation=True)
    ada = await desk.come_in(session)
    page = Page((await ada.browser.get(f"{ada.path}/{form}")).text)
    typed = {name: f"My {name}" for name in page.names() if name != "csrf"}

    for tag in ("de", "ar"):  # from the page that a form has shown, too
        (choice,) = [button for button in page.all("button") if button.get("value") == tag]
        posted = {**page.form(), **typed, str(choice["name"]): tag}
        answer = await ada.browser.post(str(choice["formaction"]), data=posted)
        page = Page(answer.text)
        assert (answer.status_code, shown(answer.text)[0]) == (HTTPStatus.OK, tag)
        assert typed.items() <= page.form().items()
        assert "aria-invalid" not in answer.text

    assert page.all("form") == [
        {"method": "post", "action": f"{ada.path}~ar/{form}", "id": "typed", "novalidate": None}
    ]
    assert desk.recipient(session, "ada").status is RecipientStatus.VIEWED
    assert desk.recipient(session, "ada").delegations == ()
