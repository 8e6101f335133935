"""Uploaded PDFs and images on the pages and documents of a session, as clients and recipients see them."""

from pathlib import Path

import httpx
import pytest

from application.uploads.validate_pdf import validate_pdf
from tests import http_requests
from tests.application.uploads import pdfs
from tests.builders import session_body
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.end_to_end.waiting import eventually
from tests.foreign_pdfs.signed_samples import signed
from tests.layout.pictures import encoded, shades
from tests.layout.reading import check, images_of, pdfsig
from undersign import ApiError, Client

pytestmark = pytest.mark.poppler

TERMS = pdfs.of_pages(3)
CANONICAL_TERMS = validate_pdf(TERMS).rewritten or TERMS
PHOTO = encoded(shades(300, 200), "JPEG")
CLIENT = {"client": "Ada Lovelace"}


def test_an_uploaded_pdf_goes_with_the_session_and_comes_back_sealed(
    installation: Installation, service: Client, tmp_path: Path
) -> None:
    contract = signed(name="Grace")
    body = session_body("Lease", CLIENT)
    uploads = (service.upload_file("Terms", TERMS), service.upload_file("Signed by Grace", contract))
    body["files"] += [{"type": "uploadedPdf", "fileId": upload.file_id} for upload in uploads]
    agreement = Agreement.send(installation, body)
    link = agreement.link_of("client")

    with http_requests.browser() as browser:
        page = browser.post(link)
        address, _ = [part.partition('"')[0] for part in page.text.split('href="') if "/reference/" in part[:90]]
        shown = browser.get(httpx.URL(link).join(address))
    finished = agreement.complete()

    assert (shown.headers["content-type"], shown.content) == ("application/pdf", CANONICAL_TERMS)
    _, terms, graces = service.list_documents(agreement.session_id).documents
    assert terms.file_name == "Terms.pdf"
    assert http_requests.get(terms.url).content.startswith(CANONICAL_TERMS)
    both = http_requests.get(graces.url).content
    assert both.startswith(contract)
    assert pdfsig(both, tmp_path).count("Signature is Valid.") == 2
    assert [file.seal_level for file in finished.files] == ["B-B", "B-B", "B-B"]
    assert installation.files(agreement.session_id)

    service.delete_session(agreement.session_id, permanent=True)
    with pytest.raises(ApiError, match="404"):
        service.get_session(agreement.session_id)
    eventually(lambda: not installation.files(agreement.session_id), "the copies of the session are gone")
    eventually(
        lambda: CANONICAL_TERMS not in (path.read_bytes() for path in installation.files()),
        "the upload that only this session used is gone",
    )


@pytest.mark.qpdf
def test_a_logo_and_a_picture_are_on_the_page_that_is_signed_and_on_the_signed_pdf(
    installation: Installation, service: Client, http: httpx.Client
) -> None:
    def upload(content: bytes) -> str:
        answer = http.post("/api/v1/Image", files={"file": ("Floor plan", content)})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["fileId"])

    logo, photo = upload(encoded(shades(260, 80, "RGBA"), "WEBP")), upload(PHOTO)
    body = session_body("Lease", CLIENT, {"type": "image", "fileId": photo, "width": 240, "align": "center"})
    body["files"][0]["document"] |= {
        "theme": {"headerStyle": "band", "primaryColor": "#1b2a49"},
        "logo": {"fileId": logo},
    }
    agreement = Agreement.send(installation, body)
    link = agreement.link_of("client")

    with http_requests.browser() as browser:
        page = browser.post(link)
        sources = [part.partition('"')[0] for part in page.text.split("<img")[1:] for part in part.split('src="')[1:]]
        shown = [browser.get(httpx.URL(link).join(source)) for source in sources]
    agreement.complete(is_drawn=True)

    kinds = [answer.headers["content-type"] for answer in shown]
    assert kinds == ["image/png", "image/jpeg", "image/svg+xml"]  # the last is the page as it will be sealed
    assert shown[1].content == PHOTO
    (document,) = service.list_documents(agreement.session_id).documents
    content = http_requests.get(document.url).content
    check(content)
    sizes = [tuple(line.split()[2:5]) for line in images_of(content)]
    assert sizes[:3] == [("image", "260", "80"), ("smask", "260", "80"), ("image", "300", "200")]
