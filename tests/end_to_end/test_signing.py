"""From a block document to signed PDFs, as clients and recipients do it."""

import io
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from cli.demo.command import read_example, run_demo
from cli.output import Progress
from tests import http_requests
from tests.end_to_end.agreement import Agreement, values_of
from tests.end_to_end.conftest import LIFETIME
from tests.end_to_end.installation import Installation
from tests.end_to_end.pdfs import check_structure, read_text
from tests.end_to_end.waiting import eventually
from undersign import Client

pytestmark = pytest.mark.installation


@pytest.fixture
def agreement(installation: Installation, service: Client) -> Agreement:
    return Agreement(installation.dev_info, service)


@pytest.mark.poppler
@pytest.mark.qpdf
def test_two_people_sign_the_example_and_everything_is_on_the_documents(
    installation: Installation, tmp_path: Path
) -> None:
    said = io.StringIO()
    before = datetime.now(UTC)

    run_demo(installation.data_dir, tmp_path, Progress(Console(file=said, width=1000)))

    signed, certificate = tmp_path / "Consulting Agreement.pdf", tmp_path / "Certificate of completion.pdf"
    check_structure(signed)
    check_structure(certificate)
    names = ["Renée Østergård", "Łukasz Wiśniewski"]
    text = read_text(signed)
    days = {f"{day:%d/%m/%Y}" for day in (before, datetime.now(UTC))}  # midnight may pass meanwhile
    assert [value for value in [*values_of(read_example()[1]), *names] if value not in text] == []
    assert sum(text.count(day) for day in days) == 2
    assert "page 3 of 3" in text
    certified = read_text(certificate)
    assert [
        name for name in [*names, "Harbour & Finch", "every signed document is sealed"] if name not in certified
    ] == []
    checked = installation.run("verify", str(certificate), str(signed))
    assert (checked.returncode, checked.stdout.count("Genuine"), checked.stderr) == (0, 2, "")
    assert f"It is the document “{signed.name}”" in checked.stdout
    assert re.search(f"The seal says: Signed document .* Signed by “{names[0]}” <[^>]+> by link ", checked.stdout)
    assert [name for name in [*names, str(signed), "typing", "drawing"] if name not in said.getvalue()] == []


def test_a_download_address_works_for_anybody_until_its_time_is_over(agreement: Agreement, service: Client) -> None:
    agreement.sign("client")
    agreement.sign("consultant")
    agreement.await_documents()

    (document,) = service.list_documents(agreement.session_id).documents
    fresh = http_requests.get(document.url)
    eventually(
        lambda: http_requests.get(document.url).is_client_error,
        "the address has expired",
        seconds=LIFETIME + 10,
    )

    assert fresh.content.startswith(b"%PDF-")
    assert fresh.headers["content-disposition"].startswith("attachment")
    assert "Consulting" in fresh.headers["content-disposition"]
    assert http_requests.get(service.list_documents(agreement.session_id).documents[0].url).is_success


def test_the_second_in_the_signing_order_is_invited_after_the_first_has_signed(
    agreement: Agreement, service: Client
) -> None:
    statuses_before = _statuses(service, agreement.session_id)
    agreement.sign("client")
    invited = agreement.link_of("consultant")

    assert statuses_before == ("pending", ["pending", "waiting"])
    assert invited
    assert _statuses(service, agreement.session_id) == ("inProgress", ["completed", "pending"])


def test_opening_a_link_changes_nothing_until_the_button_is_pressed(agreement: Agreement, service: Client) -> None:
    link = agreement.link_of("client")

    answers = [http_requests.get(link).status_code for _ in range(3)]

    assert answers == [200, 200, 200]
    assert _statuses(service, agreement.session_id)[1] == ["pending", "waiting"]


def _statuses(service: Client, session_id: str) -> tuple[str, list[str]]:
    session = service.get_session(session_id)
    return session.status, [recipient.status for recipient in session.recipients]
