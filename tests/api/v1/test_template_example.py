"""The example of a template, which everybody tries first, is a good one."""

import json
from typing import Any

from layout.engine import render
from layout.schema.block_document import BlockDocument
from tests import ROOT
from tests.api.service import Service
from tests.api.templates import post, source_of

EXAMPLES = ROOT / "examples"


def example(name: str) -> dict[str, Any]:
    return dict(json.loads((EXAMPLES / f"{name}.json").read_text("utf-8")))


async def test_the_example_becomes_a_session_of_one_page_without_a_warning(service: Service) -> None:
    template = (await post(service, "Template", {**example("lease-template"), "activate": True})).json()

    session = (
        await post(service, "SessionFromTemplate", {**example("lease-values"), "templateId": template["templateId"]})
    ).json()

    assert [file["pageCount"] for file in session["files"]] == [1]
    assert session["status"] == "pending"
    document = BlockDocument.model_validate(await source_of(service, session))
    assert "{{{" not in document.model_dump_json()
    assert render(document, {"tenant", "landlord"}).warnings == ()


def test_the_example_uses_every_variable_that_it_declares() -> None:
    request = example("lease-template")
    written = json.dumps([request["document"], request["recipients"]])

    assert all(f"{{{{{{{variable['name']}}}}}}}" in written for variable in request["variables"])
