"""Pictures from the upload to the signed PDF, as clients and recipients see them."""

import httpx
import pytest

from cli.demo.command import await_invitation, sign
from tests import http_requests
from tests.end_to_end.installation import Installation
from tests.layout.image_files import encoded, shades
from tests.layout.reading import check, images_of
from undersign import Client

pytestmark = [pytest.mark.installation, pytest.mark.poppler, pytest.mark.qpdf]

PHOTO = encoded(shades(300, 200), "JPEG")


def upload(http: httpx.Client, content: bytes) -> str:
    """The file id of an image that was uploaded."""
    answer = http.post("/api/v1/Image", files={"file": ("Floor plan", content)})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["fileId"])


def test_a_logo_and_a_picture_are_on_the_page_that_is_signed_and_on_the_signed_pdf(
    installation: Installation, service: Client, http: httpx.Client
) -> None:
    logo, photo = upload(http, encoded(shades(260, 80, "RGBA"), "WEBP")), upload(http, PHOTO)
    blocks = [
        {"type": "image", "fileId": photo, "width": 240, "align": "center"},
        {"type": "signatureBlock", "label": "For the client", "recipient": "client"},
    ]
    theme = {"headerStyle": "band", "primaryColor": "#1b2a49"}
    document = {"format": "blocks", "title": "Lease", "theme": theme, "logo": {"fileId": logo}, "blocks": blocks}
    client = {"key": "client", "name": "Ada Lovelace", "email": "ada@example.com"}
    files = [{"type": "blocks", "document": document}]
    made = http.post(
        "/api/v1/Session", json={"name": "Lease", "files": files, "recipients": [client], "sendImmediately": True}
    )
    assert made.status_code == 200, made.text
    session = service.get_session(made.json()["sessionId"])
    (recipient,) = session.recipients
    link = await_invitation(installation.dev_info.outbox_dir, session.session_id, recipient)

    with http_requests.browser() as browser:
        page = browser.post(link)
        sources = [part.partition('"')[0] for part in page.text.split("<img")[1:] for part in part.split('src="')[1:]]
        shown = [browser.get(httpx.URL(link).join(source)) for source in sources]
    sign(link, recipient, {}, is_drawn=True)
    service.wait_until_generated(session.session_id)

    kinds = [answer.headers["content-type"] for answer in shown]
    assert kinds == ["image/png", "image/jpeg", "image/svg+xml"]  # the last is the page as it will be sealed
    assert shown[1].content == PHOTO
    (address,) = (document.url for document in service.list_documents(session.session_id).documents)
    signed = http_requests.get(address).content
    check(signed)
    sizes = [tuple(line.split()[2:5]) for line in images_of(signed)]
    assert sizes[:3] == [("image", "260", "80"), ("smask", "260", "80"), ("image", "300", "200")]
