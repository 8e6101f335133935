"""A PDF from the upload to the finished session, as clients and recipients see it."""

from pathlib import Path

import httpx
import pytest

from cli.demo.command import await_invitation, sign
from tests import http_requests
from tests.application.uploads import pdfs
from tests.end_to_end.folders import files_below
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from tests.foreign_pdfs.signed_samples import signed
from tests.pades.readers import pdfsig
from undersign import Client

pytestmark = [pytest.mark.installation, pytest.mark.poppler]

TERMS = pdfs.of_pages(3)


def test_an_uploaded_pdf_goes_with_the_session_and_comes_back_sealed(
    installation: Installation, service: Client, http: httpx.Client, tmp_path: Path
) -> None:
    uploaded = service.upload_file("Terms", TERMS)
    contract = signed(name="Grace")
    blocks = [{"type": "signatureBlock", "label": "For the client", "recipient": "client"}]
    files = [
        {"type": "blocks", "document": {"format": "blocks", "title": "Lease", "blocks": blocks}},
        {"type": "uploadedPdf", "fileId": uploaded.file_id},
        {"type": "uploadedPdf", "fileId": service.upload_file("Signed by Grace", contract).file_id},
    ]
    client = {"key": "client", "name": "Ada Lovelace", "email": "ada@example.com"}
    session = service.create_session({"name": "Lease", "files": files, "recipients": [client], "sendImmediately": True})
    (recipient,) = session.recipients
    link = await_invitation(installation.dev_info.outbox_dir, session.session_id, recipient)

    with http_requests.browser() as browser:
        page = browser.post(link)
        address, _ = [part.partition('"')[0] for part in page.text.split('href="') if "/reference/" in part[:90]]
        shown = browser.get(httpx.URL(link).join(address))
    sign(link, recipient, {}, is_drawn=False)
    service.wait_until_generated(session.session_id)

    assert (shown.headers["content-type"], shown.content) == ("application/pdf", TERMS)
    _, terms, graces = service.list_documents(session.session_id).documents
    assert terms.file_name == "Terms.pdf"
    assert http_requests.get(terms.url).content.startswith(TERMS)
    both = http_requests.get(graces.url).content
    assert both.startswith(contract)
    assert pdfsig(both, tmp_path).count("Signature is Valid.") == 2
    finished = http.get(f"/api/v1/Session/{session.session_id}").json()["files"]
    assert [file["sealLevel"] for file in finished] == ["B-B", "B-B", "B-B"]

    objects = installation.data_dir / "objects"
    assert [path for path in files_below(objects) if session.session_id in str(path)]

    service.delete_session(session.session_id, permanent=True)
    assert http.get(f"/api/v1/Session/{session.session_id}").status_code == 404
    eventually(
        lambda: not [path for path in files_below(objects) if session.session_id in str(path)],
        "the copies of the session are gone",
    )
    eventually(
        lambda: not [path for path in files_below(objects) if path.read_bytes() == TERMS],
        "the upload that it alone used is gone",
    )
