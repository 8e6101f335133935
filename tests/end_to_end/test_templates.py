"""A template from its making to the signed PDF of a session that was made from it."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from cli.demo.command import await_invitation, sign
from tests import ROOT, http_requests
from tests.end_to_end.installation import Installation
from tests.end_to_end.pdfs import check_structure, read_text
from undersign import Client

pytestmark = [pytest.mark.installation, pytest.mark.poppler, pytest.mark.qpdf]

ODD = "No {{{rent}}}, <b>no</b> {{{colour}}} and no \\1 \"quotes\", {'a': [1]}"


def example(name: str) -> dict[str, Any]:
    return dict(json.loads((ROOT / "examples" / f"{name}.json").read_text()))


def post(http: httpx.Client, path: str, body: Any = None) -> Any:
    answer = http.post(f"/api/v1/{path}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_signed_pdf_of_a_session_from_a_template_has_the_values(
    installation: Installation, service: Client, http: httpx.Client, tmp_path: Path
) -> None:
    template = post(http, "Template", example("lease-template"))
    assert template["status"] == "draft"
    post(http, f"Template/{template['templateId']}/Activate")
    listed = http.get("/api/v1/Templates").json()["templates"]
    assert template["templateId"] in [row["templateId"] for row in listed]

    wanted = {**example("lease-values"), "templateId": template["templateId"]}
    wanted["variableValues"]["specialTerms"] = ODD
    session = service.get_session(post(http, "SessionFromTemplate", wanted)["sessionId"])
    assert [recipient.name for recipient in session.recipients] == ["Ingrid Solheim", "Lena Lindqvist"]
    for recipient in session.recipients:
        link = await_invitation(installation.dev_info.outbox_dir, session.session_id, recipient)
        answers = {"door_name": "Solheim"} if recipient.key == "tenant" else {}
        sign(link, recipient, answers, is_drawn=False)
    service.wait_until_generated(session.session_id)

    (address,) = (document.url for document in service.list_documents(session.session_id).documents)
    signed = tmp_path / "signed.pdf"
    signed.write_bytes(http_requests.get(address).content)
    check_structure(signed)
    text = read_text(signed)
    for value in ("Ingrid Solheim", "Nordnesveien 12, 5005 Bergen", "2026-09-01", "EUR 1,250.00", "EUR 2,500.00"):
        assert value in text
    assert "with 3 months’ notice" in text
    assert ODD in text
    assert "{{{tenantName}}}" not in text
