"""The callbacks of a session, and their bodies (Specification 6.2)."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from domain.audit.events import ActorKind
from domain.callbacks.callback import Callback, callback_of_deletion, callbacks_of, event_id, receiver_of
from domain.session.session import Session, Transition
from domain.session.status import SessionStatus
from domain.shared.ids import SessionId
from domain.shared.object_names import make_reference
from tests.builders import NOON, audit, created, identifier, recipient, submission

URL = "https://hooks.example.com/undersign?tenant=7"
ADA, GRACE = recipient("ada", 1), recipient("grace", 2)

Act = Callable[[Session], Transition]


def announce(session: Session, act: Act) -> tuple[Session, list[dict[str, Any]]]:
    """The session after the act, and the bodies of its callbacks."""
    step = act(session)
    return step.session, [json.loads(c.body) for c in callbacks_of(session, step.session, step.events)]


def changes(bodies: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(body["type"], body["data"]["previousStatus"], body["data"]["status"]) for body in bodies]


def draft(**settings: Any) -> Session:
    return created(ADA, GRACE, callback_url=URL, **settings).session


def sent(**settings: Any) -> Session:
    return draft(**settings).send(audit()).session


def archive(session: Session) -> Transition:
    return session.archive(audit())


def restore(session: Session) -> Transition:
    return session.restore(audit())


def sign(who: str) -> Act:
    return lambda session: session.sign(recipient(who).recipient_id, submission(who), audit(kind=ActorKind.RECIPIENT))


def generate(session: Session) -> Transition:
    signed = make_reference("signed", b"signed")
    return session.add_signed_document(session.files[0].file_id, signed, audit().by_system())


def test_the_body_of_a_callback() -> None:
    session = draft()
    step = session.send(audit())
    (callback,) = callbacks_of(session, step.session, step.events)
    assert callback.url == URL
    assert callback.body == (
        '{"type":"session.sent","timestamp":"2026-06-12T12:00:00.000Z","data":{"sessionId":"'
        + session.session_id
        + '","name":"Consulting agreement","status":"pending","previousStatus":"draft","sequence":2}}'
    )


def test_a_draft_that_was_made_is_not_announced_to_its_maker() -> None:
    step = created(ADA, callback_url=URL)
    assert callbacks_of(step.session, step.session, step.events) == ()


def test_a_session_without_a_callback_url_announces_nothing() -> None:
    session = created(ADA).session
    step = session.send(audit())
    assert callbacks_of(session, step.session, step.events) == ()
    assert callback_of_deletion(session, session.status) is None


def test_the_last_signature_is_two_callbacks_each_with_the_status_at_its_event() -> None:
    session, first = announce(sent(), sign("ada"))
    session, last = announce(session, sign("grace"))
    _, generated = announce(session, generate)
    assert changes(first) == [("recipient.completed", "pending", "inProgress")]
    assert changes(last) == [
        ("recipient.completed", "inProgress", "inProgress"),
        ("session.completed", "inProgress", "completed"),
    ]
    assert changes(generated) == [("session.documentsGenerated", "completed", "completedAndGenerated")]


def test_the_turn_of_the_next_recipient_is_announced_and_another_invitation_is_not() -> None:
    second = GRACE.model_copy(update={"signing_order": 2})
    session = created(ADA, second, callback_url=URL).session.send(audit()).session
    later = audit(NOON + timedelta(minutes=5), kind=ActorKind.RECIPIENT)
    session, bodies = announce(session, lambda s: s.sign(ADA.recipient_id, submission("ada"), later))
    assert [body["type"] for body in bodies] == ["recipient.completed", "recipient.invited"]
    assert bodies[1]["data"]["recipient"]["key"] == "grace"

    _, again = announce(session, lambda s: s.invite(second.recipient_id, audit(NOON + timedelta(hours=2))))

    assert again == []


def test_events_of_a_recipient_hold_the_recipient() -> None:
    _, bodies = announce(sent(), sign("ada"))
    assert bodies[0]["data"]["recipient"] == {
        "recipientId": ADA.recipient_id,
        "key": "ada",
        "name": "Ada",
        "email": "ada@example.com",
        "signingOrder": 1,
        "status": "completed",
    }


def archived_after(*acts: Act) -> Session:
    session = sent(expiry_days=1)
    for act in (*acts, archive):
        session = act(session).session
    return session


RECIPIENT = audit(kind=ActorKind.RECIPIENT)


@pytest.mark.parametrize(
    ("session", "act", "announced"),
    [
        (sent(), lambda s: s.view(ADA.recipient_id, RECIPIENT), [("recipient.viewed", "pending", "pending")]),
        (
            sent(),
            lambda s: s.decline(ADA.recipient_id, "No.", RECIPIENT),
            [("recipient.declined", "pending", "pending"), ("session.declined", "pending", "declined")],
        ),
        (
            sent(),
            lambda s: s.fail_invitation(ADA.recipient_id, 1, "no such mailbox", audit()),
            [("recipient.invitationFailed", "pending", "pending")],
        ),
        (sent(), archive, [("session.archived", "pending", "cancelled")]),
        (archived_after(), restore, [("session.restored", "cancelled", "pending")]),
        (
            archived_after(),
            lambda s: s.restore(audit(NOON + timedelta(days=2))),
            [("session.restored", "cancelled", "pending"), ("session.expired", "pending", "expired")],
        ),
        (
            archived_after(sign("ada"), sign("grace")),
            generate,
            [("session.documentsGenerated", "cancelled", "cancelled")],
        ),
    ],
)
def test_each_event_is_announced_with_the_status_before_and_after(
    session: Session, act: Act, announced: list[tuple[str, str, str]]
) -> None:
    assert changes(announce(session, act)[1]) == announced


def test_the_recipient_of_an_event_has_the_status_after_it() -> None:
    for act, status in (
        (lambda s: s.view(ADA.recipient_id, RECIPIENT), "viewed"),
        (lambda s: s.fail_invitation(ADA.recipient_id, 1, "no such mailbox", audit()), "pending"),
    ):
        assert announce(sent(), act)[1][0]["data"]["recipient"]["status"] == status


def test_the_callback_of_a_deletion_holds_the_id_and_nothing_personal() -> None:
    session = sent()
    callback = callback_of_deletion(session.erase(audit()).session, SessionStatus.PENDING)
    assert callback is not None
    assert json.loads(callback.body)["data"] == {
        "sessionId": session.session_id,
        "name": None,
        "status": "deleted",
        "previousStatus": "pending",
        "sequence": session.sequence + 1,
    }
    later = callback_of_deletion(session.model_copy(update={"erased_at": NOON + timedelta(hours=1)}), session.status)
    assert later
    assert callback.event_id != later.event_id


def test_no_body_holds_a_link() -> None:
    _, bodies = announce(sent(), sign("ada"))
    assert "http" not in json.dumps(bodies)


def test_each_event_has_one_id_of_its_own() -> None:
    one = SessionId(identifier("one"))
    assert event_id(one, "3") == event_id(one, "3")
    assert len({event_id(one, "3"), event_id(one, "4"), event_id(SessionId(identifier("two")), "3")}) == 3
    assert UUID(event_id(one, "3")).version == 5


@pytest.mark.parametrize(
    ("url", "receiver"),
    [
        ("https://example.com", "https://example.com:443"),
        ("HTTPS://Example.COM:443/a?b=c", "https://example.com:443"),
        ("https://example.com.:443/a?b=c", "https://example.com:443"),
        ("http://example.com:8080/", "http://example.com:8080"),
        ("https://[2606:4700::1111]/a", "https://[2606:4700::1111]:443"),
    ],
)
def test_a_receiver_is_scheme_host_and_port(url: str, receiver: str) -> None:
    assert receiver_of(url) == receiver


def test_callbacks_survive_a_history_unchanged() -> None:
    session = draft(name="Ünïcode “agreement”")
    step = session.send(audit())
    (callback,) = callbacks_of(session, step.session, step.events)
    assert Callback.model_validate_json(callback.model_dump_json()) == callback
    assert "Ünïcode “agreement”" in callback.body
