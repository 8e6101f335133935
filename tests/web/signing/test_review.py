"""The review before signing: it shows what will be signed, and signs nothing."""

from http import HTTPStatus

from domain.session.recipients import RecipientStatus
from domain.session.session import Session
from tests.web.desk import Desk, Visitor, field, filled_in
from tests.web.html import Page

REVIEW = {"act": "review"}


async def test_a_review_shows_all_that_was_filled_in_and_signs_nothing(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    answer = await ada.post({**filled_in(session), **REVIEW})

    page = Page(answer.text)
    assert answer.status_code == HTTPStatus.OK
    assert "12 Harbour Street" in page.words
    assert "Yes" in page.words
    (place,) = [i for i in (await ada.look()).all("input") if i.get("name") == field(session, "address")]
    changes = [link for link in page.links() if link.startswith(f"{ada.path}?change#")]
    assert changes == [f"{ada.path}?change#{place['id']}", f"{ada.path}?change#field-2", f"{ada.path}?change#signature"]
    assert desk.recipient(session, "ada").status is RecipientStatus.VIEWED


async def test_the_form_of_a_review_signs_what_it_shows(desk: Desk, session: Session, ada: Visitor) -> None:
    form = Page((await ada.post({**filled_in(session), **REVIEW})).text).form()

    answer = await ada.post_form(form)

    assert "act" not in form
    assert form[field(session, "address")] == "12 Harbour Street"
    assert answer.status_code == HTTPStatus.SEE_OTHER
    assert desk.recipient(session, "ada").status is RecipientStatus.COMPLETED


async def test_problems_are_shown_before_a_review(session: Session, ada: Visitor) -> None:
    answer = await ada.post({**filled_in(session, consent=None), **REVIEW})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Tick the box to agree to sign" in answer.text


async def test_the_pages_of_a_review_show_the_stamps_and_are_not_cached(desk: Desk) -> None:
    session = await desk.send_rendered()
    ada = await desk.come_in(session)
    blank = await ada.browser.get(f"{ada.path}/page/{session.files[0].file_id}/1")
    page = Page((await ada.post({**filled_in(session), **REVIEW})).text)
    (address,) = [str(picture["src"]) for picture in page.all("img") if "/review/" in str(picture["src"])]

    shown = await ada.browser.get(address)

    assert shown.status_code == HTTPStatus.OK
    assert shown.headers["cache-control"] == "no-store"
    assert len(shown.text) > len(blank.text)


async def test_the_pages_of_a_review_never_show_what_was_filled_in_elsewhere_since(desk: Desk) -> None:
    session = await desk.send_rendered()
    ada, elsewhere = await desk.come_in(session), await desk.come_in(session)
    page = Page((await ada.post({**filled_in(session), **REVIEW})).text)
    (address,) = [str(picture["src"]) for picture in page.all("img") if "/review/" in str(picture["src"])]
    await elsewhere.post({**filled_in(session), field(session, "address"): "99 Other Road", **REVIEW})

    shown = await ada.browser.get(address)

    assert shown.headers["content-type"] == "image/svg+xml"
    assert "was changed in another window" in shown.text


async def test_without_a_draft_that_could_be_signed_there_are_no_pages_of_a_review(desk: Desk) -> None:
    session = await desk.send_rendered()
    ada = await desk.come_in(session)
    answer = await ada.browser.get(f"{ada.path}/review/{session.files[0].file_id}/1")
    assert answer.status_code == HTTPStatus.NOT_FOUND
