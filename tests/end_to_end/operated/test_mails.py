"""Mails as they arrive at a mail server, from the invitation to the signed documents."""

import json

from cli.demo.command import read_example
from tests import http_requests
from tests.backends import UNKNOWN_ADDRESS, OperatorBackends
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.end_to_end.operated.conftest import SENDER
from tests.end_to_end.waiting import eventually
from tests.outbox import SentMail
from undersign import Client


def test_invitations_and_documents_arrive_once(installation: Installation, backends: OperatorBackends) -> None:
    again = backends.mails.twice
    agreement = Agreement.of(installation)

    def arrived(address: str, kind: str) -> SentMail:
        start = f"{kind}.{agreement.session_id}"
        [mail] = eventually(
            lambda: [m for m in installation.outbox.to(address) if m.message_id.startswith(start)],
            f"{kind} to {address}",
        )
        return mail

    agreement.complete()
    for recipient in agreement.session.recipients:
        mail = arrived(recipient.email, "completed")
        assert mail.link == arrived(recipient.email, "invitation").link
        assert mail.reply_to == SENDER
        assert "Open my copy" in http_requests.get(mail.link).text
    arrived(SENDER, "completed")
    assert (backends.mails.twice, backends.mails.changed) == (again, [])


def test_a_refused_address_is_an_event_of_the_session_which_says_what_to_do(
    installation: Installation, service: Client
) -> None:
    recipients = [{**each, "email": UNKNOWN_ADDRESS} for each in json.loads(read_example()[0])["recipients"]]
    agreement = Agreement.of(installation, recipients=recipients)

    eventually(
        lambda: (
            "recipient.invitationFailed" in {event.type for event in service.list_events(agreement.session_id).events}
        ),
        "the event",
    )

    waits = agreement.now.waiting_for
    assert "550 5.1.1 no such user" in waits
    assert "send the invitation again" in waits
