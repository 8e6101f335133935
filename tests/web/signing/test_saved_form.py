"""The saved form: validated, restored, and deleted with the signature."""

from typing import Any

from adapters.database.tables.sessions import FormDraftRow
from domain.ports.database import DatabaseUnavailable
from domain.ports.session_requests import CorrectRequest
from domain.session.edits import Correction
from domain.session.session import Session
from domain.shared.ids import OrganisationId, RecipientId, RecipientRef, SessionId
from tests.builders import audit
from tests.web.desk import Desk, Visitor, field, filled_in

BORN = {"type": "field", "fieldType": "date", "label": "Born", "recipient": "ada", "name": "born"}
DAYS = {
    "type": "field", "fieldType": "checkbox", "label": "Days", "recipient": "ada", "name": "days",
    "options": ["Monday", "Tuesday", "Sunday"],
}  # fmt: skip


async def save(ada: Visitor, changes: dict[str, Any], **headers: str) -> Any:
    form = {**(await ada.look()).form(), **changes}
    return await ada.browser.post(f"{ada.path}/draft", data=form, headers=headers)


async def test_a_saved_form_is_restored_when_the_link_is_opened_again(desk: Desk) -> None:
    session = await desk.send((BORN, DAYS))
    ada = await desk.come_in(session)

    answer = await save(
        ada,
        {
            field(session, "born"): "1/2/1999",
            field(session, "days"): ["Monday", "Sunday"],
            "signatureKind": "typed",
            "signatureText": "Ada",
        },
    )
    form = (await (await desk.come_in(session)).look()).form()

    assert (answer.status_code, answer.json()) == (200, {"saved": True, "problems": {}})
    assert answer.headers["cache-control"] == "no-store"
    assert form[field(session, "born")] == "1/2/1999"  # as typed: it is not handed in
    assert form["signatureText"] == "Ada"
    page = await ada.look()
    assert [page.input(field(session, "days"), day).get("checked", "no") for day in DAYS["options"]] == [
        None,
        "no",
        None,
    ]


async def test_consent_is_never_saved(desk: Desk, session: Session, ada: Visitor) -> None:
    await save(ada, filled_in(session))

    assert "checked" not in (await ada.look()).input("consent")
    (row,) = await desk.database.read(FormDraftRow)
    saved = await desk.drafts.find(
        RecipientRef(OrganisationId(row.organisation_id), SessionId(row.session_id), RecipientId(row.recipient_id))
    )
    assert saved is not None
    assert b"consent" not in saved
    assert b"csrf" not in saved


async def test_a_save_returns_wrong_values_and_no_missing_ones(desk: Desk) -> None:
    session = await desk.send((BORN, DAYS, {**BORN, "name": "other"}))
    ada = await desk.come_in(session)

    answer = await save(ada, {field(session, "born"): "31/02/1999"})

    problems = answer.json()["problems"]
    assert list(problems) == ["field-1"]
    assert "Born" in problems["field-1"]


async def test_a_refused_form_is_saved_too_and_signing_forgets_it(desk: Desk, session: Session, ada: Visitor) -> None:
    refused = await ada.post({**filled_in(session), "consent": None})
    again = (await ada.look()).form()

    assert (refused.status_code, (await ada.post(filled_in(session))).status_code) == (422, 303)
    assert again[field(session, "address")] == "12 Harbour Street"
    assert await desk.database.read(FormDraftRow) == []


async def test_nothing_is_saved_after_signing(desk: Desk, session: Session, ada: Visitor) -> None:
    form = {**(await ada.look()).form(), **filled_in(session)}
    await ada.post(filled_in(session))
    assert (await ada.browser.post(f"{ada.path}/draft", data=form)).json()["saved"] is False
    assert await desk.database.read(FormDraftRow) == []


async def test_only_a_form_of_this_visit_is_saved(desk: Desk, ada: Visitor) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    answers = [
        await save(ada, {"csrf": "forged"}),
        await save(ada, {}, **{"Sec-Fetch-Site": "cross-site"}),
        await desk.browser().post(f"{ada.path}/draft", data={}),
        *[await ada.browser.post(f"{ada.path}/draft", content=text, headers=form) for text in ("a=%zz&csrf", "x" * 10)],
    ]

    assert [answer.status_code for answer in answers] == [403] * 5
    assert await desk.database.read(FormDraftRow) == []


async def test_each_recipient_has_a_draft_of_their_own(desk: Desk, session: Session, ada: Visitor) -> None:
    await save(ada, {field(session, "address"): "12 Harbour Street"})
    await ada.post(filled_in(session))
    assert (await (await desk.come_in(session, "grace")).look()).form().get("signatureText") == "Grace"


class BrokenDrafts:
    async def save(self, *_: object) -> None:
        raise DatabaseUnavailable

    async def find(self, *_: object) -> bytes | None:
        raise DatabaseUnavailable

    async def discard(self, *_: object) -> None:
        raise DatabaseUnavailable


async def test_without_a_database_nothing_is_saved_and_signing_goes_on(
    desk: Desk, session: Session, ada: Visitor
) -> None:
    desk.serve(drafts=BrokenDrafts())
    assert ((await save(ada, {})).status_code, (await ada.post(filled_in(session))).status_code) == (503, 303)


async def test_a_saved_form_is_not_shown_to_the_holder_of_another_address(desk: Desk) -> None:
    session = await desk.send((BORN, DAYS))
    await save(await desk.come_in(session), {field(session, "born"): "1/2/1999"})
    ada, right = session.recipients[0].recipient_id, Correction(email="ada@right.example")

    await desk.sessions.act(session, CorrectRequest(audit=audit(), recipient_id=ada, right=right))

    corrected = desk.sessions.held[session.session_id]
    form = (await (await desk.come_in(corrected)).look()).form()
    assert form[field(session, "born")] == ""
