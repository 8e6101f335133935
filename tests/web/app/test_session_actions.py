"""The buttons of a session's page, and conflicts with actions by others."""

from typing import Any

import httpx
import pytest

from domain.audit.events import ActorKind
from domain.callbacks.callback import CallbackStatus, event_id
from domain.session.session import Session, SessionStatus
from domain.shared.errors import Unavailable
from domain.shared.ids import SessionId
from tests.api.callback_log import keep_log
from tests.api.service import OWN
from tests.builders import NOON
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


BY_ADA = (ActorKind.USER, ADA.user_id)


async def test_a_draft_is_sent_by_the_person(office: Office, draft: Made, ada: Visitor) -> None:
    answer = await press(ada, draft, "send")

    assert answer.headers["location"] == f"{path_of(draft)}?done=sent"
    assert held(office, draft).status is SessionStatus.PENDING
    assert await last_actor(office, draft, "session.sent") == BY_ADA
    assert "Sent. The first recipients are being invited" in (await ada.look(answer.headers["location"])).words


async def test_archive_and_restore_are_the_persons_acts(office: Office, sent: Made, ada: Visitor) -> None:
    assert (await press(ada, sent, "archive")).headers["location"] == f"{path_of(sent)}?done=archived"
    assert held(office, sent).status is SessionStatus.CANCELLED
    assert (await press(ada, sent, "restore")).headers["location"] == f"{path_of(sent)}?done=restored"
    assert held(office, sent).status is SessionStatus.PENDING
    assert await last_actor(office, sent, "session.archived") == BY_ADA
    assert await last_actor(office, sent, "session.restored") == BY_ADA


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


@pytest.mark.parametrize("name", ["", "Consulting", "Consulting agreements"])
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
        ("", "invite", "not-active", "it isn’t open for signing"),
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
    assert answer.headers["location"].endswith("?error=not-their-turn")


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
