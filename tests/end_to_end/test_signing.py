"""From a block document to signed PDFs, or to a refusal, as clients and recipients see it."""

import re
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

import pytest

from cli.demo.browser import Browser
from cli.demo.command import read_example
from tests import http_requests
from tests.builders import session_body
from tests.end_to_end.agreement import Agreement, run_example, values_of
from tests.end_to_end.conftest import LIFETIME
from tests.end_to_end.installation import Installation
from tests.end_to_end.pdfs import read_text
from tests.end_to_end.waiting import eventually
from tests.layout.reading import check
from undersign import ApiError, Client

FIVE_MISTAKES = session_body(
    "Five mistakes",
    {"client": "Ada Lovelace"},
    {"type": "paragraph", "text": "Dear {{{firstName}}},"},
    {"type": "field", "fieldType": "text", "label": "Order", "recipient": "client", "name": "order"},
    {"type": "field", "fieldType": "text", "label": "Again", "recipient": "client", "name": "order"},
    {"type": "heading", "text": "\n" * 499 + "x"},
    {"type": "signatureBlock", "recipient": "stranger", "label": "For another"},
    sendImmediately=True,
)
FIVE_MISTAKES["files"][0]["document"]["title"] = (
    "A title that is far too long to be printed on a single line of the band"
)

TOGETHER = session_body(
    "Consulting agreement",
    {"ada": "Ada Lovelace", "grace": "Grace Hopper"},
    expiryDays=30,
    reminderEnabled=True,
    reminderFrequency="weekly",
)
TOGETHER["recipients"] = [{**recipient, "signingOrder": 1} for recipient in TOGETHER["recipients"]]


@pytest.mark.poppler
@pytest.mark.qpdf
def test_two_people_sign_the_example_and_everything_is_on_the_documents(
    installation: Installation, tmp_path: Path
) -> None:
    before = datetime.now(UTC)

    signed, certificate, printed = run_example(installation, tmp_path)

    check(signed.read_bytes())
    check(certificate.read_bytes())
    names = ["Renée Østergård", "Łukasz Wiśniewski"]
    text = read_text(signed)
    days = {f"{day:%d/%m/%Y}" for day in (before, datetime.now(UTC))}  # midnight may pass meanwhile
    assert [value for value in [*values_of(read_example()[1]), *names] if value not in text] == []
    assert sum(text.count(day) for day in days) == 2
    assert "page 3 of 3" in text
    certified = read_text(certificate)
    assert [
        name for name in [*names, "Harbour & Finch", "the signed documents are sealed"] if name not in certified
    ] == []
    checked = installation.run("verify", str(certificate), str(signed))
    assert (checked.returncode, checked.stdout.count("Genuine"), checked.stderr) == (0, 2, "")
    assert f"It is the document “{signed.name}”" in checked.stdout
    assert re.search(f"The seal says: Signed document .* Signed by “{names[0]}” <[^>]+> by link ", checked.stdout)
    assert [name for name in [*names, str(signed), "typing", "drawing"] if name not in printed] == []


def test_a_download_address_works_for_anybody_until_it_expires(signed: Agreement, service: Client) -> None:
    (document,) = service.list_documents(signed.session_id).documents
    fresh = http_requests.get(document.url)
    eventually(
        lambda: http_requests.get(document.url).is_client_error, "the address has expired", seconds=LIFETIME + 10
    )

    assert fresh.content.startswith(b"%PDF-")
    assert fresh.headers["content-disposition"].startswith("attachment")
    assert "Consulting" in fresh.headers["content-disposition"]
    assert http_requests.get(service.list_documents(signed.session_id).documents[0].url).is_success


def test_opening_a_link_changes_nothing_and_signing_invites_the_second_in_the_order(installation: Installation) -> None:
    agreement = Agreement.of(installation)
    link = agreement.link_of("client")

    answers = [http_requests.get(link).status_code for _ in range(3)]
    statuses = agreement.statuses
    agreement.sign("client")

    assert answers == [200, 200, 200]
    assert statuses == ["pending", "pending", "waiting"]
    assert agreement.link_of("consultant")
    assert agreement.statuses == ["inProgress", "completed", "pending"]


def test_five_mistakes_are_one_answer_with_five_issues_and_nothing_is_stored(
    installation: Installation, service: Client
) -> None:
    stored = installation.files()

    with pytest.raises(ApiError) as refused:
        service.create_session(FIVE_MISTAKES)

    assert (refused.value.status, refused.value.code) == (400, "DOCUMENT_VALIDATION_FAILED")
    assert sorted(issue["kind"] for issue in refused.value.issues) == [
        "duplicate-field-name",
        "out-of-bounds",
        "title-too-long",
        "tokens-in-session",
        "unknown-recipient",
    ]
    assert all({"kind", "page", "message", "snippet", "path"} <= issue.keys() for issue in refused.value.issues)
    assert installation.files() <= stored
    assert not any(b"Five mistakes" in mail.read_bytes() for mail in installation.files(".eml", "outbox"))


def test_a_recipient_who_was_invited_again_declines_and_the_other_is_told(
    installation: Installation, service: Client
) -> None:
    agreement = Agreement.send(installation, TOGETHER)
    sent = agreement.now
    assert sent.sent_at
    assert sent.next_reminder_at
    assert sent.expiry_date
    assert sent.sent_at < sent.next_reminder_at < sent.expiry_date
    first, graces = agreement.link_of("ada"), agreement.link_of("grace")
    invited = service.send_invitation(agreement.session_id, recipient_email="ada@example.com")
    assert invited.recipient_id == sent.recipients[0].recipient_id
    second = eventually(
        lambda: latest if (latest := agreement.link_of("ada")) != first else None, "there is a new link"
    )
    assert http_requests.get(first).status_code == HTTPStatus.NOT_FOUND

    with Browser() as ada:
        documents = ada.submit(ada.open(second), {})
        unsure = ada.open(f"{documents.url}/decline")
        form = ada.open(f"{documents.url}/decline")
        done = ada.submit(form, {"reason": "The fee is wrong."})
        assert (unsure.form().names, done.forms, done.url) == ({"csrf", "reason"}, (), documents.url)

    now = agreement.now
    assert (now.status, now.next_reminder_at) == ("declined", None)
    assert [(r.status, r.decline_reason) for r in now.recipients] == [
        ("declined", "The fee is wrong."),
        ("cancelled", None),
    ]
    assert now.waiting_for == "Declined by Ada Lovelace."
    assert http_requests.get(graces).status_code == HTTPStatus.GONE
    assert "You’ve declined to sign" in http_requests.get(second).text
    types = [event.type for event in service.list_events(agreement.session_id).events]
    assert types[-3:] == ["recipient.viewed", "recipient.declined", "session.declined"]
    assert types.count("recipient.invited") == 3


def test_a_mail_that_cannot_leave_is_reported_until_it_has_left(installation: Installation) -> None:
    outbox = installation.dev_info.outbox_dir
    outbox.mkdir(exist_ok=True)
    aside = outbox.with_name("outbox-aside")
    outbox.rename(aside)
    outbox.write_text("in the way")
    try:
        agreement = Agreement.send(installation, TOGETHER)
        waits = eventually(
            lambda: waits if "failed" in (waits := agreement.now.waiting_for) else None, "the failure is reported"
        )
    finally:
        outbox.unlink()
        aside.rename(outbox)

    assert waits.startswith("Waiting for the invitation to Ada Lovelace and Grace Hopper to be delivered; attempt ")
    assert "failed: the outbox did not take the mail" in waits
    assert str(outbox) not in waits
    eventually(lambda: agreement.now.waiting_for.startswith("Waiting for the signature of"), "the mails have left")
