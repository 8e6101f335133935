"""The buttons of a session's page, and conflicts with actions by others."""

from typing import Any

import httpx
import pytest

from domain.audit.events import ActorKind
from domain.callbacks.callback import CallbackStatus, event_id
from domain.session.session import Session
from domain.session.status import SessionStatus
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId
from tests.api.callback_log import keep_log
from tests.api.service import OWN
from tests.builders import NOON, audit
from tests.web.app.office import ADA, Made, Office, Visitor
from tests.web.app.test_session_page import logged, path_of


def held(office: Office, made: dict[str, Any]) -> Session:
    return office.service.sessions.held[SessionId(made["sessionId"])]


async def press(visitor: Visitor, made: dict[str, Any], act: str, **form: str) -> httpx.Response:
    return await visitor.press(path_of(made, act), on=path_of(made), **form)


async def last_actor(office: Office, made: dict[str, Any], kind: str) -> tuple[ActorKind, str]:
    events = await office.service.rows.events(OWN.organisation_id, SessionId(made["sessionId"]))
    found = [event.actor for event in events if event.type == kind][-1]
    return found.kind, found.id


SURE = {"confirmed": "yes"}


def delivered(session: Session) -> Session:
    """The session after its first invitation was delivered."""
    return session.with_delivery(session.recipients[0].recipient_id, 1)


BY_ADA = (ActorKind.USER, ADA.user_id)


async def test_a_draft_is_sent_by_the_person(office: Office, draft: Made, ada: Visitor) -> None:
    answer = await press(ada, draft, "send")

    assert answer.headers["location"] == f"{path_of(draft)}?done=sent"
    assert held(office, draft).status is SessionStatus.PENDING
    assert await last_actor(office, draft, "session.sent") == BY_ADA
    assert "Sent. The first recipients are being invited" in (await ada.look(answer.headers["location"])).words


async def test_archive_and_restore_are_the_persons_acts(office: Office, sent: Made, ada: Visitor) -> None:
    assert (await press(ada, sent, "archive", **SURE)).headers["location"] == f"{path_of(sent)}?done=withdrawn"
    assert held(office, sent).status is SessionStatus.CANCELLED
    assert (await press(ada, sent, "restore", **SURE)).headers["location"] == f"{path_of(sent)}?done=restored"
    assert held(office, sent).status is SessionStatus.PENDING
    assert await last_actor(office, sent, "session.archived") == BY_ADA
    assert await last_actor(office, sent, "session.restored") == BY_ADA


async def test_an_open_session_is_withdrawn_after_a_page_that_says_who_is_emailed(
    office: Office, sent: Made, ada: Visitor
) -> None:
    await office.service.sessions.become(delivered(held(office, sent)))
    asked = await press(ada, sent, "archive")
    assert asked.headers["location"] == path_of(sent, "archive")
    assert held(office, sent).status is SessionStatus.PENDING

    words = (await ada.look(path_of(sent, "archive"))).words
    assert "Ada Lovelace" in words
    assert "ada@example.com" in words
    assert "grace@example.com" not in words  # not invited yet

    await press(ada, sent, "archive", **SURE, reason=" The fee was wrong.\r\nSorry! ")
    assert held(office, sent).archive_reason == "The fee was wrong.\nSorry!"
    page = (await ada.look(path_of(sent))).words
    assert "The fee was wrong.\nSorry!" in page
    await press(ada, sent, "restore", **SURE)
    assert held(office, sent).archive_reason is None


async def test_a_reason_that_is_too_long_is_shown_again(office: Office, sent: Made, ada: Visitor) -> None:
    answer = await press(ada, sent, "archive", **SURE, reason="x" * 1001)
    assert answer.status_code == 422
    assert "Shorten the reason" in answer.text
    assert "x" * 1001 in answer.text
    assert held(office, sent).status is SessionStatus.PENDING


async def test_a_draft_is_archived_and_restored_at_once(office: Office, draft: Made, ada: Visitor) -> None:
    assert (await press(ada, draft, "archive")).headers["location"] == f"{path_of(draft)}?done=archived"
    assert (await press(ada, draft, "restore")).headers["location"] == f"{path_of(draft)}?done=restored"
    for page in ("archive", "restore"):
        assert (await ada.browser.get(path_of(draft, page))).headers["location"] == path_of(draft)


async def test_restoring_offers_to_invite_again(office: Office, sent: Made, ada: Visitor) -> None:
    await press(ada, sent, "archive", **SURE)
    assert (await press(ada, sent, "restore")).headers["location"] == path_of(sent, "restore")
    words = (await ada.look(path_of(sent, "restore"))).words
    assert "ada@example.com" in words
    assert "grace@example.com" not in words

    answer = await press(ada, sent, "restore", **SURE, invite="yes")

    assert answer.headers["location"] == f"{path_of(sent)}?done=restored-invited"
    assert [who.invitation.number for who in held(office, sent).recipients] == [2, 0]
    assert held(office, sent).status is SessionStatus.PENDING


async def test_too_many_invitations_are_no_reason_not_to_restore(office: Office, sent: Made, ada: Visitor) -> None:
    recipient = sent["recipients"][0]["recipientId"]
    for _ in range(9):
        await press(ada, sent, f"recipients/{recipient}/invite")
    await press(ada, sent, "archive", **SURE)
    answer = await press(ada, sent, "restore", **SURE, invite="yes")
    assert answer.headers["location"] == f"{path_of(sent)}?error=not-all-invited"
    assert held(office, sent).status is SessionStatus.PENDING


async def test_the_page_that_deletes_says_who_is_emailed(office: Office, sent: Made, ada: Visitor) -> None:
    await office.service.sessions.become(delivered(held(office, sent)))
    words = (await ada.look(path_of(sent, "delete"))).words
    assert "These recipients are emailed" in words
    assert "ada@example.com" in words
    await press(ada, sent, "archive", **SURE)
    assert "emailed" not in (await ada.look(path_of(sent, "delete"))).words


async def test_the_user_who_sent_it_is_recorded(office: Office, draft: Made, sent: Made, ada: Visitor) -> None:
    await press(ada, draft, "send")
    assert held(office, draft).sent_by == ADA.user_id
    assert held(office, sent).sent_by is None  # by a client of the organisation's own


async def test_a_recipient_is_invited_again(office: Office, sent: Made, ada: Visitor) -> None:
    recipient = sent["recipients"][0]["recipientId"]
    answer = await press(ada, sent, f"recipients/{recipient}/invite")
    assert answer.headers["location"] == f"{path_of(sent)}?done=invited"
    assert held(office, sent).recipients[0].invitation.number == 2


async def test_the_typed_name_deletes_permanently(draft: Made, ada: Visitor) -> None:
    answer = await press(ada, draft, "delete", name="  consulting   AGREEMENT ")
    assert answer.headers["location"] == "/app?done=deleted"
    assert "Deleted." in (await ada.look(answer.headers["location"])).words
    assert (await ada.browser.get(path_of(draft))).status_code == 404


@pytest.mark.parametrize("name", ["a" + "\u0301\u0323" * 4_000, "", "Consulting", "Consulting agreements"], ids=len)
async def test_another_name_deletes_nothing(office: Office, name: str, draft: Made, ada: Visitor) -> None:
    answer = await press(ada, draft, "delete", name=name)
    assert answer.status_code == 422
    assert "That doesn’t match." in answer.text
    assert not held(office, draft).is_erased


@pytest.mark.parametrize(
    ("before", "act", "sorry", "words"),
    [
        ("send", "send", "not-a-draft", "no longer a draft"),
        ("archive", "send", "not-a-draft", "no longer a draft"),
        ("archive", "archive", "already-archived", "already archived"),
        ("", "restore", "not-archived", "It’s not archived"),
        ("", "invite", "session-not-active", "the session isn’t open for signing"),
    ],
)
async def test_a_conflict_is_shown_on_the_page(
    before: str, act: str, sorry: str, words: str, *, draft: Made, ada: Visitor
) -> None:
    if before:
        await press(ada, draft, before)
    if act == "invite":
        act = f"recipients/{draft['recipients'][0]['recipientId']}/invite"

    answer = await press(ada, draft, act)

    assert answer.headers["location"] == f"{path_of(draft)}?error={sorry}"
    assert words in (await ada.look(answer.headers["location"])).words


async def test_a_recipient_before_their_turn_is_not_invited(sent: Made, ada: Visitor) -> None:
    answer = await press(ada, sent, f"recipients/{sent['recipients'][1]['recipientId']}/invite")
    assert answer.headers["location"].endswith("?error=recipient-not-active")


async def test_an_outage_is_shown_and_nothing_is_lost(office: Office, draft: Made, ada: Visitor) -> None:
    async def away(*_: object) -> Session:
        raise Unavailable

    office.service.sessions.send = away  # type: ignore[method-assign]
    answer = await press(ada, draft, "send")

    assert answer.headers["location"].endswith("?error=unavailable")
    assert "doing it twice does no harm" in (await ada.look(answer.headers["location"])).words


async def test_a_callback_is_delivered_again(office: Office, with_callback: Made, ada: Visitor) -> None:
    failed = logged(with_callback, 2, status=CallbackStatus.FAILED)
    await keep_log(office.service.database, OWN.organisation_id, with_callback["sessionId"], failed)
    event = event_id(SessionId(with_callback["sessionId"]), "2")

    answer = await press(ada, with_callback, f"callbacks/{event}/redeliver")

    assert answer.headers["location"] == f"{path_of(with_callback)}?done=redelivered"
    assert [delivery.event_id for delivery in office.service.deliveries.asked_for] == [event]


async def test_a_paused_receiver_is_resumed(office: Office, with_callback: Made, ada: Visitor) -> None:
    paused = logged(with_callback, 2, paused_since=NOON)
    await keep_log(office.service.database, OWN.organisation_id, with_callback["sessionId"], paused)

    answer = await press(ada, with_callback, "resume")

    assert answer.headers["location"] == f"{path_of(with_callback)}?done=resumed"
    assert await office.service.callbacks.paused(OWN.organisation_id) == ()


async def test_only_known_flash_messages_are_shown(ada: Visitor) -> None:
    assert "won" not in (await ada.look("/app?done=You+have+won&error=%3Cb%3E")).words


async def test_a_declined_session_is_corrected_and_sent_again(office: Office, sent: Made, ada: Visitor) -> None:
    waiting = await ada.look(path_of(sent))
    session = held(office, sent)
    await office.service.sessions.take(session.decline(session.recipients[0].recipient_id, "Too much", audit()))
    declined = await ada.look(path_of(sent))

    answer = await press(ada, sent, "duplicate", next="edit")

    path, _, done = answer.headers["location"].partition("?")
    assert (path.endswith("/edit"), done) == (True, "done=duplicated")
    assert "Edit the draft" in (await ada.look(path)).words
    copy = office.service.sessions.held[SessionId(path.split("/")[3])]
    assert [(one.name, one.email) for one in copy.recipients] == [(one.name, one.email) for one in session.recipients]
    assert held(office, sent).status is SessionStatus.DECLINED
    assert "Correct and send again" in declined.words
    assert "Correct and send again" not in waiting.words


async def test_a_session_is_duplicated_as_a_draft(office: Office, sent: Made, ada: Visitor) -> None:
    answer = await press(ada, sent, "duplicate")

    assert answer.headers["location"].endswith("?done=duplicated")
    path = answer.headers["location"].partition("?")[0]
    assert path != path_of(sent)
    copy = office.service.sessions.held[SessionId(path.rpartition("/")[2])]
    assert (copy.status, copy.name) == (SessionStatus.DRAFT, held(office, sent).name)
    page = await ada.look(answer.headers["location"])
    assert "This is a new draft" in page.words
    assert "Review the pages" in page.words
    events = await office.service.rows.events(OWN.organisation_id, copy.session_id)
    assert [(event.type, event.actor.kind, event.actor.id) for event in events] == [("session.created", *BY_ADA)]
