"""Invited again, declined, delayed by a mail that does not leave: on real engines, as people and programs see it."""

from http import HTTPStatus
from typing import Any

import httpx
import pytest

from cli.demo.browser import Browser
from cli.demo.command import await_invitation
from schemas.session_read import RecipientRead
from tests import http_requests
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually

pytestmark = pytest.mark.installation

REQUEST: dict[str, Any] = {
    "name": "Consulting agreement",
    "sendImmediately": True,
    "expiryDays": 30,
    "reminderEnabled": True,
    "reminderFrequency": "weekly",
    "recipients": [
        {"key": "ada", "name": "Ada Lovelace", "email": "ada@example.com", "signingOrder": 1},
        {"key": "grace", "name": "Grace Hopper", "email": "grace@example.com", "signingOrder": 1},
    ],
    "files": [
        {
            "type": "blocks",
            "document": {
                "format": "blocks",
                "title": "Consulting agreement",
                "blocks": [
                    {"type": "signatureBlock", "label": "For the consultant", "recipient": "ada"},
                    {"type": "signatureBlock", "label": "For the client", "recipient": "grace"},
                ],
            },
        }
    ],
}


def create(http: httpx.Client) -> Any:
    return http.post("/api/v1/Session", json=REQUEST).raise_for_status().json()


def read(http: httpx.Client, session: Any, rest: str = "") -> Any:
    return http.get(f"/api/v1/Session/{session['sessionId']}{rest}").raise_for_status().json()


def link_of(installation: Installation, session: Any, number: int) -> str:
    """The link in the latest mail to that recipient (from 0)."""
    recipient = RecipientRead.model_validate(session["recipients"][number])
    return await_invitation(installation.dev_info.outbox_dir, session["sessionId"], recipient)


def look(link: str) -> httpx.Response:
    return http_requests.get(link)


def test_who_was_invited_again_declines_and_everybody_learns_of_it(
    installation: Installation, http: httpx.Client
) -> None:
    session = create(http)
    first, graces = link_of(installation, session, 0), link_of(installation, session, 1)
    invited = http.post(
        f"/api/v1/Session/{session['sessionId']}/SendInvitation", json={"recipientEmail": "ada@example.com"}
    )
    assert invited.raise_for_status().json()["recipientId"] == session["recipients"][0]["recipientId"]
    second = eventually(
        lambda: latest if (latest := link_of(installation, session, 0)) != first else None, "there is a new link"
    )
    assert look(first).status_code == HTTPStatus.NOT_FOUND

    with Browser() as ada:
        documents = ada.submit(ada.open(second), {})
        unsure = ada.open(f"{documents.url}/decline")
        form = ada.open(f"{documents.url}/decline")
        done = ada.submit(form, {"reason": "The fee is wrong."})
        assert (unsure.form().names, done.forms, done.url) == ({"csrf", "reason"}, (), documents.url)

    shown = read(http, session)
    assert (shown["status"], shown["nextReminderAt"]) == ("declined", None)
    assert [(r["status"], r["declineReason"]) for r in shown["recipients"]] == [
        ("declined", "The fee is wrong."),
        ("cancelled", None),
    ]
    assert shown["waitingFor"] == "Declined by Ada Lovelace; waiting for nothing."
    assert look(graces).status_code == HTTPStatus.GONE
    assert "You have declined to sign" in look(second).text
    types = [event["type"] for event in read(http, session, "/Events")["events"]]
    assert types[-3:] == ["recipient.viewed", "recipient.declined", "session.declined"]
    assert types.count("recipient.invited") == 3


def test_a_mail_that_does_not_leave_is_told_until_it_has_left(installation: Installation, http: httpx.Client) -> None:
    outbox = installation.dev_info.outbox_dir
    outbox.mkdir(exist_ok=True)
    aside = outbox.with_name("outbox-aside")
    outbox.rename(aside)
    outbox.write_text("in the way")
    try:
        session = create(http)
        waits = eventually(
            lambda: now if "failed" in (now := read(http, session)["waitingFor"]) else None, "the failure is told"
        )
    finally:
        outbox.unlink()
        aside.rename(outbox)

    assert waits.startswith("Waiting for the invitation to Ada Lovelace and Grace Hopper to be delivered; attempt ")
    assert "failed: the outbox did not take the mail" in waits
    assert str(outbox) not in waits
    eventually(
        lambda: read(http, session)["waitingFor"].startswith("Waiting for the signature of"), "the mails have left"
    )


def test_the_clocks_of_a_session_are_shown(http: httpx.Client) -> None:
    session = create(http)

    assert session["sentAt"] < session["nextReminderAt"] < session["expiryDate"]
