"""A template from its creation to the signed PDF of a session that was created from it."""

from pathlib import Path

import pytest

from tests import http_requests
from tests.end_to_end.agreement import Agreement
from tests.end_to_end.installation import Installation
from tests.end_to_end.pdfs import read_text
from tests.end_to_end.tools import example
from tests.layout.reading import check
from undersign import Client

pytestmark = [pytest.mark.poppler, pytest.mark.qpdf]

ODD = "No {{{rent}}}, <b>no</b> {{{colour}}} and no \\1 \"quotes\", {'a': [1]}"


def test_the_signed_pdf_of_a_session_from_a_template_has_the_values(
    installation: Installation, service: Client, tmp_path: Path
) -> None:
    template = service.create_template(example("lease-template"))
    assert template.status == "draft"
    service.activate_template(template.template_id)
    assert template.template_id in [listed.template_id for listed in service.list_templates().templates]

    body = {**example("lease-values"), "templateId": template.template_id}
    body["variableValues"]["specialTerms"] = ODD
    session = service.create_session_from_template(body)
    assert [recipient.name for recipient in session.recipients] == ["Ingrid Solheim", "Lena Lindqvist"]
    Agreement(installation, session, {"tenant": {"door_name": "Solheim"}}).complete()

    (document,) = service.list_documents(session.session_id).documents
    content = http_requests.get(document.url).content
    check(content)
    signed = tmp_path / "signed.pdf"
    signed.write_bytes(content)
    text = read_text(signed)
    for value in ("Ingrid Solheim", "Nordnesveien 12, 5005 Bergen", "2026-09-01", "EUR 1,250.00", "EUR 2,500.00"):
        assert value in text
    assert "with 3 months’ notice" in text
    assert ODD in text
    assert "{{{tenantName}}}" not in text
