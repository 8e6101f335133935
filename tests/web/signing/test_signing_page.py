from base64 import b64decode, b64encode
from http import HTTPStatus
from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from api.body_limits import MAX_FORM
from domain.audit.events import EventType
from domain.ports.database import DatabaseUnavailable
from domain.ports.session_requests import SessionCommand, SignRequest
from domain.session.consent_texts import CONSENT_TEXTS, CONSENT_VERSION
from domain.session.recipients import RecipientStatus
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.session.submission import SubmittedContent
from domain.shared.object_names import digest, session_prefix
from layout.handwriting.typed_signature import HandStyle, render_typed_signature
from tests.builders import ORGANISATION, audit, recipient
from tests.fakes.sessions import FakeSessions
from tests.web.desk import ADDRESS, AGREEMENT, SIGNATURES, Desk, Visitor, field, filled_in
from tests.web.html import Page


def drawing() -> str:
    picture = Image.new("RGBA", (300, 120))
    ImageDraw.Draw(picture).line([(20, 90), (90, 30), (200, 80)], fill=(20, 33, 61, 255), width=4)
    written = BytesIO()
    picture.save(written, "PNG")
    return f"data:image/png;base64,{b64encode(written.getvalue()).decode()}"


async def submitted(desk: Desk, session: Session, key: str = "ada") -> SubmittedContent:
    """The stored submission of a recipient."""
    reference = desk.recipient(session, key).submission
    assert reference is not None
    return SubmittedContent.model_validate_json(await desk.objects.get(reference))


async def test_the_form_has_the_names_that_programs_rely_on(session: Session, ada: Visitor) -> None:
    page = await ada.look()

    form = page.all("form")[0]
    assert (form["id"], form["method"]) == ("signing", "post")
    assert page.names() == [
        "csrf",
        "timeZone",
        field(session, "address"),
        field(session, "schedule"),
        "signatureKind",
        "signatureKind",
        "signatureKind",
        "signatureText",
        *["signatureStyle"] * 3,
        "signatureUpload",
        "signatureDrawing",
        "consent",
    ]
    assert page.input("consent")["value"] == CONSENT_VERSION
    assert page.input(field(session, "schedule"))["value"] == "true"
    assert "checked" in page.input("signatureKind", "typed")
    assert CONSENT_TEXTS[CONSENT_VERSION]["en"] in page.words


async def test_a_typed_signature_is_stored_with_its_session_under_its_own_hash_and_counts(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    answer = await ada.post(filled_in(session), **{"User-Agent": "a browser"})

    content, reference = await submitted(desk, session), desk.recipient(session, "ada").submission
    assert (answer.status_code, answer.headers["location"]) == (HTTPStatus.SEE_OTHER, ada.path)
    assert {value.name: value.value for value in content.values} == {"address": "12 Harbour Street", "schedule": "true"}
    assert content.signature.text == "Ada Lovelace"
    assert content.signature.png_base64 == b64encode(render_typed_signature("Ada Lovelace") or b"").decode()
    assert (content.recipient_key, content.consent_version) == ("ada", CONSENT_VERSION)
    assert reference is not None
    assert reference.name.startswith(session_prefix(ORGANISATION, session.session_id))
    assert reference.sha256 in reference.name
    assert desk.recipient(session, "ada").status is RecipientStatus.COMPLETED
    assert desk.session(session).status is SessionStatus.IN_PROGRESS


async def test_the_evidence_names_the_signature_the_consent_and_where_they_came_from(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    await ada.post(filled_in(session), **{"User-Agent": "a browser"})

    [signing] = desk.sessions.requests
    assert signing.submission.signature_sha256 == digest(render_typed_signature("Ada Lovelace") or b"")
    assert signing.submission.consent_version == CONSENT_VERSION
    assert (signing.audit.ip, signing.audit.user_agent) == ("192.0.2.7", "a browser")
    assert signing.audit.actor.id == signing.recipient_id


async def test_a_drawn_signature_is_kept_as_a_picture_of_its_ink(desk: Desk, session: Session, ada: Visitor) -> None:
    await ada.post(filled_in(session, signatureKind="drawn", signatureDrawing=drawing(), signatureText=""))

    content = await submitted(desk, session)
    assert content.signature.text is None
    assert content.signature.png_base64 is not None
    png = b64decode(content.signature.png_base64)
    with Image.open(BytesIO(png)) as picture:
        assert picture.width < 300
    assert desk.sessions.requests[0].submission.signature_sha256 == digest(png)


async def test_drawn_strokes_are_kept_as_a_picture_of_their_ink(desk: Desk, session: Session, ada: Visitor) -> None:
    strokes = '{"strokes":[{"pen":[0.8,2.6],"points":[[20,180,0],[300,40,120],[580,200,260]]}]}'

    await ada.post(filled_in(session, signatureKind="drawn", signatureDrawing=strokes, signatureText=""))

    content = await submitted(desk, session)
    assert content.signature.png_base64 is not None
    with Image.open(BytesIO(b64decode(content.signature.png_base64))) as picture:
        assert picture.width == 1200


async def test_a_photograph_of_a_signature_is_answered_with_its_ink(ada: Visitor) -> None:
    photograph = Image.new("RGB", (900, 500), (214, 210, 202))
    ImageDraw.Draw(photograph).line([(100, 350), (260, 120), (800, 320)], (30, 34, 60), 14)
    taken = BytesIO()
    photograph.save(taken, "JPEG")

    await ada.look()
    answers = [
        await ada.browser.post(f"{ada.path}/ink", content=body) for body in (taken.getvalue(), b"no picture", b"")
    ]

    ink, *others = [answer.json()["picture"] for answer in answers]
    assert others == [None, None]
    with Image.open(BytesIO(b64decode(ink.partition(",")[2]))) as picture:
        assert picture.mode == "RGBA"
        assert picture.width < 800


async def test_every_problem_is_in_the_summary_and_beside_its_input_and_typed_values_are_kept(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    typed = "12 Harbour Street\U000f0000"  # a private character, which no font has

    empty = Page((await ada.post({})).text)
    answer = await ada.post({field(session, "address"): typed, "signatureText": "  "})

    page = Page(answer.text)
    linked = [link.removeprefix("#") for link in page.links() if link.startswith("#")]
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert page.input(field(session, "address"))["value"] == typed
    assert next(div["role"] for div in page.all("div") if "role" in div) == "alert"
    assert {"field-1", "field-2", "signature-text", "consent"} <= set(linked)
    assert set(linked) <= set(page.ids())
    address = empty.input(field(session, "address"))
    assert address["aria-invalid"] == "true"
    assert set(str(address["aria-describedby"]).split()) == {"field-1-room", "field-1-problem"}
    assert "field-1-problem" in empty.ids()
    assert empty.words.count("Fill in “Address”.") == 1
    assert desk.recipient(session, "ada").status is RecipientStatus.VIEWED


async def test_ticks_and_the_kind_of_signature_survive_a_mistake(session: Session, ada: Visitor) -> None:
    picture = drawing()
    posted = filled_in(session, consent=None, signatureKind="drawn", signatureDrawing=picture)

    page = Page((await ada.post(posted)).text)

    assert "checked" in page.input(field(session, "schedule"))
    assert "checked" in page.input("signatureKind", "drawn")
    assert page.input("signatureDrawing")["value"] == picture


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"signatureText": ""}, "Type your name as your signature."),
        ({"signatureText": "x" * 101}, "Shorten your signature to 100 characters."),
        ({"signatureText": "Ada \U000f0000"}, "contains characters we can’t print"),
        ({"signatureKind": "drawn", "signatureDrawing": ""}, "Draw your signature"),
        ({"signatureKind": "drawn", "signatureDrawing": "javascript:alert(1)"}, "couldn’t read"),
        ({"consent": None}, "Tick the box to agree to sign electronically"),
        ({"consent": "1999-01-01"}, "Tick the box to agree to sign electronically"),
    ],
)
async def test_without_signature_and_consent_nothing_is_signed(
    desk: Desk, changes: dict[str, str | None], problem: str, session: Session, ada: Visitor
) -> None:
    answer = await ada.post(filled_in(session, **changes))
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert problem in Page(answer.text).words
    assert desk.recipient(session, "ada").submission is None


async def test_inputs_of_others_cannot_be_filled_in(desk: Desk, session: Session, ada: Visitor) -> None:
    await ada.post(filled_in(session, **{field(session, "centre"): "mine"}))
    assert [value.name for value in (await submitted(desk, session)).values] == ["address", "schedule"]


async def test_the_same_form_sent_twice_is_one_signature(desk: Desk, session: Session, ada: Visitor) -> None:
    form = {**(await ada.look()).form(), **{k: v for k, v in filled_in(session).items() if v}}

    first, second = await ada.post_form(form), await ada.post_form(form)

    assert first.status_code == second.status_code == HTTPStatus.SEE_OTHER
    assert "You’ve signed. Thank you!" in (await ada.look()).words
    assert "was not recorded" not in Page((await ada.browser.get(second.headers["location"])).text).words
    assert desk.recipient(session, "ada").status is RecipientStatus.COMPLETED


async def test_a_form_posted_after_signing_changes_nothing(session: Session, ada: Visitor) -> None:
    token = (await ada.look()).form()["csrf"]
    await ada.post(filled_in(session))
    answer = await ada.post_form({"csrf": token})
    assert answer.status_code == HTTPStatus.SEE_OTHER
    assert "was not recorded" in Page((await ada.browser.get(answer.headers["location"])).text).words


async def test_a_second_device_is_told_that_its_own_entries_were_not_recorded(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    computer = await desk.come_in(session)
    phone_form = {**(await ada.look()).form(), **{k: v for k, v in filled_in(session).items() if v}}
    computer_form = {**(await computer.look()).form(), **{k: v for k, v in filled_in(session).items() if v}}
    computer_form[field(session, "address")] = "99 Other Road"

    answers = [
        await ada.post_form(phone_form),
        await ada.post_form(phone_form),
        await computer.post_form(computer_form),
    ]

    pages = [Page((await ada.browser.get(answer.headers["location"])).text) for answer in answers]
    assert ["was not recorded" in page.words for page in pages] == [False, False, True]


class RacedSessions(FakeSessions):
    """Sessions in which another tab is always a moment faster."""

    async def act(self, session: Session, command: SessionCommand, update_id: str | None = None) -> Session:
        once = await super().act(session, command, update_id)
        return await super().act(session, command, update_id) if isinstance(command, SignRequest) else once


async def test_signing_in_two_tabs_signs_once(desk: Desk) -> None:
    desk.use(RacedSessions)
    session = await desk.send()
    assert (await (await desk.come_in(session)).post(filled_in(session))).status_code == HTTPStatus.SEE_OTHER


async def test_an_outage_while_signing_loses_nothing_that_was_typed(desk: Desk, session: Session, ada: Visitor) -> None:
    form = {**(await ada.look()).form(), **{k: v for k, v in filled_in(session).items() if v}}
    desk.sessions.runs.is_away = True

    answer = await ada.post_form(form)

    page = Page(answer.text)
    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert page.input(field(session, "address"))["value"] == "12 Harbour Street"
    assert "Nothing has been lost" in page.words


class UnheardSessions(FakeSessions):
    """Sessions whose signatures reach no database."""

    async def act(self, session: Session, command: SessionCommand, update_id: str | None = None) -> Session:
        done = await super().act(session, command, update_id)
        if isinstance(command, SignRequest):
            raise DatabaseUnavailable
        return done


async def test_a_signature_that_the_database_did_not_hear_of_counts_once(desk: Desk) -> None:
    desk.use(UnheardSessions)
    session = await desk.send()
    ada = await desk.come_in(session)
    form = {**(await ada.look()).form(), **{k: v for k, v in filled_in(session).items() if v}}

    unheard, again = await ada.post_form(form), await ada.post_form(form)

    assert (unheard.status_code, again.status_code) == (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.SEE_OTHER)
    assert "You’ve signed. Thank you!" in (await ada.look()).words
    events = await desk.rows.events(ORGANISATION, session.session_id)
    assert [event.type for event in events].count(EventType.RECIPIENT_COMPLETED) == 1


async def test_a_session_archived_while_a_recipient_reads_cannot_be_signed(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    form = (await ada.look()).form()
    await desk.change(desk.session(session).archive(audit()).session)
    assert (await ada.post_form(form)).status_code == HTTPStatus.GONE


async def test_a_form_of_another_site_or_without_its_own_token_signs_nothing(desk: Desk) -> None:
    session = await desk.send(recipients=(recipient("ada", 1), recipient("grace", 1)))
    ada, grace = await desk.come_in(session), await desk.come_in(session, "grace")
    foreign = (await grace.look()).form()["csrf"]

    answers = [await ada.post(filled_in(session, csrf=token)) for token in (None, "", "ü", foreign)]
    answers.append(await ada.post(filled_in(session), Origin="https://evil.example"))

    assert {answer.status_code for answer in answers} == {HTTPStatus.FORBIDDEN}
    assert desk.recipient(session, "ada").status is RecipientStatus.VIEWED


async def test_a_form_that_is_too_large_is_refused(session: Session, ada: Visitor) -> None:
    answer = await ada.post({"signatureDrawing": "A" * MAX_FORM})
    assert answer.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE


@pytest.mark.parametrize(
    ("body", "type"),
    [
        (b"{}", "application/json"),
        (b"", ""),
        (b"a=%ff", "application/x-www-form-urlencoded"),
        (b"a=\xff", "application/x-www-form-urlencoded"),
        (b"&".join(b"a=1" for _ in range(10_001)), "application/x-www-form-urlencoded"),
    ],
)
async def test_a_malformed_form_is_refused(body: bytes, type: str, ada: Visitor) -> None:
    answer = await ada.browser.post(ada.path, content=body, headers={"Content-Type": type})
    assert answer.status_code == HTTPStatus.BAD_REQUEST


async def test_line_breaks_in_a_single_line_become_spaces(desk: Desk, session: Session, ada: Visitor) -> None:
    await ada.post(filled_in(session, **{field(session, "address"): "12\r\nHarbour\nStreet"}))
    assert (await submitted(desk, session)).values[0].value == "12 Harbour Street"


async def test_the_name_is_filled_in_as_the_signature_until_another_is_typed(ada: Visitor) -> None:
    first = await ada.look()
    again = Page((await ada.post({"signatureText": ""})).text)

    assert first.input("signatureText")["value"] == "Ada"
    assert "data-prefilled" in first.input("signatureText")
    assert again.input("signatureText").get("value", "") == ""
    assert "consent" not in first.form()


@pytest.mark.parametrize(
    ("style", "drawn"), [("casual", HandStyle.CASUAL), ("plain", HandStyle.PLAIN), ("x", HandStyle.FLOWING)]
)
async def test_the_signature_has_the_chosen_handwriting(
    desk: Desk, session: Session, ada: Visitor, style: str, drawn: HandStyle
) -> None:
    asked = {"csrf": (await ada.look()).form()["csrf"], "text": "Ada", "signatureStyle": style}
    shown = (await ada.browser.post(f"{ada.path}/hand", data=asked)).json()
    await ada.post(filled_in(session, signatureText="Ada", signatureStyle=style))

    picture = b64encode(render_typed_signature("Ada", drawn) or b"").decode()
    assert shown["picture"] == f"data:image/png;base64,{picture}"
    assert (await submitted(desk, session)).signature.png_base64 == picture


async def test_a_field_says_how_much_fits(desk: Desk) -> None:
    lines = {"type": "field", "fieldType": "multilineText", "label": "Notes", "recipient": "ada", "name": "notes"}
    ada = await desk.come_in(await desk.send([lines, ADDRESS, *SIGNATURES]))

    page = await ada.look()

    rooms = {str(part["id"]): part for part in page.all("p") if part.get("data-room")}
    assert set(rooms) == {"field-1-room", "field-2-room"}
    assert "hidden" not in rooms["field-1-room"]
    assert "hidden" in rooms["field-2-room"]
    assert f"About {rooms['field-1-room']['data-room']} characters fit" in page.words
    assert "field-1-room" in str(page.all("textarea")[0]["aria-describedby"])


async def test_a_document_of_several_headings_has_an_outline(desk: Desk) -> None:
    headings = [{"type": "heading", "text": f"Part {number}"} for number in range(4)]
    few = await (await desk.come_in(await desk.send([*headings[:3], *AGREEMENT]))).look()
    many = await (await desk.come_in(await desk.send([*headings, *AGREEMENT], name="Another"))).look()

    targets = [str(part["id"]) for part in many.all("h3") if part.get("id")]
    assert not [part for part in few.all("nav") if part.get("id") == "outline"]
    assert len(targets) == 4
    assert {f"#{target}" for target in targets} <= set(many.links())


async def test_texts_of_a_document_name_its_language_for_screen_readers(desk: Desk) -> None:
    texts = [{"type": "heading", "text": "Zweck"}, {"type": "paragraph", "text": "Vertraulich."}]
    lists = [{"type": "bulletList", "items": ["Eins"]}]
    german = await (
        await desk.come_in(await desk.send([*texts, *lists, *SIGNATURES], document={"language": "de"}))
    ).look()
    unnamed = await (await desk.come_in(await desk.send([*texts, *lists, *SIGNATURES], name="Another"))).look()

    for page, expected in ((german, "de"), (unnamed, None)):
        parts = [part for tag in ("h2", "h3", "p", "ul") for part in page.all(tag)]
        classes = {str(part.get("class")).split()[0]: part.get("lang") for part in parts if part.get("class")}
        assert [classes[name] for name in ("sheet-title", "align-left", "bullets", "signature-label")] == [expected] * 4
