"""The timeline of a session's page."""

from domain.session.delegation import Delegate, delegate
from domain.shared.ids import SessionId
from tests.api.service import OWN
from tests.builders import audit
from tests.web.app.office import ADA, Made, Office, Visitor
from tests.web.app.test_session_page import IN_ORDER, path_of, words


async def test_a_delegation_is_in_the_activity_and_beside_the_recipient(office: Office, ada: Visitor) -> None:
    made = await office.service.create(recipients=IN_ORDER, delegation=True, sendImmediately=True)
    session = office.service.sessions.held[SessionId(made["sessionId"])]
    to = Delegate(name="Mary Jackson", email="mary@example.com", reason="I am on leave.")
    await office.service.sessions.take(delegate(session, session.recipients[0].recipient_id, to, audit()))
    page = words((await ada.look(path_of(made))).words)
    assert "Ada Lovelace <ada@example.com> passed it on to Mary Jackson <mary@example.com>" in page
    assert "I am on leave." in page
    assert "Mary Jackson mary@example.com Instead of Ada Lovelace" in page
    assert "recipients may ask someone else" in page


async def test_the_timeline_names_who_did_what_and_quotes_a_reason(office: Office, draft: Made, ada: Visitor) -> None:
    await ada.press(path_of(draft, "send"), on=path_of(draft))
    session = office.service.sessions.held[SessionId(draft["sessionId"])]
    await office.service.sessions.take(session.decline(session.recipients[0].recipient_id, "Clause <4>", audit()))

    timeline = words((await ada.look(path_of(draft))).words)

    for sentence in (
        f"The program “{OWN.name}” created the draft",
        f"{ADA.name} sent it",
        "Ada Lovelace was invited to sign",
        "Reason: “Clause <4>”",
        "Ada Lovelace declined to sign",
    ):
        assert sentence in timeline
