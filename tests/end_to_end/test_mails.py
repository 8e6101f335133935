"""Mails as they arrive at a real mail server, from the invitation to the signed documents."""

import json
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from cli.demo.command import connect, read_example, sign
from tests import http_requests
from tests.end_to_end.conftest import client_of
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from tests.ports import free_port

pytestmark = pytest.mark.installation

SENDER = "contracts@northwind.example"
NOBODY = "nobody@example.com"


class MailServer:
    """A mail server that knows everybody but `NOBODY`, and what it took."""

    def __init__(self) -> None:
        self.taken: list[EmailMessage] = []

    async def handle_RCPT(  # noqa: N802  # the library's own name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address == NOBODY:
            return "550 5.1.1 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        message = message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        self.taken.append(message)
        return "250 queued"

    def to(self, address: str, kind: str) -> list[EmailMessage]:
        """The mails of that kind to that address."""
        return [m for m in self.taken if address in m["To"] and m["Message-ID"].startswith(f"<{kind}.")]


def link_in(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return next(word for word in str(body.get_content()).split() if "/sign/" in word)


@pytest.fixture
def post() -> Iterator[tuple[MailServer, int]]:
    post = MailServer()
    port = free_port()
    controller = Controller(
        post, hostname="127.0.0.1", port=port, server_hostname="localhost", ready_timeout=http_requests.PATIENCE
    )
    controller.start()
    yield post, port
    controller.stop()


def test_mails_leave_by_the_mail_server_and_what_it_refuses_is_seen(
    tmp_path: Path, post: tuple[MailServer, int]
) -> None:
    office, port = post
    installation = Installation(
        tmp_path / "own", UNDERSIGN_SMTP_URL=f"smtp-plain://127.0.0.1:{port}", UNDERSIGN_SENDER_EMAIL=SENDER
    )
    installation.start()
    try:
        sign_all(installation, office)
        see_refusal(installation)
    finally:
        installation.stop()
    assert len({m["Message-ID"] for m in office.taken}) == len(office.taken)


def sign_all(installation: Installation, office: MailServer) -> None:
    """Two people sign with the links from their mails, and everybody gets the link to the signed documents."""
    body, answers = read_example()
    with connect(installation.dev_info) as service:
        session = service.create_session(body)
        service.send_session(session.session_id)
    for recipient in session.recipients:
        [mail] = arrived(office, recipient.email, "invitation")
        sign(link_in(mail), recipient, answers[recipient.key], is_drawn=False)
    for recipient in session.recipients:
        [mail] = arrived(office, recipient.email, "completed")
        assert link_in(mail) == link_in(office.to(recipient.email, "invitation")[0])
        assert mail["Reply-To"] == SENDER
        page = http_requests.get(link_in(mail))
        assert "Open my copy" in page.text
    arrived(office, SENDER, "completed")


def arrived(office: MailServer, address: str, kind: str) -> list[EmailMessage]:
    return eventually(lambda: office.to(address, kind), f"{kind} to {address}")


def see_refusal(installation: Installation) -> None:
    """An address that the mail server does not know is an event of the session, which says what to do."""
    body = json.loads(read_example()[0])
    recipients = [{**recipient, "email": NOBODY} for recipient in body["recipients"]]
    with client_of(installation) as http:
        answer = http.post("/api/v1/Session", json={**body, "recipients": recipients, "sendImmediately": True})
        session_id = answer.raise_for_status().json()["sessionId"]

        def failed() -> bool:
            events = http.get(f"/api/v1/Session/{session_id}/Events").raise_for_status().json()["events"]
            return "recipient.invitationFailed" in {event["type"] for event in events}

        eventually(failed, "the event")
        session = http.get(f"/api/v1/Session/{session_id}").raise_for_status().json()
    assert "550 5.1.1 no such user" in session["waitingFor"]
    assert "send the invitation again" in session["waitingFor"]
